package site

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"switchback/results/record"
	"switchback/results/report/internal/chromium"
	"switchback/results/report/internal/made"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// runs makes a folder with two runs, one that was killed, one that is half
// written, a file and a folder that is none.
func runs(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "runs")
	made.Run{Pairs: 6, Seed: 1}.Write(t, dir, "20261130T010203Z-made-0001")
	made.Run{Pairs: 6, Seed: 2, Arm: "<script>window.ran=1</script>"}.Write(t, dir, "20261130T010203Z-made-0002")
	made.Run{Pairs: 6, Half: true}.Write(t, dir, "20261130T010203Z-killed-0003")
	half := filepath.Join(dir, `20261130T010203Z-"><script>window.ran=2<`)
	if err := os.Mkdir(half, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(half, record.ManifestFile): `{"schema":"switchback.man`, filepath.Join(dir, "notes.txt"): "not a run"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// get asks a handler for a path with a Host header.
func get(t *testing.T, h http.Handler, method, path, host string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func TestPages(t *testing.T) {
	h := Handler(Options{Dir: runs(t)})
	const local = "127.0.0.1:7878"
	for name, c := range map[string]struct {
		method, path, host string
		status             int
		has                string
	}{
		"list":             {"GET", "/", local, 200, "20261130T010203Z-made-0001"},
		"list says broken": {"GET", "/", local, 200, `class="chip broken"`},
		"list says killed": {"GET", "/", local, 200, `class="chip unfinished"`},
		"a run":            {"GET", "/run/20261130T010203Z-made-0001", local, 200, "times faster than legacy"},
		"a killed run":     {"GET", "/run/20261130T010203Z-killed-0003", local, 404, "did not end"},
		"no run":           {"GET", "/run/none", local, 404, "can&#39;t be shown"},
		"a way out":        {"GET", "/run/..%2F..%2Fetc", local, 404, "no name of a run"},
		"a file":           {"GET", "/run/notes.txt", local, 404, "can&#39;t be shown"},
		"two runs":         {"GET", "/compare?run=20261130T010203Z-made-0001&run=20261130T010203Z-made-0002", local, 200, "Runs side by side"},
		"one run":          {"GET", "/compare?run=20261130T010203Z-made-0001", local, 400, "two to 8 runs"},
		"too many runs":    {"GET", "/compare?" + strings.Repeat("run=a&", 9), local, 400, "two to 8 runs"},
		"two, one broken":  {"GET", "/compare?run=20261130T010203Z-made-0001&run=..", local, 404, "no name of a run"},
		"nothing":          {"GET", "/etc/passwd", local, 404, "There is no page /etc/passwd"},
		"writing":          {"POST", "/", local, 405, ""},
		"localhost":        {"GET", "/", "localhost", 200, "made"},
		"IPv6":             {"GET", "/", "[::1]:7878", 200, "made"},
	} {
		if status, body := get(t, h, c.method, c.path, c.host); status != c.status || !strings.Contains(body, c.has) {
			t.Errorf("%s: status %d, want %d with %q in\n%.300s", name, status, c.status, c.has, body)
		}
	}
}

func TestNoRuns(t *testing.T) {
	status, body := get(t, Handler(Options{Dir: filepath.Join(t.TempDir(), "none")}), "GET", "/", "localhost")
	if status != 200 || !strings.Contains(body, "No runs yet") {
		t.Errorf("status %d: %s", status, body)
	}
}

// serve serves a handler on a loopback port until the test ends.
func serve(t *testing.T, h http.Handler) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, listener, h) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	return "http://" + listener.Addr().String()
}

func TestServeEndsWithItsContext(t *testing.T) {
	address := serve(t, Handler(Options{Dir: t.TempDir()}))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(body), "No runs yet") {
		t.Errorf("%s, %v", body, err)
	}
}

func TestSiteInBrowser(t *testing.T) {
	b := chromium.Start(t)
	address := serve(t, Handler(Options{Dir: runs(t)}))
	for _, width := range []int{1280, 390} {
		for _, path := range []string{"/", "/run/20261130T010203Z-made-0002", "/compare?run=20261130T010203Z-made-0001&run=20261130T010203Z-made-0002"} {
			p := b.Open(t, address+path, chromium.Look{Width: width, Height: 900})
			if said := p.Console(); len(said) > 0 {
				t.Errorf("%s, %d: the console has %q", path, width, said)
			}
			if asked := p.Requests(address); len(asked) > 0 {
				t.Errorf("%s, %d: asked for %q", path, width, asked)
			}
			if got := chromium.Eval[int](p, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s is %d pixels wide in a window of %d", path, got, width)
			}
			if chromium.Eval[bool](p, `window.ran !== undefined`) {
				t.Errorf("%s, %d: something ran", path, width)
			}
			if blank := chromium.Eval[int](p, `[...document.querySelectorAll("figure.figure")].filter(f => !f.querySelector("canvas")).length`); blank > 0 {
				t.Errorf("%s, %d: %d charts are not drawn", path, width, blank)
			}
		}
	}
}

// TestChooseAndCompare goes from the list to a comparison as a person does.
func TestChooseAndCompare(t *testing.T) {
	b := chromium.Start(t)
	p := b.Open(t, serve(t, Handler(Options{Dir: runs(t)})), chromium.Look{Width: 1280, Height: 900})
	p.Follow(`document.querySelectorAll("input[type=checkbox]").forEach(c => c.click()), document.querySelector("button").click()`)
	if got := chromium.Eval[string](p, `document.querySelector("h1").textContent + " " + document.querySelectorAll("#compared tbody tr").length`); !strings.HasPrefix(got, "Runs side by side ") || strings.HasSuffix(got, " 0") {
		t.Errorf("the form led to %q", got)
	}
	if said := p.Console(); len(said) > 0 {
		t.Errorf("the console has %q", said)
	}
}
