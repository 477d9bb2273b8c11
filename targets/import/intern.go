package importer

// interned bounds how many strings are remembered at a time.
const interned = 1 << 15

// pool returns one string for equal bytes, since logs repeat themselves: a
// string is allocated where it is new.
type pool struct{ known map[string]string }

func (p *pool) text(b []byte) string {
	if s, ok := p.known[string(b)]; ok { // does not allocate
		return s
	}
	if len(p.known) >= interned || p.known == nil {
		p.known = make(map[string]string, interned/8)
	}
	s := string(b)
	if len(s) <= 512 {
		p.known[s] = s
	}
	return s
}
