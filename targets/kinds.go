package targets

import "switchback/datasets"

// kinds draws what each of n arrivals asks: with PerBlock exactly the counted
// ones in drawn order, else known hostnames and the share of unknown ones.
func (m *Model) kinds(draws *datasets.Draws, n int) []stratum {
	kinds := make([]stratum, 0, n)
	if len(m.strata) == 0 {
		for range n {
			kinds = append(kinds, m.anyKind(draws))
		}
		return kinds
	}
	for _, s := range m.exactStrata() {
		for range s.count {
			kinds = append(kinds, s)
		}
	}
	for i := len(kinds) - 1; i > 0; i-- {
		j := draws.Below(uint64(i) + 1)
		kinds[i], kinds[j] = kinds[j], kinds[i]
	}
	return kinds
}

// anyKind draws a known hostname, an unknown alias or an unknown project.
func (m *Model) anyKind(draws *datasets.Draws) stratum {
	switch {
	case draws.Below(million) >= m.unknown:
		return stratum{}
	case draws.Below(2) == 0:
		return stratum{position: Unknown}
	}
	return stratum{position: None}
}

// exactStrata returns the strata with the unknown hostnames split: one half
// are aliases of projects in the proportions of the other strata, or of any
// project where there are none, the other half unknown projects.
func (m *Model) exactStrata() []stratum {
	var known []stratum
	var weights []int
	unknown := 0
	for _, s := range m.strata {
		if s.size == "" {
			unknown = s.count
			continue
		}
		known = append(known, s)
		weights = append(weights, s.count)
	}
	all := append([]stratum{{position: None, count: unknown / 2}}, known...)
	aliases := unknown - unknown/2
	if sum(weights) == 0 {
		return append(all, stratum{position: Unknown, count: aliases})
	}
	for i, count := range apportioned(aliases, weights) {
		all = append(all, stratum{size: known[i].size, position: Unknown, count: count})
	}
	return all
}

func sum(counts []int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}
