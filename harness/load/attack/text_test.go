package attack

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"switchback/results/record"
)

// TestProgress: after the length of the load the line said "1m30s of 3s: 0
// requests" while four were in flight.
func TestProgress(t *testing.T) {
	var f feed
	f.given.Store(10)
	f.ended.Store(6)
	f.failed.Store(1)
	for passed, want := range map[time.Duration]string{
		2 * time.Second:  "2s of 3s: 6 requests, 1 errors, 5/s",
		93 * time.Second: "3s passed, waiting for 4 answers since 1m30s: 6 requests, 1 errors",
	} {
		if got := f.progress(passed, 3*time.Second, 5); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestShareOfSuccess: it is never rounded up to all.
func TestShareOfSuccess(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 0.99: "99 %", 0.995: "99.5 %", 0.999: "99.9 %", 0.999999: "99.99 %", 1.0 / 3: "33.33 %"} {
		if got := succeeded(share); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	h := record.NewHistogram()
	for _, ns := range []int64{90_000, 100_000, 150_000, 450_000, 450_001, 4_000_000} {
		h.Record(ns)
	}
	want := []Bucket{{50e-6, 100e-6, 2}, {100e-6, 200e-6, 1}, {200e-6, 500e-6, 2}, {500e-6, 1e-3, 0}, {1e-3, 2e-3, 0}, {2e-3, 5e-3, 1}}
	got := spread(h)
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("bucket %d is %+v, want %+v", i, got[i], want[i])
		}
	}
	var text bytes.Buffer
	writeSpread(&text, "x", got)
	if lines := strings.Split(text.String(), "\n"); len(lines) != 9 || lines[4] != "    500 µs          2  "+strings.Repeat("█", barWidth) || lines[5] != "   1.00 ms          0" {
		t.Errorf("%q", text.String())
	}
	if spread(record.NewHistogram()) != nil {
		t.Error("an empty histogram has buckets")
	}
}

func TestAReportWithoutARequest(t *testing.T) {
	var text bytes.Buffer
	if err := (&Report{}).WriteText(&text); err != nil || !strings.Contains(text.String(), "no request was sent") || strings.Contains(text.String(), "no errors") {
		t.Errorf("%v\n%s", err, &text)
	}
}
