// Package build makes programs of Go packages as they were at a commit. It
// reads the repository of the user and writes nothing into it: the files of the
// commit are written into a scratch folder, with an index of their own.
package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"switchback/harness/arm"
)

// timeLimit bounds the build of a program.
const timeLimit = 10 * time.Minute

// Source names a Go package at a commit.
type Source struct {
	Repository string // a folder of a git repository, or a bare one
	Ref        string // branch, tag or hash
	Package    string // as for `go build`, in the root folder of the repository
}

func (s Source) String() string { return s.Package + " at " + s.Ref }

// Builder builds programs.
type Builder struct {
	Keeper  string            // path of the switchback binary
	Scratch string            // an absolute path of an existing folder: {build} of an arm lies there
	Cache   string            // folder of programs that were built before; "" keeps none
	Staging string            // existing folder on the file system of Cache, for what is not complete
	Say     func(text string) // is told about a build that takes time, by the goroutine that calls Build
}

// Program is a program that was built.
type Program struct {
	Path   string // absolute, below Scratch, whatever becomes of the cache
	Commit string // its hash
	Damage error  // what was wrong with the one in the cache
}

// Build builds the program, or copies it from the cache. When ctx ends, what it
// started ends too.
func (b Builder) Build(ctx context.Context, s Source) (Program, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeLimit, fmt.Errorf("the build takes more than %v", timeLimit))
	defer cancel()
	r, err := open(ctx, s.Repository)
	if err != nil {
		return Program{}, fmt.Errorf("opening the repository %q: %w", s.Repository, err)
	}
	commit, err := r.hash(ctx, s.Ref+"^{commit}")
	if err != nil {
		return Program{}, fmt.Errorf("finding commit %q in %q: %w", s.Ref, s.Repository, err)
	}
	dir, err := os.MkdirTemp(b.Scratch, "build-")
	if err != nil {
		return Program{}, fmt.Errorf("making a folder for the build: %w", err)
	}
	w := work{keeper: b.Keeper, dir: dir}
	p := Program{Path: w.program(), Commit: commit}
	if p.Damage, err = b.fetch(ctx, r, w, commit, s); err != nil {
		os.RemoveAll(dir)
		return Program{}, err
	}
	return p, nil
}

// fetch puts the program into the folder of w: from the cache if it is there, whole.
func (b Builder) fetch(ctx context.Context, r repository, w work, commit string, s Source) (damage, err error) {
	if b.Cache == "" {
		return nil, b.build(ctx, r, w, commit, s)
	}
	id, err := identify(ctx, r, w.dir, commit, s.Package)
	if err != nil {
		return nil, err
	}
	entry := filepath.Join(b.Cache, id.name())
	damage = take(entry, w.program())
	if damage == nil {
		b.Say("the program of " + s.String() + " is in the cache")
		return nil, nil
	}
	if errors.Is(damage, fs.ErrNotExist) {
		damage = nil
	}
	if err := b.build(ctx, r, w, commit, s); err != nil {
		return nil, err
	}
	if !id.whole() || readsElsewhere(w.program()) {
		return damage, nil
	}
	if err := store(entry, b.Staging, w.program(), About{Source: s.String(), Commit: commit, Go: id.Go["GOVERSION"]}); err != nil {
		b.Say(err.Error()) // the program is there: the run goes on
	}
	return damage, nil
}

// build builds the program in the folder of w.
func (b Builder) build(ctx context.Context, r repository, w work, commit string, s Source) error {
	began := time.Now()
	b.Say("building " + s.String())
	return waiting(func() error { return w.make(ctx, r, commit, s.Package) }, func() {
		b.Say(fmt.Sprintf("still building %s (%v)", s, time.Since(began).Round(time.Second)))
	})
}

// sayEvery is how often a build that takes time is spoken of.
const sayEvery = 10 * time.Second

// waiting runs f to its end, and calls say in this goroutine now and then.
func waiting(f func() error, say func()) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	tick := time.NewTicker(sayEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			say()
		}
	}
}

// work is one build in a folder of its own.
type work struct {
	keeper string
	dir    string
}

func (w work) tree() string    { return filepath.Join(w.dir, "tree") }
func (w work) program() string { return filepath.Join(w.dir, "program") }

// make writes the files of the commit and builds the package. Of the files,
// only the program stays.
func (w work) make(ctx context.Context, r repository, commit, pkg string) error {
	temporary := filepath.Join(w.dir, "tmp") // of the go command: it leaves files when it is killed
	for _, dir := range []string{w.tree(), temporary} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return fmt.Errorf("making a folder for the build: %w", err)
		}
		defer os.RemoveAll(dir)
	}
	if err := r.checkout(ctx, w, commit); err != nil {
		return err
	}
	from, name := w.tree(), pkg
	if strings.HasPrefix(pkg, ".") { // its folder may be a module of its own
		if below := filepath.Join(from, pkg); isDir(below) {
			from, name = below, "."
		}
	}
	// The same files at another commit are the same program: it is not stamped.
	argv := []string{"go", "build", "-C", from, "-buildvcs=false", "-o", w.program(), "--", name}
	if _, err := arm.Run(ctx, w.keeper, w.dir, append(environment(), "GOTMPDIR="+temporary), argv...); err != nil {
		return fmt.Errorf("building %s: %w", pkg, err)
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
