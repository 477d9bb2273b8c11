package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"switchback/datasets"
	"switchback/edge/admin"
	"switchback/edge/publish"
	"switchback/origin"
)

// started is a command that serves.
type started struct {
	readyLine
	stop  context.CancelFunc
	ended chan error
}

// start runs a serving command until its ready line.
func start(t *testing.T, command *cobra.Command, args ...string) *started {
	t.Helper()
	lines, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	s := &started{stop: stop, ended: make(chan error, 1)}
	command.SetArgs(args)
	command.SetOut(out)
	command.SilenceErrors, command.SilenceUsage = true, true
	go func() {
		err := command.ExecuteContext(ctx)
		out.CloseWithError(err)
		s.ended <- err
	}()
	if err := json.NewDecoder(lines).Decode(&s.readyLine); err != nil {
		t.Fatalf("no ready line: %v", err)
	}
	t.Cleanup(stop)
	return s
}

// end stops the command and returns its error.
func (s *started) end() error {
	s.stop()
	return <-s.ended
}

func fetch(t *testing.T, address, host, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequest("GET", "http://"+address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}

// published returns the flags of an edge over a small published dataset, and
// one of its hostnames with the body of its front page's origin path.
func published(t *testing.T) (args []string, host string, page datasets.Asset) {
	t.Helper()
	var stream bytes.Buffer
	if _, err := datasets.Generate(&stream, 3, datasets.Settings{Sizes: []int{3}}); err != nil {
		t.Fatal(err)
	}
	raw := stream.Bytes()
	first, err := datasets.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	p, d, err := first.Next()
	if err != nil {
		t.Fatal(err)
	}
	source, err := datasets.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	dir := t.TempDir()
	store, secret := filepath.Join(dir, "store"), filepath.Join(dir, "secret")
	if err := publish.Publish(t.Context(), source, store, publish.Options{Secret: []byte("s3")}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret, []byte("s3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--store", store, "--secret-file", secret}, p.Hostnames(d)[0], d.Assets[0]
}

// TestOtherWebPagesAreRefused: a page anywhere can make a browser on this
// machine ask a listener here. Content listeners answer every Host.
func TestOtherWebPagesAreRefused(t *testing.T) {
	args, host, page := published(t)
	o := start(t, newOriginCommand())
	e := start(t, newEdgeCommand(), append(args, "--origin", "http://"+o.Listen, "--allow-host", "bench.example")...)
	for _, c := range []struct {
		address, method, path, body string
		header                      []string // pairs
		want                        int
	}{
		{e.Admin, "GET", "/stats", "", []string{"Host", "evil.example"}, 403},
		{o.Admin, "GET", "/stats", "", []string{"Host", "evil.example"}, 403},
		{o.Admin, "GET", "/stats", "", []string{"Host", "bench.example"}, 403},
		{e.Admin, "GET", "/stats", "", []string{"Host", "bench.example:80"}, 200},
		{e.Admin, "GET", "/metrics", "", []string{"Host", "evil.example"}, 403},
		{e.Admin, "GET", "/debug/pprof/heap", "", []string{"Host", "evil.example"}, 403},
		{e.Admin, "GET", "/debug/pprof/heap", "", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{e.Admin, "GET", "/debug/pprof/heap", "", nil, 200},
		{e.Admin, "PUT", "/flags", `{"router":{"share":1}}`, []string{"Content-Type", "text/plain"}, 415},
		{e.Admin, "PUT", "/flags", `{"router":{"share":1}}`, []string{"Content-Type", "application/json", "Origin", "http://evil.example"}, 403},
		{e.Admin, "POST", "/store/checkpoint", `{"dir":"/tmp/x"}`, []string{"Content-Type", "text/plain"}, 415},
		{e.Admin, "POST", "/store/checkpoint", `{"dir":"/tmp/x"}`, []string{"Content-Type", "application/json"}, 400},
		{o.Admin, "GET", "/healthz", "", []string{"Origin", "null"}, 403},
		{e.Listen, "GET", page.Path, "", []string{"Host", host, "Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site"}, 200},
		{e.Listen, "GET", "/", "", []string{"Host", "evil.example"}, 404},
		{o.Listen, "GET", "/f/deployment/10/page", "", []string{"Host", "evil.example", "Origin", "http://evil.example"}, 200},
	} {
		if got := call(t, c.method, "http://"+c.address+c.path, c.body, c.header...); got != c.want {
			t.Errorf("%+v: status %d", c, got)
		}
	}
	client := admin.NewClient(e.Admin, "")
	defer client.Close()
	if s, err := client.Stats(t.Context()); err != nil || s.Flags.Version != 1 {
		t.Errorf("flags %+v, %v: want them unchanged", s.Flags, err)
	}
	if err := errors.Join(e.end(), o.end()); err != nil {
		t.Error(err)
	}
}

// call makes a request with pairs of header lines and returns the status.
func call(t *testing.T, method, url, body string, header ...string) int {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if request.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			request.Host = header[i+1]
		}
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 20 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func TestEdgeInFrontOfOrigin(t *testing.T) {
	args, host, page := published(t)
	o := start(t, newOriginCommand(), "--delay", "100us")
	e := start(t, newEdgeCommand(), append(args, "--origin", "http://"+o.Listen, "--router", "legacy+hashed", "--ring", "v1+v2:16", "--colos", "ams,fra", "--node-listeners")...)
	status, body := fetch(t, e.Listen, host, page.Path)
	unit := page.OriginPath() + "\n"
	if want := strings.Repeat(unit, int(page.Bytes)/len(unit)+1)[:page.Bytes]; status != 200 || body != want {
		t.Errorf("status %d, %d bytes; want 200, %d bytes of the law", status, len(body), len(want))
	}
	edgeClient, originClient := admin.NewClient(e.Admin, ""), admin.NewClient(o.Admin, "")
	defer edgeClient.Close()
	defer originClient.Close()
	if s, err := edgeClient.Stats(t.Context()); err != nil || s.Router["legacy"].Requests != 1 || s.Ring["v2:16"].Points == 0 {
		t.Errorf("edge stats %+v, %v", s, err)
	}
	waitFor(t, "the origin counts the bytes, which it does after it has sent them", 10*time.Second, func() bool {
		s, err := originClient.OriginStats(t.Context())
		return err == nil && s.Requests == 1 && s.Hostname[host].Bytes == page.Bytes && s.Ring["v1"].Requests == 1
	})
	if err := originClient.Health(t.Context()); err != nil {
		t.Error(err)
	}
	if e.PID != os.Getpid() || !e.Ready {
		t.Errorf("ready line %+v", e.readyLine)
	}
	if err := e.end(); err != nil {
		t.Errorf("edge: %v", err)
	}
	if err := o.end(); err != nil {
		t.Errorf("origin: %v", err)
	}
}

// What the origin says is read whole by the type of the admin package.
func TestOriginStatsHaveOneShape(t *testing.T) {
	theirs := origin.Stats{
		Schema: admin.OriginStatsSchema, Requests: 1, Bytes: 2, InFlight: 3, Status: map[string]int64{"200": 4},
		Hostname: map[string]origin.Count{"h": {Requests: 5, Bytes: 6}}, Router: map[string]origin.Count{"r": {Requests: 7}},
		Ring: map[string]origin.Count{"v1": {Requests: 8}}, Node: map[string]origin.Count{"n1": {Requests: 9}}, Colo: map[string]origin.Count{"ams": {Requests: 10}},
	}
	raw, err := json.Marshal(theirs)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var ours admin.OriginStats
	if err := decoder.Decode(&ours); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(ours); err != nil || !bytes.Equal(again, raw) {
		t.Errorf("through admin.OriginStats %s becomes %s (%v)", raw, again, err)
	}
}

func TestRequestsInFlightFinishAndNewOnesAreRefused(t *testing.T) {
	o := start(t, newOriginCommand(), "--delay", "300ms")
	answers := make(chan int, 1)
	go func() {
		status, _ := fetch(t, o.Listen, "h", "/a/x/10")
		answers <- status
	}()
	client := admin.NewClient(o.Admin, "")
	defer client.Close()
	for inFlight := int64(0); inFlight == 0; {
		s, err := client.OriginStats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		inFlight = s.InFlight
	}
	if err := o.end(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if status := <-answers; status != 200 {
		t.Errorf("the request in flight got status %d", status)
	}
	if response, err := http.Get("http://" + o.Listen + "/a/x/10"); err == nil {
		response.Body.Close()
		t.Error("a new request was answered after the end")
	}
}

func TestEndsWithItsParent(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	own, err := syscall.Dup(int(read.Fd())) // a child has a descriptor of its own
	if err != nil {
		t.Fatal(err)
	}
	o := start(t, newOriginCommand(), "--parent-fd", fmt.Sprint(own))
	write.Close()
	if err := <-o.ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestAdminTokenIsNeeded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("open sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := start(t, newOriginCommand(), "--admin-token-file", file, "--admin", "0.0.0.0:0")
	_, port, _ := strings.Cut(o.Admin, "]:")
	for token, want := range map[string]bool{"": false, "open": false, "open sesame": true} {
		client := admin.NewClient("127.0.0.1:"+port, token)
		if err := client.Health(t.Context()); (err == nil) != want {
			t.Errorf("token %q: %v", token, err)
		}
		client.Close()
	}
	if err := o.end(); err != nil {
		t.Error(err)
	}
}

func TestBadUsage(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"origin", "--delay", "fast"}, "lognormal"},
		{[]string{"origin", "--errors", "120%"}, "0% to 100%"},
		{[]string{"origin", "--concurrency", "-1"}, "negative"},
		{[]string{"origin", "--admin", "0.0.0.0:0"}, "needs a token"},
		{[]string{"origin", "more"}, "unknown command"},
		{[]string{"edge"}, "--store"},
		{[]string{"edge", "--store", "d"}, "--secret-file"},
		{[]string{"edge", "--lru", "64"}, "unit"},
		{[]string{"edge", "--lru", "-1MiB"}, "such as 64MiB"},
		{[]string{"edge", "--lru", "0B"}, "above 0"},
		{[]string{"edge", "--neighbours", "many"}, "such as 150/s"},
	} {
		command := newOriginCommand()
		if row.args[0] == "edge" {
			command = newEdgeCommand()
		}
		command.SetArgs(row.args[1:])
		command.SilenceErrors, command.SilenceUsage = true, true
		var out bytes.Buffer
		command.SetOut(&out)
		if err := command.Execute(); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v: error %v, want one that says %q", row.args, err, row.want)
		}
	}
}
