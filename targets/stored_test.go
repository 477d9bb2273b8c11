package targets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"switchback/datasets"
)

// stored returns the stream of blocks and what its writer told.
func stored(t testing.TB, blocks ...[]Target) ([]byte, Info) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{Dataset: "sha256:00", Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	info, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), info
}

// readAll reads to the first error: io.EOF for a whole stream.
func readAll(stream []byte) (blocks [][]Target, info Info, err error) {
	r, err := NewReader(bytes.NewReader(stream))
	if err != nil {
		return nil, Info{}, err
	}
	defer r.Close()
	for {
		b, err := r.Block(0)
		if err != nil {
			if _, again := r.Block(0); again != err {
				panic("Block forgot its error")
			}
			return blocks, r.Info(), err
		}
		blocks = append(blocks, b)
	}
}

func TestAStoredStreamIsTheOneThatWasDrawn(t *testing.T) {
	tr := generated(t, 4, datasets.Settings{Sizes: []int{30}, Tail: 10})
	m := model(t, tr.index(t), Settings{Assets: 3, Unknown: "20%"}, 1)
	drawn := [][]Target{block(t, m, 20), block(t, m, 5)}
	drawn[1][0].Header = []Field{{"Accept", "text/html, */*"}}
	drawn[1][0].Method, drawn[1][0].Body = "POST", []byte("a\nb\x00")
	stream, told := stored(t, drawn...)
	blocks, info, err := readAll(stream)
	if err != io.EOF || !reflect.DeepEqual(blocks, drawn) {
		t.Errorf("read %v, %v, want %v", blocks, err, drawn)
	}
	if !reflect.DeepEqual(info, told) || info.Blocks != 2 || info.Targets != int64(len(drawn[0])+len(drawn[1])) {
		t.Errorf("read %+v, told %+v", info, told)
	}
	digest := NewDigest()
	for _, b := range drawn {
		if err := digest.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	if digest.String() != info.Digest {
		t.Errorf("digest of the file %s, of its blocks %s", info.Digest, digest)
	}
}

func TestAStoredBlockHasItsArrivals(t *testing.T) {
	tr := generated(t, 4, datasets.Settings{Sizes: []int{30}})
	m := model(t, tr.index(t), Settings{Assets: 3, Unknown: "0%"}, 1)
	stream, _ := stored(t, block(t, m, 6), block(t, m, 6))
	r, err := NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b := block(t, r, 6); len(b) != 24 {
		t.Errorf("a block of 6 page views has %d targets, want 24", len(b))
	}
	if _, err := r.Block(7); err == nil || !strings.Contains(err.Error(), "6 arrivals, 7 are asked for") {
		t.Errorf("a block of 7: %v", err)
	}
}

const (
	goodHeader = `{"schema":"switchback.targets/1"}`
	goodTarget = `{"host":"a.example","path":"/","status":200,"bytes":-1,"body_hash":0}`
)

// linesOf returns the compressed stream of lines.
func linesOf(t testing.TB, lines ...string) []byte {
	t.Helper()
	out, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	return out.EncodeAll([]byte(strings.Join(lines, "\n")+"\n"), nil)
}

func TestMalformedStreamsAreRefused(t *testing.T) {
	const one = `{"block":{"targets":1}}`
	with := func(field string) []string {
		return []string{goodHeader, one, strings.Replace(goodTarget, `"status"`, field+`,"status"`, 1)}
	}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"another version":      {[]string{`{"schema":"switchback.targets/2"}`}, `line 1: schema is "switchback.targets/2"`},
		"a digest with a bell": {[]string{`{"schema":"switchback.targets/1","dataset":"\u0007"}`}, `line 1: dataset "\a"`},
		"no JSON":              {[]string{"GET http://a.example/"}, "line 1: "},
		"no end":               {[]string{goodHeader, one, goodTarget}, "line 4: the stream is cut short"},
		"a block cut short":    {[]string{goodHeader, `{"block":{"targets":2}}`, goodTarget}, "line 4: the stream is cut short"},
		"a target too many":    {[]string{goodHeader, one, goodTarget, goodTarget}, "line 4: expected a block"},
		"an empty block":       {[]string{goodHeader, `{"block":{"targets":0}}`}, "expected a block"},
		"a block too large":    {[]string{goodHeader, `{"block":{"targets":10000001}}`}, "expected a block"},
		"wrong counts":         {[]string{goodHeader, one, goodTarget, `{"end":{"blocks":1,"targets":2}}`}, "the stream counts"},
		"data after the end":   {[]string{goodHeader, `{"end":{"blocks":0,"targets":0}}`, one}, "data after the end"},
		"a line too long":      {[]string{goodHeader, strings.Repeat(" ", maxLine+1)}, "longer than 65536 bytes"},
		"no host":              {[]string{goodHeader, one, `{"path":"/"}`}, `host ""`},
		"host with a newline":  {with(`"host":"a\r\nX: y"`), "line 3: host"},
		"path without a slash": {with(`"path":"x"`), `path "x"`},
		"path with a space":    {with(`"path":"/ HTTP/1.1"`), "path"},
		"method in lower case": {with(`"method":"get"`), `method "get"`},
		"status out of range":  {[]string{goodHeader, one, strings.Replace(goodTarget, "200", "600", 1)}, "status 600"},
		"bytes below -1":       {[]string{goodHeader, one, strings.Replace(goodTarget, "-1", "-2", 1)}, "bytes -2"},
		"size in words":        {with(`"size":"tail"`), `size "tail"`},
		"an unknown position":  {with(`"position":"top"`), `position "top"`},
		"a view below zero":    {with(`"view":-1`), "view -1"},
		"document of no view":  {with(`"document":true`), "view 0"},
		"field name no token":  {with(`"header":[{"name":"a:","value":""}]`), `header field "a:"`},
		"field with a newline": {with(`"header":[{"name":"a","value":"b\nc: d"}]`), "control characters"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := readAll(linesOf(t, c.lines...))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "requests.zst")
	if err := os.WriteFile(file, linesOf(t, goodHeader), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Block(0); err == nil || !strings.HasPrefix(err.Error(), file+": line 2: ") {
		t.Errorf("error %v", err)
	}
	if _, err := Open(file + ".none"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("error %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(strings.Join([]string{goodHeader, `{"block":{"targets":1}}`, goodTarget, `{"end":{"blocks":1,"targets":1}}`}, "\n"))
	f.Fuzz(func(t *testing.T, lines string) {
		blocks, _, _ := readAll(linesOf(t, lines))
		for _, b := range blocks {
			for _, got := range b {
				if line := fmt.Sprint(got.Method, got.Path, got.Host); strings.ContainsAny(line, " \r\n\x00") {
					t.Fatalf("%q would not be one request line", line)
				}
			}
			if _, err := json.Marshal(b); err != nil {
				t.Fatal(err)
			}
		}
	})
}
