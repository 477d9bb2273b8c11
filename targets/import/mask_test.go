package importer

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMasksOfOneShapeStayDistinct: all texts of a small shape are permuted.
func TestMasksOfOneShapeStayDistinct(t *testing.T) {
	m := newMask([]byte("key"))
	for _, digits := range []int{1, 2, 3, 4} {
		seen, fixed, n := map[string]bool{}, 0, 1
		for range digits {
			n *= 10
		}
		for i := range n {
			text := fmt.Sprintf("%0*d", digits, i)
			out := m.text(text)
			if seen[out] || len(out) != digits || strings.Trim(out, "0123456789") != "" {
				t.Fatalf("%s gives %q", text, out)
			}
			if seen[out] = true; out == text {
				fixed++
			}
		}
		if digits > 2 && fixed > n/50 {
			t.Errorf("%d of %d texts stay as they are", fixed, n)
		}
	}
}

// TestMasksKeepShape: lengths and punctuation are kept, and a mask is a function.
func TestMasksKeepShape(t *testing.T) {
	m := newMask([]byte("key"))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-zA-Z0-9._~:+-]|%[2-9A-F][0-9A-F]){0,80}`).Draw(t, "text")
		out := m.text(text)
		if len(out) != len(text) || newMask([]byte("key")).text(text) != out {
			t.Fatalf("%q gives %q", text, out)
		}
		a, b := split(text), split(out)
		if len(a) != len(b) {
			t.Fatalf("%q gives %q: %d letters, then %d", text, out, len(a), len(b))
		}
		for i := range a {
			first, size := a[i].alphabet()
			if f, s := b[i].alphabet(); f != first || s != size || a[i].escaped != b[i].escaped {
				t.Fatalf("%q gives %q: another shape", text, out)
			}
		}
	})
}
