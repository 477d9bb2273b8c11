package metric

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Listed is a metric as a list shows it.
type Listed struct {
	Name     string `json:"name"`
	Unit     string `json:"unit"`
	Better   string `json:"better"`   // lower, higher
	Compared string `json:"compared"` // ratio, difference
	Of       string `json:"of"`       // block, launch: what one value is of
	Meaning  string `json:"meaning"`
	Source   string `json:"source"`
}

// List returns every metric, in the order of tables; of phases the name is
// phase.NAME.p50 and so on.
func List() []Listed {
	var list []Listed
	for _, m := range all() {
		list = append(list, m.listed())
	}
	return list
}

// anyStatistic stands for the statistic in the name of a family.
const anyStatistic = ".STATISTIC"

// Short is List with one entry for each family of times.
func Short() []Listed {
	var list []Listed
	for _, f := range families() {
		list = append(list, f.of(statistic{suffix: anyStatistic}).listed())
	}
	for _, m := range entries() {
		list = append(list, m.listed())
	}
	return list
}

func (m Metric) listed() Listed {
	l := Listed{Name: m.Name, Unit: m.Unit, Better: "higher", Compared: "ratio", Of: "block", Meaning: m.Meaning, Source: m.Source}
	if m.LowerBetter {
		l.Better = "lower"
	}
	if m.Kind == Diff {
		l.Compared = "difference"
	}
	if m.PerLaunch {
		l.Of = "launch"
	}
	return l
}

// Reading says how the names of a short list are completed.
func Reading() string {
	var names []string
	for _, s := range statistics() {
		names = append(names, s.suffix[1:])
	}
	return "STATISTIC is one of " + strings.Join(names, ", ") + ", as in " + TTFB + P99 + ". NAME is a phase that the server names in Server-Timing."
}

// Print writes the short list as a table, a line each.
func Print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tUNIT\tBETTER\tMEANING\tSOURCE")
	for _, l := range Short() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", l.Name, l.Unit, l.Better, l.Meaning, l.Source)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", Reading())
	return err
}

// Meant returns the metric that somebody means who writes a part of a name
// (memory, edge.memory, p99) or a word of its meaning, "" if there is none. Of
// several it is the first in the order of tables.
func Meant(word string) string {
	if word == "" {
		return ""
	}
	for _, m := range all() {
		if strings.Contains("."+m.Name+".", "."+word+".") {
			return m.Name
		}
	}
	for _, m := range all() {
		said := strings.FieldsFunc(strings.ToLower(m.Label+" "+m.Meaning), func(r rune) bool { return r < 'a' || r > 'z' })
		if len(word) > 2 && strings.Contains(" "+strings.Join(said, " ")+" ", " "+strings.ToLower(word)+" ") {
			return m.Name
		}
	}
	return ""
}
