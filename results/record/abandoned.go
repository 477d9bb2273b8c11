package record

import (
	"os"
	"strings"
)

// Abandoned tells whether a folder is that of a run in which nothing was measured
// and nothing can be any more, once its process is gone: it has an empty blocks.jsonl,
// no manifest, and nothing that a run does not write before the manifest.
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
