package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"switchback/datasets"
	"switchback/edge/cache"
	"switchback/edge/routing"
)

// asked is content that answers with what it was asked for.
type asked struct{}

func (asked) Asset(_ context.Context, a routing.Asset) (*cache.Object, error) {
	return &cache.Object{Body: []byte(AssetPath(a))}, nil
}

func (asked) Function(_ context.Context, path string) (*cache.Object, error) {
	return &cache.Object{Body: []byte(path)}, nil
}

// manifests is a fixed set of manifests.
type manifests map[string]*routing.Manifest

func (m manifests) Manifest(deployment string) (*routing.Manifest, error) {
	if found := m[deployment]; found != nil {
		return found, nil
	}
	return nil, errors.New("no manifest")
}

func TestStagesAnswerInOrder(t *testing.T) {
	runner := NewRunner(manifests{"d1": routing.NewManifest(map[string]routing.Asset{
		"/":          {Digest: "aa", Bytes: 10},
		"/api/shown": {Digest: "bb", Bytes: 20},
	})})
	functions := routing.Stage{Name: StageFunctions, Paths: []string{"/api", "/hook/"}}
	assets := routing.Stage{Name: StageAssets}
	rows := []struct {
		name   string
		stages []routing.Stage
		path   string
		stage  string
		body   string // prefix
		err    error
	}{
		{"asset", []routing.Stage{assets}, "/", StageAssets, "/a/aa/10", nil},
		{"functions pass on what is not theirs", []routing.Stage{functions, assets}, "/", StageAssets, "/a/aa/10", nil},
		{"functions answer first", []routing.Stage{functions, assets}, "/api/shown", StageFunctions, "/f/d1/", nil},
		{"assets first when listed first", []routing.Stage{assets, functions}, "/api/shown", StageAssets, "/a/bb/20", nil},
		{"prefix itself", []routing.Stage{functions}, "/hook", StageFunctions, "/f/d1/", nil},
		{"prefix of a longer word", []routing.Stage{functions, assets}, "/apish", "", "", ErrNoAnswer},
		{"no asset", []routing.Stage{assets}, "/nothing", "", "", ErrNoAnswer},
		{"no stage", nil, "/", "", "", ErrNoAnswer},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			object, stage, err := runner.Run(context.Background(), &routing.Pipeline{Deployment: "d1", Stages: row.stages}, row.path, asked{})
			if !errors.Is(err, row.err) || stage != row.stage {
				t.Fatalf("stage %q, error %v; want %q, %v", stage, err, row.stage, row.err)
			}
			if err == nil && !strings.HasPrefix(string(object.Body), row.body) {
				t.Errorf("body %q, want prefix %q", object.Body, row.body)
			}
		})
	}
}

func TestDamageIsAnError(t *testing.T) {
	runner := NewRunner(manifests{})
	for _, stage := range []string{StageAssets, "image-resizer"} {
		p := &routing.Pipeline{Deployment: "d1", Stages: []routing.Stage{{Name: stage}}}
		if _, _, err := runner.Run(context.Background(), p, "/", asked{}); err == nil || errors.Is(err, ErrNoAnswer) {
			t.Errorf("stage %s: error %v, want one that tells of damage", stage, err)
		}
	}
}

// The laws of paths and sizes are those by which datasets says what a request
// must get.
func TestLawsAgreeWithDatasets(t *testing.T) {
	runner := NewRunner(manifests{})
	rapid.Check(t, func(t *rapid.T) {
		deployment := rapid.StringMatching(`[a-z0-9]{1,16}`).Draw(t, "deployment")
		path := "/" + rapid.StringMatching(`[a-z0-9/._-]{0,40}`).Draw(t, "path")
		if got, want := runner.functionPath(deployment, path), datasets.FunctionsPath(deployment, path); got != want {
			t.Fatalf("functions path %q, datasets say %q", got, want)
		}
		prefixes := rapid.SliceOf(rapid.StringMatching(`/[a-c/]{0,4}`)).Draw(t, "prefixes")
		ours, theirs := routing.Stage{Paths: prefixes}, datasets.Stage{Paths: prefixes}
		if answers(&ours, path) != theirs.Answers(path) {
			t.Fatalf("prefixes %q and path %q: %v, datasets say the contrary", prefixes, path, answers(&ours, path))
		}
		digest, bytes := rapid.StringMatching(`[0-9a-f]{32}`).Draw(t, "digest"), rapid.Int64Min(0).Draw(t, "bytes")
		if got, want := AssetPath(routing.Asset{Digest: digest, Bytes: bytes}), (datasets.Asset{Digest: digest, Bytes: bytes}).OriginPath(); got != want {
			t.Fatalf("asset path %q, datasets say %q", got, want)
		}
	})
	if StageFunctions != datasets.StageFunctions || StageAssets != datasets.StageAssets {
		t.Error("the stages are named otherwise in datasets")
	}
}
