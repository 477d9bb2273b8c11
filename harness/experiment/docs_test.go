package experiment

import (
	"os"
	"regexp"
	"testing"
)

// TestRolloutPageHasAFileToCopy: the experiment of docs/rollout.md is valid, and
// is a rollout.
func TestRolloutPageHasAFileToCopy(t *testing.T) {
	page, err := os.ReadFile("../../docs/rollout.md")
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(page, -1)
	if len(files) != 1 {
		t.Fatalf("%d files; want 1", len(files))
	}
	e, err := Parse("docs/rollout.md", files[0][1])
	if err != nil || e.Rollout == nil || len(e.Course(e.Arms[1]).Steps) != 4 {
		t.Errorf("%+v, %v", e, err)
	}
}
