package record

import (
	"encoding/json"
	"fmt"
	"math"
)

// JSON has no infinity, and an interval of too few pairs has no end. Such ends
// are null in files and ±Inf in memory.

// MarshalJSON writes an infinite end of the interval as null.
func (c Change) MarshalJSON() ([]byte, error) {
	type plain Change
	return json.Marshal(struct {
		plain
		Low  *float64 `json:"low"`
		High *float64 `json:"high"`
		MDE  *float64 `json:"mde,omitempty"`
	}{plain(c), finite(c.Low), finite(c.High), positive(c.MDE)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Change) UnmarshalJSON(data []byte) error {
	type plain Change
	in := struct {
		*plain
		Low  *float64 `json:"low"`
		High *float64 `json:"high"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("change: %w", err)
	}
	c.Low, c.High = orInfinite(in.Low, -1), orInfinite(in.High, 1)
	return nil
}

// MarshalJSON writes infinite bounds as null.
func (g Gate) MarshalJSON() ([]byte, error) {
	type plain Gate
	return json.Marshal(struct {
		plain
		Lower *float64 `json:"lower"`
		Upper *float64 `json:"upper"`
		MDE   *float64 `json:"mde,omitempty"`
	}{plain(g), finite(g.Lower), finite(g.Upper), positive(g.MDE)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (g *Gate) UnmarshalJSON(data []byte) error {
	type plain Gate
	in := struct {
		*plain
		Lower *float64 `json:"lower"`
		Upper *float64 `json:"upper"`
	}{plain: (*plain)(g)}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	g.Lower, g.Upper = orInfinite(in.Lower, -1), orInfinite(in.Upper, 1)
	return nil
}

// isFinite reports whether v is a number. The largest float counts as
// infinite: arithmetic that must stay finite ends there.
func isFinite(v float64) bool { return math.Abs(v) < math.MaxFloat64 }

// finite returns nil for what JSON cannot hold.
func finite(v float64) *float64 {
	if !isFinite(v) {
		return nil
	}
	return &v
}

func positive(v float64) *float64 {
	if !isFinite(v) || v <= 0 {
		return nil
	}
	return &v
}

func orInfinite(v *float64, sign int) float64 {
	if v == nil {
		return math.Inf(sign)
	}
	return *v
}

// measured returns the values that are numbers: a hit ratio without a look-up
// is none, and there is nothing to say about it.
func measured(values []Value) []Value {
	kept := make([]Value, 0, len(values))
	for _, v := range values {
		if isFinite(v.Value) {
			kept = append(kept, v)
		}
	}
	return kept
}
