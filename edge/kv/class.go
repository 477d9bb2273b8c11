package kv

// Class groups the values of the LRU for counting.
type Class int

// The classes, by what their values are decoded from.
const (
	ClassTable      Class = iota // Tables and Domains: what the legacy router reads
	ClassEntry                   // Entries, with their pipelines: what the hashed router keeps
	ClassDeployment              // Manifests, and what is read of Pipelines
	ClassNeighbour               // Neighbours
	classes
)

// String returns the class's name in statistics.
func (c Class) String() string {
	return [...]string{"table", "entry", "deployment", "neighbour"}[c]
}

// class returns the class that the family is counted under.
func (p Prefix) class() Class {
	switch p {
	case Entries:
		return ClassEntry
	case Pipelines, Manifests:
		return ClassDeployment
	case Neighbours:
		return ClassNeighbour
	default:
		return ClassTable
	}
}

// Counters count what became of the look-ups of a class. All but Bytes only
// grow.
type Counters struct {
	Hits      int64 // answered from the LRU
	Misses    int64 // asked of the store, whether or not it had the key
	Evictions int64 // values dropped to make room
	Bytes     int64 // held now, in bytes
	Read      int64 // bytes of the values read from the store
}
