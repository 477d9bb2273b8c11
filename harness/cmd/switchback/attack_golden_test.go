package main

import (
	"bytes"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// shop takes orders of a JSON body and a token; it refuses the token of every
// hundredth.
func shop() http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case err != nil, string(body) != `{"item": 7}`:
			w.WriteHeader(http.StatusBadRequest)
		case r.Header.Get("Authorization") != "Bearer secret", n.Add(1)%100 == 0:
			w.WriteHeader(http.StatusUnauthorized)
		default:
			w.WriteHeader(http.StatusCreated)
			io.WriteString(w, "made\n")
		}
	})
}

// TestAttackTranscripts compares what a user sees with golden files in which
// patterns stand for what differs from run to run.
func TestAttackTranscripts(t *testing.T) {
	plain, secure := httptest.NewServer(shop()), httptest.NewUnstartedServer(shop())
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	dir, err := filepath.Abs(filepath.Join("testdata", "attack"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"ca.pem":      string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})),
		"order.json":  `{"item": 7}`,
		"targets.txt": "POST http://shop.example/orders\n@order.json\n\nGET http://shop.example/orders\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	load := []string{"--rate", "400/s", "--duration", "500ms", "--arrivals", "constant"}
	token := []string{"-H", "Authorization: Bearer secret"}
	for name, args := range map[string][][]string{
		"orders":    {{plain.URL + "/orders"}, load, token, {"-H", "Content-Type: application/json", "-d", `{"item": 7}`, "--threshold", "ttfb.p90<1m", "--max-errors", "0.5%"}},
		"kept":      {{plain.URL + "/orders"}, load, token, {"--body-file", "order.json", "--max-errors", "1%"}},
		"https":     {{secure.URL + "/orders"}, load, token, {"--cacert", "ca.pem", "-d", `{"item": 7}`}},
		"targets":   {{plain.URL}, load, token, {"--targets", "targets.txt"}},
		"forbidden": {{plain.URL + "/orders"}, load, {"-d", `{"item": 7}`, "--threshold", "ttfb.p90<1m"}},
		"refused":   {{"http://127.0.0.1:1/"}, load},
		"no-url":    {load},
		"unknown":   {{plain.URL}, load, {"--threshold", "ttfb.p98<20ms"}},
		"empty":     {{plain.URL}, {"--rate", "1/s", "--duration", "1ms"}},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, dir, name, transcript(append([]string{"attack"}, flat(args)...)))
		})
	}
}

func flat(lists [][]string) (all []string) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// transcript runs a command and returns what it prints.
func transcript(args []string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "$ switchback %s\n", strings.Join(args, " "))
	code := run(args, strings.NewReader(""), &out, &out)
	fmt.Fprintf(&out, "exit code %d\n", code)
	text := out.String()
	for _, p := range []struct{ pattern, by string }{
		{`127\.0\.0\.1:\d{2,}`, "ADDRESS"},
		{`(?m)^note: the (generator was late|schedule was not kept).*\n`, ""},
		{`(?m)^( +\S+ [nµm]?s +[\d,]+( +█+)?\n)+`, "    TIME  COUNT  ████\n"},
		{`(?m)^generator: .* CPU a request, of which .* spinning until it was due; distance of gaps .*$`, "generator: …"},
		{`[\d.]+ [nµm]?s\b`, "TIME"},
		{`[\d.]+/s kept`, "RATE/s kept"},
		{`[1-9]\d* connections opened, \d+ requests reused`, "N connections opened, N requests reused"},
		{`(?m)^( +\S+) +(TIME|no answer)`, "$1  $2"},
		{`(TIME|no answer) {2,}`, "$1  "},
		{`(?m)^(\s+\S+)( +TIME){7}$`, "$1  TIME …"},
		{`(?m)^ +p50 .*$`, "  p50 …"},
	} {
		text = regexp.MustCompile(p.pattern).ReplaceAllString(text, p.by)
	}
	return []byte(text)
}

// golden compares got with a file of the folder, and writes a .got- file when
// they differ.
func golden(t *testing.T, dir, name string, got []byte) {
	t.Helper()
	path := filepath.Join(dir, name+".txt")
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		written := filepath.Join(dir, ".got-"+name+".txt")
		if err := os.WriteFile(written, got, 0o666); err != nil {
			t.Fatal(err)
		}
		t.Errorf("output differs from %s; it is in %s", path, written)
	}
}
