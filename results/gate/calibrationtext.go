package gate

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"switchback/results/metric"
	"switchback/results/units"
)

// Print writes a calibration for a person: the false alarms of the gates as they
// were run, then the noise of each metric.
func (c Calibration) Print(w io.Writer) error {
	k := c.MachineKind
	out := &bytes.Buffer{}
	fmt.Fprintf(out, "%s on %s, %s, %d GiB, %s\n", c.Experiment, k.CPU, units.Count(k.CPUs, "CPU"), k.MemoryGiB, k.Architecture)
	fmt.Fprintf(out, "%s of %s in blocks of %s, alpha %v, margin %s\n", units.Count(c.Gates, "A/A gate"), units.Count(c.GatePairs, "pair"), units.Seconds(c.Length), c.Alpha, units.Ratio(1+c.Margin, false))
	fmt.Fprintf(out, "false alarms: %d of %d (at most %s with 95 %% confidence)\n", c.Alarms, c.Gates, units.Percent(c.AtMost))
	if c.tooManyAlarms() {
		fmt.Fprintf(out, "these are more than alpha allows: gates on this kind of machine will say so\n")
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "metric\tspread σ\tcalled in 4 of 5 gates\tfalse alarms, relabelled")
	for _, m := range c.Metrics {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", name(m.Metric, m.Group), m.spreadText(), m.effectText(), m.alarmsText())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := w.Write(printable(out.Bytes()))
	return err
}

func (m CalibratedMetric) spreadText() string {
	if m.IsDiff {
		return scale{unit: m.unit(), own: true}.show(m.Sigma)
	}
	return units.Percent(m.Sigma)
}

func (m CalibratedMetric) effectText() string {
	if m.IsDiff {
		return scale{unit: m.unit()}.show(m.MDE)
	}
	return units.Ratio(1+m.MDE, false)
}

func (m CalibratedMetric) alarmsText() string {
	return fmt.Sprintf("%s of %s, at most %s", units.Thousands(float64(m.Alarms)), units.Thousands(float64(m.Gates)), units.Percent(m.AtMost))
}

func (m CalibratedMetric) unit() string {
	info, _ := metric.Lookup(m.Metric)
	return info.Unit
}
