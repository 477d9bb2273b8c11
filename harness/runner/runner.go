// Package runner runs an experiment: it prepares the dataset, starts the
// origin and the arms, sends each round's traffic to one arm after the other,
// and writes what was measured into the run folder as each block ends.
//
// It decides nothing: the plan comes from package blocks, the verdict from
// package gate.
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"switchback/harness/experiment"
	"switchback/harness/probe"
	"switchback/harness/scratch"
	"switchback/results/gate"
	"switchback/results/record"
)

// Options of a run.
type Options struct {
	Program string // path of the switchback binary: edge, origin and keeper
	Results string // folder of the runs and caches; default "results"
	Out     string // the run's folder, which must not exist; default one below Results/runs
	Seed    uint64
	Version string
	Commit  string
	Stores  Stores
	Watch   Watcher // may be nil
	Tracing Tracing
	Profile string // kind of profile that is taken of each arm after its last block, see CheckProfile; "": none

	Calibration *gate.Calibration // of this kind of machine; see Calibration
}

func (o Options) withDefaults() Options {
	o.Results = cmp.Or(o.Results, "results")
	return o
}

// Stores prepares routing stores for built-in edges.
type Stores interface {
	// Publish returns the folder of a store with that content, made below root
	// unless it is there already, and whole; damage is what was wrong with one that it
	// replaced.
	Publish(ctx context.Context, root string, c StoreContent) (store string, damage, err error)
	// Checkpoint makes dir a copy of store for one edge to own.
	Checkpoint(ctx context.Context, store, dir string) error
}

// StoreContent says what a routing store holds.
type StoreContent struct {
	Dataset    string // its file
	Digest     string // of the dataset
	Secret     []byte // of the hashed entries
	Neighbours int    // other tenants' small values
	Scratch    string // folder in which it is made before it is moved below root
}

// Watcher is told what a run does, between blocks.
type Watcher interface {
	Step(what string)                            // a preparation that takes time has begun
	Begin(m record.Manifest, dir string)         // the first block is next
	Block(b record.Block, m *record.Measurement) // a block is on disk; m is nil for an arm that could not be started
}

// run is a run under way.
type run struct {
	undoList
	e *experiment.Experiment
	o Options

	folder   *record.Run
	dir      string
	manifest record.Manifest
	probe    *probe.Probe
	layout   layout
	cache    string          // absolute
	scratch  *scratch.Folder // beside the caches
	short    *scratch.Folder // with a short name: for folders of arms
	cells    []*cell

	stores      map[string]string // published, by the digest of the dataset and the number of neighbours
	checkpoints int               // made so far
}

// undoList is what close undoes, last first.
type undoList []func()

func (u *undoList) onClose(undo func()) { *u = append(*u, undo) }

func (u *undoList) close() {
	for i := len(*u) - 1; i >= 0; i-- {
		(*u)[i]()
	}
	*u = nil
}

// Run runs the experiment, writes its folder and returns that. The blocks that
// ended are on disk whatever happens, and nothing that it started is left
// running. A run in which an arm died ends early, with a summary; a run
// that fails or is cancelled has none, but can be read.
func Run(ctx context.Context, e *experiment.Experiment, o Options) (*record.Folder, error) {
	r := newRun(e, o)
	err := r.measure(ctx)
	if r.folder == nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted (%w)%s", context.Cause(ctx), r.kept())
	}
	if err != nil {
		return nil, fmt.Errorf("%w%s", err, r.kept())
	}
	return r.summarise()
}

func newRun(e *experiment.Experiment, o Options) *run {
	return &run{e: e, o: o.withDefaults(), stores: map[string]string{}}
}

// kept says where the finished blocks of a failed run are. A folder without any
// is removed: it holds nothing that was measured.
func (r *run) kept() string {
	if info, err := os.Stat(filepath.Join(r.dir, record.BlocksFile)); err == nil && info.Size() > 0 {
		return " (the finished blocks are in " + r.dir + ")"
	}
	if err := os.RemoveAll(r.dir); err != nil {
		return " (nothing was measured; " + err.Error() + ")"
	}
	return " (nothing was measured)"
}

