package record

import (
	"math/rand/v2"
	"slices"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"
)

// TestHistogramIsHdrHistogram: for any values, every statistic is that of the
// library's own histogram, and so is the form in files.
func TestHistogramIsHdrHistogram(t *testing.T) {
	ns := rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Int64Range(0, 1e9), rapid.Int64Range(0, HighestValue), rapid.Just[int64](HighestValue))
	library := hdr.New(LowestValue, HighestValue, SignificantDigits)
	var encoder encoder
	rapid.Check(t, func(t *rapid.T) {
		h := NewHistogram()
		library.Reset()
		for _, v := range rapid.SliceOfN(ns, 1, 200).Draw(t, "ns") {
			h.Record(v)
			if err := library.RecordValue(v); err != nil {
				t.Fatal(err)
			}
		}
		code, err := encoder.append(nil, h)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := hdr.Decode(code)
		if err != nil || !theirs.Equals(library) {
			t.Fatalf("the library reads another histogram from our code: %v", err)
		}
		ours, err := decode(code)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []*Histogram{h, ours} {
			if got, want := form.Statistic("mean"), library.Mean()/1e9; !near(got, want) {
				t.Fatalf("mean %v, the library's is %v", got, want)
			}
			if got, want := form.Statistic("max"), float64(library.Max())/1e9; got != want {
				t.Fatalf("max %v, the library's is %v", got, want)
			}
			for _, s := range Statistics()[:5] {
				if got, want := s.Of(form), float64(library.ValueAtPercentile(libraryPercent(s, form.N())))/1e9; got != want {
					t.Fatalf("%s of %d is %v, the library's is %v", s.Name, form.N(), got, want)
				}
			}
		}
	})
}

// libraryPercent returns the percentage at which the library, which rounds half up,
// takes the nearest rank.
func libraryPercent(s Statistic, n int64) float64 {
	return 100 * (float64(Rank(s.perMille*1_000_000, n)) - 0.25) / float64(n)
}

// The rank is ⌈q·n⌉ in integers. Of 3,313 values a rule that rounds half up gave
// others for 340; floats give the 56th for 0.55 of 100.
func TestRankIsTheNearest(t *testing.T) {
	for _, row := range []struct{ billionths, n, want int64 }{
		{500_000_000, 1, 1}, {500_000_000, 2, 1}, {500_000_000, 3, 2}, {900_000_000, 6, 6}, {900_000_000, 10, 9},
		{550_000_000, 100, 55}, {999_000_000, 1000, 999}, {999_000_000, 1001, 1000}, {990_000_000, 3313, 3280},
		{0, 5, 1}, {1_000_000_000, 5, 5}, {999_999_999, 1 << 60, 1152921503453925472}, {500_000_000, 0, 0},
	} {
		if got := Rank(row.billionths, row.n); got != row.want {
			t.Errorf("%d billionths of %d are rank %d, want %d", row.billionths, row.n, got, row.want)
		}
	}
}

func TestBucketsCoverTheRangeWithoutGap(t *testing.T) {
	next := int64(0)
	for i := range pages * pageCounts {
		low, high := rangeOf(i)
		if low != next || high < low || bucketOf(low) != i || bucketOf(high) != i {
			t.Fatalf("bucket %d is %d to %d, numbered %d and %d; the one before ended at %d", i, low, high, bucketOf(low), bucketOf(high), next-1)
		}
		if low >= 2048 && (high-low)*1000 > low {
			t.Fatalf("bucket %d to %d is wider than a thousandth", low, high)
		}
		next = high + 1
	}
	if next <= HighestValue {
		t.Errorf("the last bucket ends at %d, below %d", next-1, int64(HighestValue))
	}
}

