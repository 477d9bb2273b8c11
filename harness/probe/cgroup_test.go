package probe

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A cgroup is read from its folder: members of it and of those below, and the
// CPU time that the kernel counts.
func TestACgroup(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("cgroup.procs", "")
	write("workers/cgroup.procs", strconv.Itoa(os.Getpid())+"\n")
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	tree := Tree{Cgroup: dir}
	pids, err := p.processes(tree)
	if err != nil || len(pids) != 1 || pids[0] != os.Getpid() || !tree.Known() || (Tree{}).Known() {
		t.Fatalf("processes %v, %v", pids, err)
	}
	if own, err := p.CPU(tree); err != nil || own <= 0 {
		t.Errorf("CPU by the clocks of its processes is %v, %v", own, err)
	}
	write("cpu.stat", "usage_usec 1500\nuser_usec 1000\n")
	if used, err := p.CPU(tree); err != nil || used != 1500*time.Microsecond {
		t.Errorf("CPU is %v, %v; want 1.5 ms", used, err)
	}
	memory, err := p.WatchMemory(tree, 0).Stop()
	if err != nil || memory.Peak < 1<<20 {
		t.Errorf("memory %+v, %v", memory, err)
	}
	write("cgroup.procs", "many\n")
	if _, err := p.processes(tree); err == nil {
		t.Error("a member that is no number was read")
	}
}
