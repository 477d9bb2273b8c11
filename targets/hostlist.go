package targets

import (
	"fmt"

	"switchback/datasets"
)

// hostStream walks a list in random orders: every hostname is asked once
// before any is asked again, so that a server's cache of its last answers
// can't hide what a look-up costs.
type hostStream struct {
	list  *HostList
	draws datasets.Draws
	order []uint32
	next  int
}

var _ Stream = (*hostStream)(nil)

// Stream returns an endless stream over the list. Targets are in the groups of
// the thirds of the list by their position.
func (l *HostList) Stream(seed uint64) Stream {
	s := &hostStream{list: l, draws: datasets.NewDraws(seed), order: make([]uint32, len(l.Hosts))}
	for i := range s.order {
		s.order[i] = uint32(i)
	}
	s.next = len(s.order)
	return s
}

// Block implements Stream.
func (s *hostStream) Block(n int) ([]Target, error) {
	if n <= 0 || n > maxBlock {
		return nil, fmt.Errorf("a block of %d arrivals, expected 1 to %d", n, maxBlock)
	}
	out := make([]Target, n)
	for i := range out {
		if s.next == len(s.order) {
			s.shuffle()
		}
		place := s.order[s.next]
		s.next++
		out[i] = Target{Host: s.list.Hosts[place], Path: "/", Bytes: -1, Position: third(place, uint32(len(s.order)))}
	}
	return out, nil
}

// shuffle puts the hostnames into a new order (Fisher and Yates).
func (s *hostStream) shuffle() {
	for i := len(s.order) - 1; i > 0; i-- {
		j := s.draws.Below(uint64(i + 1))
		s.order[i], s.order[j] = s.order[j], s.order[i]
	}
	s.next = 0
}
