package kv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// filled makes a store with some thousand keys, and closes it.
func filled(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "store")
	s, err := Open(dir, Options{Bulk: true})
	if err != nil {
		t.Fatal(err)
	}
	loader := s.Load(t.Context())
	for i := range 3000 {
		if err := loader.Put(Key{Entries, fmt.Sprintf("key-%d", i*7919)}, fmt.Appendf(nil, "value %d of a key", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(loader.Finish(), s.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestVerifyFindsEveryFlippedByte flips single bytes of the files that hold the content.
func TestVerifyFindsEveryFlippedByte(t *testing.T) {
	dir := filled(t)
	if err := Verify(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.sst", "MANIFEST-*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			checkFlips(t, dir, file)
		}
	}
}

// checkFlips flips up to 200 bytes of a file, one after the other.
func checkFlips(t *testing.T, dir, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(content); i += len(content)/200 + 1 {
		content[i] ^= 0x10
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Verify(t.Context(), dir); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: byte %d of %d was flipped: got %v", filepath.Base(file), i, len(content), err)
		}
		content[i] ^= 0x10
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyMissesATable(t *testing.T) {
	dir := filled(t)
	files, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := Verify(t.Context(), dir); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want %v", err, ErrDamaged)
	}
}

func TestVerifyTellsDamageFromOtherTrouble(t *testing.T) {
	dir := filled(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Verify(cancelled, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := Verify(t.Context(), dir); !errors.Is(err, ErrInUse) {
		t.Errorf("got %v, want %v", err, ErrInUse)
	}
}

func TestCopyIsAStoreOfItsOwn(t *testing.T) {
	dir := filled(t)
	copied := filepath.Join(t.TempDir(), "copy")
	if err := Copy(t.Context(), dir, copied); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, copied} {
		s, err := Open(path, Options{MustExist: true})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if got, err := Get(s, Key{Entries, "key-7919"}, Text); err != nil || got != "value 1 of a key" {
			t.Errorf("%s: got %q, %v", path, got, err)
		}
	}
	if err := Copy(t.Context(), dir, copied); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v for a folder that exists", err)
	}
}
