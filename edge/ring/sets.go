package ring

import (
	"fmt"
	"slices"
	"strings"
)

// AnySet names the combination of no feature, which every server has.
const AnySet = "any"

// Sets holds a ring for each combination of server features in use, such as
// "any", "eu" and "eu+large-files": the servers that have all the features.
// Combinations that select the same servers share a ring. The rings name
// servers by their index in the whole list.
type Sets struct {
	names []string
	rings map[string]*Ring // by name
	once  []*Ring          // without those that are shared
	saved int64
}

// NewSets builds the rings of the combinations: feature names joined by "+",
// or AnySet. It fails as New does, and on a combination that is listed twice
// or that no server has all features of.
func NewSets(spec Spec, servers []Server, combinations []string, opt Options) (*Sets, error) {
	return new(Builder).BuildSets(spec, servers, combinations, opt)
}

// BuildSets makes ring sets like NewSets does.
func (b *Builder) BuildSets(spec Spec, servers []Server, combinations []string, opt Options) (*Sets, error) {
	if len(combinations) == 0 {
		return nil, fmt.Errorf("ring sets of %s: no combination of features", spec)
	}
	s := &Sets{rings: make(map[string]*Ring)}
	byMembers := make(map[string]*Ring)
	for _, combination := range combinations {
		name := canonical(combination)
		if s.rings[name] != nil {
			return nil, fmt.Errorf("ring set %q is listed twice", name)
		}
		members := membersOf(servers, name)
		if len(members) == 0 {
			return nil, fmt.Errorf("ring set %q: none of %d servers has all its features", name, len(servers))
		}
		r, shared := byMembers[fmt.Sprint(members)]
		if !shared {
			var err error
			if r, err = b.buildSubset(spec, servers, members, opt); err != nil {
				return nil, fmt.Errorf("ring set %q: %w", name, err)
			}
			byMembers[fmt.Sprint(members)] = r
			s.once = append(s.once, r)
		} else {
			s.saved += r.Bytes()
		}
		s.names = append(s.names, name)
		s.rings[name] = r
	}
	return s, nil
}

// buildSubset builds a ring of some of the servers.
func (b *Builder) buildSubset(spec Spec, servers []Server, members []uint16, opt Options) (*Ring, error) {
	subset := make([]Server, len(members))
	for i, m := range members {
		subset[i] = servers[m]
	}
	r, err := b.Build(spec, subset, opt)
	if err != nil {
		return nil, err
	}
	if len(members) < len(servers) {
		r.members = members
	}
	r.servers = len(servers)
	return r, nil
}

// canonical returns a combination with its features in order.
func canonical(combination string) string {
	if combination == "" {
		return AnySet
	}
	features := strings.Split(combination, "+")
	slices.Sort(features)
	return strings.Join(features, "+")
}

// membersOf returns the servers that have all features of a combination.
func membersOf(servers []Server, combination string) []uint16 {
	var features []string
	if combination != AnySet {
		features = strings.Split(combination, "+")
	}
	var members []uint16
	for i, server := range servers {
		lacks := func(feature string) bool { return !slices.Contains(server.Features, feature) }
		if !slices.ContainsFunc(features, lacks) && i < MaxServers {
			members = append(members, uint16(i))
		}
	}
	return members
}

// Ring returns the ring of a combination, in any order of its features; it is
// nil when the combination is not in use.
func (s *Sets) Ring(combination string) *Ring {
	if r := s.rings[combination]; r != nil {
		return r
	}
	return s.rings[canonical(combination)]
}

// Names returns the combinations as they were listed, each with its features
// in order.
func (s *Sets) Names() []string { return slices.Clone(s.names) }

// Rings returns the rings, those that are shared once.
func (s *Sets) Rings() []*Ring { return slices.Clone(s.once) }

// Bytes returns the memory that all rings hold.
func (s *Sets) Bytes() int64 {
	total := int64(0)
	for _, r := range s.once {
		total += r.Bytes()
	}
	return total
}

// Saved returns the memory that more rings would hold without sharing.
func (s *Sets) Saved() int64 { return s.saved }
