package record

import (
	"errors"
	"io/fs"
)

// Glance reads the manifest and the summary of a run and nothing else: what a
// list of many runs needs. Errors are those of Open.
func Glance(dir string) (*Folder, error) {
	f := &Folder{Dir: dir}
	if err := f.readManifest(); err != nil {
		return nil, err
	}
	var summary Summary
	switch err := f.readJSON(SummaryFile, SummarySchema, &summary); {
	case err == nil:
		f.Summary = &summary
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return f, nil
}
