package schedule_test

import (
	"slices"
	"testing"
	"time"

	"switchback/harness/schedule"
)

// FuzzParse: a text is refused, or is a law that reads back as written and whose
// schedules ascend within their length, of the number of requests given.
func FuzzParse(f *testing.F) {
	for _, text := range append(laws, "", "concurrency", " ramp (0,1)", "steps(0, 1, 0)", "burst(1e6)", "sine(1, 1e-9)", "ramp(1e-9, 0)", "poisson)", "ramp(", "steps(1,,2)") {
		f.Add(text, uint16(100), uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, n uint16, seed uint64) {
		law, err := schedule.Parse(text)
		if err != nil {
			return
		}
		again, err := schedule.Parse(law.String())
		if err != nil || again.String() != law.String() || again.IsClosed() != law.IsClosed() {
			t.Fatalf("%q is %v, which reads back as %v, %v", text, law, again, err)
		}
		const length = time.Second
		given := law.Given(int(n), length, seed)
		if want := int(n); len(given) != want && !law.IsClosed() {
			t.Fatalf("%v: %d instants, want %d", law, len(given), want)
		}
		ascends(t, law, given, length)
		ascends(t, law, first(law.At(float64(n), length, seed), 1000), length)
	})
}

// first returns at most n instants.
func first(next schedule.Next, n int) (due []time.Duration) {
	for range n {
		at, ok := next()
		if !ok {
			break
		}
		due = append(due, at)
	}
	return due
}

func ascends(t *testing.T, law schedule.Law, due []time.Duration, length time.Duration) {
	t.Helper()
	if !slices.IsSorted(due) {
		t.Fatalf("%v: %v does not ascend", law, due)
	}
	if len(due) > 0 && (due[0] < 0 || due[len(due)-1] >= length) {
		t.Fatalf("%v: %v to %v is not within %v", law, due[0], due[len(due)-1], length)
	}
}
