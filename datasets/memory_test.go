package datasets

import (
	"runtime"
	"testing"
)

// heapWriter keeps the most memory that was in use after a collection.
type heapWriter struct{ writes, most uint64 }

func (w *heapWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes%32 == 0 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		w.most = max(w.most, stats.HeapAlloc)
	}
	return len(p), nil
}

// 60,000 deployments are 75 MB of records; held in memory they would show.
func TestGenerateWorksInBoundedMemory(t *testing.T) {
	var small, large heapWriter
	for w, n := range map[*heapWriter]int{&small: 3000, &large: 60_000} {
		if _, err := Generate(w, 1, Settings{Sizes: []int{n}}); err != nil {
			t.Fatal(err)
		}
	}
	if large.most > small.most+8<<20 {
		t.Errorf("%d MiB for 60,000 deployments, %d MiB for 3,000", large.most>>20, small.most>>20)
	}
}
