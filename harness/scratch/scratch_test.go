package scratch

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// TestMain lets the test binary be a process that owns a folder below $2 until it is killed.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "own" {
		f, err := Make(os.Args[2], "run-")
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(f.Dir + "\n")
		select {}
	}
	os.Exit(m.Run())
}

func named(prefix string) func(string) bool {
	return func(dir string) bool { return Named(dir, prefix) }
}

// TestSweepRemovesWhatAKilledProcessLeft kills a process that owns a folder: before
// that the folder stays, after it the folder goes.
func TestSweepRemovesWhatAKilledProcessLeft(t *testing.T) {
	root := t.TempDir()
	owner := exec.Command(os.Args[0], "own", root)
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = owner.Process.Kill() })
	line := make([]byte, 4096)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimSpace(string(line[:n]))
	if err := os.WriteFile(filepath.Join(dir, "x"), make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if freed, err := Sweep(root, named("run-")); err != nil || len(freed) > 0 {
		t.Fatalf("of a living process: %v, %v", freed, err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait() // killed
	freed, err := Sweep(root, named("run-"))
	if want := []Left{{dir, 1000}}; err != nil || !reflect.DeepEqual(freed, want) {
		t.Errorf("freed %v, %v; want %v", freed, err, want)
	}
	if left, _ := os.ReadDir(root); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestSweepLeavesWhatIsNotOurs checks names, links and files that look like ours.
func TestSweepLeavesWhatIsNotOurs(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	for _, name := range []string{"run-notes", "run-", "running-1", "stores"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "run-1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, "run-2")); err != nil {
		t.Fatal(err)
	}
	if freed, err := Sweep(root, named("run-")); err != nil || len(freed) > 0 {
		t.Errorf("freed %v, %v", freed, err)
	}
	if freed, err := Sweep(filepath.Join(root, "nowhere"), named("run-")); err != nil || len(freed) > 0 {
		t.Errorf("below a folder that is not there: %v, %v", freed, err)
	}
}

// TestFolderHasOneOwner checks that a folder has one owner, who may give it up.
func TestFolderHasOneOwner(t *testing.T) {
	f, err := Make(t.TempDir(), "run-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Own(f.Dir); !errors.Is(err, ErrOwned) {
		t.Errorf("a second owner: %v", err)
	}
	if _, err := Share(f.Dir); !errors.Is(err, ErrOwned) {
		t.Errorf("shared while owned: %v", err)
	}
	f.Release()
	one, err := Share(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Share(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	one.Release()
	if _, err := Own(f.Dir); !errors.Is(err, ErrOwned) {
		t.Errorf("owned while shared: %v", err)
	}
	two.Release()
	again, err := Own(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := Own(f.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is gone: %v", err)
	}
}

// TestMakeWhileOthersSweep makes folders while sweeps run: none is lost.
func TestMakeWhileOthersSweep(t *testing.T) {
	root := t.TempDir()
	stop := make(chan struct{})
	var sweeps sync.WaitGroup
	for range 3 {
		sweeps.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = Sweep(root, named("run-")) // a folder may vanish under it
				}
			}
		})
	}
	for range 200 {
		f, err := Make(root, "run-")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path("x"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Remove(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	sweeps.Wait()
}
