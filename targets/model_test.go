package targets

import (
	"bytes"
	"hash/crc32"
	"io"
	"maps"
	"strings"
	"testing"

	"switchback/datasets"
)

// truth is a dataset as read, to judge targets by.
type truth struct {
	stream []byte
	owners map[string]owner // by hostname
}

type owner struct {
	project    *datasets.Project
	deployment *datasets.Deployment
	place      int
}

func generated(t testing.TB, seed uint64, s datasets.Settings) truth {
	t.Helper()
	var out bytes.Buffer
	if _, err := datasets.Generate(&out, seed, s); err != nil {
		t.Fatal(err)
	}
	all := truth{out.Bytes(), map[string]owner{}}
	r := all.reader(t)
	var last *datasets.Project
	place := 0
	for {
		p, d, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if place++; p != last {
			last, place = p, 0
		}
		for _, host := range p.Hostnames(d) {
			all.owners[host] = owner{p, d, place}
		}
	}
}

func (tr truth) reader(t testing.TB) *datasets.Reader {
	t.Helper()
	r, err := datasets.NewReader(bytes.NewReader(tr.stream))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func (tr truth) index(t testing.TB) *Index {
	t.Helper()
	x, err := NewIndex(tr.reader(t))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func model(t testing.TB, x *Index, s Settings, seed uint64) *Model {
	t.Helper()
	m, err := x.Model(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func block(t testing.TB, s Stream, n int) []Target {
	t.Helper()
	b, err := s.Block(n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// body is the documented law: the origin's path and a newline, repeated and
// cut.
func body(originPath string, length int64) []byte {
	unit := originPath + "\n"
	return []byte(strings.Repeat(unit, int(length)/len(unit)+1)[:length])
}

// judge tells what is wrong with a target.
func (tr truth) judge(t *testing.T, got Target) {
	t.Helper()
	o, known := tr.owners[got.Host]
	if known != (got.Status == 200) || !known && got.Status != 404 {
		t.Fatalf("%s: known %v, status %d", got.Host, known, got.Status)
	}
	if !known {
		if got.Bytes != -1 {
			t.Errorf("unknown %s: %d bytes", got.Host, got.Bytes)
		}
		return
	}
	var want []byte
	if o.deployment.Stages[0].Answers(got.Path) {
		length := 256 + int64(crc32.Checksum([]byte(o.deployment.ID+got.Path), crc32.MakeTable(crc32.Castagnoli))%2048)
		want = body(datasets.FunctionsPath(o.deployment.ID, got.Path), length)
	} else {
		for _, a := range o.deployment.Assets {
			if a.Path == got.Path {
				want = body(a.OriginPath(), a.Bytes)
			}
		}
	}
	if want == nil {
		t.Fatalf("%s has nothing at %s", got.Host, got.Path)
	}
	if hash := crc32.Checksum(want, crc32.MakeTable(crc32.Castagnoli)); got.Bytes != int64(len(want)) || got.BodyHash != hash {
		t.Errorf("%s%s: %d bytes hash %08x, want %d and %08x", got.Host, got.Path, got.Bytes, got.BodyHash, len(want), hash)
	}
	if want := []string{First, Middle, Last}[o.place*3/o.project.Deployments]; got.Position != want {
		t.Errorf("%s: position %s, want %s", got.Host, got.Position, want)
	}
}

func TestEveryTargetIsWhatTheDatasetHas(t *testing.T) {
	tr := generated(t, 1, datasets.Settings{Sizes: []int{200, 10}, Tail: 50})
	x := tr.index(t)
	for name, s := range map[string]Settings{
		"pages":     {},
		"uniform":   {Model: ModelUniform, Unknown: "20%"},
		"views":     {Assets: 12},
		"per block": {PerBlock: map[string]int{"200": 100, "10": 100, "tail": 100, "unknown": 51, "200/last": 10}},
	} {
		t.Run(name, func(t *testing.T) {
			m := model(t, x, s, 7)
			n := 0
			if len(s.PerBlock) == 0 {
				n = 400
			}
			for range 3 {
				for _, got := range block(t, m, n) {
					tr.judge(t, got)
				}
			}
		})
	}
}

func TestPerBlockIsExactInEveryBlock(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{90, 30, 30}, Tail: 40})
	s := Settings{PerBlock: map[string]int{"90": 7, "30": 21, "tail": 5, "90/first": 2, "90/middle": 3, "90/last": 4, "30/unknown": 2, "unknown": 9}}
	m := model(t, tr.index(t), s, 3)
	var firstOrder []string
	for i := range 6 {
		counts := map[string]int{}
		var order []string
		for _, got := range block(t, m, 0) {
			key := "no project"
			if _, label, ok := strings.Cut(got.Host, "."); ok && got.Position == Unknown {
				key = "alias of a " + got.Size
				_ = label
			} else if o, known := tr.owners[got.Host]; known {
				key = "tail"
				if o.project.Named {
					key = got.Size
				}
			}
			counts[key]++
			order = append(order, key)
		}
		unknownTail := 5 - counts["alias of a 90"] - (counts["alias of a 30"] - 2)
		want := map[string]int{"90": 16, "30": 21, "tail": 5, "no project": 4, "alias of a 90": 2, "alias of a 30": 4}
		for key, n := range want {
			if counts[key] != n {
				t.Errorf("block %d: %d of %s, want %d (%v)", i, counts[key], key, n, counts)
			}
		}
		if unknownTail != 1 {
			t.Errorf("block %d: %v", i, counts)
		}
		if i == 0 {
			firstOrder = order
		} else if maps.Equal(map[string]int{strings.Join(order, " "): 1}, map[string]int{strings.Join(firstOrder, " "): 1}) {
			t.Errorf("block %d has the order of the first", i)
		}
	}
}
