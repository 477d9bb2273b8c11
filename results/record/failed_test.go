package record

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawnSamples draws answered requests, due a microsecond after each other.
func drawnSamples(t *rapid.T) []Sample {
	samples := make([]Sample, rapid.IntRange(1, 300).Draw(t, "requests"))
	for i := range samples {
		due := int64(i) * 1000
		first := due + rapid.Int64Range(1000, 1e9).Draw(t, "first byte")
		samples[i] = answered(0, due, due, due+500, first, first+rapid.Int64Range(0, 1e9).Draw(t, "body"))
	}
	return samples
}

// fail lets requests fail in some way, at a time that says nothing.
func fail(t *rapid.T, samples []Sample) {
	for i := range samples {
		if !rapid.Bool().Draw(t, "fails") {
			continue
		}
		s := &samples[i]
		s.Error = ErrorKind(rapid.IntRange(int(ErrDial), int(ErrClosed)).Draw(t, "kind"))
		s.Done = s.Due + rapid.Int64Range(0, 60e9).Draw(t, "ended after")
	}
}

func quantilesOf(samples []Sample, end int64) map[string]float64 {
	found := map[string]float64{}
	var p Pool
	p.Add("arm", Measure(samples, []Label{{}}, end))
	for _, v := range p.Values("arm") {
		found[v.Metric] = v.Value
	}
	return found
}

// TestFailingImprovesNoQuantile: whichever requests fail, and however fast, no
// quantile of a time gets smaller.
func TestFailingImprovesNoQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawnSamples(t)
		before := quantilesOf(samples, 1e12)
		fail(t, samples)
		after := quantilesOf(samples, 1e12)
		for _, family := range []string{"ttfb", "service_ttfb", "latency"} {
			for _, q := range []string{".p50", ".p90", ".p95", ".p99", ".p999"} {
				if after[family+q] < before[family+q] {
					t.Fatalf("%s%s fell from %v to %v by failing", family, q, before[family+q], after[family+q])
				}
			}
		}
	})
}

// TestNoTimeOfAFailureCounts: when requests that fail do so later, or never end,
// ttfb, service_ttfb and latency stay the same.
func TestNoTimeOfAFailureCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawnSamples(t)
		fail(t, samples)
		before := quantilesOf(samples, 1e12)
		longer := rapid.Int64Range(0, 60e9).Draw(t, "longer time-out")
		for i := range samples {
			if samples[i].Error != OK {
				samples[i].Done += longer
			}
		}
		after := quantilesOf(samples, 2e12)
		for name, v := range before {
			if len(name) > 7 && name[:7] == "blocked" {
				continue
			}
			if after[name] != v {
				t.Fatalf("%s is %v, and %v with a longer time-out", name, v, after[name])
			}
		}
	})
}

// TestRanksAreThoseOfAllRequests: 60 answers and 40 failures hold a median and no
// p90; mean and maximum are those of the 60.
func TestRanksAreThoseOfAllRequests(t *testing.T) {
	h := NewHistogram()
	for i := range int64(60) {
		h.Record(i + 1)
	}
	for range 40 {
		h.Fail()
	}
	if got := h.Statistic("p50"); !near(got, 50e-9) {
		t.Errorf("p50 is %v, want the 50th of 100", got)
	}
	if got := h.Statistic("p90"); !math.IsInf(got, 1) {
		t.Errorf("p90 is %v, want no answer", got)
	}
	if h.N() != 100 || h.Failed() != 40 || h.Answered().N() != 60 || !near(h.Statistic("max"), 60e-9) || !near(h.Statistic("mean"), 30.5e-9) {
		t.Errorf("%d of which %d failed, mean %v, max %v", h.N(), h.Failed(), h.Statistic("mean"), h.Statistic("max"))
	}
	if got := h.Quantiles([]float64{0, 0.6, 0.61, 1}); !near(got[1], 60e-9) || !math.IsInf(got[2], 1) || !math.IsInf(got[3], 1) {
		t.Errorf("quantiles %v", got)
	}
}

// TestPageWithAFailedPartIsNoPage: its other parts were answered.
func TestPageWithAFailedPartIsNoPage(t *testing.T) {
	labels := []Label{{View: 1, Document: true}, {View: 1}}
	asset := answered(1, 0, 0, 10, 20, 30)
	asset.Error = ErrStatus
	values := Measure([]Sample{answered(0, 0, 0, 10, 20, 30), asset}, labels, 100).Values()
	if got := value(values, "page.max", ""); !math.IsInf(got, 1) {
		t.Errorf("page.max is %v, want no answer", got)
	}
}

// TestNoAnswerIsNullInFiles: blocks and histograms keep how many requests failed,
// and read back as they were written.
func TestNoAnswerIsNullInFiles(t *testing.T) {
	samples := make([]Sample, 40)
	for i := range samples {
		samples[i] = answered(0, int64(i), int64(i), int64(i)+1, int64(i)+5, int64(i)+9)
		if i%4 != 0 {
			samples[i].Error = ErrStatus
		}
	}
	m := Measure(samples, []Label{{}}, 100)
	r := create(t)
	b := Block{Arm: "legacy", Start: time.Unix(1796000000, 0).UTC(), Length: 1, Metrics: append(m.Values(), Value{Metric: "edge.cpu", Value: math.Inf(1), N: 40, Failed: 40})}
	must(t, r.WriteManifest(Manifest{}))
	must(t, r.AppendBlock(b))
	must(t, r.AppendHistograms(b, m))
	must(t, r.Close())
	folder := open(t, r.Dir)
	if got := folder.Blocks[0].Metrics; !reflect.DeepEqual(got, b.Metrics) {
		t.Errorf("read %+v\nwrote %+v", got, b.Metrics)
	}
	pool, err := folder.Pool(nil)
	must(t, err)
	if h := pool.Histogram("legacy", "ttfb", ""); h.N() != 40 || h.Failed() != 30 || !math.IsInf(h.Statistic("p50"), 1) {
		t.Errorf("%d requests of which %d failed, p50 %v; want 40, 30 and no answer", h.N(), h.Failed(), h.Statistic("p50"))
	}
	metric := Metric{Name: "ttfb.p50", Unit: "s", Arms: map[string]float64{"a": 0.5, "b": math.Inf(1)},
		Change: map[string]Change{"b": {NoAnswer: ByArm, Low: math.Inf(-1), High: math.Inf(1), P: 0.01, Pairs: 9}}}
	data, err := json.Marshal(metric)
	must(t, err)
	var read Metric
	must(t, json.Unmarshal(data, &read))
	if !reflect.DeepEqual(read, metric) {
		t.Errorf("%s read as %+v", data, read)
	}
	gate := Gate{Metric: "ttfb.p50", Lower: math.Inf(1), Upper: math.Inf(1), NoAnswer: true}
	data, err = json.Marshal(gate)
	must(t, err)
	var readGate Gate
	must(t, json.Unmarshal(data, &readGate))
	if readGate != gate {
		t.Errorf("%s read as %+v", data, readGate)
	}
}

// TestFailedCountsOfAFileAreBounded: sums of them must not overflow.
func TestFailedCountsOfAFileAreBounded(t *testing.T) {
	for _, line := range []string{"#[Failed: -1]", "#[Failed: x]", "#[Failed: 99999999999999]"} {
		if n, err := parseFailed(line); err == nil {
			t.Errorf("%s is read as %d", line, n)
		}
	}
}
