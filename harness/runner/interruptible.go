package runner

import (
	"context"
	"fmt"
)

// Interruptible reads what may wait for a long time, as a pipe does, until ctx ends. Then
// the read is left alone, which is right for a process that is about to end.
func Interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("interrupted (%w)", context.Cause(ctx))
	}
}
