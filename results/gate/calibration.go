package gate

// Calibration is what A/A runs on one kind of machine showed.
type Calibration struct {
	Alarms int
	Gates  int
}

func (c *Calibration) alarmRate() (low float64, alarms, gates int) {
	if c == nil || c.Gates == 0 {
		return 0, 0, 0
	}
	return 0, c.Alarms, c.Gates
}
