package datasets

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

var (
	anyText = rapid.StringMatching(`[ -~]{0,20}`)
	anyHex  = func(digits int) *rapid.Generator[string] {
		return rapid.StringOfN(rapid.RuneFrom([]rune(hexDigits)), digits, digits, -1)
	}
)

// listOf draws a list in which an empty one is nil, as decoded.
func listOf[T any](t *rapid.T, of *rapid.Generator[T], name string) []T {
	if all := rapid.SliceOfN(of, 0, 4).Draw(t, name); len(all) > 0 {
		return all
	}
	return nil
}

func anyProject(t *rapid.T) *Project {
	return &Project{Name: anyText.Draw(t, "name"), Deployments: rapid.IntRange(0, maxSize).Draw(t, "deployments"),
		Named: rapid.Bool().Draw(t, "named"), Domains: listOf(t, anyText, "domains")}
}

func anyDeployment(t *rapid.T) *Deployment {
	binding := rapid.Custom(func(t *rapid.T) Binding {
		return Binding{anyText.Draw(t, "name"), anyText.Draw(t, "kind"), anyText.Draw(t, "value")}
	})
	stage := rapid.Custom(func(t *rapid.T) Stage {
		return Stage{anyText.Draw(t, "name"), listOf(t, anyText, "paths"), listOf(t, binding, "bindings")}
	})
	asset := rapid.Custom(func(t *rapid.T) Asset {
		return Asset{anyText.Draw(t, "path"), anyHex(32).Draw(t, "digest"), rapid.Int64Range(0, maxAsset).Draw(t, "bytes")}
	})
	return &Deployment{ID: anyHex(16).Draw(t, "id"), Alias: anyHex(8).Draw(t, "alias"), Branches: listOf(t, anyText, "branches"),
		Production: rapid.Bool().Draw(t, "production"),
		Stages:     rapid.SliceOfN(stage, 0, 3).Draw(t, "stages"), Assets: rapid.SliceOfN(asset, 0, 5).Draw(t, "assets")}
}

func TestRecordsDecodeToWhatWasEncoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e encoder
		p, d := anyProject(t), anyDeployment(t)
		c := Counts{1, rapid.Int64Min(0).Draw(t, "deployments"), 3}
		e.project(p)
		e.deployment(d)
		e.counts(c)
		in := &decoder{rest: string(e.payload)}
		kinds := []uint64{in.number()}
		gotProject := in.project()
		kinds = append(kinds, in.number())
		gotDeployment := in.deployment()
		kinds = append(kinds, in.number())
		gotCounts := in.counts()
		if err := in.end(); err != nil || e.err != nil {
			t.Fatal(err, e.err)
		}
		if !reflect.DeepEqual(kinds, []uint64{recordProject, recordDeployment, recordCounts}) {
			t.Errorf("kinds %v", kinds)
		}
		if !reflect.DeepEqual(gotProject, p) || !reflect.DeepEqual(gotDeployment, d) || gotCounts != c {
			t.Errorf("decoded %+v %+v %+v, encoded %+v %+v %+v", gotProject, gotDeployment, gotCounts, p, d, c)
		}
	})
}

func TestEveryCutRecordIsMalformed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e encoder
		e.deployment(anyDeployment(t))
		n := rapid.IntRange(0, len(e.payload)-1).Draw(t, "cut at")
		in := &decoder{rest: string(e.payload[:n])}
		in.number()
		in.deployment()
		if in.end() == nil {
			t.Fatalf("%d of %d bytes decode", n, len(e.payload))
		}
	})
}

func TestAnEncoderRefusesWhatIsNoHex(t *testing.T) {
	for _, id := range []string{"0123456789abcdeg", "abc"} {
		var e encoder
		e.deployment(&Deployment{ID: id, Alias: "01234567"})
		if e.err == nil {
			t.Errorf("id %q is encoded", id)
		}
	}
}
