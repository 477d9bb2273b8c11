package datasets

import (
	"errors"
	"io"
)

// ReadInfo reads the dataset of a file to its end and sums it up; errors name
// the file and the record.
func ReadInfo(path string) (Info, error) {
	r, err := Open(path)
	if err != nil {
		return Info{}, err
	}
	defer r.Close()
	for {
		if _, _, err := r.Next(); errors.Is(err, io.EOF) {
			return r.Info(), nil
		} else if err != nil {
			return Info{}, err
		}
	}
}
