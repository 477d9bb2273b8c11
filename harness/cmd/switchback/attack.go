package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"switchback/harness/load/attack"
	"switchback/harness/runner"
	"switchback/results/gate"
	"switchback/results/units"
)

func newAttackCommand() *cobra.Command {
	var settings attack.Settings
	var rate string
	var asJSON bool
	c := &cobra.Command{
		Use:   "attack URL",
		Short: "Send one load against one URL, without an experiment",
		Long: `Sends requests to URL as a schedule wants them, whether or not the server
keeps up (an open loop), and prints what became of them: time to first byte
from the due instant, and where it went. --arrivals is one of poisson,
constant, ramp(0, 1), steps(0.25, 0.5, 0.75, 1), sine(0.5, 1), burst(10),
whose numbers are multiples of --rate, or concurrency: a closed loop.

A status of 400 and above is an error; targets of a file may expect another.
When no request had a right answer, the exit code is 1. When this machine ran
out of open files, local ports or memory, it is 4: the figures are not the
server's.`,
		Example: `  switchback attack http://127.0.0.1:8080/ --rate 5000/s --duration 30s
  switchback attack https://example.com/ --connect-to 127.0.0.1:8443 --hosts hosts.txt --rate 200/s --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if rate != "" {
				if err := (*units.Rate)(&settings.Rate).UnmarshalText([]byte(rate)); err != nil {
					return usagef("--rate: %w", err)
				}
			}
			settings.URL = args[0]
			if err := refuseZero(settings); err != nil {
				return usageError{err}
			}
			return runAttack(c, settings, asJSON)
		},
	}
	c.Flags().StringVar(&rate, "rate", "", "requests per second, as in 5000/s")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	addAttackFlags(c.Flags(), &settings)
	return c
}

func addAttackFlags(flags *pflag.FlagSet, settings *attack.Settings) {
	flags.DurationVar(&settings.Duration, "duration", 10*time.Second, "length of the load")
	flags.StringVar(&settings.Arrivals, "arrivals", "poisson", "law of arrivals")
	flags.Uint64Var(&settings.Seed, "seed", 1, "seed of the schedule")
	flags.IntVar(&settings.Options.Connections, "connections", 64, "most connections, and requests in flight")
	flags.StringVar(&settings.Options.Pooling, "pooling", "shared", "connections are shared, kept per host, or none (a new one each)")
	flags.DurationVar(&settings.Options.Timeout, "timeout", 10*time.Second, "of one request")
	flags.StringVar(&settings.Engine, "engine", "", "wire (default for http) or vegeta (default for https)")
	flags.BoolVar(&settings.Options.Insecure, "insecure", false, "https: take any certificate")
	flags.StringVar(&settings.Hosts, "hosts", "", "file of hostnames to ask for in turn, - for standard input: a line each, or rank,hostname, or a hosts file")
	flags.StringVar(&settings.Targets, "targets", "", "file of targets to ask for in turn, - for standard input: vegeta's HTTP or JSON format, or a stream of targets gen")
	flags.StringVar(&settings.ConnectTo, "connect-to", "", "host:port to connect to instead of the URL's")
	flags.StringVar(&settings.Warmup, "warmup", "", "not counted at first: a duration, or settled (until medians stop trending)")
	flags.StringVar(&settings.Name, "name", "", "of this load in the results for vegeta plot, which tells loads apart by it (default: the last part of --out)")
	flags.StringVar(&settings.Out, "out", "", "folder to write: the report, histograms (.hlog), results for vegeta report and vegeta plot")
}

// refuseZero refuses what would mean the default in Settings, but was asked for.
func refuseZero(s attack.Settings) error {
	switch {
	case s.Duration == 0:
		return errors.New("duration 0s: want more than 0")
	case s.Options.Timeout == 0:
		return errors.New("timeout 0s: want more than 0")
	case s.Options.Connections == 0:
		return errors.New("connections 0: want at least 1")
	}
	return nil
}

func runAttack(c *cobra.Command, settings attack.Settings, asJSON bool) error {
	settings.Hosts, settings.Targets = inputPath(settings.Hosts), inputPath(settings.Targets)
	a, err := runner.Interruptible(c.Context(), func() (*attack.Attack, error) { return attack.New(settings) })
	if c.Context().Err() != nil {
		return err
	}
	if err != nil {
		return usageError{err}
	}
	report, err := a.Run(c.Context(), attack.LiveOn(os.Stderr))
	if report != nil {
		if err := printAttack(c, report, asJSON); err != nil {
			return err
		}
	}
	switch {
	case errors.Is(err, context.Canceled) && report != nil:
		return errors.New("interrupted: the figures are those until then")
	case err != nil:
		return err
	case len(report.Limits) > 0:
		return exitCode{code: gate.ExitInvalid}
	case report.Answered() == 0:
		return fmt.Errorf("none of %s had a right answer", units.Count(int(report.Requests), "request"))
	}
	return nil
}

func printAttack(c *cobra.Command, report *attack.Report, asJSON bool) error {
	if !asJSON {
		return report.WriteText(c.OutOrStdout())
	}
	out := json.NewEncoder(c.OutOrStdout())
	out.SetIndent("", "  ")
	return out.Encode(report)
}
