package targets

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Traffic sums up what imported requests ask for.
type Traffic struct {
	Hosts         int              `json:"hosts"`          // distinct ones
	TopHosts      []HostCount      `json:"top_hosts"`      // at most ten
	ZipfExponent  float64          `json:"zipf_exponent"`  // fitted to the hosts' popularity; 0 for fewer than two hosts
	Methods       map[string]int64 `json:"methods"`        //
	Seconds       float64          `json:"seconds"`        // from the first request to the last; 0 without stamps
	RatePerSecond []float64        `json:"rate_per_s"`     // over equal parts of this time
	BodyBytes     int64            `json:"body_bytes"`     // sent
	PathBytes     float64          `json:"path_bytes_avg"` // with the query

	hosts map[string]int64
	at    []int64 // microseconds; the last of each block of requests
	count []int64 // requests up to there
	paths int64
	total int64
	last  int64
}

// HostCount is how often a hostname is asked.
type HostCount struct {
	Host     string `json:"host"`
	Requests int64  `json:"requests"`
}

// NewTraffic returns the traffic of no request.
func NewTraffic() *Traffic { return &Traffic{Methods: map[string]int64{}, hosts: map[string]int64{}} }

// Add counts requests, in their order.
func (t *Traffic) Add(block []Target) {
	for i := range block {
		r := &block[i]
		t.hosts[r.Host]++
		t.Methods[cmp.Or(r.Method, "GET")]++
		t.BodyBytes += int64(len(r.Body))
		t.paths += int64(len(r.Path))
		t.last = max(t.last, r.At)
		t.total++
		if n := len(t.at); n > 0 && t.at[n-1] == t.last/resolution {
			t.count[n-1] = t.total
		} else {
			t.at, t.count = append(t.at, t.last/resolution), append(t.count, t.total)
		}
	}
}

// resolution of the rate over time, in microseconds: most logs have stamps of a
// second.
const resolution = 1_000_000

// parts is how many rates are given.
const parts = 10

// Sum ends the counting.
func (t *Traffic) Sum() {
	t.Hosts = len(t.hosts)
	names := slices.SortedFunc(maps.Keys(t.hosts), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.hosts[b], t.hosts[a]), cmp.Compare(a, b))
	})
	counts := make([]int64, len(names))
	for i, name := range names {
		if counts[i] = t.hosts[name]; i < 10 {
			t.TopHosts = append(t.TopHosts, HostCount{name, counts[i]})
		}
	}
	t.ZipfExponent = fitZipf(counts)
	if t.total > 0 {
		t.PathBytes = float64(t.paths) / float64(t.total)
	}
	t.Seconds = float64(t.last) / resolution
	t.RatePerSecond = t.rates()
}

// rates returns the requests per second of equal parts of the time. Where it is
// shorter than a second for each part, there are fewer parts.
func (t *Traffic) rates() []float64 {
	whole := t.last/resolution + 1 // seconds that have begun
	if t.last == 0 {
		return nil
	}
	n := min(parts, whole)
	rates := make([]float64, n)
	before := int64(0)
	for i := range n {
		from, to := whole*i/n, whole*(i+1)/n
		upTo := before
		if k, _ := slices.BinarySearch(t.at, to); k > 0 {
			upTo = t.count[k-1]
		}
		rates[i] = float64(upTo-before) / float64(to-from)
		before = upTo
	}
	return rates
}

// fitZipf returns the exponent s for which counts, ascending by rank, are most
// likely if rank r is asked with a probability in proportion to r^-s. The
// likelihood is greatest where the mean logarithm of the rank is that of the law;
// it falls with s, so bisection finds the place.
func fitZipf(counts []int64) float64 {
	if len(counts) < 2 {
		return 0
	}
	total, sum := 0.0, 0.0
	logs := make([]float64, len(counts))
	for i, n := range counts {
		logs[i] = math.Log(float64(i + 1))
		total += float64(n)
		sum += float64(n) * logs[i]
	}
	low, high := 0.0, 10.0
	for range 40 {
		s := (low + high) / 2
		weights, mean := 0.0, 0.0
		for _, l := range logs {
			w := math.Exp(-s * l)
			weights += w
			mean += w * l
		}
		if mean/weights > sum/total {
			low = s
		} else {
			high = s
		}
	}
	return math.Round(1000*(low+high)/2) / 1000
}
