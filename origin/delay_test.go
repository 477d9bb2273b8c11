package origin

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDelay(t *testing.T) {
	good := map[string]Delay{
		"0s":                     {},
		"5ms":                    {Median: 5 * time.Millisecond},
		"1m":                     {Median: time.Minute},
		"lognormal(5ms, 0.5)":    {Median: 5 * time.Millisecond, Sigma: 0.5},
		"lognormal(5ms,0.5)":     {Median: 5 * time.Millisecond, Sigma: 0.5},
		"lognormal( 50us , 3 )":  {Median: 50 * time.Microsecond, Sigma: 3},
		"lognormal(1.5ms, 0.01)": {Median: 1500 * time.Microsecond, Sigma: 0.01},
	}
	for text, want := range good {
		if got, err := ParseDelay(text); err != nil || got != want {
			t.Errorf("ParseDelay(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "-5ms", "2m", "5ms ", "normal(5ms, 1)", "lognormal", "lognormal(5ms)", "lognormal(5ms, 0)", "lognormal(5ms, -1)",
		"lognormal(5ms, 4)", "lognormal(5ms, NaN)", "lognormal(5ms, 0.5", "lognormal(5ms, 0.5))", "lognormal(5ms, 0.5, 1)", "lognormal(-5ms, 0.5)"} {
		if got, err := ParseDelay(text); err == nil {
			t.Errorf("ParseDelay(%q) = %v, want an error", text, got)
		}
	}
}

func TestDelayTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Delay{Median: time.Duration(rapid.Int64Range(1, int64(MaxDelay)).Draw(t, "median"))}
		if rapid.Bool().Draw(t, "lognormal") {
			d.Sigma = rapid.Float64Range(1e-6, maxSigma).Draw(t, "sigma")
		}
		back, err := ParseDelay(d.String())
		// %g prints 17 digits only where they are needed, so the text is exact.
		if err != nil || back != d {
			t.Fatalf("%v printed as %q reads as %v, %v", d, d.String(), back, err)
		}
	})
}

func FuzzParseDelay(f *testing.F) {
	f.Add("5ms")
	f.Add("lognormal(5ms, 0.5)")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDelay(text)
		if err != nil {
			return
		}
		for _, bits := range []uint64{0, 1 << 63, math.MaxUint64} {
			if got := d.Draw(bits); got < 0 || got > MaxDelay {
				t.Fatalf("%q draws %s", text, got)
			}
		}
	})
}

// The logarithm of the draws has the law's median and deviation: over n draws
// the sample's median is within 5 standard errors, 1.2533 σ/√n each.
func TestLognormalLaw(t *testing.T) {
	const n, seed = 20_000, 7
	d := Delay{Median: 5 * time.Millisecond, Sigma: 0.5}
	logs := make([]float64, n)
	var sum, squares float64
	for i := range logs {
		logs[i] = math.Log(float64(d.Draw(draw(seed, uint64(i), forDelay))) / float64(d.Median))
		sum += logs[i]
		squares += logs[i] * logs[i]
	}
	slices.Sort(logs)
	if bound := 5 * 1.2533 * d.Sigma / math.Sqrt(n); math.Abs(logs[n/2]) > bound {
		t.Errorf("seed %d: median of ln(delay/median) = %g, want 0 ± %g", seed, logs[n/2], bound)
	}
	deviation := math.Sqrt(squares/n - sum/n*sum/n)
	if bound := 5 * d.Sigma / math.Sqrt(2*n); math.Abs(deviation-d.Sigma) > bound {
		t.Errorf("seed %d: deviation %g, want %g ± %g", seed, deviation, d.Sigma, bound)
	}
}

func TestFaultsDoNotChangeDelays(t *testing.T) {
	if draw(1, 5, forDelay) == draw(1, 5, forFault) {
		t.Error("the draws for delay and fault are the same")
	}
	if draw(1, 5, forDelay) == draw(2, 5, forDelay) || draw(1, 5, forDelay) == draw(1, 6, forDelay) {
		t.Error("draws of two seeds or two requests are the same")
	}
}
