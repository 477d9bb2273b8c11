package page

import (
	"cmp"
	"slices"

	"switchback/results/record"
)

// How many requests and hostnames a page shows, and how many different
// hostnames are counted: enough for every built-in dataset, and a bound for
// logs.
const (
	slowestShown = 20
	hostsShown   = 20
	hostsCounted = 1 << 20
)

// Requests is what single requests say: the slowest, and the busiest hosts.
type Requests struct {
	Slowest []Slow
	Hosts   []Host
	Others  int64 // requests to hostnames beyond those counted
}

// Slow is a slow request and how long it took to its first byte.
type Slow struct {
	record.SampleRow
	Nanos int64
}

// Host is a hostname, how many requests it got, and how each arm answered.
type Host struct {
	Name     string
	Requests int64
	TTFB     map[string]*record.Histogram // by arm
}

// readRequests reads samples.parquet twice: which hosts are busiest is known
// only at its end.
func readRequests(folder *record.Folder) (Requests, error) {
	var r Requests
	counts := map[string]int64{}
	err := folder.Samples(func(row *record.SampleRow) error {
		r.slow(row)
		if _, known := counts[row.Host]; known || len(counts) < hostsCounted {
			counts[row.Host]++
		} else {
			r.Others++
		}
		return nil
	})
	if err != nil || len(counts) == 0 {
		return r, err
	}
	r.Hosts = busiest(counts)
	place := map[string]int{}
	for i := range r.Hosts {
		place[r.Hosts[i].Name] = i
		r.Hosts[i].TTFB = map[string]*record.Histogram{}
	}
	err = folder.Samples(func(row *record.SampleRow) error {
		if i, shown := place[row.Host]; shown {
			r.Hosts[i].add(row)
		}
		return nil
	})
	return r, err
}

// slow keeps the row if it is among the slowest that were answered.
func (r *Requests) slow(row *record.SampleRow) {
	ns, ok := row.FirstByteAfter()
	if !ok || len(r.Slowest) == slowestShown && ns <= r.Slowest[slowestShown-1].Nanos {
		return
	}
	at, _ := slices.BinarySearchFunc(r.Slowest, ns, func(s Slow, ns int64) int { return cmp.Compare(ns, s.Nanos) })
	if len(r.Slowest) == slowestShown {
		r.Slowest = r.Slowest[:slowestShown-1]
	}
	r.Slowest = slices.Insert(r.Slowest, at, Slow{SampleRow: *row, Nanos: ns})
}

// busiest returns the hosts with the most requests, equal ones by name.
func busiest(counts map[string]int64) []Host {
	hosts := make([]Host, 0, len(counts))
	for name, n := range counts {
		hosts = append(hosts, Host{Name: name, Requests: n})
	}
	slices.SortFunc(hosts, func(a, b Host) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	return slices.Clone(hosts[:min(len(hosts), hostsShown)])
}

func (h Host) add(row *record.SampleRow) {
	if h.TTFB[row.Arm] == nil {
		h.TTFB[row.Arm] = record.NewHistogram()
	}
	if ns, ok := row.FirstByteAfter(); ok {
		h.TTFB[row.Arm].Record(ns)
	} else {
		h.TTFB[row.Arm].Fail()
	}
}
