package publish

import (
	"bytes"
	"strconv"

	"switchback/edge/kv"
)

// MaxNeighbours bounds the neighbours' values of a store.
const MaxNeighbours = 100_000_000

// writeNeighbours writes n small values of other tenants, of 64 to 319 bytes
// and 191 on average.
func writeNeighbours(to *kv.Loader, n int) error {
	for i := range uint64(n) {
		value := []byte(strconv.FormatUint(i, 10))
		value = append(value, bytes.Repeat([]byte{'.'}, neighbourBytes(i)-len(value))...)
		if err := to.Put(kv.NeighbourKey(i), value); err != nil {
			return err
		}
	}
	return nil
}

// neighbourBytes spreads the sizes over the numbers: Fibonacci hashing, of
// which the top eight bits are taken.
func neighbourBytes(i uint64) int {
	return 64 + int(i*0x9e3779b97f4a7c15>>56)
}
