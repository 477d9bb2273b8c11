// Package cache holds the content of an edge: one node for each member of its
// hash ring, each a least-recently-used store bounded in bytes. Misses of one
// key that happen at the same time make one request to the origin.
//
// It knows no HTTP, no ring and no expiry: keys are digests of content, so an
// object never becomes stale.
package cache

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Object is a body and its validator. It is shared between requests and never
// changed.
type Object struct {
	Body []byte
	ETag string // in quotes, as in the header; "" without one
}

// Outcome says how a node answered.
type Outcome uint8

// The outcomes of Get.
const (
	Hit       Outcome = iota // from the store
	Miss                     // this call fetched it
	Collapsed                // another call's fetch was waited for
)

// String returns the word used in Server-Timing and reports.
func (o Outcome) String() string {
	return [...]string{"hit", "miss", "collapsed"}[o]
}

// ParseOutcome reads the word that String returns.
func ParseOutcome(word string) (outcome Outcome, ok bool) {
	for o := Hit; o <= Collapsed; o++ {
		if o.String() == word {
			return o, true
		}
	}
	return Miss, false
}

// overheadBytes is what an entry costs beside its key and body: the object,
// the list element, the slot in the map. BenchmarkOverhead: 147 at 100,000.
const overheadBytes = 160

// Stats are counts since the start, and the state now.
type Stats struct {
	Hits      int64
	Misses    int64 // fetches made
	Collapsed int64 // fetches spared by waiting for another's
	Evictions int64
	Objects   int64
	Bytes     int64 // of keys, bodies and overhead, now
}

// Node is the store of one ring member. It is safe for concurrent use.
type Node struct {
	maxBytes int64

	mu      sync.Mutex
	objects *simplelru.LRU[string, *Object]
	flights map[string]*flight
	stats   Stats
}

// flight is a fetch under way.
type flight struct {
	done   chan struct{} // closed when object and err are set
	object *Object
	err    error
}

// errFetchPanicked is what waiters get when the fetch they wait for panicked.
var errFetchPanicked = errors.New("the fetch waited for did not return")

// NewNode returns an empty node that holds at most maxBytes; with 0 it stores
// nothing and only collapses.
func NewNode(maxBytes int64) *Node {
	n := &Node{maxBytes: maxBytes, flights: map[string]*flight{}}
	objects, err := simplelru.NewLRU(math.MaxInt, n.evicted)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	n.objects = objects
	return n
}

// Get returns the object of key, from the store or by fetch. Of calls that
// miss together one runs fetch, the others wait for its result or for their
// own context. The context of fetch keeps the caller's values but not its
// end: when the caller goes away the fetch goes on for those who wait and for
// the store, so fetch must bound its own time. Errors are handed to all who
// waited and are not stored.
func (n *Node) Get(ctx context.Context, key string, fetch func(context.Context) (*Object, error)) (*Object, Outcome, error) {
	n.mu.Lock()
	if object, ok := n.objects.Get(key); ok {
		n.stats.Hits++
		n.mu.Unlock()
		return object, Hit, nil
	}
	if f := n.flights[key]; f != nil {
		n.stats.Collapsed++
		n.mu.Unlock()
		object, err := f.wait(ctx)
		return object, Collapsed, err
	}
	f := &flight{done: make(chan struct{}), err: errFetchPanicked}
	n.flights[key] = f
	n.stats.Misses++
	n.mu.Unlock()

	defer n.land(key, f)
	f.object, f.err = fetch(context.WithoutCancel(ctx))
	return f.object, Miss, f.err
}

func (f *flight) wait(ctx context.Context) (*Object, error) {
	select {
	case <-f.done:
		return f.object, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// land stores what a flight brought and lets its waiters go.
func (n *Node) land(key string, f *flight) {
	n.mu.Lock()
	delete(n.flights, key)
	if f.err == nil {
		n.store(key, f.object)
	}
	n.mu.Unlock()
	close(f.done)
}

// store keeps an object if it fits, evicting the oldest; the lock is held.
func (n *Node) store(key string, object *Object) {
	size := sizeOf(key, object)
	if size > n.maxBytes {
		return
	}
	n.objects.Add(key, object)
	n.stats.Bytes += size
	for n.stats.Bytes > n.maxBytes {
		n.objects.RemoveOldest()
		n.stats.Evictions++
	}
}

// evicted keeps the sum of bytes; the lock is held.
func (n *Node) evicted(key string, object *Object) { n.stats.Bytes -= sizeOf(key, object) }

// Stats returns the counts so far.
func (n *Node) Stats() Stats {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.stats
	s.Objects = int64(n.objects.Len())
	return s
}

// Clear forgets every object, as a process that died would; counts stay.
func (n *Node) Clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.objects.Purge()
}

func sizeOf(key string, object *Object) int64 {
	return int64(len(key)+len(object.Body)+len(object.ETag)) + overheadBytes
}
