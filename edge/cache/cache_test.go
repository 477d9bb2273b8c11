package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func constant(object *Object) func(context.Context) (*Object, error) {
	return func(context.Context) (*Object, error) { return object, nil }
}

func refuse(t *testing.T) func(context.Context) (*Object, error) {
	return func(context.Context) (*Object, error) {
		t.Error("fetched what must come from the store")
		return nil, errors.New("fetched")
	}
}

// waiting returns once n calls of key's fetch are collapsed.
func waiting(node *Node, n int64) {
	for node.Stats().Collapsed < n {
		runtime.Gosched()
	}
}

func TestSecondGetIsAHit(t *testing.T) {
	node := NewNode(1 << 20)
	want := &Object{Body: []byte("body"), ETag: `"e"`}
	if got, outcome, err := node.Get(context.Background(), "k", constant(want)); got != want || outcome != Miss || err != nil {
		t.Fatalf("first: %v %v %v", got, outcome, err)
	}
	if got, outcome, err := node.Get(context.Background(), "k", refuse(t)); got != want || outcome != Hit || err != nil {
		t.Fatalf("second: %v %v %v", got, outcome, err)
	}
	if s := node.Stats(); s.Hits != 1 || s.Misses != 1 || s.Objects != 1 || s.Bytes != sizeOf("k", want) {
		t.Errorf("stats %+v", s)
	}
}

func TestErrorsAreNotStored(t *testing.T) {
	node := NewNode(1 << 20)
	broken := errors.New("origin is down")
	fail := func(context.Context) (*Object, error) { return nil, broken }
	if _, _, err := node.Get(context.Background(), "k", fail); !errors.Is(err, broken) {
		t.Fatalf("error %v", err)
	}
	if _, outcome, err := node.Get(context.Background(), "k", constant(&Object{})); outcome != Miss || err != nil {
		t.Errorf("after an error: %v, %v; want a new fetch", outcome, err)
	}
}

func TestMissesOfOneKeyCollapse(t *testing.T) {
	const callers = 20
	node := NewNode(1 << 20)
	gate := make(chan struct{})
	var fetches atomic.Int64
	fetch := func(context.Context) (*Object, error) {
		fetches.Add(1)
		<-gate
		return &Object{Body: []byte("one")}, nil
	}
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			if object, _, err := node.Get(context.Background(), "k", fetch); err != nil || string(object.Body) != "one" {
				t.Errorf("%v, %v", object, err)
			}
		})
	}
	waiting(node, callers-1)
	close(gate)
	group.Wait()
	if fetches.Load() != 1 || node.Stats().Misses != 1 {
		t.Errorf("%d fetches, stats %+v; want one", fetches.Load(), node.Stats())
	}
}

func TestFirstRequesterGoesAway(t *testing.T) {
	node := NewNode(1 << 20)
	ctx, leave := context.WithCancel(context.Background())
	gate := make(chan struct{})
	fetch := func(ctx context.Context) (*Object, error) {
		<-gate
		return &Object{Body: []byte("late")}, ctx.Err()
	}
	var group sync.WaitGroup
	started := make(chan struct{})
	group.Go(func() {
		_, _, _ = node.Get(ctx, "k", func(ctx context.Context) (*Object, error) {
			close(started)
			return fetch(ctx)
		})
	})
	<-started
	group.Go(func() {
		object, outcome, err := node.Get(context.Background(), "k", refuse(t))
		if err != nil || outcome != Collapsed || string(object.Body) != "late" {
			t.Errorf("who stayed got %v, %v, %v", object, outcome, err)
		}
	})
	waiting(node, 1)
	leave()
	close(gate)
	group.Wait()
	if _, outcome, _ := node.Get(context.Background(), "k", refuse(t)); outcome != Hit {
		t.Errorf("outcome %v after the fetch, want a hit", outcome)
	}
}

func TestWaiterMayLeave(t *testing.T) {
	node := NewNode(1 << 20)
	gate, started := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		_, _, _ = node.Get(context.Background(), "k", func(context.Context) (*Object, error) {
			close(started)
			<-gate
			return &Object{}, nil
		})
	})
	<-started
	gone, leave := context.WithCancel(context.Background())
	leave()
	if _, outcome, err := node.Get(gone, "k", refuse(t)); !errors.Is(err, context.Canceled) || outcome != Collapsed {
		t.Errorf("%v, %v; want the context's error", outcome, err)
	}
	close(gate)
	group.Wait()
}

