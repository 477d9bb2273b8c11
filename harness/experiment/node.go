package experiment

import (
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// entry is one key of a YAML mapping with its value.
type entry struct {
	key   string
	line  int
	value ast.Node
}

// line returns the line on which a node starts, 0 when it is unknown.
func line(n ast.Node) int {
	if n == nil {
		return 0
	}
	return tokenLine(n.GetToken())
}

func tokenLine(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}

// text returns a scalar as it is written, without its quotes.
func text(n ast.Node) (s string, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// kind names what a node is, for messages.
func kind(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a map"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		s, _ := text(n)
		return "text " + quote(s)
	}
	if s, ok := text(n); ok {
		return s
	}
	return "a " + n.Type().String()
}

// isMap tells whether a node is a mapping, be it empty.
func isMap(n ast.Node) bool {
	_, ok := n.(*ast.MappingNode)
	return ok || pairs(n) != nil
}

// pairs returns the key-value nodes of a mapping, nil when n is none.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}
