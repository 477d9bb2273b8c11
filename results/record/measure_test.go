package record

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// answered is a sample that was answered well: due, released, sent, first
// byte and done in nanoseconds.
func answered(target int32, due, released, sent, first, done int64) Sample {
	return Sample{Target: target, Due: due, Released: released, Sent: sent, FirstByte: first, Done: done, Status: 200}
}

// value returns a block value, NaN when there is none.
func value(values []Value, metric, group string) float64 {
	for _, v := range values {
		if v.Metric == metric && v.Group == group {
			return v.Value
		}
	}
	return math.NaN()
}

// near reports whether got is the value that a histogram of three digits
// gives for want.
func near(got, want float64) bool { return math.Abs(got-want) <= want/1000+2e-9 }

func TestMeasureTakesEachIntervalFromItsInstants(t *testing.T) {
	labels := []Label{{Groups: []string{"size=10"}}}
	m := Measure([]Sample{answered(0, 1000, 3000, 6000, 10_000, 15_000)}, labels, 20_000)
	values := m.Values()
	for metric, want := range map[string]float64{
		"ttfb.max": 9e-6, "service_ttfb.max": 4e-6, "latency.max": 14e-6, "lateness.max": 2e-6, "blocked.max": 3e-6,
	} {
		if got := value(values, metric, ""); !near(got, want) {
			t.Errorf("%s = %v, want %v", metric, got, want)
		}
	}
	if got := value(values, "ttfb.max", "size=10"); !near(got, 9e-6) {
		t.Errorf("ttfb.max of size=10 = %v, want 9e-6", got)
	}
	if got := value(values, "errors.ratio", "size=10"); got != 0 {
		t.Errorf("errors.ratio = %v, want 0", got)
	}
}

// TestFailedRequestsHaveNoAnswer: neither a quick failure nor a time-out makes a
// number; the wait for a connection is one whatever became of it.
func TestFailedRequestsHaveNoAnswer(t *testing.T) {
	none := math.Inf(1)
	unavailable := answered(0, 0, 0, 1000, 2000, 3000)
	unavailable.Error, unavailable.Status = ErrStatus, 503
	cut := answered(0, 0, 0, 1000, 2000, 9_000_000)
	cut.Error, cut.RightStatus = ErrReset, true
	endless := cut
	endless.Error = ErrTimeout
	refused := Sample{Due: 0, Released: 1000, Sent: Never, FirstByte: Never, Done: 5_000_000, Error: ErrDial}
	unanswered := Sample{Due: 0, Released: Never, Sent: Never, FirstByte: Never, Done: Never, Error: ErrUnanswered}
	for name, c := range map[string]struct {
		s                            Sample
		ttfb, latency, blocked, serv float64
	}{
		"503 at once":                {unavailable, none, none, 1e-6, none},
		"body cut":                   {cut, 2e-6, none, 1e-6, 1e-6},
		"body that does not end":     {endless, 2e-6, none, 1e-6, 1e-6},
		"no connection":              {refused, none, none, 4.999e-3, none},
		"never released, never over": {unanswered, none, none, math.NaN(), none},
	} {
		m := Measure([]Sample{c.s}, []Label{{}}, 20_000_000)
		values := m.Values()
		for metric, want := range map[string]float64{"ttfb.max": c.ttfb, "latency.max": c.latency, "blocked.max": c.blocked, "service_ttfb.max": c.serv} {
			got := value(values, metric, "")
			if got != want && !(math.IsNaN(want) && math.IsNaN(got)) && !near(got, want) {
				t.Errorf("%s: %s = %v, want %v", name, metric, got, want)
			}
		}
		if got := value(values, "errors.ratio", ""); got != 1 || m.Failed != 1 || m.Errors[c.s.Error.String()] != 1 {
			t.Errorf("%s: errors.ratio = %v, failed %d, %v", name, got, m.Failed, m.Errors)
		}
	}
}

func TestQuantilesNeedFiveRequestsAbove(t *testing.T) {
	for _, c := range []struct {
		statistic string
		least     int64
	}{{"p50", 10}, {"p90", 50}, {"p95", 100}, {"p99", 500}, {"p999", 5000}, {"mean", 1}, {"max", 1}} {
		i := slices.IndexFunc(Statistics(), func(s Statistic) bool { return s.Name == c.statistic })
		s := Statistics()[i]
		if !s.Held(c.least) || s.Held(c.least-1) {
			t.Errorf("%s is held by %d: %v, by %d: %v; want the first alone", c.statistic, c.least, s.Held(c.least), c.least-1, s.Held(c.least-1))
		}
	}
}

