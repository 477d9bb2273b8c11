package targets

import (
	"testing"

	"switchback/datasets"
)

// BenchmarkBlock draws blocks of 1,000 arrivals over 11,110 deployments and a
// tail; ns/target is the cost of one.
func BenchmarkBlock(b *testing.B) {
	x, err := GenerateIndex(1, datasets.Settings{})
	if err != nil {
		b.Fatal(err)
	}
	for name, s := range map[string]Settings{"requests": {}, "uniform": {Model: ModelUniform}, "unknown": {Unknown: "90.9%"}, "views": {Assets: 12}} {
		b.Run(name, func(b *testing.B) {
			m := model(b, x, s, 1)
			drawn := 0
			for b.Loop() {
				drawn += len(block(b, m, 1000))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(drawn), "ns/target")
		})
	}
}

// BenchmarkIndex reads a dataset of 10,000 deployments.
func BenchmarkIndex(b *testing.B) {
	tr := generated(b, 1, datasets.Settings{Sizes: []int{10_000}})
	for b.Loop() {
		r := tr.reader(b)
		if _, err := NewIndex(r); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/deployment")
}
