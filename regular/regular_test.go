package regular

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOnlyFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	pipe, plain, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "plain"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plain, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("plain", link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir: "a folder: expected a regular file", pipe: "a pipe: expected", "/dev/null": "a device: expected", filepath.Join(dir, "none"): "no such file",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want %q", path, err, want)
		}
	}
	for _, path := range []string{plain, link} {
		file, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(file); string(text) != "content" || err != nil {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		file.Close()
	}
}
