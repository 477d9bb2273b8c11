package targets

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Every hostname is asked once before any is asked again, whatever the sizes
// of the blocks, and its group is its third of the list.
func TestAHostListIsWalkedInRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "hosts")
		list := &HostList{}
		for i := range n {
			list.Hosts = append(list.Hosts, fmt.Sprintf("h%d", i))
		}
		stream := list.Stream(rapid.Uint64().Draw(t, "seed"))
		seen := map[string]int{}
		for asked := 0; asked < 3*n; {
			block, err := stream.Block(rapid.IntRange(1, 20).Draw(t, "block"))
			if err != nil {
				t.Fatal(err)
			}
			for _, target := range block {
				if seen[target.Host] != asked/n {
					t.Fatalf("%s is asked again after %d requests", target.Host, asked)
				}
				seen[target.Host]++
				asked++
				if target.Bytes != -1 || target.Status != 0 || target.Path != "/" || target.Position == "" {
					t.Fatalf("target %+v", target)
				}
			}
		}
	})
}

func TestAHostListHasThirds(t *testing.T) {
	list := &HostList{Hosts: []string{"a", "b", "c", "d", "e", "f"}}
	block, err := list.Stream(7).Block(6)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": First, "b": First, "c": Middle, "d": Middle, "e": Last, "f": Last}
	for _, target := range block {
		if target.Position != want[target.Host] {
			t.Errorf("%s is in %s, want %s", target.Host, target.Position, want[target.Host])
		}
	}
	if _, err := list.Stream(7).Block(0); err == nil {
		t.Error("a block of none")
	}
}

// fixed is a stream of one block.
type fixed []Target

func (f fixed) Block(int) ([]Target, error) { return append([]Target(nil), f...), nil }

func TestLenientStreams(t *testing.T) {
	from := fixed{{Status: 200, Bytes: 5, BodyHash: 7}, {Status: 404, Bytes: -1}}
	for _, test := range []struct {
		about  string
		stream Stream
		want   [2]int
	}{{"without bodies", WithoutBodies(from), [2]int{200, 404}}, {"with any status", WithAnyStatus(from), [2]int{0, 404}}} {
		block, err := test.stream.Block(2)
		if err != nil || block[0].Status != test.want[0] || block[1].Status != test.want[1] || block[0].Bytes != -1 || block[0].BodyHash != 0 {
			t.Errorf("%s: %+v, %v", test.about, block, err)
		}
	}
}
