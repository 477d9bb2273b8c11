package page

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"switchback/results/record"
)

func TestSlowestAreTheSlowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Int64Range(0, 50), 0, 80).Draw(t, "times")
		var r Requests
		for i, ns := range times {
			done := ns + 7
			r.slow(&record.SampleRow{Target: int32(i), Due: 7, FirstByte: &done})
		}
		// The oracle sorts all of them; of equal ones the first are kept.
		var want []Slow
		for i, ns := range times {
			want = append(want, Slow{SampleRow: record.SampleRow{Target: int32(i)}, Nanos: ns})
		}
		slices.SortStableFunc(want, func(a, b Slow) int { return cmp.Compare(b.Nanos, a.Nanos) })
		want = want[:min(len(want), slowestShown)]
		if len(r.Slowest) != len(want) {
			t.Fatalf("%d, want %d", len(r.Slowest), len(want))
		}
		for i := range want {
			if r.Slowest[i].Nanos != want[i].Nanos {
				t.Fatalf("place %d: %d ns, want %d", i, r.Slowest[i].Nanos, want[i].Nanos)
			}
		}
	})
}

func TestBusiest(t *testing.T) {
	counts := map[string]int64{}
	for i := range int64(30) {
		counts[string(rune('a'+i))] = i / 2
	}
	hosts := busiest(counts)
	if len(hosts) != hostsShown || hosts[0].Name != "}" || hosts[1].Name != "~" || hosts[0].Requests != 14 {
		t.Errorf("busiest %+v", hosts)
	}
}

func TestTraceURL(t *testing.T) {
	for base, want := range map[string]string{
		"http://localhost:16686/trace/": "http://localhost:16686/trace/00",
		"javascript:alert(1)//":         "",
		"::":                            "",
	} {
		if got := traceURL(base, "00"); got != want {
			t.Errorf("traceURL(%q) = %q, want %q", base, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{"results/runs/a-1.yaml": "results/runs/a-1.yaml", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'"} {
		if got := shellWord(word); got != want {
			t.Errorf("shellWord(%q) = %q, want %q", word, got, want)
		}
	}
}
