package targets

import (
	"errors"
	"io"

	"switchback/datasets"
)

// GenerateIndex indexes the dataset of a seed and settings without a file.
func GenerateIndex(seed uint64, s datasets.Settings) (*Index, error) {
	in, out := io.Pipe()
	made := make(chan error, 1)
	go func() {
		_, err := datasets.Generate(out, seed, s)
		out.CloseWithError(err)
		made <- err
	}()
	x, err := readIndex(in)
	in.Close() // frees a generator that nobody reads any more
	if failed := <-made; failed != nil && !errors.Is(failed, io.ErrClosedPipe) {
		return nil, failed
	}
	return x, err
}

func readIndex(r io.Reader) (*Index, error) {
	dataset, err := datasets.NewReader(r)
	if err != nil {
		return nil, err
	}
	defer dataset.Close()
	return NewIndex(dataset)
}
