package build

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cachingBuilder keeps its programs below root, and appends what it says to said.
func cachingBuilder(t *testing.T, root string, said *string) Builder {
	b := builder(t)
	b.Cache, b.Staging = filepath.Join(root, "programs"), root
	b.Say = func(text string) { *said += text + "\n" }
	return b
}

// TestProgramsAreKept builds programs one after the other: what would be the same program
// is built once, and what differs in anything that counts is built.
func TestProgramsAreKept(t *testing.T) {
	t.Setenv("CGO_ENABLED", "0")
	repo := repositoryOf(t, map[string]string{"go.mod": module, "main.go": says("one"), "other/main.go": says("other")})
	git(t, repo, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message", "same files")
	git(t, repo, "tag", "same")
	if err := os.WriteFile(filepath.Join(repo, "main.go"), []byte(says("two")), 0o644); err != nil {
		t.Fatal(err)
	}
	commitAll(t, repo, "two")
	root := t.TempDir()
	for _, tt := range []struct {
		name, variable, value, ref, pkg, want string
		kept                                  bool
	}{
		{name: "the first time", ref: "one", pkg: ".", want: "one"},
		{name: "again", ref: "one", pkg: ".", want: "one", kept: true},
		{name: "another commit of the same files", ref: "same", pkg: ".", want: "one", kept: true},
		{name: "other files", ref: "two", pkg: ".", want: "two"},
		{name: "another package", ref: "one", pkg: "./other", want: "other"},
		{name: "other flags", variable: "GOFLAGS", value: "-ldflags=-s", ref: "one", pkg: ".", want: "one"},
		{name: "a setting of the compiler", variable: "GODEBUG", value: "panicnil=1", ref: "one", pkg: ".", want: "one"},
		{name: "a variable that does not count", variable: "EDITOR", value: "x", ref: "one", pkg: ".", want: "one", kept: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.variable != "" {
				t.Setenv(tt.variable, tt.value)
			}
			var said string
			if got := built(t, cachingBuilder(t, root, &said), Source{repo, tt.ref, tt.pkg}); got != tt.want {
				t.Errorf("it prints %q, want %q", got, tt.want)
			}
			if kept := !strings.Contains(said, "building"); kept != tt.kept {
				t.Errorf("kept: %v, want %v; it said %q", kept, tt.kept, said)
			}
		})
	}
	if left, err := filepath.Glob(filepath.Join(root, "program-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestDamagedProgramIsBuiltAnew damages an entry in each way that an entry can be damaged.
func TestDamagedProgramIsBuiltAnew(t *testing.T) {
	repo := repositoryOf(t, map[string]string{"go.mod": module, "main.go": says("one")})
	root := t.TempDir()
	var said string
	s := Source{repo, "one", "."}
	built(t, cachingBuilder(t, root, &said), s)
	entries, err := filepath.Glob(filepath.Join(root, "programs", "*"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v; want one entry", entries, err)
	}
	program, about := filepath.Join(entries[0], programFile), filepath.Join(entries[0], aboutFile)
	for _, tt := range []struct {
		name   string
		damage func() error
	}{
		{"a byte is flipped", func() error { return flipByte(program) }},
		{"the program is cut", func() error { return os.Truncate(program, 1000) }},
		{"the program is missing", func() error { return os.Remove(program) }},
		{"the description is cut", func() error { return os.Truncate(about, 3) }},
		{"the description is missing", func() error { return os.Remove(about) }},
		{"it is a file", func() error {
			return firstOf(os.RemoveAll(entries[0]), os.WriteFile(entries[0], nil, 0o600))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.damage(); err != nil {
				t.Fatal(err)
			}
			p, err := cachingBuilder(t, root, &said).Build(context.Background(), s)
			if err != nil || p.Damage == nil {
				t.Fatalf("built anew: %v, damage: %v", err, p.Damage)
			}
			p, err = cachingBuilder(t, root, &said).Build(context.Background(), s)
			if err != nil || p.Damage != nil {
				t.Errorf("afterwards: %v, damage: %v", err, p.Damage)
			}
		})
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func flipByte(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data[len(data)/2] ^= 1
	return os.WriteFile(path, data, 0o755)
}

// TestFilesOfTheMachineAreNotKept changes a module that go.mod takes from a folder of the
// machine: the commit stays, the program does not.
func TestFilesOfTheMachineAreNotKept(t *testing.T) {
	lib := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(lib, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module lib.example\n\ngo 1.26\n")
	repo := repositoryOf(t, map[string]string{
		"go.mod":  module + "\nrequire lib.example v0.0.0\n\nreplace lib.example => " + lib + "\n",
		"main.go": "package main\n\nimport \"lib.example\"\n\nfunc main() { print(lib.Text) }\n",
	})
	root := t.TempDir()
	for _, text := range []string{"before", "after"} {
		write("lib.go", "package lib\n\nconst Text = `"+text+"`\n")
		var said string
		if got := built(t, cachingBuilder(t, root, &said), Source{repo, "one", "."}); got != text {
			t.Errorf("it prints %q, want %q", got, text)
		}
	}
}

// TestIdentityIsWhole lists settings that name files, whose content may change.
func TestIdentityIsWhole(t *testing.T) {
	for setting, want := range map[string]bool{"GOFLAGS=": true, "GOFLAGS=-trimpath": true, "GOWORK=off": true,
		"GOFLAGS=-overlay=/tmp/x.json": false, "CGO_CFLAGS=-I/usr/include/x": false, "GOWORK=/home/a/go.work": false} {
		name, value, _ := strings.Cut(setting, "=")
		if got := (identity{Go: map[string]string{name: value}}).whole(); got != want {
			t.Errorf("%s: %v, want %v", setting, got, want)
		}
	}
}
