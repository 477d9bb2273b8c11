package edge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// exchangeFolder is the folder of a store's directory in which the admin API
// makes checkpoints and from which it takes tables: a call reaches no other.
const exchangeFolder = "exchange"

// exchanged returns the paths that a call names: below the exchange folder,
// relative to it or absolute, and past a check that follows no link out of it.
func (e *Edge) exchanged(names []string, check func(folder *os.Root, name string) error) ([]string, error) {
	dir, err := filepath.Abs(filepath.Join(e.options.Store, exchangeFolder))
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return nil, fmt.Errorf("making %s: %w", exchangeFolder, err)
	}
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	var paths []string
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, name)
		}
		inside, err := filepath.Rel(dir, path)
		if err != nil || inside == "." || !filepath.IsLocal(inside) {
			return nil, fmt.Errorf("%.200q does not lie below %s, the only folder that calls reach", name, dir)
		}
		if err := check(folder, inside); err != nil {
			return nil, fmt.Errorf("%.200q in %s: %w", name, dir, err)
		}
		paths = append(paths, filepath.Join(dir, inside))
	}
	return paths, nil
}

// isNew makes the folders above a name, which must not exist.
func isNew(folder *os.Root, name string) error {
	if above := filepath.Dir(name); above != "." {
		if err := folder.MkdirAll(above, 0o777); err != nil {
			return err
		}
	}
	_, err := folder.Lstat(name)
	switch {
	case err == nil:
		return fs.ErrExist
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// isFile returns an error where a name stands for something other than a file.
func isFile(folder *os.Root, name string) error {
	info, err := folder.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a file")
	}
	return err
}
