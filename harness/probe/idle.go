package probe

import (
	"context"
	"time"
)

// What counts as idle, and how long it is waited for.
const (
	idleWindow = 50 * time.Millisecond
	idleCPU    = idleWindow / 50 // 2 % of a CPU
	idleStep   = 10 * time.Millisecond
	idleLimit  = time.Second
)

// WaitIdle waits until the trees together used less than 2 % of a CPU over
// the last 50 ms, at most a second. It returns how long it waited and whether
// they were idle in the end; the error is that of ctx or of a reading.
func (p *Probe) WaitIdle(ctx context.Context, trees []Tree) (waited time.Duration, idle bool, err error) {
	start := time.Now()
	tick := time.NewTicker(idleStep)
	defer tick.Stop()
	var window []time.Duration // CPU time used, a reading each step
	for {
		used, err := p.total(trees)
		if err != nil {
			return time.Since(start), false, err
		}
		window = append(window, used)
		if len(window) > int(idleWindow/idleStep) {
			if used-window[0] < idleCPU {
				return time.Since(start), true, nil
			}
			window = window[1:]
		}
		if time.Since(start) >= idleLimit {
			return time.Since(start), false, nil
		}
		select {
		case <-ctx.Done():
			return time.Since(start), false, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

func (p *Probe) total(trees []Tree) (time.Duration, error) {
	var sum time.Duration
	for _, t := range trees {
		d, err := p.CPU(t)
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum, nil
}
