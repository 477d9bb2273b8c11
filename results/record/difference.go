package record

import (
	"encoding/json"
	"fmt"
)

// maxDifferences bounds differences.jsonl.
const maxDifferences = 100

// Difference is a line of differences.jsonl: one request of a round that its
// arms answered differently.
type Difference struct {
	Cell   string            `json:"cell,omitempty"`
	Pair   int               `json:"pair"`
	Target int32             `json:"target"`
	Host   string            `json:"host"`
	Path   string            `json:"path"`
	Arms   map[string]Answer `json:"arms"`
}

// Answer is what an arm answered.
type Answer struct {
	Status   int    `json:"status"`
	Bytes    int64  `json:"bytes"`
	BodyHash uint32 `json:"body_hash"`
}

// Compare returns how many requests of a round were answered differently by
// its arms, of how many that all arms answered, and the first hundred of those
// that differ. samples[i][j] is request j at arm i. A request without a whole
// answer from every arm is an error, not a difference.
func Compare(pair int, arms []string, samples [][]Sample, labels []Label) (differ, answered int, first []Difference) {
	for j := range samples[0] {
		same, all := compareRequest(samples, j)
		if !all {
			continue
		}
		answered++
		if same {
			continue
		}
		differ++
		if len(first) < maxDifferences {
			first = append(first, difference(pair, arms, samples, j, labels))
		}
	}
	return differ, answered, first
}

func compareRequest(samples [][]Sample, j int) (same, all bool) {
	same = true
	want := answer(&samples[0][j])
	for i := range samples {
		s := &samples[i][j]
		if s.Error != OK && s.Error != ErrStatus && s.Error != ErrBody {
			return false, false
		}
		same = same && answer(s) == want
	}
	return same, true
}

func answer(s *Sample) Answer {
	return Answer{Status: int(s.Status), Bytes: s.Bytes, BodyHash: s.BodyHash}
}

func difference(pair int, arms []string, samples [][]Sample, j int, labels []Label) Difference {
	target := samples[0][j].Target
	d := Difference{Pair: pair, Target: target, Host: labels[target].Host, Path: labels[target].Path, Arms: map[string]Answer{}}
	for i, arm := range arms {
		d.Arms[arm] = answer(&samples[i][j])
	}
	return d
}

// AppendDifferences adds lines to differences.jsonl until the file holds the
// first hundred of the run.
func (r *Run) AppendDifferences(differences []Difference) error {
	differences = differences[:min(len(differences), maxDifferences-r.nDiffering)]
	if len(differences) == 0 {
		return nil
	}
	if r.differences == nil {
		f, err := openAppend(r.Dir, DifferencesFile)
		if err != nil {
			return err
		}
		r.differences = f
	}
	enc := json.NewEncoder(r.differences)
	for _, d := range differences {
		if err := enc.Encode(d); err != nil {
			return fmt.Errorf("writing %s: %w", DifferencesFile, err)
		}
	}
	r.nDiffering += len(differences)
	return nil
}

// Differences reads differences.jsonl. A last line cut short is left out; a
// folder without the file has none.
func (f *Folder) Differences() ([]Difference, error) {
	return objects(f, DifferencesFile, maxDifferences, func(*Difference) error { return nil })
}
