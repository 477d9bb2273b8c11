package attack_test

import (
	"bytes"
	"strings"
	"testing"

	"switchback/harness/load/attack"
	"switchback/results/gate"
)

func thresholds(t *testing.T, texts ...string) (list []gate.Threshold) {
	t.Helper()
	for _, text := range texts {
		threshold, err := gate.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, threshold)
	}
	return list
}

func TestThresholdsAreJudged(t *testing.T) {
	r := attackWith(t, attack.Settings{URL: serve(t, refusing()), Rate: 500, Arrivals: "constant",
		Thresholds: thresholds(t, "ttfb.p50<1m", "ttfb.p50>1m", "errors.ratio<=10%", "errors.ratio<10%", "ttfb.p99<1m")})
	var broken []bool
	for _, judged := range r.Thresholds {
		broken = append(broken, judged.Broken)
	}
	if len(broken) != 5 || broken[0] || !broken[1] || broken[2] || !broken[3] || !broken[4] || r.Broken() != 3 {
		t.Errorf("%+v; the p99 of a load of which a tenth failed is no answer, above any limit", r.Thresholds)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"threshold errors.ratio<=10%: kept, it is 10.0 %\n", "threshold errors.ratio<10%: BROKEN, it is 10.0 %\n", "note: ttfb.p99 of 50 requests rests on fewer than 5 above it"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

func TestAThresholdOfAnotherMetricIsRefused(t *testing.T) {
	_, err := attack.New(attack.Settings{URL: "http://127.0.0.1:1/", Rate: 1, Thresholds: thresholds(t, "edge.cpu<1ms")})
	if err == nil || !strings.Contains(err.Error(), "want a statistic of ttfb, service_ttfb, latency, lateness, blocked, such as ttfb.p99, or errors.ratio") {
		t.Error(err)
	}
}
