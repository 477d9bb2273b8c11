package targets

import (
	"fmt"
	"hash/crc32"
	"net/http"
	"strconv"
	"strings"

	"switchback/datasets"
)

// Model draws targets over an indexed dataset. It is used by one goroutine.
type Model struct {
	index    *Index
	settings Settings
	seed     uint64
	strata   []stratum
	unknown  uint64 // share in millionths
	classes  map[string]*class

	blocks     uint64
	views      int32
	turns      []uint8 // of each deployment: which of its hostnames is next
	hashes     []remembered
	castagnoli *crc32.Table
}

var _ Stream = (*Model)(nil)

// rememberedHashes bounds the memory of body hashes: 128 KiB.
const rememberedHashes = 1 << 14

// Model returns a stream of targets. The error names a setting out of its
// bounds, or a size of PerBlock that the dataset lacks.
func (x *Index) Model(s Settings, seed uint64) (*Model, error) {
	s = s.WithDefaults()
	if err := s.Check(); err != nil {
		return nil, err
	}
	m := &Model{index: x, settings: s, seed: seed, turns: make([]uint8, x.deployments.length),
		hashes: make([]remembered, rememberedHashes), castagnoli: crc32.MakeTable(crc32.Castagnoli)}
	var err error
	if m.strata, err = parseStrata(s.PerBlock); err != nil {
		return nil, err
	}
	if m.unknown, err = parseShare(s.Unknown); err != nil {
		return nil, err
	}
	m.classes = x.classes(s, m.strata)
	if err := m.checkStrata(); err != nil {
		return nil, err
	}
	return m, nil
}

// Settings returns the settings with every default filled in.
func (m *Model) Settings() Settings { return m.settings }

// checkStrata refuses strata that the dataset cannot fill.
func (m *Model) checkStrata() error {
	for _, s := range m.strata {
		c := m.classes[s.size]
		if len(c.projects) == 0 {
			return fmt.Errorf("per_block: the dataset has no project of %s", s.size)
		}
		if s.position == "" || s.position == Unknown {
			continue
		}
		for _, p := range c.projects {
			if n := m.index.projects.at(p).deployments; n < 3 {
				return fmt.Errorf("per_block: %s/%s: a project has %d deployments, at least 3 have a %s, %s and %s one",
					s.size, s.position, n, First, Middle, Last)
			}
		}
	}
	return nil
}

// Block implements Stream. A number of arrivals other than the sum of
// PerBlock is an error.
func (m *Model) Block(n int) ([]Target, error) {
	sum := m.settings.Arrivals()
	if n == 0 {
		n = sum
	}
	if most := maxBlock / (1 + m.settings.Assets); n <= 0 || n > most {
		return nil, fmt.Errorf("a block of %d arrivals, expected 1 to %d", n, most)
	}
	if sum > 0 && n != sum {
		return nil, fmt.Errorf("a block of %d arrivals, but per_block counts %d", n, sum)
	}
	draws := datasets.NewDraws(m.seed, m.blocks)
	m.blocks++
	kinds := m.kinds(&draws, n)
	out := make([]Target, 0, n*(1+m.settings.Assets))
	for _, k := range kinds {
		var err error
		if out, err = m.arrive(out, &draws, k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// arrive appends the targets of one arrival.
func (m *Model) arrive(out []Target, draws *datasets.Draws, k stratum) ([]Target, error) {
	if k.position == None {
		return append(out, Target{Host: m.index.unknownProject(draws), Path: "/", Status: http.StatusNotFound, Bytes: -1, Position: None}), nil
	}
	p := m.index.projects.at(m.classes[k.size].draw(draws))
	if k.position == Unknown {
		return append(out, Target{Host: m.index.unknownAlias(draws, p), Path: "/", Status: http.StatusNotFound, Bytes: -1,
			Size: p.size(), Position: Unknown}), nil
	}
	place := m.place(draws, p, k.position)
	d := p.first + place
	t := Target{Host: m.host(p, d), Size: p.size(), Position: third(place, p.deployments)}
	if m.settings.Assets > 0 {
		return m.view(out, draws, t, p, d)
	}
	m.single(&t, draws, p, d)
	return append(out, t), nil
}

// place draws the place of a deployment in its project's table.
func (m *Model) place(draws *datasets.Draws, p *project, position string) uint32 {
	n := p.deployments
	switch position {
	case First:
		return 0
	case Middle:
		return n / 2
	case Last:
		return n - 1
	}
	place := draws.Below(uint64(n))
	if m.settings.Model == ModelPages { // recency: the newer of two
		place = max(place, draws.Below(uint64(n)))
	}
	return uint32(place)
}

// third is the group of the place-th of n entries.
func third(place, n uint32) string {
	return [...]string{First, Middle, Last}[uint64(place)*3/uint64(n)]
}

// host returns the deployment's hostnames in rotation.
func (m *Model) host(p *project, d uint32) string {
	hosts := m.index.hostnames(p, d)
	turn := int(m.turns[d]) % len(hosts)
	m.turns[d] = uint8((turn + 1) % min(len(hosts), 256))
	return hosts[turn]
}

// functionsShare is one in how many single requests asks the functions of a
// deployment that has them.
const functionsShare = 8

// single draws what a single request asks of a deployment: an asset, or now
// and then its functions.
func (m *Model) single(t *Target, draws *datasets.Draws, p *project, d uint32) {
	prefixes := m.index.functions[m.index.deployments.at(d).functions]
	if len(prefixes) > 0 && draws.Below(functionsShare) == 0 {
		prefix := strings.TrimSuffix(prefixes[draws.Below(uint64(len(prefixes)))], "/")
		m.fillFunctions(t, d, prefix+"/items/"+strconv.FormatUint(draws.Below(100), 10))
		return
	}
	from, end := m.index.assetsFrom(p.first), m.index.deployments.at(p.first).assets
	path := m.index.assets.at(from + uint32(draws.Below(uint64(end-from)))).path
	m.fill(t, d, m.index.assetAt(p, d, path))
}
