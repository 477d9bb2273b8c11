package report

import (
	"testing"

	"switchback/results/record"
)

// rolloutRun is a stepped rollout beside a flip at once that a tripwire
// brought back, with a hostile name of a step.
func rolloutRun() Run {
	r := singleRun()
	r.Summary.Experiment, r.Summary.Metrics = "ring-rollout", nil
	r.Summary.Baseline, r.Summary.Arms = "at-once", []string{"at-once", "stepped"}
	number := func(v float64) *float64 { return &v }
	count := func(v int64) *int64 { return &v }
	begin := func(arm, step string, expected *float64) record.Decision {
		return record.Decision{Arm: arm, Action: record.Begin, Step: step, Expected: expected}
	}
	end := func(arm, step, action string, requests, extra int, origin int64, onNew int) record.Decision {
		return record.Decision{Arm: arm, Action: action, Step: step, Window: 10, Requests: requests, Extra: extra, Origin: count(origin),
			OnNew: onNew, Lookups: requests, Hits: requests - int(origin)}
	}
	tripped := end("at-once", "100", "rollback", 15000, 2160, 2170, 15000)
	tripped.Tripwires = []record.Tripwire{{Metric: "cache.hit_ratio"}}
	tripped.At, tripped.Errors, tripped.Reason = 20.1, 30, "cache.hit_ratio is 0.85 (max_increase 10%)"
	r.Decisions = []record.Decision{
		begin("at-once", "before", nil), end("at-once", "before", "advance", 15000, 0, 2400, 0),
		begin("at-once", "100", number(2126.3)), tripped,
		end("at-once", "rolled-back", "end", 15000, 0, 0, 0),
		begin("stepped", "before", nil), end("stepped", "before", "advance", 15000, 0, 2400, 0),
		begin("stepped", "25-ams\x1b[31m", number(177.2)), end("stepped", "25-ams\x1b[31m", record.Settled, 1500, 90, 90, 120),
		end("stepped", "25-ams\x1b[31m", "advance", 13500, 91, 91, 1130),
		begin("stepped", "100", number(1949.1)), end("stepped", "100", "end", 15000, 1960, 1960, 15000),
	}
	return r
}

func TestRolloutGolden(t *testing.T) {
	golden(t, "rollout.txt", text(t, rolloutRun(), TextOptions{}))
	golden(t, "rollout-narrow.txt", text(t, rolloutRun(), TextOptions{Width: 50}))
	quiet := rolloutRun()
	for i := range quiet.Decisions {
		quiet.Decisions[i].Reason = ""
	}
	golden(t, "rollout-quiet.txt", text(t, quiet, TextOptions{}))
}
