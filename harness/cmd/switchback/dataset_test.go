package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"switchback/datasets"
	"switchback/targets"
)

// execute runs a command as the root would, and returns its exit code.
func execute(ctx context.Context, cmd *cobra.Command, args ...string) (code int, stdout, message string) {
	started := false
	root := &cobra.Command{Use: "switchback", SilenceUsage: true, SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) { started = true }}
	root.AddCommand(cmd)
	root.SetArgs(append([]string{cmd.Name()}, args...))
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0, out.String(), ""
	}
	code, _ = codeOf(err, started)
	return code, out.String(), err.Error()
}

func succeed(t *testing.T, cmd *cobra.Command, args ...string) string {
	t.Helper()
	code, out, message := execute(t.Context(), cmd, args...)
	if code != 0 {
		t.Fatalf("%s %v: exit code %d: %s", cmd.Name(), args, code, message)
	}
	return out
}

func TestDatasetAndTargetsOnDisk(t *testing.T) {
	dir := t.TempDir()
	sites, requests := filepath.Join(dir, "sites.zst"), filepath.Join(dir, "requests.zst")
	made := succeed(t, newDatasetCommand(), "gen", "--sizes", "30,12", "--tail", "5", "--seed", "9", "--out", sites)
	if read := succeed(t, newDatasetCommand(), "info", sites); read != made {
		t.Errorf("info tells\n%sgen told\n%s", read, made)
	}
	var dataset datasets.Info
	decode(t, succeed(t, newDatasetCommand(), "info", "--json", sites), &dataset)
	if dataset.Projects != 7 || dataset.Seed != 9 || !strings.HasPrefix(dataset.Digest, "sha256:") {
		t.Errorf("info --json: %+v", dataset)
	}
	drawn := succeed(t, newTargetsCommand(), "gen", "--dataset", sites, "--per-block", "30/first=4,tail=6", "--blocks", "3", "--out", requests)
	if read := succeed(t, newTargetsCommand(), "info", requests); read != drawn {
		t.Errorf("info tells\n%sgen told\n%s", read, drawn)
	}
	var stored targets.Info
	decode(t, succeed(t, newTargetsCommand(), "info", "--json", requests), &stored)
	if stored.Targets != 30 || stored.Blocks != 3 || stored.Sizes["30"] != 12 || stored.Dataset != dataset.Digest {
		t.Errorf("info --json: %+v", stored)
	}
}

func TestTargetsOfAGeneratedDatasetAreThoseOfItsFile(t *testing.T) {
	dir := t.TempDir()
	sites := filepath.Join(dir, "sites.zst")
	succeed(t, newDatasetCommand(), "gen", "--sizes", "20", "--seed", "4", "--out", sites)
	fromFile := succeed(t, newTargetsCommand(), "gen", "--dataset", sites, "--seed", "4", "--out", filepath.Join(dir, "a"))
	generated := succeed(t, newTargetsCommand(), "gen", "--sizes", "20", "--seed", "4", "--out", filepath.Join(dir, "b"))
	if fromFile != generated {
		t.Errorf("from the file\n%sfrom the settings\n%s", fromFile, generated)
	}
}

func TestRefusedUses(t *testing.T) {
	dir := t.TempDir()
	taken, sites, cut := filepath.Join(dir, "taken"), filepath.Join(dir, "sites"), filepath.Join(dir, "cut")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, newDatasetCommand(), "gen", "--sizes", "500", "--out", sites)
	whole, err := os.ReadFile(sites)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	free := filepath.Join(dir, "free")
	for name, c := range map[string]struct {
		args string
		code int
		want string
	}{
		"existing out":         {"dataset gen --out " + taken, 2, "exists already"},
		"no out":               {"dataset gen", 2, "--out is missing"},
		"a size of nothing":    {"dataset gen --sizes 0 --out " + free, 2, "sizes: 0 deployments"},
		"no such subcommand":   {"dataset list", 2, "unknown command"},
		"not a dataset":        {"dataset info " + taken, 1, taken + ": header: not a dataset"},
		"no such file":         {"dataset info " + free, 1, "no such file"},
		"dataset cut short":    {"dataset info " + cut, 1, cut + ": record "},
		"targets of a cut one": {"targets gen --out " + free + " --dataset " + cut, 1, cut + ": record "},
		"two datasets":         {"targets gen --out " + free + " --tail 3 --dataset " + sites, 2, "--tail makes a dataset"},
		"a size it lacks":      {"targets gen --out " + free + " --per-block 7=1 --dataset " + sites, 2, "no project of 7"},
		"a share in words":     {"targets gen --out " + free + " --unknown half", 2, "expected a percentage"},
		"no blocks":            {"targets gen --out " + free + " --blocks 0", 2, "expected positive"},
		"targets are no sites": {"targets info " + sites, 1, "schema is"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, args, _ := strings.Cut(c.args, " ")
			made := map[string]*cobra.Command{"dataset": newDatasetCommand(), "targets": newTargetsCommand()}[cmd]
			code, _, message := execute(t.Context(), made, strings.Fields(args)...)
			if code != c.code || !strings.Contains(message, c.want) {
				t.Errorf("exit code %d, %q; want %d and %q", code, message, c.code, c.want)
			}
			if _, err := os.Stat(free); err == nil {
				t.Error("a refused command left its file")
			}
		})
	}
	if kept, _ := os.ReadFile(taken); string(kept) != "mine" {
		t.Errorf("the existing file holds %q", kept)
	}
}

func TestAnInterruptLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, _, message := execute(ctx, newDatasetCommand(), "gen", "--out", filepath.Join(dir, "out"))
	if code != 1 || !strings.Contains(message, "canceled") {
		t.Errorf("exit code %d, %q", code, message)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
