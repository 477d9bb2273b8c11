package gate

import (
	"math"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/stats"
)

// Coordinate is a cell's place on one axis of a sweep.
type Coordinate struct {
	Axis, Label string
	X           float64 // the label's number
	HasX        bool
}

// curve names the points that one exponent is fitted to.
type curve struct {
	metric, group, arm string
	axis, at           string
}

// points are the places and values of a curve.
type points struct{ x, y []float64 }

// growth fits an exponent to each metric, group and arm along each numeric
// axis, for each setting of the other axes. Cells are given by name.
func growth(blocks []record.Block, cells []Cell, confidence float64) []record.Growth {
	curves := map[curve]*points{}
	var order []curve
	for _, b := range blocks {
		i := slices.IndexFunc(cells, func(c Cell) bool { return c.Name == b.Cell })
		if i < 0 {
			continue
		}
		for axis, at := range cells[i].At {
			if at.HasX && at.X > 0 {
				order = collect(curves, order, b, at, others(cells[i].At, axis))
			}
		}
	}
	var fitted []record.Growth
	for _, c := range order {
		p := curves[c]
		if e, err := stats.Growth(p.x, p.y, confidence); err == nil {
			fitted = append(fitted, record.Growth{Metric: c.metric, Group: c.group, Arm: c.arm, Axis: c.axis, At: c.at,
				Exponent: e.Value, Low: e.Low, High: e.High, N: e.N})
		}
	}
	return fitted
}

// collect adds the block's values to their curves and returns the order in
// which curves were met.
func collect(curves map[curve]*points, order []curve, b record.Block, at Coordinate, rest string) []curve {
	for _, v := range b.Metrics {
		if m, _ := metric.Lookup(v.Metric); !m.Is(metric.Growth) || v.Value <= 0 || math.IsInf(v.Value, 1) || strings.HasPrefix(v.Group, "size=") {
			continue
		}
		c := curve{v.Metric, v.Group, b.Arm, at.Axis, rest}
		if curves[c] == nil {
			curves[c] = &points{}
			order = append(order, c)
		}
		curves[c].x = append(curves[c].x, at.X)
		curves[c].y = append(curves[c].y, v.Value)
	}
	return order
}

// others names a cell's place on the axes but one.
func others(at []Coordinate, axis int) string {
	var names []string
	for i, c := range at {
		if i != axis {
			names = append(names, c.Axis+"="+c.Label)
		}
	}
	return strings.Join(names, ",")
}
