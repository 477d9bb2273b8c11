package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"switchback/results/units"
	"switchback/targets"
	importer "switchback/targets/import"
)

// targetsImport holds the flags of `switchback targets import`.
type targetsImport struct {
	settings    importer.Settings
	zone        string
	mostDropped string
	keyFile     string
	out         string
	asJSON      bool
}

func newTargetsImportCommand() *cobra.Command {
	i := &targetsImport{}
	cmd := &cobra.Command{
		Use:   "import FILE… --out F",
		Short: "Turn access logs into a file of targets for attack and run",
		Long: `Reads logs, plain, .gz or .zst (- is standard input), in any order, and writes
their requests as one file of targets, in the order in which they started.

Each line is kept, mended or dropped by a rule, and counted. When more than
--most-dropped of the lines are dropped, nothing is written.

Addresses of clients, cookies and authorisation do not enter the file, and the
values of queries enter as keyed hashes of equal length. Without --key-file the
key is drawn anew and forgotten.`,
		Example: "  switchback targets import access.log access.log.1 access.log.2.gz --host www.example.com --out requests.zst\n" +
			"  switchback targets import access.log --format '$remote_addr [$time_local] $host \"$request\" $status' --pseudonymise --key-file key --out requests.zst",
		Args: cobra.MinimumNArgs(1),
		RunE: i.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&i.settings.Format, "format", "auto", strings.Join(importer.Formats(), ", ")+"; or the string of a log_format of nginx")
	flags.StringVar(&i.settings.Host, "host", "", "`NAME` that is asked where a line has no hostname")
	flags.StringVar(&i.mostDropped, "most-dropped", "1%", "`SHARE` of lines that may be dropped")
	flags.BoolVar(&i.settings.ExpectStatus, "expect-status", false, "the logged status is the right answer (default: any below 400)")
	flags.BoolVar(&i.settings.KeepQuery, "keep-query", false, "keep the values of queries")
	flags.BoolVar(&i.settings.KeepClient, "keep-client", false, "keep addresses of clients, as X-Forwarded-For")
	flags.BoolVar(&i.settings.KeepBody, "keep-body", false, "keep bodies")
	flags.StringToStringVar(&i.settings.Fields, "field", nil, "of json, where a thing is: `NAME=PLACE`, as in host=req.vhost, of "+strings.Join(importer.FieldNames(), ", ")+" (default: Caddy's); of haproxy, host=N: which captured field is Host")
	flags.StringVar(&i.zone, "zone", "UTC", "time `ZONE` of haproxy's stamps, such as Europe/Vienna")
	flags.StringSliceVar(&i.settings.KeepHeaders, "keep-header", nil, "`NAME` of a header field to keep though it is private, such as Cookie")
	flags.BoolVar(&i.settings.Pseudonymise, "pseudonymise", false, "hash hostnames and paths too; needs --key-file")
	flags.StringVar(&i.keyFile, "key-file", "", "`FILE` with the key of the hashes, at least 16 bytes")
	flags.StringVar(&i.out, "out", "", "`FILE` to write; it must not exist")
	flags.BoolVar(&i.asJSON, "json", false, "print JSON")
	return cmd
}

