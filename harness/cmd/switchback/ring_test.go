package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ringCommand runs `switchback ring` with arguments and returns what it prints.
func ringCommand(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	cmd := newRingCommand()
	var out bytes.Buffer
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	err := cmd.Execute()
	return out.String(), err
}

func writeServers(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "servers.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRingPick has answers recorded from nginx (its set of weights 1 to 10).
func TestRingPick(t *testing.T) {
	file := writeServers(t, "server,weight\n127.0.0.1:9001,1\n127.0.0.1:9002,2\n127.0.0.1:9003,5\n127.0.0.1:9004,10\n127.0.0.1:9005,3\n")
	keys := "/28398f9f4ba71ab7ac0504a56cc6be1805fdf179\n/static/f6466d5fdae85d09/app.46.js\n\"a\",b\n"
	for _, notation := range []string{"v1", "v2:160", "v3"} {
		out, err := ringCommand(t, keys, "pick", "--servers", file, "--ring", notation)
		lines := strings.Split(out, "\n")
		if err != nil || len(lines) != 4 || lines[0] != "/28398f9f4ba71ab7ac0504a56cc6be1805fdf179,127.0.0.1:9004" ||
			lines[1] != "/static/f6466d5fdae85d09/app.46.js,127.0.0.1:9005" || !strings.HasPrefix(lines[2], `"""a"",b",127.0.0.1:`) {
			t.Errorf("%s prints %q, %v", notation, out, err)
		}
	}
	out, err := ringCommand(t, "/static/f6466d5fdae85d09/app.46.js", "pick", "--servers", file, "--down", "127.0.0.1:9005", "--distinct", "5")
	row := strings.Split(strings.TrimSuffix(out, "\n"), ",")
	if err != nil || len(row) != 5 || slices.Contains(row, "127.0.0.1:9005") {
		t.Errorf("with a server down: %q, %v", out, err)
	}
}

func TestRingPrintsJSON(t *testing.T) {
	for _, tt := range []struct {
		args    []string
		rows    int
		columns []string
	}{
		{[]string{"spread", "--servers", "20", "--ring", "v1,v2:16,v3:16", "--ties", "address,hashed", "--json"}, 6,
			[]string{"ring", "ties", "points", "cv", "cv_formula", "worst", "best", "collisions", "collisions_expected", "bytes", "bytes_per_point", "build_seconds", "unfair"}},
		{[]string{"move", "v2:160", "v2:16", "--servers", "20", "--json"}, 1, []string{"from", "to", "moved", "moved_formula", "servers"}},
		{[]string{"plan", "--servers", "64", "--sets", "4", "--processes", "2", "--machines", "3", "--json"}, 5,
			[]string{"ring", "ring_sets", "points", "bytes_per_process", "bytes_per_machine", "bytes_per_fleet", "bytes_saved", "cv", "worst"}},
		{[]string{"bench", "--servers", "20", "--ring", "v3:16,v3:160", "--json"}, 4,
			[]string{"ring", "points", "bytes_per_point", "floor_ratio", "build_seconds", "build_ratio", "lookup_ns", "binary_search_ns", "lookup_ratio"}},
	} {
		out, err := ringCommand(t, "", tt.args...)
		var rows []map[string]any
		if err != nil || json.Unmarshal([]byte(out), &rows) != nil || len(rows) != tt.rows {
			t.Errorf("%v prints %d rows, want %d (%v):\n%s", tt.args, len(rows), tt.rows, err, out)
			continue
		}
		for _, column := range tt.columns {
			if _, ok := rows[0][column]; !ok {
				t.Errorf("%v: no column %s in %v", tt.args, column, rows[0])
			}
		}
	}
}

func TestRingSpreadForms(t *testing.T) {
	chart := filepath.Join(t.TempDir(), "cv.svg")
	out, err := ringCommand(t, "", "spread", "--servers", "20", "--weights", "1-10", "--ring", "v2:16", "--csv", "--svg", chart)
	if err != nil || !strings.HasPrefix(out, "ring,ties,servers,points,") || !strings.Contains(out, "\nv2:16,address,20,1760,") {
		t.Errorf("CSV is %q, %v", out, err)
	}
	if drawn, err := os.ReadFile(chart); err != nil || !bytes.HasPrefix(drawn, []byte("<svg ")) {
		t.Errorf("the chart is %.40q, %v", drawn, err)
	}
	text, err := ringCommand(t, "", "spread", "--servers", "20", "--weights", "1-10", "--ring", "v2:16")
	if err != nil || strings.Count(text, "\n") != 2 || strings.Fields(text)[0] != "ring" {
		t.Errorf("text is %q, %v", text, err)
	}
}

func TestRingMoveOfServers(t *testing.T) {
	out, err := ringCommand(t, "", "move", "v3:160", "v3:160", "--servers", "10", "--remove", "10.0.0.3:80", "--top", "1")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) != 4 || strings.Fields(lines[3])[0] != "10.0.0.3:80" {
		t.Errorf("the removed server is not the one with the most moved keys: %v\n%s", err, out)
	}
}

