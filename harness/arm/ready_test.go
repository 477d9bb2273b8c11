package arm

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"switchback/results/record"
)

// A server that listens on ::1 alone is found, whether it is told its port or
// not; where neither address answers, both are named.
func TestBothLoopbackFamiliesAreTried(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 on this machine's loopback: %v", err)
	}
	l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, words := range []string{"six {port}", "six " + port} {
		i, err := command(words).Launch(within(t, 20*time.Second))
		if err != nil {
			t.Fatalf("%s: %v", words, err)
		}
		if !strings.HasPrefix(i.Address, "[::1]:") || i.Outside != nil {
			t.Errorf("%s: found at %s, outside %v; want [::1] and nobody", words, i.Address, i.Outside)
		}
		i.Stop()
	}
	c := command("serve " + port + " {port}")
	c.Within = time.Second
	_, err = c.Launch(within(t, 20*time.Second))
	for _, want := range []string{"nothing listens on 127.0.0.1:", " or [::1]:", "its processes listen on 127.0.0.1:" + port} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q in it", err, want)
		}
	}
}

// Which answers of the ready path end the wait at once, and which may get better.
func TestAnswersOfTheReadyPath(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok":
		case "/moved":
			http.Redirect(w, r, "/ok", http.StatusPermanentRedirect)
		case "/away":
			http.Redirect(w, r, "https://127.0.0.1/ok", http.StatusPermanentRedirect)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusPermanentRedirect)
		case "/starting":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/patience":
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	address := server.Listener.Addr().String()
	for path, want := range map[string]struct {
		says  string // "": it is ready
		final bool
	}{
		"/ok": {"", false}, "/moved": {"", false},
		"/gone":     {"404 Not Found, expected a status 2xx", true},
		"/away":     {`308 Permanent Redirect, expected a status 2xx (it leads to "https://127.0.0.1/ok")`, true},
		"/round":    {"308 Permanent Redirect", true},
		"/starting": {"503 Service Unavailable", false},
		"/patience": {"429 Too Many Requests", false},
	} {
		err := getReady(within(t, 10*time.Second), address, path)
		if (err == nil) != (want.says == "") || err != nil && !strings.Contains(err.Error(), want.says) || errors.As(err, new(wrongAnswer)) != want.final {
			t.Errorf("%s: %v (final: %v); want %q, final %v", path, err, errors.As(err, new(wrongAnswer)), want.says, want.final)
		}
	}
	server.Close()
	if err := getReady(within(t, 10*time.Second), address, "/ok"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("nobody: %v", err)
	}
}

// A wrong answer ends the wait for a server that has no better one, long before
// it would be given up; also where its port is looked for.
func TestAWrongAnswerEndsTheWait(t *testing.T) {
	ports, _, err := freePorts(net.Listen, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"serve {port}", "serve " + itoa(ports[0])} {
		c := command(words)
		c.Ready, c.Within = "/healthz", time.Hour
		_, err := c.Launch(within(t, 30*time.Second))
		if err == nil || !strings.Contains(err.Error(), "GET /healthz of 127.0.0.1:") || !strings.Contains(err.Error(), "is answered 404 Not Found") {
			t.Errorf("%s: error %v; want the answer", words, err)
		}
	}
}

// How an arm is lost is told by the error of its launch, and a limit of this
// machine is never the arm's doing.
func TestHowAnArmIsLost(t *testing.T) {
	ready := func(c *Command) { c.Within = time.Second }
	for _, c := range []struct {
		words  string
		change func(*Command)
		want   record.Death
	}{
		{"die", ready, record.Death{Cause: record.LostAtStart, Status: "exit status 3", Lines: []string{`no such table\x1b[31m`}}},
		{"silent", ready, record.Death{Cause: record.LostNotReady, Reason: "not within 1s: none of its processes listens on a port"}},
		{"serve {port}", func(c *Command) { c.Setup = "echo no such host >&2; exit 2" },
			record.Death{Cause: record.LostSetup, Reason: `setup: running "echo no such host >&2; exit 2": exit status 2`, Lines: []string{"no such host"}}},
		{"serve {port}", func(c *Command) { c.Files = map[string]string{"x": "{{.Nothing}}"} }, record.Death{Cause: record.LostHarness, Reason: `files: rendering "x"`}},
		{"serve {port}", func(c *Command) {
			c.Within = 3 * time.Second // time to start on a busy machine
			c.Probe = func(context.Context, string) error {
				return &net.OpError{Op: "dial", Err: os.NewSyscallError("socket", syscall.EMFILE)}
			}
		}, record.Death{Cause: record.LostHarness, Reason: "raise the limit of open files (ulimit -n)"}},
	} {
		command := command(c.words)
		c.change(&command)
		_, err := command.Launch(within(t, 20*time.Second))
		got := DeathOf(err)
		if got.Cause != c.want.Cause || got.Status != c.want.Status || !strings.Contains(got.Reason, c.want.Reason) || strings.Join(got.Lines, "|") != strings.Join(c.want.Lines, "|") {
			t.Errorf("%s: %+v of %v; want %+v", c.words, got, err, c.want)
		}
	}
	_, err := Child{Program: os.Args[0], Args: []string{"limited"}}.Launch(within(t, 20*time.Second))
	if got := DeathOf(err); got.Cause != record.LostHarness || !strings.Contains(got.Reason, "no port (no local port was free: ") {
		t.Errorf("a child that met a limit: %+v", got)
	}
	i, err := command("serve {port}").Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	if err := syscall.Kill(Descendants(i.PID)[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-i.Dead()
	if got := DeathOf(i.Alive()); got.Cause != record.LostServing || got.Status != "exit status 137, as of signal 9 (killed)" || len(got.Lines) != 1 {
		t.Errorf("a server that was killed while it served: %+v", got)
	}
}
