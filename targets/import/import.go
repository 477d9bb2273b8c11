// Package importer turns what people have of their traffic, logs above all, into
// a file of targets that every command reads. It accounts for each line: kept,
// mended or dropped by a rule, with a count. What is private does not enter the
// file unless it is named. Memory does not grow with the input.
//
// It does not guess: a line that its format does not explain is dropped, and too
// many of them end the import.
package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"switchback/targets"
)

// Settings of an import.
type Settings struct {
	Format       string            // see Formats; "" is auto
	Host         string            // asked where a line has no hostname
	Fields       map[string]string // of JSON lines: what a field is called there
	Zone         *time.Location    // of stamps without an offset; nil is UTC
	MostDropped  float64           // share of lines; 0 is DefaultMostDropped
	ExpectStatus bool              // the logged status is the right answer; else any below 400

	KeepQuery    bool     // values of queries
	KeepBody     bool     // bodies
	KeepClient   bool     // addresses of clients, as X-Forwarded-For
	KeepHeaders  []string // fields that would be left out as private
	Pseudonymise bool     // hash hostnames and paths too
	Key          []byte   // of the hashes
}

// DefaultMostDropped is the share of dropped lines above which an import stops.
const DefaultMostDropped = 0.01

// Summary is what became of the lines.
type Summary struct {
	targets.Imported
	Examples map[string][]Example `json:"examples"` // by what was found
}

// run is one import.
type run struct {
	settings Settings
	clean    cleaner
	tally    tally
	summary  Summary
	files    []*file
	out      *targets.Writer
	block    []targets.Target
	first    int64 // start of the first request that has one
	statuses [1000]int64
	sizes    [20]int64 // answers by the digits of their size; none have 0 bytes
}

// blockTargets is how many targets a block of the file holds.
const blockTargets = 1000

// maxFiles bounds how many files are merged: all are open at once.
const maxFiles = 500

// Files imports files into w, merged by the time at which requests started. It
// stops when too many lines are dropped.
func Files(ctx context.Context, paths []string, s Settings, w io.Writer) (targets.Info, Summary, error) {
	if len(paths) > maxFiles {
		return targets.Info{}, Summary{}, fmt.Errorf("%d files: expected at most %d", len(paths), maxFiles)
	}
	i, err := newRun(s, w)
	if err != nil {
		return targets.Info{}, Summary{}, err
	}
	defer i.close()
	for _, path := range paths {
		f, err := openFile(path, &i.settings)
		if err != nil {
			return targets.Info{}, Summary{}, err
		}
		i.files = append(i.files, f)
	}
	return i.all(ctx)
}

func newRun(s Settings, w io.Writer) (*run, error) {
	if s.MostDropped == 0 {
		s.MostDropped = DefaultMostDropped
	}
	if s.Host != "" {
		h := cleanName(s.Host)
		if h.dropped != clean {
			return nil, fmt.Errorf("host %.80q: expected a hostname", s.Host)
		}
		s.Host = h.name
	}
	out, err := targets.NewWriter(w, targets.Header{Source: targets.SourceImport})
	if err != nil {
		return nil, err
	}
	i := &run{settings: s, out: out, first: noTime}
	i.clean = cleaner{host: s.Host, policy: newPolicy(s, s.Key)}
	return i, nil
}

func (i *run) close() {
	for _, f := range i.files {
		f.close()
	}
}

// all imports the files and ends the output.
func (i *run) all(ctx context.Context) (targets.Info, Summary, error) {
	order := newOrder(i.emit)
	for _, f := range i.files {
		if err := f.advance(i); err != nil {
			return targets.Info{}, i.sum(), err
		}
	}
	for n := 0; ; n++ {
		f := i.earliest()
		if f == nil {
			break
		}
		if n%4096 == 0 && ctx.Err() != nil {
			return targets.Info{}, i.sum(), ctx.Err()
		}
		if err := order.add(f.next); err != nil {
			return targets.Info{}, i.sum(), err
		}
		if err := f.advance(i); err != nil {
			return targets.Info{}, i.sum(), err
		}
	}
	if err := errors.Join(order.end(), i.checkDropped(true)); err != nil {
		return targets.Info{}, i.sum(), err
	}
	return i.end()
}

