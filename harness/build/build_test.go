package build

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"switchback/harness/arm"
)

// TestMain lets the test binary be the keeper: keeper --parent-fd 3 --grace D
// --folder F -- COMMAND…
func TestMain(m *testing.M) {
	if len(os.Args) > 9 && os.Args[1] == "keeper" {
		code, err := arm.Keep(os.NewFile(3, "parent"), time.Second, os.Args[7], os.Args[9:])
		if err != nil {
			panic(err)
		}
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// repositoryOf makes a repository whose only commit, also called one, has the files.
func repositoryOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "init", "--quiet")
	commitAll(t, dir, "one")
	return dir
}

// commitAll commits what is there and gives the commit a name.
func commitAll(t *testing.T, dir, name string) {
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "--message", name)
	git(t, dir, "tag", name)
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	who := []string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false"}
	out, err := exec.Command("git", append(who, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// says is a program that prints a text.
func says(text string) string { return "package main\n\nfunc main() { print(`" + text + "`) }\n" }

func builder(t *testing.T) Builder {
	return Builder{Keeper: os.Args[0], Scratch: t.TempDir(), Say: func(string) {}}
}

// built builds and runs a program, and returns what it prints.
func built(t *testing.T, b Builder, s Source) string {
	t.Helper()
	p, err := b.Build(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(p.Path).CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

const module = "module site\n\ngo 1.26\n"

// TestBuildFindsTheRepository names one repository in the ways that users do.
func TestBuildFindsTheRepository(t *testing.T) {
	repo := repositoryOf(t, map[string]string{"go.mod": module, "main.go": says("root"), "docs/x": "", "cmd/server/main.go": says("server")})
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, repo, "clone", "--quiet", "--bare", repo, bare)
	other := filepath.Join(t.TempDir(), "other")
	git(t, repo, "worktree", "add", "--quiet", other)
	for _, tt := range []struct{ name, cwd, repository string }{
		{"in its folder", repo, "."},
		{"in a folder of it", filepath.Join(repo, "docs"), "."},
		{"outside, relative", filepath.Dir(repo), filepath.Base(repo)},
		{"outside, absolute", t.TempDir(), repo},
		{"a bare one", t.TempDir(), bare},
		{"a worktree of it", t.TempDir(), other},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := builder(t)
			t.Chdir(tt.cwd)
			for pkg, want := range map[string]string{".": "root", "./cmd/server": "server", "site/cmd/server": "server"} {
				if got := built(t, b, Source{tt.repository, "one", pkg}); got != want {
					t.Errorf("%s prints %q, want %q", pkg, got, want)
				}
			}
		})
	}
	if status := git(t, repo, "status", "--short", "--ignored"); status != "" {
		t.Errorf("the repository has changed: %s", status)
	}
}

// TestBuildTakesTheCommitAsItIs checks that neither the working tree, nor settings of the
// repository that leave files out, nor the environment of a git hook change what is built.
func TestBuildTakesTheCommitAsItIs(t *testing.T) {
	repo := repositoryOf(t, map[string]string{"go.mod": module, "main.go": says("one"), "part/x": ""})
	if err := os.WriteFile(filepath.Join(repo, "main.go"), []byte("not committed"), 0o644); err != nil {
		t.Fatal(err)
	}
	hook := filepath.Join(repo, ".git", "hooks", "post-index-change")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\ntouch '"+repo+"/hooked'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, repo, "config", "core.sparseCheckout", "true")
	if err := os.WriteFile(filepath.Join(repo, ".git", "info", "sparse-checkout"), []byte("part\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	another := repositoryOf(t, map[string]string{"go.mod": module, "main.go": says("another")})
	t.Setenv("GIT_DIR", filepath.Join(another, ".git"))
	t.Setenv("GIT_WORK_TREE", another)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(another, ".git", "index"))
	if got := built(t, builder(t), Source{repo, "one", "."}); got != "one" {
		t.Errorf("it prints %q, want one", got)
	}
	if isThere(filepath.Join(repo, "hooked")) {
		t.Error("a hook of the user's ran")
	}
}

// TestBuildOfAModuleBelow builds a package whose folder is a module of its own.
func TestBuildOfAModuleBelow(t *testing.T) {
	repo := repositoryOf(t, map[string]string{"server/go.mod": module, "server/main.go": says("below")})
	if got := built(t, builder(t), Source{repo, "one", "./server"}); got != "below" {
		t.Errorf("it prints %q, want below", got)
	}
}

// TestBuildFails checks that a failed build says why and leaves nothing.
func TestBuildFails(t *testing.T) {
	repo := repositoryOf(t, map[string]string{"go.mod": module, "main.go": "package main\n\nfunc main() { nothing() }\n"})
	for _, tt := range []struct {
		name string
		Source
		want string
	}{
		{"no repository", Source{t.TempDir(), "one", "."}, "not a git repository"},
		{"no such commit", Source{repo, "nowhere", "."}, `finding commit "nowhere"`},
		{"a ref that looks like an option", Source{repo, "--all", "."}, `finding commit "--all"`},
		{"a package that does not compile", Source{repo, "one", "."}, "undefined: nothing"},
		{"no such package", Source{repo, "one", "./cmd"}, "building ./cmd"},
		{"a package that looks like an option", Source{repo, "one", "-x"}, "building -x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := builder(t)
			if _, err := b.Build(context.Background(), tt.Source); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if left, err := os.ReadDir(b.Scratch); err != nil || len(left) > 0 {
				t.Errorf("left in the scratch folder: %v, %v", left, err)
			}
		})
	}
}

// TestBuildEnds interrupts a go build that runs, in a compiler that never ends: all that
// it started ends, and nothing is left.
func TestBuildEnds(t *testing.T) {
	repo := repositoryOf(t, map[string]string{"go.mod": module, "main.go": says("one")})
	compiler, pids := filepath.Join(t.TempDir(), "compiler"), filepath.Join(t.TempDir(), "pids")
	script := "#!/bin/sh\necho $$ >>'" + pids + "'\nexec sleep 600\n"
	if err := os.WriteFile(compiler, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-toolexec="+compiler)
	var said string
	b := cachingBuilder(t, t.TempDir(), &said)
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped")
	done := make(chan error, 1)
	go func() {
		_, err := b.Build(ctx, Source{repo, "one", "."})
		done <- err
	}()
	eventually(t, "a compiler runs", func() bool { return len(running(t, pids)) > 0 })
	cancel(stopped)
	if err := <-done; !errors.Is(err, stopped) {
		t.Errorf("it ended with %v, want %v", err, stopped)
	}
	eventually(t, "the compilers end", func() bool { return len(running(t, pids)) == 0 })
	for _, dir := range []string{b.Scratch, b.Staging} {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in %s: %v, %v", dir, left, err)
		}
	}
}

// running returns the processes of a file of process ids that have not ended.
func running(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Fields(string(text)), func(pid string) bool {
		stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
		return err != nil || strings.Contains(string(stat), ") Z ")
	})
}

// eventually polls ok until it holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// TestWaitingSays checks that a build of 25 seconds is spoken of twice.
func TestWaitingSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var said []time.Duration
		failed := errors.New("failed")
		err := waiting(func() error { time.Sleep(25 * time.Second); return failed },
			func() { said = append(said, time.Since(began)) })
		if err != failed || !slices.Equal(said, []time.Duration{10 * time.Second, 20 * time.Second}) {
			t.Errorf("it said %v and ended with %v", said, err)
		}
	})
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
