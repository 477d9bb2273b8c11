package datasets

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// entry is the value in a routing table, in the form that Pattern documents.
type entry struct {
	Deployment string       `json:"deployment"`
	Stages     []entryStage `json:"stages"`
}

type entryStage struct {
	Name     string            `json:"name"`
	Paths    []string          `json:"paths,omitempty"`
	Bindings map[string]string `json:"bindings,omitempty"`
}

// marshalled returns a deployment's entry as it stands in the table's JSON,
// with the comma after it.
func marshalled(t testing.TB, d deployment) []byte {
	t.Helper()
	e := entry{Deployment: d.ID}
	for _, s := range d.Stages {
		bindings := map[string]string{}
		for _, b := range s.Bindings {
			bindings[b.Name] = b.Value
		}
		e.Stages = append(e.Stages, entryStage{s.Name, s.Paths, bindings})
	}
	table, err := json.Marshal(map[string]entry{d.project.Pattern(d.Deployment): e})
	if err != nil {
		t.Fatal(err)
	}
	table[len(table)-1] = ','
	return table[1:]
}

func TestAnEntryHasTheAskedBytesOnAverage(t *testing.T) {
	for _, average := range []int{256, 400, 1000, 4000, 20_000} {
		s := Settings{Sizes: []int{60, 10}, Tail: 10, BytesPerDeployment: average}
		stream, info := generated(t, 5, s)
		all, _ := read(t, stream)
		total := int64(0)
		for _, d := range all {
			text := marshalled(t, d)
			if len(text) != d.project.entryBytes(d.Deployment) {
				t.Fatalf("entryBytes says %d, marshalled are %d: %s", d.project.entryBytes(d.Deployment), len(text), text)
			}
			total += int64(len(text))
		}
		if mean := float64(total) / float64(len(all)); math.Abs(mean/float64(average)-1) > 0.03 {
			t.Errorf("asked for %d bytes, an entry has %.1f", average, mean)
		}
		if total+info.Projects != info.TableBytes {
			t.Errorf("info counts %d bytes of tables, entries and braces have %d", info.TableBytes, total+info.Projects)
		}
	}
}

func TestAPatternMatchesItsHostnamesAndNoOther(t *testing.T) {
	stream, info := generated(t, 3, Settings{Sizes: []int{40}, Tail: 40})
	all, _ := read(t, stream)
	owner := map[string]int{}
	for i, d := range all {
		for _, host := range d.project.Hostnames(d.Deployment) {
			if other, taken := owner[host]; taken {
				t.Errorf("deployments %d and %d both have %s", other, i, host)
			}
			owner[host] = i
		}
	}
	if int64(len(owner)) != info.Hostnames {
		t.Errorf("%d hostnames, info counts %d", len(owner), info.Hostnames)
	}
	for i, d := range all {
		pattern := regexp.MustCompile(d.project.Pattern(d.Deployment))
		for host, of := range owner {
			name, ok := relative(d.project, host)
			if ok && pattern.MatchString(name) != (of == i) {
				t.Errorf("%s matches %s: %v", pattern, name, of != i)
			}
		}
		for _, wrong := range []string{"x" + d.Alias, d.Alias + "x", d.Alias + "." + d.project.Name, ""} {
			if pattern.MatchString(wrong) {
				t.Errorf("%s matches %s", pattern, wrong)
			}
		}
	}
}

// relative returns a hostname as a project's table names it; false for a
// hostname of another project.
func relative(p *Project, host string) (string, bool) {
	own := p.Name + Suffix
	if label, ok := strings.CutSuffix(host, "."+own); ok {
		return label, true
	}
	if host == own {
		return "@", true
	}
	return host, slices.Contains(p.Domains, host)
}
