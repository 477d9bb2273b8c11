package targets

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"switchback/datasets"
)

func TestTheIndexHasTheDatasetsAssets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := datasets.Settings{Sizes: rapid.SliceOfN(rapid.IntRange(1, 40), 1, 3).Draw(rt, "sizes"), Tail: rapid.IntRange(0, 5).Draw(rt, "tail")}
		tr := generated(t, rapid.Uint64().Draw(rt, "seed"), s)
		x := tr.index(t)
		for i := range x.projects.length {
			p := x.projects.at(i)
			for place := range p.deployments {
				d := p.first + place
				o := tr.owners[x.hostnames(p, d)[0]]
				if o.deployment == nil || o.place != int(place) || o.project.Name != p.name {
					rt.Fatalf("project %d, place %d: the hostname is of %+v", i, place, o)
				}
				for k, path := range x.pathsOf(p) {
					a, want := x.assets.at(x.assetAt(p, d, path)), o.deployment.Assets[k]
					if x.paths[a.path] != want.Path || int64(a.bytes) != want.Bytes {
						rt.Fatalf("%s of deployment %d: %d bytes, want %+v", x.paths[a.path], place, a.bytes, want)
					}
				}
			}
		}
	})
}

func TestUnknownAliasesAvoidAllHostnames(t *testing.T) {
	x := &Index{lookalikes: map[string]bool{}}
	draws := datasets.NewDraws(1)
	first, second, third := uint32(draws.Uint64()), uint32(draws.Uint64()), uint32(draws.Uint64())
	x.aliases.add(first)
	x.lookalikes[hexAlias(second)+".example.pages.dev"] = true
	again := datasets.NewDraws(1)
	if got, want := x.unknownAlias(&again, &project{name: "example", deployments: 1}), hexAlias(third)+".example.pages.dev"; got != want {
		t.Errorf("unknown alias %s, want the third draw %s", got, want)
	}
}

func TestAnIndexNeedsAWholeDataset(t *testing.T) {
	tr := generated(t, 1, datasets.Settings{Sizes: []int{200}})
	r, err := datasets.NewReader(bytes.NewReader(tr.stream[:len(tr.stream)-100]))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := NewIndex(r); err == nil || !strings.Contains(err.Error(), "record") {
		t.Errorf("error %v", err)
	}
}

func TestGenerateIndexIsTheIndexOfTheStream(t *testing.T) {
	s := datasets.Settings{Sizes: []int{20}}
	x, err := GenerateIndex(6, s)
	if err != nil {
		t.Fatal(err)
	}
	if want := generated(t, 6, s).index(t).Info().Digest; x.Info().Digest != want {
		t.Errorf("digest %s, want %s", x.Info().Digest, want)
	}
	if _, err := GenerateIndex(6, datasets.Settings{Tail: -1}); err == nil || err.Error() != "tail: -1 projects, expected 0 to 50000000" {
		t.Errorf("error %v", err)
	}
}

// The documented bound: 24 bytes an asset, 28 and its branches a deployment,
// about 100 a project. It allows for one chunk of each list.
func TestAnIndexIsCompact(t *testing.T) {
	for name, s := range map[string]datasets.Settings{"large projects": {Sizes: []int{6000}}, "small projects": {Tail: 1500}} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		x, err := GenerateIndex(1, s)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		info := x.Info()
		bound := 24*info.Assets + (28+16)*info.Deployments + 120*info.Projects + 1<<20
		if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > bound {
			t.Errorf("%s: %d KiB for %d deployments, want at most %d", name, used>>10, info.Deployments, bound>>10)
		} else {
			t.Logf("%s: %d bytes a deployment", name, used/info.Deployments)
		}
		runtime.KeepAlive(x)
	}
}

func TestTablesHoldWhatWasAdded(t *testing.T) {
	var list table[int]
	const n = 2*chunkLength + 3
	for i := range n {
		list.add(i * i)
	}
	for i := range uint32(n) {
		if *list.at(i) != int(i)*int(i) {
			t.Fatalf("element %d is %d", i, *list.at(i))
		}
	}
	if list.length != n {
		t.Errorf("length %d, want %d", list.length, n)
	}
}
