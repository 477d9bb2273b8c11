package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"switchback/results/record"
	"switchback/results/report/internal/made"
)

func rendered(t testing.TB, run Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, run, Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPolicyKnowsItsTexts checks that the hashes of the policy are those of
// the scripts and the style as the browser sees them.
func TestPolicyKnowsItsTexts(t *testing.T) {
	text := rendered(t, Load(made.Run{}.Write(t, t.TempDir(), "run")))
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1])
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %s", policy)
	}
	found := regexp.MustCompile(`(?s)<(?:script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(text, -1)
	if len(found) != 3 {
		t.Fatalf("%d scripts and styles, want 3", len(found))
	}
	for _, f := range found {
		sum := sha256.Sum256([]byte(f[1]))
		if hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, hash) {
			t.Errorf("the policy lacks %s of %.40q", hash, f[1])
		}
	}
}

func TestSectionsAppearWhereThereIsData(t *testing.T) {
	whole := Load(made.Run{}.Write(t, t.TempDir(), "run"))
	sweep := Load(made.Run{Pairs: 6, Cells: []string{"deployments=10", "deployments=1000"}}.Write(t, t.TempDir(), "run"))
	bare := Run{Run: whole.Run}
	bare.Blocks = nil
	for name, c := range map[string]struct {
		run  Run
		has  []string
		lack []string
	}{
		"whole": {whole, []string{`id="blocks"`, `id="time"`, `id="series"`, `id="by-size"`, `id="by-position"`, `id="by-cache"`, `id="hosts"`, `id="errors"`, `id="differences"`, "http://localhost:16686/trace/01020300"}, []string{`id="sweep"`}},
		"sweep": {sweep, []string{`id="sweep"`, `id="growth"`, `id="sweep-ttfb.p50-deployments"`, "deployments=1000"}, nil},
		"bare":  {bare, []string{`id="main"`, `class="effect"`}, []string{`id="blocks"`, `id="time"`, `id="series"`, `id="sweep"`, `id="hosts"`, "percentiles-section"}},
	} {
		text := rendered(t, c.run)
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		for _, not := range c.lack {
			if strings.Contains(text, not) {
				t.Errorf("%s has %s", name, not)
			}
		}
	}
}

// TestBrokenFilesAreNamed checks that a file that can't be read takes only its
// own section with it.
func TestBrokenFilesAreNamed(t *testing.T) {
	folder := made.Run{}.Write(t, t.TempDir(), "run")
	for _, name := range []string{record.SamplesFile, record.SeriesFile, record.DifferencesFile, record.HistogramsFile} {
		if err := os.WriteFile(filepath.Join(folder.Dir, name), []byte("PAR1 is not enough\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := Load(folder)
	if len(run.Missing) != 4 {
		t.Errorf("missing: %q", run.Missing)
	}
	text := rendered(t, run)
	for _, want := range []string{"Not shown", record.SamplesFile, record.SeriesFile, record.DifferencesFile, record.HistogramsFile, `id="blocks"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
