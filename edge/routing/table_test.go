package routing

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTableKeepsOrderAndContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfNDistinct(rapid.Custom(drawRow), 0, 6, func(r Row) string { return r.Expression }).Draw(t, "rows")
		var raw []byte
		var err error
		for _, row := range rows {
			if raw, err = AppendRow(raw, row); err != nil {
				t.Fatal(err)
			}
		}
		got, err := DecodeTable(CloseTable(raw))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(rows) || len(rows) > 0 && !reflect.DeepEqual(got, rows) {
			t.Fatalf("got %+v, want %+v", got, rows)
		}
	})
}

// drawRow draws a row of any text that JSON can hold.
func drawRow(t *rapid.T) Row {
	text := rapid.String()
	stage := rapid.Custom(func(t *rapid.T) Stage {
		s := Stage{Name: text.Draw(t, "name")}
		if rapid.Bool().Draw(t, "functions") {
			s.Paths = rapid.SliceOfN(text, 1, 3).Draw(t, "paths")
			s.Bindings = rapid.MapOfN(text, text, 1, 3).Draw(t, "bindings")
		}
		return s
	})
	return Row{
		Expression: text.Draw(t, "expression"),
		Pipeline:   &Pipeline{Deployment: text.Draw(t, "deployment"), Stages: rapid.SliceOfN(stage, 1, 2).Draw(t, "stages")},
	}
}

func TestTableAsDocumented(t *testing.T) {
	raw, err := AppendRow(nil, Row{`^2b469e16\.example\.pages\.dev$`, &Pipeline{"d1", []Stage{
		{Name: "functions", Paths: []string{"/api"}, Bindings: map[string]string{"B": "2", "A": "1"}}, {Name: "asset-server"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"^2b469e16\\.example\\.pages\\.dev$":{"deployment":"d1","stages":[` +
		`{"name":"functions","paths":["/api"],"bindings":{"A":"1","B":"2"}},{"name":"asset-server"}]}}`
	if got := string(CloseTable(raw)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDecodeTableRefuses(t *testing.T) {
	for name, raw := range map[string]string{
		"nothing":              "",
		"an array":             `[]`,
		"a row that is text":   `{"^a$":"pipeline"}`,
		"a table cut short":    `{"^a$":{"deployment":"d","stages":[]}`,
		"a row cut short":      `{"^a$":{"deployment":"d"`,
		"a key without value":  `{"^a$"}`,
		"two values":           `{}{}`,
		"text after the table": `{} x`,
	} {
		if rows, err := DecodeTable([]byte(raw)); err == nil {
			t.Errorf("%s: got %+v, want an error", name, rows)
		} else if !strings.HasPrefix(err.Error(), "routing table: ") {
			t.Errorf("%s: got %v, which does not say what was read", name, err)
		}
	}
}

// FuzzTable checks that whatever decodes can be written and read again, and
// that looking for a host in it returns.
func FuzzTable(f *testing.F) {
	f.Add([]byte(`{"^a$":{"deployment":"d","stages":[{"name":"asset-server","bindings":{"A":"1"}}]},"(":null}`))
	f.Add([]byte(`{"a|b":{"deployment":"d"},"a|b":{}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		decoded, err := newTable(raw)
		if err != nil {
			return
		}
		if decoded.size() < 0 {
			t.Errorf("size %d", decoded.size())
		}
		if _, tried, _ := decoded.match("a.example"); tried > len(decoded.rows) {
			t.Errorf("%d of %d rows tried", tried, len(decoded.rows))
		}
		var again []byte
		for _, row := range decoded.rows {
			if again, err = AppendRow(again, row); err != nil {
				t.Fatal(err)
			}
		}
		if rows, err := DecodeTable(CloseTable(again)); err != nil || len(rows) != len(decoded.rows) {
			t.Errorf("read again: %d rows, %v; want %d", len(rows), err, len(decoded.rows))
		}
	})
}
