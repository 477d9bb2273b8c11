package runner

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"switchback/edge/admin"
	"switchback/edge/rollout"
	"switchback/harness/blocks"
	"switchback/harness/experiment"
	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/targets"
)

// warmCell is a cell with an arm for each handler, and the traffic of its rounds:
// 20 requests in blocks of 100 ms.
func warmCell(t *testing.T, warmup, arrivals string, handlers ...http.HandlerFunc) (*cell, traffic) {
	t.Helper()
	e := &experiment.Experiment{
		Load:   experiment.LoadSettings{Rate: 200, Concurrency: 2},
		Blocks: experiment.Blocks{Warmup: warmup, Length: experiment.Duration(90 * time.Millisecond), Guard: experiment.Duration(10 * time.Millisecond)},
	}
	law, err := schedule.Parse(arrivals)
	if err != nil {
		t.Fatal(err)
	}
	c := &cell{run: &run{}, e: e, law: law, unsettled: map[string]bool{}}
	for _, handler := range handlers {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		engine, err := load.New("wire", load.Options{Address: strings.TrimPrefix(server.URL, "http://")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(engine.Close)
		c.arms = append(c.arms, &armState{engine: engine})
	}
	tr := traffic{due: schedule.Constant(20, 100*time.Millisecond)}
	for range tr.due {
		tr.targets = append(tr.targets, targets.Target{Host: "a.example", Path: "/", Bytes: -1})
	}
	return c, tr
}

// counted counts what a server is asked.
func counted(n *atomic.Int64) http.HandlerFunc {
	return func(http.ResponseWriter, *http.Request) { n.Add(1) }
}

func TestAWarmUpByTimeSendsTheTrafficForSoLong(t *testing.T) {
	var first, second atomic.Int64
	c, tr := warmCell(t, "250ms", "constant", counted(&first), counted(&second))
	if err := c.warmUp(context.Background(), blocks.Round{Start: []int{1}}, tr); err != nil {
		t.Fatal(err)
	}
	if first.Load() != 0 || second.Load() != 50 || len(c.unsettled) > 0 {
		t.Errorf("the arm that was started got %d requests, the other %d; want 50 and 0", second.Load(), first.Load())
	}
}

func TestAWarmUpLastsUntilTheMediansSettle(t *testing.T) {
	for _, arrivals := range []string{"constant", "concurrency"} {
		t.Run(arrivals, func(t *testing.T) {
			var n atomic.Int64
			c, tr := warmCell(t, "settled", arrivals, counted(&n))
			if err := c.warmUp(context.Background(), blocks.Round{Start: []int{0}}, tr); err != nil {
				t.Fatal(err)
			}
			if windows := n.Load() / 50; windows < 8 || arrivals == "constant" && n.Load()%50 != 0 {
				t.Errorf("%d requests; want at least eight windows of 50", n.Load())
			}
		})
	}
}

// TestArmsOfOneProcessWarmUpUnderTheirFlags warms two arms that one edge serves:
// the second is the new version.
func TestArmsOfOneProcessWarmUpUnderTheirFlags(t *testing.T) {
	var mu sync.Mutex
	var flags rollout.Flags
	asked := map[float64]int{}
	c, tr := warmCell(t, "250ms", "constant", func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[flags.Router.Share]++
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		update := admin.FlagsUpdate{}
		if err := json.NewDecoder(r.Body).Decode(&update); err == nil {
			flags = update.Onto(flags)
		}
		_ = json.NewEncoder(w).Encode(flags) // the client tells of an answer cut short
	}))
	t.Cleanup(server.Close)
	c.e.Isolation, c.e.Arms = "flags", []experiment.Arm{{Name: "old"}, {Name: "new"}}
	c.arms[0].name, c.arms[0].admin = "old", admin.NewClient(strings.TrimPrefix(server.URL, "http://"), "")
	t.Cleanup(c.arms[0].admin.Close)
	c.arms = append(c.arms, &armState{name: "new"})
	if err := c.warmUp(context.Background(), blocks.Round{Start: []int{0, 1}}, tr); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if asked[0] != 50 || asked[1] != 50 || flags.Version != 2 {
		t.Errorf("requests by share %v after %d changes of the flags; want 50 each after 2", asked, flags.Version)
	}
}

func TestNoWarmUpSendsNothing(t *testing.T) {
	var n atomic.Int64
	c, tr := warmCell(t, "", "constant", counted(&n))
	if err := c.warmUp(context.Background(), blocks.Round{Start: []int{0}}, tr); err != nil || n.Load() != 0 {
		t.Errorf("%d requests, %v", n.Load(), err)
	}
}

func TestAStoppedWarmUpEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c, tr := warmCell(t, "1h", "constant", func(http.ResponseWriter, *http.Request) { cancel() })
	if err := c.warmUp(ctx, blocks.Round{Start: []int{0}}, tr); err == nil {
		t.Error("a stopped warm-up ended without an error")
	}
}
