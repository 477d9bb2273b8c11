package origin

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

// Bounds of what is counted by name; beyond them requests are counted as
// "(other)", so that no client can grow the tables.
const (
	maxHostnames = 20_000
	maxLabels    = 70_000 // above the 65,536 nodes of a ring
	maxNameBytes = 253
	otherName    = "(other)"
)

// tally counts the requests and body bytes of one name.
type tally struct{ requests, bytes atomic.Int64 }

// table counts by name, up to a number of names.
type table struct {
	max    int
	byName map[string]*tally
}

// counts is everything the origin counts.
type counts struct {
	total    tally
	inFlight atomic.Int64

	mu       sync.Mutex
	status   map[int]int64
	hostname table
	labels   [len(labelHeaders)]table
}

// labelHeaders are the headers in which the edge says how a request came.
var labelHeaders = [...]string{"X-Switchback-Router", "X-Switchback-Ring", "X-Switchback-Node", "X-Switchback-Colo"}

func newCounts() *counts {
	c := &counts{status: map[int]int64{}, hostname: newTable(maxHostnames)}
	for i := range c.labels {
		c.labels[i] = newTable(maxLabels)
	}
	return c
}

func newTable(max int) table { return table{max: max, byName: map[string]*tally{}} }

// of returns the tally of a name; the lock is held.
func (t *table) of(name string) *tally {
	if found := t.byName[name]; found != nil {
		return found
	}
	if len(t.byName) >= t.max || len(name) > maxNameBytes {
		name = otherName
		if found := t.byName[name]; found != nil {
			return found
		}
	}
	made := &tally{}
	t.byName[name] = made
	return made
}

// visit is one request on its way through the origin.
type visit struct {
	counts  *counts
	tallies [1 + len(labelHeaders)]*tally // nil where the edge said nothing
}

// arrived counts a request as soon as it is here, so that one that never gets
// an answer is counted too.
func (c *counts) arrived(r *http.Request) *visit {
	v := &visit{counts: c}
	c.mu.Lock()
	v.tallies[0] = c.hostname.of(r.Host)
	for i, header := range labelHeaders {
		if name := r.Header.Get(header); name != "" {
			v.tallies[1+i] = c.labels[i].of(name)
		}
	}
	c.mu.Unlock()
	c.inFlight.Add(1)
	c.total.requests.Add(1)
	for _, t := range v.tallies {
		if t != nil {
			t.requests.Add(1)
		}
	}
	return v
}

// answered counts the status and the bytes of the body as sent.
func (v *visit) answered(status int, bytes int64) {
	v.counts.mu.Lock()
	v.counts.status[status]++
	v.counts.mu.Unlock()
	v.counts.total.bytes.Add(bytes)
	for _, t := range v.tallies {
		if t != nil {
			t.bytes.Add(bytes)
		}
	}
}

func (v *visit) left() { v.counts.inFlight.Add(-1) }

// Stats is the answer of GET /stats: counts since the start.
type Stats struct {
	Schema   string           `json:"schema"` // switchback.origin-stats/1
	Requests int64            `json:"requests"`
	Bytes    int64            `json:"bytes"`     // of bodies sent
	InFlight int64            `json:"in_flight"` // requests now being served
	Status   map[string]int64 `json:"status"`    // answers by status; a request whose requester left has none
	Hostname map[string]Count `json:"hostname"`
	Router   map[string]Count `json:"router"`
	Ring     map[string]Count `json:"ring"`
	Node     map[string]Count `json:"node"`
	Colo     map[string]Count `json:"colo"`
}

// Count is the part of the requests and bytes that carry one name.
type Count struct {
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
}

// Stats returns the counts so far. At most 20,000 hostnames are named, the
// rest is counted under "(other)".
func (o *Origin) Stats() Stats {
	c := o.counts
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Stats{
		Schema:   "switchback.origin-stats/1",
		Requests: c.total.requests.Load(),
		Bytes:    c.total.bytes.Load(),
		InFlight: c.inFlight.Load(),
		Status:   make(map[string]int64, len(c.status)),
		Hostname: c.hostname.counts(),
		Router:   c.labels[0].counts(),
		Ring:     c.labels[1].counts(),
		Node:     c.labels[2].counts(),
		Colo:     c.labels[3].counts(),
	}
	for status, n := range c.status {
		s.Status[strconv.Itoa(status)] = n
	}
	return s
}

func (t *table) counts() map[string]Count {
	out := make(map[string]Count, len(t.byName))
	for name, c := range t.byName {
		out[name] = Count{Requests: c.requests.Load(), Bytes: c.bytes.Load()}
	}
	return out
}
