package ring

import (
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]Spec{
		"v1": {V1, 160}, "v1:160": {V1, 160}, "v2": {V2, 160}, "v2:16": {V2, 16}, "v3:1": {V3, 1}, "v3:2147483647": {V3, 2147483647},
	} {
		got, err := ParseSpec(text)
		if err != nil || got != want {
			t.Errorf("ParseSpec(%q) = %v, %v; want %v", text, got, err, want)
		}
		if again, err := ParseSpec(got.String()); err != nil || again != got {
			t.Errorf("ParseSpec(%q) = %v, %v; want %v", got, again, err, got)
		}
	}
	for text, says := range map[string]string{
		"": "want v1", "v4:1": "want v1", "v2:": "whole number", "v2:-1": "whole number", "v2:0": "multiple 0",
		"v1:16": "160 points per unit", "v2:2147483648": "below 2147483648", "v2:16 ": "whole number", "V2:16": "want v1",
	} {
		if _, err := ParseSpec(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("ParseSpec(%q) fails with %v, want %q in it", text, err, says)
		}
	}
}

func TestLimits(t *testing.T) {
	one := manyServers(1, 1)
	weigh := func(w int) []Server { return []Server{{Addr: one[0].Addr, Weight: w}} }
	zoned := func(zone string) Server {
		return Server{Addr: netip.AddrPortFrom(netip.MustParseAddr("fe80::1%"+zone), 1), Weight: 1}
	}
	for _, tt := range []struct {
		name    string
		spec    Spec
		servers []Server
		options Options
		says    []string
	}{
		{"no servers", Spec{V2, 1}, nil, Options{}, []string{"no servers"}},
		{"too many servers", Spec{V2, 1}, manyServers(65537, 1), Options{}, []string{"65537", "65536"}},
		{"weight 0", Spec{V2, 1}, weigh(0), Options{}, []string{"weight 0", "10.0.0.0:80"}},
		{"weight below 0", Spec{V3, 1}, weigh(-3), Options{}, []string{"weight -3"}},
		{"too many points", Spec{V2, 160}, weigh(1_000_000), Options{}, []string{"1000000", "160", "64000000"}},
		{"points overflow", Spec{V2, 2147483647}, weigh(1 << 62), Options{}, []string{"4611686018427387904", "64000000"}},
		{"points of several", Spec{V1, 160}, manyServers(10, 7), Options{MaxPoints: 10_000}, []string{"10000", "10.0.0.8:80"}},
		{"a bound too high", Spec{V2, 1}, one, Options{MaxPoints: 1<<28 + 1}, []string{"268435457", "268435456"}},
		{"a negative bound", Spec{V2, 1}, one, Options{MaxPoints: -1}, []string{"-1"}},
		{"an address twice", Spec{V2, 1}, append(manyServers(3, 1), one...), Options{}, []string{"10.0.0.0:80", "server 1 and 4"}},
		{"an address twice but for its zone", Spec{V2, 1}, []Server{zoned("a"), zoned("b")}, Options{}, []string{"fe80::1", "twice"}},
		{"no address", Spec{V2, 1}, append(manyServers(2, 1), Server{Weight: 1}), Options{}, []string{"server 3 of 3"}},
		{"multiple 0", Spec{V2, 0}, one, Options{}, []string{"multiple 0"}},
		{"v1 with another multiple", Spec{V1, 16}, one, Options{}, []string{"16", "160"}},
		{"no version", Spec{0, 1}, one, Options{}, []string{"version 0"}},
	} {
		_, err := New(tt.spec, tt.servers, tt.options)
		for _, says := range tt.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: error %v, want %q in it", tt.name, err, says)
			}
		}
	}
	if _, err := New(Spec{V3, 1}, manyServers(MaxServers, 1), Options{}); err != nil {
		t.Errorf("%d servers: %v", MaxServers, err)
	}
}

func TestWords(t *testing.T) {
	for _, ties := range []Ties{TiesAddress, TiesHashed} {
		if got, err := ParseTies(ties.String()); got != ties || err != nil {
			t.Errorf("ties %s are read as %s, %v", ties, got, err)
		}
	}
	for _, names := range []Names{NamesAddress, NamesDirective} {
		if got, err := ParseNames(names.String()); got != names || err != nil {
			t.Errorf("names %s are read as %s, %v", names, got, err)
		}
	}
	if _, err := ParseTies("lowest"); err == nil {
		t.Error("tie rule lowest is read")
	}
	if _, err := ParseNames("dns"); err == nil {
		t.Error("names dns are read")
	}
}

func TestPickUpWalksPastDownServers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		servers := drawServers(t)
		version := rapid.SampledFrom([]Version{V1, V2, V3}).Draw(t, "version")
		r := newRing(t, version, DefaultMultiple, servers, Options{})
		var down ServerSet
		isDown := rapid.SliceOfN(rapid.Bool(), len(servers), len(servers)).Draw(t, "down")
		up := 0
		for i, d := range isDown {
			if d {
				down = down.With(i)
			} else {
				up++
			}
		}
		hash := rapid.Uint32().Draw(t, "hash")
		want := -1
		walk := r.Walk(hash)
		for range r.Points() {
			if s := walk.Next(); !isDown[s] {
				want = s
				break
			}
		}
		if got := r.PickUp(hash, down); got != want {
			t.Fatalf("PickUp gives %d, the walk %d", got, want)
		}
		var d Distinct
		d.Start(r, hash, down)
		var order []int
		for s, ok := d.Next(); ok; s, ok = d.Next() {
			if isDown[s] || slices.Contains(order, s) {
				t.Fatalf("server %d after %v, down %v", s, order, isDown)
			}
			order = append(order, s)
		}
		if len(order) != up || up > 0 && order[0] != want {
			t.Fatalf("the walk is over %v, want %d servers from %d on", order, up, want)
		}
	})
}

