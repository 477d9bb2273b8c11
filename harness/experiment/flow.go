package experiment

import (
	"encoding/json"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// flow returns a node as YAML in flow style, its aliases written out, text
// in double quotes: one way of writing for each value.
func (d *decoder) flow(path string, n ast.Node) (out string) {
	d.resolve(n, func(n ast.Node) {
		switch s, isScalar := text(n); {
		case isScalar:
			out = d.flowScalar(path, n, s)
		case isMap(n):
			var parts []string
			for _, e := range d.entries(path, n) {
				parts = append(parts, quoteYAML(e.key)+": "+d.flow(path, e.value))
			}
			out = "{" + strings.Join(parts, ", ") + "}"
		default:
			out = d.flowList(path, n)
		}
	})
	return out
}

func (d *decoder) flowScalar(path string, n ast.Node, s string) string {
	if strings.ContainsFunc(s, forbidden) {
		d.fail(line(n), "%s: control characters are not allowed, got %s", path, quote(s))
	}
	if _, ok := n.(*ast.IntegerNode); ok {
		return s
	}
	if _, ok := n.(*ast.FloatNode); ok {
		return s
	}
	if _, ok := n.(*ast.BoolNode); ok {
		return s
	}
	return quoteYAML(s)
}

func (d *decoder) flowList(path string, n ast.Node) string {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(line(n), "%s: expected a value, got %s", path, kind(n))
		return ""
	}
	parts := make([]string, len(list.Values))
	for i, item := range list.Values {
		parts[i] = d.flow(path, item)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// quoteYAML quotes text: a JSON string is a YAML one.
func quoteYAML(s string) string {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic("experiment: quoting text: " + err.Error()) // json.Marshal of a string can't fail
	}
	return string(quoted)
}