func TestPanickingFetchLeavesNobodyWaiting(t *testing.T) {
	node := NewNode(1 << 20)
	func() {
		defer func() { _ = recover() }()
		_, _, _ = node.Get(context.Background(), "k", func(context.Context) (*Object, error) { panic("broken") })
	}()
	if _, outcome, err := node.Get(context.Background(), "k", constant(&Object{})); outcome != Miss || err != nil {
		t.Errorf("after a panic: %v, %v", outcome, err)
	}
}

func TestTooLargeIsServedAndNotStored(t *testing.T) {
	node := NewNode(1000)
	large := &Object{Body: make([]byte, 1000)}
	for range 2 {
		if got, outcome, err := node.Get(context.Background(), "k", constant(large)); got != large || outcome != Miss || err != nil {
			t.Errorf("%v, %v", outcome, err)
		}
	}
	if s := node.Stats(); s.Bytes != 0 || s.Evictions != 0 {
		t.Errorf("stats %+v", s)
	}
}

func TestClearForgets(t *testing.T) {
	node := NewNode(1 << 20)
	_, _, _ = node.Get(context.Background(), "k", constant(&Object{Body: []byte("x")}))
	node.Clear()
	if s := node.Stats(); s.Bytes != 0 || s.Objects != 0 || s.Misses != 1 {
		t.Errorf("stats %+v", s)
	}
	if _, outcome, _ := node.Get(context.Background(), "k", constant(&Object{})); outcome != Miss {
		t.Errorf("outcome %v, want a miss", outcome)
	}
}

// The node behaves as a list of keys in order of use, cut to its bytes.
func TestNodeIsABoundedLRU(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.Int64Range(0, 3000).Draw(t, "bound")
		node := NewNode(bound)
		var used []string // oldest first
		sizes := map[string]int64{}
		for range rapid.IntRange(1, 60).Draw(t, "gets") {
			key := fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "key"))
			object := &Object{Body: bytes.Repeat([]byte("x"), 37*int(key[0]-'0'))}
			_, outcome, _ := node.Get(context.Background(), key, constant(object))
			_, held := sizes[key]
			if (outcome == Hit) != held {
				t.Fatalf("key %s: %v, model holds it: %v", key, outcome, held)
			}
			used = append(without(used, key), key)
			sizes[key] = sizeOf(key, object)
			used = trim(used, sizes, bound, key)
			if s := node.Stats(); s.Bytes != sum(sizes) || s.Objects != int64(len(sizes)) || s.Bytes > bound {
				t.Fatalf("stats %+v, model %v, bound %d", s, sizes, bound)
			}
		}
	})
}

// trim is the model's eviction: an object over the bound is dropped, else the
// oldest go.
func trim(used []string, sizes map[string]int64, bound int64, last string) []string {
	if sizes[last] > bound {
		delete(sizes, last)
		return without(used, last)
	}
	for sum(sizes) > bound {
		delete(sizes, used[0])
		used = used[1:]
	}
	return used
}

func without(keys []string, key string) []string {
	kept := []string{}
	for _, k := range keys {
		if k != key {
			kept = append(kept, k)
		}
	}
	return kept
}

func sum(sizes map[string]int64) (total int64) {
	for _, size := range sizes {
		total += size
	}
	return total
}

func TestHitAllocatesNothing(t *testing.T) {
	node := NewNode(1 << 20)
	fetch := constant(&Object{Body: []byte("x")})
	_, _, _ = node.Get(context.Background(), "k", fetch)
	if n := testing.AllocsPerRun(100, func() { _, _, _ = node.Get(context.Background(), "k", fetch) }); n != 0 {
		t.Errorf("%v allocations a hit, want 0", n)
	}
}

func BenchmarkHit(b *testing.B) {
	node := NewNode(64 << 20)
	keys := make([]string, 10_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("%032x", i)
		_, _, _ = node.Get(context.Background(), keys[i], constant(&Object{Body: make([]byte, 1000)}))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		_, _, _ = node.Get(context.Background(), keys[i%len(keys)], nil)
		i++
	}
}

// BenchmarkOverhead reports what an empty object costs in memory beside its
// key: the figure behind overheadBytes.
func BenchmarkOverhead(b *testing.B) {
	const n = 100_000
	var before, after runtime.MemStats
	for b.Loop() {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("%032x", i)
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		node := NewNode(1 << 40)
		for _, key := range keys {
			_, _, _ = node.Get(context.Background(), key, constant(&Object{}))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(node)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "bytes/object")
}
