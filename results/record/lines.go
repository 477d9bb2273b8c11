package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"switchback/regular"
)

// eachLine calls yield with each line of a file of so many bytes at most, and
// stops at its first error, which names file and line. A last line without an end is left out: the run
// was killed while it was written, and cut says so.
func (f *Folder) eachLine(name string, most int64, yield func(n int, line []byte) error) (cut bool, err error) {
	file, err := regular.Open(f.path(name))
	if err != nil {
		return false, fmt.Errorf("reading run: %w", err)
	}
	defer file.Close()
	in := bufio.NewReaderSize(&boundedLines{from: file, line: maxLineBytes, whole: most}, 1<<16)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err == io.EOF {
			return len(line) > 0, nil
		}
		if err == nil {
			err = yield(n, line)
		}
		if err != nil {
			return false, fmt.Errorf("%s:%d: %w", f.path(name), n, err)
		}
	}
}

// readLine returns the next line without its end; io.EOF with the bytes of a
// line that has none.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// objects decodes a file of one JSON object a line, of which it may hold at
// most so many; a folder without the file has none.
func objects[T any](f *Folder, name string, most int, check func(*T) error) ([]T, error) {
	var all []T
	_, err := f.eachLine(name, maxFileBytes, func(n int, line []byte) error {
		if n > most {
			return fmt.Errorf("more than %d lines", most)
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return err
		}
		all = append(all, v)
		return check(&v)
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return all, nil
}

func wrongSchema(has, want string) error {
	if has != want {
		return fmt.Errorf("schema %q, expected %q", has, want)
	}
	return nil
}
