package analysis

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"switchback/edge/ring"
)

// Bench is the speed and the size of a ring, beside what it is compared with
// in the same run.
type Bench struct {
	Ring           string  `json:"ring"`
	Points         int     `json:"points"`
	Bytes          int64   `json:"bytes"`
	BytesPerPoint  float64 `json:"bytes_per_point"`
	FloorRatio     float64 `json:"floor_ratio"`      // bytes a point over the least possible
	BuildSeconds   float64 `json:"build_seconds"`    //
	SortSeconds    float64 `json:"sort_seconds"`     // slices.SortFunc over the same points
	BuildRatio     float64 `json:"build_ratio"`      // build over sort
	LookupNs       float64 `json:"lookup_ns"`        // of a random hash
	BinarySearchNs float64 `json:"binary_search_ns"` // plain, over the arrays of v2 with the same points
	LookupRatio    float64 `json:"lookup_ratio"`     // look-up over binary search
}

const (
	benchRounds = 9
	benchHashes = 1 << 19 // in a round: enough that it reaches every cache line of a large ring many times
)

// BenchOf measures one ring. What is compared takes turns in short rounds, so
// that a change in the machine's speed meets both; each figure is the median
// of the rounds.
func BenchOf(spec ring.Spec, servers []ring.Server, opt ring.Options) (Bench, error) {
	var builder ring.Builder
	r, err := builder.Build(spec, servers, opt)
	if err != nil {
		return Bench{}, err
	}
	row := Bench{Ring: spec.String(), Points: r.Points(), Bytes: r.Bytes()}
	row.BytesPerPoint = float64(row.Bytes) / float64(row.Points)
	row.FloorRatio = row.BytesPerPoint / ring.Floor(row.Points, len(servers))
	if err := row.build(&builder, spec, servers, opt); err != nil {
		return Bench{}, err
	}
	return row, row.lookUp(r)
}

func (b *Bench) build(builder *ring.Builder, spec ring.Spec, servers []ring.Server, opt ring.Options) error {
	points, err := unsorted(spec, servers, opt)
	if err != nil {
		return err
	}
	scratch := make([]point, len(points))
	var builds, sorts []float64
	for range benchRounds {
		start := time.Now()
		if _, err := builder.Build(spec, servers, opt); err != nil {
			return err
		}
		builds = append(builds, time.Since(start).Seconds())
		copy(scratch, points)
		start = time.Now()
		slices.SortFunc(scratch, comparePoints)
		sorts = append(sorts, time.Since(start).Seconds())
	}
	b.BuildSeconds, b.SortSeconds = median(builds), median(sorts)
	b.BuildRatio = b.BuildSeconds / b.SortSeconds
	return nil
}

// point is a point as a plain build would sort it.
type point struct {
	hash   uint32
	server uint16
}

func comparePoints(a, b point) int {
	if c := cmp.Compare(a.hash, b.hash); c != 0 {
		return c
	}
	return cmp.Compare(a.server, b.server)
}

// unsorted returns the points of a ring in a random order.
func unsorted(spec ring.Spec, servers []ring.Server, opt ring.Options) ([]point, error) {
	var points []point
	_, err := ring.Stream(spec, servers, opt, 0, func(hashes []uint32, servers []uint16) {
		for i, h := range hashes {
			points = append(points, point{h, servers[i]})
		}
	})
	random := rand.New(rand.NewPCG(1, 0))
	random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	return points, err
}

func (b *Bench) lookUp(r *ring.Ring) error {
	hashes, servers := pointsIn(r)
	random := rand.New(rand.NewPCG(2, 0))
	asked := make([]uint32, benchHashes)
	for i := range asked {
		asked[i] = random.Uint32()
	}
	var lookups, searches []float64
	sum := 0
	for range benchRounds {
		start := time.Now()
		for _, h := range asked {
			sum += r.Lookup(h)
		}
		lookups = append(lookups, perCall(start, len(asked)))
		start = time.Now()
		for _, h := range asked {
			sum -= search(hashes, servers, h)
		}
		searches = append(searches, perCall(start, len(asked)))
	}
	if sum != 0 {
		return fmt.Errorf("ring %s: look-up and binary search answer differently", b.Ring)
	}
	b.LookupNs, b.BinarySearchNs = median(lookups), median(searches)
	b.LookupRatio = b.LookupNs / b.BinarySearchNs
	return nil
}

// search looks a hash up by a plain binary search.
func search(hashes []uint32, servers []uint16, h uint32) int {
	low, high := 0, len(hashes)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if hashes[middle] < h {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(hashes) {
		low = 0
	}
	return int(servers[low])
}

func perCall(start time.Time, calls int) float64 {
	return float64(time.Since(start).Nanoseconds()) / float64(calls)
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
