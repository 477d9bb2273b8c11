package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// printProfiles says how to compare the profiles of a run's arms with that of
// the baseline.
func printProfiles(w io.Writer, dir, baseline, kind string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "profile-") && strings.HasSuffix(e.Name(), "."+kind+".pprof") {
			names = append(names, e.Name())
		}
	}
	for _, name := range names {
		cell := ""
		if at := strings.LastIndexByte(name, ','); at >= 0 {
			cell = strings.TrimPrefix(name[:at+1], "profile-")
		}
		base := "profile-" + cell + baseline + "." + kind + ".pprof"
		if name != base && slices.Contains(names, base) {
			fmt.Fprintf(w, "go tool pprof -diff_base %s %s\n", filepath.Join(dir, base), filepath.Join(dir, name))
		}
	}
	return nil
}
