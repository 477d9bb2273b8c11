package arm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// get asks address once and returns the body.
func get(ctx context.Context, address string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/", nil)
	if err != nil {
		return "", err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func TestChildServesAndStops(t *testing.T) {
	cleaned := false
	child := Child{Program: os.Args[0], Args: []string{"child", "--a"},
		Prepare: func(context.Context) ([]string, func(), error) {
			return []string{"--b"}, func() { cleaned = true }, nil
		},
		Probe: func(ctx context.Context, address string) error {
			_, err := get(ctx, address)
			return err
		}}
	i, err := child.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	body, err := get(within(t, 10*time.Second), i.Address)
	if want := "--a --b --parent-fd 3"; body != want || err != nil {
		t.Errorf("the child's arguments are %q, %v; want %q", body, err, want)
	}
	if i.Alive() != nil || i.Startup <= 0 || i.PID == 0 {
		t.Errorf("a running child is %+v, alive: %v", i, i.Alive())
	}
	i.Stop()
	i.Stop()
	if !errors.Is(i.Alive(), ErrDead) || !refuses(i.Address) || !cleaned {
		t.Errorf("after Stop: alive %v, refuses %v, cleaned %v", i.Alive(), refuses(i.Address), cleaned)
	}
}

func TestChildThatFails(t *testing.T) {
	never := func(ctx context.Context, address string) error {
		_, err := get(ctx, address)
		return errors.Join(errors.New("status 500, want 200"), err)
	}
	tests := []struct {
		name, role string
		probe      Probe
		want       string
	}{
		{"dies at once", "die", nil, `no such table\x1b[31m`},
		{"never ready", "silent", nil, "not ready: not within 1s"},
		{"never answers rightly", "child", never, "no good answer: status 500, want 200"},
		{"its last lines", "child", never, "its last lines:\n  asked for /"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cleaned := false
			prepare := func(context.Context) ([]string, func(), error) { return nil, func() { cleaned = true }, nil }
			_, err := Child{Program: os.Args[0], Args: []string{test.role}, Within: time.Second,
				Probe: test.probe, Prepare: prepare}.Launch(within(t, 20*time.Second))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v; want %q in it", err, test.want)
			}
			if !cleaned {
				t.Error("what was prepared is still there")
			}
		})
	}
}

func TestChildEndsWithItsParentsPipe(t *testing.T) {
	i, err := Child{Program: os.Args[0], Args: []string{"child"}}.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	i.process.parent.Close() // what the kernel does when the harness is killed
	select {
	case <-i.Dead():
	case <-within(t, 10*time.Second).Done():
		t.Error("the child outlives its parent")
	}
	i.Stop()
}

func TestPinnedChildSeesItsCPUs(t *testing.T) {
	i, err := Child{Program: os.Args[0], Args: []string{"child"}, CPUs: []int{0}}.Launch(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer i.Stop()
	status, err := os.ReadFile("/proc/" + itoa(i.PID) + "/status")
	if err != nil || !strings.Contains(string(status), "Cpus_allowed_list:\t0\n") {
		t.Errorf("the child is not pinned to CPU 0: %v", err)
	}
}
