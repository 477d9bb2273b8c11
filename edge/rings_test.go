package edge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"switchback/datasets"
	"switchback/edge/ring"
	"switchback/edge/rollout"
	"switchback/origin"
)

// Every version of a ring that answers alike names the same node, and with
// ring sets a node that has the features of the site's combination.
func TestNodeIsTheOneOfTheRing(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	for _, sets := range []int{0, 8} {
		for _, name := range []string{"v2:16", "v3:16"} {
			e := w.edge(Options{Ring: name, Nodes: 16, Weights: "1-10", RingSets: sets})
			for _, want := range w.targets {
				if want.function {
					continue
				}
				site := rollout.Site(want.host, datasets.Suffix)
				spec, _ := ring.ParseSpec("v2:16")
				all := e.nodes.combinations
				combination := all[ring.HashString(site)%uint32(len(all))]
				plain, err := ring.NewSets(spec, e.nodes.servers, []string{combination}, ring.Options{})
				if err != nil {
					t.Fatal(err)
				}
				index := plain.Ring(combination).Pick([]byte(want.digest))
				if got := nodeIn(check(t, e, want).Header().Get("Server-Timing")); got != e.nodes.all[index].name {
					t.Fatalf("%s with %d sets: %s is at %s, want %s", name, sets, want.digest, got, e.nodes.all[index].name)
				}
			}
			s := e.Stats().Ring[name]
			if s.Sets != sets || s.Points == 0 || s.Bytes == 0 || s.BuildSeconds <= 0 {
				t.Errorf("%s with %d sets: %+v", name, sets, s)
			}
		}
	}
}

func TestServersFromAFile(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	file := filepath.Join(t.TempDir(), "servers.csv")
	if err := os.WriteFile(file, []byte("server,weight\n192.0.2.1:443,2\n[2001:db8::1]:443,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := w.edge(Options{Servers: file, Ring: "v2:16"})
	check(t, e, w.first(false))
	s := e.Stats()
	if len(s.Nodes) != 2 || s.Nodes["n1"].Address != "192.0.2.1:443" || s.Nodes["n2"].Address != "[2001:db8::1]:443" || s.Ring["v2:16"].Points != 80 {
		t.Errorf("nodes %+v, ring %+v", s.Nodes, s.Ring)
	}
	if err := os.WriteFile(file, []byte("server,weight\n192.0.2.1:443,2\n192.0.2.2:443,0\n192.0.2.3:443,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e = w.edge(Options{Servers: file, Ring: "v2:16"})
	check(t, e, w.first(false))
	if s := e.Stats(); len(s.Nodes) != 2 || s.Nodes["n3"].Address != "192.0.2.3:443" || s.Ring["v2:16"].Points != 80 {
		t.Errorf("with a drained server: nodes %+v, ring %+v", s.Nodes, s.Ring)
	}
	for content, want := range map[string]string{"server,weight\n": "servers.csv: none of the 0 servers", "server,weight\n192.0.2.1:443,0\n": "servers.csv: none of the 1 servers", "server,weight\nx,1\n": "IP:PORT", "server,weight\n192.0.2.1:443,1\n192.0.2.1:443,1\n": "192.0.2.1:443"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		options := Options{Store: w.stores, Secret: []byte(testSecret), Origin: w.server.URL, Servers: file}
		e, err := New(options)
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error that says %q", content, err, want)
		}
	}
}
