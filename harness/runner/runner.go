// Package runner runs an experiment: it prepares the dataset, starts the
// origin and the arms, sends each round's traffic to one arm after the other,
// and writes what was measured into the run folder as each block ends.
//
// It decides nothing: the plan comes from package blocks, the verdict from
// package gate.
package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"switchback/edge/admin"
	"switchback/harness/arm"
	"switchback/harness/blocks"
	"switchback/harness/experiment"
	"switchback/harness/probe"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
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
}

// Stores prepares routing stores for built-in edges.
type Stores interface {
	// Publish returns the folder of a store that holds the dataset file, made
	// below root unless it is there already. The secret is that of its hashed
	// entries.
	Publish(ctx context.Context, root, dataset, digest string, secret []byte) (store string, err error)
	// Checkpoint makes dir a copy of store for one edge to own.
	Checkpoint(ctx context.Context, store, dir string) error
}

// Watcher is told what a run does, between blocks.
type Watcher interface {
	Step(what string)                            // a preparation that takes time has begun
	Begin(e *experiment.Experiment, dir string)  // the first block is next
	Block(b record.Block, m *record.Measurement) // a block is on disk; m is nil for an arm that could not be started
}

// run is a run under way.
type run struct {
	e *experiment.Experiment
	o Options

	folder   *record.Run
	dir      string
	manifest record.Manifest
	probe    *probe.Probe
	layout   layout
	law      schedule.Law
	stream   targets.Stream
	rounds   []blocks.Round
	scratch  scratch
	dataset  dataset
	undo     []func() // what Close undoes, last first
	origin   *arm.Instance
	upstream *admin.Client // of the origin
	arms     []*armState
}

// Run runs the experiment, writes its folder and returns that. The blocks that
// ended are on disk whatever happens, and nothing that it started is left
// running. A run in which an arm died ends early, with a summary; a run
// that fails or is cancelled has none, but can be read.
func Run(ctx context.Context, e *experiment.Experiment, o Options) (*record.Folder, error) {
	if o.Results == "" {
		o.Results = "results"
	}
	r := &run{e: e, o: o}
	err := r.measure(ctx)
	if r.folder == nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted (%w); the finished blocks are in %s", context.Cause(ctx), r.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (the finished blocks are in %s)", err, r.dir)
	}
	return r.summarise()
}

// measure runs everything up to the last block and stops what it started.
func (r *run) measure(ctx context.Context) error {
	defer r.close()
	if err := r.prepare(ctx); err != nil {
		return err
	}
	if r.o.Watch != nil {
		r.o.Watch.Begin(r.e, r.dir)
	}
	err := r.runRounds(ctx)
	r.manifest.End = time.Now().UTC()
	return errors.Join(err, r.folder.WriteManifest(r.manifest))
}

// onClose registers what close undoes.
func (r *run) onClose(undo func()) { r.undo = append(r.undo, undo) }

func (r *run) close() {
	for i := len(r.undo) - 1; i >= 0; i-- {
		r.undo[i]()
	}
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
	if r.law, err = schedule.Parse(r.e.Load.Arrivals); err != nil {
		return fmt.Errorf("load.arrivals: %w", err)
	}
	if r.probe, err = probe.New(); err != nil {
		return err
	}
	if r.scratch, err = openScratch(filepath.Join(r.o.Results, "cache")); err != nil {
		return err
	}
	r.onClose(r.scratch.remove)
	if err := r.prepareDataset(ctx); err != nil {
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
	if err := r.startOrigin(ctx); err != nil {
		return err
	}
	return r.makeArms(ctx)
}

// openFolder creates the run folder.
func (r *run) openFolder() error {
	dir := r.o.Out
	if dir == "" {
		dir = filepath.Join(r.o.Results, "runs", record.NewName(time.Now(), r.e.Name))
	}
	folder, err := record.Create(dir)
	if err != nil {
		return err
	}
	r.folder, r.dir = folder, dir
	r.onClose(func() { folder.Close() })
	yaml, err := r.e.Marshal()
	if err != nil {
		return fmt.Errorf("writing the experiment: %w", err)
	}
	return folder.WriteExperiment(yaml)
}

// describe writes the manifest and plans the rounds.
func (r *run) describe() error {
	m := &r.manifest
	*m = record.Manifest{Schema: record.ManifestSchema, Run: filepath.Base(r.dir), Experiment: r.e.Name,
		Version: r.o.Version, Commit: r.o.Commit, Seed: r.o.Seed, DatasetDigest: r.dataset.digest,
		TargetsDigest: r.dataset.targetsDigest, Start: time.Now().UTC()}
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
	r.rounds = blocks.Plan(r.o.Seed, len(r.e.Arms), r.e.Blocks.Pairs, r.e.Blocks.LaunchEvery)
	for _, round := range r.rounds {
		names := make([]string, len(round.Order))
		for i, a := range round.Order {
			names[i] = r.e.Arms[a].Name
		}
		m.Order = append(m.Order, names)
	}
	return r.folder.WriteManifest(*m)
}

// machineName describes a kind of machine in words.
func machineName(k record.MachineKind) string {
	return fmt.Sprintf("%s, %d CPUs, %d GiB, %s", k.CPU, k.CPUs, k.MemoryGiB, k.Architecture)
}
