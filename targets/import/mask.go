package importer

import (
	"crypto/sha256"
	"encoding/binary"
)

// mask replaces text by a keyed hash of equal length: digits by digits, small
// letters by small letters, capitals by capitals, bytes outside ASCII by such
// bytes. Punctuation is kept, and so is the structure of a value. It is a
// permutation of the texts of one shape, so that distinct texts stay distinct:
// a Feistel network whose halves are added, letter by letter, in their own
// alphabets. Without the key it cannot be undone; with a few short texts known,
// others of their shape can be guessed.
type mask struct {
	key   [sha256.Size]byte
	known map[string]string
}

// rounds of the network.
const rounds = 4

func newMask(key []byte) *mask {
	return &mask{key: sha256.Sum256(append([]byte("switchback.mask/1:"), key...)), known: map[string]string{}}
}

// text returns the hash of a text.
func (m *mask) text(s string) string {
	if out, ok := m.known[s]; ok {
		return out
	}
	letters := split(s)
	if len(letters) == 0 {
		return s
	}
	out := join(m.permuted(letters))
	if len(m.known) >= interned {
		m.known = make(map[string]string, interned/8)
	}
	m.known[s] = out
	return out
}

// letter is a byte of a text, which may be written as %XX.
type letter struct {
	value   byte
	escaped bool
}

// alphabet returns where the alphabet of a byte begins and how many letters it
// has; 1 for what is kept.
func (l letter) alphabet() (first byte, size uint16) {
	switch v := l.value; {
	case v >= '0' && v <= '9':
		return '0', 10
	case v >= 'a' && v <= 'z':
		return 'a', 26
	case v >= 'A' && v <= 'Z':
		return 'A', 26
	case v >= 0x80:
		return 0x80, 128
	}
	return l.value, 1
}

func split(s string) []letter {
	letters := make([]letter, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			letters = append(letters, letter{unhex(s[i+1])<<4 | unhex(s[i+2]), true})
			i += 2
			continue
		}
		letters = append(letters, letter{s[i], false})
	}
	return letters
}

func join(letters []letter) string {
	const digits = "0123456789ABCDEF"
	out := make([]byte, 0, len(letters)+8)
	for _, l := range letters {
		if l.escaped {
			out = append(out, '%', digits[l.value>>4], digits[l.value&15])
		} else {
			out = append(out, l.value)
		}
	}
	return string(out)
}

// permuted runs the network over the letters, in place.
func (m *mask) permuted(letters []letter) []letter {
	half := len(letters) / 2
	left, right := letters[:half], letters[half:]
	var from []byte
	for round := range rounds {
		from = from[:0]
		from = binary.BigEndian.AppendUint32(from, uint32(len(letters)))
		for _, l := range left {
			from = append(from, l.value)
		}
		m.addTo(right, byte(round), from)
		left, right = right, left
	}
	return letters
}

// addTo adds what the key makes of one half to the other.
func (m *mask) addTo(half []letter, round byte, from []byte) {
	var stream [sha256.Size]byte
	for i := range half {
		if i%(sha256.Size/2) == 0 {
			stream = m.round(round, binary.BigEndian.AppendUint32(from, uint32(i)))
		}
		first, size := half[i].alphabet()
		add := binary.BigEndian.Uint16(stream[i%(sha256.Size/2)*2:])
		half[i].value = first + byte((uint16(half[i].value-first)+add%size)%size)
	}
}

// round is the keyed function of a round. The key comes first and the length is
// a part of the text, so the plain hash is one with a key.
func (m *mask) round(round byte, text []byte) [sha256.Size]byte {
	var room [256]byte
	in := append(room[:0], m.key[:]...)
	in = append(in, round)
	return sha256.Sum256(append(in, text...))
}
