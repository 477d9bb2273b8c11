package schedule_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"switchback/harness/schedule"
)

func parse(t interface{ Fatal(...any) }, text string) schedule.Law {
	law, err := schedule.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// laws are every law, with numbers that make it uneven.
var laws = []string{"poisson", "constant", "ramp", "ramp(2, 0.5)", "ramp(1, 0)", "steps(1, 0, 3)", "sine(1, 3)", "burst(7)"}

func TestEveryLawAscendsWithinTheLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		law := parse(t, rapid.SampledFrom(laws).Draw(t, "law"))
		length := time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(time.Minute)).Draw(t, "length"))
		n, seed := rapid.IntRange(1, 400).Draw(t, "n"), rapid.Uint64().Draw(t, "seed")
		for form, due := range map[string][]time.Duration{
			"given": law.Given(n, length, seed),
			"rate":  law.At(float64(n)/length.Seconds(), length, seed).All(),
		} {
			if form == "given" && len(due) != n {
				t.Fatalf("%v: %d instants, want %d", law, len(due), n)
			}
			if !slices.IsSorted(due) || len(due) > 0 && (due[0] < 0 || due[len(due)-1] >= length) {
				t.Fatalf("%v, %s: %v does not ascend within %v", law, form, due, length)
			}
		}
	})
}

func TestTheShareOfRequestsInEachPartIsThatOfTheLaw(t *testing.T) {
	const n, length = 100_000, 100 * time.Second
	for _, c := range []struct {
		law  string
		half float64 // of the requests, due in the first half
	}{
		{"constant", 0.5},
		{"poisson", 0.5},
		{"ramp(0, 1)", 0.25},
		{"ramp(1, 0)", 0.75},
		{"steps(1, 3)", 0.25},
		{"steps(0, 1)", 0},
		{"sine(0.5, 1)", 0.5 + 0.5/math.Pi},
		{"burst(100)", 0.5},
	} {
		t.Run(c.law, func(t *testing.T) {
			due := parse(t, c.law).Given(n, length, 7)
			first, _ := slices.BinarySearch(due, length/2)
			if got := float64(first) / n; math.Abs(got-c.half) > 0.005 {
				t.Fatalf("%.4f of the requests are due in the first half, want %.4f", got, c.half)
			}
		})
	}
}

func TestARateGivesItsNumberOfRequests(t *testing.T) {
	const rate, length = 1000.0, 100 * time.Second
	for _, c := range []struct {
		law  string
		want float64
	}{
		{"constant", 100_000},
		{"ramp(0, 1)", 50_000},
		{"ramp(0.5, 1.5)", 100_000},
		{"steps(0.25, 0.5, 0.75, 1)", 62_500},
		{"sine(0.5, 4)", 100_000},
		{"burst(10)", 100_000},
		{"poisson", 100_000},
	} {
		t.Run(c.law, func(t *testing.T) {
			got := float64(len(parse(t, c.law).At(rate, length, 3).All()))
			tolerance := 1.0
			if c.law == "poisson" {
				tolerance = 5 * math.Sqrt(c.want)
			}
			if math.Abs(got-c.want) > tolerance {
				t.Fatalf("%v requests, want %v", got, c.want)
			}
		})
	}
}

func TestDispersionTellsTheLawsApart(t *testing.T) {
	const n, length, window = 200_000, 100 * time.Second, 10 * time.Millisecond
	for _, c := range []struct {
		law  string
		want float64
	}{{"poisson", 1}, {"constant", 0}, {"burst(20)", 0}, {"burst(40)", 20}} {
		t.Run(c.law, func(t *testing.T) {
			got := schedule.Dispersion(parse(t, c.law).Given(n, length, 11), length, window)
			if math.Abs(got-c.want) > 0.05*max(c.want, 1) {
				t.Fatalf("variance over mean %.3f, want %.3f", got, c.want)
			}
		})
	}
}

func TestBurstsAreDueAtOneInstant(t *testing.T) {
	got := parse(t, "burst(3)").At(6, time.Second, 0).All()
	want := []time.Duration{0, 0, 0, 500 * time.Millisecond, 500 * time.Millisecond, 500 * time.Millisecond}
	if !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestALawIsReadBackAsWritten(t *testing.T) {
	for _, text := range append(laws, "concurrency", "", "steps") {
		law := parse(t, text)
		if again := parse(t, law.String()); again.String() != law.String() || again.Kind() != law.Kind() {
			t.Fatalf("%q: %v became %v", text, law, again)
		}
	}
}

func TestBadLawsAreRefused(t *testing.T) {
	for _, text := range []string{
		"uniform", "ramp(", "ramp(1)", "ramp(0, 0)", "ramp(-1, 2)", "ramp(x, 2)", "steps()", "steps(0, 0)", "sine(2, 1)", "sine(0.5, 0)",
		"burst(0)", "burst(1.5)", "burst(NaN)", "constant(3)", "poisson(1)", "concurrency(8)", "ramp(0,1))",
	} {
		if law, err := schedule.Parse(text); err == nil {
			t.Errorf("%q was read as %v", text, law)
		}
	}
}
