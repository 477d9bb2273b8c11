package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"switchback/harness/experiment"
	"switchback/harness/runner"
	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// calibratedExperiment is what `switchback calibrate` runs.
const calibratedExperiment = "aa"

// calibrateFlags are the flags of `switchback calibrate`.
type calibrateFlags struct {
	gates  int
	time   time.Duration
	pairs  int
	alpha  float64
	margin units.Amount
	seed   uint64
	json   bool
	quiet  bool
}

func newCalibrateCommand() *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate [EXPERIMENT]",
		Short: "Measure false alarms and noise of this machine with A/A gates",
		Long: "Runs A/A gates, in which both arms are the baseline of EXPERIMENT (default " + calibratedExperiment + "), and counts\n" +
			"false alarms. Prints their share with its Clopper-Pearson bound, the spread of each metric from\n" +
			"pair to pair, and the smallest effect that a gate finds in 4 of 5 runs; then draws the labels of\n" +
			"the blocks again at random, thousands of times. The result is stored below results/calibration for\n" +
			"this kind of machine: later gates warn when there were more false alarms than alpha allows, and\n" +
			"--time-budget knows what it will see. An invalid measurement is not stored (exit code 4).",
		Example: "  switchback calibrate --time 5m\n  switchback calibrate ci.yaml --gates 59 --alpha 0.05",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := calibratedExperiment
			if len(args) == 1 {
				name = args[0]
			}
			return f.run(cmd, name)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.gates, "gates", 0, "A/A gates to run")
	flags.DurationVar(&f.time, "time", 5*time.Minute, "as many gates as fit into this `time`, and at least one")
	flags.IntVar(&f.pairs, "pairs", 20, "pairs of a gate")
	flags.Float64Var(&f.alpha, "alpha", gate.DefaultAlpha, "share of false alarms that the gates are judged with")
	flags.TextVar(&f.margin, "margin", units.Amount{Text: "0%"}, "`amount` of the gates, as in max_regression: 5%")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of dataset, targets, schedule, coins and labels")
	flags.BoolVar(&f.json, "json", false, "print the calibration as JSON")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on standard error")
	cmd.MarkFlagsMutuallyExclusive("gates", "time")
	return cmd
}

func (f calibrateFlags) run(cmd *cobra.Command, name string) error {
	found, err := findExperiment(cmd.Context(), name)
	if err != nil {
		return usage(err)
	}
	if err := f.check(cmd); err != nil {
		return usage(err)
	}
	e, err := found.SameArms(f.pairs * max(1, f.gates))
	if err != nil {
		return usage(err)
	}
	progress := &progress{e: e, w: cmd.ErrOrStderr(), quiet: f.quiet}
	defer progress.close()
	o, err := runOptions(f.seed, progress)
	if err != nil {
		return err
	}
	if f.gates == 0 {
		if e, err = f.fit(cmd.Context(), found, e, o); err != nil {
			return err
		}
		progress.e = e
	}
	folder, err := runner.Run(cmd.Context(), e, o)
	progress.close()
	if err != nil {
		return err
	}
	return f.report(cmd, folder, found)
}

// check refuses flags that no calibration can be made of.
func (f calibrateFlags) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("gates") && f.gates < 1:
		return fmt.Errorf("--gates %d: expected 1 or more", f.gates)
	case f.time <= 0:
		return fmt.Errorf("--time %v: expected a time above 0", f.time)
	case !(f.alpha > 0 && f.alpha <= 0.5):
		return fmt.Errorf("--alpha %v is outside (0, 0.5]", f.alpha)
	case f.pairs < gate.UnitsNeeded(1, f.alpha):
		return fmt.Errorf("--pairs %d can't reach alpha %v; %d would", f.pairs, f.alpha, gate.UnitsNeeded(1, f.alpha))
	}
	if err := (gate.Bound{Metric: metric.TTFB + metric.P50, MaxRegression: &f.margin}).Validate(); err != nil {
		return fmt.Errorf("--margin: %w", err)
	}
	return nil
}

// fit returns the A/A run with as many gates as the time holds.
func (f calibrateFlags) fit(ctx context.Context, found, e *experiment.Experiment, o runner.Options) (*experiment.Experiment, error) {
	o.Watch.Step("starting the arms once, to know what a launch takes")
	startup, err := runner.Startup(ctx, e, o)
	if err != nil {
		return nil, err
	}
	return found.SameArms(f.pairs * max(1, int(f.time/(time.Duration(f.pairs)*e.RoundTime(startup)))))
}

// report calibrates from the run, prints and stores the result.
func (f calibrateFlags) report(cmd *cobra.Command, folder *record.Folder, found *experiment.Experiment) error {
	loaded, err := gate.Load(folder)
	if err != nil {
		return err
	}
	c, err := gate.Calibrate([]gate.Run{loaded}, gate.CalibrationOptions{Alpha: f.alpha, Margin: f.margin.Value, GatePairs: f.pairs,
		Seed: f.seed, Subjects: found.Subjects()})
	if err != nil {
		return err
	}
	printJudged(cmd, func(w io.Writer) error {
		if f.json {
			return printJSON(w, c)
		}
		return c.Print(w)
	})
	if v := folder.Summary.Validity; !v.OK {
		return exitCode{gate.ExitInvalid, fmt.Errorf("the measurement is invalid and not stored: %s", v.Notes[0])}
	}
	path, err := gate.WriteCalibration(runner.Calibrations(resultsDir), c)
	if err != nil || f.json {
		return err
	}
	printJudged(cmd, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "\nstored in %s\n", path)
		return err
	})
	return nil
}
