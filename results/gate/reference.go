package gate

import (
	"fmt"
	"slices"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// ReferenceSchema is written into every reference and checked when read.
const ReferenceSchema = "switchback.reference/2"

// ReferenceArm is the name of the reference among the arms of a summary.
const ReferenceArm = "reference"

// Reference is a stored run that later ones are compared with: one value for
// each launch (or pair, where launches are no level) of every metric.
type Reference struct {
	Schema        string                       `json:"schema"`
	Run           string                       `json:"run"`
	Experiment    string                       `json:"experiment"`
	Commit        string                       `json:"commit,omitempty"`
	MachineKind   record.MachineKind           `json:"machine_kind"`
	DatasetDigest string                       `json:"dataset_digest"`
	TargetsDigest string                       `json:"targets_digest"`
	Arms          map[string][]ReferenceSeries `json:"arms"`
}

// ReferenceSeries are the values of one metric and group.
type ReferenceSeries struct {
	Metric string    `json:"metric"`
	Group  string    `json:"group,omitempty"`
	Values []float64 `json:"values"`
}

// NewReference keeps what a later run needs to be compared with this one. Quantiles
// that failed requests make unjudgeable are left out.
func NewReference(run Run, rules Rules) (Reference, error) {
	t, err := newTable(run.Blocks)
	if err != nil {
		return Reference{}, fmt.Errorf("making a reference of %s: %w", run.Manifest.Run, err)
	}
	if err := nearestRank(run); err != nil {
		return Reference{}, err
	}
	j := &judge{run: run, rules: rules.withDefaults(run, t.arms), table: t}
	m := run.Manifest
	ref := Reference{Schema: ReferenceSchema, Run: m.Run, Experiment: m.Experiment, Commit: m.Commit, MachineKind: m.MachineKind,
		DatasetDigest: m.DatasetDigest, TargetsDigest: m.TargetsDigest, Arms: map[string][]ReferenceSeries{}}
	for _, arm := range j.rules.Arms {
		for _, s := range t.names {
			if info, ok := metric.Lookup(s.metric); ok {
				if values := j.ownUnits(s, info, arm); len(values) > 0 && j.answered(s, info, arm) {
					ref.Arms[arm] = append(ref.Arms[arm], ReferenceSeries{s.metric, s.group, values})
				}
			}
		}
	}
	return ref, nil
}

// nearestRank refuses to compare quantiles of two rules.
func nearestRank(run Run) error {
	for i := range run.Blocks {
		if !run.Blocks[i].NearestRank() {
			return fmt.Errorf("run %s: its quantiles are of an earlier rule (rank q·n rounded, now ⌈q·n⌉): run it again", run.Manifest.Run)
		}
	}
	return nil
}

// WriteReference stores a reference.
func WriteReference(path string, ref Reference) error { return store(path, ref) }

// ReadReference reads a stored reference.
func ReadReference(path string) (Reference, error) {
	var ref Reference
	err := load(path, ReferenceSchema, &ref)
	return ref, err
}

// values returns the reference's values of a series; nil when it has none.
func (r Reference) values(arm string, s series) []float64 {
	i := slices.IndexFunc(r.Arms[arm], func(v ReferenceSeries) bool { return v.Metric == s.metric && v.Group == s.group })
	if i < 0 {
		return nil
	}
	return r.Arms[arm][i].Values
}

// MismatchError says why a run may not be compared with a reference: exit
// code 5 unless forced.
type MismatchError struct{ Reasons []string }

func (e *MismatchError) Error() string {
	return "no reference to compare with: " + strings.Join(e.Reasons, "; ")
}

// mismatch lists what must be equal in a run and its reference, and is not.
func (r Reference) mismatch(m record.Manifest) []string {
	var reasons []string
	differ := func(what string, ref, run any) {
		if ref != run {
			reasons = append(reasons, fmt.Sprintf("%s differs: reference %v, run %v", what, ref, run))
		}
	}
	differ("machine kind", kindText(r.MachineKind), kindText(m.MachineKind))
	differ("dataset", r.DatasetDigest, m.DatasetDigest)
	differ("targets", r.TargetsDigest, m.TargetsDigest)
	return reasons
}

func kindText(k record.MachineKind) string {
	return fmt.Sprintf("%s, %s, %d GiB, %s", k.CPU, units.Count(k.CPUs, "CPU"), k.MemoryGiB, k.Architecture)
}

// CompareReference judges the arms of a run against the arms of the same name
// of a stored one. Another kind of machine, dataset or targets is a
// *MismatchError, unless forced: then it is a note. The comparison is
// unpaired, and the summary says how much weaker that is.
func CompareReference(run Run, ref Reference, rules Rules, force bool) (record.Summary, error) {
	reasons := ref.mismatch(run.Manifest)
	if len(reasons) > 0 && !force {
		return record.Summary{}, &MismatchError{reasons}
	}
	t, err := newTable(run.Blocks)
	if err == nil {
		err = rules.check()
	}
	if err != nil {
		return record.Summary{}, fmt.Errorf("comparing %s: %w", run.Manifest.Run, err)
	}
	if err := nearestRank(run); err != nil {
		return record.Summary{}, err
	}
	j := &judge{run: run, rules: rules.withDefaults(run, t.arms), table: t, share: 1, validity: record.Validity{OK: true, Notes: []string{}}}
	j.dead = j.findDead()
	j.checkValidity()
	for _, reason := range reasons {
		j.note("forced comparison: %s", reason)
	}
	s := j.counts()
	s.Baseline, s.Arms = ReferenceArm, append([]string{ReferenceArm}, s.Arms...)
	u := &unpaired{judge: j, ref: ref}
	s.Gates = u.gates()
	s.Metrics = u.metrics(s.Gates)
	u.warn(s.Gates)
	s.Verdict = u.verdict(s.Gates)
	s.Validity, s.Events, s.Deaths = j.believed(), j.events, j.lost
	return s, j.compared
}

// verdict is that of the gates, after validity.
func (u *unpaired) verdict(gates []record.Gate) string {
	switch {
	case u.compared != nil:
		return record.Invalid
	case u.rules.ReportOnly:
		return u.withoutGates()
	case u.lostVerdict() != "":
		return u.lostVerdict()
	case !u.validity.OK || u.noisy:
		return record.Invalid
	}
	return worst(gates)
}

// ownUnits returns one value of an arm for each unit.
func (j *judge) ownUnits(s series, m metric.Metric, arm string) []float64 {
	values, launch := j.table.own(s, arm, j.alone[arm].pairs)
	if m.PerLaunch || !j.rules.OneProcess {
		values, _ = launchFold(m)(values, launch)
	}
	return values
}
