package record

import "strings"

// Label says what a target is, for samples that name it by its index.
type Label struct {
	Method   string // "" is GET
	Host     string
	Path     string
	Groups   []string // as made by Group: size=10000, position=first
	View     int32    // page views are numbered from 1; 0: a single request
	Document bool     // the first request of its page view
}

// Group returns the name of a group: key=value, of at most 64 bytes. Bytes
// other than letters, digits and "._:+-" become "_", so that a group can stand
// in the tag of a histogram and in a table whatever a server sent.
func Group(key, value string) string {
	return clean(key, 20) + "=" + clean(value, 43)
}

// clean cuts s to max bytes and replaces what may not stand in a name.
func clean(s string, max int) string {
	if len(s) > max {
		s = s[:max]
	}
	if strings.IndexFunc(s, notInName) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 0x80 || notInName(rune(c)) {
			b[i] = '_'
		}
	}
	return string(b)
}

func notInName(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("._:+-", r)
}
