package runner

import (
	"path/filepath"
	"slices"

	"switchback/harness/arm"
)

// keepInputs copies the files that an arm is rendered from into the run's
// folder, and returns where the copies are: the arm is started from them at each
// launch, whatever becomes of the files meanwhile. A trial start has no folder:
// it uses the files themselves.
func (c *cell) keepInputs(paths []string) ([]string, error) {
	if c.folder == nil {
		return paths, nil
	}
	var kept []string
	for _, path := range paths {
		content, err := arm.ReadCopied(path)
		if err != nil {
			return nil, err
		}
		in, err := c.folder.KeepInput(path, []byte(content))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(c.manifest.Inputs, in) {
			c.manifest.Inputs = append(c.manifest.Inputs, in)
		}
		kept = append(kept, filepath.Join(c.dir, in.Copy))
	}
	return kept, nil
}
