package analysis

import (
	"math"
	"time"

	"switchback/edge/ring"
)

// Spread is how evenly a ring spreads keys over its servers. A load is a
// server's share of the hash space over its fair share, which is by weight.
type Spread struct {
	Ring               string  `json:"ring"`
	Ties               string  `json:"ties"`
	Servers            int     `json:"servers"`
	Points             int     `json:"points"`              // without those that servers share
	PointsLightest     int     `json:"points_lightest"`     // of the server with the fewest
	PointsMean         float64 `json:"points_mean"`         // of a server
	CV                 float64 `json:"cv"`                  // coefficient of variation of the loads
	CVFormula          float64 `json:"cv_formula"`          // as random points would have it
	Worst              float64 `json:"worst"`               // the greatest load
	Best               float64 `json:"best"`                // the least load
	Unfair             float64 `json:"unfair"`              // share of servers with a load below 0.9 or above 1.1
	Collisions         int     `json:"collisions"`          // points dropped
	CollisionsExpected float64 `json:"collisions_expected"` // as random points would have it
	Bytes              int64   `json:"bytes"`               // that the ring would take
	BytesPerPoint      float64 `json:"bytes_per_point"`     //
	BuildSeconds       float64 `json:"build_seconds"`       // to make and sort the points
}

// SpreadOf measures the spread of a ring without building it: it streams the
// points through memory bytes (0: ring.DefaultStreamMemory).
func SpreadOf(spec ring.Spec, servers []ring.Server, opt ring.Options, memory int64) (Spread, error) {
	start := time.Now()
	arcs := newArcs(len(servers))
	made, err := ring.Stream(spec, servers, opt, memory, arcs.add)
	if err != nil {
		return Spread{}, err
	}
	shares := arcs.shares()
	seconds := time.Since(start).Seconds()
	row := spreadOf(spec, servers, shares)
	row.Ties = opt.Ties.String()
	row.Points = arcs.points
	row.Collisions, row.CollisionsExpected = made-arcs.points, Collisions(made)
	row.Bytes = ring.Size(spec.Version, arcs.points, len(servers))
	row.BytesPerPoint = float64(row.Bytes) / float64(arcs.points)
	row.BuildSeconds = seconds
	return row, nil
}

// spreadOf fills in what follows from the shares of the servers.
func spreadOf(spec ring.Spec, servers []ring.Server, shares []float64) Spread {
	points := pointsOf(spec, servers)
	row := Spread{Ring: spec.String(), Servers: len(servers), PointsLightest: points[0], Best: math.Inf(1), CVFormula: CV(points)}
	total := 0
	for _, k := range points {
		total += k
		row.PointsLightest = min(row.PointsLightest, k)
	}
	row.PointsMean = float64(total) / float64(len(servers))
	squares, unfair := 0.0, 0
	for i, share := range shares {
		load := share * float64(total) / float64(points[i])
		squares += (load - 1) * (load - 1)
		row.Worst, row.Best = max(row.Worst, load), min(row.Best, load)
		if math.Abs(load-1) > 0.1 {
			unfair++
		}
	}
	row.CV = math.Sqrt(squares / float64(len(servers)))
	row.Unfair = float64(unfair) / float64(len(servers))
	return row
}

// arcs sums up the hashes that each server owns, from points in order.
type arcs struct {
	owned  []uint64
	points int
	first  int // server of the first point
	last   uint32
}

func newArcs(servers int) *arcs { return &arcs{owned: make([]uint64, servers)} }

func (a *arcs) add(hashes []uint32, servers []uint16) {
	if a.points == 0 && len(hashes) > 0 {
		a.first = int(servers[0])
		a.owned[a.first] = 1 // hash 0; the others are counted from their point on
	}
	last := a.last
	for i, h := range hashes {
		a.owned[servers[i]] += uint64(h - last)
		last = h
	}
	a.last = last
	a.points += len(hashes)
}

// shares returns the part of the hash space that each server owns. The hashes
// past the last point are the first point's.
func (a *arcs) shares() []float64 {
	a.owned[a.first] += 1<<32 - 1 - uint64(a.last)
	shares := make([]float64, len(a.owned))
	for i, owned := range a.owned {
		shares[i] = float64(owned) / (1 << 32)
	}
	return shares
}
