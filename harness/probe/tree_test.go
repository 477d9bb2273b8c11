package probe

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestCPUCoversTheTree(t *testing.T) {
	m := newMachine(t)
	m.process(10, 1*time.Second, 0, 11, 12)
	m.process(11, 2*time.Second, 0, 13)
	m.process(12, 4*time.Second, 50) // children that ended used half a second
	m.process(13, 8*time.Second, 0)
	m.process(14, 16*time.Second, 0) // not of the tree
	p := m.probe()
	for _, row := range []struct {
		tree Tree
		want time.Duration
	}{
		{Tree{PID: 10, Own: true}, 15500 * time.Millisecond},
		{Tree{PID: 10, Own: false}, 14500 * time.Millisecond},
		{Tree{PID: 11, Own: true}, 10 * time.Second},
		{Tree{PID: 11, Own: true, More: []int{14}}, 26 * time.Second},
		{Tree{PID: 99, Own: true}, 0}, // ended
	} {
		if got, err := p.CPU(row.tree); got != row.want || err != nil {
			t.Errorf("%+v used %v and %v, want %v", row.tree, got, err, row.want)
		}
	}
}

// TestKeeperCountsOnlyForWhatItReaped: a keeper is no part of the arm, but
// the arm's orphans that it waited for are.
func TestKeeperCountsOnlyForWhatItReaped(t *testing.T) {
	m := newMachine(t)
	m.process(10, 5*time.Second, 30, 11)
	m.process(11, 2*time.Second, 0)
	if got, err := m.probe().CPU(Tree{PID: 10}); got != 2300*time.Millisecond || err != nil {
		t.Errorf("tree used %v and %v, want 2.3s", got, err)
	}
}

func TestChildrenOfEveryThread(t *testing.T) {
	m := newMachine(t)
	m.process(10, 0, 0, 11)
	m.write("10/task/20/children", "12 ")
	m.process(11, 0, 0)
	m.process(12, 0, 0)
	pids, err := m.probe().processes(Tree{PID: 10, Own: true})
	if want := []int{10, 11, 12}; !slices.Equal(pids, want) || err != nil {
		t.Errorf("processes %v and %v, want %v", pids, err, want)
	}
}

func TestTreesAreBounded(t *testing.T) {
	m := newMachine(t)
	m.process(10, 0, 0, 10) // its own child, without end
	if _, err := m.probe().processes(Tree{PID: 10, Own: true}); err == nil {
		t.Error("an endless tree gave no error")
	}
}

func TestWaitIdle(t *testing.T) {
	const busy = 300 * time.Millisecond
	for name, c := range map[string]struct {
		used         func(since time.Duration) time.Duration
		least, limit time.Duration
		idle         bool
	}{
		"idle at once":      {func(time.Duration) time.Duration { return 0 }, 50, 50, true},
		"a little":          {func(d time.Duration) time.Duration { return d / 100 }, 50, 50, true},
		"busy, then idle":   {func(d time.Duration) time.Duration { return min(d, busy) }, 340, 360, true},
		"busy all the time": {func(d time.Duration) time.Duration { return d / 30 }, 1000, 1010, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newMachine(t)
			m.process(10, 0, 0)
			m.process(11, 0, 0)
			start := time.Now()
			m.clock(11, func() time.Duration { return c.used(time.Since(start)) })
			waited, idle, err := m.probe().WaitIdle(t.Context(), []Tree{{PID: 10, Own: true}, {PID: 11, Own: true}})
			if idle != c.idle || err != nil || waited < c.least*time.Millisecond || waited > c.limit*time.Millisecond {
				t.Errorf("%s: waited %v, idle %v, %v; want %d to %d ms, %v", name, waited, idle, err, c.least, c.limit, c.idle)
			}
		})
	}
}

func TestWaitIdleEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine(t)
		start := time.Now()
		m.process(10, 0, 0)
		m.clock(10, func() time.Duration { return time.Since(start) })
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, idle, err := m.probe().WaitIdle(ctx, []Tree{{PID: 10, Own: true}}); idle || err != context.DeadlineExceeded {
			t.Errorf("idle %v and %v, want false and the context's error", idle, err)
		}
	})
}

// childVariable makes the test binary a child that burns CPU; "parent" makes
// it start another one.
const childVariable = "PROBE_TEST_CHILD"

// child burns 40 ms of CPU by its own clock, says so, and waits for the end of
// its input.
func child() {
	if os.Getenv(childVariable) == "parent" {
		grandchild := exec.Command(os.Args[0])
		grandchild.Env = append(os.Environ(), childVariable+"=burn")
		grandchild.Stdin, grandchild.Stdout = os.Stdin, os.Stdout
		if err := grandchild.Start(); err != nil {
			fmt.Println(err)
			return
		}
	}
	held := make([]byte, 32<<20)
	for used := time.Duration(0); used < burned; used, _ = processClock(os.Getpid()) {
		for i := range held {
			held[i]++
		}
	}
	fmt.Println("burned", len(held))
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

const burned = 40 * time.Millisecond

// TestRealTree reads processes of this machine: the test itself, started
// again, and its child.
func TestRealTree(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=parent")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		stdin.Close()
		_ = cmd.Wait()
	}()
	lines := bufio.NewScanner(stdout)
	for range 2 {
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), "burned") {
			t.Fatalf("child said %q", lines.Text())
		}
	}

	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	tree := Tree{PID: cmd.Process.Pid, Own: true}
	whole, err := p.CPU(tree)
	if err != nil || whole < 2*burned {
		t.Errorf("tree used %v and %v, want at least %v", whole, err, 2*burned)
	}
	below, err := p.CPU(Tree{PID: cmd.Process.Pid})
	if err != nil || below < burned || below >= whole {
		t.Errorf("without its root it used %v and %v, want %v to %v", below, err, burned, whole)
	}
	watch := p.WatchMemory(tree, 0)
	held, err := watch.Stop()
	if err != nil || held.Peak < 64<<20 || held.Mean > held.Peak {
		t.Errorf("memory %+v and %v, want a peak of at least 64 MiB", held, err)
	}
	pss, err := p.PSS(tree)
	if err != nil || pss < 64<<20 || pss > held.Peak {
		t.Errorf("PSS %d and %v, want 64 MiB to the peak %d", pss, err, held.Peak)
	}
}

func TestMissingProcfs(t *testing.T) {
	if _, err := newProbe(system{proc: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("no error without procfs")
	}
}
