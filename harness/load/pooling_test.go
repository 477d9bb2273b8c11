package load_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// seen records which hosts each connection of a server was asked for.
type seen struct {
	mu    sync.Mutex
	hosts map[int][]string
}

func (s *seen) answer(connection, _ int, r *http.Request) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hosts == nil {
		s.hosts = map[int][]string{}
	}
	s.hosts[connection] = append(s.hosts[connection], r.Host)
	return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", !r.Close
}

// hosts returns n targets on three hosts in turn.
func hosts(n int) []targets.Target {
	list := make([]targets.Target, n)
	for i := range list {
		list[i] = get(200)
		list[i].Host = fmt.Sprintf("h%d.example", i%3)
	}
	return list
}

func TestPooling(t *testing.T) {
	const n = 30
	for _, c := range []struct {
		pooling string
		check   func(t *testing.T, connections map[int][]string, counts load.Counts)
	}{
		{load.PoolShared, func(t *testing.T, connections map[int][]string, counts load.Counts) {
			if len(connections) > 4 || counts.Reused < n-4 {
				t.Errorf("%d connections, counts %+v; want at most 4, the rest reused", len(connections), counts)
			}
		}},
		{load.PoolHost, func(t *testing.T, connections map[int][]string, _ load.Counts) {
			for number, asked := range connections {
				if slices.Sort(asked); len(slices.Compact(asked)) != 1 {
					t.Errorf("connection %d served %v", number, asked)
				}
			}
		}},
		{load.PoolNone, func(t *testing.T, connections map[int][]string, counts load.Counts) {
			if len(connections) != n || counts.Dials != n || counts.Reused != 0 {
				t.Errorf("%d connections, counts %+v; want %d, none reused", len(connections), counts, n)
			}
		}},
	} {
		for _, kind := range kinds {
			t.Run(c.pooling+"/"+kind, func(t *testing.T) {
				var s seen
				engine := openAt(t, kind, load.Options{Address: serveRaw(t, s.answer).address, Connections: 4, Pooling: c.pooling})
				samples, counts := run(t, engine, hosts(n)...)
				for i, sample := range samples {
					if sample.Error != record.OK {
						t.Fatalf("sample %d: %v", i, sample.Error)
					}
				}
				s.mu.Lock()
				defer s.mu.Unlock()
				c.check(t, s.hosts, counts)
			})
		}
	}
}

// TestTheLimitOfRequestsInFlightIsKept counts what a server sees at once.
func TestTheLimitOfRequestsInFlightIsKept(t *testing.T) {
	for _, kind := range kinds {
		for _, pooling := range []string{load.PoolShared, load.PoolHost, load.PoolNone} {
			t.Run(kind+"/"+pooling, func(t *testing.T) {
				var mu sync.Mutex
				now, most := 0, 0
				count := func(by int) {
					mu.Lock()
					defer mu.Unlock()
					now += by
					most = max(most, now)
				}
				slow := func(http.ResponseWriter, *http.Request) {
					count(1)
					defer count(-1)
					time.Sleep(time.Millisecond)
				}
				engine := open(t, kind, slow, load.Options{Connections: 3, Pooling: pooling})
				list, samples := hosts(60), make([]record.Sample, 60)
				if _, err := engine.Run(context.Background(), time.Now(), make([]time.Duration, 60), list, samples); err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if most != 3 {
					t.Errorf("%d requests at once, want 3", most)
				}
				for i, s := range samples {
					if s.Error != record.OK || s.Sent < s.Released {
						t.Fatalf("sample %d: %+v (%v)", i, s, s.Error)
					}
				}
			})
		}
	}
}

func TestAClosedLoopIsDueWhenAConnectionIsFree(t *testing.T) {
	const n, inFlight = 100, 4
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			engine := open(t, kind, echo, load.Options{})
			list, samples := ask(n), make([]record.Sample, n)
			counts, err := engine.Concurrency(context.Background(), time.Now(), inFlight, list, samples)
			if err != nil || counts.Released != n {
				t.Fatalf("counts %+v, error %v", counts, err)
			}
			var done []int64
			for i, s := range samples {
				if s.Error != record.OK || s.Due != s.Released || s.Due == record.Never {
					t.Fatalf("sample %d: %+v (%v)", i, s, s.Error)
				}
				done = append(done, s.Done)
			}
			slices.Sort(done)
			slices.SortFunc(samples, func(a, b record.Sample) int { return int(a.Due - b.Due) })
			for i := inFlight; i < n; i++ {
				if samples[i].Due < done[i-inFlight] {
					t.Fatalf("request %d was due before %d others had ended", i, i-inFlight+1)
				}
			}
		})
	}
}
