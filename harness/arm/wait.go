package arm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"switchback/results/record"
)

// Pause is how long to wait before the next look at something that has been
// waited for: a twentieth of the time already waited, 2 to 50 ms. So the wait
// is timed to 5 % and costs next to nothing however long it is.
func Pause(waited time.Duration) time.Duration {
	return min(max(waited/20, 2*time.Millisecond), 50*time.Millisecond)
}

// poll calls ready until it says true or fails, p ends, or ctx ends, with a
// Pause between two calls.
func poll(ctx context.Context, p *process, ready func() (bool, error)) error {
	var dead <-chan struct{}
	if p != nil {
		dead = p.done
	}
	began := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if ok, err := ready(); err != nil || ok {
			return err
		}
		timer.Reset(Pause(time.Since(began)))
		select {
		case <-dead:
			return p.deathNote(record.LostAtStart)
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C:
		}
	}
}

// answer polls probe until it succeeds, the process ends or the deadline of
// ctx passes.
func answer(ctx context.Context, p *process, address string, probe Probe) error {
	var last error
	err := poll(ctx, p, func() (bool, error) {
		last = probe(ctx, address)
		return last == nil, nil
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if last != nil {
		err = record.ExplainLimit(fmt.Errorf("no good answer: %w", last))
	}
	return notReady(err)
}

// withDeadline bounds ctx by within, or by fallback where it is 0.
func withDeadline(ctx context.Context, within, fallback time.Duration) (context.Context, context.CancelFunc) {
	if within == 0 {
		within = fallback
	}
	return context.WithTimeoutCause(ctx, within, overdue(within))
}

// overdue is the error about something that took longer than it may.
type overdue time.Duration

func (o overdue) Error() string { return fmt.Sprintf("not within %v", time.Duration(o)) }
func (o overdue) Unwrap() error { return context.DeadlineExceeded }
