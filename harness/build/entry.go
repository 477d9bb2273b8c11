package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// About is what an entry of the cache says about its program.
type About struct {
	Source string `json:"source"` // as it was asked for
	Commit string `json:"commit"` // that was built first
	Go     string `json:"go"`     // version
	Digest string `json:"digest"` // of the program, SHA-256 in hex
}

// The files of an entry.
const (
	programFile = "program"
	aboutFile   = "about.json"
)

// maxAbout bounds the file that describes an entry.
const maxAbout = 64 << 10

// ReadAbout reads what an entry of the cache says about its program.
func ReadAbout(entry string) (About, error) {
	f, err := os.Open(filepath.Join(entry, aboutFile))
	if err != nil {
		return About{}, fmt.Errorf("reading about a program: %w", err)
	}
	defer f.Close()
	var a About
	if err := json.NewDecoder(io.LimitReader(f, maxAbout)).Decode(&a); err != nil {
		return About{}, fmt.Errorf("reading %s: %w", f.Name(), err)
	}
	return a, nil
}

// take copies the program of an entry that is whole to a new file, and marks the
// entry as used. Without an entry the error is fs.ErrNotExist.
func take(entry, to string) error {
	if _, err := os.Stat(entry); err != nil {
		return err
	}
	about, err := ReadAbout(entry)
	if err != nil {
		return damaged(err)
	}
	digest, err := copyProgram(filepath.Join(entry, programFile), to)
	if err == nil && digest != about.Digest {
		err = fmt.Errorf("%s is not what was built", filepath.Join(entry, programFile))
	}
	if err != nil {
		return damaged(errors.Join(err, os.RemoveAll(to)))
	}
	now := time.Now()
	_ = os.Chtimes(entry, now, now) // for the list of the cache alone
	return nil
}

// damaged hides that a file of an entry is missing: the entry is there.
func damaged(err error) error { return fmt.Errorf("%v", err) }

// store makes an entry of a program, in place of a damaged one. The entry is complete
// as soon as it has its name.
func store(entry, staging, program string, about About) error {
	unfinished, err := os.MkdirTemp(staging, "program-")
	if err == nil {
		defer os.RemoveAll(unfinished)
		err = os.MkdirAll(filepath.Dir(entry), 0o755)
	}
	if err == nil {
		about.Digest, err = copyProgram(program, filepath.Join(unfinished, programFile))
	}
	if err == nil {
		var text []byte
		text, err = json.Marshal(about)
		err = errors.Join(err, os.WriteFile(filepath.Join(unfinished, aboutFile), append(text, '\n'), 0o644))
	}
	if err == nil {
		err = errors.Join(os.RemoveAll(entry), os.Rename(unfinished, entry))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) { // another run was faster
		return fmt.Errorf("keeping the program: %w", err)
	}
	return nil
}

// copyProgram copies a program to a new file and returns its digest.
func copyProgram(from, to string) (digest string, err error) {
	in, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if _, err = io.Copy(io.MultiWriter(out, sum), in); err != nil {
		out.Close()
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), out.Close()
}
