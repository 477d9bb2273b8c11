package arm

import (
	"errors"
	"strings"

	"switchback/results/record"
)

// Failure is the error of an arm that could not be started, or that has ended.
type Failure struct {
	record.Death
	err error
}

func (f *Failure) Error() string { return f.err.Error() }
func (f *Failure) Unwrap() error { return f.err }

// notReady marks err as that of an arm which was not ready in time.
func notReady(err error) error {
	return &Failure{record.Death{Cause: record.LostNotReady, Reason: err.Error()}, err}
}

// setupFailed marks err as that of a command of the user's around the arm.
func setupFailed(err error) error {
	if err == nil {
		return nil
	}
	f := &Failure{record.Death{Cause: record.LostSetup, Reason: err.Error()}, err}
	var command *errorWithLines
	if errors.As(err, &command) {
		f.Lines = command.lines
		f.Reason = strings.TrimSuffix(f.Reason, belowMessage(f.Lines))
	}
	return f
}

// DeathOf says how an arm was lost, from an error of Launch, Stop or Alive. An error
// that neither the arm nor its commands caused counts against the harness; a limit of
// this machine always does.
func DeathOf(err error) record.Death {
	var f *Failure
	if _, met := record.LimitOf(err); met || !errors.As(err, &f) {
		return record.Death{Cause: record.LostHarness, Reason: record.ExplainLimit(err).Error()}
	}
	return f.Death
}
