package main

import (
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"switchback/harness/guard"
	"switchback/results/report/page"
	"switchback/results/report/site"
)

// runsDir holds the folders of runs that were not told where to go.
const runsDir = "results/runs"

func newServeCommand() *cobra.Command {
	var listen, trace string
	var hosts []string
	cmd := &cobra.Command{
		Use:   "serve [DIR]",
		Short: "A local web page of all runs",
		Long: "Serves a page that lists the runs in DIR (default " + runsDir + ") with their verdicts, opens their\n" +
			"reports and compares any of them. It only reads, and only on this machine: it listens on a\n" +
			"loopback address and answers no other host name, but for those of --allow-host.",
		Example: "  switchback serve\n  switchback serve /data/runs --listen 127.0.0.1:8080",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := runsDir
			if len(args) == 1 {
				dir = args[0]
				if _, err := os.Stat(dir); err != nil {
					return usagef("serve %s: %w", dir, err)
				}
			}
			if err := checkTraceURL(trace); err != nil {
				return err
			}
			if err := guard.Hosts(hosts).Check(); err != nil {
				return usagef("--allow-host: %w", err)
			}
			return serve(cmd, dir, listen, trace, hosts)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7878", "loopback address and port; port 0 takes any")
	addAllowHost(cmd.Flags(), &hosts)
	cmd.Flags().StringVar(&trace, "trace-url", "", "where the id of a trace is appended to (default Jaeger on this machine)")
	return cmd
}

func serve(cmd *cobra.Command, dir, listen, trace string, hosts guard.Hosts) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return usagef("--listen %q: want ADDRESS:PORT", listen)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return usagef("--listen %q: want a loopback address such as 127.0.0.1: the pages are for this machine", listen)
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "http://%s shows the runs in %s; Ctrl-C ends\n", listener.Addr(), dir)
	pages := site.Handler(site.Options{Dir: dir, Open: openReported, Options: page.Options{TraceURL: trace}})
	return site.Serve(cmd.Context(), listener, hosts.Only(pages))
}