func (i *targetsImport) run(cmd *cobra.Command, paths []string) error {
	if err := i.check(); err != nil {
		return usage(err)
	}
	for n := range paths {
		paths[n] = inputPath(paths[n])
	}
	var info targets.Info
	var sum importer.Summary
	err := writeNewFile(cmd, i.out, func(w io.Writer) (err error) {
		info, sum, err = importer.Files(cmd.Context(), paths, i.settings, w)
		return err
	})
	if err != nil {
		if sum.Lines > 0 {
			writeFindings(cmd.ErrOrStderr(), sum)
		}
		return usage(err)
	}
	if i.asJSON {
		return printJSON(cmd.OutOrStdout(), struct {
			Targets int64  `json:"targets"`
			Digest  string `json:"digest"`
			importer.Summary
		}{info.Targets, info.Digest, sum})
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d targets of %d lines, read as %s\n", info.Targets, sum.Lines, strings.Join(sum.Formats, ", "))
	writeFindings(cmd.OutOrStdout(), sum)
	return nil
}

// check reads what the flags say.
func (i *targetsImport) check() error {
	var share units.Share
	var err error
	if err = share.UnmarshalText([]byte(i.mostDropped)); err != nil {
		return fmt.Errorf("--most-dropped: %w", err)
	}
	i.settings.MostDropped = float64(share)
	if i.settings.Zone, err = time.LoadLocation(i.zone); err != nil {
		return fmt.Errorf("--zone: %w", err)
	}
	for name := range i.settings.Fields {
		if !slices.Contains(importer.FieldNames(), name) {
			return fmt.Errorf("--field %s: expected one of %s", name, strings.Join(importer.FieldNames(), ", "))
		}
	}
	if i.keyFile == "" && i.settings.Pseudonymise {
		return fmt.Errorf("--pseudonymise needs --key-file, so that a later import gives the same names; make one with: head -c 32 /dev/urandom > key")
	}
	if i.keyFile == "" {
		i.settings.Key = make([]byte, 32)
		_, err := rand.Read(i.settings.Key)
		return err
	}
	return i.readKey()
}

// Bounds of a key file.
const (
	leastKey = 16
	mostKey  = 4096
)

func (i *targetsImport) readKey() error {
	f, err := os.Open(i.keyFile)
	if err != nil {
		return fmt.Errorf("--key-file: %w", err)
	}
	defer f.Close()
	key, err := io.ReadAll(io.LimitReader(f, mostKey+1))
	if err != nil {
		return fmt.Errorf("--key-file: %w", err)
	}
	if len(key) < leastKey || len(key) > mostKey {
		return fmt.Errorf("--key-file %s: expected %d to %d bytes", i.keyFile, leastKey, mostKey)
	}
	i.settings.Key = key
	return nil
}

// writeFindings prints what was found, with the first lines of each kind.
func writeFindings(w io.Writer, sum importer.Summary) {
	for _, f := range sum.Findings {
		fmt.Fprintf(w, "%-8s %8d  %s\n", f.Rule, f.Count, f.What)
		for _, e := range sum.Examples[f.What] {
			if e.File != "" {
				fmt.Fprintf(w, "                    %s:%d: %s\n", e.File, e.Line, e.Text)
			}
		}
	}
}

// printTraffic prints what an imported stream holds.
func printTraffic(w io.Writer, info targets.Info, t *targets.Traffic, asJSON bool) error {
	if asJSON {
		return printJSON(w, struct {
			targets.Info
			Traffic *targets.Traffic `json:"traffic"`
		}{info, t})
	}
	fmt.Fprintf(w, "digest    %s\ntargets   %d\nhosts     %d, Zipf exponent %.2f\n", info.Digest, info.Targets, t.Hosts, t.ZipfExponent)
	for _, h := range t.TopHosts {
		fmt.Fprintf(w, "host      %10d  %s\n", h.Requests, h.Host)
	}
	writeCounts(w, "method", t.Methods)
	fmt.Fprintf(w, "path      %.1f bytes on average\nbodies    %d bytes\n", t.PathBytes, t.BodyBytes)
	from := info.Imported
	if from == nil {
		return nil
	}
	if from.Start != "" {
		fmt.Fprintf(w, "time      from %s, %v\n", from.Start, time.Duration(t.Seconds*float64(time.Second)))
	}
	if len(t.RatePerSecond) > 0 {
		fmt.Fprintf(w, "rate      %.4g requests/s, over %d equal parts\n", t.RatePerSecond, len(t.RatePerSecond))
	}
	writeCounts(w, "status", from.Statuses)
	writeCounts(w, "answer", from.AnswerBytes)
	fmt.Fprintf(w, "lines     %d, read as %s; %d dropped\n", from.Lines, strings.Join(from.Formats, ", "), from.Dropped)
	writeFindings(w, importer.Summary{Imported: *from})
	return nil
}

// writeCounts prints counts, by name; shorter names, which are smaller numbers,
// first.
func writeCounts(w io.Writer, what string, counts map[string]int64) {
	for _, name := range slices.SortedFunc(maps.Keys(counts), byNumber) {
		fmt.Fprintf(w, "%-9s %10d  %s\n", what, counts[name], name)
	}
}
