package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"switchback/harness/arm"
	"switchback/harness/experiment"
	"switchback/harness/runner"
	"switchback/results/gate"
	"switchback/results/record"
)

// defaultExperiment is what `switchback run` runs.
const defaultExperiment = "pages-routing"

// resultsDir is where runs, calibrations and caches are.
const resultsDir = "results"

// runFlags are the flags of `switchback run`.
type runFlags struct {
	seed   uint64
	pairs  int
	short  bool
	out    string
	strict bool
	json   bool
	quiet  bool
	dry    bool
	budget time.Duration
	traceFlags
}

func newRunCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [EXPERIMENT]",
		Short: "Run an experiment: a file, or a built-in name",
		Long: "Runs an experiment and ends with its verdict. EXPERIMENT is a file, or a name that\n" +
			"`switchback list` shows; the default is " + defaultExperiment + ". Progress goes to standard error, the\n" +
			"report to standard output, everything measured into a new folder below results/runs.\n\n" + exitCodes,
		Example:           "  switchback run\n  switchback run aa --seed 7\n  switchback run ci.yaml --strict --json >summary.json\n  switchback run ci.yaml --time-budget 60s\n  switchback run ring-rollout --dry-run",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeBuiltin,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := defaultExperiment
			if len(args) == 1 {
				name = args[0]
			}
			return f.run(cmd, name)
		},
	}
	f.addTo(cmd.Flags())
	cmd.MarkFlagsMutuallyExclusive("time-budget", "pairs")
	cmd.MarkFlagsMutuallyExclusive("time-budget", "short")
	cmd.Flags().BoolVar(&f.dry, "dry-run", false, "print what would be run, how long it takes and what each gate could see; start nothing")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "time-budget") // which starts the arms once, to know what a launch takes
	cmd.MarkFlagsMutuallyExclusive("dry-run", "json")
	return cmd
}

// addTo adds the flags that every run has.
func (f *runFlags) addTo(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.seed, "seed", 1, "seed of dataset, targets, schedule and coins")
	flags.IntVar(&f.pairs, "pairs", 0, "pairs instead of the experiment's; gates they cannot decide are not judged")
	flags.BoolVar(&f.short, "short", false, "a few seconds that show that it runs; gates are not judged")
	flags.DurationVar(&f.budget, "time-budget", 0, "choose block length, pairs and launches for the gates so that the run takes this `time`")
	flags.StringVar(&f.out, "out", "", "the run's folder, which must not exist (default a new one below results/runs)")
	flags.BoolVar(&f.strict, "strict", false, "exit with 3 when the verdict is inconclusive")
	flags.BoolVar(&f.json, "json", false, "print the summary as JSON instead of the report")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on standard error")
	f.traceFlags.add(flags)
}

func (f runFlags) run(cmd *cobra.Command, name string) error {
	e, err := f.experiment(cmd, name)
	if err != nil {
		return usage(err)
	}
	if f.dry {
		return f.outline(cmd, e)
	}
	return f.perform(cmd, e)
}

// runOptions returns what every run of this program has in common.
func runOptions(seed uint64, watch runner.Watcher) (runner.Options, error) {
	program, err := self()
	if err != nil {
		return runner.Options{}, err
	}
	calibration, err := runner.Calibration(resultsDir)
	return runner.Options{Program: program, Results: resultsDir, Seed: seed, Version: version, Commit: commit(),
		Stores: stores{}, Watch: watch, Calibration: calibration}, err
}

// perform runs an experiment and prints what it found.
func (f runFlags) perform(cmd *cobra.Command, e *experiment.Experiment) error {
	e, err := withTools(cmd.ErrOrStderr(), e)
	if err != nil {
		return err
	}
	if f.profile != "" {
		if err := runner.CheckProfile(f.profile, e); err != nil {
			return usage(err)
		}
	}
	traces, err := f.open(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer traces.close()
	progress := &progress{e: e, w: cmd.ErrOrStderr(), quiet: f.quiet}
	o, err := runOptions(f.seed, progress)
	if err != nil {
		return err
	}
	o.Out, o.Tracing, o.Profile = f.out, traces.Tracing, f.profile
	if cmd.Flags().Changed("time-budget") {
		if e, err = f.design(cmd, e, o); err != nil {
			return limitIsInvalid(err)
		}
		progress.e = e
	}
	folder, err := runner.Run(cmd.Context(), e, o)
	progress.close()
	if errors.Is(err, arm.ErrPortTaken) || errors.Is(err, record.ErrExists) {
		return usage(err)
	} else if err != nil {
		return limitIsInvalid(err)
	}
	return f.tell(cmd, e, folder, traces)
}

// limitIsInvalid gives an error that met a limit of this machine the exit code of
// an invalid measurement: it says nothing about an arm.
func limitIsInvalid(err error) error {
	if _, met := record.LimitOf(err); met {
		return exitCode{gate.ExitInvalid, record.ExplainLimit(err)}
	}
	return err
}

// tell writes the page of a run, prints what it found, and returns the exit
// code of the verdict, whatever becomes of the page and the printing.
func (f runFlags) tell(cmd *cobra.Command, e *experiment.Experiment, folder *record.Folder, traces *traces) error {
	if err := writeHTML(folder, traces.url); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "switchback: the run is complete, its page is not: %v\n", err)
	}
	printJudged(cmd, func(w io.Writer) error { return f.printAll(w, folder, traces) })
	return verdictExit(*folder.Summary, f.strict, e)
}

// printAll prints what a run found and where to look further.
func (f runFlags) printAll(w io.Writer, folder *record.Folder, traces *traces) error {
	if err := f.print(w, folder); err != nil || f.json {
		return err
	}
	traces.print(w)
	return printProfiles(w, folder.Dir, folder.Summary.Baseline, f.profile)
}

// experiment reads the experiment, as the flags change it.
func (f runFlags) experiment(cmd *cobra.Command, name string) (*experiment.Experiment, error) {
	e, err := findExperiment(cmd.Context(), name)
	if err != nil {
		return nil, err
	}
	return f.change(cmd, e)
}

// change applies the flags that change an experiment.
func (f runFlags) change(cmd *cobra.Command, e *experiment.Experiment) (*experiment.Experiment, error) {
	if f.short {
		var err error
		if e, err = e.Short(); err != nil {
			return nil, err
		}
	}
	if cmd.Flags().Changed("pairs") {
		return e.WithPairs(f.pairs)
	}
	return e, nil
}

// findExperiment reads the built-in experiment of that name, else the file.
func findExperiment(ctx context.Context, name string) (*experiment.Experiment, error) {
	if _, err := os.Stat(name); err == nil || filepath.Base(name) != name || filepath.Ext(name) != "" {
		return runner.Interruptible(ctx, func() (*experiment.Experiment, error) { return experiment.Load(name) })
	}
	return experiment.Builtin(name)
}

func (f runFlags) print(w io.Writer, folder *record.Folder) error {
	if f.json {
		return printJSON(w, folder.Summary)
	}
	return printReport(w, folder)
}

// terminal returns the width of the terminal that w is, if it is one.
func terminal(w io.Writer) (width int, ok bool) {
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(file.Fd()))
	return width, err == nil
}

// self returns the path of this program, by the name it was called with.
func self() (string, error) {
	path, err := exec.LookPath(os.Args[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", fmt.Errorf("finding the switchback program: %w", err)
	}
	return path, nil
}
