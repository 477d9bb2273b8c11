package routing

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"hash"

	"switchback/edge/kv"
)

// Hasher makes the names of routing entries: HMAC-SHA-256 of a canonical
// hostname under a secret, so that a store does not show whose sites it has. It is
// safe for concurrent use.
type Hasher struct {
	secret []byte
	idle   chan *mac
}

// maxIdle is how many idle states a Hasher keeps: more than requests are
// hashed at the same time. A sync.Pool would drop its states at each garbage
// collection.
const maxIdle = 64

// Sum names a routing entry.
type Sum [sha256.Size]byte

// NewHasher returns a Hasher for the secret. An empty one is an error.
func NewHasher(secret []byte) (*Hasher, error) {
	if len(secret) == 0 {
		return nil, errors.New("routing secret is empty")
	}
	return &Hasher{secret: bytes.Clone(secret), idle: make(chan *mac, maxIdle)}, nil
}

// Sum returns the name of host's entry. It does not allocate, but for the first
// calls.
func (h *Hasher) Sum(host string) Sum {
	m := h.take()
	sum := m.sum(host)
	select {
	case h.idle <- m:
	default:
	}
	return sum
}

// take returns an idle state, or a new one.
func (h *Hasher) take() *mac {
	select {
	case m := <-h.idle:
		return m
	default:
		return &mac{hash: hmac.New(sha256.New, h.secret)}
	}
}

// mac is the state of one HMAC with room for its input and output, which would
// otherwise be allocated for each call through the interface.
type mac struct {
	hash hash.Hash
	in   [maxHostBytes]byte
	out  [sha256.Size]byte
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
