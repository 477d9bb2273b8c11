package runner

import (
	"slices"
	"testing"
	"time"

	"switchback/targets"
)

// taken returns what is left of a stretch: when requests are due, and for whom.
func taken(t *testing.T, r *repeated, most int) (due []time.Duration, hosts string) {
	t.Helper()
	for range most {
		request, ok := r.Next()
		if !ok {
			break
		}
		if request.Sample == nil {
			t.Fatal("a request without a sample")
		}
		due, hosts = append(due, request.Due), hosts+request.Target.Host
	}
	return due, hosts
}

func TestTrafficIsRepeatedEveryPeriodOverStretches(t *testing.T) {
	const ms = time.Millisecond
	tr := traffic{due: []time.Duration{0, 4 * ms, 12 * ms}, targets: []targets.Target{{Host: "a"}, {Host: "b"}, {Host: "c"}}}
	r := newRepeated(tr, 10*ms) // the last request is past it: 12 ms and a nanosecond
	r.to = 14 * ms
	due, hosts := taken(t, r, 99)
	if want := []time.Duration{0, 4 * ms, 12 * ms, 12*ms + 1}; !slices.Equal(due, want) || hosts != "abca" {
		t.Errorf("first stretch %v %s, want %v abca", due, hosts, want)
	}
	r.from, r.to = r.to, 25*ms
	due, hosts = taken(t, r, 99)
	if want := []time.Duration{2*ms + 1, 10*ms + 1, 10*ms + 2}; !slices.Equal(due, want) || hosts != "bca" {
		t.Errorf("second stretch %v %s, want %v bca", due, hosts, want)
	}
}

func TestAClosedLoopIsRepeatedUntilItsTimeIsOver(t *testing.T) {
	r := newRepeated(traffic{due: make([]time.Duration, 2), targets: []targets.Target{{Host: "a"}, {Host: "b"}}}, 0)
	r.start, r.to = time.Now(), time.Hour
	if due, hosts := taken(t, r, 5); hosts != "ababa" || slices.Max(due) != 0 {
		t.Errorf("%s due at %v, want ababa", hosts, due)
	}
	r.start = r.start.Add(-time.Hour)
	if due, _ := taken(t, r, 5); len(due) > 0 {
		t.Error("a request after the end")
	}
}

func TestNoTrafficIsNotRepeated(t *testing.T) {
	for _, period := range []time.Duration{0, time.Second} {
		r := newRepeated(traffic{}, period)
		r.start, r.to = time.Now(), time.Hour
		if due, _ := taken(t, r, 5); len(due) > 0 {
			t.Errorf("period %v: %d requests without targets", period, len(due))
		}
	}
}
