package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"switchback/harness/arm"
)

// repository is a git repository of the user's.
type repository struct {
	gitDir string // absolute
}

// open finds the repository of a folder.
func open(ctx context.Context, folder string) (repository, error) {
	dir, err := output(ctx, "git", "-C", folder, "rev-parse", "--absolute-git-dir")
	return repository{dir}, err
}

// hash returns the hash of what a name stands for.
func (r repository) hash(ctx context.Context, name string) (string, error) {
	return output(ctx, "git", "--git-dir", r.gitDir, "rev-parse", "--verify", "--end-of-options", name)
}

// checkout writes the files of a commit into the tree of w. The settings that would
// leave files out, run the user's hooks or write into the repository are off.
func (r repository) checkout(ctx context.Context, w work, commit string) error {
	argv := []string{"git", "--git-dir", r.gitDir, "--work-tree", w.tree(), "-c", "core.sparseCheckout=false",
		"-c", "core.splitIndex=false", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
		"read-tree", "--reset", "-u", commit}
	index := filepath.Join(w.dir, "index")
	defer os.Remove(index)
	env := append(environment(), "GIT_INDEX_FILE="+index)
	if _, err := arm.Run(ctx, w.keeper, w.tree(), env, argv...); err != nil {
		return fmt.Errorf("writing the files of commit %s: %w", commit, err)
	}
	return nil
}

// maxListed is how many lines of a failed program's output an error shows.
const maxListed = 5

// output runs a program that only reads, and returns what it printed.
func output(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	cmd.Env = environment()
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	return "", fmt.Errorf("running %s: %w: %s", program, err, strings.Join(lines[max(0, len(lines)-maxListed):], "\n  "))
}

// environment returns the variables of this process, but for the ones with which
// git, when it runs a hook, points its children at another repository.
func environment() []string {
	local := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"}
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(local, name)
	})
	return append(env, "GIT_TERMINAL_PROMPT=0")
}
