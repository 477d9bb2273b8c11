package metric

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOnlyThisPackageSpellsNames lists every other Go file outside tests that
// spells a metric's name, a family's or the beginning of one.
func TestOnlyThisPackageSpellsNames(t *testing.T) {
	root, files := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (name == "tools" || name == "testdata" || name == "shared" || strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || filepath.Dir(path) == filepath.Join(root, "results", "metric"):
			return nil
		}
		files++
		for _, at := range spelled(t, path) {
			t.Error(at + " spells the name of a metric: use the constant of results/metric")
		}
		return nil
	})
	if err != nil || files < 400 {
		t.Fatalf("%d files, %v", files, err)
	}
}

func TestSpellingIsSeen(t *testing.T) {
	for name, want := range map[string]bool{"edge.cpu": true, "ttfb.p50": true, "ttfb": true, "ttfb.": true, "phase.": true, "phase.route.p50": true,
		"edge": false, "page": true, "pages": false, "no ttfb.p50 yet": false, "phases": false} {
		if spells(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// spelled returns the places of a file's string literals that spell a name;
// keys of JSON are tags, and part of a format.
func spelled(t *testing.T, path string) (places []string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if field, is := n.(*ast.Field); is {
			tags[field.Tag] = true
		}
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING || tags[literal] {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && spells(text) {
			places = append(places, set.Position(literal.Pos()).String()+": "+literal.Value)
		}
		return true
	})
	return places
}

func spells(text string) bool {
	_, known := Lookup(text)
	return known || strings.HasPrefix(text, Phase) || slices.Contains(append(OfRequests(), Page), strings.TrimSuffix(text, "."))
}