func TestBlockValuesLeaveOutWhatTheBlockCannotHold(t *testing.T) {
	labels := []Label{{Groups: []string{"size=10000"}}, {Groups: []string{"size=10"}}}
	var samples []Sample
	for i := range int64(60) {
		samples = append(samples, answered(int32(min(i/12, 1)), 0, 0, 0, i*1000+1000, i*1000+2000))
	}
	m := Measure(samples, labels, 0)
	values := m.Values()
	if got := value(values, "ttfb.p50", "size=10000"); !near(got, 6e-6) {
		t.Errorf("p50 of twelve = %v, want the sixth, 6e-6", got)
	}
	for metric, group := range map[string]string{"ttfb.p90": "size=10000", "ttfb.p95": "", "ttfb.p999": ""} {
		if got := value(values, metric, group); !math.IsNaN(got) {
			t.Errorf("%s of %q is %v, want none", metric, group, got)
		}
	}
	var pool Pool
	pool.Add("a", m)
	if got := value(pool.Values("a"), "ttfb.p90", "size=10000"); !near(got, 11e-6) {
		t.Errorf("pooled p90 of twelve = %v, want the eleventh, 11e-6", got)
	}
	if got := pool.Values("b"); got != nil {
		t.Errorf("arm without blocks has %v", got)
	}
}

func TestPhasesAndCacheStatesComeFromServerTiming(t *testing.T) {
	s := answered(0, 0, 0, 0, 1000, 1000)
	s.ServerTiming = []byte(`route;dur=141;desc=legacy, origin;dur=2, origin;dur=3.5, cache;desc=hit, node;desc=n3`)
	other := answered(0, 0, 0, 0, 1000, 2000)
	other.ServerTiming = []byte(`route;dur=1, cache;desc="miss, stale"`)
	broken := answered(0, 0, 0, 0, 1000, 1000)
	broken.ServerTiming = []byte(`route;dur=7, ;;`)
	m := Measure([]Sample{s, other, broken}, []Label{{Groups: []string{"size=10"}}}, 0)
	values := m.Values()
	for _, c := range []struct {
		metric, group string
		want          float64
	}{
		{"phase.route.max", "", 0.141},
		{"ttfb.max", "cache=hit", 1e-6},
		{"latency.max", "cache=miss__stale", 2e-6},
		{"phase.route.max", "cache=hit", math.NaN()}, // of the whole answer alone
		{"errors.ratio", "cache=hit", 0},
		{"phase.route.max", "size=10", 0.141},
		{"phase.origin.max", "", 0.0055},
	} {
		if got := value(values, c.metric, c.group); !near(got, c.want) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s of %q = %v, want %v", c.metric, c.group, got, c.want)
		}
	}
	if m.Malformed != 1 {
		t.Errorf("%d malformed headers, want 1", m.Malformed)
	}
	if h := seriesOf(m, "phase.route", ""); h.N() != 3 {
		t.Errorf("phase.route has %d values, want 3: what stands before an error counts", h.N())
	}
	if seriesOf(m, "phase.cache", "") != nil {
		t.Error("an entry without a duration became a phase")
	}
}

func seriesOf(m *Measurement, metric, group string) *Histogram {
	for _, s := range m.Series {
		if s.Metric == metric && s.Group == group {
			return s.Histogram
		}
	}
	return nil
}

// TestServersCannotFloodTheMetrics: names invented for each request are
// bounded and counted.
func TestServersCannotFloodTheMetrics(t *testing.T) {
	var samples []Sample
	for i := range 100 {
		s := answered(0, 0, 0, 0, 1000, 1000)
		s.ServerTiming = []byte("p" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ";dur=1, cache;desc=c" + string(rune('a'+i%26)))
		samples = append(samples, s)
	}
	m := Measure(samples, []Label{{}}, 0)
	metrics, groups := map[string]bool{}, map[string]bool{}
	for _, s := range m.Series {
		metrics[s.Metric], groups[s.Group] = true, true
	}
	if len(metrics) != 5+maxPhases || len(groups) != 1+maxCacheStates {
		t.Errorf("%d metrics and %d groups, want %d and %d", len(metrics), len(groups), 5+maxPhases, 1+maxCacheStates)
	}
	if m.Crowded == 0 {
		t.Error("nothing was counted as crowded out")
	}
}

func TestPageViewLastsFromDocumentToLastAsset(t *testing.T) {
	labels := []Label{
		{View: 1, Document: true, Groups: []string{"size=10"}}, {View: 1}, {View: 1},
		{View: 2}, // its document fell into the guard
		{},
	}
	samples := []Sample{
		answered(0, 1000, 1000, 1000, 2000, 3000),
		answered(1, 2000, 2000, 2000, 3000, 9000),
		answered(2, 2000, 2000, 2000, 3000, 8000),
		answered(3, 0, 0, 0, 0, 50_000),
		answered(4, 0, 0, 0, 0, 60_000),
	}
	m := Measure(samples, labels, 0)
	h := seriesOf(m, "page", "")
	if h == nil || h.N() != 1 || !near(h.Statistic("max"), 8e-6) {
		t.Fatalf("page = %v, want one view of 8 µs", h)
	}
	if got := value(m.Values(), "page.max", "size=10"); !near(got, 8e-6) {
		t.Errorf("page.max of the document's group = %v, want 8e-6", got)
	}
}

func TestGroupNamesAreTame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Group(rapid.String().Draw(t, "key"), rapid.String().Draw(t, "value"))
		if len(g) > 64 {
			t.Fatalf("group %q is longer than 64 bytes", g)
		}
		for _, c := range []byte(g) {
			if c <= ' ' || c >= 0x7f || c == ',' || c == '/' {
				t.Fatalf("group %q holds %q", g, c)
			}
		}
	})
}
