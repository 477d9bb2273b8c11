package publish

import (
	"os"
	"testing"

	"switchback/datasets"
	"switchback/edge/kv"
)

// What a store takes: the logical bytes do not depend on the compression, those
// on disk do, and nothing is left behind.
func TestSizesOfAStore(t *testing.T) {
	stream := generate(t, 1, datasets.Settings{Sizes: []int{200, 50}, Tail: 10, BytesPerDeployment: 1000})
	measured := map[kv.Compression]map[kv.Prefix]kv.Size{}
	for _, compression := range []kv.Compression{kv.NoCompression, kv.Zstd} {
		r := read(t, stream)
		dir := t.TempDir()
		sizes, err := Sizes(t.Context(), r, dir, Options{Secret: secret, Compression: compression})
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		measured[compression] = sizes
	}
	plain, small := measured[kv.NoCompression], measured[kv.Zstd]
	for _, p := range []kv.Prefix{kv.Tables, kv.Entries, kv.Pipelines, kv.Manifests} {
		a, b := plain[p], small[p]
		if a.Keys == 0 || a.Keys != b.Keys || a.KeyBytes != b.KeyBytes || a.ValueBytes != b.ValueBytes {
			t.Errorf("%c/: %+v without compression, %+v with", p, a, b)
		}
		if p != kv.Entries && b.DiskBytes >= a.DiskBytes {
			t.Errorf("%c/: %d bytes on disk with compression, %d without", p, b.DiskBytes, a.DiskBytes)
		}
	}
	if n := plain[kv.Tables]; n.Keys != 12 {
		t.Errorf("%d tables, want one for each of 12 projects", n.Keys)
	}
}

func TestSizesOfNoFolder(t *testing.T) {
	if _, err := Sizes(t.Context(), nil, t.TempDir()+"/none", Options{}); err == nil {
		t.Error("a folder that does not exist was written to")
	}
}