// earliest returns the file whose next request started first; nil after the
// last one.
func (i *run) earliest() *file {
	var first *file
	for _, f := range i.files {
		if !f.ended && (first == nil || f.next.start < first.next.start) {
			first = f
		}
	}
	return first
}

// emit writes a request.
func (i *run) emit(r *record) error {
	if r.late {
		i.tally.add(clockBack, "", 0, nil)
	}
	if r.start != noTime {
		if i.first == noTime {
			i.first = r.start
		}
		r.target.At = r.start - i.first
	}
	if i.block = append(i.block, r.target); len(i.block) < blockTargets {
		return nil
	}
	return i.flush()
}

func (i *run) flush() error {
	if len(i.block) == 0 {
		return nil
	}
	err := i.out.Write(i.block)
	i.block = i.block[:0]
	return err
}

func (i *run) end() (targets.Info, Summary, error) {
	if err := i.flush(); err != nil {
		return targets.Info{}, i.sum(), err
	}
	sum := i.sum()
	info, err := i.out.CloseImported(&sum.Imported)
	if err == nil && info.Targets == 0 {
		err = errors.New("expected at least one request, got none")
	}
	return info, sum, err
}

// count counts what was answered, for Info.
func (i *run) count(e *entry) {
	if e.status != 0 {
		i.statuses[e.status]++
	}
	if e.size >= 0 {
		i.sizes[digitsOf(e.size)]++
	}
}

// digitsOf counts the digits of a size; 0 has none.
func digitsOf(size int64) (n int) {
	for ; size > 0; size /= 10 {
		n++
	}
	return n
}

// enough is how many lines are read before an import can stop for what it
// dropped.
const enough = 10_000

// tooManyDropped: the rest would not stand for the traffic.
type tooManyDropped struct {
	dropped, lines int64
	most           float64
}

// Error implements error.
func (e tooManyDropped) Error() string {
	return fmt.Sprintf("%d of %d lines were dropped (%.2g%%), more than %.4g%%: expected another --format, or --most-dropped %.0f%% to go on",
		e.dropped, e.lines, 100*e.share(), 100*e.most, min(100, 100*e.share()+1))
}

func (e tooManyDropped) share() float64 { return float64(e.dropped) / float64(e.lines) }

// checkDropped stops an import that drops too much.
func (i *run) checkDropped(ended bool) error {
	if n := i.summary.Lines; n == 0 || !ended && n%enough != 0 {
		return nil
	}
	if e := (tooManyDropped{i.tally.dropped(), i.summary.Lines, i.settings.MostDropped}); e.share() > e.most {
		return e
	}
	return nil
}

// sum returns what has become of the lines so far.
func (i *run) sum() Summary {
	s := i.summary
	s.Examples = map[string][]Example{}
	for _, f := range i.files {
		if !slices.Contains(s.Formats, f.format) {
			s.Formats = append(s.Formats, f.format)
		}
	}
	for k := clean + 1; k < kinds; k++ {
		if n := i.tally.counts[k]; n > 0 {
			s.Findings = append(s.Findings, targets.Finding{Rule: k.rule(), What: k.String(), Count: n})
			s.Examples[k.String()] = i.tally.examples[k]
		}
	}
	s.Dropped = i.tally.dropped()
	s.Statuses, s.AnswerBytes = i.answers()
	if i.first != noTime {
		s.Start = time.UnixMicro(i.first).UTC().Format(time.RFC3339Nano)
	}
	s.Pseudonymised, s.QueryHashed = i.settings.Pseudonymise, !i.settings.KeepQuery
	return s
}

// answers returns the answers that the log tells of: by status, and by the power
// of ten below their size.
func (i *run) answers() (statuses, sizes map[string]int64) {
	statuses, sizes = map[string]int64{}, map[string]int64{}
	for status, n := range i.statuses {
		if n > 0 {
			statuses[strconv.Itoa(status)] = n
		}
	}
	for digits, n := range i.sizes {
		switch {
		case n > 0 && digits == 0:
			sizes["0"] = n
		case n > 0:
			sizes["1"+strings.Repeat("0", digits-1)] = n
		}
	}
	return statuses, sizes
}
