package importer

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// file is one file of an import, with the request that comes next.
type file struct {
	name    string
	format  string
	source  source
	close   func()
	strings pool
	e       entry
	last    int64 // stamp read last
	next    record
	ended   bool
}

func openFile(path string, s *Settings) (*file, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	out, err := newFile(f, path, s)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	free := out.close
	out.close = func() { free(); f.Close() }
	return out, nil
}

func newFile(r io.Reader, name string, s *Settings) (*file, error) {
	plain, free, err := decompressed(r)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, close: free, last: noTime}
	f.e.pool = &f.strings
	if f.format, f.source, err = newSource(plain, s); err != nil {
		free()
		return nil, err
	}
	return f, nil
}

// advance reads up to the next request that is sent. It counts what it finds.
func (f *file) advance(i *run) error {
	for {
		k, err := f.source.next(&f.e)
		if errors.Is(err, io.EOF) {
			f.ended = true
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.name, f.e.line, err)
		}
		i.summary.Lines++
		if k != clean && k.rule() == Dropped {
			i.tally.add(k, f.name, f.e.line, f.e.text)
		} else if f.take(i, k) {
			return nil
		}
		if err := i.checkDropped(false); err != nil {
			return err
		}
	}
}

// take makes the next request of the entry, and tells whether there is one.
func (f *file) take(i *run, before kind) bool {
	t, k := i.clean.target(&f.e)
	if k != clean {
		i.tally.add(k, f.name, f.e.line, f.e.text)
		return false
	}
	if before != clean {
		i.tally.add(before, f.name, f.e.line, f.e.text)
	}
	for _, found := range i.clean.found {
		i.tally.add(found, f.name, f.e.line, f.e.text)
	}
	if i.settings.ExpectStatus {
		t.Status = f.e.status
	}
	f.next = record{target: t, start: f.stamp(i)}
	i.count(&f.e)
	return true
}

// stamp returns when the request started.
func (f *file) stamp(i *run) int64 {
	if f.e.at == noTime {
		if f.last != noTime {
			i.tally.add(noStamp, f.name, f.e.line, f.e.text)
		}
		return f.last
	}
	f.last = f.e.at
	if f.e.atEnd {
		return f.e.at - f.e.took
	}
	return f.e.at
}
