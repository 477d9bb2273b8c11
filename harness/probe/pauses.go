package probe

import (
	"runtime/debug"
	"slices"
)

// pauses are the garbage collections of this process so far.
type pauses struct{ debug.GCStats }

func readPauses() pauses {
	var p pauses
	debug.ReadGCStats(&p.GCStats)
	return p
}

// since returns how many collections there were after before, and the longest
// pause among them in seconds. The runtime remembers the last 256.
func (p pauses) since(before pauses) (n int, longest float64) {
	n = int(p.NumGC - before.NumGC)
	if n > 0 && len(p.Pause) > 0 {
		longest = slices.Max(p.Pause[:min(n, len(p.Pause))]).Seconds()
	}
	return n, longest
}
