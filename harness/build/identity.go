package build

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
)

// identity is what a program is made of: equal identities, equal programs. The C
// compiler counts by its name alone.
type identity struct {
	Layout  int               // of an entry of the cache
	Tree    string            // hash of the commit's files
	Writing []string          // settings of git that change files as it writes them
	Package string            // as for `go build`
	Go      map[string]string // settings of the go command, by their names
}

// layout counts the changes of an entry's form and of how programs are built.
const layout = 1

// goSettings are the settings of the go command that change a program.
const goSettings = `GOVERSION GOTOOLCHAIN GOROOT GOFLAGS GOWORK GOOS GOARCH GO386 GOAMD64 GOARM GOARM64 GOMIPS
	GOMIPS64 GOPPC64 GORISCV64 GOWASM GOEXPERIMENT GOFIPS140 GODEBUG GO_EXTLINK_ENABLED CGO_ENABLED CC CXX FC AR PKG_CONFIG
	CGO_CFLAGS CGO_CPPFLAGS CGO_CXXFLAGS CGO_FFLAGS CGO_LDFLAGS`

// identify finds out what a build in a folder would be made of.
func identify(ctx context.Context, r repository, dir, commit, pkg string) (identity, error) {
	id := identity{Layout: layout, Package: pkg}
	var err error
	if id.Tree, err = r.hash(ctx, commit+"^{tree}"); err != nil {
		return identity{}, fmt.Errorf("finding the files of commit %s: %w", commit, err)
	}
	if id.Writing, err = r.writing(ctx); err != nil {
		return identity{}, fmt.Errorf("asking git for its settings: %w", err)
	}
	text, err := output(ctx, "go", append([]string{"env", "-C", dir, "-json"}, strings.Fields(goSettings)...)...)
	if err == nil {
		err = json.Unmarshal([]byte(text), &id.Go)
	}
	if err != nil {
		return identity{}, fmt.Errorf("asking the go command for its settings: %w", err)
	}
	return id, nil
}

// writing returns the settings of git that change files as it writes them.
func (r repository) writing(ctx context.Context) ([]string, error) {
	text, err := output(ctx, "git", "--git-dir", r.gitDir, "config", "--null", "--list")
	if err != nil {
		return nil, err
	}
	var settings []string
	for setting := range strings.SplitSeq(text, "\x00") {
		for _, of := range []string{"core.autocrlf\n", "core.eol\n", "core.symlinks\n", "core.attributesfile\n", "filter."} {
			if strings.HasPrefix(setting, of) {
				settings = append(settings, setting)
			}
		}
	}
	return settings, nil
}

// name names the entry of the cache.
func (id identity) name() string {
	text, err := json.Marshal(id)
	if err != nil {
		panic(err) // of a struct that has nothing JSON cannot hold
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// whole tells whether the identity names everything that the program is made of: no
// setting names a file, whose content may change.
func (id identity) whole() bool {
	if work := id.Go["GOWORK"]; work != "" && work != "off" {
		return false
	}
	for name, value := range id.Go {
		if strings.HasSuffix(name, "FLAGS") && strings.Contains(value, "/") {
			return false
		}
	}
	return true
}

// readsElsewhere tells whether a program has a module that a go.mod replaces by a
// folder of this machine, or can't be asked.
func readsElsewhere(program string) bool {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return true
	}
	for _, module := range info.Deps {
		if module.Replace != nil && filepath.IsAbs(module.Replace.Path) {
			return true
		}
	}
	return false
}
