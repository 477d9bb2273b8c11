package runner

import (
	"path/filepath"

	"switchback/harness/probe"
	"switchback/results/gate"
)

// Calibrations returns the folder of the calibrations below a results folder.
func Calibrations(results string) string { return filepath.Join(results, "calibration") }

// Calibration reads the calibration of this kind of machine from below a
// results folder; nil when there is none.
func Calibration(results string) (*gate.Calibration, error) {
	p, err := probe.New()
	if err != nil {
		return nil, err
	}
	kind, err := p.MachineKind()
	if err != nil {
		return nil, err
	}
	return gate.ReadCalibration(Calibrations(results), kind)
}
