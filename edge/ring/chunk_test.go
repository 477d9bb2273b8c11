package ring

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestChunksHoldWhatComes fills partitions very unevenly, with less room than
// they need, and empties them as a rebuild does.
func TestChunksHoldWhatComes(t *testing.T) {
	p := partitions[uint64]{split: split{partitionBits: 2, servers: 3, perServer: reciprocal(3)}}
	rapid.Check(t, func(t *rapid.T) {
		p.empty(rapid.IntRange(0, 3).Draw(t, "spare chunks"))
		var want [4][]uint64
		for range rapid.IntRange(0, 8).Draw(t, "runs") {
			server := rapid.IntRange(0, 2).Draw(t, "server")
			partition := rapid.Uint32Range(0, 3).Draw(t, "partition")
			var hashes []uint32
			for i := range rapid.Uint32Range(1, 3*chunkWords).Draw(t, "points") {
				hashes = append(hashes, partition<<30|i)
				want[partition] = append(want[partition], uint64(i)*3+uint64(server))
			}
			p.scatter(server, hashes)
		}
		for i, words := range want {
			if got := p.gather(nil, i); !slices.Equal(got, words) {
				t.Fatalf("partition %d holds %v, want %v", i, got, words)
			}
		}
	})
}
