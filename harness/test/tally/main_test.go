package main

import (
	"strings"
	"testing"
)

func TestTallyCountsAndNames(t *testing.T) {
	events := `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: want 1\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:5: no nginx here\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p","Test":"TestC"}
{"Action":"pass","Package":"q","Elapsed":1.5}
`
	var out strings.Builder
	failed, err := tally(strings.NewReader(events), &out)
	if err != nil || failed != 1 {
		t.Fatalf("tally = %d, %v; want 1 failure", failed, err)
	}
	for _, want := range []string{"FAIL p TestA\n    a_test.go:3: want 1\n", "skipped: p.TestB: b_test.go:5: no nginx here\n", "1 passed, 1 failed, 1 skipped\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
	if !strings.HasSuffix(out.String(), "1 skipped\n") {
		t.Errorf("the counts are not the last line:\n%s", out.String())
	}
}
