package arm

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Keep runs a foreign command and everything it starts, and lets nothing of it
// outlive the harness: it is a child subreaper, so that a server that
// daemonises stays its descendant, and it ends the whole tree when parent (the
// read end of a pipe from the harness) reaches its end of file. A signal that
// to stop is passed on to the tree, whose members then have grace before KILL.
// When the harness is gone, folder (that of the arm, "" for none) is removed
// after the last of the tree. It returns the exit code of the command.
func Keep(parent *os.File, grace time.Duration, folder string, argv []string) (int, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("becoming a subreaper: %w", err)
	}
	syscall.CloseOnExec(int(parent.Fd())) // the command must not hold the pipe
	stop := make(chan syscall.Signal, 4)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT)
	go func() {
		for s := range signals {
			stop <- s.(syscall.Signal)
		}
	}()
	var orphaned atomic.Bool
	go func() {
		_, _ = parent.Read(make([]byte, 1)) // returns when the harness is gone
		orphaned.Store(true)
		stop <- syscall.SIGTERM
	}()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("starting %s: %w", argv[0], err)
	}
	code, err := keepTree(cmd.Process.Pid, grace, stop)
	if orphaned.Load() && folder != "" {
		os.RemoveAll(folder)
	}
	return code, err
}

// keepTree reaps descendants until none is left, passing signals on.
func keepTree(main int, grace time.Duration, stop <-chan syscall.Signal) (code int, err error) {
	ended := make(chan int, 1) // exit code of main, once no descendant is left
	go reap(main, ended)
	var kill <-chan time.Time
	for {
		select {
		case code = <-ended:
			return code, nil
		case s := <-stop:
			signalTree(s)
			if kill == nil {
				kill = time.After(grace)
			}
		case <-kill:
			signalTree(syscall.SIGKILL)
			kill = time.After(50 * time.Millisecond) // those forked meanwhile
		}
	}
}

// reap waits for every child, adopted ones included.
func reap(main int, ended chan<- int) {
	code := 0
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil: // ECHILD: none is left
			ended <- code
			return
		case pid == main && status.Signaled():
			code = 128 + int(status.Signal())
		case pid == main:
			code = status.ExitStatus()
		}
	}
}

// signalTree sends s to every descendant of this process.
func signalTree(s syscall.Signal) {
	for _, pid := range Descendants(os.Getpid()) {
		_ = syscall.Kill(pid, s) // it may have ended meanwhile
	}
}

// Descendants returns the process ids below pid, parents before children.
func Descendants(pid int) []int {
	var all []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		below := children(queue[0])
		all = append(all, below...)
		queue = append(queue, below...)
	}
	return all
}

// children returns the direct children of pid, of all its threads.
func children(pid int) []int {
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	var pids []int
	for _, task := range tasks {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}
