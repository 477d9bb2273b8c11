package kv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSizes(t *testing.T) {
	s := newStore(t, Options{})
	put(t, s, map[Key]string{
		{Tables, "ab"}:        "12345",
		{Tables, "abc"}:       "",
		{Entries, "\xff\xff"}: "1",
		{Pipelines, ""}:       "12",
	})
	sizes, err := s.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[Prefix]Size{
		Tables: {Keys: 2, KeyBytes: 9, ValueBytes: 5}, Entries: {Keys: 1, KeyBytes: 4, ValueBytes: 1},
		Pipelines: {Keys: 1, KeyBytes: 2, ValueBytes: 2}, Domains: {}, Manifests: {}, Neighbours: {},
	} {
		got := sizes[p]
		if got.DiskBytes > 0 != (want.Keys > 0) {
			t.Errorf("%c: %d bytes on disk for %d keys", p, got.DiskBytes, want.Keys)
		}
		got.DiskBytes = 0
		if got != want {
			t.Errorf("%c: got %+v, want %+v", p, got, want)
		}
	}
}

// TestCompression writes text that compresses by half or more, beside noise.
func TestCompression(t *testing.T) {
	onDisk := map[Compression]Size{}
	for _, c := range []Compression{NoCompression, Snappy, Zstd} {
		s := newStore(t, Options{Compression: c})
		values := map[Key]string{}
		noise := rand.NewChaCha8([32]byte{})
		for i := range 500 {
			random := make([]byte, 500)
			noise.Read(random)
			values[Key{Entries, fmt.Sprint(i)}] = string(random)
			values[Key{Tables, fmt.Sprint(i)}] = strings.Repeat(fmt.Sprintf("binding %d, ", i), 50)
		}
		put(t, s, values)
		sizes, err := s.Sizes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		onDisk[c] = sizes[Tables]
		if e := sizes[Entries]; e.DiskBytes < e.ValueBytes*99/100 || e.DiskBytes > e.ValueBytes*11/10 {
			t.Errorf("%s: noise of %d bytes takes %d on disk", c, e.ValueBytes, e.DiskBytes)
		}
	}
	if none := onDisk[NoCompression]; none.DiskBytes < none.ValueBytes {
		t.Errorf("none: %d bytes take %d on disk", none.ValueBytes, none.DiskBytes)
	}
	if onDisk[Snappy].DiskBytes > onDisk[NoCompression].DiskBytes/2 || onDisk[Zstd].DiskBytes > onDisk[Snappy].DiskBytes {
		t.Errorf("on disk: %+v, want snappy below half of none, and zstd below snappy", onDisk)
	}
}

func TestScan(t *testing.T) {
	s := newStore(t, Options{})
	put(t, s, map[Key]string{{Entries, "b"}: "2", {Entries, "a"}: "1", {Tables, "c"}: "3", {Domains, "d"}: "4"})
	var got []string
	collect := func(name, value []byte) error {
		got = append(got, string(name)+"="+string(value))
		return nil
	}
	if err := s.Scan(t.Context(), Entries, collect); err != nil || fmt.Sprint(got) != "[a=1 b=2]" {
		t.Errorf("got %v, %v; want a=1, b=2", got, err)
	}
	stop := errors.New("stop")
	if err := s.Scan(t.Context(), Entries, func(_, _ []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v, want the visitor's error", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Scan(cancelled, Entries, collect); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
}
