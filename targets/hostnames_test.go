package targets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadHosts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	if err := os.WriteFile(path, []byte("# mine\nwww.example.test\r\n\n b.example.test \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := ReadHosts(path)
	if err != nil || fmt.Sprint(list.Hosts) != "[www.example.test b.example.test]" {
		t.Fatalf("ReadHosts = %+v, %v", list, err)
	}
	other, err := ReadHostsFrom(strings.NewReader("www.example.test\nb.example.test"))
	if err != nil || other.Digest != list.Digest || !strings.HasPrefix(list.Digest, "sha256:") {
		t.Errorf("digests %s and %s, %v", list.Digest, other.Digest, err)
	}
	for text, want := range map[string]string{
		"":             "1: expected at least one hostname",
		"a\nb c\n":     `2: expected a hostname, got "b c": a line is a hostname such as www.example.test`,
		"http://a/\n":  `1: expected a hostname, got "http://a/"`,
		"a\n" + long(): "2: expected a hostname",
		"a\n" + strings.Repeat("a", maxListedLine+1): "2: a line of more than 65536 bytes",
		"*.a.test":       `1: "*.a.test" is a pattern`,
		".a.test":        `1: ".a.test" is a pattern`,
		"a..test":        `1: expected a hostname, got "a..test"`,
		"bücher.test":    `1: expected a hostname, got "bücher.test"`,
		"a:port":         `1: expected a hostname, got "a:port"`,
		"a:0":            `1: expected a hostname, got "a:0"`,
		"[::g]":          `1: expected a hostname, got "[::g]"`,
		"a#b":            `1: expected a hostname, got "a#b"`,
		"a\rb\rc":        `1: expected a hostname, got "a\rb\rc"`,
		"1,a\nb":         `2: expected a hostname, got "b": a line of this list is rank,hostname, as its first one`,
		"a\n1,b":         `2: expected a hostname, got "1,b"`,
		"1,a.test,2":     `1: expected a hostname, got "a.test,2"`,
		"1,*.a.test":     `1: "*.a.test" is a pattern`,
		"::1 a\nb":       `2: expected a hostname, got "b": a line of this list is an address and hostnames, as its first one`,
		"a\x00b\n":       `1: expected a hostname, got "a\x00b"`,
		"# none\n\n# x ": "3: expected at least one hostname",
	} {
		if _, err := ReadHostsFrom(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %s", text, err, want)
		}
	}
	if _, err := ReadHosts(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func long() string { return strings.Repeat("a", maxHost+1) }

// TestListsOfOtherKindsAreReadByTheirNames: "1,google.com" was asked as a hostname.
func TestListsOfOtherKindsAreReadByTheirNames(t *testing.T) {
	for _, test := range []struct{ about, text, want, note string }{
		{"plain", "a.test\nb_1.test:8080\n192.0.2.1\n[2001:db8::1]:80\nc.test.", "[a.test b_1.test:8080 192.0.2.1 [2001:db8::1]:80 c.test.]", ""},
		{"a byte order mark", "\ufeffa.test\nb.test\n", "[a.test b.test]", ""},
		{"comments", "# mine\n\na.test # main\r\n", "[a.test]", ""},
		{"ranked", "\ufeff1,google.com\r\n2,b.test\r\n", "[google.com b.test]", "rank,hostname"},
		{"ranked in quotes", "\"1\",\"a.test\"\n2, b.test\n", "[a.test b.test]", "rank,hostname"},
		{"hosts(5)", "127.0.0.1\tlocalhost a.test # me\n::1 localhost\nfe80::1%lo0 b.test\n", "[localhost a.test localhost b.test]", "hosts file"},
	} {
		list, err := ReadHostsFrom(strings.NewReader(test.text))
		if err != nil || fmt.Sprint(list.Hosts) != test.want {
			t.Errorf("%s: %v, %v; want %s", test.about, list, err, test.want)
			continue
		}
		if got := strings.Join(list.Notes, ""); (got == "") != (test.note == "") || !strings.Contains(got, test.note) {
			t.Errorf("%s: notes %q, want %q in them", test.about, got, test.note)
		}
	}
}

// FuzzReadHosts: whatever is read can be asked, and is read back as it is.
func FuzzReadHosts(f *testing.F) {
	for _, text := range []string{"a.test\n", "\ufeff1,a\r\n2,b", "::1 a b # c\n", "*.a", "a,b", "\"1\",\"", "[::1]:80"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadHostsFrom(strings.NewReader(text))
		if err != nil {
			return
		}
		again, err := ReadHostsFrom(strings.NewReader(strings.Join(list.Hosts, "\n")))
		if err != nil || again.Digest != list.Digest {
			t.Fatalf("%q is read as %q, and that as %v, %v", text, list.Hosts, again, err)
		}
		for _, host := range list.Hosts {
			if err := (&Target{Host: host, Path: "/"}).Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
