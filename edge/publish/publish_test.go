package publish

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"switchback/datasets"
	"switchback/edge/kv"
)

// TestPublishedBytes checks the store against the dataset's own counts.
func TestPublishedBytes(t *testing.T) {
	stream := generate(t, 3, datasets.Settings{Sizes: []int{1000, 100, 10}, Tail: 200}) // a tenth of the default
	info := infoOf(t, stream)
	store := publishAll(t, stream, t.TempDir(), kv.Options{})
	defer store.Close()
	sizes, err := store.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want int64
	}{
		{"tables", sizes[kv.Tables].Keys, info.Projects},
		{"bytes of tables", sizes[kv.Tables].ValueBytes, info.TableBytes},
		{"entries", sizes[kv.Entries].Keys, info.Hostnames},
		{"pipelines", sizes[kv.Pipelines].Keys, info.Deployments},
		{"manifests", sizes[kv.Manifests].Keys, info.Deployments},
		{"neighbours", sizes[kv.Neighbours].Keys, 0},
	} {
		if c.got != c.want {
			t.Errorf("%d %s, want %d", c.got, c.what, c.want)
		}
	}
	legacy := sizes[kv.Tables].KeyBytes + sizes[kv.Tables].ValueBytes
	hashed := sizes[kv.Entries].KeyBytes + sizes[kv.Entries].ValueBytes
	if share := float64(hashed) / float64(legacy); share > 0.08 {
		t.Errorf("hashed routing takes %.2f %% of the legacy bytes, want at most 8 %%", 100*share)
	}
}

func TestFormsAndNeighbours(t *testing.T) {
	stream := generate(t, 4, datasets.Settings{Sizes: []int{5}, Tail: 20})
	for name, c := range map[string]struct {
		options Options
		want    string // prefixes that have keys
	}{
		"legacy":     {Options{Forms: []Form{Legacy}}, "dmt"},
		"hashed":     {Options{Forms: []Form{Hashed, Hashed}, Secret: secret}, "hmw"},
		"both":       {Options{Secret: secret}, "dhmtw"},
		"neighbours": {Options{Forms: []Form{Legacy}, Neighbours: 7, Compression: kv.Zstd}, "dmnt"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := Publish(t.Context(), read(t, stream), dir, c.options); err != nil {
				t.Fatal(err)
			}
			if got := prefixesIn(t, dir); got != c.want {
				t.Errorf("got keys of %q, want %q", got, c.want)
			}
		})
	}
}

// prefixesIn returns the prefixes that have keys in a store.
func prefixesIn(t *testing.T, dir string) string {
	t.Helper()
	store, err := kv.Open(dir, kv.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	sizes, err := store.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var found strings.Builder
	for _, p := range kv.Prefixes() {
		if sizes[p].Keys > 0 {
			found.WriteByte(byte(p))
		}
	}
	return found.String()
}

func TestPublishRefuses(t *testing.T) {
	stream := generate(t, 5, datasets.Settings{Sizes: []int{40}})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx     context.Context
		source  Source
		options Options
		want    string
	}{
		"no secret":         {t.Context(), read(t, stream), Options{}, "secret"},
		"an unknown form":   {t.Context(), read(t, stream), Options{Forms: []Form{"hash"}}, `"hash"`},
		"an unknown codec":  {t.Context(), read(t, stream), Options{Secret: secret, Compression: "lz5"}, `"lz5"`},
		"few neighbours":    {t.Context(), read(t, stream), Options{Secret: secret, Neighbours: -1}, "-1"},
		"a cut dataset":     {t.Context(), failing{}, Options{Secret: secret}, "cut short"},
		"a cancelled call":  {cancelled, read(t, stream), Options{Secret: secret}, "canceled"},
		"a host with space": {t.Context(), oneHost("a b"), Options{Secret: secret}, `"a b.p.pages.dev"`},
		"a host in capital": {t.Context(), oneHost("A"), Options{Secret: secret}, `"A.p.pages.dev"`},
	} {
		t.Run(name, func(t *testing.T) {
			err := Publish(c.ctx, c.source, filepath.Join(t.TempDir(), "store"), c.options)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that says %q", err, c.want)
			}
		})
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Publish(t.Context(), read(t, stream), dir, Options{Secret: secret}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("got %v for a directory with content", err)
	}
}

// failing is a Dataset that cannot be read.
type failing struct{}

func (failing) Next() (*datasets.Project, *datasets.Deployment, error) {
	return nil, nil, errors.New("cut short")
}

func (failing) Info() datasets.Info { return datasets.Info{} }

// deployments is a Source of one project's deployments.
type deployments struct {
	project *datasets.Project
	left    []*datasets.Deployment
}

func (d *deployments) Next() (*datasets.Project, *datasets.Deployment, error) {
	if len(d.left) == 0 {
		return nil, nil, io.EOF
	}
	next := d.left[0]
	d.left = d.left[1:]
	return d.project, next, nil
}

// oneHost returns a source of one deployment with an alias.
func oneHost(alias string) Source {
	return &deployments{&datasets.Project{Name: "p"}, []*datasets.Deployment{{ID: "d", Alias: alias}}}
}

// infoOf reads a stream to its end.
func infoOf(t testing.TB, stream []byte) datasets.Info {
	t.Helper()
	r := read(t, stream)
	for {
		if _, _, err := r.Next(); errors.Is(err, io.EOF) {
			return r.Info()
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
