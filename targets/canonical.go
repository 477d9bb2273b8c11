package targets

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
)

// appendTarget appends the canonical form of a target: what encoding/json makes
// of it without escaping HTML, in a fifth of its time.
func appendTarget(b []byte, t *Target) []byte {
	b = appendText(b, `{"host":`, t.Host)
	b = appendText(b, `,"path":`, t.Path)
	if t.Method != "" {
		b = appendText(b, `,"method":`, t.Method)
	}
	b = appendNumber(b, `,"status":`, int64(t.Status))
	b = appendNumber(b, `,"bytes":`, t.Bytes)
	b = appendNumber(b, `,"body_hash":`, int64(t.BodyHash))
	if t.Size != "" {
		b = appendText(b, `,"size":`, t.Size)
	}
	if t.Position != "" {
		b = appendText(b, `,"position":`, t.Position)
	}
	if t.View != 0 {
		b = appendNumber(b, `,"view":`, int64(t.View))
	}
	if t.Document {
		b = append(b, `,"document":true`...)
	}
	if t.At != 0 {
		b = appendNumber(b, `,"at_us":`, t.At)
	}
	return append(t.Message.appendTo(b), '}')
}

func (m *Message) appendTo(b []byte) []byte {
	for i, f := range m.Header {
		begin := `,{"name":`
		if i == 0 {
			begin = `,"header":[{"name":`
		}
		b = appendText(b, begin, f.Name)
		b = append(appendText(b, `,"value":`, f.Value), '}')
	}
	if len(m.Header) > 0 {
		b = append(b, ']')
	}
	if len(m.Body) > 0 {
		b = append(b, `,"body":"`...)
		b = append(base64.StdEncoding.AppendEncode(b, m.Body), '"')
	}
	return b
}

func appendNumber(b []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(b, name...), n, 10)
}

// appendText appends a name and a text. Most texts need no escape.
func appendText(b []byte, name, text string) []byte {
	b = append(b, name...)
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return append(b, escaped(text)...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// escaped returns a text as encoding/json writes it.
func escaped(text string) []byte {
	var out bytes.Buffer
	in := json.NewEncoder(&out)
	in.SetEscapeHTML(false)
	_ = in.Encode(text) // a text into memory: it cannot fail
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
