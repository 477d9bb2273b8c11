package edge

import (
	"bytes"
	"context"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"switchback/datasets"
	"switchback/edge/publish"
	"switchback/origin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testSecret = "a secret of the tests"

// world is a published dataset, an origin and what must be answered.
type world struct {
	t       testing.TB
	stores  string // a published store, copied for each edge
	origin  *origin.Origin
	server  *httptest.Server
	dir     string
	targets []target
}

// target is a request and the body it must get.
type target struct {
	host, path, body string
	function         bool
	digest           string // of an asset
}

// newWorld publishes a generated dataset and starts an origin.
func newWorld(t testing.TB, settings datasets.Settings, options origin.Options) *world {
	t.Helper()
	return newWorldWithNeighbours(t, settings, options, 0)
}

func newWorldWithNeighbours(t testing.TB, settings datasets.Settings, options origin.Options, neighbours int) *world {
	t.Helper()
	o, err := origin.New(options)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, origin: o, server: httptest.NewServer(o), dir: t.TempDir()}
	t.Cleanup(func() { w.server.Close(); o.Close() })
	var stream bytes.Buffer
	if _, err := datasets.Generate(&stream, 11, settings); err != nil {
		t.Fatal(err)
	}
	w.stores = filepath.Join(w.dir, "published")
	source := &noting{Reader: w.reader(stream.Bytes()), world: w}
	defer source.Close()
	if err := publish.Publish(context.Background(), source, w.stores, publish.Options{Secret: []byte(testSecret), Neighbours: neighbours}); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) reader(stream []byte) *datasets.Reader {
	r, err := datasets.NewReader(bytes.NewReader(stream))
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// noting passes deployments on and notes what must be answered for them.
type noting struct {
	*datasets.Reader
	world *world
}

func (n *noting) Next() (*datasets.Project, *datasets.Deployment, error) {
	p, d, err := n.Reader.Next()
	if err != nil {
		return p, d, err
	}
	for _, host := range p.Hostnames(d) {
		n.world.targets = append(n.world.targets, expected(host, d)...)
	}
	return p, d, nil
}

// expected returns the assets and a function of a deployment on one hostname.
func expected(host string, d *datasets.Deployment) (found []target) {
	for _, stage := range d.Stages {
		for _, path := range stage.Paths {
			bytes := int(datasets.FunctionsBytes(d.ID, path))
			found = append(found, target{host: host, path: path, body: law(datasets.FunctionsPath(d.ID, path), bytes), function: true})
		}
	}
	for _, a := range d.Assets[:2] {
		found = append(found, target{host: host, path: a.Path, body: law(a.OriginPath(), int(a.Bytes)), digest: a.Digest})
	}
	return found
}

// law is the origin's body law.
func law(path string, bytes int) string {
	unit := path + "\n"
	return strings.Repeat(unit, bytes/len(unit)+1)[:bytes]
}

// edge starts an edge over a copy of the published store.
func (w *world) edge(options Options) *Edge {
	w.t.Helper()
	dir, err := os.MkdirTemp(w.dir, "store")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(w.stores))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	options.Store, options.Secret, options.Origin = dir, []byte(testSecret), w.server.URL
	e, err := New(options)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := e.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return e
}

// get asks the edge without a connection; pairs are header lines.
func get(e *Edge, method, host, path string, pairs ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Host = host
	for i := 0; i+1 < len(pairs); i += 2 {
		r.Header.Set(pairs[i], pairs[i+1])
	}
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, r)
	return recorder
}

// check asks for a target and compares the answer.
func check(t testing.TB, e *Edge, want target) *httptest.ResponseRecorder {
	t.Helper()
	got := get(e, "GET", want.host, want.path)
	if got.Code != http.StatusOK || got.Body.String() != want.body {
		t.Errorf("%s%s: status %d, %d bytes with CRC %08x; want 200, %d bytes with %08x",
			want.host, want.path, got.Code, got.Body.Len(), crc32.ChecksumIEEE(got.Body.Bytes()), len(want.body), crc32.ChecksumIEEE([]byte(want.body)))
	}
	return got
}

// first returns the first target that is (or is not) a function.
func (w *world) first(function bool) target {
	w.t.Helper()
	for _, want := range w.targets {
		if want.function == function {
			return want
		}
	}
	w.t.Fatalf("the dataset has no target with function = %v", function)
	return target{}
}

var _ publish.Source = (*noting)(nil)
