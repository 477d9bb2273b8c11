package load

import "time"

// margin is how long before a due instant a pacer stops sleeping and spins. It
// follows the machine: it tends to the median overshoot of a sleep. Timers of a
// bare machine overshoot by a few microseconds, those of a virtual one by tens;
// a fixed margin either burns CPU or is late. It begins with 15 µs: measured
// pinned at 5,000/s in a small virtual machine, a fixed 100 µs gave the same
// lateness for twice the CPU, and first bytes were read late.
type margin struct{ now time.Duration }

// The margin's start and bounds, and the unit of its moves.
const (
	firstMargin = 15 * time.Microsecond
	leastMargin = 3 * time.Microsecond
	mostMargin  = 60 * time.Microsecond
	marginUnit  = 100 * time.Nanosecond
)

// get returns the margin.
func (m *margin) get() time.Duration {
	if m.now == 0 {
		m.now = firstMargin
	}
	return m.now
}

// learn takes the overshoot of one sleep: a unit up for one above the margin,
// a unit down for one below, which is level at the median.
func (m *margin) learn(overshoot time.Duration) {
	step := -marginUnit
	if overshoot > m.get() {
		step = marginUnit
	}
	m.now = min(max(m.now+step, leastMargin), mostMargin)
}
