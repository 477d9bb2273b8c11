package experiment

import (
	"reflect"
	"testing"
)

func TestBuiltinsLoadAndMarshalBack(t *testing.T) {
	all, err := Builtins()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 2 {
		t.Fatalf("got %d built-in experiments", len(all))
	}
	for _, e := range all {
		text, err := e.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		t.Log(string(text))
		back, err := Parse(e.Path, text)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := bare(*e), bare(*back); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: loaded back\n%+v\nwant\n%+v", e.Name, b, a)
		}
	}
}

// bare is an experiment without what depends on the layout of its file.
func bare(e Experiment) Experiment {
	e.Source, e.lines = nil, nil
	for i := range e.Gate.Bounds {
		e.Gate.Bounds[i].Line = 0
	}
	return e
}
