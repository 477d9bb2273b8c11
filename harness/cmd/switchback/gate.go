package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"switchback/harness/experiment"
	"switchback/harness/runner"
	"switchback/results/gate"
	"switchback/results/record"
)

// gateFlags are the flags of `switchback gate`.
type gateFlags struct {
	reference string
	force     bool
	save      string
	alpha     float64
	strict    bool
	json      bool
}

func newGateCommand() *cobra.Command {
	var f gateFlags
	cmd := &cobra.Command{
		Use:   "gate RUN",
		Short: "Judge a run again, or against a stored reference",
		Long: "Judges the run in folder RUN by the gates of its experiment and explains the verdict. The\n" +
			"run itself is left as it is. With --reference the arms are compared with those of the same\n" +
			"name of an earlier run on the same kind of machine, with the same dataset and targets; that\n" +
			"comparison is unpaired, and the notes say how much weaker it is.\n\n" + exitCodes,
		Example: "  switchback gate results/runs/20261130T010203Z-ci-7f3a --strict\n" +
			"  switchback gate results/runs/20261130T010203Z-ci-7f3a --reference results/references/main.json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.reference, "reference", "", "compare with this stored reference, or run folder")
	flags.BoolVar(&f.force, "force", false, "compare although machine kind, dataset or targets differ")
	flags.StringVar(&f.save, "save-reference", "", "store the run as a reference in this file; nothing is judged")
	flags.Float64Var(&f.alpha, "alpha", 0, "share of false alarms, instead of the experiment's")
	flags.BoolVar(&f.strict, "strict", false, "exit with 3 when the verdict is inconclusive")
	flags.BoolVar(&f.json, "json", false, "print the summary as JSON")
	cmd.MarkFlagsMutuallyExclusive("save-reference", "reference")
	return cmd
}

func (f gateFlags) run(cmd *cobra.Command, dir string) error {
	if cmd.Flags().Changed("alpha") && !(f.alpha > 0 && f.alpha <= 0.5) {
		return usagef("--alpha %v is outside (0, 0.5]", f.alpha)
	}
	folder, e, err := openJudged(dir)
	if err != nil {
		return err
	}
	if f.save != "" {
		return f.saveReference(folder, e)
	}
	if f.reference != "" && len(e.Gate.Bounds) == 0 {
		return usagef("--reference: the experiment of %s has no gates, so there is nothing to judge by", dir)
	}
	if f.alpha > 0 {
		if e, err = e.WithAlpha(f.alpha); err != nil {
			return usage(err)
		}
	}
	summary, err := f.judge(folder, e)
	var mismatch *gate.MismatchError
	switch {
	case errors.As(err, &mismatch):
		return exitCode{gate.ExitNoReference, fmt.Errorf("%w (--force compares all the same)", err)}
	case err != nil && !errors.Is(err, gate.ErrNothingCompared):
		return err
	}
	printJudged(cmd, func(w io.Writer) error {
		if f.json {
			return printJSON(w, summary)
		}
		return gate.Explain(w, summary)
	})
	return verdictExit(summary, f.strict, e)
}

// openJudged opens a run folder and the experiment it was run by.
func openJudged(dir string) (*record.Folder, *experiment.Experiment, error) {
	folder, err := record.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, record.ExperimentFile)
	if folder.Experiment == nil {
		return nil, nil, fmt.Errorf("%s is missing: it holds the gates of the run", path)
	}
	e, err := experiment.Parse(path, folder.Experiment)
	return folder, e, err
}

func (f gateFlags) saveReference(folder *record.Folder, e *experiment.Experiment) error {
	if len(e.Sweep) > 0 {
		return usagef("a sweep has no single set of values to store as a reference")
	}
	run, err := gate.Load(folder)
	if err != nil {
		return err
	}
	ref, err := gate.NewReference(run, e.Rules())
	if err != nil {
		return err
	}
	return gate.WriteReference(f.save, ref)
}

func (f gateFlags) judge(folder *record.Folder, e *experiment.Experiment) (record.Summary, error) {
	if f.reference == "" {
		calibration, err := gate.ReadCalibration(runner.Calibrations(resultsDir), folder.Manifest.MachineKind)
		if err != nil {
			return record.Summary{}, err
		}
		return runner.Judge(folder, e, calibration)
	}
	run, err := gate.Load(folder)
	if err != nil {
		return record.Summary{}, err
	}
	ref, err := openReference(f.reference)
	if err != nil {
		return record.Summary{}, err
	}
	return gate.CompareReference(run, ref, e.Rules(), f.force)
}

// openReference reads a stored reference, or makes one of a run folder. One
// that is not there is exit code 5.
func openReference(path string) (gate.Reference, error) {
	info, err := os.Stat(path)
	if err != nil {
		return gate.Reference{}, exitCode{gate.ExitNoReference, fmt.Errorf("no reference: %w", err)}
	}
	if !info.IsDir() {
		return gate.ReadReference(path)
	}
	folder, e, err := openJudged(path)
	if err != nil {
		return gate.Reference{}, err
	}
	run, err := gate.Load(folder)
	if err != nil {
		return gate.Reference{}, err
	}
	return gate.NewReference(run, e.Rules())
}
