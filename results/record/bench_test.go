package record

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// load makes a block as the default experiment has it, times scale: six sizes,
// four positions, five phases.
func load(requests int) ([]Sample, []Label) {
	draws := rand.New(rand.NewPCG(1, 2))
	labels := make([]Label, requests)
	samples := make([]Sample, requests)
	timing := []byte(`route;dur=1.2;desc=legacy, ring;dur=0.004;desc="v2:16", node;desc=n3, cache;desc=hit, origin;dur=5.1`)
	for i := range samples {
		labels[i] = Label{Host: fmt.Sprintf("%08x.example-%d.pages.dev", draws.Uint32(), i%100), Path: "/",
			Groups: []string{Group("size", fmt.Sprint(i%6)), Group("position", fmt.Sprint(i%4))}}
		due := int64(i) * 1e9 / int64(requests)
		took := int64(1e5 * (1 + draws.ExpFloat64()))
		samples[i] = Sample{Target: int32(i), Due: due, Released: due + 20_000, Sent: due + 40_000, FirstByte: due + took, Done: due + took + 10_000, Status: 200, ServerTiming: timing}
	}
	return samples, labels
}

// BenchmarkBlock is what is done with a block's samples between two blocks.
func BenchmarkBlock(b *testing.B) {
	for _, n := range []int{510, 20_000} {
		samples, labels := load(n)
		b.Run(fmt.Sprintf("measure/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Measure(samples, labels, 1e9)
			}
		})
		r, err := Create(filepath.Join(b.TempDir(), "r"))
		if err != nil {
			b.Fatal(err)
		}
		m := Measure(samples, labels, 1e9)
		block := Block{Arm: "legacy", Metrics: m.Values()}
		for name, write := range map[string]func() error{
			"line":       func() error { return r.AppendBlock(block) },
			"histograms": func() error { return r.AppendHistograms(block, m) },
			"samples":    func() error { return r.AppendSamples(block, samples, labels) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := write(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
