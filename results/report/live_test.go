package report

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"switchback/results/record"
)

// clock is a time that moves when it is told to.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

// liveBlocks are n pairs, and what each block measured.
func liveBlocks(pairs int) (blocks []record.Block, measured []*record.Measurement) {
	for pair := range pairs {
		for order, arm := range []string{"legacy", "hashed"} {
			h := record.NewHistogram()
			for i := range 100 {
				h.Record(int64(1e6*(1-order)) + int64(1000*(i+pair)) + 400_000)
			}
			m := &record.Measurement{Series: []record.Series{{Metric: "ttfb", Histogram: h}}}
			b := record.Block{Pair: pair, Order: order, Arm: arm, Length: 2, Released: 298,
				Metrics: append(m.Values(), record.Value{Metric: "origin.requests", Value: 131.2}, record.Value{Metric: "edge.memory.peak", Value: 64 << 20})}
			blocks, measured = append(blocks, b), append(measured, m)
		}
	}
	blocks[3].Notes = []string{"waited 1 s for idle arms \x1b[2J"}
	return blocks, measured
}

var plan = Plan{Experiment: "pages-routing", Baseline: "legacy", Arms: []string{"legacy", "hashed"}, Blocks: 24, Rate: 150, Confidence: 0.95}

// show runs a display over eight pairs, four seconds a block.
func show(o LiveOptions) string {
	var out strings.Builder
	c := &clock{time.Unix(0, 0)}
	o.Now = c.read
	l := NewLive(&out, plan, o)
	l.Step("publishing the dataset")
	blocks, measured := liveBlocks(8)
	for i := range blocks {
		c.now = c.now.Add(4 * time.Second)
		l.Block(blocks[i], measured[i])
	}
	l.Close()
	return out.String()
}

func TestPlainLineEveryTenSeconds(t *testing.T) { golden(t, "live-plain.txt", show(LiveOptions{})) }

func TestQuietWritesNothing(t *testing.T) {
	if got := show(LiveOptions{Quiet: true, Terminal: true}); got != "" {
		t.Errorf("quiet display wrote %q", got)
	}
}

// TestTerminalHoldsOneBlock replays the display on a model of a terminal: a
// list of lines on which the cursor moves up and the rest is cleared.
func TestTerminalHoldsOneBlock(t *testing.T) {
	for _, width := range []int{80, 40} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			screens := replay(t, show(LiveOptions{Terminal: true, Width: width}))
			last := screens[len(screens)-1]
			if want := []string{"publishing the dataset"}; strings.Join(last, "\n") != want[0] {
				t.Errorf("after Close the terminal shows %q, want %q", last, want)
			}
			for _, screen := range screens {
				for _, l := range screen {
					if utf8.RuneCountInString(l) > width {
						t.Errorf("line of %d columns on a terminal of %d: %q", utf8.RuneCountInString(l), width, l)
					}
				}
			}
			golden(t, fmt.Sprintf("live-%d.txt", width), strings.Join(screens[len(screens)-2], "\n")+"\n")
		})
	}
}

// replay returns what the terminal shows before each time it is cleared, and
// in the end.
func replay(t *testing.T, out string) (screens [][]string) {
	t.Helper()
	var screen []string
	for part, rest := "", out; ; {
		var found bool
		part, rest, found = strings.Cut(rest, "\x1b[")
		screen = append(screen, strings.Split(strings.TrimSuffix(part, "\n"), "\n")...)
		if part == "" {
			screen = screen[:len(screen)-1]
		}
		screens = append(screens, append([]string(nil), screen...))
		if !found {
			return screens
		}
		var up int
		if n, err := fmt.Sscanf(rest, "%dA\x1b[J", &up); n != 1 || err != nil || up > len(screen) {
			t.Fatalf("moved up by %q with %d lines on the terminal", rest[:min(len(rest), 10)], len(screen))
		}
		screen = screen[:len(screen)-up]
		rest = rest[strings.Index(rest, "\x1b[J")+len("\x1b[J"):]
	}
}
