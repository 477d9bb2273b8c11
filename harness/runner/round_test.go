package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"switchback/harness/arm"
	"switchback/harness/blocks"
	"switchback/harness/experiment"
	"switchback/results/record"
)

// sleeper starts an arm that says it is ready and does nothing.
func sleeper(t *testing.T) *arm.Instance {
	t.Helper()
	program := filepath.Join(t.TempDir(), "sleeper")
	script := "#!/bin/sh\necho table corrupt >&2\necho '{\"ready\":true,\"listen\":\"127.0.0.1:1\"}'\nexec sleep 60\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	i, err := arm.Child{Program: program, Args: []string{"arm"}}.Launch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = i.Stop() })
	return i
}

// A block that can't be measured because its arm has ended meanwhile is the loss
// of the arm, not an error of the harness; any other error stays one.
func TestAnErrorOfABlockWhoseArmHasEnded(t *testing.T) {
	folder, err := record.Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	a := &armState{name: "a", instance: sleeper(t)}
	b := blockRun{cell: &cell{run: &run{folder: folder}, e: &experiment.Experiment{}}, arm: a, round: blocks.Round{Pair: 3}}
	broken := errors.New("the admin API does not answer")
	if got := b.unlessLost(t.Context(), broken); !errors.Is(got, broken) || b.block.Dead {
		t.Errorf("an arm that runs: %v, dead %v", got, b.block.Dead)
	}
	if err := syscall.Kill(a.instance.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-a.instance.Dead()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if got := b.unlessLost(cancelled, broken); !errors.Is(got, broken) {
		t.Errorf("an interrupted run: %v", got)
	}
	if got := b.unlessLost(t.Context(), broken); !errors.Is(got, errDied) {
		t.Errorf("an arm that has ended: %v", got)
	}
	d := b.block.Death
	if !b.block.Dead || b.block.Pair != 3 || d == nil || d.Cause != record.LostServing || d.Status != "signal: killed" || len(d.Lines) != 1 || d.Lines[0] != "table corrupt" {
		t.Errorf("block %+v, death %+v", b.block, d)
	}
}
