package arm

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCopiedFilesKeepTheirBytesAndNames: they went through YAML, which refused
// CRLF and made U+FFFD of Latin-1, and were named 1-Caddyfile.
func TestCopiedFilesKeepTheirBytesAndNames(t *testing.T) {
	source := filepath.Join(t.TempDir(), "Caddyfile")
	big := bytes.Repeat([]byte("caf\xe9 {{.Port}}\x00\r\n"), 2<<20/16)
	for _, test := range []struct{ about, mark, content, want string }{
		{"words in braces", "", "listen {port} {admin_port}; {dir}/x {origin} {other}", "listen 81 82; /d/x o:1 {other}"},
		{"words with a mark", "@@", "{port} {dir} @@port@@ @@dir@@", "{port} {dir} 81 /d"},
		{"other bytes", "", string(big), string(big)},
	} {
		if err := os.WriteFile(source, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		at := &place{Port: 81, AdminPort: 82, Dir: t.TempDir(), Origin: "o:1"}
		if err := at.copyFiles([]string{source, source}, test.mark); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(at.Dir, "2", "Caddyfile"))
		if want := strings.ReplaceAll(test.want, "/d", at.Dir); err != nil || string(got) != want {
			t.Errorf("%s: %d bytes %.60q, %v; want %d bytes %.60q", test.about, len(got), got, err, len(want), want)
		}
		if names := strings.Contains(test.content, Placeholder(test.mark, "port")); (Command{}).namesPort(at) != names {
			t.Errorf("%s: the port is named: %v, want %v", test.about, !names, names)
		}
	}
}

func TestWhatCannotBeCopiedIsNamed(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                        "render " + dir + ": expected a file of at most 64 MiB",
		filepath.Join(dir, "none"): "render: stat " + filepath.Join(dir, "none"),
		"/dev/zero":                "render /dev/zero: expected a file",
	} {
		if err := (&place{Dir: dir}).copyFiles([]string{path}, ""); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
	}
}
