package gate

import (
	"time"

	"switchback/results/metric"
	"switchback/results/record"
)

// tailQuantile of all requests of a run is the threshold of the slowest.
const tailQuantile = "p999"

// Load turns a run folder into what Summarise needs: its blocks, the
// statistics of all requests of each arm, and the count of the slowest
// requests of each block.
func Load(folder *record.Folder) (Run, error) {
	run := Run{Manifest: folder.Manifest, Blocks: folder.Blocks, Pooled: map[string][]record.Value{}}
	pool, err := folder.Pool(nil)
	if err != nil {
		return Run{}, err
	}
	for _, b := range folder.Blocks {
		if run.Pooled[b.Arm] == nil {
			run.Pooled[b.Arm] = pool.Values(b.Arm)
		}
	}
	run.Tail, err = loadTail(folder)
	return run, err
}

// interval finds a block by its arm and start, which the histogram log cuts to
// the millisecond.
type interval struct {
	arm   string
	start int64 // ms
}

func startOf(arm string, start time.Time) interval {
	return interval{arm, start.UnixMilli()}
}

func loadTail(folder *record.Folder) (*Tail, error) {
	blocks := map[interval]TailKey{}
	for _, b := range folder.Blocks {
		blocks[startOf(b.Arm, b.Start)] = TailKey{b.Cell, b.Pair, b.Arm}
	}
	// Two readings of the file rather than a histogram of each block in memory.
	each := func(take func(TailKey, *record.Histogram)) error {
		wanted := func(name, group string) bool { return name == metric.TTFB && group == "" }
		return folder.Histograms(wanted, func(i record.Interval) error {
			if key, ok := blocks[startOf(i.Arm, i.Start)]; ok {
				take(key, i.Histogram)
			}
			return nil
		})
	}
	all := record.NewHistogram()
	err := each(func(_ TailKey, h *record.Histogram) { all.Merge(h.Answered()) })
	if err != nil || all.N() == 0 {
		return nil, err
	}
	tail := &Tail{Over: map[TailKey]int{}}
	for _, s := range record.Statistics() {
		if s.Name == tailQuantile {
			tail.Threshold = s.Of(all)
		}
	}
	err = each(func(key TailKey, h *record.Histogram) { tail.Over[key] = int(h.Above(int64(tail.Threshold * 1e9))) })
	return tail, err
}
