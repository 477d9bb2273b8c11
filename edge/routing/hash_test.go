package routing

import (
	"encoding/hex"
	"strings"
	"sync"
	"testing"
)

// TestSumIsHMAC pins the hash by RFC 4231, test cases 1, 2 and 6, and by a hostname
// hashed with OpenSSL (openssl dgst -sha256 -hmac secret).
func TestSumIsHMAC(t *testing.T) {
	for _, c := range []struct{ secret, host, want string }{
		{strings.Repeat("\x0b", 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
		{strings.Repeat("\xaa", 131), "Test Using Larger Than Block-Size Key - Hash Key First", "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
		{"secret", "a.example.pages.dev", "6fde94926a7464a4a638133cff8134499df28b30a5000bed31de052a23730d23"},
	} {
		hasher, err := NewHasher([]byte(c.secret))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second one reuses the state
			if got := hasher.Sum(c.host); hex.EncodeToString(got[:]) != c.want {
				t.Errorf("%q: got %x, want %s", c.host, got, c.want)
			}
		}
	}
}

// TestSumConcurrently checks that calls don't share a state.
func TestSumConcurrently(t *testing.T) {
	hasher := newHasher(t)
	hosts := []string{"a.example", "b.example", strings.Repeat("c", 1000)}
	want := map[string]Sum{}
	for _, host := range hosts {
		want[host] = hasher.Sum(host)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 1000 {
				host := hosts[(i+j)%len(hosts)]
				if got := hasher.Sum(host); got != want[host] {
					t.Errorf("%.10q: got %x, want %x", host, got, want[host])
				}
			}
		})
	}
	wg.Wait()
}

func TestSumDoesNotAllocate(t *testing.T) {
	hasher := newHasher(t)
	if n := testing.AllocsPerRun(1000, func() { hasher.Sum("a.example") }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestEmptySecretIsRefused(t *testing.T) {
	if _, err := NewHasher(nil); err == nil {
		t.Error("an empty secret was taken")
	}
}
