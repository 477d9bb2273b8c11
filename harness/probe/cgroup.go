package probe

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// members returns the processes of a cgroup and of those below it.
func (p *Probe) members(cgroup string) ([]int, error) {
	var all []int
	err := filepath.WalkDir(cgroup, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return unlessGone(err)
		}
		if d.Name() != "cgroup.procs" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return unlessGone(err)
		}
		for _, field := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				return fmt.Errorf("reading %s: %w", path, err)
			}
			all = append(all, pid)
		}
		if len(all) > maxProcesses {
			return fmt.Errorf("cgroup %s has more than %d processes", cgroup, maxProcesses)
		}
		return nil
	})
	return all, err
}

// usageOf returns the CPU time of a cgroup, that of processes which have ended
// included, where the kernel counts it: usage_usec of cpu.stat (version 2).
func usageOf(cgroup string) (time.Duration, bool) {
	if cgroup == "" {
		return 0, false
	}
	text, err := os.ReadFile(filepath.Join(cgroup, "cpu.stat"))
	if err != nil {
		return 0, false
	}
	for _, line := range strings.Split(string(text), "\n") {
		if value, ok := strings.CutPrefix(line, "usage_usec "); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			return time.Duration(n) * time.Microsecond, err == nil
		}
	}
	return 0, false
}
