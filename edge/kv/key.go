package kv

import "fmt"

// Prefix names a family of keys of the store.
type Prefix byte

// The families of keys. A key is its prefix, a slash and a name.
const (
	Tables     Prefix = 't' // project → legacy routing table
	Domains    Prefix = 'd' // custom domain → project
	Entries    Prefix = 'h' // HMAC-SHA-256 of a hostname, 32 bytes → routing entry
	Pipelines  Prefix = 'w' // deployment → stages and bindings
	Manifests  Prefix = 'm' // deployment → asset manifest
	Neighbours Prefix = 'n' // other tenants' small values that share the LRU
)

// Prefixes returns all families, in the order of their keys on disk.
func Prefixes() []Prefix {
	return []Prefix{Domains, Entries, Manifests, Neighbours, Tables, Pipelines}
}

// Key is a key of the store: a name in a family.
type Key struct {
	Prefix Prefix
	Name   string
}

// Append appends the key as it is on disk to dst.
func (k Key) Append(dst []byte) []byte {
	dst = append(dst, byte(k.Prefix), '/')
	return append(dst, k.Name...)
}

// String returns the key for messages, its name quoted where it is not text.
func (k Key) String() string {
	return fmt.Sprintf("%c/%+q", k.Prefix, k.Name)
}

// span returns the bounds of the family's keys: the first possible key, and
// the first key behind the last possible one.
func (p Prefix) span() (low, high []byte) {
	return []byte{byte(p), '/'}, []byte{byte(p), '/' + 1}
}
