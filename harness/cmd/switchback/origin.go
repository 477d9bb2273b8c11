package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"switchback/harness/trace"
	"switchback/origin"
	"switchback/results/units"
)

// newOriginCommand returns `switchback origin`.
func newOriginCommand() *cobra.Command {
	var (
		process       server
		options       origin.Options
		delay, faults string
	)
	command := &cobra.Command{
		Use:   "origin",
		Short: "A fake origin: bodies by law of the URL, delays, faults, counts",
		Long: `A fake origin. The body of /a/DIGEST/BYTES (an asset) and /f/DEPLOYMENT/BYTES/PATH (a
function's answer) is that path and a newline, repeated and cut to BYTES. The admin
listener answers GET /stats and GET /healthz. One JSON line on stdout tells the addresses.`,
		Example: `  switchback origin --listen 127.0.0.1:8080 --delay "lognormal(5ms, 0.5)"
  switchback origin --delay 50ms --errors 1% --concurrency 100 --seed 7`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			var err error
			if options.Delay, err = origin.ParseDelay(delay); err != nil {
				return usageError{err}
			}
			if options.Errors, err = parseShare(faults); err != nil {
				return usageError{err}
			}
			return serveOrigin(command, &process, options)
		},
	}
	flags := command.Flags()
	process.addFlags(flags)
	flags.StringVar(&delay, "delay", "0s", `time before each answer: "5ms", or "lognormal(5ms, 0.5)" (median, deviation of the logarithm)`)
	flags.StringVar(&faults, "errors", "0%", "`share` of requests answered 503")
	flags.IntVar(&options.Concurrency, "concurrency", 0, "requests served at once; 0: no limit")
	flags.Uint64Var(&options.Seed, "seed", 1, "of the delays and faults")
	return command
}

// serveOrigin serves an origin until the process is asked to end.
func serveOrigin(command *cobra.Command, process *server, options origin.Options) error {
	notes, closeNotes, err := process.spanNotes(command.Context(), trace.RoleOrigin)
	if err != nil {
		return err
	}
	defer closeNotes()
	o, err := origin.New(options)
	if err != nil {
		return usageError{err}
	}
	defer o.Close()
	err = process.serve(command.Context(), notes.Server("origin", o), notes.Admin(o.AdminHandler()), command.OutOrStdout())
	if errors.Is(err, errParentEnded) {
		return nil
	}
	return err
}

// parseShare reads "1%" or "0.01".
func parseShare(text string) (float64, error) {
	share, err := units.ParseAmount(text)
	if err != nil || !share.Is(units.Part) || !(share.Value >= 0 && share.Value <= 1) {
		return 0, fmt.Errorf("share %q: expected a percentage from 0%% to 100%%", text)
	}
	return share.Value, nil
}
