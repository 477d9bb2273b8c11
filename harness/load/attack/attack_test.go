package attack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	vegeta "github.com/tsenart/vegeta/v12/lib"
	"go.uber.org/goleak"

	"switchback/harness/load"
	"switchback/harness/load/attack"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// asked records the requests that a server got, as METHOD host path.
type asked struct {
	mu   sync.Mutex
	list map[string]int
}

func (a *asked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.list == nil {
		a.list = map[string]int{}
	}
	a.list[r.Method+" "+r.Host+" "+r.RequestURI]++
	if r.URL.Path == "/missing" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	io.WriteString(w, "hello")
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// attackWith runs a short load.
func attackWith(t *testing.T, s attack.Settings) *attack.Report {
	t.Helper()
	if s.Duration == 0 {
		s.Duration = 100 * time.Millisecond
	}
	a, err := attack.New(s)
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Run(context.Background(), attack.Live{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestAnOpenLoopSendsItsSchedule(t *testing.T) {
	for _, engine := range []string{"wire", "vegeta"} {
		t.Run(engine, func(t *testing.T) {
			url := serve(t, &asked{})
			r := attackWith(t, attack.Settings{URL: url + "/x", Rate: 500, Arrivals: "constant", Engine: engine})
			if r.Schema != "switchback.attack/1" || r.Requests != 50 || len(r.Errors) != 0 || r.Rate.Asked != 500 || r.ClosedLoop {
				t.Fatalf("%+v", r)
			}
			for name, q := range map[string]attack.Quantiles{"ttfb": r.TTFB, "service_ttfb": r.ServiceTTFB, "latency": r.Latency} {
				if !(q.P50 > 0 && q.P50 <= q.P90 && q.P90 <= q.P95 && q.P95 <= q.P99 && q.P99 <= q.P999 && q.P999 <= q.Max) {
					t.Errorf("%s %+v does not ascend", name, q)
				}
			}
		})
	}
}

func TestErrorsAreCountedByKind(t *testing.T) {
	url := serve(t, &asked{})
	if r := attackWith(t, attack.Settings{URL: url + "/missing", Rate: 200, Arrivals: "constant"}); r.Errors["status"] != 20 || r.TTFB.P50 <= 0 {
		t.Errorf("a 404: %+v", r)
	}
	r := attackWith(t, attack.Settings{URL: url, ConnectTo: "127.0.0.1:1", Rate: 200, Arrivals: "constant"})
	if r.Errors["dial"] != 20 || r.Requests != 20 || r.DialErrors["127.0.0.1:1: connection refused"] != 20 ||
		!slices.Contains(r.Reasons, attack.Reason{Kind: "dial", Text: "no connection: 127.0.0.1:1: connection refused", Count: 20}) {
		t.Errorf("nobody listens: %+v", r)
	}
}

func TestAClosedLoopIsLabelled(t *testing.T) {
	r := attackWith(t, attack.Settings{URL: serve(t, &asked{}), Arrivals: "concurrency", Options: load.Options{Connections: 2}})
	if !r.ClosedLoop || r.Requests == 0 || r.Rate.Asked != 0 || r.Connections.Dials > 2 {
		t.Fatalf("%+v", r)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "closed loop") {
		t.Fatalf("%v: %s", err, &text)
	}
}

// TestTextHasNoExponent: 999.7 µs were printed as 1e+03µs.
func TestTextHasNoExponent(t *testing.T) {
	r := attack.Report{TTFB: attack.Quantiles{P50: 999.7e-6, P90: 0.9997, P99: 999.7e-9, Max: 12.34}}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" 1.00 ms ", " 1.00 s ", " 1.00 µs ", " 12.3 s"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

func TestWhatIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, content string
		settings      func(file string) attack.Settings
		want          []string
	}{
		{"hosts", "a.example\n# comment\n\nb.example:8080\n",
			func(f string) attack.Settings { return attack.Settings{Hosts: f} },
			[]string{"GET a.example /p?q=1", "GET b.example:8080 /p?q=1"}},
		{"vegeta's HTTP format", "GET http://a.example/x\nX-A: 1\n\nDELETE http://b.example/y\n",
			func(f string) attack.Settings { return attack.Settings{Targets: f} },
			[]string{"GET a.example /x", "DELETE b.example /y"}},
		{"hop-by-hop fields", "GET http://a.example/x\nConnection: close\nContent-Length: 9\n\nGET http://b.example/y\n",
			func(f string) attack.Settings { return attack.Settings{Targets: f} },
			[]string{"GET a.example /x", "GET b.example /y"}},
		{"JSON without a last newline", `{"method":"GET","url":"http://a.example/x"}` + "\n" + `{"method":"GET","url":"http://b.example/y"}`,
			func(f string) attack.Settings { return attack.Settings{Targets: f} },
			[]string{"GET a.example /x", "GET b.example /y"}},
		{"vegeta's JSON format", `{"method":"POST","url":"http://a.example/x","body":"aGk="}` + "\n",
			func(f string) attack.Settings { return attack.Settings{Targets: f} },
			[]string{"POST a.example /x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, "file")
			if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			var a asked
			s := c.settings(file)
			s.URL, s.Rate, s.Arrivals = serve(t, &a)+"/p?q=1", 100, "constant"
			if r := attackWith(t, s); len(r.Errors) > 0 {
				t.Fatalf("%+v", r)
			}
			a.mu.Lock()
			defer a.mu.Unlock()
			for _, want := range c.want {
				if a.list[want] != 10/len(c.want) {
					t.Errorf("%q was asked %d times, want %d: %v", want, a.list[want], 10/len(c.want), a.list)
				}
			}
		})
	}
}

func TestTheFolderIsReadByOthers(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	report := attackWith(t, attack.Settings{URL: serve(t, &asked{}) + "/x", Rate: 500, Arrivals: "constant", Out: out})
	vegetaReads(t, filepath.Join(out, attack.VegetaFile))
	histogramsRead(t, filepath.Join(out, attack.HistogramsFile))
	text, err := os.ReadFile(filepath.Join(out, attack.ReportFile))
	var read attack.Report
	if err != nil || json.Unmarshal(text, &read) != nil || read.Requests != report.Requests {
		t.Errorf("report: %v %s", err, text)
	}
}

// TestLoadsAreToldApartInVegetasResults: all results were named "switchback", so
// that a plot of two files drew one series over the other.
func TestLoadsAreToldApartInVegetasResults(t *testing.T) {
	dir := t.TempDir()
	url := serve(t, &asked{})
	hosts := filepath.Join(dir, "hosts")
	if err := os.WriteFile(hosts, []byte("a.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ out, name, want string }{{"before", "", "before"}, {"x", "after", "after"}} {
		out := filepath.Join(dir, c.out)
		attackWith(t, attack.Settings{URL: url + "/p?q=1", Hosts: hosts, Rate: 500, Arrivals: "constant", Out: out, Name: c.name})
		for _, r := range vegetaReads(t, filepath.Join(out, attack.VegetaFile)) {
			if r.Attack != c.want || r.URL != "http://a.example/p?q=1" {
				t.Fatalf("attack %q at %s, want %q at the hostname's URL", r.Attack, r.URL, c.want)
			}
		}
	}
}

// vegetaReads has vegeta sum up 50 results and returns them.
func vegetaReads(t *testing.T, path string) (list []vegeta.Result) {
	t.Helper()
	var metrics vegeta.Metrics
	results, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer results.Close()
	decode := vegeta.NewDecoder(results)
	for {
		var r vegeta.Result
		if err := decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		metrics.Add(&r)
		list = append(list, r)
	}
	if metrics.Close(); metrics.Requests != 50 || metrics.Success != 1 || metrics.BytesIn.Total != 250 {
		t.Errorf("vegeta reads %d requests, success %v, %d bytes", metrics.Requests, metrics.Success, metrics.BytesIn.Total)
	}
	return list
}

// histogramsRead reads the log with HdrHistogram's reader.
func histogramsRead(t *testing.T, path string) {
	t.Helper()
	log, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	tags := map[string]int64{}
	reader := hdr.NewHistogramLogReader(log)
	for h, err := reader.NextIntervalHistogram(); h != nil && err == nil; h, err = reader.NextIntervalHistogram() {
		tags[h.Tag()] = h.TotalCount()
	}
	for _, metric := range []string{"ttfb", "service_ttfb", "latency", "lateness", "blocked"} {
		if tags[metric] != 50 {
			t.Errorf("the histogram of %s holds %d values: %v", metric, tags[metric], tags)
		}
	}
}

func TestAStoppedLoadReportsWhatItMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var once sync.Once
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x" {
			once.Do(func() { time.AfterFunc(20*time.Millisecond, cancel) })
		}
	})
	a, err := attack.New(attack.Settings{URL: serve(t, handler) + "/x", Rate: 1000, Duration: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Run(ctx, attack.Live{})
	if !errors.Is(err, context.Canceled) || report == nil || report.Requests == 0 || report.TTFB.P50 <= 0 {
		t.Fatalf("error %v, report %+v", err, report)
	}
}

func TestAWarmUpIsNotCounted(t *testing.T) {
	var a asked
	r := attackWith(t, attack.Settings{URL: serve(t, &a) + "/x", Rate: 500, Arrivals: "constant", Warmup: "100ms"})
	a.mu.Lock()
	defer a.mu.Unlock()
	total := 0
	for _, n := range a.list {
		total += n
	}
	if r.Requests != 50 || total != 100 || r.WarmupSeconds <= 0 {
		t.Fatalf("%d counted of %d, warm-up %v s", r.Requests, total, r.WarmupSeconds)
	}
}

func TestBadSettingsAreRefusedBeforeAnythingIsSent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("GET http://a.example/x\nContent-Length: 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("GET http://a.example/\n\nGET https://other.example/\nAuthorization: Bearer x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(long, bytes.Repeat([]byte("a"), 100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	const url = "http://127.0.0.1:1/"
	for name, s := range map[string]attack.Settings{
		"no rate":                  {URL: url},
		"a negative rate":          {URL: url, Rate: -1},
		"a rate and a closed loop": {URL: url, Rate: 1, Arrivals: "concurrency"},
		"an unknown law":           {URL: url, Rate: 1, Arrivals: "often"},
		"another scheme":           {URL: "ftp://127.0.0.1/", Rate: 1},
		"no host":                  {URL: "http:///x", Rate: 1},
		"no scheme":                {URL: "127.0.0.1:1/x", Rate: 1},
		"a long hostname":          {URL: url, Rate: 1, Hosts: long},
		"https by wire":            {URL: "https://127.0.0.1:1/", Rate: 1, Engine: "wire"},
		"an unknown engine":        {URL: url, Rate: 1, Engine: "ab"},
		"unknown pooling":          {URL: url, Rate: 1, Options: load.Options{Pooling: "some"}},
		"no such file":             {URL: url, Rate: 1, Hosts: file + "x"},
		"two files":                {URL: url, Rate: 1, Hosts: file, Targets: file},
		"hostnames with blanks":    {URL: url, Rate: 1, Hosts: file},
		"https in clear text":      {URL: url, Rate: 1, Targets: secret},
		"no hostname in the URL":   {URL: "http://a*b/", Rate: 1},
		"a folder that exists":     {URL: url, Rate: 1, Out: filepath.Dir(file)},
		"a bad warm-up":            {URL: url, Rate: 1, Warmup: "long"},
		"connect-to, no port":      {URL: url, Rate: 1, ConnectTo: "localhost"},
		"a name with a newline":    {URL: url, Rate: 1, Name: "a\nb"},
		"a negative duration":      {URL: url, Rate: 1, Duration: -1},
	} {
		if _, err := attack.New(s); err == nil {
			t.Errorf("%s: no error", name)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q has lines", name, err)
		}
	}
}
