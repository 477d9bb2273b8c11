package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// written writes a small dataset and returns its file and bytes.
func written(t *testing.T) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "sites.zst")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Generate(f, 1, Settings{Sizes: []int{3}}); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, content
}

func TestEveryFlippedByteIsFoundOnOpen(t *testing.T) {
	path, content := written(t)
	for i := range content {
		content[i] ^= 0x20
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Verify(path); err == nil {
			t.Fatalf("byte %d of %d was flipped, and nobody noticed", i, len(content))
		}
		content[i] ^= 0x20
	}
}

func TestOpenRefusesADamagedDataset(t *testing.T) {
	path, content := written(t)
	content[len(content)/2] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, errDamaged) {
		t.Errorf("got %v, want %v", err, errDamaged)
	}
}

func TestACutDatasetHasNoChecksum(t *testing.T) {
	path, content := written(t)
	for _, length := range []int{len(content) - 1, len(content) / 2, 10, 0} {
		if err := os.WriteFile(path, content[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Verify(path); !errors.Is(err, errNoChecksum) {
			t.Errorf("cut to %d bytes: got %v, want %v", length, err, errNoChecksum)
		}
	}
}

// TestDatasetsWithoutAChecksumAreRead: files of users may be older than checksums.
func TestDatasetsWithoutAChecksumAreRead(t *testing.T) {
	path, content := written(t)
	want, err := ReadInfo(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content[:len(content)-checksumBytes], 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadInfo(path); err != nil || got.Digest != want.Digest {
		t.Errorf("got %q, %v; want %q", got.Digest, err, want.Digest)
	}
}
