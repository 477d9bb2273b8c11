package load_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kinds are the engines; each must pass every test of the contract.
var kinds = []string{"vegeta", "wire"}

// open returns an engine that sends to handler.
func open(t *testing.T, kind string, handler http.HandlerFunc, options load.Options) load.Engine {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	options.Address = strings.TrimPrefix(server.URL, "http://")
	return openAt(t, kind, options)
}

func openAt(t *testing.T, kind string, options load.Options) load.Engine {
	t.Helper()
	engine, err := load.New(kind, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Close)
	return engine
}

// echo answers with the host and the path.
func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Server-Timing", `route;dur=0.1;desc=hashed`)
	fmt.Fprint(w, r.Host, r.URL.RequestURI())
}

// ask returns n targets of different hosts and paths with the answers of echo.
func ask(n int) []targets.Target {
	list := make([]targets.Target, n)
	for i := range list {
		host, path := fmt.Sprintf("h%d.example", i%7), fmt.Sprintf("/a%%20b/%d?q=%d", i, i)
		body := host + path
		list[i] = targets.Target{Host: host, Path: path, Status: 200, Bytes: int64(len(body)), BodyHash: checksum(body)}
	}
	return list
}

func checksum(body string) uint32 {
	return crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli))
}

func TestRunSendsEveryTargetInTheOrderOfItsInstants(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			const n = 200
			engine := open(t, kind, echo, load.Options{Connections: 8})
			list, samples := ask(n), make([]record.Sample, n)
			due := schedule.Poisson(n, 100*time.Millisecond, 1)
			counts, err := engine.Run(context.Background(), time.Now(), due, list, samples)
			if err != nil || counts.Released != n || counts.Dials == 0 || counts.Reused == 0 {
				t.Fatalf("counts %+v, error %v", counts, err)
			}
			for i, s := range samples {
				if s.Error != record.OK || s.Target != int32(i) || s.Status != 200 {
					t.Fatalf("sample %d: %+v (%v)", i, s, s.Error)
				}
				if s.Due != int64(due[i]) || s.Released < s.Due || s.Sent < s.Released || s.FirstByte < s.Sent || s.Done < s.FirstByte {
					t.Fatalf("sample %d: instants out of order: %+v", i, s)
				}
				if string(s.ServerTiming) != "route;dur=0.1;desc=hashed" {
					t.Fatalf("sample %d: Server-Timing %q", i, s.ServerTiming)
				}
			}
		})
	}
}
