package kv

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Scan passes the names and values of a family to visit, in the order of the
// names, past the LRU. What it passes is valid during the call only. It ends with
// the first error: that of visit, of ctx or of the store.
func (s *Store) Scan(ctx context.Context, p Prefix, visit func(name, value []byte) error) error {
	low, high := p.span()
	keys, err := s.db.NewIterWithContext(ctx, &pebble.IterOptions{LowerBound: low, UpperBound: high})
	if err != nil {
		return fmt.Errorf("scanning %c/: %w", p, err)
	}
	err = scan(ctx, keys, len(low), visit)
	if closeErr := keys.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("scanning %c/: %w", p, err)
	if ctx.Err() != nil {
		return err
	}
	return s.fault(err)
}

// scan visits every key, with the first skip bytes cut off.
func scan(ctx context.Context, keys *pebble.Iterator, skip int, visit func(name, value []byte) error) error {
	for ok := keys.First(); ok; ok = keys.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		value, err := keys.ValueAndErr()
		if err != nil {
			return err
		}
		if err := visit(keys.Key()[skip:], value); err != nil {
			return err
		}
	}
	return keys.Error()
}
