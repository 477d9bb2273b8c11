package routing

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"switchback/edge/kv"
)

// Legacy routes by the project's table: it is read through the LRU as bytes,
// decoded in the order of the document, and each expression is compiled and
// tried until one matches. All of it happens for every request.
type Legacy struct {
	store *kv.Store
}

// NewLegacy returns the router over the tables of the store.
func NewLegacy(store *kv.Store) *Legacy {
	return &Legacy{store: store}
}

var _ Router = (*Legacy)(nil)

// Route implements Router.
func (l *Legacy) Route(_ context.Context, host string) (Answer, error) {
	host, ok := Canonical(host)
	if !ok {
		return Answer{}, ErrUnknownHost
	}
	project, err := l.project(host)
	if err != nil {
		return Answer{}, unknown(err)
	}
	raw, err := kv.Get(l.store, kv.Key{Prefix: kv.Tables, Name: project}, kv.Bytes)
	if err != nil {
		return Answer{}, unknown(err)
	}
	return search(raw, host)
}

// project returns the name of the project that host belongs to, if any does.
func (l *Legacy) project(host string) (string, error) {
	if project, ok := projectOf(host); ok {
		return project, nil
	}
	name, err := kv.Get(l.store, kv.Key{Prefix: kv.Domains, Name: host}, kv.Bytes)
	return string(name), err
}

// unknown turns a missing key into an unknown hostname.
func unknown(err error) error {
	if errors.Is(err, kv.ErrNotFound) {
		return ErrUnknownHost
	}
	return err
}

// search decodes a table and looks for host in it.
func search(raw []byte, host string) (Answer, error) {
	began := time.Now()
	rows, err := DecodeTable(raw)
	decoded := time.Now()
	answer := Answer{Decode: decoded.Sub(began), TableBytes: len(raw)}
	if err != nil {
		return answer, err
	}
	answer.Pipeline, answer.Tried, err = match(rows, host)
	answer.Match = time.Since(decoded)
	return answer, err
}

// match returns the pipeline of the first row whose expression matches host,
// and how many were tried.
func match(rows []Row, host string) (*Pipeline, int, error) {
	for i, row := range rows {
		expression, err := regexp.Compile(row.Expression)
		if err != nil {
			return nil, i, fmt.Errorf("routing table: row %d: %w", i+1, err)
		}
		if expression.MatchString(host) {
			return row.Pipeline, i + 1, nil
		}
	}
	return nil, len(rows), ErrUnknownHost
}
