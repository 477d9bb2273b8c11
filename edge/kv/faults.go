package kv

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// faults is what went wrong in a store. Pebble works in the background: what fails
// there is reported here, and whoever waits for it is woken.
type faults struct {
	count  atomic.Int64
	first  atomic.Pointer[error]
	report func(error) // is told the first one
	once   sync.Once
	broken chan struct{} // closed when work in the background has failed
	halt   sync.Once
	halted chan struct{} // closed when Pebble has stopped for good: no call may follow
}

func newFaults(report func(error)) *faults {
	if report == nil {
		report = func(error) {}
	}
	return &faults{report: report, broken: make(chan struct{}), halted: make(chan struct{})}
}

// add counts an error.
func (f *faults) add(err error) {
	f.count.Add(1)
	if f.first.CompareAndSwap(nil, &err) {
		f.report(err)
	}
}

// background takes an error of Pebble's own work, which would be tried for ever.
func (f *faults) background(err error) {
	if errors.Is(err, pebble.ErrCancelledCompaction) {
		return // it makes way for another write, and is done again
	}
	f.add(err)
	f.once.Do(func() { close(f.broken) })
}

// err returns the first error.
func (f *faults) err() error {
	if first := f.first.Load(); first != nil {
		return *first
	}
	return nil
}

// wait waits for work in the background: until it is done, has failed, or ctx ends.
func (f *faults) wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-f.broken:
		return f.err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// call calls what may write. It returns early when Pebble stops within the call, which
// then never returns.
func (f *faults) call(write func() error) error {
	done := make(chan error, 1)
	go func() { done <- recovered(write) }()
	select {
	case err := <-done:
		return err
	case <-f.halted:
		return f.err()
	}
}

// recovered calls f, whose panic becomes an error: Pebble panics when it cannot begin
// a new file.
func recovered(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			err = p
		default:
			err = fmt.Errorf("%v", p)
		}
	}()
	return f()
}

// Infof implements pebble.Logger. Pebble's chronicle of flushes and compactions
// is dropped.
func (f *faults) Infof(string, ...any) {}

// Errorf implements pebble.Logger.
func (f *faults) Errorf(format string, args ...any) {
	slog.Error("routing store: " + fmt.Sprintf(format, args...))
}

// Fatalf implements pebble.Logger. Pebble calls it where it cannot go on without
// risking its data, and expects that it does not return: the goroutine stays here.
func (f *faults) Fatalf(format string, args ...any) {
	f.background(fmt.Errorf(format, args...))
	f.halt.Do(func() { close(f.halted) })
	select {}
}

// fault counts an error and returns it.
func (s *Store) fault(err error) error {
	s.faults.add(err)
	return err
}

// Faults returns how many errors the store had since it was opened, and the first.
func (s *Store) Faults() (count int64, first error) { return s.faults.count.Load(), s.faults.err() }

// Halted waits until the store has stopped for good, so that calls may never return,
// and says why; when ctx ends first it returns nil.
func (s *Store) Halted(ctx context.Context) error {
	select {
	case <-s.faults.halted:
		return s.faults.err()
	case <-ctx.Done():
		return nil
	}
}
