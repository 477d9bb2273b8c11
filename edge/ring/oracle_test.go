package ring

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/hex"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"testing"
)

// readOracle returns the rows of a recorded file.
func readOracle(t testing.TB, name string, header bool) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + name + ".csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(plain).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if header {
		rows = rows[1:]
	}
	return rows
}

// oracleSets returns the recorded server sets by name.
func oracleSets(t testing.TB) map[string][]Server {
	sets := make(map[string][]Server)
	for _, row := range readOracle(t, "sets", true) {
		weight, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		sets[row[0]] = append(sets[row[0]], Server{Addr: netip.MustParseAddrPort(row[1]), Weight: weight})
	}
	return sets
}

func mustRing(t testing.TB, notation string, servers []Server, opt Options) *Ring {
	t.Helper()
	spec, err := ParseSpec(notation)
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(spec, servers, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ringsOf returns the rings of every recorded set for each notation.
func ringsOf(t *testing.T, sets map[string][]Server, notations ...string) map[string]map[string]*Ring {
	rings := make(map[string]map[string]*Ring)
	for name, servers := range sets {
		rings[name] = make(map[string]*Ring)
		for _, notation := range notations {
			rings[name][notation] = mustRing(t, notation, servers, Options{})
		}
	}
	return rings
}

func distinctNames(r *Ring, servers []Server, hash uint32, count int) string {
	var d Distinct
	d.Start(r, hash, nil)
	var names []string
	for len(names) < count {
		server, ok := d.Next()
		if !ok {
			break
		}
		names = append(names, servers[server].Addr.String())
	}
	return strings.Join(names, "|")
}

func walkNames(r *Ring, servers []Server, hash uint32, count int) string {
	names := make([]string, count)
	for i, walk := 0, r.Walk(hash); i < count; i++ {
		names[i] = servers[walk.Next()].Addr.String()
	}
	return strings.Join(names, "|")
}

func TestLookupAnswersLikeNginx(t *testing.T) {
	sets := oracleSets(t)
	sets["sample"] = nil
	for i := range 9 {
		addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 443)
		sets["sample"] = append(sets["sample"], Server{Addr: addr, Weight: 100})
	}
	for file, set := range map[string]string{"nginx-oracle": "v4-nginx5", "sample-nginx-upstream": "sample"} {
		for _, notation := range []string{"v1", "v2:160", "v3:160"} {
			for _, names := range []Names{NamesAddress, NamesDirective} {
				r := mustRing(t, notation, sets[set], Options{Names: names})
				for _, row := range readOracle(t, file, false) {
					if got := sets[set][r.Pick([]byte(row[0]))].Addr.String(); got != row[1] {
						t.Errorf("%s, %s, names %s: key %q goes to %s, want %s", file, notation, names, row[0], got, row[1])
					}
				}
			}
		}
	}
}

func TestLookupAnswersLikePingoraV1(t *testing.T) {
	sets := oracleSets(t)
	rings := ringsOf(t, sets, "v1")
	shared := sharedPoints(t, sets["v4-1000"])
	excused := 0
	for _, row := range readOracle(t, "pingora-v1", true) {
		servers, r := sets[row[0]], rings[row[0]]["v1"]
		hash := HashString(row[1])
		got := servers[r.Lookup(hash)].Addr.String()
		distinct := distinctNames(r, servers, hash, 3)
		if got == row[2] && distinct == row[3] {
			continue
		}
		// v1's sort is unstable: the owner of a shared point is unspecified.
		if !walksOver(r, hash, shared) {
			t.Errorf("%s: key %q goes to %s then %s, want %s then %s", row[0], row[1], got, distinct, row[2], row[3])
		}
		excused++
	}
	if excused > 10 {
		t.Errorf("%d answers rest on shared points, expected a handful", excused)
	}
}

// sharedPoints returns the hashes that two servers of a v1 ring share.
func sharedPoints(t *testing.T, servers []Server) map[uint32]bool {
	src, err := newSource(Spec{V1, DefaultMultiple}, servers, NamesAddress, DefaultMaxPoints)
	if err != nil {
		t.Fatal(err)
	}
	owner, shared := make(map[uint32]int), make(map[uint32]bool)
	var c chains
	c.each(src, func(rank int, hashes []uint32) {
		for _, h := range hashes {
			if other, taken := owner[h]; taken && other != rank {
				shared[h] = true
			}
			owner[h] = rank
		}
	})
	return shared
}

// walksOver reports whether one of the hashes is among those that the first
// three servers of a walk come from.
func walksOver(r *Ring, hash uint32, hashes map[uint32]bool) bool {
	at := r.layout.find(hash)
	position := -1
	found := false
	r.Each(func(h uint32, _ int) bool {
		position++
		found = found || position >= at && hashes[h]
		return position < at+8 && !found
	})
	return found
}

func parseHash(t testing.TB, text string) uint32 {
	hash, err := strconv.ParseUint(text, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(hash)
}

func TestLookupAnswersLikePingoraV2(t *testing.T) {
	sets := oracleSets(t)
	for _, version := range []string{"v2", "v3"} {
		multiples := []string{version + ":160", version + ":16", version + ":1"}
		rings := ringsOf(t, sets, multiples...)
		for _, row := range readOracle(t, "pingora-v2", true) {
			servers, hash := sets[row[0]], HashString(row[1])
			for i, notation := range multiples {
				if got := servers[rings[row[0]][notation].Lookup(hash)].Addr.String(); got != row[2+i] {
					t.Errorf("%s %s: key %q goes to %s, want %s", row[0], notation, row[1], got, row[2+i])
				}
			}
			if got := distinctNames(rings[row[0]][multiples[1]], servers, hash, 3); got != row[5] {
				t.Errorf("%s %s: key %q walks %s, want %s", row[0], multiples[1], row[1], got, row[5])
			}
		}
	}
}

func TestLookupAtThePoints(t *testing.T) {
	sets := oracleSets(t)
	notations := []string{"v1", "v2:160", "v2:16", "v3:160", "v3:16"}
	rings := ringsOf(t, sets, notations...)
	for _, row := range readOracle(t, "pingora-edge", true) {
		key, err := hex.DecodeString(row[2])
		if err != nil {
			t.Fatal(err)
		}
		if Hash(key) != parseHash(t, row[3]) {
			t.Fatalf("hash of %s is %08x, want %s", row[2], Hash(key), row[3])
		}
		for i, want := range []string{row[4], row[5], row[6], row[5], row[6]} {
			if got := sets[row[0]][rings[row[0]][notations[i]].Pick(key)].Addr.String(); got != want {
				t.Errorf("%s %s %s: hash %s goes to %s, want %s", row[0], notations[i], row[1], row[3], got, want)
			}
		}
	}
}

func TestWalkAnswersLikePingora(t *testing.T) {
	sets := oracleSets(t)
	rings := ringsOf(t, sets, "v1", "v2:16", "v3:16")
	for _, row := range readOracle(t, "pingora-iter", true) {
		hash := HashString(row[1])
		for notation, want := range map[string]string{"v1": row[2], "v2:16": row[3], "v3:16": row[3]} {
			if got := walkNames(rings[row[0]][notation], sets[row[0]], hash, 12); got != want {
				t.Errorf("%s %s: key %q walks\n%s, want\n%s", row[0], notation, row[1], got, want)
			}
		}
	}
}

func TestSharedPointsGoWherePingoraV2PutsThem(t *testing.T) {
	sets := oracleSets(t)
	for _, row := range readOracle(t, "pingora-collisions", true) {
		for _, version := range []string{"v2:", "v3:"} {
			r := mustRing(t, version+row[1], sets[row[0]], Options{})
			if got := sets[row[0]][r.Lookup(parseHash(t, row[2]))].Addr.String(); got != row[6] {
				t.Errorf("%s%s: point %s goes to %s, want %s", version, row[1], row[2], got, row[6])
			}
		}
	}
}

func TestPointsOfAServer(t *testing.T) {
	points := make(map[string][]uint32)
	for _, row := range readOracle(t, "pingora-points", true) {
		if row[1] == "0" {
			points[row[0]] = nil // a server of several sets is listed with each
		}
		points[row[0]] = append(points[row[0]], parseHash(t, row[2]))
	}
	for name, want := range points {
		server := Server{Addr: netip.MustParseAddrPort(name), Weight: len(want)}
		src, err := newSource(Spec{V2, 1}, []Server{server}, NamesAddress, DefaultMaxPoints)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		var c chains
		c.each(src, func(_ int, hashes []uint32) {
			for _, h := range hashes {
				if h != want[at] {
					t.Errorf("%s: point %d is %08x, want %08x", name, at, h, want[at])
				}
				at++
			}
		})
		if at != len(want) {
			t.Errorf("%s: %d points, want %d", name, at, len(want))
		}
	}
}
