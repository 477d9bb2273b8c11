package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/google/renameio/v2"
)

// HTMLFile is the name of a run's page in its folder.
const HTMLFile = "report.html"

// WriteFile writes a file: readers see all of it or what was there before.
func WriteFile(path string, write func(io.Writer) error) error {
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer file.Cleanup()
	w := bufio.NewWriter(file)
	if err := write(w); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return file.CloseAtomicallyReplace()
}
