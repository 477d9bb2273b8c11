package datasets

import (
	"runtime"
	"testing"
)

// heapWriter keeps the most memory that was in use after a collection.
type heapWriter struct{ writes, most uint64 }

func (w *heapWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes%8 == 0 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		w.most = max(w.most, stats.HeapAlloc)
	}
	return len(p), nil
}

// 12,000 deployments are 15 MB of records; held in memory they would show.
func TestGenerateWorksInBoundedMemory(t *testing.T) {
	var small, large heapWriter
	for w, n := range map[*heapWriter]int{&small: 1000, &large: 12_000} {
		if _, err := Generate(w, 1, Settings{Sizes: []int{n}}); err != nil {
			t.Fatal(err)
		}
	}
	if large.most > small.most+4<<20 {
		t.Errorf("%d MiB for 12,000 deployments, %d MiB for 1,000", large.most>>20, small.most>>20)
	}
}
