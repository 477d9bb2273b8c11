package probe

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"switchback/results/record"
)

// MachineKind says what kind of machine this is. CPUs are those that this
// process may use at the time of the call: ask before it is pinned.
func (p *Probe) MachineKind() (record.MachineKind, error) {
	kind := record.MachineKind{Architecture: runtime.GOARCH}
	info, err := p.fs.CPUInfo()
	if err != nil {
		return kind, fmt.Errorf("reading the CPU model: %w", err)
	}
	if len(info) > 0 {
		kind.CPU = strings.Join(strings.Fields(info[0].ModelName), " ")
	}
	if kind.CPUs, err = p.sys.cpus(); err != nil {
		return kind, err
	}
	memory, err := p.fs.Meminfo()
	if err != nil {
		return kind, fmt.Errorf("reading the memory's size: %w", err)
	}
	if memory.MemTotalBytes != nil {
		kind.MemoryGiB = int((*memory.MemTotalBytes + 1<<29) >> 30)
	}
	return kind, nil
}

// Kernel returns the kernel's name and release, as in "Linux 6.12.0".
func (p *Probe) Kernel() (string, error) {
	release, err := os.ReadFile(filepath.Join(p.sys.proc, "sys", "kernel", "osrelease"))
	if err != nil {
		return "", fmt.Errorf("reading the kernel's release: %w", err)
	}
	return "Linux " + strings.TrimSpace(string(release)), nil
}
