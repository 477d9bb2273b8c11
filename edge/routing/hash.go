package routing

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"hash"
	"sync"

	"switchback/edge/kv"
)

// Hasher makes the names of routing entries: HMAC-SHA-256 of a canonical
// hostname under a secret, so that a store does not show whose sites it has. It is
// safe for concurrent use.
type Hasher struct {
	pool sync.Pool // of *mac
}

// Sum names a routing entry.
type Sum [sha256.Size]byte

// NewHasher returns a Hasher for the secret. An empty one is an error.
func NewHasher(secret []byte) (*Hasher, error) {
	if len(secret) == 0 {
		return nil, errors.New("routing secret is empty")
	}
	secret = append([]byte(nil), secret...)
	return &Hasher{pool: sync.Pool{New: func() any { return newMAC(secret) }}}, nil
}

// Sum returns the name of host's entry. It does not allocate.
func (h *Hasher) Sum(host string) Sum {
	m := h.pool.Get().(*mac)
	defer h.pool.Put(m)
	return m.sum(host)
}

// mac is the state of one HMAC with room for its input and output, which would
// otherwise be allocated for each call through the interface.
type mac struct {
	hash hash.Hash
	in   [maxHostBytes]byte
	out  [sha256.Size]byte
}

func newMAC(secret []byte) *mac {
	return &mac{hash: hmac.New(sha256.New, secret)}
}

func (m *mac) sum(host string) Sum {
	m.hash.Reset()
	for len(host) > 0 {
		n := copy(m.in[:], host)
		m.hash.Write(m.in[:n])
		host = host[n:]
	}
	m.hash.Sum(m.out[:0])
	return m.out
}

// EntryKey returns the key of the entry named sum.
func EntryKey(sum Sum) kv.Key {
	return kv.Key{Prefix: kv.Entries, Name: string(sum[:])}
}
