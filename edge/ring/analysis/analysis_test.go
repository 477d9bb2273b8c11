package analysis

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"switchback/edge/ring"
	"switchback/edge/ring/fleet"
)

func servers(t testing.TB, count int, law string) []ring.Server {
	t.Helper()
	weights, err := fleet.ParseWeights(law)
	if err != nil {
		t.Fatal(err)
	}
	list, err := fleet.Generate(count, weights)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func spec(t testing.TB, notation string) ring.Spec {
	t.Helper()
	s, err := ring.ParseSpec(notation)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

// TestTheory compares with the published figures: k = 16 spreads 1,000 servers
// with a coefficient of 0.247; 160 → 16 moves 90 % of the keys.
func TestTheory(t *testing.T) {
	equal := func(k int) []int {
		points := make([]int, 1000)
		for i := range points {
			points[i] = k
		}
		return points
	}
	if got := CV(equal(16)); !near(got, 0.2499, 0.001) {
		t.Errorf("CV at 16 points is %.4f", got)
	}
	if got, want := CV(equal(7)), math.Sqrt(999/7001.0); !near(got, want, 1e-9) {
		t.Errorf("CV at 7 points is %.9f, want √((N−1)/(N·k+1)) = %.9f", got, want)
	}
	if got, want := Moved(equal(160), equal(16)), 0.9*(1-1.0/1000); !near(got, want, 1e-9) {
		t.Errorf("160 → 16 moves %.9f, want (1−m/M)(1−Σ shares²) = %.9f", got, want)
	}
	if got := Moved(equal(160), equal(160)); got != 0 {
		t.Errorf("a ring moves %g of its own keys", got)
	}
	if got := Moved([]int{5, 5, 0}, []int{5, 5, 5}); !near(got, 1.0/3, 1e-9) {
		t.Errorf("a third server takes %.9f of the keys, want a third", got)
	}
	if got := Collisions(880_000); !near(got, 90.15, 0.001) {
		t.Errorf("880,000 points have %.2f collisions", got)
	}
}

func TestSpreadIsMeasuredOverAllHashes(t *testing.T) {
	list := servers(t, 37, "1-10")
	for _, ties := range []ring.Ties{ring.TiesAddress, ring.TiesHashed} {
		opt := ring.Options{Ties: ties}
		row, err := SpreadOf(spec(t, "v3:50"), list, opt, 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ring.New(spec(t, "v3:50"), list, opt)
		if err != nil {
			t.Fatal(err)
		}
		owned, total := ownedBy(r, len(list)), 0
		sum := uint64(0)
		for i, s := range list {
			total += s.Weight
			sum += owned[i]
		}
		if sum != 1<<32 {
			t.Fatalf("all servers own %d hashes", sum)
		}
		squares, worst := 0.0, 0.0
		for i, s := range list {
			load := float64(owned[i]) / (1 << 32) * float64(total) / float64(s.Weight)
			squares += (load - 1) * (load - 1)
			worst = max(worst, load)
		}
		if want := math.Sqrt(squares / 37); !near(row.CV, want, 1e-9) || !near(row.Worst, worst, 1e-9) {
			t.Errorf("cv %.6f, worst %.6f; want %.6f, %.6f", row.CV, row.Worst, want, worst)
		}
		if row.Points != r.Points() || row.Collisions != r.Collisions() || !near(float64(row.Bytes), float64(r.Bytes()), 1e-3) || row.PointsLightest != 50 {
			t.Errorf("%+v, but the ring has %d points, %d collisions, %d bytes", row, r.Points(), r.Collisions(), r.Bytes())
		}
	}
}

// ownedBy counts the hashes of each server by looking up both ends of every
// stretch.
func ownedBy(r *ring.Ring, servers int) []uint64 {
	owned := make([]uint64, servers)
	next := uint64(0)
	r.Each(func(h uint32, _ int) bool {
		owned[r.Lookup(h)] += uint64(h) + 1 - next
		next = uint64(h) + 1
		return true
	})
	owned[r.Lookup(math.MaxUint32)] += 1<<32 - next
	return owned
}

// TestSpreadFollowsTheFormula: the measured coefficient is near the formula's
// for hashed ties; with 40 servers it has itself a relative error near 11 %.
func TestSpreadFollowsTheFormula(t *testing.T) {
	for _, notation := range []string{"v1", "v2:16", "v2:1000", "v3:3"} {
		row, err := SpreadOf(spec(t, notation), servers(t, 500, "equal"), ring.Options{Ties: ring.TiesHashed}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !near(row.CV, row.CVFormula, 0.16) { // five standard deviations
			t.Errorf("%s: cv %.4f, by formula %.4f", notation, row.CV, row.CVFormula)
		}
	}
}

// TestAddressTiesFavourLowAddresses is the finding: on rings so dense that
// points collide, low addresses own more. Three million points have about
// 1,050 collisions. The upper half of the addresses loses half of them with
// hashed ties, three quarters with address ties: 262 ± 23 mean arcs more.
func TestAddressTiesFavourLowAddresses(t *testing.T) {
	list := servers(t, 100, "equal")
	var upper [2]float64
	for i, ties := range []ring.Ties{ring.TiesAddress, ring.TiesHashed} {
		arcs := newArcs(len(list))
		made, err := ring.Stream(spec(t, "v2:30000"), list, ring.Options{Ties: ties}, 0, arcs.add)
		if err != nil {
			t.Fatal(err)
		}
		if lost := float64(made - arcs.points); !near(lost, Collisions(made), 0.15) { // five standard deviations
			t.Errorf("%v of %d points are lost, want about %.0f", lost, made, Collisions(made))
		}
		for _, share := range arcs.shares()[len(list)/2:] {
			upper[i] += share
		}
	}
	if lost := (upper[1] - upper[0]) * 3_000_000; lost < 262-115 || lost > 262+115 {
		t.Errorf("address ties cost the upper half of the addresses %.0f mean arcs, want about 262", lost)
	}
}

func TestMoveIsMeasuredOverAllHashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, err := fleet.Generate(rapid.IntRange(2, 12).Draw(t, "servers"), fleet.Weights{})
		if err != nil {
			t.Fatal(err)
		}
		draw := func(name string) Side {
			from := rapid.IntRange(0, len(list)-1).Draw(t, name+" first")
			s := ring.Spec{Version: ring.Version(rapid.IntRange(2, 3).Draw(t, name+" version")), Multiple: rapid.IntRange(1, 9).Draw(t, name+" multiple")}
			return Side{Spec: s, Servers: list[from:]}
		}
		a, b := draw("from"), draw("to")
		move, err := MoveBetween(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if want := movedByLookup(t, a, b); math.Abs(move.Moved-want) > 1e-9 {
			t.Fatalf("%.9f of the keys move, look-ups say %.9f", move.Moved, want)
		}
		sums := [4]float64{}
		for _, s := range move.Servers {
			for i, v := range []float64{s.ShareFrom, s.ShareTo, s.Lost, s.Gained} {
				sums[i] += v
			}
			if math.Abs(s.ShareFrom-s.Lost+s.Gained-s.ShareTo) > 1e-9 {
				t.Fatalf("%+v does not add up", s)
			}
		}
		for i, want := range []float64{1, 1, move.Moved, move.Moved} {
			if math.Abs(sums[i]-want) > 1e-9 {
				t.Fatalf("column %d sums to %.9f, want %.9f", i, sums[i], want)
			}
		}
	})
}

// movedByLookup looks up every stretch between two points of either ring.
func movedByLookup(t rapid.TB, a, b Side) float64 {
	before, err := ring.New(a.Spec, a.Servers, a.Options)
	if err != nil {
		t.Fatal(err)
	}
	after, err := ring.New(b.Spec, b.Servers, b.Options)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[uint32]bool{math.MaxUint32: true}
	for _, r := range []*ring.Ring{before, after} {
		r.Each(func(h uint32, _ int) bool { ends[h] = true; return true })
	}
	moved := 0.0
	for end := range ends {
		start := int64(-1)
		for other := range ends {
			if other < end {
				start = max(start, int64(other))
			}
		}
		if a.Servers[before.Lookup(end)].Addr != b.Servers[after.Lookup(end)].Addr {
			moved += float64(int64(end)-start) / (1 << 32)
		}
	}
	return moved
}

func TestMoveFollowsTheFormula(t *testing.T) {
	list := servers(t, 200, "1-10")
	grown, err := fleet.Change{Add: []string{"10.9.9.9:80=500"}, Remove: []string{"10.0.0.10:80"}, Reweight: []string{"10.0.0.20:80=1"}}.Apply(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		from, to string
		servers  []ring.Server
	}{{"v2:160", "v2:16", list}, {"v1", "v3:160", list}, {"v3:160", "v3:160", grown}, {"v2:40", "v3:160", grown}} {
		move, err := MoveBetween(Side{Spec: spec(t, tt.from), Servers: list}, Side{Spec: spec(t, tt.to), Servers: tt.servers})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(move.Moved-move.MovedFormula) > 0.01 {
			t.Errorf("%s to %s moves %.4f, by formula %.4f", tt.from, tt.to, move.Moved, move.MovedFormula)
		}
	}
}

func TestPlanAddsUp(t *testing.T) {
	list, combinations, err := fleet.MakeSets(servers(t, 100, "1-10"), 8)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := PlanOf(spec(t, "v3:16"), Fleet{Servers: list, Combinations: combinations, Processes: 3, Machines: 7}, ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sets, err := ring.NewSets(spec(t, "v3:16"), list, combinations, ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if plan.BytesPerProcess != sets.Bytes() || plan.BytesPerFleet != 21*sets.Bytes() || plan.RingSets != 8 || plan.Rings != 8 || plan.CV <= 0 {
		t.Errorf("plan is %+v, the sets take %d bytes", plan, sets.Bytes())
	}
}

func TestBenchFillsEveryColumn(t *testing.T) {
	row, err := BenchOf(spec(t, "v3:16"), servers(t, 50, "equal"), ring.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if row.Points != 800 || row.BuildSeconds <= 0 || row.SortSeconds <= 0 || row.LookupNs <= 0 || row.BinarySearchNs <= 0 {
		t.Errorf("%+v", row)
	}
	if !near(row.LookupRatio, row.LookupNs/row.BinarySearchNs, 1e-9) || !near(row.BuildRatio, row.BuildSeconds/row.SortSeconds, 1e-9) {
		t.Errorf("ratios of %+v", row)
	}
}