// measure runs everything up to the last block and stops what it started.
func (r *run) measure(ctx context.Context) error {
	defer r.close()
	if err := r.prepare(ctx); err != nil {
		return err
	}
	if r.o.Watch != nil {
		r.o.Watch.Begin(r.manifest, r.dir)
	}
	r.o.Tracing.begin(r.manifest)
	err := r.runCells(ctx)
	r.traceRun(ctx)
	r.manifest.End = time.Now().UTC()
	return firstError(err, r.folder.WriteManifest(r.manifest))
}

// runCells runs the cells one after the other, until an arm dies.
func (r *run) runCells(ctx context.Context) error {
	for _, c := range r.cells {
		if err := c.measure(ctx); errors.Is(err, errDied) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// note keeps what a reader of the results should know.
func (r *run) note(format string, args ...any) {
	r.manifest.Notes = append(r.manifest.Notes, fmt.Sprintf(format, args...))
}

func (r *run) step(what string) {
	if r.o.Watch != nil {
		r.o.Watch.Step(what)
	}
}

// prepare does everything that comes before the first block.
func (r *run) prepare(ctx context.Context) error {
	if err := r.openFolder(); err != nil {
		return err
	}
	var err error
	if r.probe, err = probe.New(); err != nil {
		return err
	}
	if err := r.openCache(ctx); err != nil {
		return err
	}
	if err := r.makeCells(ctx); err != nil {
		return err
	}
	if err := r.describe(); err != nil {
		return err
	}
	undo, err := pinSelf(r.layout.generator)
	if err != nil {
		return err
	}
	r.onClose(undo)
	return nil
}

// openFolder creates the run folder.
func (r *run) openFolder() error {
	dir := r.o.Out
	if dir == "" {
		dir = filepath.Join(r.o.Results, "runs", record.NewName(time.Now(), r.e.Name))
	}
	folder, owned, err := createFolder(dir)
	if err != nil {
		return err
	}
	r.folder, r.dir = folder, dir
	r.onClose(owned.Release)
	r.onClose(func() { folder.Close() })
	text, err := r.e.Marshal()
	if err != nil {
		return fmt.Errorf("writing the experiment: %w", err)
	}
	return folder.WriteExperiment(text)
}

// describe writes the manifest.
func (r *run) describe() error {
	m := &r.manifest
	*m = record.Manifest{Run: filepath.Base(r.dir), Experiment: r.e.Name, Version: r.o.Version, Commit: r.o.Commit,
		Seed: r.o.Seed, Start: time.Now().UTC(), Notes: m.Notes}
	cpus, err := allowedCPUs()
	if err != nil {
		return err
	}
	r.layout = layOut(cpus)
	m.Pinning = r.layout.pinning()
	if m.MachineKind, err = r.probe.MachineKind(); err != nil {
		return err
	}
	if m.Kernel, err = r.probe.Kernel(); err != nil {
		return err
	}
	m.Machine = machineName(m.MachineKind)
	m.DatasetDigest = digestOf(r.cells, func(c *cell) string { return c.dataset.digest })
	m.TargetsDigest = digestOf(r.cells, func(c *cell) string { return c.dataset.targetsDigest })
	for _, c := range r.cells {
		m.Order = append(m.Order, c.order()...)
		for _, note := range append([]string{c.e.GateNote()}, c.dataset.notes...) {
			if note != "" && !slices.Contains(m.Notes, note) { // cells share gates and files
				m.Notes = append(m.Notes, note)
			}
		}
	}
	return r.folder.WriteManifest(*m)
}

// machineName describes a kind of machine in words.
func machineName(k record.MachineKind) string {
	return fmt.Sprintf("%s, %d CPUs, %d GiB, %s", k.CPU, k.CPUs, k.MemoryGiB, k.Architecture)
}
