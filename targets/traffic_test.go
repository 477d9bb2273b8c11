package targets

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestTrafficIsSummedUp: 100 requests over 20 s, the first half twice as fast.
func TestTrafficIsSummedUp(t *testing.T) {
	traffic := NewTraffic()
	var block []Target
	for i := range 30 {
		at := int64(i) * 500_000
		if i >= 20 {
			at = 10_000_000 + int64(i-20)*1_000_000
		}
		block = append(block, Target{Host: fmt.Sprintf("h%d.test", i%3), Path: "/1234", At: at, Message: Message{Body: []byte("ab")}})
	}
	block[3].Method = "POST"
	traffic.Add(block[:7])
	traffic.Add(block[7:])
	traffic.Sum()
	if traffic.Hosts != 3 || traffic.TopHosts[0] != (HostCount{"h0.test", 10}) || traffic.Methods["GET"] != 29 || traffic.Methods["POST"] != 1 ||
		traffic.Seconds != 19 || traffic.PathBytes != 5 || traffic.BodyBytes != 60 {
		t.Errorf("got %+v", traffic)
	}
	if want := []float64{2, 2, 2, 2, 2, 1, 1, 1, 1, 1}; !slices.Equal(traffic.RatePerSecond, want) {
		t.Errorf("rates %v, want %v", traffic.RatePerSecond, want)
	}
}

// TestTheExponentOfZipfIsFound: counts made by the law give its exponent back.
func TestTheExponentOfZipfIsFound(t *testing.T) {
	for _, s := range []float64{0, 0.5, 0.9, 1.3, 2} {
		counts := make([]int64, 1000)
		for i := range counts {
			counts[i] = int64(1e9 * math.Pow(float64(i+1), -s))
		}
		if got := fitZipf(counts); math.Abs(got-s) > 0.01 {
			t.Errorf("exponent %v, want %v", got, s)
		}
	}
	if fitZipf([]int64{5}) != 0 || fitZipf(nil) != 0 {
		t.Error("one host has no exponent: want 0")
	}
}
