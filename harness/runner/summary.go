package runner

import (
	"errors"

	"switchback/harness/experiment"
	"switchback/results/gate"
	"switchback/results/record"
)

// Judge summarises a run folder by the gates of its experiment: as a whole, or
// each cell of a sweep by itself. With gate.ErrNothingCompared the summary is
// complete. The calibration is that of the run's kind of machine, nil for none.
func Judge(folder *record.Folder, e *experiment.Experiment, calibration *gate.Calibration) (record.Summary, error) {
	loaded, err := gate.Load(folder)
	if err != nil {
		return record.Summary{}, err
	}
	points, err := e.Cells()
	if err != nil {
		return record.Summary{}, err
	}
	summary, err := judged(loaded, e, points, calibration)
	summary.Windows, summary.Notes = plannedWindows(points), folder.Manifest.Notes
	return summary, err
}

func judged(loaded gate.Run, e *experiment.Experiment, points []experiment.Cell, calibration *gate.Calibration) (record.Summary, error) {
	if len(e.Sweep) == 0 {
		return gate.Summarise(loaded, rulesOf(e, calibration))
	}
	var cells []gate.Cell
	for _, point := range points {
		cell := gate.Cell{Name: point.Name, Rules: rulesOf(point.Experiment, calibration)}
		for _, at := range point.At {
			cell.At = append(cell.At, gate.Coordinate(at))
		}
		cells = append(cells, cell)
	}
	return gate.Sweep(loaded, cells)
}

// plannedWindows are the changes of all cells.
func plannedWindows(points []experiment.Cell) (all []record.Window) {
	for _, point := range points {
		for _, k := range point.Experiment.Change {
			w := planned(k)
			w.Cell = point.Name
			all = append(all, w)
		}
	}
	return all
}

func rulesOf(e *experiment.Experiment, calibration *gate.Calibration) gate.Rules {
	rules := e.Rules()
	rules.Calibration = calibration
	return rules
}

// summarise judges the run on disk, writes its summary and returns the folder
// with it. A gate that compared nothing is in the summary, as an invalid run.
func (r *run) summarise() (*record.Folder, error) {
	folder, err := record.Open(r.dir)
	if err != nil {
		return nil, err
	}
	summary, err := Judge(folder, r.e, r.o.Calibration)
	if err != nil && !errors.Is(err, gate.ErrNothingCompared) {
		return nil, err
	}
	folder.Summary = &summary
	return folder, r.folder.WriteSummary(summary)
}

// decidedEarly takes the first of two looks once half of the pairs are on disk.
func (c *cell) decidedEarly(pairs int) (bool, error) {
	if c.e.Gate.Looks < 2 || pairs != c.e.Blocks.Pairs/2 {
		return false, nil
	}
	folder, err := record.Open(c.dir)
	if err != nil {
		return false, err
	}
	loaded, err := gate.Load(folder)
	if err != nil {
		return false, err
	}
	_, decided, err := gate.FirstLook(loaded.Cell(c.name), c.e.Rules())
	return decided, err
}
