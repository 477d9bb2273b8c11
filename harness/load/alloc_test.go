package load_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

const small = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServer-Timing: route;dur=0.12;desc=hashed\r\nX-Cache: HIT\r\n\r\nhello"

// TestTheWireEngineDoesNotAllocateForARequest counts all allocations of the
// process over many requests: a call may cost some, a request must not.
func TestTheWireEngineDoesNotAllocateForARequest(t *testing.T) {
	const n, mostPerCall = 5000, 200
	engine := openAt(t, "wire", load.Options{Address: serveCanned(t, small).address, Connections: 4})
	list, samples := make([]targets.Target, n), make([]record.Sample, n)
	for i := range list {
		list[i] = get(200)
	}
	due := make([]time.Duration, n)
	for name, call := range map[string]func() (load.Counts, error){
		"open loop": func() (load.Counts, error) {
			return engine.Run(context.Background(), time.Now(), due, list, samples)
		},
		"closed loop": func() (load.Counts, error) {
			return engine.Concurrency(context.Background(), time.Now(), 4, list, samples)
		},
	} {
		t.Run(name, func(t *testing.T) {
			allocations := testing.AllocsPerRun(3, func() {
				if _, err := call(); err != nil {
					t.Fatal(err)
				}
			})
			if samples[n-1].Error != record.OK || string(samples[n-1].ServerTiming) == "" {
				t.Fatalf("sample %+v", samples[n-1])
			}
			if allocations > mostPerCall {
				t.Fatalf("%v allocations for %d requests, want at most %d", allocations, n, mostPerCall)
			}
		})
	}
}

// BenchmarkClosedLoop compares the engines; the server is in this process and
// costs both the same.
func BenchmarkClosedLoop(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind, func(b *testing.B) {
			engine, err := load.New(kind, load.Options{Address: serveCanned(b, small).address})
			if err != nil {
				b.Fatal(err)
			}
			defer engine.Close()
			list, samples := make([]targets.Target, b.N), make([]record.Sample, b.N)
			for i := range list {
				list[i] = get(200)
			}
			runtime.GC()
			b.ReportAllocs()
			b.ResetTimer()
			if _, err := engine.Concurrency(context.Background(), time.Now(), 64, list, samples); err != nil {
				b.Fatal(err)
			}
		})
	}
}
