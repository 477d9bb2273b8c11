package targets

import (
	"fmt"
	"math"
	"strings"

	"switchback/datasets"
)

// view appends a page view on t's hostname: one of the deployment's
// documents, and assets that are none, in their order from a drawn one on.
func (m *Model) view(out []Target, draws *datasets.Draws, t Target, p *project, d uint32) ([]Target, error) {
	if m.views == math.MaxInt32 {
		return nil, fmt.Errorf("more than %d page views", math.MaxInt32)
	}
	m.views++
	t.View = m.views
	documents, parts := m.index.pageParts(p)
	page := t
	page.Document = true
	m.fill(&page, d, m.index.assetAt(p, d, documents[draws.Below(uint64(len(documents)))]))
	out = append(out, page)
	from := draws.Below(uint64(len(parts)))
	for i := range min(m.settings.Assets, len(parts)) {
		part := t
		m.fill(&part, d, m.index.assetAt(p, d, parts[(from+uint64(i))%uint64(len(parts))]))
		out = append(out, part)
	}
	return out, nil
}

// pathsOf returns the numbers of the paths that every deployment of a project
// has: those of its first.
func (x *Index) pathsOf(p *project) []uint32 {
	var paths []uint32
	for i := x.assetsFrom(p.first); i < x.deployments.at(p.first).assets; i++ {
		paths = append(paths, x.assets.at(i).path)
	}
	return paths
}

// pageParts splits the paths of a project into documents and the others. A
// project without documents has its first path as one.
func (x *Index) pageParts(p *project) (documents, parts []uint32) {
	for _, path := range x.pathsOf(p) {
		if strings.HasSuffix(x.paths[path], "/") {
			documents = append(documents, path)
		} else {
			parts = append(parts, path)
		}
	}
	if len(documents) == 0 {
		return parts[:1], parts[1:]
	}
	return documents, parts
}

// assetsFrom is the number of the first asset that came with a deployment or
// after it.
func (x *Index) assetsFrom(d uint32) uint32 {
	if d == 0 {
		return 0
	}
	return x.deployments.at(d - 1).assets
}

// assetAt returns the number of the asset that a deployment has at a path of
// pathsOf: the latest that came with it or before. An asset changes every few
// deployments, so the walk back is short.
func (x *Index) assetAt(p *project, d, path uint32) uint32 {
	from := x.assetsFrom(p.first)
	for i := x.deployments.at(d).assets - 1; i > from; i-- {
		if x.assets.at(i).path == path {
			return i
		}
	}
	return from
}
