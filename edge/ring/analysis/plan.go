package analysis

import "switchback/edge/ring"

// Fleet is where rings are held: so many processes on each of so many
// machines, each with a ring for every combination of features.
type Fleet struct {
	Servers      []ring.Server
	Combinations []string // at least ring.AnySet
	Processes    int      // on a machine
	Machines     int
}

// Plan is what one kind of ring costs a fleet.
type Plan struct {
	Ring            string  `json:"ring"`
	RingSets        int     `json:"ring_sets"`         // combinations of features
	Rings           int     `json:"rings"`             // different ones among them
	Points          int     `json:"points"`            // of all rings
	BytesPerPoint   float64 `json:"bytes_per_point"`   //
	BytesSaved      int64   `json:"bytes_saved"`       // per process, by sharing rings
	BytesPerProcess int64   `json:"bytes_per_process"` //
	BytesPerMachine int64   `json:"bytes_per_machine"` //
	BytesPerFleet   int64   `json:"bytes_per_fleet"`   //
	BuildSeconds    float64 `json:"build_seconds"`     // of all rings, one after another
	PointsLightest  int     `json:"points_lightest"`   // of the server with the fewest
	CV              float64 `json:"cv"`                // of the ring of all servers
	CVFormula       float64 `json:"cv_formula"`        //
	Worst           float64 `json:"worst"`             // greatest load over fair share
}

// PlanOf builds the ring sets of one kind and says what they cost.
func PlanOf(spec ring.Spec, fleet Fleet, opt ring.Options) (Plan, error) {
	sets, err := ring.NewSets(spec, fleet.Servers, fleet.Combinations, opt)
	if err != nil {
		return Plan{}, err
	}
	spread, err := SpreadOf(spec, fleet.Servers, opt, 0)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{
		Ring: spec.String(), RingSets: len(fleet.Combinations), Rings: len(sets.Rings()),
		BytesSaved: sets.Saved(), BytesPerProcess: sets.Bytes(),
		PointsLightest: spread.PointsLightest, CV: spread.CV, CVFormula: spread.CVFormula, Worst: spread.Worst,
	}
	for _, r := range sets.Rings() {
		plan.Points += r.Points()
		plan.BuildSeconds += r.BuildTime().Seconds()
	}
	plan.BytesPerPoint = float64(plan.BytesPerProcess) / float64(plan.Points)
	plan.BytesPerMachine = plan.BytesPerProcess * int64(fleet.Processes)
	plan.BytesPerFleet = plan.BytesPerMachine * int64(fleet.Machines)
	return plan, nil
}
