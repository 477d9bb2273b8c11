package routing

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"switchback/edge/kv"
)

// Life is how long a decoded table lives.
type Life string

// The lives. A table that lives longer than a request keeps each expression
// that was compiled.
const (
	LifeRequest  Life = "request"  // decoded for every request, as published; the LRU holds its JSON
	LifeLRU      Life = "lru"      // decoded when first used; the LRU holds it, and counts its decoded size
	LifeResident Life = "resident" // all are decoded at the start and held outside the LRU
)

// tables gets a project's table.
type tables interface {
	// table returns the table and sets the answer's cost of decoding, if this
	// call decoded it. The error is kv.ErrNotFound for a project without one.
	table(project string, answer *Answer) (*table, error)
}

// newTables returns the tables of the store with the given life.
func newTables(ctx context.Context, store *kv.Store, life Life) (tables, error) {
	switch life {
	case LifeRequest, "":
		return requestTables{store}, nil
	case LifeLRU:
		return lruTables{store}, nil
	case LifeResident:
		resident := &residentTables{store: store}
		return resident, resident.refresh(ctx)
	}
	return nil, fmt.Errorf("table life %q: want request, lru or resident", string(life))
}

// tableKey returns the key of a project's table.
func tableKey(project string) kv.Key { return kv.Key{Prefix: kv.Tables, Name: project} }

// requestTables decodes a table for each request.
type requestTables struct{ store *kv.Store }

func (r requestTables) table(project string, answer *Answer) (*table, error) {
	raw, err := kv.Get(r.store, tableKey(project), kv.Bytes)
	if err != nil {
		return nil, err
	}
	return timedTable(raw, answer)
}

// timedTable decodes a table and sets the cost of it.
func timedTable(raw []byte, answer *Answer) (*table, error) {
	began := time.Now()
	decoded, err := newTable(raw)
	answer.Decode = time.Since(began)
	return decoded, err
}

// lruTables decodes a table when the LRU has it not.
type lruTables struct{ store *kv.Store }

func (l lruTables) table(project string, answer *Answer) (*table, error) {
	return kv.Get(l.store, tableKey(project), func(raw []byte) (*table, int64, error) {
		decoded, err := timedTable(raw, answer)
		if err != nil {
			return nil, 0, err
		}
		decoded.keepCompiled()
		return decoded, decoded.size(), nil
	})
}

// residentTables holds all tables.
type residentTables struct {
	store *kv.Store
	all   atomic.Pointer[map[string]*table]
	bytes atomic.Int64
}

func (r *residentTables) table(project string, _ *Answer) (*table, error) {
	if found, ok := (*r.all.Load())[project]; ok {
		return found, nil
	}
	return nil, kv.ErrNotFound
}

// refresh decodes all tables anew.
func (r *residentTables) refresh(ctx context.Context) error {
	all, bytes := map[string]*table{}, int64(0)
	err := r.store.Scan(ctx, kv.Tables, func(name, raw []byte) error {
		decoded, err := newTable(raw)
		if err != nil {
			return fmt.Errorf("project %q: %w", name, err)
		}
		decoded.keepCompiled()
		all[string(name)] = decoded
		bytes += decoded.size()
		return nil
	})
	if err != nil {
		return fmt.Errorf("decoding the routing tables: %w", err)
	}
	r.all.Store(&all)
	r.bytes.Store(bytes)
	return nil
}
