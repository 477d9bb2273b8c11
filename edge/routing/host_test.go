package routing

import (
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ host, want string }{
		{"a.example.pages.dev", "a.example.pages.dev"},
		{"A.Example.Pages.DEV", "a.example.pages.dev"},
		{"a.example:8080", "a.example"},
		{"a.example:", "a.example"},
		{"a.example.", "a.example"},
		{"A.example.:443", "a.example"},
		{"a_b.example", "a_b.example"},
		{"192.0.2.1:80", "192.0.2.1"},
		{"xn--bcher-kva.example", "xn--bcher-kva.example"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"BÜCHER.example.:80", "xn--bcher-kva.example"},
		{"straße.example", "xn--strae-oqa.example"},
		{"a。example", "a.example"},       // the ideographic full stop, RFC 3490
		{"ａ.example", "a.example"},       // full width
		{"☃.example", "xn--n3h.example"}, // a symbol: UTS 46 takes it
		{"a\u00ad.example", "a.example"}, // a soft hyphen maps to nothing
		{longHost(), longHost()},
		{longHost() + ".:443", longHost()},
	} {
		if got, ok := Canonical(c.host); got != c.want || !ok {
			t.Errorf("%q: got %q, %v; want %q", c.host, got, ok, c.want)
		}
	}
}

// longHost returns a hostname of the greatest length, 253 bytes.
func longHost() string { return strings.Repeat("abcdefg.", 31) + "abcde" }

func TestCanonicalRefuses(t *testing.T) {
	for _, host := range []string{
		"a.example。", // the mapping would leave a trailing dot
		"\xff.example",
		strings.Repeat("ü", 600),
		"",
		".",
		"..",
		".a.example",
		"a..example",
		"a.example..",
		":80",
		"a.example:http",
		"a.example:123456",
		"a.example:80:80",
		"[2001:db8::1]",
		"[2001:db8::1]:80",
		"2001:db8::1",
		"a.example\x00",
		"a.exam\nple",
		"a.example/",
		"a .example",
		"user@a.example",
		"*.example",
		longHost() + "f",
	} {
		if got, ok := Canonical(host); ok {
			t.Errorf("%q: got %q, want it refused", host, got)
		}
	}
}

func TestCanonicalDoesNotAllocate(t *testing.T) {
	for _, host := range []string{"2b469e16.example.pages.dev", "2b469e16.example.pages.dev.:443", "[::1]:80"} {
		if n := testing.AllocsPerRun(100, func() { Canonical(host) }); n != 0 {
			t.Errorf("%q: %v allocations, want none", host, n)
		}
	}
}

// FuzzCanonical checks that a canonical name is its own canonical form, and
// has only the bytes that keys and expressions are made of.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{"A.example.:80", "bücher.example", "a。example", "[::1]", "a\x00", "xn--zz.example", "a\u200d.example"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		form, ok := Canonical(host)
		if !ok {
			return
		}
		if again, ok := Canonical(form); !ok || again != form {
			t.Errorf("%q: canonical form %q has the canonical form %q, %v", host, form, again, ok)
		}
		if strings.Trim(form, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || len(form) > 253 || form == "" {
			t.Errorf("%q: canonical form %q", host, form)
		}
	})
}

func TestProjectOf(t *testing.T) {
	for _, c := range []struct {
		host, want string
		ok         bool
	}{
		{"example.pages.dev", "example", true},
		{"main.example.pages.dev", "example", true},
		{"a.b.example.pages.dev", "example", true},
		{".pages.dev", "", true},
		{"pages.dev", "", false},
		{"example.pages.dev.example", "", false},
		{"examplepages.dev", "", false},
	} {
		if got, ok := projectOf(c.host); got != c.want || ok != c.ok {
			t.Errorf("%q: got %q, %v; want %q, %v", c.host, got, ok, c.want, c.ok)
		}
	}
}
