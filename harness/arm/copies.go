package arm

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// MaxCopied bounds a file of the user's own that is copied for an arm.
const MaxCopied = 64 << 20

// CopyName is the name of the i-th copied file below the arm's folder: its own
// name, by which servers know its kind, in a folder of its own.
func CopyName(i int, path string) string {
	return strconv.Itoa(i+1) + "/" + filepath.Base(path)
}

// Placeholder returns how a word is written in a copied file: {port}, or
// @@port@@ with the mark @@.
func Placeholder(mark, word string) string {
	if mark == "" {
		return "{" + word + "}"
	}
	return mark + word + mark
}

// copyFiles copies files into the arm's folder with their words replaced. All
// other bytes stay as they are, whatever their encoding.
func (p *place) copyFiles(paths []string, mark string) error {
	words := strings.NewReplacer(Placeholder(mark, "port"), strconv.Itoa(p.Port), Placeholder(mark, "admin_port"), strconv.Itoa(p.AdminPort),
		Placeholder(mark, "dir"), p.Dir, Placeholder(mark, "origin"), p.Origin)
	for i, path := range paths {
		content, err := ReadCopied(path)
		if err != nil {
			return err
		}
		p.portNamed = p.portNamed || strings.Contains(content, Placeholder(mark, "port"))
		to := filepath.Join(p.Dir, CopyName(i, path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("render: %w", err)
		}
		if err := os.WriteFile(to, []byte(words.Replace(content)), 0o644); err != nil {
			return fmt.Errorf("render: %w", err)
		}
	}
	return nil
}

// ReadCopied reads a file that is copied for an arm.
func ReadCopied(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("render: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > MaxCopied {
		return "", fmt.Errorf("render %s: expected a file of at most %d MiB", path, MaxCopied>>20)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("render: %w", err)
	}
	return string(content), nil
}
