package splitmix

import "testing"

// The first outputs of SplitMix64 with seed 0, as its reference implementation
// (Vigna, splitmix64.c) prints them.
func TestMix(t *testing.T) {
	state := uint64(0)
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		state += Gamma
		if got := Mix(state); got != want {
			t.Errorf("output %d is %#x, want %#x", i, got, want)
		}
	}
}
