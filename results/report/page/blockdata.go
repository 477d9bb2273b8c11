package page

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// reading is a number of a block that the page shows.
type reading struct {
	name, unit string
	of         func(record.Block) float64
}

func metricReading(name string) reading {
	m, _ := metric.Lookup(name)
	return reading{figures.MetricLabel(name), m.Unit, func(b record.Block) float64 { return valueOf(b, name) }}
}

func readings() []reading {
	all := []reading{
		{"pair", plain, func(b record.Block) float64 { return float64(b.Pair + 1) }},
		{"place in the pair", plain, func(b record.Block) float64 { return float64(b.Order + 1) }},
		{"launch", plain, func(b record.Block) float64 { return float64(b.Launch + 1) }},
		{"requests due", plain, func(b record.Block) float64 { return float64(b.Due) }},
		{"answered", plain, func(b record.Block) float64 { return float64(b.Answered) }},
		{"errors", plain, func(b record.Block) float64 { return float64(errorsOf(b)) }},
	}
	for _, name := range metric.In(metric.Blocks) {
		all = append(all, metricReading(name))
	}
	return append(all,
		reading{"lateness p99", "s", func(b record.Block) float64 { return b.Generator.LatenessP99 }},
		reading{"longest hiccup", "s", func(b record.Block) float64 { return b.Generator.HiccupMax }},
		reading{"longest GC pause", "s", func(b record.Block) float64 { return b.Generator.GCPauseMax }},
		reading{"steal", "ratio", func(b record.Block) float64 { return b.Generator.Steal }},
		reading{"other processes", "ratio", func(b record.Block) float64 { return b.Generator.Foreign }},
		reading{"waited before", "s", func(b record.Block) float64 { return b.Wait }},
		reading{"drain", "s", func(b record.Block) float64 { return b.Drain }},
	)
}

func errorsOf(b record.Block) int {
	n := 0
	for _, k := range b.Errors {
		n += k
	}
	return n
}

// blockDataOf collects the readings that any block has.
func blockDataOf(run Run, blocks []record.Block, faults map[int]string) blockData {
	d := blockData{Notes: map[string]string{}}
	for _, a := range run.Summary.Arms {
		d.Arms = append(d.Arms, figures.Name(a))
	}
	for i, b := range blocks {
		d.Arm = append(d.Arm, slices.Index(run.Summary.Arms, b.Arm))
		d.Start = append(d.Start, b.Start.Sub(blocks[0].Start).Seconds())
		if note := noteOf(b, faults[i]); note != "" {
			d.Notes[strconv.Itoa(i)] = note
		}
	}
	for _, r := range readings() {
		f := blockField{Name: r.name, Unit: r.unit}
		known := false
		for _, b := range blocks {
			v := r.of(b)
			known = known || v == v
			f.Values = append(f.Values, v)
		}
		if known {
			d.Fields = append(d.Fields, f)
		}
	}
	return d
}

// noteOf says what is special about a block.
func noteOf(b record.Block, fault string) string {
	var parts []string
	if b.Cell != "" {
		parts = append(parts, figures.Printable(b.Cell))
	}
	if fault != "" {
		parts = append(parts, fault)
	}
	if text := errorText(b.Errors); text != "" {
		parts = append(parts, text, figures.Printable("status codes: "+b.Codes.String()))
	}
	for i, n := range b.Notes {
		if i == 5 {
			break
		}
		parts = append(parts, figures.Cut(figures.Escape(n), 200))
	}
	return strings.Join(parts, "; ")
}

// errorText lists errors by kind: timeout 3, status 1.
func errorText(errors map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(errors)) {
		if errors[kind] > 0 {
			parts = append(parts, figures.Name(kind)+" "+units.Thousands(float64(errors[kind])))
		}
	}
	return strings.Join(parts, ", ")
}

// blockList is every block as a table; nil when there are too many to be read.
func blockList(run Run, blocks []record.Block, faults map[int]string) *table {
	if len(blocks) > blocksListed {
		return nil
	}
	t := &table{ID: "block-list", Columns: []string{"block", "arm", "pair", "place", "launch", "due", "errors", "p50", "p90", "p99", "note"}}
	for i, b := range blocks {
		r := row{Head: strconv.Itoa(i + 1)}
		r.Cells = append(r.Cells, cell{Text: figures.Name(b.Arm), Word: true})
		for _, n := range []int{b.Pair + 1, b.Order + 1, b.Launch + 1, b.Due, errorsOf(b)} {
			r.Cells = append(r.Cells, cell{Text: units.Thousands(float64(n))})
		}
		for _, q := range []string{metric.TTFB + metric.P50, metric.TTFB + metric.P90, metric.TTFB + metric.P99} {
			c := cell{Text: "–"}
			if v := valueOf(b, q); v == v {
				c = cell{Text: units.Seconds(v), Exact: exact(v)}
			}
			r.Cells = append(r.Cells, c)
		}
		r.Cells = append(r.Cells, cell{Text: noteOf(b, faults[i]), Word: true})
		t.Rows = append(t.Rows, r)
	}
	return t
}
