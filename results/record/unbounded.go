package record

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// JSON has no infinity. An interval of too few pairs has no end, and a quantile at
// whose rank the request failed has no value: both are null in files and ±Inf in
// memory.

// MarshalJSON writes a value without an answer as null.
func (v Value) MarshalJSON() ([]byte, error) {
	type plain Value
	if isFinite(v.Value) {
		return json.Marshal(plain(v))
	}
	return json.Marshal(struct {
		plain
		Value *float64 `json:"value"`
	}{plain: plain(v)})
}

// unanswered reports whether a value of a file is null: what is counted per
// request without a request answered, or a statistic without an answer.
func (v *Value) unanswered() bool {
	if v.Failed == 0 {
		return false
	}
	for _, s := range Statistics() {
		if strings.HasSuffix(v.Metric, "."+s.Name) {
			return s.NoAnswer(v.N, v.Failed)
		}
	}
	return v.Failed >= v.N
}

// restore sets the values that are null in files.
func restore(values []Value) {
	for i := range values {
		if values[i].unanswered() {
			values[i].Value = math.Inf(1)
		}
	}
}

// MarshalJSON writes the value of an arm without an answer as null.
func (m Metric) MarshalJSON() ([]byte, error) {
	type plain Metric
	arms := make(map[string]*float64, len(m.Arms))
	for arm, v := range m.Arms {
		arms[arm] = finite(v)
	}
	return json.Marshal(struct {
		plain
		Arms map[string]*float64 `json:"arms"`
	}{plain(m), arms})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Metric) UnmarshalJSON(data []byte) error {
	type plain Metric
	in := struct {
		*plain
		Arms map[string]*float64 `json:"arms"`
	}{plain: (*plain)(m)}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("metric: %w", err)
	}
	m.Arms = make(map[string]float64, len(in.Arms))
	for arm, v := range in.Arms {
		m.Arms[arm] = orInfinite(v, 1)
	}
	return nil
}

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
	if g.NoAnswer {
		g.Lower = math.Inf(1)
	}
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

// measured returns the values that are numbers, or "no answer": a hit ratio
// without a look-up is neither, and there is nothing to say about it.
func measured(values []Value) []Value {
	kept := make([]Value, 0, len(values))
	for _, v := range values {
		if isFinite(v.Value) || v.unanswered() {
			kept = append(kept, v)
		}
	}
	return kept
}
