package page

import (
	"math"
	"strconv"
)

// scale maps values of an axis to shares of its length.
type scale struct {
	min, max float64
	log      bool
	binary   bool // ticks are powers of two: bytes
}

// newScale returns the scale that holds the values, with a little room; values
// that have no place on it are left out. False when none has.
func newScale(log bool, lines ...[]float64) (scale, bool) {
	s := scale{min: math.Inf(1), max: math.Inf(-1), log: log}
	for _, values := range lines {
		for _, v := range values {
			if s.has(v) {
				s.min, s.max = min(s.min, v), max(s.max, v)
			}
		}
	}
	if s.min > s.max {
		return scale{}, false
	}
	return s.widen(), true
}

// widen makes room at both ends, and a range of a single value.
func (s scale) widen() scale {
	if s.log {
		room := math.Pow(s.max/s.min, 0.04)
		if s.min == s.max {
			room = 1.5
		}
		return scale{min: s.min / room, max: s.max * room, log: true}
	}
	room := (s.max - s.min) * 0.05
	if room == 0 {
		room = max(math.Abs(s.max)*0.1, 1e-12)
	}
	low := s.min - room
	if s.min >= 0 {
		low = 0
	}
	return scale{min: low, max: s.max + room}
}

// has reports whether a value has a place on the scale.
func (s scale) has(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!s.log || v > 0)
}

// at returns the place of a value, from 0 to 1; those beyond an end lie on it.
func (s scale) at(v float64) float64 {
	share := (v - s.min) / (s.max - s.min)
	if s.log {
		share = math.Log(v/s.min) / math.Log(s.max/s.min)
	}
	return min(max(share, 0), 1)
}

// ticks returns about n round values: powers of ten where a log axis spans
// them, with 2 and 5 where it spans few.
func (s scale) ticks(n int) []float64 {
	if !s.log || s.max/s.min < 4 {
		return s.linearTicks(n)
	}
	decades := math.Log10(s.max / s.min)
	digits := []float64{1}
	if decades < float64(n)/3 {
		digits = []float64{1, 2, 5}
	}
	every := int(max(math.Ceil(decades/float64(n)), 1))
	var ticks []float64
	for e := int(math.Floor(math.Log10(s.min))); e <= int(math.Ceil(math.Log10(s.max))); e += every {
		for _, d := range digits {
			if v := decimal(d, e); v >= s.min && v <= s.max {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

func (s scale) linearTicks(n int) []float64 {
	step := roundStep((s.max - s.min) / float64(n))
	if s.binary && step > 0 {
		step = math.Exp2(math.Ceil(math.Log2((s.max - s.min) / float64(n))))
	}
	if step <= 0 {
		return nil
	}
	var ticks []float64
	for k := math.Ceil(s.min / step); k*step <= s.max && len(ticks) < 4*n; k++ {
		ticks = append(ticks, k*step)
	}
	return ticks
}

// roundStep returns the next of 1, 2 and 5 times a power of ten.
func roundStep(step float64) float64 {
	if !(step > 0) || math.IsInf(step, 0) {
		return 0
	}
	e := int(math.Floor(math.Log10(step)))
	for _, d := range []float64{1, 2, 5} {
		if v := decimal(d, e); v >= step*(1-1e-9) {
			return v
		}
	}
	return decimal(1, e+1)
}

// decimal returns d·10ᵉ as the nearest number: 0.1, not 0.1000…1.
func decimal(d float64, e int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(d, 'f', -1, 64)+"e"+strconv.Itoa(e), 64)
	if err != nil {
		return 0 // beyond the range of numbers
	}
	return v
}
