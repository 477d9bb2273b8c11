package experiment

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"switchback/harness/schedule"
	"switchback/results/units"
)

// SchemaID is the identifier of the JSON Schema of experiment files.
const SchemaID = "urn:switchback:experiment:1"

// Schema returns the JSON Schema (draft 2020-12) of experiment files, for
// editors. It knows keys, types, units and words; Load also checks what
// depends on several values.
func Schema() ([]byte, error) {
	r := jsonschema.Reflector{
		FieldNameTag:               "yaml",
		RequiredFromJSONSchemaTags: true,
		ExpandedStruct:             true,
		Anonymous:                  true,
		Mapper:                     scalarSchema,
	}
	s := r.Reflect(&Experiment{})
	s.ID = SchemaID
	s.Title = "switchback experiment"
	restrict(s)
	shorthands(s)
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the schema of experiments: %w", err)
	}
	return out, nil
}

// scalarSchema describes the scalars with units; nil for all other types.
func scalarSchema(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$|^0$`, Examples: []any{"3.4s"}}
	case reflect.TypeFor[Bytes]():
		return &jsonschema.Schema{Type: "string", Pattern: `^[0-9.]+ ?([KMGT]iB|[kMGT]?B)$`, Examples: []any{"64MiB"}}
	case reflect.TypeFor[Rate]():
		return oneOf(&jsonschema.Schema{Type: "number"}, &jsonschema.Schema{Type: "string", Pattern: `^[0-9.]+ ?(/s)?$`, Examples: []any{"150/s"}})
	case reflect.TypeFor[Percent]():
		return &jsonschema.Schema{Type: "string", Pattern: `^[0-9.]+ ?%$`, Examples: []any{"0.1%"}}
	case reflect.TypeFor[units.Amount]():
		return oneOf(&jsonschema.Schema{Type: "number"}, &jsonschema.Schema{Type: "string", Examples: []any{"5%", "50us", "64MiB"}})
	case reflect.TypeFor[Setting]():
		return &jsonschema.Schema{Description: "the value of a setting, of whatever type it has"}
	}
	return nil
}

func oneOf(a, b *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{a, b}}
}

// restrict adds the patterns of names and the words that keys take.
func restrict(s *jsonschema.Schema) {
	for _, at := range []struct {
		section *jsonschema.Schema
		key     string
	}{{s, "name"}, {s.Definitions["Arm"], "name"}, {s.Definitions["Edge"], "colo"}} {
		property(at.section, at.key).Pattern = name.String()
	}
	property(s, "isolation").Enum = anys(isolations())
	property(s.Definitions["Blocks"], "warmup").Pattern = `^(([0-9.]+(ns|us|µs|ms|s|m|h))+|0|settled)$`
	router := strings.Join(routers(), "|")
	property(s.Definitions["Edge"], "router").Pattern = `^(` + router + `)(\+(` + router + `))?$`
	property(s.Definitions["LoadSettings"], "arrivals").Pattern = `^(` + strings.Join(schedule.Kinds(), "|") + `)( *\(.*\))?$`
	for _, at := range []struct {
		section, key string
		words        []string
	}{
		{"LoadSettings", "engine", engines()}, {"LoadSettings", "pooling", poolings()},
		{"Edge", "shadow", routers()}, {"Edge", "table_life", tableLives()},
		{"Edge", "ties", ties()}, {"Edge", "names", names()},
		{"Targets", "expect", expectations()}, {"Change", "do", changeKinds()},
		{"Command", "stop", signals()}, {"GateRules", "on_inconclusive", inconclusiveRules()},
		{"Rollout", "of", movable()}, {"Rollout", "by", choices()}, {"Rollout", "on_trip", tripRules()}, {"ArmRollout", "by", choices()},
	} {
		property(s.Definitions[at.section], at.key).Enum = anys(at.words)
	}
}

func property(section *jsonschema.Schema, key string) *jsonschema.Schema {
	p, _ := section.Properties.Get(key)
	return p
}

func anys(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

// shorthands lets a point's label be a number, and the sections that may be written without their map be so.
func shorthands(s *jsonschema.Schema) {
	s.Definitions["Point"].Properties.Set("label", oneOf(&jsonschema.Schema{Type: "number"}, &jsonschema.Schema{Type: "string"}))
	for section, short := range map[string]shorthander{"Nodes": Nodes{}, "Command": Command{}, "URL": URL{}, "GateRules": GateRules{}} {
		full := s.Definitions[section]
		s.Definitions[section] = oneOf(property(full, short.shorthand()), full)
	}
}
