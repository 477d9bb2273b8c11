package page

import (
	"testing"

	"switchback/results/report/internal/made"
)

// large is a run of a million requests in 2,000 blocks.
func large() made.Run { return made.Run{Pairs: 1000, Requests: 500, Alike: true} }

// TestLargeRunFitsInto2MiB has as many blocks with few requests under the race
// detector: a page grows with the blocks.
func TestLargeRunFitsInto2MiB(t *testing.T) {
	run := large()
	run.Brief = true
	if racing {
		run.Requests = 20
	}
	folder := run.Write(t, t.TempDir(), "run")
	if n := len(folder.Blocks); n != 2000 || folder.Summary.Requests != 2000*run.Requests {
		t.Fatalf("%d blocks, %d requests", n, folder.Summary.Requests)
	}
	size := len(rendered(t, Load(folder)))
	t.Logf("%d bytes", size)
	if size > 2<<20 {
		t.Errorf("%d bytes, want at most 2 MiB", size)
	}
}

// BenchmarkLargeRun makes the page of a million requests in 2,000 blocks from
// its folder.
func BenchmarkLargeRun(b *testing.B) {
	folder := large().Write(b, b.TempDir(), "run")
	for name, wanted := range map[string]func(metric, group string) bool{"every histogram": nil, "those shown": ofAllRequests} {
		b.Run("pool/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := folder.Pool(wanted); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			Load(folder)
		}
	})
	b.Run("write", func(b *testing.B) {
		run := Load(folder)
		size := 0
		for b.Loop() {
			size = len(rendered(b, run))
		}
		b.ReportMetric(float64(size), "bytes")
	})
}
