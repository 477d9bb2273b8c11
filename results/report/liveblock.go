package report

import (
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// barWidth is the width of the bar of progress.
const barWidth = 20

// armColumns is the width of an arm's name in the live block.
const armColumns = 14

// lines are the live block: progress, the last block, a line for each arm,
// notes.
func (l *Live) lines(b record.Block) []string {
	p := printer{color: l.o.Color}
	width := TextOptions{Width: l.o.Width}.width()
	title := []string{figures.Printable(l.plan.Experiment), l.bar(), l.progress()}
	if width < 70 {
		title = slices.Delete(title, 1, 2)
	}
	lines := append(figures.Wrap(strings.Join(title, " · "), width), figures.Wrap("last: "+l.current(b), width)...)
	for _, arm := range l.plan.Arms {
		lines = append(lines, l.armLines(p, arm, width)...)
	}
	for _, note := range l.notes {
		lines = append(lines, p.style(faint, figures.Cut("note: "+figures.Printable(note), width)))
	}
	return lines
}

func (l *Live) bar() string {
	full := 0
	if l.plan.Blocks > 0 {
		full = min(barWidth*len(l.blocks)/l.plan.Blocks, barWidth)
	}
	bar := make([]rune, barWidth)
	for i := range bar {
		bar[i] = '░'
		if i < full {
			bar[i] = '█'
		}
	}
	return string(bar)
}

// armLines is what is known of an arm: on the second line its change so far,
// and more of them where the terminal is narrow.
func (l *Live) armLines(p printer, arm string, width int) []string {
	h := l.ttfb[arm]
	if h.N() == 0 {
		return nil
	}
	text := "TTFB p50 " + units.Seconds(h.Statistic("p50")) + ", p99 " + units.Seconds(h.Statistic("p99"))
	if origin, ok := l.lastValue(arm, metric.OriginRequests); ok {
		text += ", origin " + units.Digits(origin) + "/1,000"
	}
	if memory, ok := l.lastValue(arm, metric.EdgeMemoryPeak); ok {
		text += ", " + units.InBytes(memory)
	}
	lines := figures.Wrap(text, width-armColumns)
	if change := l.soFar(arm); arm != l.plan.Baseline && change != "" {
		lines = append(lines, figures.Wrap("p50 "+change+" so far", width-armColumns)...)
	}
	name := pad(figures.Cut(figures.Escape(arm), armColumns-1), armColumns)
	for i := range lines {
		lines[i] = p.style(bold, name) + lines[i]
		name = pad("", armColumns)
	}
	return lines
}
