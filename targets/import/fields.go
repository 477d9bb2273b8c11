package importer

import (
	"strings"
	"unicode/utf8"

	"switchback/targets"
)

// fields returns the fields of a request that are sent: those about one
// connection and those that the policy keeps out are not.
func (c *cleaner) fields(e *entry) []targets.Field {
	client := c.policy.client && len(e.client) > 0 && string(e.client) != "-" && isValue(string(e.client))
	if len(e.header) == 0 && !client {
		return nil
	}
	out := make([]targets.Field, 0, len(e.header)+1)
	for _, f := range e.header {
		known, ok := c.known[f]
		if !ok {
			known = c.field(f)
			if len(c.known) >= interned || c.known == nil {
				c.known = make(map[targets.Field]cleanField)
			}
			c.known[f] = known
		}
		if known.sent {
			out = append(out, targets.Field{Name: f.Name, Value: known.value})
		} else if known.found != clean {
			c.find(known.found)
		}
	}
	if client {
		out = append(out, targets.Field{Name: "X-Forwarded-For", Value: c.strings.text(e.client)})
	}
	return out
}

// cleanField is what becomes of a field. Logs repeat their fields, so each is
// looked at once.
type cleanField struct {
	value string
	sent  bool
	found kind // why it is not sent
}

func (c *cleaner) field(f targets.Field) cleanField {
	switch {
	case strings.HasPrefix(f.Name, ":"), strings.EqualFold(f.Name, "Host"): // HTTP/2's names for the request line
		return cleanField{}
	case targets.IsHopByHop(f.Name):
		return cleanField{found: hopField}
	case !isToken(f.Name) || !isValue(f.Value):
		return cleanField{found: badField}
	}
	value, ok := c.policy.field(f.Name, f.Value)
	if !ok {
		return cleanField{found: privateField}
	}
	return cleanField{value: value, sent: true}
}

// body returns the body, where the policy keeps it.
func (c *cleaner) body(e *entry) []byte {
	if len(e.body) == 0 {
		return nil
	}
	if !c.policy.body {
		c.find(leftBody)
		return nil
	}
	return append([]byte(nil), e.body...)
}

// isToken tells whether a field can have a name (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	})
}

// isValue keeps control characters out of fields, and bytes that a file of
// targets could not hold.
func isValue(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
