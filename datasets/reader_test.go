package datasets

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// compressed returns the zstd frame of a stream.
func compressed(t testing.TB, stream []byte) []byte {
	t.Helper()
	out, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	return out.EncodeAll(stream, nil)
}

func decompressed(t testing.TB, stream []byte) []byte {
	t.Helper()
	in, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := in.DecodeAll(stream, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// readAll reads to the first error: io.EOF for a whole stream.
func readAll(r io.Reader) (deployments int, err error) {
	in, err := NewReader(r)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	for {
		if _, _, err := in.Next(); err != nil {
			if _, _, again := in.Next(); again != err {
				panic("Next forgot its error")
			}
			return deployments, err
		}
		deployments++
	}
}

// crafted returns a stream of the header and records built by hand.
func crafted(t testing.TB, records ...func(*encoder)) []byte {
	t.Helper()
	stream, err := json.Marshal(header{Schema, 1, Settings{}.WithDefaults()})
	if err != nil {
		t.Fatal(err)
	}
	stream = append(stream, '\n')
	for _, encode := range records {
		var e encoder
		encode(&e)
		stream = binary.LittleEndian.AppendUint32(stream, uint32(len(e.payload)))
		stream = append(stream, e.payload...)
	}
	return compressed(t, stream)
}

func project(name string, deployments int, domains ...string) func(*encoder) {
	return func(e *encoder) { e.project(&Project{Name: name, Deployments: deployments, Domains: domains}) }
}

// valid returns a good deployment, changed.
func valid(change func(*Deployment)) func(*encoder) {
	d := &Deployment{ID: "0123456789abcdef", Alias: "01234567",
		Stages: []Stage{{Name: StageAssets}}, Assets: []Asset{{Path: "/", Digest: strings.Repeat("0", 32)}}}
	if change != nil {
		change(d)
	}
	return func(e *encoder) { e.deployment(d) }
}

func counted(c Counts) func(*encoder) { return func(e *encoder) { e.counts(c) } }

func TestACraftedStreamIsRead(t *testing.T) {
	n, err := readAll(bytes.NewReader(crafted(t, project("a", 1), valid(nil), project("b", 2), valid(nil), valid(func(d *Deployment) { d.Assets = nil }), counted(Counts{2, 3, 3}))))
	if n != 3 || err != io.EOF {
		t.Errorf("%d deployments, %v", n, err)
	}
}

func TestMalformedStreamsAreRefused(t *testing.T) {
	type records = []func(*encoder)
	with := func(change func(*Deployment)) records { return records{project("a", 1), valid(change)} }
	for name, c := range map[string]struct {
		records records
		want    string
	}{
		"no end":                 {records{project("a", 1), valid(nil)}, "record 3: the stream is cut short"},
		"deployment at first":    {records{valid(nil)}, "record 1: a deployment without a project"},
		"one too many":           {records{project("a", 1), valid(nil), valid(nil)}, "record 3: a deployment without a project"},
		"one missing":            {records{project("a", 2), valid(nil), project("b", 1)}, `"a" lacks 1 deployments`},
		"one missing at the end": {records{project("a", 2), valid(nil), counted(Counts{1, 1, 1})}, `"a" lacks 1 deployments`},
		"wrong counts":           {records{project("a", 1), valid(nil), counted(Counts{1, 1, 2})}, "the stream counts"},
		"data after the end":     {records{counted(Counts{}), project("a", 1)}, "data after the end"},
		"unknown record":         {records{func(e *encoder) { e.number(9) }}, "expected a project"},
		"trailing bytes":         {records{func(e *encoder) { project("a", 1)(e); e.flag(true) }}, "malformed"},
		"a record too long":      {records{project(strings.Repeat("a", maxRecord), 1)}, "bytes, at most 1048576"},
		"a list too long":        {records{func(e *encoder) { e.number(recordProject); e.text("a"); e.number(1); e.flag(true); e.number(1 << 40) }}, "malformed"},
		"no deployments":         {records{project("a", 0)}, "no deployments"},
		"name with a newline":    {records{project("a\nb", 1)}, `name "a\nb"`},
		"name in upper case":     {records{project("A", 1)}, "lower-case host label"},
		"name too long":          {records{project(strings.Repeat("a", 64), 1)}, "lower-case host label"},
		"domain with an escape":  {records{project("a", 1, "\x1b[31m.example")}, `domain "\x1b[31m.example"`},
		"domain of a project":    {records{project("a", 1, "b.pages.dev")}, "outside pages.dev"},
		"branch with a dot":      {with(func(d *Deployment) { d.Branches = []string{"x.y"} }), `branch "x.y"`},
		"path without a slash":   {with(func(d *Deployment) { d.Assets[0].Path = "x" }), `path "x"`},
		"path with a space":      {with(func(d *Deployment) { d.Assets[0].Path = "/ HTTP/1.1" }), "asset path"},
		"no stage":               {with(func(d *Deployment) { d.Stages = nil }), "stages"},
		"stages in wrong order":  {with(func(d *Deployment) { d.Stages = append(d.Stages, Stage{Name: StageFunctions, Paths: []string{"/"}}) }), "stages"},
		"functions of nothing":   {with(func(d *Deployment) { d.Stages = []Stage{{Name: StageFunctions}, {Name: StageAssets}} }), "0 paths"},
		"binding with a bell":    {with(func(d *Deployment) { d.Stages[0].Bindings = []Binding{{Name: "A", Value: "\a"}} }), `binding "A"`},
		"no assets":              {with(func(d *Deployment) { d.Assets = nil }), "without assets"},
		"too many assets":        {with(func(d *Deployment) { d.Assets = slices.Repeat(d.Assets, maxAssets+1) }), "1001 assets, at most 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAll(bytes.NewReader(crafted(t, c.records...)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestHeadersThatAreRefused(t *testing.T) {
	for want, stream := range map[string]string{
		"not a dataset: the stream is cut short":     "",
		"not a dataset: the first line is no header": "{}\n",
		`schema is "switchback.dataset/2", expected`: `{"schema":"switchback.dataset/2"}` + "\n",
		"tail: -1":                          `{"schema":"switchback.dataset/1","settings":{"tail":-1}}` + "\n",
		"not a dataset: bufio: buffer full": strings.Repeat(" ", 1<<20) + "\n",
	} {
		if _, err := readAll(bytes.NewReader(compressed(t, []byte(stream)))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %q", stream, err, want)
		}
	}
	if _, err := readAll(strings.NewReader("plain text")); err == nil || err == io.EOF {
		t.Errorf("plain text: error %v", err)
	}
}

func TestAStreamCutAnywhereIsAnError(t *testing.T) {
	whole, _ := generated(t, 1, Settings{Sizes: []int{20}})
	plain := decompressed(t, whole)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(whole)-1).Draw(t, "bytes of the file")
		if _, err := readAll(bytes.NewReader(whole[:n])); err == nil || err == io.EOF {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
	})
	for n := range 200 {
		at := n * len(plain) / 200
		if _, err := readAll(bytes.NewReader(compressed(t, plain[:at]))); err == nil || err == io.EOF {
			t.Errorf("%d of %d bytes of the stream: %v", at, len(plain), err)
		}
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sites.zst")
	if err := os.WriteFile(file, crafted(t, project("a", 2), valid(nil)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadInfo(file); err == nil || !strings.HasPrefix(err.Error(), file+": record 3: ") {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadInfo(file); err == nil || !strings.HasPrefix(err.Error(), file+": ") {
		t.Errorf("error %v", err)
	}
}

func FuzzReader(f *testing.F) {
	whole, _ := generated(f, 1, Settings{Sizes: []int{3}, BytesPerDeployment: 256})
	f.Add(decompressed(f, whole))
	f.Add(decompressed(f, crafted(f, project("a", 1), valid(nil), counted(Counts{1, 1, 1}))))
	f.Fuzz(func(t *testing.T, stream []byte) {
		r, err := NewReader(bytes.NewReader(compressed(t, stream)))
		if err != nil {
			return
		}
		defer r.Close()
		for {
			p, d, err := r.Next()
			if err != nil {
				return
			}
			for _, host := range p.Hostnames(d) {
				if !isHost(host) {
					t.Fatalf("hostname %q", host)
				}
			}
			if len(d.Assets) == 0 || d.check() != nil {
				t.Fatalf("deployment %+v", d)
			}
		}
	})
}
