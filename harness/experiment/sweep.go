package experiment

import (
	"strconv"
	"strings"
)

// Axis is one dimension of a sweep: one setting and the values it takes, or
// points that each take several settings. The cells of a sweep are the product of its axes.
type Axis struct {
	Name   string    `yaml:"name,omitempty"`   // in names of cells; default: the last word of Key
	Key    string    `yaml:"key,omitempty"`    // a setting: dataset.sizes, arms.*.edge.lru, arms.legacy.edge.ring
	Values []Setting `yaml:"values,omitempty"` // of Key
	Points []Point   `yaml:"points,omitempty"` // instead of Key and Values
}

// Point is one place on an axis.
type Point struct {
	Label string             `yaml:"label"` // a number where growth along the axis is of interest
	Set   map[string]Setting `yaml:"set"`   // by key, as Axis.Key
}

// ofLoad tells whether the point sets the load alone: rate, connections, ….
func (p Point) ofLoad() bool {
	for key := range p.Set {
		if !strings.HasPrefix(key, "load.") {
			return false
		}
	}
	return len(p.Set) > 0
}

// Setting is the value of a setting as YAML in flow style.
type Setting string

// fill names the axis and turns its values into points.
func (a *Axis) fill() {
	or(&a.Name, a.Key[strings.LastIndexByte(a.Key, '.')+1:])
}

// points returns the points of the axis, whichever way it is written.
func (a *Axis) points() []Point {
	if a.Key == "" {
		return a.Points
	}
	points := make([]Point, len(a.Values))
	for i, v := range a.Values {
		points[i] = Point{Label: v.label(), Set: map[string]Setting{a.Key: v}}
	}
	return points
}

// label names a value that is a scalar or a list of scalars: 64MiB, 10-100.
func (s Setting) label() string {
	text := strings.TrimSuffix(strings.TrimPrefix(string(s), "["), "]")
	return strings.ReplaceAll(strings.ReplaceAll(text, `"`, ""), ", ", "-")
}

// override sets the setting to n wherever the axis sets it.
func (a *Axis) override(key string, n int) {
	value := Setting(strconv.Itoa(n))
	for i := range a.Values {
		if a.Key == key {
			a.Values[i] = value
		}
	}
	for _, p := range a.Points {
		if _, set := p.Set[key]; set {
			p.Set[key] = value
		}
	}
}
