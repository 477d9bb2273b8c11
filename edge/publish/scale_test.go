package publish

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/routing"
)

// scaleProjectSize is how many deployments each project of a scaled store has.
const scaleProjectSize = 1000

// BenchmarkRouteScale asks the hashed router over 10 thousand to 1 million
// deployments of 1,000 bytes: hostnames by Zipf's law with exponent 0.9 over
// the projects and the newer of two deployments, as the model of targets draws them,
// and uniformly; once with an LRU that holds everything, and once with the default of
// 64 MiB, in which misses read the store. The hit ratio is reported. It takes some
// minutes, so -short skips it.
func BenchmarkRouteScale(b *testing.B) {
	if testing.Short() {
		b.Skip("writes a million deployments")
	}
	for _, c := range []struct {
		name     string
		projects int
	}{{"10k", 10}, {"100k", 100}, {"1M", 1000}} {
		dir := b.TempDir()
		options := Options{Secret: secret, Forms: []Form{Hashed}}
		if err := Publish(b.Context(), &scaled{projects: c.projects}, dir, options); err != nil {
			b.Fatal(err)
		}
		for _, lru := range []int64{16 << 30, kv.DefaultLRUBytes} {
			b.Run(fmt.Sprintf("%s/lru=%dMiB", c.name, lru>>20), func(b *testing.B) { benchmarkScale(b, dir, c.projects, lru) })
		}
	}
}

// benchmarkScale runs both streams over a store.
func benchmarkScale(b *testing.B, dir string, projects int, lru int64) {
	store, err := kv.Open(dir, kv.Options{LRUBytes: lru})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	hasher, err := routing.NewHasher(secret)
	if err != nil {
		b.Fatal(err)
	}
	router := routing.NewHashed(store, hasher)
	for _, stream := range []struct {
		name  string
		hosts []string
	}{{"zipf", zipfHosts(projects)}, {"uniform", uniformHosts(projects)}} {
		warm(b, router, projects, lru, stream.hosts)
		b.Run(stream.name, func(b *testing.B) {
			b.ReportAllocs()
			before := store.Stats()[kv.ClassEntry]
			for i := 0; b.Loop(); i++ {
				route(b, router, stream.hosts[i%len(stream.hosts)])
			}
			after := store.Stats()[kv.ClassEntry]
			hits := float64(after.Hits - before.Hits)
			b.ReportMetric(100*hits/(hits+float64(after.Misses-before.Misses)), "%hits")
		})
	}
}

// warm fills an LRU: with every deployment if it has room for them, else with the end of the stream.
func warm(b *testing.B, router routing.Router, projects int, lru int64, stream []string) {
	if lru == kv.DefaultLRUBytes {
		for _, host := range stream[len(stream)-lruDeployments:] {
			route(b, router, host)
		}
		return
	}
	for p := range projects {
		for d := range scaleProjectSize {
			route(b, router, scaledHost(p, d))
		}
	}
}

// lruDeployments is more deployments than an LRU of the default size holds.
const lruDeployments = kv.DefaultLRUBytes / 1000

// route asks for a host that the router must know.
func route(b *testing.B, router routing.Router, host string) {
	if _, err := router.Route(b.Context(), host); err != nil {
		b.Fatalf("%s: %v", host, err)
	}
}

// scaled is a Source of any number of projects, drawn from their numbers.
type scaled struct {
	projects, project, deployment int
}

func (s *scaled) Next() (*datasets.Project, *datasets.Deployment, error) {
	if s.project == s.projects {
		return nil, nil, io.EOF
	}
	d := &datasets.Deployment{
		ID:     fmt.Sprintf("%08x%08x", s.project, s.deployment),
		Alias:  fmt.Sprintf("%08x", s.deployment),
		Stages: []datasets.Stage{{Name: datasets.StageAssets, Bindings: scaledBindings(s.deployment)}},
	}
	p := &datasets.Project{Name: scaledProject(s.project), Deployments: scaleProjectSize}
	if s.deployment++; s.deployment == scaleProjectSize {
		s.project, s.deployment = s.project+1, 0
	}
	return p, d, nil
}

// scaledBindings returns bindings that bring a row of a table to about 1,000 bytes.
func scaledBindings(deployment int) []datasets.Binding {
	bindings := make([]datasets.Binding, 16)
	for i := range bindings {
		bindings[i] = datasets.Binding{Name: fmt.Sprintf("KV_%d", i), Value: fmt.Sprintf("%042x", deployment+i)}
	}
	return bindings
}

func scaledProject(p int) string { return fmt.Sprintf("quiet-otter-%d", p) }

func scaledHost(p, d int) string { return fmt.Sprintf("%08x.%s.pages.dev", d, scaledProject(p)) }

// streamLength is how many hostnames a stream has before it repeats itself.
const streamLength = 1 << 20

// uniformHosts draws every deployment alike.
func uniformHosts(projects int) []string {
	draws := rand.New(rand.NewPCG(1, 1))
	hosts := make([]string, streamLength)
	for i := range hosts {
		hosts[i] = scaledHost(draws.IntN(projects), draws.IntN(scaleProjectSize))
	}
	return hosts
}

// zipfHosts draws projects by Zipf's law with exponent 0.9, and the newer of
// two deployments.
func zipfHosts(projects int) []string {
	draws := rand.New(rand.NewPCG(2, 2))
	upTo := make([]float64, projects) // the sum of the weights up to a project
	sum := 0.0
	for p := range upTo {
		sum += math.Pow(float64(p+1), -0.9)
		upTo[p] = sum
	}
	hosts := make([]string, streamLength)
	for i := range hosts {
		p := sort.SearchFloat64s(upTo, draws.Float64()*sum)
		hosts[i] = scaledHost(p, max(draws.IntN(scaleProjectSize), draws.IntN(scaleProjectSize)))
	}
	return hosts
}
