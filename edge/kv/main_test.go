package kv

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// A goroutine that Pebble stops for good stays until the process ends.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("switchback/edge/kv.(*faults).Fatalf"))
}

// newStore opens a store in a fresh directory and closes it with the test.
func newStore(t testing.TB, options Options) *Store {
	t.Helper()
	return openStore(t, t.TempDir(), options)
}

// openStore opens the store in dir and closes it with the test.
func openStore(t testing.TB, dir string, options Options) *Store {
	t.Helper()
	s, err := Open(dir, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// put writes values into the store.
func put(t testing.TB, s *Store, values map[Key]string) {
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
