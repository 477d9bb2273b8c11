package experiment

import (
	"github.com/goccy/go-yaml/ast"
)

// resolve calls use with n, its anchors noted and its alias written out.
// Aliases cost what they stand for, so that a small file can't become a large
// experiment (the "billion laughs").
func (d *decoder) resolve(n ast.Node, use func(ast.Node)) {
	if !d.spend(line(n), 1) {
		return
	}
	switch n := n.(type) {
	case *ast.AnchorNode:
		d.anchors[n.Name.GetToken().Value] = n.Value
		d.resolve(n.Value, use)
	case *ast.AliasNode:
		d.alias(n, use)
	case *ast.TagNode:
		d.fail(line(n), "tags are not allowed, got %s", quote(n.Start.Value))
	default:
		use(n)
	}
}

// spend counts n more values and tells whether decoding may go on.
func (d *decoder) spend(line, n int) bool {
	before := d.nodes
	d.nodes += n
	if before <= maxNodes && d.nodes > maxNodes {
		d.fail(line, "the file holds more than %d values after its aliases are written out", maxNodes)
	}
	return d.nodes <= maxNodes && len(d.faults) < maxFaults
}

func (d *decoder) alias(n *ast.AliasNode, use func(ast.Node)) {
	name := n.Value.GetToken().Value
	target, ok := d.anchors[name]
	switch {
	case !ok:
		d.fail(line(n), "no anchor &%s stands before *%s", name, name)
	case d.open[name]:
		d.fail(line(n), "*%s contains itself", name)
	default:
		d.open[name] = true
		d.resolve(target, use)
		d.open[name] = false
	}
}

// entries returns the keys of a mapping, with those of merged mappings
// ("<<: *name") that it does not have itself. The parser has refused keys
// that stand twice.
func (d *decoder) entries(path string, n ast.Node) []entry {
	var own, merged []entry
	have := map[string]bool{}
	for _, p := range pairs(n) {
		if p.Key.IsMergeKey() {
			merged = append(merged, d.merge(path, p.Value)...)
			continue
		}
		key, ok := text(p.Key)
		if !ok {
			d.fail(line(p.Key), "%s: expected a key, got %s", at(path), kind(p.Key))
			continue
		}
		have[key] = true
		own = append(own, entry{key, line(p.Key), p.Value})
	}
	for _, e := range merged {
		if !have[e.key] {
			own = append(own, e)
		}
	}
	if !d.spend(line(n), len(own)) {
		return nil
	}
	return own
}

// merge returns the keys of the mapping that a merge key names.
func (d *decoder) merge(path string, n ast.Node) (all []entry) {
	d.resolve(n, func(n ast.Node) {
		if !isMap(n) {
			d.fail(line(n), "%s: << expects an alias of a map, got %s", path, kind(n))
			return
		}
		all = d.entries(path, n)
	})
	return all
}
