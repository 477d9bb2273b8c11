package kv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// smallDisk mounts a file system of some bytes until the test ends.
func smallDisk(t *testing.T, bytes int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("a small file system cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// loadUntilError writes values that don't compress, at most 256 MiB.
func loadUntilError(ctx context.Context, s *Store) error {
	loader, value := s.Load(ctx), make([]byte, 64<<10)
	random := rand.NewChaCha8([32]byte{1})
	for i := range 4096 {
		_, _ = random.Read(value)
		if err := loader.Put(Key{Entries, fmt.Sprint(i)}, value); err != nil {
			return err
		}
	}
	return loader.Finish()
}

// TestAFullDiskEndsALoad: Pebble tries a failed flush again for ever, and a writer used to
// wait for it.
func TestAFullDiskEndsALoad(t *testing.T) {
	for _, mebibytes := range []int{1, 8, 40, 100} {
		t.Run(fmt.Sprint(mebibytes, " MiB"), func(t *testing.T) {
			s, err := Open(filepath.Join(smallDisk(t, mebibytes<<20), "store"), Options{Bulk: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := loadUntilError(t.Context(), s); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("got %v, want %v", err, syscall.ENOSPC)
			}
			if n, first := s.Faults(); n == 0 || !errors.Is(first, syscall.ENOSPC) {
				t.Errorf("the store counts %d faults, first %v", n, first)
			}
			_ = s.Close() // must return; what it says does not matter
		})
	}
}

// TestALoadEndsWithItsContext cancels at points between the first key and the last merge.
func TestALoadEndsWithItsContext(t *testing.T) {
	for _, puts := range []int{0, 1, 500, 2000} {
		s, err := Open(filepath.Join(t.TempDir(), "store"), Options{Bulk: true})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		loader, value := s.Load(ctx), make([]byte, 64<<10)
		for i := range puts {
			if err := loader.Put(Key{Entries, fmt.Sprint(i)}, value); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if err := loader.Finish(); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d keys: got %v, want %v", puts, err, context.Canceled)
		}
		_ = s.Close()
	}
}

// TestPebblesFatalPathIsAnError: Pebble calls Fatalf where it cannot go on, and must not
// get control back; its caller must.
func TestPebblesFatalPathIsAnError(t *testing.T) {
	f := newFaults(nil)
	returned := false
	err := f.call(func() error { f.Fatalf("manifest: %w", syscall.ENOSPC); returned = true; return nil })
	if !errors.Is(err, syscall.ENOSPC) || returned {
		t.Errorf("got %v; Fatalf returned: %v", err, returned)
	}
	if err := newFaults(nil).call(func() error { panic(os.ErrPermission) }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a panic gives %v", err)
	}
}
