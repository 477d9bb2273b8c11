package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// version of switchback, as the manifest of a run has it.
const version = "0.1.0"

// versionInfo says what this program was built from.
type versionInfo struct {
	Version      string       `json:"version"`
	Commit       string       `json:"commit"` // "" where the build does not say; with a + where files differed from it
	Go           string       `json:"go"`
	Platform     string       `json:"platform"`
	Dependencies []dependency `json:"dependencies"`
}

type dependency struct {
	Module  string `json:"module"`
	Version string `json:"version"`
}

func newVersionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the commit, the Go release and the dependencies",
		Long:    "Prints what this program was built from: version, commit, Go release, and each module it depends on.",
		Example: "  switchback version\n  switchback version --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return printJSON(cmd.OutOrStdout(), builtFrom())
			}
			return builtFrom().print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

func builtFrom() versionInfo {
	v := versionInfo{Version: version, Commit: commit(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Dependencies: []dependency{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			v.Dependencies = append(v.Dependencies, dependency{m.Path, m.Version})
		}
	}
	return v
}

func (v versionInfo) print(w io.Writer) error {
	commit := v.Commit
	if commit == "" {
		commit = "not known"
	}
	fmt.Fprintf(w, "switchback %s\ncommit     %s\ngo         %s %s\n\n", v.Version, commit, v.Go, v.Platform)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range v.Dependencies {
		fmt.Fprintf(table, "%s\t%s\n", d.Module, d.Version)
	}
	return table.Flush()
}

// commit returns the git commit that this program was built from, "" if the
// build does not say.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+"
		}
	}
	return revision + modified
}
