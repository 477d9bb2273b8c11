package record

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestParseServerTiming(t *testing.T) {
	for in, want := range map[string]string{
		``:                       ``,
		`a`:                      `a`,
		`a;dur=1.5`:              `a 1500000`,
		`a;dur=0`:                `a 0`,
		`a;dur="2"`:              `a 2000000`,
		`a;dur=1e-3`:             `a 1000`,
		`a ; dur = 3 ; desc = x`: `a 3000000 x`,
		"a;\tdesc=\"b, c;d\"":    `a b, c;d`,
		`a;desc="q\"\\uote"`:     `a q"\uote`,
		`a;dur=1;dur=2`:          `a 1000000`,
		`a;desc=x;desc=y`:        `a x`,
		`a;desc="";desc=y`:       `a`,
		`a;other;dur=1`:          `a 1000000`,
		`a,b`:                    `a|b`,
		` , a , , b , `:          `a|b`,
		`route;dur=141.2;desc=legacy, ring;dur=0.004;desc="v2:16", node;desc=n3, cache;desc=hit`: `route 141200000 legacy|ring 4000 v2:16|node n3|cache hit`,
	} {
		entries, err := ParseServerTiming(nil, []byte(in))
		if got := describe(entries); got != want || err != nil {
			t.Errorf("%q: %q and %v, want %q", in, got, err, want)
		}
	}
}

func TestParseServerTimingRefuses(t *testing.T) {
	for in, kept := range map[string]string{
		`;dur=1`:                               ``,
		`a;`:                                   ``,
		`a;dur`:                                ``,
		`a;dur=`:                               ``,
		`a;dur=x`:                              ``,
		`a;dur=-1`:                             ``,
		`a;dur=inf`:                            ``,
		`a;dur=0x1`:                            ``,
		`a;dur=1e99`:                           ``,
		`a;desc="open`:                         ``,
		"a;desc=\"\x00\"":                      ``,
		`a b`:                                  ``,
		`a,b c`:                                `a`,
		`ä`:                                    ``,
		`a;dur=1, b;dur=2;`:                    `a 1000000`,
		strings.Repeat("a,", 33):               strings.TrimSuffix(strings.Repeat("a|", 32), "|"),
		`a;desc=` + strings.Repeat("x", 1<<13): ``,
	} {
		entries, err := ParseServerTiming(nil, []byte(in))
		if !errors.Is(err, ErrServerTiming) {
			t.Errorf("%.40q: no error", in)
		}
		if got := describe(entries); got != kept {
			t.Errorf("%.40q: kept %q, want %q", in, got, kept)
		}
	}
}

func describe(entries []Timing) string {
	var parts []string
	for _, e := range entries {
		s := string(e.Name)
		if e.Timed {
			s += " " + digits(e.Nanos)
		}
		if len(e.Desc) > 0 {
			s += " " + string(e.Desc)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "|")
}

func digits(n int64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return digits(n/10) + string(rune('0'+n%10))
}

// FuzzParseServerTiming: no panic, bounded, names are tokens, and what was
// parsed can be written and parsed again.
func FuzzParseServerTiming(f *testing.F) {
	f.Add([]byte(`route;dur=141.2;desc=legacy, cache;desc="h\"it"`))
	f.Add([]byte(`a ; dur = 3 ; x, , b`))
	f.Fuzz(func(t *testing.T, in []byte) {
		entries, err := ParseServerTiming(nil, in)
		if len(entries) > maxTimingEntries {
			t.Fatalf("%d entries", len(entries))
		}
		var again bytes.Buffer
		for _, e := range entries {
			if len(e.Name) == 0 || e.Nanos < 0 {
				t.Fatalf("entry %+v", e)
			}
			again.Write(e.Name)
			if e.Desc != nil {
				again.WriteString(`;desc="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(e.Desc)) + `"`)
			}
			again.WriteString(",")
		}
		if err != nil || again.Len() > maxTimingBytes {
			return
		}
		second, err := ParseServerTiming(nil, again.Bytes())
		if err != nil || len(second) != len(entries) {
			t.Fatalf("%q parsed, written as %q: %v", in, again.Bytes(), err)
		}
		for i := range second {
			if !bytes.Equal(second[i].Name, entries[i].Name) || !bytes.Equal(second[i].Desc, entries[i].Desc) {
				t.Fatalf("entry %d: %+v and %+v", i, entries[i], second[i])
			}
		}
	})
}

// TestParseServerTimingDoesNotAllocate: it runs for every request of a block.
func TestParseServerTimingDoesNotAllocate(t *testing.T) {
	header := []byte(`route;dur=141.2;desc=legacy, ring;dur=0.004;desc="v2:16", node;desc=n3, cache;desc=hit, origin;dur=5.1`)
	entries := make([]Timing, 0, 8)
	if n := testing.AllocsPerRun(100, func() { entries, _ = ParseServerTiming(entries[:0], header) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkParseServerTiming(b *testing.B) {
	header := []byte(`route;dur=141.2;desc=legacy, ring;dur=0.004;desc="v2:16", node;desc=n3, cache;desc=hit, origin;dur=5.1`)
	entries := make([]Timing, 0, 8)
	for b.Loop() {
		entries, _ = ParseServerTiming(entries[:0], header)
	}
}
