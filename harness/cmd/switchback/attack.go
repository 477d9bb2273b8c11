package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"switchback/harness/load/attack"
	"switchback/harness/runner"
	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/units"
)

// attackFlags are the flags of `switchback attack` as they are written.
type attackFlags struct {
	settings   attack.Settings
	rate       string
	data       string
	thresholds []string
	maxErrors  string
	asJSON     bool
}

func newAttackCommand() *cobra.Command {
	var f attackFlags
	c := &cobra.Command{
		Use:   "attack URL",
		Short: "Send one load against one URL, without an experiment",
		Long: `Sends requests to URL as a schedule wants them, whether or not the server
keeps up (an open loop), and prints what became of them. --arrivals is one of
poisson, constant, ramp(0, 1), steps(0.25, 0.5, 0.75, 1), sine(0.5, 1),
burst(10), whose numbers are multiples of --rate, or concurrency: a closed loop.

The report has the status codes, the reasons why requests failed, the commonest
first, and the quantiles p50 to p99.9, mean and max of
  ttfb          from when a request was due to the first byte of its answer
  service_ttfb  from when it was sent to the first byte
  latency       from when it was due to the last byte
  lateness      from when it was due until the generator let it go
  blocked       from then until it was sent: the wait for a connection
A status of 400 and above is an error; targets of a file may expect another.
A redirect is not followed: it counts as a right answer.

-H, -X, -d and --body-file say what is sent to URL, and with --hosts to each
hostname. With a body the method is POST, if no other is given. In a file of
--targets each target has its own method, fields and body (GET http://host/path,
then fields, then @ and the file of the body); -H adds to all of them.

--threshold is METRIC<LIMIT, also <=, > and >=. METRIC is a name above and .p50,
.p90, .p95, .p99, .p999, .mean or .max, or errors.ratio: ttfb.p99<20ms.

Exit codes:
  0   every threshold was kept
  1   error, or no request had a right answer
  2   bad usage
  4   this machine ran out of open files, local ports or memory: the figures are
      not the server's
  99  a threshold was broken`,
		Example: `  switchback attack http://127.0.0.1:8080/ --rate 5000/s --duration 30s
  switchback attack https://api.example.com/orders --rate 200/s --duration 1m \
    -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"item": 7}' \
    --threshold 'ttfb.p99<20ms' --max-errors 1%
  switchback attack https://example.com/ --connect-to 127.0.0.1:8443 --hosts hosts.txt --rate 200/s --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.settings.URL = args[0]
			if err := f.parse(c.Flags()); err != nil {
				return usagef("%w", err)
			}
			return runAttack(c, f.settings, f.asJSON)
		},
	}
	f.addTo(c.Flags())
	return c
}

func (f *attackFlags) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&f.rate, "rate", "", "requests per second, as in `5000/s`")
	flags.BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	flags.StringArrayVar(&f.thresholds, "threshold", nil, "`bound` of a metric, such as 'ttfb.p99<20ms'; may be repeated; exit code 99 if it is broken")
	flags.StringVar(&f.maxErrors, "max-errors", "", "`share` of the requests that may fail, such as 1%; exit code 99 if more do")
	flags.StringVarP(&f.data, "data", "d", "", "`body` of every request")
	addRequestFlags(flags, &f.settings)
	addAttackFlags(flags, &f.settings)
}

// addRequestFlags adds the flags that say what is sent, and over which connection.
func addRequestFlags(flags *pflag.FlagSet, settings *attack.Settings) {
	flags.StringArrayVarP(&settings.Extra.Header, "header", "H", nil, "`field` of every request, NAME: VALUE; may be repeated")
	flags.StringVarP(&settings.Extra.Method, "method", "X", "", "`method` of every request (default GET, with a body POST)")
	flags.StringVar(&settings.BodyFile, "body-file", "", "`file` with the body of every request")
	flags.StringVar(&settings.TLS.CACert, "cacert", "", "https: PEM `file` of certificates that may sign the server's, in place of the system's")
	flags.StringVar(&settings.TLS.Cert, "cert", "", "https: PEM `file` of the client's certificate")
	flags.StringVar(&settings.TLS.Key, "key", "", "https: PEM `file` of its key (default: in the file of --cert)")
	flags.BoolVar(&settings.Options.Insecure, "insecure", false, "https: take any certificate")
}

func addAttackFlags(flags *pflag.FlagSet, settings *attack.Settings) {
	flags.DurationVar(&settings.Duration, "duration", 10*time.Second, "length of the load")
	flags.StringVar(&settings.Arrivals, "arrivals", "poisson", "law of arrivals")
	flags.Uint64Var(&settings.Seed, "seed", 1, "seed of the schedule")
	flags.IntVar(&settings.Options.Connections, "connections", 64, "most connections, and requests in flight")
	flags.StringVar(&settings.Options.Pooling, "pooling", "shared", "connections are shared, kept per host, or none (a new one each)")
	flags.DurationVar(&settings.Options.Timeout, "timeout", 10*time.Second, "of one request")
	flags.StringVar(&settings.Engine, "engine", "", "wire (default for http) or vegeta (default for https)")
	flags.StringVar(&settings.Hosts, "hosts", "", "file of hostnames to ask for in turn, - for standard input: a line each, or rank,hostname, or a hosts file")
	flags.StringVar(&settings.Targets, "targets", "", "file of targets to ask for in turn, - for standard input: vegeta's HTTP or JSON format, or a stream of targets gen or import")
	flags.StringVar(&settings.ConnectTo, "connect-to", "", "host:port to connect to instead of the URL's")
	flags.StringVar(&settings.Warmup, "warmup", "", "not counted at first: a duration, or settled (until medians stop trending)")
	flags.StringVar(&settings.Name, "name", "", "of this load in the results for vegeta plot, which tells loads apart by it (default: the last part of --out)")
	flags.StringVar(&settings.Out, "out", "", "folder to write: the report, histograms (.hlog), results for vegeta report and vegeta plot")
}

// parse turns the flags into settings.
func (f *attackFlags) parse(flags *pflag.FlagSet) error {
	if f.rate != "" {
		if err := (*units.Rate)(&f.settings.Rate).UnmarshalText([]byte(f.rate)); err != nil {
			return fmt.Errorf("--rate: %w", err)
		}
	}
	if flags.Changed("data") {
		if name, isFile := strings.CutPrefix(f.data, "@"); isFile {
			return fmt.Errorf("--data %s: it is sent as it stands: for the body in a file, write --body-file %s", f.data, name)
		}
		f.settings.Extra.Body = []byte(f.data)
	}
	if err := refuseZero(f.settings); err != nil {
		return err
	}
	return f.parseThresholds()
}

func (f *attackFlags) parseThresholds() error {
	for _, text := range f.thresholds {
		t, err := gate.ParseThreshold(text)
		if err != nil {
			return err
		}
		f.settings.Thresholds = append(f.settings.Thresholds, t)
	}
	if f.maxErrors == "" {
		return nil
	}
	share, err := units.ParseAmount(f.maxErrors)
	if err != nil || !share.Is(units.Part) || share.Value < 0 || share.Value >= 1 {
		return fmt.Errorf("--max-errors %.40q: want a share below 100%%, such as 1%%", f.maxErrors)
	}
	t, err := gate.AtMost(metric.ErrorsRatio, share)
	f.settings.Thresholds = append(f.settings.Thresholds, t)
	return err
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
	case report.Answered() == 0: // before thresholds: there is nothing that they could be true of
		return fmt.Errorf("none of %s had a right answer", units.Count(int(report.Requests), "request"))
	case report.Broken() > 0:
		return exitCode{gate.ExitRegression, fmt.Errorf("%s broken", units.Count(report.Broken(), "threshold"))}
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
