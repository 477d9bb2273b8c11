package experiment

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiled is the schema in the hands of another implementation.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(SchemaID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t testing.TB, s *jsonschema.Schema, source []byte) error {
	t.Helper()
	text, err := yaml.YAMLToJSON(source)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, source)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestBuiltinsFitTheSchema(t *testing.T) {
	s := compiled(t)
	all, err := Builtins()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range append(all, parse(t, swept), parse(t, scaled)) {
		for _, source := range [][]byte{e.Source, []byte(written(t, e))} {
			if err := validate(t, s, source); err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
	}
}

func TestTheSchemaRefusesWhatLoadRefuses(t *testing.T) {
	s := compiled(t)
	for _, text := range []string{
		"blokcs: {}", "blocks: {pair: 3}", "blocks: {pairs: twelve}", "blocks: {length: 3}", "blocks: {length: 3 parsecs}", "blocks: {warmup: long}",
		"load: {rate: fast}", "load: {engine: vegetta}", "load: [a]", "origin: {errors: 0.1}", "gate: [{metrik: x}]",
		"gate: {on_inconclusive: maybe}", "about: [x]", "sweep: {key: x}", "short: 1",
	} {
		source := []byte(twoArms + text + "\n")
		if validate(t, s, source) == nil {
			t.Errorf("the schema takes %s", text)
		}
		if _, err := Parse("f.yaml", source); err == nil {
			t.Errorf("Load takes %s", text)
		}
	}
	for _, arm := range []string{
		"{edge: {}}", "{name: A, edge: {}}", "{name: a, edge: {nodes: many}}", "{name: a, edge: {lru: 64}}",
		"{name: a, edge: {router: magic}}", "{name: a, command: {ready: tcp}}", "{name: a, command: 3}",
	} {
		if validate(t, s, []byte("name: x\narms: ["+arm+"]\n")) == nil {
			t.Errorf("the schema takes %s", arm)
		}
	}
}

// paths returns every key of a section's type as the documentation writes it:
// arms[].edge.router.
func paths(prefix string, t reflect.Type) []string {
	switch t.Kind() {
	case reflect.Pointer:
		return paths(prefix, t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return paths(prefix+"[]", t.Elem())
		}
	case reflect.Struct:
		if _, isText := reflect.New(t).Interface().(interface{ UnmarshalText([]byte) error }); isText {
			break
		}
		var all []string
		v := reflect.New(t).Elem()
		for _, f := range fields(t) {
			all = append(all, paths(under(prefix, f.key), v.FieldByIndex(f.index).Type())...)
		}
		return all
	}
	return []string{prefix}
}

// The documentation has a row for each key, and none for a key that there is not.
func TestTheDocumentationListsEveryKey(t *testing.T) {
	page, err := os.ReadFile("../../docs/experiment.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_.\\[\\]]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		if documented[m[1]] {
			t.Errorf("%s is documented twice", m[1])
		}
		documented[m[1]] = true
	}
	known := paths("", reflect.TypeFor[Experiment]())
	for _, path := range known {
		if !documented[path] {
			t.Errorf("%s is not documented", path)
		}
		delete(documented, path)
	}
	for path := range documented {
		t.Errorf("%s is documented and is no key", path)
	}
	if len(known) < 50 {
		t.Errorf("only %d keys found: %s", len(known), strings.Join(known, ", "))
	}
}

// Every example of the documentation that is a whole experiment loads.
func TestTheExamplesOfTheDocumentationLoad(t *testing.T) {
	page, err := os.ReadFile("../../docs/experiment.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```yaml\n(name: .*?)```").FindAllSubmatch(page, -1)
	if len(examples) < 3 {
		t.Fatalf("%d examples found", len(examples))
	}
	s := compiled(t)
	for i, m := range examples {
		e, err := Parse("example.yaml", m[1])
		if err != nil {
			t.Errorf("example %d: %v", i+1, err)
			continue
		}
		if err := validate(t, s, m[1]); err != nil {
			t.Errorf("example %d: %v", i+1, err)
		}
		sameBack(t, e)
	}
}
