package importer

import (
	"slices"

	"switchback/targets"
)

// record is a request on its way into the file.
type record struct {
	target targets.Target
	start  int64 // microseconds since 1970; noTime
	late   bool  // start is a stamp that was too far back
}

// window is how many requests are held to be sorted. A log is in the order in
// which requests ended, and its writers' buffers disturb that.
const window = 1 << 14

// order sorts requests by when they started, as far as the window reaches.
type order struct {
	held []record
	last int64 // start of the request that left last
	emit func(*record) error
}

func newOrder(emit func(*record) error) *order {
	return &order{last: noTime, emit: emit}
}

func (o *order) add(r record) error {
	if o.held = append(o.held, r); len(o.held) < 2*window {
		return nil
	}
	if err := o.leave(window); err != nil {
		return err
	}
	n := copy(o.held, o.held[window:])
	clear(o.held[n:])
	o.held = o.held[:n]
	return nil
}

// end lets all go that are held.
func (o *order) end() error { return o.leave(len(o.held)) }

// leave lets the first n go. Equal instants stay in the order of the log.
func (o *order) leave(n int) error {
	byStart := func(a, b record) int { return int(min(1, max(-1, a.start-b.start))) }
	if !slices.IsSortedFunc(o.held, byStart) {
		slices.SortStableFunc(o.held, byStart)
	}
	for i := range n {
		r := &o.held[i]
		if r.start < o.last {
			r.start, r.late = o.last, true
		}
		o.last = r.start
		if err := o.emit(r); err != nil {
			return err
		}
	}
	return nil
}
