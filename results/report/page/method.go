package page

import (
	"fmt"
	"strings"

	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// experimentShown bounds the experiment file on the page.
const experimentShown = 64 << 10

// method is how the run was measured and how to do it again.
type method struct {
	Command    string
	Experiment string
	Digests    []fact
	Confidence string
}

func methodOf(run Run) method {
	m := method{Command: commandOf(run), Experiment: experimentText(run.Experiment), Confidence: trimZeros(units.Number(run.Summary.Confidence, "ratio"))}
	for _, d := range []fact{{"dataset", run.Manifest.DatasetDigest}, {"targets", run.Manifest.TargetsDigest}} {
		if d.Text != "" {
			m.Digests = append(m.Digests, fact{d.Term, figures.Name(shortened(d.Text, 80))})
		}
	}
	return m
}

// commandOf is the command that repeats the run: its experiment file has every
// default and flag filled in but the seed.
func commandOf(run Run) string {
	file := record.ExperimentFile
	if run.Folder != "" {
		file = run.Folder + "/" + file
	}
	return fmt.Sprintf("switchback run %s --seed %d", shellWord(file), run.Summary.Seed)
}

// shellWord quotes a word where a shell would read more into it.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:=@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// experimentText is the file line by line, each made printable.
func experimentText(file []byte) string {
	cut := ""
	if len(file) > experimentShown {
		file, cut = file[:experimentShown], "\n# … cut; the rest is in "+record.ExperimentFile
	}
	lines := strings.Split(strings.TrimRight(string(file), "\n"), "\n")
	for i, l := range lines {
		lines[i] = figures.Escape(l)
	}
	return strings.Join(lines, "\n") + cut
}
