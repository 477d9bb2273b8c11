package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"
)

// Decoder makes a value from the bytes of the store, which it may not keep,
// and says how many bytes of memory the value counts for.
type Decoder[V any] func(raw []byte) (value V, size int64, err error)

// Get returns the value of k: from the LRU, or read from the store, decoded and
// kept. Values are shared between callers, who may not change them. Concurrent misses
// of one key are read and decoded once. The error is ErrNotFound as it is, the
// store's or the decoder's. A hit does not allocate.
//
// The name of k does not escape, so that a caller can look up string(hash[:])
// without allocating where it is at most 32 bytes.
func Get[V any](s *Store, k Key, decode Decoder[V]) (V, error) {
	if value, ok := find[V](s.lru, k); ok {
		return value, nil
	}
	return load(s, Key{Prefix: k.Prefix, Name: strings.Clone(k.Name)}, decode)
}

// load reads, decodes and keeps the value of k. Calls for one key in one epoch
// share the work; a later epoch must not get what an earlier one read.
func load[V any](s *Store, k Key, decode Decoder[V]) (V, error) {
	epoch := s.lru.now()
	flight := string(binary.AppendVarint(k.Append(nil), epoch))
	loaded, err, _ := s.loading.Do(flight, func() (any, error) {
		if value, ok := findAgain[V](s.lru, k); ok { // kept between the miss and now
			return value, nil
		}
		value, size, err := Read(s, k, decode)
		if err == nil {
			s.lru.add(k, value, size, epoch)
		}
		return value, err
	})
	if value, ok := loaded.(V); ok {
		return value, err
	}
	return load(s, k, decode) // the key is in use in two forms, and the other one was loading
}

// Read reads and decodes the value of k past the LRU, for a Decoder that needs a second
// key. The errors are those of Get.
func Read[V any](s *Store, k Key, decode Decoder[V]) (value V, size int64, err error) {
	raw, closer, err := s.db.Get(k.Append(nil))
	if errors.Is(err, pebble.ErrNotFound) {
		return value, 0, ErrNotFound
	}
	if err != nil {
		return value, 0, s.fault(fmt.Errorf("reading %v: %w", k, err))
	}
	defer closer.Close()
	s.lru.read(k.Prefix, len(raw))
	if value, size, err = decode(raw); err != nil {
		return value, 0, s.fault(fmt.Errorf("decoding %v: %w", k, err))
	}
	return value, size, nil
}

// Bytes is the Decoder of values that are used as they are.
func Bytes(raw []byte) ([]byte, int64, error) {
	return append([]byte(nil), raw...), int64(len(raw)), nil
}

// Text is Bytes for text.
func Text(raw []byte) (string, int64, error) { return string(raw), int64(len(raw)), nil }

var (
	_ Decoder[[]byte] = Bytes
	_ Decoder[string] = Text
)
