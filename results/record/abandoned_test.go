package record

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAbandoned checks which folders hold nothing that was measured.
func TestAbandoned(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  bool
	}{
		{"killed before its manifest", map[string]string{BlocksFile: "", ExperimentFile: "name: x\n"}, true},
		{"killed while it wrote its manifest", map[string]string{BlocksFile: "", ExperimentFile: "", ".manifest.json123": "{"}, true},
		{"killed after its manifest", map[string]string{BlocksFile: "", ExperimentFile: "", ManifestFile: "{}"}, false},
		{"with a block", map[string]string{BlocksFile: "{}\n", ExperimentFile: ""}, false},
		{"with a file of the user's", map[string]string{BlocksFile: "", "notes.txt": ""}, false},
		{"an empty folder of the user's", nil, false},
		{"a folder with an experiment of the user's", map[string]string{ExperimentFile: ""}, false},
	} {
		dir := t.TempDir()
		for name, text := range tt.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := Abandoned(dir); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if Abandoned(filepath.Join(t.TempDir(), "nowhere")) {
		t.Error("a folder that is not there is abandoned")
	}
}
