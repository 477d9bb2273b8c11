package edge

import (
	"slices"
	"strings"
	"time"
)

// Options of an edge. Store, Secret and Origin must be set; the zero value of
// every other field is its default.
type Options struct {
	Store  string // directory of the routing store, which belongs to this edge alone
	Secret []byte // of the hashed routing entries
	Origin string // http://host:port; nothing else is ever fetched from

	Router    string // default hashed; "legacy+hashed" holds both, and serves with the first
	TableLife string // of legacy's tables: request (default), lru, resident
	Shadow    string // a second router that is asked for each request and compared; default none

	Ring     string // default v1; "v1+v2:16" holds both, and serves with the first
	Ties     string // who owns a shared point: address (default), hashed
	Names    string // the text of a server that is hashed: address (default), directive
	RingSets int    // combinations of made-up server features, each with a ring; default 0: one ring of all

	Nodes         int           // members of the ring; default 8
	Weights       string        // of the nodes: equal (default, 1 each), LOW-HIGH taken in turn, pareto:A
	Servers       string        // CSV file (header server,weight) with the members, instead of Nodes
	NodeListeners bool          // each node is a listener on loopback, and can fail
	NodeTimeout   time.Duration // for the answer of a listening node to begin; default 1 s

	LRUBytes      int64         // bound of the routing store's LRU; default 64 MiB
	CacheBytes    int64         // bound of the content cache, shared evenly by the nodes; default 64 MiB
	OriginTimeout time.Duration // for a whole answer of the origin; default 10 s

	Colo       string   // this data centre; default ams
	Colos      []string // all that flags may name; default Colo alone
	Neighbours float64  // reads of other tenants' values through the LRU, per second; default 0

	Spans      SpanNotes   // of sampled requests; nil: none are made
	StoreFault func(error) // is told the first error of the routing store, once; may be nil
}

// Defaults of Options.
const (
	defaultNodes         = 8
	defaultBytes         = 64 << 20
	defaultNodeTimeout   = time.Second
	defaultOriginTimeout = 10 * time.Second
	defaultColo          = "ams"
	defaultRouter        = "hashed"
	defaultRing          = "v1"
)

// withDefaults returns the options with every default filled in.
func (o Options) withDefaults() Options {
	setDefault(&o.Router, defaultRouter)
	setDefault(&o.Ring, defaultRing)
	setDefault(&o.Ties, "address")
	setDefault(&o.Names, "address")
	setDefault(&o.Weights, "equal")
	setDefault(&o.Colo, defaultColo)
	setDefault(&o.Nodes, defaultNodes)
	setDefault(&o.LRUBytes, defaultBytes)
	setDefault(&o.CacheBytes, defaultBytes)
	setDefault(&o.NodeTimeout, defaultNodeTimeout)
	setDefault(&o.OriginTimeout, defaultOriginTimeout)
	if !slices.Contains(o.Colos, o.Colo) {
		o.Colos = append([]string{o.Colo}, o.Colos...)
	}
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// both reads "old+new", or one name that stands for both.
func both(text string) (first, second string) {
	first, second, two := strings.Cut(text, "+")
	if !two {
		return text, text
	}
	return first, second
}
