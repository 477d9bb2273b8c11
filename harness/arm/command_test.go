package arm

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// command is a Command that runs a role of the test binary.
func command(words string) Command {
	return Command{Program: os.Args[0], Scratch: os.TempDir(), Run: os.Args[0] + " " + words, Within: 10 * time.Second}
}

func TestCommandServesAndLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, words := range []string{"serve {port}", "flood {port}", "daemonise {port}"} {
		t.Run(words, func(t *testing.T) {
			i, err := command(words).Launch(within(t, 20*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			below := Descendants(i.PID)
			if len(below) == 0 {
				t.Error("the keeper keeps no process")
			}
			i.Stop()
			for _, pid := range below {
				if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
					t.Errorf("process %d is left (%v)", pid, err)
				}
			}
			if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/*"); len(left) != 0 || !refuses(i.Address) {
				t.Errorf("left: folders %v, listener %v", left, !refuses(i.Address))
			}
		})
	}
}

func TestCommandThatIgnoresTERMIsKilled(t *testing.T) {
	c := command("stubborn {port}")
	c.Grace = 50 * time.Millisecond
	i, err := c.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	i.Stop()
	if !refuses(i.Address) || !i.Killed() {
		t.Errorf("the server still listens: %v; killed: %v", !refuses(i.Address), i.Killed())
	}
	if i, err = command("serve {port}").Launch(within(t, 20*time.Second)); err != nil {
		t.Fatal(err)
	}
	if i.Stop(); i.Killed() {
		t.Error("a server that ends by itself counts as killed")
	}
}

func TestKilledHarnessLeavesNoCommand(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	i, err := command("daemonise {port}").Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	i.process.parent.Close() // what the kernel does when the harness is killed
	eventually(t, "the server ends", func() bool { return refuses(i.Address) })
	<-i.Dead()
	if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/*"); len(left) != 0 {
		t.Errorf("folders left: %v", left)
	}
	i.Stop()
}

// A simple command takes the shell's place; one of several parts keeps it.
func TestLineOfTheShell(t *testing.T) {
	for run, want := range map[string]string{"serve {port}": "exec serve 81", "cd x && serve": "cd x && serve",
		"A=1 serve": "A=1 serve", "serve\n": "exec serve", "exec serve": "exec serve", "a; b": "a; b", "serve --a=b": "exec serve --a=b",
		"nginx -g 'daemon off;'": "exec nginx -g 'daemon off;'", `serve "a\";b" c\;d`: `exec serve "a\";b" c\;d`,
		`serve 'a'; b 'c'`: `serve 'a'; b 'c'`, `serve "it's" > log`: `serve "it's" > log`} {
		if got := (Command{Run: run}).line(&place{Port: 81}); got != want {
			t.Errorf("%q is run as %q, want %q", run, got, want)
		}
	}
}

func TestCommandRendersItsFiles(t *testing.T) {
	c := command("serve $(cat conf/port)")
	c.Files = map[string]string{"conf/port": "{{.Port}}"}
	i, err := c.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	i.Stop()
}

func TestCommandIsReadyByItsOutput(t *testing.T) {
	c := command("serve {port}")
	c.Ready = "output: serving"
	i, err := c.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	i.Stop()
}

func TestCommandThatFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	tests := []struct {
		name, want string
		change     func(*Command)
	}{
		{"dies", "no such table", func(c *Command) { c.Run = os.Args[0] + " die" }},
		{"is not there", "not found", func(c *Command) { c.Run = "no-such-server" }},
		{"never ready", "not within 1s", func(c *Command) { c.Run = os.Args[0] + " silent" }},
		{"path not there", "GET /health of 127.0.0.1:", func(c *Command) { c.Ready, c.Within = "/health", time.Hour }},
		{"unknown signal", `stop: "SMILE"; expected TERM, INT or QUIT`, func(c *Command) { c.Stop = "SMILE" }},
		{"file outside", `"../x" is not below`, func(c *Command) { c.Files = map[string]string{"../x": ""} }},
		{"bad template", "reading template", func(c *Command) { c.Files = map[string]string{"x": "{{"} }},
		{"unknown field", `rendering "x"`, func(c *Command) { c.Files = map[string]string{"x": "{{.Nothing}}"} }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := command("serve {port}")
			c.Within = time.Second
			test.change(&c)
			_, err := c.Launch(within(t, 20*time.Second))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v; want %q in it", err, test.want)
			}
			if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/[0-9]*"); len(left) != 0 {
				t.Errorf("folders left: %v", left)
			}
		})
	}
}

func TestURL(t *testing.T) {
	i, err := Child{Program: os.Args[0], Args: []string{"child"}}.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	u, err := URL{URL: "http://" + i.Address}.Launch(within(t, 5*time.Second))
	if err != nil || u.Address != i.Address || u.PID != 0 {
		t.Fatalf("Launch = %+v, %v", u, err)
	}
	u.Stop()
	if refuses(i.Address) {
		t.Error("stopping a URL arm stopped the server")
	}
}

func TestParseURL(t *testing.T) {
	for raw, want := range map[string]string{"http://127.0.0.1:81": "127.0.0.1:81", "http://host/": "host:80", "http://[::1]:8080": "[::1]:8080",
		"https://host": "host:443", "https://127.0.0.1:8443": "127.0.0.1:8443"} {
		got, tls, err := ParseURL(raw)
		if got != want || tls != strings.HasPrefix(raw, "https") || err != nil {
			t.Errorf("ParseURL(%q) = %q, %v; want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{"", "127.0.0.1:81", "ftp://x", "http://", "http://x/path", "http://x/?q", "http://u@x/", "http://x:y"} {
		if got, _, err := ParseURL(raw); err == nil {
			t.Errorf("ParseURL(%q) = %q; want an error", raw, got)
		}
	}
}
