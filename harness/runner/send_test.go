package runner

import (
	"slices"
	"testing"
	"time"

	"switchback/harness/schedule"
	"switchback/results/record"
)

// A block whose requests were let go in batches says so.
func TestABlockNotesThatItsScheduleWasNotKept(t *testing.T) {
	due := schedule.Constant(200, time.Second)
	for batch, notes := range map[int][]string{
		1: nil,
		4: {"the schedule was not kept: distance of gaps 0.75, above 0.10"},
	} {
		samples := make([]record.Sample, len(due))
		for i := range samples {
			samples[i].Due, samples[i].Released = int64(due[i]), int64(due[i/batch*batch])
		}
		b := &blockRun{}
		b.noteFidelity(samples)
		if !slices.Equal(b.block.Notes, notes) {
			t.Errorf("in batches of %d: notes %q, want %q", batch, b.block.Notes, notes)
		}
	}
}
