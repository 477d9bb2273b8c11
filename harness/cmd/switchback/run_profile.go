package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// printProfiles says how to compare the profiles of a run's arms with that of
// the baseline.
func printProfiles(w io.Writer, dir, baseline, kind string) error {
	files, err := filepath.Glob(filepath.Join(dir, "profile-*."+kind+".pprof"))
	if err != nil {
		return err
	}
	for _, file := range files {
		name := filepath.Base(file)
		cell := ""
		if at := strings.LastIndexByte(name, ','); at >= 0 {
			cell = strings.TrimPrefix(name[:at+1], "profile-")
		}
		base := filepath.Join(dir, "profile-"+cell+baseline+"."+kind+".pprof")
		if file != base && slices.Contains(files, base) {
			fmt.Fprintf(w, "go tool pprof -diff_base %s %s\n", base, file)
		}
	}
	return nil
}
