package routing

import (
	"testing"

	"go.uber.org/goleak"

	"switchback/edge/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newStore opens a store with the values in a fresh directory, and closes it
// with the test.
func newStore(t testing.TB, options kv.Options, values map[kv.Key]string) *kv.Store {
	t.Helper()
	s, err := kv.Open(t.TempDir(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	put(t, s, values)
	return s
}

// put writes values into the store.
func put(t testing.TB, s *kv.Store, values map[kv.Key]string) {
	t.Helper()
	loader := s.Load(t.Context())
	for k, v := range values {
		if err := loader.Put(k, []byte(v)); err != nil {
			t.Fatal(err)
		}
	}
	if err := loader.Finish(); err != nil {
		t.Fatal(err)
	}
}

// newHasher returns a Hasher for the tests' secret.
func newHasher(t testing.TB) *Hasher {
	t.Helper()
	h, err := NewHasher([]byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}
