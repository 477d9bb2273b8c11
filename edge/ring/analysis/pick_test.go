package analysis

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"switchback/edge/ring"
)

func TestPick(t *testing.T) {
	list := servers(t, 9, "equal")
	r, err := ring.New(spec(t, "v2:16"), list, ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.StringMatching(`[^\n]*`)).Draw(t, "keys")
		distinct := rapid.IntRange(0, 9).Draw(t, "distinct")
		text := ""
		for _, key := range keys {
			text += key + "\n"
		}
		var out bytes.Buffer
		picker := Picker{Ring: r, Servers: list, Down: ring.ServerSet(nil).With(4), Distinct: distinct}
		if err := picker.Run(strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(out.Bytes(), []byte{'\n'}); lines != len(keys) {
			t.Fatalf("%d lines for %d keys", lines, len(keys))
		}
		for i, line := range strings.SplitAfter(out.String(), "\n")[:len(keys)] {
			// encoding/csv takes \r\n for \n, in quotes too; none is in a key.
			row, err := csv.NewReader(strings.NewReader(line)).Read()
			want := list[r.PickUp(ring.HashString(keys[i]), picker.Down)].Addr.String()
			if err != nil || row[0] != keys[i] || row[1] != want || len(row) != 1+min(max(distinct, 1), 8) {
				t.Fatalf("key %q: line %q, want %s first (%v)", keys[i], line, want, err)
			}
		}
	})
}

func TestPickBoundsKeys(t *testing.T) {
	r, err := ring.New(spec(t, "v1"), servers(t, 2, "equal"), ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	picker := Picker{Ring: r, Servers: servers(t, 2, "equal")}
	if err := picker.Run(strings.NewReader("a\n"+strings.Repeat("x", maxKeyBytes+1)), io.Discard); err == nil || !strings.Contains(err.Error(), "key 2 is longer") {
		t.Errorf("a long key fails with %v", err)
	}
	broken := errors.New("broken pipe")
	if err := picker.Run(strings.NewReader("a\n"), failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a failing output gives %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestChartIsXML(t *testing.T) {
	var rows []Spread
	for _, notation := range []string{"v2:10", "v2:100"} {
		for _, ties := range []ring.Ties{ring.TiesAddress, ring.TiesHashed} {
			row, err := SpreadOf(spec(t, notation), servers(t, 20, "equal"), ring.Options{Ties: ties}, 0)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row)
		}
	}
	for _, some := range [][]Spread{rows, rows[:1], {{Ties: "address", PointsMean: 1}}} {
		var out bytes.Buffer
		if err := WriteChart(&out, some); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(out.Bytes(), new(struct{ XMLName xml.Name })); err != nil {
			t.Errorf("%v in\n%s", err, &out)
		}
		if strings.Contains(out.String(), "NaN") || strings.Contains(out.String(), "Inf") {
			t.Errorf("a number is none in\n%s", &out)
		}
	}
	var out bytes.Buffer
	if err := WriteChart(&out, rows); err != nil || strings.Count(out.String(), "<circle") != 8 {
		t.Errorf("%d dots for 4 rows of two values (%v)", strings.Count(out.String(), "<circle"), err)
	}
	if WriteChart(&out, nil) == nil {
		t.Error("a chart of nothing is drawn")
	}
}
