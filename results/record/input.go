package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// inputsDir holds the files of the user's own that a run was made with.
const inputsDir = "files"

// Input is a file of the user's own that a run was made with.
type Input struct {
	Path   string `json:"path"`   // where it was
	Copy   string `json:"copy"`   // below the run's folder
	Digest string `json:"digest"` // sha256:…
	Bytes  int64  `json:"bytes"`
}

// KeepInput copies the content of a file into the run's folder, under its own
// name. The same name and content is kept once.
func (r *Run) KeepInput(path string, content []byte) (Input, error) {
	sum := sha256.Sum256(content)
	copied := filepath.Join(inputsDir, hex.EncodeToString(sum[:6]), filepath.Base(path))
	in := Input{Path: path, Copy: copied, Digest: "sha256:" + hex.EncodeToString(sum[:]), Bytes: int64(len(content))}
	to := filepath.Join(r.Dir, copied)
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return Input{}, fmt.Errorf("keeping %s: %w", path, err)
	}
	if err := os.WriteFile(to, content, 0o666); err != nil {
		return Input{}, fmt.Errorf("keeping %s: %w", path, err)
	}
	return in, nil
}
