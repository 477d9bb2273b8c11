package record

import (
	"os"
	"strings"
)

// Abandoned tells whether a folder belongs to a run that ended before it measured
// anything: it has an empty blocks.jsonl, no manifest, and only files that a run
// writes before the manifest. The process of the run must be gone.
func Abandoned(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	begun := false
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		switch name := e.Name(); {
		case name == BlocksFile && info.Size() == 0:
			begun = true
		case name == ExperimentFile, strings.HasPrefix(name, "."+ExperimentFile), strings.HasPrefix(name, "."+ManifestFile):
		default:
			return false
		}
	}
	return begun
}
