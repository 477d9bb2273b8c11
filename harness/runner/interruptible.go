package runner

import (
	"context"
	"fmt"
)

// Interruptible calls a read that may wait for a long time, as of a pipe, and returns
// when ctx ends. The read then goes on unheard: use it only where the process is about
// to end.
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