func TestRingWithDrainedServers(t *testing.T) {
	file := writeServers(t, "server,weight\n10.0.0.1:80,0\n10.0.0.2:80,3\n10.0.0.3:80,1\n")
	out, err := ringCommand(t, "key\n", "pick", "--servers", file, "--distinct", "2")
	if err != nil || strings.Contains(out, "10.0.0.1:80") {
		t.Errorf("a key goes to a drained server: %q, %v", out, err)
	}
	out, err = ringCommand(t, "", "move", "v3:16", "v3:16", "--servers", file, "--reweight", "10.0.0.1:80=1,10.0.0.3:80=0", "--json")
	var rows []struct {
		Servers []struct {
			Server       string
			Lost, Gained float64
			ShareTo      float64 `json:"share_to"`
		}
	}
	if err != nil || json.Unmarshal([]byte(out), &rows) != nil || len(rows) != 1 || len(rows[0].Servers) != 3 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, s := range rows[0].Servers {
		if s.Server == "10.0.0.1:80" && s.Gained == 0 || s.Server == "10.0.0.3:80" && s.ShareTo != 0 {
			t.Errorf("%+v: the drained server takes the place of the other", s)
		}
	}
	_, err = ringCommand(t, "", "move", "v1", "v1", "--servers", "1", "--reweight", "10.0.0.1:80=0")
	if err == nil || !strings.Contains(err.Error(), "after the change: none of the 1 servers") {
		t.Errorf("all servers are drained: %v", err)
	}
}

func TestRingPlanOfFeatures(t *testing.T) {
	file := writeServers(t, "server,weight,features\n10.0.0.1:80,1,eu\n10.0.0.2:80,2,eu+large-files\n10.0.0.3:80,3,\n")
	out, err := ringCommand(t, "", "plan", "--servers", file, "--sets", "any,eu,large-files,eu+large-files", "--ring", "v3:16", "--json")
	var rows []struct {
		RingSets int `json:"ring_sets"`
		Rings    int
		Saved    int `json:"bytes_saved"`
	}
	if err != nil || json.Unmarshal([]byte(out), &rows) != nil || rows[0].RingSets != 4 || rows[0].Rings != 3 || rows[0].Saved == 0 {
		t.Errorf("%+v, %v\n%s", rows, err, out)
	}
}

func TestRingRefusesBadUsage(t *testing.T) {
	bad := writeServers(t, "server,weight\n10.0.0.1:80,1\n10.0.0.2,1\n")
	drained := writeServers(t, "server,weight\n10.0.0.1:80,0\n")
	for _, tt := range []struct{ args, says string }{
		{"spread --ring v4:1", `ring "v4:1"`},
		{"spread --ring v1:16", "v1 has 160"},
		{"spread --servers 0", "0 servers"},
		{"spread --servers 3 --weights 5-1", "weights"},
		{"spread --servers 3 --ties first", "tie rule"},
		{"spread --servers 3 --names dns", "names"},
		{"spread --servers 3 --memory 5B", "memory of 5 bytes"},
		{"spread --servers 3 --json --csv", "exclude each other"},
		{"spread --servers " + bad, "servers.csv:3:"},
		{"spread --servers " + drained, "none of the 1 servers"},
		{"plan --servers " + drained, "none of the 1 servers"},
		{"pick --servers nowhere.csv", "nowhere.csv"},
		{"pick --servers 3 --distinct 4", "--distinct 4"},
		{"pick --servers 3 --down 10.0.0.9:80", "no such server"},
		{"pick --servers 2 --down 10.0.0.1:80,10.0.0.2:80", "all 2 servers"},
		{"pick --servers 10 --weights 1000000-1000000", "64000000"},
		{"move v2:160 v2:16 --servers 3 --remove 10.0.0.9:80", "no server 10.0.0.9:80"},
		{"plan --servers 3 --sets 9", "9 ring sets"},
		{"plan --servers 3 --sets any,eu", `ring set "eu"`},
		{"plan --servers 3 --machines 0", "--machines 0"},
		{"bench --servers 3 --max-points 100", "100"},
	} {
		_, err := ringCommand(t, "key\n", strings.Fields(tt.args)...)
		var bad usageError
		if err == nil || !strings.Contains(err.Error(), tt.says) || !errors.As(err, &bad) {
			t.Errorf("ring %s fails with %v (%T), want bad usage with %q", tt.args, err, err, tt.says)
		}
	}
}
