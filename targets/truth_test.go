package targets

import (
	"bytes"
	"hash/crc32"
	"io"
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
