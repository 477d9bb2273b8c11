package routing

import (
	"context"
	"errors"
	"time"

	"switchback/edge/kv"
)

// Legacy routes by the project's table: its expressions are tried in the order
// of the document until one matches.
type Legacy struct {
	store  *kv.Store
	tables tables
}

// NewLegacy returns the router whose decoded tables have the given life.
// With LifeResident it decodes all of them first.
func NewLegacy(ctx context.Context, store *kv.Store, life Life) (*Legacy, error) {
	tables, err := newTables(ctx, store, life)
	if err != nil {
		return nil, err
	}
	return &Legacy{store: store, tables: tables}, nil
}

var _ Router = (*Legacy)(nil)

// Route implements Router.
func (l *Legacy) Route(_ context.Context, host string) (Answer, error) {
	project, err := l.project(host)
	if err != nil {
		return Answer{}, unknown(err)
	}
	var answer Answer
	table, err := l.tables.table(project, &answer)
	if err != nil {
		return answer, unknown(err)
	}
	began := time.Now()
	answer.TableBytes = table.bytes
	answer.Pipeline, answer.Tried, err = table.match(relative(host, project))
	answer.Match = time.Since(began)
	return answer, err
}

// Refresh takes over what was published since the tables were decoded. It
// does nothing but with LifeResident: the store's LRU is always up to date.
func (l *Legacy) Refresh(ctx context.Context) error {
	if resident, ok := l.tables.(*residentTables); ok {
		return resident.refresh(ctx)
	}
	return nil
}

// ResidentBytes returns about how many bytes of memory the resident tables
// take, with all of their expressions compiled; 0 with another life.
func (l *Legacy) ResidentBytes() int64 {
	if resident, ok := l.tables.(*residentTables); ok {
		return resident.bytes.Load()
	}
	return 0
}

// project returns the name of the project that host belongs to, if any does.
func (l *Legacy) project(host string) (string, error) {
	if project, ok := projectOf(host); ok {
		return project, nil
	}
	return kv.Get(l.store, kv.Key{Prefix: kv.Domains, Name: host}, kv.Text)
}

// unknown turns a missing key into an unknown hostname.
func unknown(err error) error {
	if errors.Is(err, kv.ErrNotFound) {
		return ErrUnknownHost
	}
	return err
}
