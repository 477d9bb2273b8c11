package ring

import "time"

// Builder builds rings one after another and keeps its buffers, so that a
// rebuild after a change of servers allocates the new ring and little else.
// The zero value is ready. It is not safe for use by several goroutines.
type Builder struct {
	narrow partitions[uint32]
	wide   partitions[uint64] // more than 2,048 servers
}

// Build makes a ring like New does.
func (b *Builder) Build(spec Spec, servers []Server, opt Options) (*Ring, error) {
	start := time.Now()
	maxPoints, err := opt.maxPoints()
	if err != nil {
		return nil, err
	}
	src, err := newSource(spec, servers, opt.Names, maxPoints)
	if err != nil {
		return nil, err
	}
	r := &Ring{spec: spec, options: opt, servers: len(servers)}
	rule := tieRule{opt.Ties, src}
	if split := newSplit(src); split.fits32() {
		b.narrow.split = split
		r.layout = build(&b.narrow, spec.Version, src, rule)
	} else {
		b.wide.split = split
		r.layout = build(&b.wide, spec.Version, src, rule)
	}
	r.shared = src.total - r.Points()
	r.built = time.Since(start)
	return r, nil
}

// build makes the points of a source and lays them out.
func build[W word](points *partitions[W], version Version, src *source, ties tieRule) layout {
	switch version {
	case V1:
		return newFlat[uint32](points, src, ties)
	case V3:
		return newPacked(points, src, ties)
	default:
		f := newFlat[uint16](points, src, ties)
		f.addIndex()
		return f
	}
}