// TestHistogramAgainstSorting: quantiles are those of the sorted values, to a
// thousandth; merging is adding.
func TestHistogramAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(1000, 59e9), 1, 300).Draw(t, "ns")
		split := rapid.IntRange(0, len(values)).Draw(t, "split")
		whole, parts, second := NewHistogram(), NewHistogram(), NewHistogram()
		for i, v := range values {
			whole.Record(v)
			if i < split {
				parts.Record(v)
			} else {
				second.Record(v)
			}
		}
		before := *second
		parts.Merge(second)
		parts.Merge(NewHistogram())
		slices.Sort(values)
		n := len(values)
		for _, s := range Statistics()[:5] {
			rank := (int(s.perMille)*n + 999) / 1000
			if got, want := s.Of(whole), float64(values[rank-1])/1e9; !near(got, want) {
				t.Fatalf("%s of %d = %v, want %v", s.Name, n, got, want)
			}
			if s.Of(whole) != s.Of(parts) {
				t.Fatalf("%s of merged parts differs", s.Name)
			}
		}
		parts.Record(1000)
		if *second != before {
			t.Fatal("merging changed, or shares, what was merged")
		}
		above := 0
		for _, v := range values {
			if v > values[n/2]+values[n/2]/500 {
				above++
			}
		}
		if got := whole.Above(values[n/2]); got < int64(above) || got >= int64(n) {
			t.Fatalf("%d values above %d, want at least %d", got, values[n/2], above)
		}
	})
}

func TestOutOfRangeIsCountedAndNotDropped(t *testing.T) {
	h := NewHistogram()
	h.Record(HighestValue + 1)
	h.Record(-5)
	if h.N() != 2 || h.OutOfRange() != 2 || !near(h.Statistic("max"), HighestValue/1e9) {
		t.Errorf("N %d, out of range %d, max %v; want 2, 2, eight days", h.N(), h.OutOfRange(), h.Statistic("max"))
	}
	m := Measure([]Sample{answered(0, 0, 0, 0, 90e9, 2*HighestValue)}, []Label{{Groups: []string{"size=10"}}}, 0)
	if m.OutOfRange != 1 || len(m.Cut) != 1 || m.Cut["latency"] != 1 {
		t.Errorf("%d values out of range, %v; want one of latency, counted once", m.OutOfRange, m.Cut)
	}
	if got := value(m.Values(), "ttfb.max", ""); !near(got, 90) {
		t.Errorf("a ttfb of 90 s is %v: it was cut at a minute", got)
	}
}

func TestNoValuesHaveNoStatistics(t *testing.T) {
	for _, s := range Statistics() {
		if got := s.Of(NewHistogram()); got != 0 {
			t.Errorf("%s of nothing is %v", s.Name, got)
		}
	}
	if got := NewHistogram().Statistic("p12"); got != 0 {
		t.Errorf("p12 is %v", got)
	}
}

// latencies are lognormal-like, as those of a server.
func latencies(n int) []int64 {
	draws := rand.New(rand.NewPCG(3, 4))
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(1e5 * (1 + draws.ExpFloat64()))
	}
	return values
}

// TestRecordingDoesNotAllocate: once a page is there.
func TestRecordingDoesNotAllocate(t *testing.T) {
	h, values := NewHistogram(), latencies(1000)
	for _, v := range values {
		h.Record(v)
	}
	i := 0
	if n := testing.AllocsPerRun(1000, func() { h.Record(values[i%1000]); i++ }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// BenchmarkRecord compares with the library's histograms.
func BenchmarkRecord(b *testing.B) {
	values := latencies(1 << 14)
	ours, dense, sparse := NewHistogram(), hdr.New(LowestValue, HighestValue, SignificantDigits), hdr.NewPacked(LowestValue, HighestValue, SignificantDigits)
	for name, record := range map[string]func(int64){
		"ours":   ours.Record,
		"dense":  func(v int64) { _ = dense.RecordValue(v) },
		"sparse": func(v int64) { _ = sparse.RecordValue(v) },
	} {
		for _, v := range values {
			record(v)
		}
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				record(values[i&(1<<14-1)])
				i++
			}
		})
	}
}
