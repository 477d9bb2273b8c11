package publish

import (
	"io"
	"testing"

	"switchback/datasets"
	"switchback/edge/kv"
)

// BenchmarkStoreBytes publishes 51 times the standard dataset, about a million
// deployments, with each compression, and reports what each family of keys takes
// for a deployment: logical, keys included, and on disk after compaction. It
// is slow, so -short skips it.
func BenchmarkStoreBytes(b *testing.B) {
	if testing.Short() {
		b.Skip("writes a million deployments three times")
	}
	const times = 51
	standard := datasets.Settings{}.WithDefaults()
	settings := datasets.Settings{Tail: times * standard.Tail}
	for range times {
		settings.Sizes = append(settings.Sizes, standard.Sizes...)
	}
	for _, compression := range []kv.Compression{kv.NoCompression, kv.Snappy, kv.Zstd} {
		b.Run(string(compression), func(b *testing.B) {
			for b.Loop() {
				reportBytes(b, settings, compression)
			}
		})
	}
}

// reportBytes publishes a dataset while it is being generated, and reports
// the sizes of the store.
func reportBytes(b *testing.B, settings datasets.Settings, compression kv.Compression) {
	stream, generated := io.Pipe()
	defer stream.Close() // ends the generator, whatever happens here
	go func() {
		_, err := datasets.Generate(generated, 1, settings)
		generated.CloseWithError(err)
	}()
	r, err := datasets.NewReader(stream)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	sizes, err := Sizes(b.Context(), r, b.TempDir(), Options{Secret: secret, Compression: compression})
	if err != nil {
		b.Fatal(err)
	}
	deployments := float64(r.Info().Deployments)
	b.ReportMetric(deployments, "deployments")
	for p, size := range sizes {
		if size.Keys > 0 {
			b.ReportMetric(float64(size.KeyBytes+size.ValueBytes)/deployments, string(rune(p))+"-B/deployment")
			b.ReportMetric(float64(size.DiskBytes)/deployments, string(rune(p))+"-disk-B/deployment")
		}
	}
}
