package edge

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"switchback/datasets"
	"switchback/edge/admin"
	"switchback/edge/rollout"
	"switchback/origin"
)

// adminOf returns a client of the edge's admin API behind a real listener.
func adminOf(t testing.TB, e *Edge) *admin.Client {
	t.Helper()
	server := httptest.NewServer(e.AdminHandler())
	client := admin.NewClient(strings.TrimPrefix(server.URL, "http://"), "")
	t.Cleanup(func() { client.Close(); server.Close() })
	return client
}

func TestFlagsAreTakenWholeOrNotAtAll(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Router: "legacy", Ring: "v1", Colos: []string{"fra"}})
	client := adminOf(t, e)
	before, err := client.Flags(t.Context())
	if err != nil || before.Version != 1 || before.Router.Old != "legacy" || before.Ring.New != "v1" {
		t.Fatalf("flags %+v, %v", before, err)
	}
	for want, change := range map[string]func(*rollout.Flags){
		"share is 1.2":   func(f *rollout.Flags) { f.Router.Share = 1.2 },
		`colo "lhr"`:     func(f *rollout.Flags) { f.Ring.Colos = []string{"lhr"} },
		`router "fast"`:  func(f *rollout.Flags) { f.Router.New = "fast" },
		"v9":             func(f *rollout.Flags) { f.Ring.New = "v9" },
		"multiple":       func(f *rollout.Flags) { f.Ring.New = "v2:0" },
		"points":         func(f *rollout.Flags) { f.Ring.New = "v2:60000000" },
		`site "a" is on`: func(f *rollout.Flags) { f.Router.Sites = map[string]string{"a": "x"} },
	} {
		flags := before
		change(&flags)
		_, err := client.PutFlags(t.Context(), flags)
		var refused *admin.StatusError
		if !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || !strings.Contains(refused.Reason, want) {
			t.Errorf("error %v, want 400 that says %q", err, want)
		}
	}
	// The shape is the documented one, whatever is empty.
	recorder := httptest.NewRecorder()
	e.AdminHandler().ServeHTTP(recorder, httptest.NewRequest("GET", "/flags", nil))
	want := `{"version":1,"router":{"old":"legacy","new":"legacy","share":0,"colos":[],"sites":{},"opt_out":[],"off":false},"ring":{"old":"v1","new":"v1","share":0,"colos":[],"sites":{},"opt_out":[],"off":false}}`
	if got := strings.TrimSpace(recorder.Body.String()); got != want {
		t.Errorf("GET /flags: %s, want %s", got, want)
	}
	if now, err := client.Flags(t.Context()); err != nil || !reflect.DeepEqual(now, before) {
		t.Errorf("after refusals the flags are %+v, %v; want %+v", now, err, before)
	}
}

func TestFlagsVersionsAndAudit(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Router: "legacy", Ring: "v1"})
	client := adminOf(t, e)
	for i := range 120 {
		next, err := client.UpdateFlags(t.Context(), admin.FlagsUpdate{Ring: &rollout.Part{New: "v2:16", Share: float64(i) / 120}})
		if err != nil || next.Version != int64(i+2) || next.Ring.Old != "v1" || next.Router.Old != "legacy" {
			t.Fatalf("change %d: %+v, %v", i, next, err)
		}
	}
	audit := e.Stats().Flags
	if audit.Version != 121 || len(audit.Changes) != 100 || audit.Changes[0].Flags.Version != 22 || audit.Changes[99].Flags.Version != 121 || audit.Changes[99].From == "" {
		t.Errorf("audit of %d changes, version %d", len(audit.Changes), audit.Version)
	}
	_, err := client.UpdateFlags(t.Context(), admin.FlagsUpdate{Version: 5, Router: &rollout.Part{Off: true}})
	var refused *admin.StatusError
	if !errors.As(err, &refused) || refused.Status != http.StatusPreconditionFailed {
		t.Errorf("a change of stale flags: %v, want 412", err)
	}
	if next, err := client.UpdateFlags(t.Context(), admin.FlagsUpdate{Version: 121, Router: &rollout.Part{Off: true}}); err != nil || !next.Router.Off {
		t.Errorf("a change of the flags in force: %+v, %v", next, err)
	}
}

func TestRingsAreBuiltBeforeTheyServeAndDroppedAfter(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Ring: "v1+v2:16", Nodes: 10})
	client := adminOf(t, e)
	check(t, e, w.first(false))
	s := e.Stats()
	if s.Ring["v1"].Points == 0 || s.Ring["v2:16"].Points == 0 || s.Ring["v1"].Requests != 1 || s.Ring["v2:16"].Requests != 0 {
		t.Fatalf("at the start both rings are held, the first serves: %+v", s.Ring)
	}
	if _, err := client.UpdateFlags(t.Context(), admin.FlagsUpdate{Ring: &rollout.Part{Old: "v2:16", New: "v2:32", Share: 1}}); err != nil {
		t.Fatal(err)
	}
	check(t, e, w.first(false))
	s = e.Stats()
	if s.Ring["v1"].Bytes != 0 || s.Ring["v1"].Requests != 1 || s.Ring["v2:32"].Requests != 1 || s.Ring["v2:32"].Bytes == 0 || s.Ring["v2:16"].Bytes == 0 {
		t.Errorf("v1 must be dropped, v2:32 serve: %+v", s.Ring)
	}
}

