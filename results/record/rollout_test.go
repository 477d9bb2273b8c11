package record

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDecisionsReadBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	expected, origin := 12.5, int64(40)
	want := []Decision{
		{Schema: RolloutSchema, Arm: "a", Time: time.Unix(1, 0).UTC(), Action: Begin, Step: "5", Share: 0.05, Colos: []string{"ams"},
			Flags: map[string]int64{"ams": 2}, Expected: &expected},
		{Schema: RolloutSchema, Arm: "a", Time: time.Unix(2, 0).UTC(), At: 1.5, Action: "rollback", Reason: "errors", Step: "5", Share: 0.05, Window: 1,
			Requests: 100, Errors: 3, Origin: &origin, Extra: 2, Tripwires: []Tripwire{{Metric: "errors.ratio", Bound: "max 1%", Value: &expected, Tripped: true}}},
	}
	for _, d := range want {
		if err := run.AppendDecision(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	folder := &Folder{Dir: dir}
	if got, err := folder.Decisions(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
	file := filepath.Join(dir, RolloutFile)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name, text, fault string
		lines             int
	}{
		{"cut short", string(whole[:len(whole)-5]), "", 1},
		{"of another schema", `{"schema":"x"}` + "\n", "rollout.jsonl:1: schema \"x\"", 0},
		{"no JSON", string(whole) + "{\n", "rollout.jsonl:3:", 0},
	} {
		if err := os.WriteFile(file, []byte(row.text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := folder.Decisions()
		if len(got) != row.lines || (err == nil) != (row.fault == "") || err != nil && !strings.Contains(err.Error(), row.fault) {
			t.Errorf("%s: %d lines, %v", row.name, len(got), err)
		}
	}
	if got, err := (&Folder{Dir: t.TempDir()}).Decisions(); got != nil || err != nil {
		t.Errorf("without the file: %v, %v", got, err)
	}
}
