package datasets

import (
	"bytes"
	"io"
	"testing"
)

// The benchmarks work on one project of 10,000 deployments; ns/deployment is
// what a larger dataset multiplies.

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		if _, err := Generate(io.Discard, 1, Settings{Sizes: []int{10_000}}); err != nil {
			b.Fatal(err)
		}
	}
	perDeployment(b)
}

func BenchmarkRead(b *testing.B) {
	stream, _ := generated(b, 1, Settings{Sizes: []int{10_000}})
	for b.Loop() {
		r, err := NewReader(bytes.NewReader(stream))
		for err == nil {
			_, _, err = r.Next()
		}
		if err != io.EOF {
			b.Fatal(err)
		}
		r.Close()
	}
	perDeployment(b)
}

func perDeployment(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/deployment")
}
