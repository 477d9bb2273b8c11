package arm

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"switchback/results/record"
)

// parentFD is the number under which a child finds the read end of the pipe
// that ends with its parent.
const parentFD = 3

// process is a child that holds the read end of a pipe from us: it stops at
// the pipe's end of file, so nothing outlives a killed harness.
type process struct {
	cmd    *exec.Cmd
	parent *os.File // write end; closing it tells the child that we are gone
	stderr *tail
	stdout *tail
	done   chan struct{} // closed when the process has ended
	err    error         // of Wait; read after done
	killed bool          // it ran when it was told to stop, and ended by KILL alone; read after stop
}

// keptLines is how many lines of a process's output are kept for messages.
const keptLines = 20

// spawn says how to start a process.
type spawn struct {
	argv   []string
	dir    string
	env    []string // all variables; nil: those of this process
	cpus   []int    // CPUs it may use; nil for all
	stdout io.Writer
}

// start starts a process.
func start(s spawn) (*process, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, record.ExplainLimit(fmt.Errorf("starting %s: %w", s.argv[0], err))
	}
	defer read.Close()
	p := &process{cmd: exec.Command(s.argv[0], s.argv[1:]...), parent: write,
		stderr: newTail(keptLines), stdout: newTail(keptLines), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = s.dir, s.env
	p.cmd.ExtraFiles = []*os.File{read}
	p.cmd.Stderr, p.cmd.Stdout = p.stderr, p.stdout
	if s.stdout != nil {
		p.cmd.Stdout = io.MultiWriter(p.stdout, s.stdout)
	}
	p.cmd.WaitDelay = time.Second // a grandchild may hold the output open
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := pinned(s.cpus, p.cmd.Start); err != nil {
		write.Close()
		return nil, record.ExplainLimit(fmt.Errorf("starting %s: %w", s.argv[0], err))
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// pinned runs f, which starts a process, on a thread that is restricted to
// cpus: the child inherits the restriction before its first instruction.
func pinned(cpus []int, f func() error) error {
	if len(cpus) == 0 {
		return f()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, want unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("reading the CPU affinity: %w", err)
	}
	for _, c := range cpus {
		want.Set(c)
	}
	if err := unix.SchedSetaffinity(0, &want); err != nil {
		return fmt.Errorf("pinning to CPUs %v: %w", cpus, err)
	}
	err := f()
	if back := unix.SchedSetaffinity(0, &before); err == nil && back != nil {
		return fmt.Errorf("restoring the CPU affinity: %w", back)
	}
	return err
}

// killedCode is the exit code with which a keeper says that KILL ended its command.
const killedCode = 128 + int(syscall.SIGKILL)

// stopRule says how a process is asked to stop.
type stopRule struct {
	signal syscall.Signal // default SIGTERM
	grace  time.Duration  // before SIGKILL; default 5 s
}

// ended tells whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// stop ends the process and returns once it is gone.
func (p *process) stop(rule stopRule) {
	if rule.signal == 0 {
		rule.signal = syscall.SIGTERM
	}
	if rule.grace == 0 {
		rule.grace = 5 * time.Second
	}
	running := !p.ended()
	_ = p.cmd.Process.Signal(rule.signal) // it may have ended already
	grace := time.NewTimer(rule.grace)
	defer grace.Stop()
	select {
	case <-p.done:
	case <-grace.C:
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	p.killed = running && (p.cmd.ProcessState.ExitCode() == killedCode || !p.cmd.ProcessState.Exited())
	p.parent.Close()
}

// deathNote describes how an ended process ended.
func (p *process) deathNote(cause string) error {
	lines := p.stderr.lines()
	if len(lines) == 0 {
		lines = p.stdout.lines()
	}
	d := record.Death{Cause: cause, Status: p.status(), Lines: lines}
	if len(lines) == 0 {
		return &Failure{d, fmt.Errorf("%w: %s, without a word on its output", ErrDead, d.Status)}
	}
	return &Failure{d, fmt.Errorf("%w: %s%s", ErrDead, d.Status, belowMessage(lines))}
}

// status says how an ended process ended. A keeper, like a shell, ends with 128
// and the number of the signal that ended its command.
func (p *process) status() string {
	if p.err == nil {
		return "exit status 0"
	}
	if code := p.cmd.ProcessState.ExitCode(); code > 128 && code < 128+65 {
		return fmt.Sprintf("%v, as of signal %d (%v)", p.err, code-128, syscall.Signal(code-128))
	}
	return p.err.Error()
}

// belowMessage is the end of a message that shows the last lines of a process.
func belowMessage(lines []string) string {
	return "; its last lines:\n  " + strings.Join(lines, "\n  ")
}
