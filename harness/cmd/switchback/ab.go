package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"switchback/harness/experiment"
	"switchback/results/report"
	"switchback/results/units"
	"switchback/targets"
)

// abFlags are the flags of `switchback ab`.
type abFlags struct {
	runFlags
	two  experiment.TwoServers
	save string
}

func newABCommand() *cobra.Command {
	var f abFlags
	cmd := &cobra.Command{
		Use:   "ab --base COMMAND --candidate COMMAND --hosts FILE",
		Short: "Compare two servers of your own, without an experiment file",
		Long: "Starts two servers, sends both the same requests for the hostnames of a file in turns,\n" +
			"and ends with a verdict. {port} in a command, and in the files that --render names, is\n" +
			"replaced by a free port; the commands then read the rendered copies. A server whose\n" +
			"port is not written so is found by the sockets that it listens on.\n\n" +
			"{origin} is replaced by the host:port of a fake origin, for servers that are proxies.\n" +
			"It answers /f/NAME/BYTES/PATH and /a/HEX/BYTES with that many bytes, and anything else\n" +
			"with 404: in nginx, proxy_pass http://{origin}/f/site/1000/; works as it stands.\n\n" +
			"Results are kept in a new folder below results/runs, or in that of --out; the first\n" +
			"line of the progress names it.",
		Example: "  switchback ab --base 'nginx -c a.conf' --candidate 'nginx -c b.conf' \\\n" +
			"    --render a.conf,b.conf --hosts hosts.txt\n" +
			"  switchback ab --base 'old-edge --port {port}' --candidate 'new-edge --port {port}' \\\n" +
			"    --hosts hosts.txt --save ab.yaml",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.ab(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.two.Base, "base", "", "command of the server that the other is compared with")
	flags.StringVar(&f.two.Candidate, "candidate", "", "command of the other server")
	flags.StringVar(&f.two.Hosts, "hosts", "", "file of hostnames: a line each, or rank,hostname, or a hosts file")
	flags.StringSliceVar(&f.two.Render, "render", nil, "files in which {port}, {dir} and {origin} are replaced")
	flags.StringVar(&f.two.Placeholder, "placeholder", "", "mark around the words in files of --render in place of braces: '@@' for @@port@@, where {port} is a word of the server's own")
	flags.TextVar(&f.two.Rate, "rate", units.Rate(500), "requests per second, as in `1000/s`")
	flags.StringVar(&f.save, "save", "", "write the experiment to this file before it is run")
	f.addTo(flags)
	for _, name := range []string{"base", "candidate", "hosts"} {
		_ = cmd.MarkFlagRequired(name) // it was just defined
	}
	return cmd
}

// ab writes the experiment of two servers and runs it.
func (f abFlags) ab(cmd *cobra.Command) error {
	var err error
	if f.two.Cwd, err = os.Getwd(); err != nil {
		return fmt.Errorf("finding the working folder: %w", err)
	}
	if err := refuseStream("hosts", f.two.Hosts); err != nil {
		return err
	}
	if _, err := targets.ReadHosts(f.two.Hosts); err != nil {
		return usage(fmt.Errorf("--hosts: %w", err))
	}
	if f.two.Rate == 0 { // of TwoServers it is the default
		return usagef("--rate 0: want more than 0")
	}
	e, err := f.two.Experiment()
	if err != nil {
		return usage(experiment.InFlags(err))
	}
	if f.save != "" {
		text, err := e.Marshal()
		if err != nil {
			return err
		}
		if err := f.store(text); err != nil {
			return err
		}
	}
	if e, err = f.change(cmd, e); err != nil {
		return usage(experiment.InFlags(err))
	}
	return f.perform(cmd, e)
}

// store saves the experiment. It may take the place of an earlier one, not of
// a file that this run reads.
func (f abFlags) store(text []byte) error {
	if at, err := os.Stat(f.save); err == nil {
		for _, input := range append([]string{f.two.Hosts}, f.two.Render...) {
			if info, err := os.Stat(input); err == nil && os.SameFile(at, info) {
				return usagef("--save %s: this run reads that file: expected another name", f.save)
			}
		}
	}
	err := report.WriteFile(f.save, func(w io.Writer) error { _, err := w.Write(text); return err })
	if err != nil {
		return fmt.Errorf("saving the experiment: %w", err)
	}
	return nil
}
