package probe

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		child()
		return
	}
	goleak.VerifyTestMain(m)
}

// machine is a made-up /proc and its process clocks.
type machine struct {
	t     *testing.T
	dir   string
	mu    sync.Mutex
	cpu   map[int]func() time.Duration
	reset []string // files written to
}

func newMachine(t *testing.T) *machine {
	m := &machine{t: t, dir: t.TempDir(), cpu: map[int]func() time.Duration{}}
	m.write("stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n")
	return m
}

func (m *machine) write(name, content string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		m.t.Fatal(err)
	}
}

// process makes a process with children, and the ticks that ended children
// used.
func (m *machine) process(pid int, cpu time.Duration, endedTicks int, children ...int) {
	m.t.Helper()
	list := ""
	for _, c := range children {
		list += strconv.Itoa(c) + " "
	}
	m.write(fmt.Sprintf("%d/task/%d/children", pid, pid), list)
	m.write(fmt.Sprintf("%d/stat", pid), fmt.Sprintf(
		"%d (a) b) S 1 %d %d 0 -1 0 0 0 0 0 7 7 %d 0 20 0 1 0 100 1000 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", pid, pid, pid, endedTicks))
	m.clock(pid, func() time.Duration { return cpu })
}

func (m *machine) clock(pid int, read func() time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cpu[pid] = read
}

// end removes a process.
func (m *machine) end(pid int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.cpu, pid)
	if err := os.RemoveAll(filepath.Join(m.dir, strconv.Itoa(pid))); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) resident(pid int, mib int) {
	m.write(fmt.Sprintf("%d/statm", pid), fmt.Sprintf("9999999 %d 1 1 0 1 0\n", mib<<20/os.Getpagesize()))
}

// selfPID is our own process in a made-up machine.
const selfPID = 7

func (m *machine) probe() *Probe {
	m.t.Helper()
	p, err := newProbe(system{
		proc: m.dir, self: selfPID,
		clock: func(pid int) (time.Duration, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if read := m.cpu[pid]; read != nil {
				return read(), nil
			}
			return 0, syscall.EINVAL
		},
		nap:  func(d time.Duration) { time.Sleep(d + 300*time.Microsecond) },
		cpus: func() (int, error) { return 2, nil },
		clear: func(path, command string) error {
			m.reset = append(m.reset, command+" > "+path)
			return nil
		},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return p
}
