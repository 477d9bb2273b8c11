package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// LiveOptions say how progress is shown; the zero value is a plain line every
// ten seconds.
type LiveOptions struct {
	Terminal bool             // redraw one block of lines in place
	Width    int              // columns; 0: 80
	Color    bool             // with ANSI colours
	Quiet    bool             // write nothing
	Now      func() time.Time // nil: time.Now
}

// plainEvery is how often a plain line is written.
const plainEvery = 10 * time.Second

// Plan is what a run will do.
type Plan struct {
	Experiment string
	Baseline   string
	Arms       []string
	Blocks     int     // in all
	Rate       float64 // requests a second that are asked for; 0 for a closed loop
	Confidence float64 // of the intervals
}

// Live shows the progress of a run. It writes only when it is called, so that
// nothing is drawn while a block runs. It is used by one goroutine.
type Live struct {
	w       io.Writer
	o       LiveOptions
	plan    Plan
	start   time.Time
	written time.Time // the last plain line
	drawn   int       // lines of the block on the terminal
	blocks  []record.Block
	ttfb    map[string]*record.Histogram // of each arm, all blocks merged
	notes   []string
}

// NewLive returns the display of a run that begins now.
func NewLive(w io.Writer, plan Plan, o LiveOptions) *Live {
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &Live{w: w, o: o, plan: plan, start: o.Now(), ttfb: map[string]*record.Histogram{}}
	l.written = l.start
	for _, arm := range plan.Arms {
		l.ttfb[arm] = record.NewHistogram()
	}
	return l
}

// Step says what is done before and between blocks: one line that stays.
func (l *Live) Step(text string) {
	if l.o.Quiet {
		return
	}
	l.erase()
	fmt.Fprintln(l.w, figures.Printable(text))
	l.draw()
}

// Block takes what a block measured, and shows it. m is nil for an arm that
// could not be started.
func (l *Live) Block(b record.Block, m *record.Measurement) {
	l.blocks = append(l.blocks, kept(b))
	if m != nil {
		l.merge(b.Arm, m.Series)
	}
	l.notes = append(l.notes, b.Notes...)
	l.notes = l.notes[max(len(l.notes)-3, 0):]
	if l.o.Quiet {
		return
	}
	if l.o.Terminal {
		l.erase()
		l.draw()
		return
	}
	if now := l.o.Now(); now.Sub(l.written) >= plainEvery {
		l.written = now
		fmt.Fprintln(l.w, l.plain(b))
	}
}

// merge adds the TTFB of all requests of a block.
func (l *Live) merge(arm string, series []record.Series) {
	for _, s := range series {
		if sum := l.ttfb[arm]; sum != nil && s.Metric == metric.TTFB && s.Group == "" {
			sum.Merge(s.Histogram)
		}
	}
}

// kept is what the display needs of a block: a long run has many.
func kept(b record.Block) record.Block {
	values := b.Metrics
	b.Metrics, b.Notes, b.Errors = nil, nil, nil
	for _, v := range values {
		if m, _ := metric.Lookup(v.Metric); v.Group == "" && m.Is(metric.Live) {
			b.Metrics = append(b.Metrics, v)
		}
	}
	return b
}

// Close takes the live block off the terminal.
func (l *Live) Close() { l.erase() }

func (l *Live) erase() {
	if l.drawn > 0 {
		fmt.Fprintf(l.w, "\x1b[%dA\x1b[J", l.drawn) // up, and clear to the end of the screen
		l.drawn = 0
	}
}

func (l *Live) draw() {
	if !l.o.Terminal || len(l.blocks) == 0 {
		return
	}
	lines := l.lines(l.blocks[len(l.blocks)-1])
	l.drawn = len(lines)
	fmt.Fprintln(l.w, strings.Join(lines, "\n"))
}

// plain is one line of progress.
func (l *Live) plain(b record.Block) string {
	parts := []string{l.progress(), l.current(b)}
	for _, arm := range l.plan.Arms {
		if h := l.ttfb[arm]; h.N() > 0 {
			parts = append(parts, figures.Printable(arm)+" "+units.Seconds(h.Statistic("p50")))
		}
	}
	return strings.Join(parts, " · ")
}

// progress says how far the run is: 14 of 24 blocks, 58 %, 35 s left.
func (l *Live) progress() string {
	done := len(l.blocks)
	text := fmt.Sprintf("%d of %s", done, units.Count(l.plan.Blocks, "block"))
	if done == 0 || l.plan.Blocks <= 0 {
		return text
	}
	elapsed := l.o.Now().Sub(l.start)
	left := elapsed * time.Duration(max(l.plan.Blocks-done, 0)) / time.Duration(done)
	return text + fmt.Sprintf(", %d %%, %s left", 100*done/l.plan.Blocks, left.Round(time.Second))
}

// current says what the last block was, and the rate asked and kept.
func (l *Live) current(b record.Block) string {
	text := fmt.Sprintf("pair %d, %s", b.Pair+1, figures.Printable(b.Arm))
	if b.Length <= 0 {
		return text
	}
	kept := units.Digits(float64(b.Released)/b.Length) + "/s"
	if l.plan.Rate > 0 {
		kept = units.Digits(l.plan.Rate) + "/s asked, " + kept + " kept"
	}
	return text + ", " + kept
}

// soFar is the change of an arm's TTFB p50 with its interval, of the pairs so
// far.
func (l *Live) soFar(arm string) string {
	run := Run{Summary: record.Summary{Baseline: l.plan.Baseline}, Blocks: l.blocks}
	d, _ := run.pairs(metric.TTFB+metric.P50, arm)
	if len(d) == 0 {
		return ""
	}
	c := changeOf(d, l.plan.Confidence)
	if c.NoAnswer != "" {
		return units.NoAnswer
	}
	if figures.Unbounded(c) {
		return units.Ratio(c.Ratio, units.AsFactor(c.Ratio)) + " (too few pairs for an interval)"
	}
	return units.Ratio(c.Ratio, units.AsFactor(c.Ratio)) + " (" + figures.Interval("s", c) + ")"
}

// lastValue is the newest value of a metric of an arm.
func (l *Live) lastValue(arm, metric string) (float64, bool) {
	for _, b := range slices.Backward(l.blocks) {
		if b.Arm != arm {
			continue
		}
		for _, v := range b.Metrics {
			if v.Metric == metric && v.Group == "" {
				return v.Value, true
			}
		}
	}
	return 0, false
}
