package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"switchback/results/gate"
	"switchback/results/record"
	"switchback/results/report"
	"switchback/results/report/page"
)

// reportFlags are the flags of `switchback report`.
type reportFlags struct {
	format string
	out    string
	trace  string
}

func newReportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Show what a run found: text, Markdown, HTML, JSON or SVG",
		Long: "Writes the report of the run in folder RUN. text is what `switchback run` ends with, html one\n" +
			"file that needs no network, markdown fits a pull request, json is the summary, svg the effect\n" +
			"plot. A run that was killed is judged by the blocks it had.",
		Example: "  switchback report results/runs/20261130T010203Z-pages-routing-7f3a\n" +
			"  switchback report results/runs/20261130T010203Z-pages-routing-7f3a --format html --out report.html",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "text", "text, markdown, html, json or svg")
	flags.StringVarP(&f.out, "out", "o", "", "write to this file instead of standard output")
	flags.StringVar(&f.trace, "trace-url", "", "where the id of a trace is appended to (default Jaeger on this machine)")
	return cmd
}

func (f reportFlags) run(cmd *cobra.Command, dir string) error {
	write, err := f.writer()
	if err == nil {
		err = checkTraceURL(f.trace)
	}
	if err != nil {
		return err
	}
	folder, err := openReported(dir)
	if err != nil {
		return err
	}
	if f.out == "" {
		return write(cmd.OutOrStdout(), folder)
	}
	return report.WriteFile(f.out, func(w io.Writer) error { return write(w, folder) })
}

// checkTraceURL refuses what can't become a link to a trace.
func checkTraceURL(trace string) error {
	u, err := url.Parse(trace)
	if trace == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return nil
	}
	return usagef("--trace-url %q: want an http or https address, such as http://localhost:16686/trace/", trace)
}

// writer returns what writes the format.
func (f reportFlags) writer() (func(io.Writer, *record.Folder) error, error) {
	switch f.format {
	case "text":
		return printReport, nil
	case "markdown":
		return func(w io.Writer, folder *record.Folder) error { return report.Markdown(w, reported(folder)) }, nil
	case "html":
		return func(w io.Writer, folder *record.Folder) error {
			return page.Write(w, page.Load(folder), page.Options{TraceURL: f.trace})
		}, nil
	case "json":
		return func(w io.Writer, folder *record.Folder) error { return printJSON(w, folder.Summary) }, nil
	case "svg":
		return func(w io.Writer, folder *record.Folder) error { return page.WriteSVG(w, reported(folder)) }, nil
	}
	return nil, usagef("--format %q: want text, markdown, html, json or svg", f.format)
}

// openReported opens a run folder. A run without a summary did not end: it is
// judged as far as it came.
func openReported(dir string) (*record.Folder, error) {
	folder, err := record.Open(dir)
	if err != nil || folder.Summary != nil {
		return folder, err
	}
	folder, e, err := openJudged(dir)
	if err != nil {
		return nil, err
	}
	summary, err := gateFlags{}.judge(folder, e)
	if err != nil && !errors.Is(err, gate.ErrNothingCompared) {
		return nil, fmt.Errorf("the run in %s did not end, and what it has can't be judged: %w", dir, err)
	}
	summary.Validity.Notes = append(summary.Validity.Notes, "the run did not end; this is judged by the blocks that it had")
	folder.Summary = &summary
	return folder, nil
}

// reported is a run as the report package takes it.
func reported(folder *record.Folder) report.Run {
	_, err := os.Stat(filepath.Join(folder.Dir, report.HTMLFile))
	decisions, failed := folder.Decisions()
	summary := *folder.Summary
	if failed != nil {
		summary.Events = append(summary.Events, "the rollout's log can't be read: "+failed.Error())
	}
	differences, failed := folder.Differences()
	if failed != nil {
		summary.Events = append(summary.Events, "the answers that differ can't be read: "+failed.Error())
	}
	return report.Run{Summary: summary, Manifest: folder.Manifest, Decisions: decisions, Blocks: folder.Blocks, Folder: folder.Dir, HTML: err == nil,
		Differences: differences}
}

// writeHTML writes the page of a run into its folder. traceURL is what the id
// of a trace is appended to; "" for the default.
func writeHTML(folder *record.Folder, traceURL string) error {
	return report.WriteFile(filepath.Join(folder.Dir, report.HTMLFile), func(w io.Writer) error {
		return page.Write(w, page.Load(folder), page.Options{TraceURL: traceURL})
	})
}

// printReport writes the report as text, as wide as the terminal.
func printReport(w io.Writer, folder *record.Folder) error {
	width, isTerminal := terminal(w)
	return report.Text(w, reported(folder), report.TextOptions{Width: width, Color: isTerminal && os.Getenv("NO_COLOR") == ""})
}
