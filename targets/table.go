package targets

// table is a list that grows without being copied: a slice of several hundred
// megabytes would need more than twice that while it grows.
type table[T any] struct {
	chunks [][]T
	length uint32
}

const chunkLength = 1 << 12

func (t *table[T]) add(v T) {
	if t.length%chunkLength == 0 {
		t.chunks = append(t.chunks, make([]T, 0, chunkLength))
	}
	last := &t.chunks[len(t.chunks)-1]
	*last = append(*last, v)
	t.length++
}

func (t *table[T]) at(i uint32) *T { return &t.chunks[i/chunkLength][i%chunkLength] }