func TestBadCalls(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	server := httptest.NewServer(w.edge(Options{}).AdminHandler())
	defer server.Close()
	for _, row := range []struct {
		method, path, body string
		want               int
	}{
		{"PUT", "/flags", `{"routr":{}}`, 400},
		{"PUT", "/flags", `{} {}`, 400},
		{"PUT", "/flags", `[`, 400},
		{"PUT", "/flags", `{"version":7,"router":{"old":"legacy","new":"hashed","share":0.05,"colos":["ams"],"sites":{"example":"new"},"opt_out":["shop"],"off":false}}`, 200},
		{"DELETE", "/flags", ``, 405},
		{"PUT", "/nodes/n9", `{"up":false}`, 404},
		{"PUT", "/nodes/n1", `{"up":"no"}`, 400},
		{"PUT", "/nodes/n1", `{"up":false}`, 200},
		{"PUT", "/nodes/n1", `{"fault":"reset"}`, 400},
		{"POST", "/store/ingest", `{"files":["/no/such/file"]}`, 400},
		{"GET", "/healthz", ``, 200},
		{"GET", "/metrics", ``, 200},
	} {
		request, _ := http.NewRequest(row.method, server.URL+row.path, strings.NewReader(row.body))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != row.want {
			t.Errorf("%s %s %s: status %d, want %d: %s", row.method, row.path, row.body, response.StatusCode, row.want, answer)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestCheckpointServesAlike(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{})
	if err := adminOf(t, e).Checkpoint(t.Context(), "daily/one"); err != nil {
		t.Fatal(err)
	}
	copied := &world{t: t, stores: filepath.Join(e.options.Store, exchangeFolder, "daily", "one"), server: w.server, dir: w.dir}
	check(t, copied.edge(Options{}), w.first(false))
}

// TestCallsReachTheExchangeFolderAlone: no call makes a folder elsewhere, or
// takes a file from there, by a path or by a link.
func TestCallsReachTheExchangeFolderAlone(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{})
	client, outside := adminOf(t, e), t.TempDir()
	exchange := filepath.Join(e.options.Store, exchangeFolder)
	table := filepath.Join(outside, "1.sst")
	err := errors.Join(os.MkdirAll(exchange, 0o777), os.Symlink(outside, filepath.Join(exchange, "link")), os.WriteFile(table, nil, 0o666),
		os.Symlink(table, filepath.Join(exchange, "table")), os.Mkdir(filepath.Join(exchange, "there"), 0o777))
	if err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		filepath.Join(outside, "new"): "does not lie below", "../new": "does not lie below", "a/../../new": "does not lie below", "": "does not lie below",
		exchange: "does not lie below", exchange + "-other/new": "does not lie below", "link/new": "escapes", "link/a/new": "escapes",
		"there": "exists", "link": "exists", "a\x00b": "invalid",
	} {
		if err := client.Checkpoint(t.Context(), path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("a checkpoint in %q: %v, want an error with %q", path, err, says)
		}
	}
	for path, says := range map[string]string{
		table: "does not lie below", "../../1.sst": "does not lie below", "link/1.sst": "escapes", "table": "not a file", "there": "not a file", "none.sst": "no such file",
	} {
		if err := client.Ingest(t.Context(), []string{path}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("ingesting %q: %v, want an error with %q", path, err, says)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
		t.Errorf("outside there is %v, %v; want the table alone", left, err)
	}
	if err := client.Checkpoint(t.Context(), filepath.Join(exchange, "absolute")); err != nil {
		t.Error(err)
	}
}

// Whatever is put, the flags in force are the old ones, or new ones that pass
// every check.
func FuzzPutFlags(f *testing.F) {
	w := newWorld(f, datasets.Settings{Sizes: []int{1}}, origin.Options{})
	e := w.edge(Options{Colos: []string{"fra"}, Nodes: 2})
	handler := e.AdminHandler()
	for _, seed := range []string{`{}`, `{"router":{"old":"legacy","new":"hashed","share":0.5}}`, `{"ring":{"new":"v2:16","share":1e999}}`, `{"ring":{"new":"v3:9","sites":{"a":"new"},"by":"request"}}`, `{"version":-1}`, `nul`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		before := e.Flags()
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequest("PUT", "/flags", strings.NewReader(body)))
		after := e.Flags()
		if recorder.Code != http.StatusOK && (recorder.Code != http.StatusBadRequest || !reflect.DeepEqual(after, before)) {
			t.Fatalf("%q: status %d, flags %+v after %+v", body, recorder.Code, after, before)
		}
		known := rollout.Known{Routers: routerNames(), Ring: checkRing, Colos: []string{"ams", "fra"}}
		if err := after.Check(known); err != nil || recorder.Code == http.StatusOK && after.Version != before.Version+1 {
			t.Fatalf("%q put flags %+v in force: %v", body, after, err)
		}
	})
}
