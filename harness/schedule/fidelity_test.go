package schedule_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"switchback/harness/schedule"
)

func TestDistanceIsZeroForThePlanItselfAndForOneThatIsShifted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		law := parse(t, rapid.SampledFrom(laws).Draw(t, "law"))
		plan := law.Given(rapid.IntRange(2, 300).Draw(t, "n"), time.Second, rapid.Uint64().Draw(t, "seed"))
		sent := make([]time.Duration, len(plan))
		for i := range plan {
			sent[i] = plan[i] + time.Hour
		}
		if d := schedule.Distance(plan, sent); d > 1e-5 {
			t.Fatalf("distance %v of a shifted plan", d)
		}
	})
}

func TestDistanceMeasuresJitterInMeanGapsAndLateBatchesAsAShare(t *testing.T) {
	const n = 20_000
	plan := schedule.Constant(n, 2*time.Second) // a gap of 100 µs
	random := rand.New(rand.NewPCG(1, 2))
	jitter := func(most time.Duration) []time.Duration {
		sent := slices.Clone(plan)
		for i := range sent {
			sent[i] += time.Duration(random.Int64N(int64(most)))
		}
		slices.Sort(sent)
		return sent
	}
	if d := schedule.Distance(plan, jitter(5*time.Microsecond)); d > 0.05 {
		t.Errorf("distance %.3f for a jitter of a twentieth of a gap", d)
	}
	if d := schedule.Distance(plan, jitter(100*time.Microsecond)); d < 0.2 {
		t.Errorf("distance %.3f for a jitter of a whole gap", d)
	}
	batched := slices.Clone(plan)
	for i := range batched { // as tools do that wake once in a millisecond
		batched[i] = batched[i].Truncate(time.Millisecond)
	}
	if d := schedule.Distance(plan, batched); d < 0.8 {
		t.Errorf("distance %.3f for batches of ten", d)
	}
}

func TestDistanceOfAnotherPoissonProcessIsSmall(t *testing.T) {
	a, b := schedule.Poisson(50_000, time.Second, 1), schedule.Poisson(50_000, time.Second, 2)
	if d := schedule.Distance(a, b); d > 0.02 {
		t.Fatalf("distance %.3f between two draws of one law", d)
	}
	if d := schedule.Distance(a, schedule.Constant(50_000, time.Second)); d < 0.25 {
		t.Fatalf("distance %.3f between a Poisson plan and equal gaps", d)
	}
}

func TestTooFewInstantsHaveNoDistance(t *testing.T) {
	if d := schedule.Distance([]time.Duration{1}, []time.Duration{1, 2}); d != 0 {
		t.Fatalf("distance %v", d)
	}
}

func TestAScheduleThatWasNotKeptIsNoted(t *testing.T) {
	const n, length = 10_000, 10 * time.Second // a gap of 1 ms
	plan, poisson := schedule.Constant(n, length), schedule.Poisson(n, length, 1)
	move := func(plan []time.Duration, to func(i int, at time.Duration) time.Duration) []time.Duration {
		sent := make([]time.Duration, len(plan))
		for i, at := range plan {
			sent[i] = to(i, at)
		}
		slices.Sort(sent)
		return sent
	}
	for name, c := range map[string]struct {
		plan, sent []time.Duration
		want       string
	}{
		"as planned":      {plan, plan, ""},
		"20 µs late":      {poisson, move(poisson, func(_ int, at time.Duration) time.Duration { return at + 20*time.Microsecond }), ""},
		"in batches of 5": {plan, move(plan, func(i int, at time.Duration) time.Duration { return plan[i/5*5] }), "the schedule was not kept: distance of gaps 0.80, above 0.10"},
		// Gaps are nearly as planned, but every tenth window is empty: 1 + 10 · 0.1/0.9 is 2.1.
		"in crowds": {poisson, move(poisson, func(_ int, at time.Duration) time.Duration {
			return at.Truncate(100*time.Millisecond) + at%(100*time.Millisecond)*9/10
		}), "the schedule was not kept: variance over mean of requests in 10 ms is 2.11, planned 0.95"},
		"nothing": {nil, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := schedule.Compare(c.plan, c.sent).Note(); got != c.want {
				t.Errorf("note %q, want %q", got, c.want)
			}
		})
	}
}
