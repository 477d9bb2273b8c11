package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
)

// TestServeAnswersForItsNamesAlone: a page elsewhere would read the runs here
// through a name of its own that it makes resolve to this machine.
func TestServeAnswersForItsNamesAlone(t *testing.T) {
	command := newServeCommand()
	said, stderr := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	command.SetArgs([]string{t.TempDir(), "--listen", "127.0.0.1:0", "--allow-host", "bench.example,192.0.2.9"})
	command.SetErr(stderr)
	ended := make(chan error, 1)
	go func() { ended <- command.ExecuteContext(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url, _, _ := strings.Cut(line, " ")
	for host, want := range map[string]int{"localhost": 200, "bench.example:8080": 200, "192.0.2.9": 200, "evil.example": 403, "bench.example.evil.example": 403} {
		if got := call(t, "GET", url, "", "Host", host); got != want {
			t.Errorf("Host %s: status %d, want %d", host, got, want)
		}
	}
}

func TestServeRefusesHostsThatAreNone(t *testing.T) {
	command := newServeCommand()
	command.SetArgs([]string{t.TempDir(), "--listen", "127.0.0.1:0", "--allow-host", "http://a:80"})
	command.SilenceErrors, command.SilenceUsage = true, true
	if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), `--allow-host: host "http://a:80": expected a name`) {
		t.Errorf("error %v", err)
	}
}
