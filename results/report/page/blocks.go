package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// How much of the blocks is shown without a script.
const (
	launchesMarked = 60
	blocksListed   = 200
)

// blocksView shows every block in time.
type blocksView struct {
	Chart *chart
	Data  blockData
	List  *table
}

// blockData is what the script shows of a picked block.
type blockData struct {
	Arms   []string          `json:"arms"`
	Arm    []int             `json:"arm"`
	Start  numbers           `json:"start"`
	Fields []blockField      `json:"fields"`
	Notes  map[string]string `json:"notes"` // by number of the block
}

// blockField is a reading of every block.
type blockField struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Values numbers `json:"values"`
}

func blocksOf(run Run) *blocksView {
	if len(run.Blocks) == 0 {
		return nil
	}
	blocks := slices.Clone(run.Blocks)
	slices.SortStableFunc(blocks, func(a, b record.Block) int { return a.Start.Compare(b.Start) })
	faults := faultsOf(run, blocks)
	c := blockChart(run, blocks, faults)
	if !c.draw() {
		return nil
	}
	return &blocksView{Chart: c, Data: blockDataOf(run, blocks, faults), List: blockList(run, blocks, faults)}
}

// blockChart shows the median and the highest quantile that most blocks hold.
func blockChart(run Run, blocks []record.Block, faults map[int]string) *chart {
	tail := tailOf(blocks)
	c := &chart{ID: "blocks-chart", Title: "Every block: TTFB p50 and " + strings.TrimPrefix(tail, metric.TTFB+"."), XUnit: elapsed, YUnit: "s", YLog: true, Height: 320, Pick: true,
		Caption: "A point for each block: filled p50, hollow " + strings.TrimPrefix(tail, metric.TTFB+".") + ". Thin lines are launches, red ones blocks in which the machine or an arm misbehaved."}
	start := blocks[0].Start
	for _, arm := range run.Summary.Arms {
		p50 := line{Name: figures.Name(arm) + " p50", Tone: run.tone(arm), Dots: true}
		high := line{Name: figures.Name(arm) + " " + strings.TrimPrefix(tail, metric.TTFB+"."), Tone: run.tone(arm), Dots: true, Dash: true}
		for _, b := range blocks {
			if b.Arm != arm {
				continue
			}
			x := b.Start.Sub(start).Seconds()
			p50.X, p50.Y = append(p50.X, x), append(p50.Y, valueOf(b, metric.TTFB+metric.P50))
			high.X, high.Y = append(high.X, x), append(high.Y, valueOf(b, tail))
		}
		c.Lines = append(c.Lines, p50, high)
	}
	c.Marks = blockMarks(blocks, faults, start)
	c.Bands = cellBands(blocks, start)
	return c
}

// tailOf returns the highest quantile that at least half of the blocks hold.
func tailOf(blocks []record.Block) string {
	for _, q := range []string{metric.TTFB + metric.P999, metric.TTFB + metric.P99, metric.TTFB + metric.P95, metric.TTFB + metric.P90} {
		held := 0
		for _, b := range blocks {
			if !math.IsNaN(valueOf(b, q)) {
				held++
			}
		}
		if 2*held >= len(blocks) {
			return q
		}
	}
	return metric.TTFB + metric.Max
}

// valueOf returns a metric of all requests of a block, NaN for none or no answer.
func valueOf(b record.Block, metric string) float64 {
	for _, v := range b.Metrics {
		if v.Metric == metric && v.Group == "" && !math.IsInf(v.Value, 1) {
			return v.Value
		}
	}
	return math.NaN()
}

// blockMarks are the launches, unless they are too many to be seen, and the
// disturbed blocks.
func blockMarks(blocks []record.Block, faults map[int]string, start time.Time) []mark {
	var launches, disturbed []mark
	last := -1
	for i, b := range blocks {
		x := b.Start.Sub(start).Seconds()
		if b.Launch != last {
			launches = append(launches, mark{X: x, Label: fmt.Sprintf("launch %d", b.Launch+1), Kind: "launch"})
			last = b.Launch
		}
		if faults[i] != "" {
			disturbed = append(disturbed, mark{X: x, Label: faults[i], Kind: "fault"})
		}
	}
	if len(launches) > launchesMarked {
		launches = nil
	}
	return append(launches, disturbed...)
}

// faultsOf says what was wrong with blocks, by their number.
func faultsOf(run Run, blocks []record.Block) map[int]string {
	limit := lateLimit(run)
	faults := map[int]string{}
	for i, b := range blocks {
		var why []string
		g := b.Generator
		if b.Dead {
			why = append(why, "the arm "+figures.Printable(b.LostBy().String()))
		}
		if g.Steal > gate.NoiseShare {
			why = append(why, "steal "+units.Number(g.Steal, "ratio"))
		}
		if g.Foreign > gate.NoiseShare {
			why = append(why, "other processes "+units.Number(g.Foreign, "ratio"))
		}
		if g.LatenessP99 > limit {
			why = append(why, "lateness p99 "+units.Seconds(g.LatenessP99))
		}
		if len(why) > 0 {
			faults[i] = strings.Join(why, ", ")
		}
	}
	return faults
}

func lateLimit(run Run) float64 {
	var p50 []float64
	for _, b := range run.Blocks {
		if v := valueOf(b, metric.TTFB+metric.P50); b.Arm == run.Summary.Baseline && !math.IsNaN(v) {
			p50 = append(p50, v)
		}
	}
	return gate.LatenessLimit(p50)
}
