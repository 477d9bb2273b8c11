package report

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestWriteFileKeepsWhatIsNoPlainFile: a link stays a link, and what it names
// gets the text; a device is never replaced by a file.
func TestWriteFileKeepsWhatIsNoPlainFile(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a longer text", "short"} {
		err := WriteFile(link, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(target); err != nil || string(got) != text {
			t.Errorf("the target holds %q, %v; want %q", got, err, text)
		}
		if to, err := os.Readlink(link); err != nil || to != target {
			t.Errorf("the link is %q, %v", to, err)
		}
	}
	if err := WriteFile(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a folder was written")
	}
}
