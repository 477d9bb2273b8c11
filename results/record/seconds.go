package record

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Usage is what an arm used in one stretch of a block, a second at most.
type Usage struct {
	Start  time.Time
	Length time.Duration
	Memory int64         // mean of the resident memory, bytes
	CPU    time.Duration // CPU time used in it
}

// Seconds cuts a block into the stretches of usage and says what happened in
// each: requests by when they were released, cache, origin and flags by what
// their Server-Timing says, so that nobody is asked while the block runs. The
// samples are those of the whole block, guard included.
// Without usage, as of a server that was not started here, the block is cut
// into seconds.
func Seconds(b Block, samples []Sample, usage []Usage) []Second {
	known := len(usage) > 0
	if !known {
		usage = cutSeconds(b)
	}
	seconds := make([]Second, len(usage))
	tallies := make([]tally, len(usage))
	for i := range samples {
		if k := stretchOf(b, usage, &samples[i]); k >= 0 {
			tallies[k].add(&samples[i])
		}
	}
	for k, u := range usage {
		s := Second{Time: u.Start, Arm: b.Arm, Cell: b.Cell, Memory: math.NaN(), CPU: math.NaN()}
		if known {
			s.Memory, s.CPU = float64(u.Memory), u.CPU.Seconds()/u.Length.Seconds()
		}
		tallies[k].rates(&s, u.Length.Seconds())
		seconds[k] = s
	}
	return seconds
}

// cutSeconds cuts a block, drain included, into stretches of a second.
func cutSeconds(b Block) []Usage {
	left := time.Duration((b.Length + b.Drain) * float64(time.Second))
	var usage []Usage
	for at := b.Start; left > 0; at = at.Add(time.Second) {
		length := min(left, time.Second)
		usage = append(usage, Usage{Start: at, Length: length})
		left -= length
	}
	return usage
}

// stretchOf returns the stretch in which a request was released, -1 for none.
func stretchOf(b Block, usage []Usage, s *Sample) int {
	if s.Released == Never {
		return -1
	}
	at := b.Start.Add(time.Duration(s.Released))
	for k := len(usage) - 1; k >= 0; k-- {
		if !at.Before(usage[k].Start) {
			return k
		}
	}
	return -1
}

// tally counts the requests of a stretch.
type tally struct {
	released, timed      int
	hits, lookups, fetch int
	flags                int      // the newest version told
	timing               []Timing // scratch
}

func (t *tally) add(s *Sample) {
	t.released++
	t.timing, _ = ParseServerTiming(t.timing[:0], s.ServerTiming) // what stands before an error counts
	if len(t.timing) > 0 {
		t.timed++
	}
	for _, e := range t.timing {
		switch string(e.Name) {
		case "cache":
			t.cache(string(e.Desc))
		case "flags":
			if version, err := strconv.Atoi(string(e.Desc)); err == nil {
				t.flags = max(t.flags, version)
			}
		case "origin":
			// A request that waited for another's fetch tells its time too.
			if string(described(t.timing, "cache")) != "collapsed" {
				t.fetch++
			}
		}
	}
}

// cache counts a look-up: all but those that used no cache, or another's
// fetch.
func (t *tally) cache(state string) {
	switch strings.ToLower(state) {
	case "bypass", "collapsed":
	case "hit":
		t.hits++
		t.lookups++
	default:
		t.lookups++
	}
}

// rates fills in the counts as rates; what no request told stays unknown.
func (t *tally) rates(s *Second, length float64) {
	s.Rate, s.OriginRequests, s.HitRatio = float64(t.released)/length, math.NaN(), math.NaN()
	s.Flags = t.flags
	if t.timed > 0 {
		s.OriginRequests = float64(t.fetch) / length
	}
	if t.lookups > 0 {
		s.HitRatio = float64(t.hits) / float64(t.lookups)
	}
}
