package publish

import (
	"bytes"
	"testing"

	"go.uber.org/goleak"

	"switchback/datasets"
	"switchback/edge/kv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var secret = []byte("the secret of the tests")

// generate returns a dataset as a stream.
func generate(t testing.TB, seed uint64, settings datasets.Settings) []byte {
	t.Helper()
	var stream bytes.Buffer
	if _, err := datasets.Generate(&stream, seed, settings); err != nil {
		t.Fatal(err)
	}
	return stream.Bytes()
}

// read returns a reader of a stream.
func read(t testing.TB, stream []byte) *datasets.Reader {
	t.Helper()
	r, err := datasets.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// publishAll publishes a stream in both forms and opens the store.
func publishAll(t testing.TB, stream []byte, dir string, options kv.Options) *kv.Store {
	t.Helper()
	r := read(t, stream)
	defer r.Close()
	if err := Publish(t.Context(), r, dir, Options{Secret: secret}); err != nil {
		t.Fatal(err)
	}
	store, err := kv.Open(dir, options)
	if err != nil {
		t.Fatal(err)
	}
	return store
}
