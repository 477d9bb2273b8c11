package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"switchback/results/record"
)

// jaegerVariable names the file of a Jaeger that was built for the tests.
const jaegerVariable = "SWITCHBACK_JAEGER"

// traced is a short experiment with hits, misses and unknown hostnames.
const traced = `name: traced
dataset: {sizes: [100, 10]}
targets: {per_block: {100: 60, 10: 60, unknown: 10}}
load: {rate: 260/s}
arms:
  - {name: old, edge: {router: legacy}}
  - {name: new, edge: {router: hashed}}
blocks: {pairs: 2, length: 500ms}
`

// jaeger is a running Jaeger.
type jaeger struct {
	cmd         *exec.Cmd
	otlp, pages string
}

// startJaeger starts a Jaeger on free ports of loopback; without one the test
// is skipped.
func startJaeger(t *testing.T) *jaeger {
	t.Helper()
	program := os.Getenv(jaegerVariable)
	if program == "" {
		t.Skipf("no Jaeger: %s names none (./run.sh jaeger builds it)", jaegerVariable)
	}
	config, err := filepath.Abs("../../../tools/jaeger/config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ports := freePorts(t, 4)
	j := &jaeger{cmd: exec.Command(program, "--config", config), otlp: "grpc://127.0.0.1:" + ports[0], pages: "http://127.0.0.1:" + ports[1]}
	j.cmd.Env = append(os.Environ(), "JAEGER_OTLP_GRPC_PORT="+ports[0], "JAEGER_QUERY_PORT="+ports[1],
		"JAEGER_OTLP_HTTP_PORT="+ports[2], "JAEGER_QUERY_GRPC_PORT="+ports[3])
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.kill)
	waitFor(t, "Jaeger answers", 30*time.Second, func() bool {
		response, err := http.Get(j.pages + "/api/services")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	return j
}

func (j *jaeger) kill() {
	_ = j.cmd.Process.Kill() // may have been
	_ = j.cmd.Wait()
}

// freePorts returns ports that nobody listens on.
func freePorts(t *testing.T, n int) (ports []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	}
	return ports
}

// jaegerTrace is a trace as /api/traces has it.
type jaegerTrace struct {
	TraceID string       `json:"traceID"`
	Spans   []jaegerSpan `json:"spans"`
}

type jaegerSpan struct {
	SpanID     string `json:"spanID"`
	Name       string `json:"operationName"`
	Start      int64  `json:"startTime"` // µs, rounded down
	Duration   int64  `json:"duration"`  // µs
	References []struct {
		Type    string `json:"refType"`
		TraceID string `json:"traceID"`
		SpanID  string `json:"spanID"`
	} `json:"references"`
	Tags []struct {
		Key   string `json:"key"`
		Value any    `json:"value"`
	} `json:"tags"`
}

func (s *jaegerSpan) tag(key string) string {
	for _, t := range s.Tags {
		if t.Key == key {
			return fmt.Sprint(t.Value)
		}
	}
	return ""
}

func (s *jaegerSpan) parent() string {
	for _, r := range s.References {
		if r.Type == "CHILD_OF" {
			return r.SpanID
		}
	}
	return ""
}

// pageTraces is how many traces are asked for at once: far fewer than there
// are.
const pageTraces = 40

// traces reads all traces of an arm within a stretch of time, page by page: a
// stretch that fills a page is read again in halves.
func (j *jaeger) traces(t *testing.T, arm string, from, to time.Time) map[string]jaegerTrace {
	t.Helper()
	all := map[string]jaegerTrace{}
	page := j.page(t, arm, from, to)
	if len(page) < pageTraces {
		for _, trace := range page {
			all[trace.TraceID] = trace
		}
		return all
	}
	middle := from.Add(to.Sub(from) / 2)
	if middle.Sub(from) < 10*time.Microsecond {
		t.Fatalf("%d traces of arm %s begin within %v", len(page), arm, to.Sub(from))
	}
	maps.Copy(all, j.traces(t, arm, from, middle))
	maps.Copy(all, j.traces(t, arm, middle, to))
	return all
}

// page reads at most a page of the traces of an arm within a stretch of time.
func (j *jaeger) page(t *testing.T, arm string, from, to time.Time) []jaegerTrace {
	t.Helper()
	query := url.Values{"service": {"switchback"}, "limit": {strconv.Itoa(pageTraces)}, "tags": {fmt.Sprintf(`{"switchback.arm":%q}`, arm)},
		"start": {strconv.FormatInt(from.UnixMicro(), 10)}, "end": {strconv.FormatInt(to.UnixMicro()+1, 10)}}
	response, err := http.Get(j.pages + "/api/traces?" + query.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Data []jaegerTrace `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer.Data
}

// runTraced runs the experiment with every request traced and returns its
// folder and what it said.
func runTraced(t *testing.T, otlp string, during func(run string), flags ...string) (*record.Folder, string) {
	t.Helper()
	dir := t.TempDir()
	file, run := filepath.Join(dir, "traced.yaml"), filepath.Join(dir, "run")
	if err := os.WriteFile(file, []byte(traced), 0o644); err != nil {
		t.Fatal(err)
	}
	said := &strings.Builder{}
	arguments := []string{"run", file, "--out", run, "--quiet", "--otlp", otlp, "--trace-share", "100%", "--jaeger-ui", "http://jaeger.example/"}
	cmd := exec.Command("switchback", append(arguments, flags...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	during(run)
	if err := cmd.Wait(); !toItsEnd(err) {
		t.Fatalf("%v\n%s", err, said)
	}
	folder, err := record.Open(run)
	if err != nil {
		t.Fatal(err)
	}
	return folder, said.String()
}

// TestTracesInJaeger reads back from a real Jaeger what a run sent: every
// request has its chain, to the cache on a hit and to the origin on a miss.
func TestTracesInJaeger(t *testing.T) {
	j := startJaeger(t)
	folder, said := runTraced(t, j.otlp, func(string) {})
	var sent, found int64
	of := map[string]int{} // requests that a block has traces of
	for _, arm := range folder.Manifest.Order[0] {
		for _, trace := range j.traces(t, arm, folder.Manifest.Start.Add(-time.Second), folder.Manifest.End.Add(time.Second)) {
			found += int64(len(trace.Spans))
			of[trace.Spans[0].tag("switchback.arm")+trace.Spans[0].tag("switchback.pair")]++
			checkChain(t, trace)
			checkPlace(t, trace, folder.Manifest.Run, arm)
		}
	}
	for _, b := range folder.Blocks {
		if b.Spans == nil || b.Spans.Made != b.Spans.Delivered {
			t.Fatalf("pair %d, arm %s: spans %+v, notes %q", b.Pair, b.Arm, b.Spans, b.Notes)
		}
		sent += b.Spans.Delivered
		if n := of[b.Arm+strconv.Itoa(b.Pair)]; n != b.Due || n < 2*pageTraces {
			t.Errorf("pair %d, arm %s: %d traces of %d requests; expected more than two pages", b.Pair, b.Arm, n, b.Due)
		}
	}
	if sent == 0 || found != sent {
		t.Errorf("Jaeger has %d spans of %d delivered", found, sent)
	}
	page, err := os.ReadFile(filepath.Join(folder.Dir, "report.html"))
	if err != nil || !strings.Contains(string(page), "http://jaeger.example/trace/") || !strings.Contains(said, "http://jaeger.example/trace/") {
		t.Errorf("no link to a trace in report.html (%v) or in %s", err, said)
	}
}

// checkPlace checks that each span of a request says of what block it is.
func checkPlace(t *testing.T, trace jaegerTrace, run, arm string) {
	t.Helper()
	first := &trace.Spans[0]
	for i := range trace.Spans {
		s := &trace.Spans[i]
		if s.tag("switchback.run") != run || s.tag("switchback.arm") != arm || s.tag("switchback.pair") == "" || s.tag("switchback.block") == "" ||
			s.tag("switchback.pair") != first.tag("switchback.pair") || s.tag("switchback.block") != first.tag("switchback.block") {
			t.Errorf("trace %s: %s has the tags %v", trace.TraceID, s.Name, s.Tags)
		}
	}
}

// checkChain checks the spans of one request.
func checkChain(t *testing.T, trace jaegerTrace) {
	t.Helper()
	byName, byID := map[string]*jaegerSpan{}, map[string]*jaegerSpan{}
	for i := range trace.Spans {
		s := &trace.Spans[i]
		if byName[s.Name] != nil {
			t.Errorf("trace %s has two spans %s", trace.TraceID, s.Name)
		}
		byName[s.Name], byID[s.SpanID] = s, s
	}
	parents := map[string]string{"request": "", "edge": "request", "route": "edge"}
	if cache := byName["cache"]; cache != nil {
		parents["ring"], parents["cache"] = "edge", "edge"
		if cache.tag("switchback.cache") == "miss" {
			parents["origin.fetch"], parents["origin"] = "cache", "origin.fetch"
		}
	} else if byName["edge"] != nil && byName["edge"].tag("http.response.status_code") == "200" {
		parents["origin.fetch"], parents["origin"] = "edge", "origin.fetch" // a function's answer
	}
	if len(byName) != len(parents) {
		t.Errorf("trace %s has %d spans, want those of %v", trace.TraceID, len(byName), parents)
	}
	for name, parent := range parents {
		s := byName[name]
		if s == nil {
			t.Errorf("trace %s has no span %s", trace.TraceID, name)
			continue
		}
		if parent == "" {
			continue
		}
		p := byID[s.parent()]
		if p == nil || p.Name != parent {
			t.Errorf("trace %s: %s is not under %s", trace.TraceID, name, parent)
		} else if s.Start < p.Start || s.Start+s.Duration > p.Start+p.Duration+rounding {
			t.Errorf("trace %s: %s (%d+%d µs) is not within %s (%d+%d µs)", trace.TraceID, name, s.Start, s.Duration, parent, p.Start, p.Duration)
		}
	}
}

// rounding is what two instants cut to microseconds, and the slewing of the
// clock that processes share, may be apart.
const rounding = 100

// TestJaegerKilled checks that a collector that dies in the middle costs spans
// and neither the run nor its validity.
func TestJaegerKilled(t *testing.T) {
	j := startJaeger(t)
	folder, _ := runTraced(t, j.otlp, func(run string) {
		waitFor(t, "a block on disk", time.Minute, func() bool { return countLines(filepath.Join(run, record.BlocksFile)) >= 1 })
		j.kill()
	})
	notes := strings.Join(folder.Summary.Validity.Notes, "\n")
	if len(folder.Blocks) != 4 || !strings.Contains(notes, "spans did not reach the collector") {
		t.Errorf("%d blocks, notes %q", len(folder.Blocks), notes)
	}
	for _, b := range folder.Blocks {
		if b.Generator.LatenessP99 > 0.01 {
			t.Logf("pair %d, arm %s: lateness p99 %v s", b.Pair, b.Arm, b.Generator.LatenessP99)
		}
		if b.Due != 130 || b.Released != b.Due {
			t.Errorf("pair %d, arm %s: %d of %d released", b.Pair, b.Arm, b.Released, b.Due)
		}
	}
}

// TestCollectorThatIsNone checks that a run does not begin when its traces
// cannot be delivered.
func TestCollectorThatIsNone(t *testing.T) {
	out, err := exec.Command("switchback", "run", "--short", "--otlp", "http://127.0.0.1:"+freePorts(t, 1)[0], "--out", filepath.Join(t.TempDir(), "run")).CombinedOutput()
	if err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "nothing listens there") {
		t.Errorf("%v: %s", err, out)
	}
}
