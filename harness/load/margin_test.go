package load

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestTheMarginTendsToTheMedianOvershoot(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name        string
		least, most time.Duration // of a uniform overshoot
		want        time.Duration
	}{
		{"within the bounds", 10 * time.Microsecond, 50 * time.Microsecond, 30 * time.Microsecond},
		{"exact timers", 0, time.Microsecond, leastMargin},
		{"poor timers", time.Millisecond, 2 * time.Millisecond, mostMargin},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m margin
			sum := time.Duration(0)
			for i := range 20_000 {
				m.learn(c.least + time.Duration(random.Int64N(int64(c.most-c.least))))
				if i >= 10_000 {
					sum += m.get()
				}
			}
			if got := sum / 10_000; got < c.want-2*time.Microsecond || got > c.want+2*time.Microsecond {
				t.Fatalf("margin %v, want about %v", got, c.want)
			}
		})
	}
}

func TestTheMarginBeginsAtFifteenMicroseconds(t *testing.T) {
	var m margin
	if m.get() != 15*time.Microsecond {
		t.Fatalf("margin %v", m.get())
	}
}
