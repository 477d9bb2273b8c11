package fleet

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"switchback/edge/ring"
)

// maxSets bounds the combinations of made-up features.
const maxSets = 1024

// MakeSets gives the servers made-up features f1, f2, …, each to half of them,
// and returns the first count combinations in use: "any", "f1", "f2", "f1+f2",
// "f3", …. Server i has feature k when bit k of i is set, so that every
// combination has servers as long as there are count of them. The servers
// given stay as they are.
func MakeSets(servers []ring.Server, count int) ([]ring.Server, []string, error) {
	if count < 1 || count > min(maxSets, len(servers)) {
		return nil, nil, fmt.Errorf("%d ring sets, want 1 to %d with %d servers", count, min(maxSets, len(servers)), len(servers))
	}
	features := bits.Len(uint(count - 1))
	made := slices.Clone(servers)
	for i := range made {
		made[i].Features = namesOf(i, features)
	}
	combinations := []string{ring.AnySet}
	for set := 1; set < count; set++ {
		combinations = append(combinations, strings.Join(namesOf(set, features), "+"))
	}
	return made, combinations, nil
}

// namesOf returns the features whose bits are set.
func namesOf(set, features int) []string {
	var names []string
	for k := range features {
		if set>>k&1 == 1 {
			names = append(names, fmt.Sprintf("f%d", k+1))
		}
	}
	return names
}