func TestServerComesBack(t *testing.T) {
	r := newRing(t, V3, 16, manyServers(5, 1), Options{})
	home := r.Lookup(12345)
	down := ServerSet(nil).With(home)
	if r.PickUp(12345, down) == home {
		t.Errorf("server %d is down and picked", home)
	}
	back := down.Without(home)
	if got := r.PickUp(12345, back); got != home {
		t.Errorf("server %d is back and %d is picked", home, got)
	}
	if !down.Has(home) || back.Has(home) || ServerSet(nil).Has(70) || len(ServerSet(nil).Without(70)) != 0 {
		t.Error("With and Without change the set they start from, or others")
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	servers := manyServers(1000, 3)
	key := []byte("/static/f6466d5fdae85d09/app.46.js?v=12")
	text := string(key)
	down := ServerSet(nil).With(3).With(999)
	for _, version := range []Version{V1, V2, V3} {
		r := newRing(t, version, DefaultMultiple, servers, Options{})
		var distinct Distinct
		distinct.Start(r, 0, down)
		sum := 0
		for name, work := range map[string]func(){
			"Pick":       func() { sum += r.Pick(key) },
			"HashString": func() { sum += r.Lookup(HashString(text)) },
			"PickUp":     func() { sum += r.PickUp(uint32(sum), down) },
			"Walk":       func() { w := r.Walk(uint32(sum)); sum += w.Next() + w.Next() },
			"Distinct":   func() { distinct.Start(r, uint32(sum), down); s, _ := distinct.Next(); sum += s },
		} {
			if allocs := testing.AllocsPerRun(200, work); allocs != 0 {
				t.Errorf("%s %s allocates %v times", r.Spec(), name, allocs)
			}
		}
	}
}

// TestRebuildReusesBuffers compares what a second build allocates with the
// ring that it makes.
func TestRebuildReusesBuffers(t *testing.T) {
	servers := manyServers(1000, 5)
	var b Builder
	build := func() *Ring {
		r, err := b.Build(Spec{V3, 160}, servers, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := allocated(func() { build() })
	var r *Ring
	second := allocated(func() { r = build() })
	if limit := uint64(r.Bytes())*5/4 + 100_000; second > limit {
		t.Errorf("a rebuild allocates %d bytes for a ring of %d", second, r.Bytes())
	}
	if perPoint := float64(first) / float64(r.Points()); perPoint > 8 {
		t.Errorf("a first build allocates %.2f bytes a point, at most 8", perPoint)
	}
}

// TestBuilderKeepsRingsApart builds rings with one Builder, whose buffers must
// not be those of a ring that it made before.
func TestBuilderKeepsRingsApart(t *testing.T) {
	servers := manyServers(50, 3)
	var b Builder
	var rings []*Ring
	for _, version := range []Version{V1, V3, V2, V3, V1} {
		r, err := b.Build(Spec{version, 160}, servers[:30+len(rings)], Options{})
		if err != nil {
			t.Fatal(err)
		}
		rings = append(rings, r)
	}
	for i, r := range rings {
		checkSame(t, newRing(t, V2, 160, servers[:30+i], Options{}), r)
	}
}

// allocated returns the bytes that work allocates.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestBuildsPeak holds the whole allocation of a build, which bounds its peak,
// to 8 bytes a point for rings of up to 2,048 servers.
func TestBuildsPeak(t *testing.T) {
	for _, servers := range []int{1000, 2048} {
		for _, spec := range []Spec{{V1, 160}, {V2, 160}, {V3, 160}} {
			list := manyServers(servers, 4)
			var r *Ring
			total := allocated(func() { r = newRing(t, spec.Version, spec.Multiple, list, Options{}) })
			const fixed = 1 << 18 // buffers that don't grow with the points
			if total > uint64(8*r.Points()+fixed) {
				t.Errorf("%d servers, %s: a build allocates %d bytes for %d points", servers, spec, total, r.Points())
			}
		}
	}
}

func TestStreamGivesThePointsOfTheRing(t *testing.T) {
	for _, size := range []struct {
		servers, weight, multiple int
		memory                    int64
	}{{50, 3, 40, 0}, {300, 1, 5000, 1 << 20}, {3000, 1, 400, 1 << 20}} {
		servers := manyServers(size.servers, size.weight)
		for _, ties := range []Ties{TiesAddress, TiesHashed} {
			opt := Options{Ties: ties}
			r := newRing(t, V2, size.multiple, servers, opt)
			var hashes []uint32
			var owners []int
			made, err := Stream(r.Spec(), servers, opt, size.memory, func(h []uint32, s []uint16) {
				hashes = append(hashes, h...)
				for _, server := range s {
					owners = append(owners, int(server))
				}
			})
			if err != nil || made != r.Points()+r.Collisions() || len(hashes) != r.Points() {
				t.Fatalf("%v: streams %d of %d points (%v), the ring has %d", size, len(hashes), made, err, r.Points())
			}
			i := 0
			r.Each(func(h uint32, s int) bool {
				if hashes[i] != h || owners[i] != s {
					t.Fatalf("%v: point %d is %08x of %d, want %08x of %d", size, i, hashes[i], owners[i], h, s)
				}
				i++
				return true
			})
		}
	}
	if _, err := Stream(Spec{V2, 1}, manyServers(2, 1), Options{}, 1000, nil); err == nil {
		t.Error("a memory of 1,000 bytes is accepted")
	}
}
