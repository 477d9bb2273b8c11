package probe

import (
	"time"

	"switchback/results/record"
)

// stretch is a second under way.
type stretch struct {
	start time.Time
	cpu   time.Duration // used before it
	sum   int64
	n     int
}

// beginStretch starts a second. The CPU time of a tree that has ended is 0.
func (w *MemoryWatch) beginStretch() stretch {
	cpu, _ := w.probe.CPU(w.tree)
	return stretch{start: time.Now(), cpu: cpu}
}

// endStretch keeps the second under way and starts the next.
func (w *MemoryWatch) endStretch() {
	next, this := w.beginStretch(), w.second
	w.second = next
	if this.n == 0 {
		return
	}
	w.usage = append(w.usage, record.Usage{Start: this.start, Length: next.start.Sub(this.start),
		Memory: this.sum / int64(this.n), CPU: max(next.cpu-this.cpu, 0)})
}
