package importer

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"switchback/targets"
)

// jsonLog reads a JSON object a line. fields says where in it things are: names
// with dots between them.
type jsonLog struct{ fields map[string][]string }

// caddy returns where Caddy's access log has what is read.
func caddy() map[string]string {
	return map[string]string{"time": "ts", "took": "duration", "method": "request.method", "host": "request.host", "path": "request.uri",
		"headers": "request.headers", "client": "request.client_ip", "status": "status", "bytes": "size"}
}

// FieldNames returns what Settings.Fields may name.
func FieldNames() []string { return slices.Sorted(maps.Keys(caddy())) }

func newJSONLog(s *Settings) *jsonLog {
	at := caddy()
	maps.Copy(at, s.Fields)
	j := &jsonLog{fields: map[string][]string{}}
	for name, place := range at {
		j.fields[name] = strings.Split(place, ".")
	}
	return j
}

func (j *jsonLog) parse(line []byte, e *entry) bool {
	in := json.NewDecoder(bytes.NewReader(line))
	in.UseNumber()
	var object map[string]any
	if !bytes.HasPrefix(line, []byte("{")) || in.Decode(&object) != nil || in.More() {
		return false
	}
	text := func(name string) []byte { return textOf(find(object, j.fields[name])) }
	e.method, e.uri, e.host, e.client = text("method"), text("path"), text("host"), text("client")
	if e.text = e.uri; len(e.uri) == 0 {
		e.text = line
	}
	e.at, e.atEnd = parseTime(text("time")), true
	if took, ok := parseFloat(text("took")); ok {
		e.took = took
	}
	if status, ok := parseDigits(text("status")); ok && status < 1000 {
		e.status = int(status)
	}
	if size, ok := parseDigits(text("bytes")); ok {
		e.size = size
	}
	headers, _ := find(object, j.fields["headers"]).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		addField(e, name, headers[name])
	}
	return true
}

// addField takes a field whose value is a text or a list of texts.
func addField(e *entry, name string, value any) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, v := range list {
		if text, ok := v.(string); ok {
			e.header = append(e.header, targets.Field{Name: name, Value: text})
		}
	}
}

// find goes down an object by names. A name with dots in it is found too.
func find(object map[string]any, names []string) any {
	if v, ok := object[strings.Join(names, ".")]; ok {
		return v
	}
	inner, ok := object[names[0]].(map[string]any)
	if !ok || len(names) == 1 {
		return nil
	}
	return find(inner, names[1:])
}

func textOf(v any) []byte {
	switch v := v.(type) {
	case string:
		return []byte(v)
	case json.Number:
		return []byte(v)
	}
	return nil
}

// parseTime reads seconds since 1970, RFC 3339 or the time of combined logs.
func parseTime(v []byte) int64 {
	if at, ok := parseFloat(v); ok {
		return at
	}
	if at, ok := parseISO(v); ok {
		return at
	}
	if at, ok := parseCLF(v); ok {
		return at
	}
	return noTime
}

// parseFloat is parseSeconds of numbers that may have an exponent.
func parseFloat(v []byte) (int64, bool) {
	if at, ok := parseSeconds(v); ok {
		return at, true
	}
	x, err := strconv.ParseFloat(string(v), 64)
	if err != nil || !(x >= 0 && x < 253_402_300_799) {
		return 0, false
	}
	return int64(x * second), true
}
