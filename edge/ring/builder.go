package ring

import "time"

// Builder builds rings one after another and keeps its buffers, so that a
// rebuild after a change of servers allocates the new ring and little else.
// The zero value is ready. It is not safe for use by several goroutines.
type Builder struct {
	tables *chainTables
	narrow workspace[uint32]
	wide   workspace[uint64] // more than 2,048 servers
}

// workspace is the memory of one build.
type workspace[W word] struct {
	partitions[W]
	sorter sorter[W]
}

// Build makes a ring like New does.
func (b *Builder) Build(spec Spec, servers []Server, opt Options) (*Ring, error) {
	start := time.Now()
	src, err := newSource(spec, servers, opt)
	if err != nil {
		return nil, err
	}
	if b.tables == nil {
		b.tables = newChainTables()
	}
	r := &Ring{spec: spec, options: opt, servers: len(servers)}
	rule := tieRule{opt.Ties, src.starts}
	if split := newSplit(src); split.fits32() {
		b.narrow.split = split
		r.layout = build(&b.narrow, spec.Version, src, rule, b.tables)
	} else {
		b.wide.split = split
		r.layout = build(&b.wide, spec.Version, src, rule, b.tables)
	}
	r.shared = src.total - r.Points()
	r.built = time.Since(start)
	return r, nil
}

// build makes the points of a source and lays them out.
func build[W word](ws *workspace[W], version Version, src *source, ties tieRule, tables *chainTables) layout {
	switch version {
	case V1:
		return newFlat[uint32](ws, src, ties, tables)
	default:
		return newFlat[uint16](ws, src, ties, tables)
	}
}
