package edge

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"switchback/datasets"
	"switchback/edge/admin"
	"switchback/edge/rollout"
	"switchback/origin"
)

const (
	flips           = 10_000
	flippers        = 4
	requestsPerFlip = 0.25 // at least, so that flips happen under load
)

// history has the flags of every version.
type history struct {
	mu    sync.Mutex
	flags map[int64]rollout.Flags
}

func (h *history) at(version int64) rollout.Flags {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.flags[version]
}

// drawUpdate changes anything that flags can change, rings that must be built
// first included.
func drawUpdate(r *rand.Rand) admin.FlagsUpdate {
	part := func(names []string) *rollout.Part {
		p := &rollout.Part{Old: names[r.IntN(len(names))], New: names[r.IntN(len(names))], Share: float64(r.IntN(5)) / 4, Off: r.IntN(10) == 0}
		if r.IntN(4) == 0 {
			p.Colos = []string{"fra"}
		}
		if r.IntN(4) == 0 {
			p.By = rollout.ByRequest
		}
		return p
	}
	routers := []string{"legacy", "hashed"}
	if r.IntN(20) == 0 {
		routers = append(routers, "filtered") // built by reading all entries
	}
	return admin.FlagsUpdate{Router: part(routers), Ring: part([]string{"v1", "v2:16", "v2:4"})}
}

// 10,000 flips under load: no request fails or gets another's body, and each
// is answered by a router and a ring that flags in force during it allowed.
func TestFlipsUnderLoad(t *testing.T) {
	const seed = 5
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Colos: []string{"fra"}})
	server := httptest.NewServer(e)
	defer server.Close()
	past := &history{flags: map[int64]rollout.Flags{1: e.Flags()}}
	var answered atomic.Int64
	done := make(chan struct{})
	var group sync.WaitGroup
	for i := range flippers {
		group.Go(func() {
			asker := &asker{t: t, edge: e, past: past, url: server.URL, client: &http.Client{Transport: &http.Transport{}}}
			defer asker.client.CloseIdleConnections()
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			for {
				select {
				case <-done:
					return
				default:
					asker.ask(w.targets[r.IntN(len(w.targets))])
					answered.Add(1)
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(seed, 99))
	for i := range flips {
		for float64(answered.Load()) < float64(i)*requestsPerFlip && !t.Failed() {
			runtime.Gosched()
		}
		// The history's lock spans the change, so that an answer by it finds it there.
		past.mu.Lock()
		next, err := e.SetFlags(drawUpdate(r), "test")
		past.flags[next.Version] = next
		past.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	group.Wait()
	server.Close() // waits for the handlers: an answer is counted once it is written
	s := e.Stats()
	if s.Flags.Version != flips+1 || s.Status["200"] != s.Requests || s.Requests != answered.Load() {
		t.Errorf("seed %d: version %d, statuses %v of %d requests", seed, s.Flags.Version, s.Status, s.Requests)
	}
	t.Logf("%d flips, %d requests; routers %v", flips, s.Requests, s.Router)
}

// asker is one client that checks what it gets.
type asker struct {
	t      *testing.T
	edge   *Edge
	past   *history
	url    string
	client *http.Client
}

func (a *asker) ask(want target) {
	before := a.edge.Flags().Version
	request, _ := http.NewRequest("GET", a.url+want.path, nil)
	request.Host = want.host
	response, err := a.client.Do(request)
	if err != nil {
		a.t.Errorf("%s%s: %v", want.host, want.path, err)
		return
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != 200 || string(body) != want.body {
		a.t.Errorf("%s%s: status %d, %d bytes, %v", want.host, want.path, response.StatusCode, len(body), err)
		return
	}
	timing := response.Header.Get("Server-Timing")
	version, err := strconv.ParseInt(descOf(timing, "flags"), 10, 64)
	if err != nil || version < before || version > a.edge.Flags().Version {
		a.t.Errorf("%q: version %d, in force were %d to %d", timing, version, before, a.edge.Flags().Version)
		return
	}
	if reason := forbidden(a.past.at(version), want, timing); reason != "" {
		a.t.Errorf("flags %+v: %s (%q)", a.past.at(version), reason, timing)
	}
}

// forbidden says why the flags don't allow an answer; "" when they do.
func forbidden(flags rollout.Flags, want target, timing string) string {
	site := rollout.Site(want.host, datasets.Suffix)
	if got := descOf(timing, "route"); !allows(flags.Router, rollout.ForRouter, site, site, got) {
		return "router " + got
	}
	if got := descOf(timing, "ring"); got != "" && !allows(flags.Ring, rollout.ForRing, site, want.digest, got) {
		return "ring " + got
	}
	return ""
}

// allows says whether a part lets the named version serve a key.
func allows(p rollout.Part, purpose rollout.Purpose, site, key, name string) bool {
	if p.By == rollout.ByRequest && p.Share > 0 && p.Share < 1 {
		return name == p.Old || name == p.New
	}
	return name == p.Switch(purpose, defaultColo).Choose(site, key, 0)
}

// descOf returns the description of an entry of a Server-Timing header.
func descOf(timing, name string) string {
	for entry := range strings.SplitSeq(timing, ", ") {
		rest, ok := strings.CutPrefix(entry, name+";")
		if !ok {
			continue
		}
		_, desc, _ := strings.Cut(rest, "desc=")
		return strings.Trim(desc, `"`)
	}
	return ""
}

func TestDescOf(t *testing.T) {
	timing := `route;dur=0.1;desc=legacy, ring;dur=0.2;desc="v2:16", flags;desc=7`
	for name, want := range map[string]string{"route": "legacy", "ring": "v2:16", "flags": "7", "node": ""} {
		if got := descOf(timing, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
