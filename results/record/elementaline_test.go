package record

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestElementALine(t *testing.T) {
	const want = `{
  "a": "x,[\\\"{",
  "none": [],
  "empty": {},
  "list": [
    {"n":1,"of":[1,2]},
    {"n":2}
  ],
  "map": {"k":"v","l":["w",1]}
}
`
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(want)); err != nil {
		t.Fatal(err)
	}
	if got := string(elementALine(compact.Bytes())); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestElementALineKeepsTheSummary: whatever its texts hold, what is read is
// what was written.
func TestElementALineKeepsTheSummary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.String())
		s := Summary{Arms: texts.Draw(t, "arms"), Events: texts.Draw(t, "events"), Verdict: rapid.String().Draw(t, "verdict"),
			Metrics: []Metric{{Name: rapid.String().Draw(t, "name"), Arms: map[string]float64{rapid.String().Draw(t, "arm"): 1}}}}
		compact, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back bytes.Buffer
		if err := json.Compact(&back, elementALine(compact)); err != nil || !bytes.Equal(back.Bytes(), compact) {
			t.Fatalf("%s became %s, %v", compact, back.Bytes(), err)
		}
	})
}
