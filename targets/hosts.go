package targets

import (
	"fmt"
	"slices"
	"strings"

	"switchback/datasets"
)

// branchesOf returns the branch aliases of a deployment.
func (x *Index) branchesOf(d uint32) []string {
	from := uint32(0)
	if d > 0 {
		from = x.deployments[d-1].branches
	}
	return x.branches[from:x.deployments[d].branches]
}

// hostnames returns the hostnames of a deployment in the dataset's order.
func (x *Index) hostnames(p *project, d uint32) []string {
	of := &x.deployments[d]
	site := datasets.Project{Name: p.name, Domains: p.domains}
	return site.Hostnames(&datasets.Deployment{Alias: hexAlias(of.alias), Branches: x.branchesOf(d), Production: of.production})
}

// unknownAlias draws a hostname under a project that none of its deployments
// has.
func (x *Index) unknownAlias(draws *datasets.Draws, p *project) string {
	for {
		alias := uint32(draws.Uint64())
		if !x.hasAlias(p, alias) {
			return hexAlias(alias) + "." + p.name + "." + datasets.Suffix
		}
	}
}

func (x *Index) hasAlias(p *project, alias uint32) bool {
	last := p.first + p.deployments - 1
	for d := p.first; d <= last; d++ {
		if x.deployments[d].alias == alias {
			return true
		}
	}
	from := 0
	if p.first > 0 {
		from = int(x.deployments[p.first-1].branches)
	}
	return slices.Contains(x.branches[from:x.deployments[last].branches], hexAlias(alias))
}

// unknownProject draws a hostname under a project that the dataset does not
// have.
func (x *Index) unknownProject(draws *datasets.Draws) string {
	for {
		name := fmt.Sprintf("gone-%012x", draws.Uint64()>>16)
		if _, known := slices.BinarySearch(x.names, hashed(name)); !known {
			return strings.Join([]string{hexAlias(uint32(draws.Uint64())), name, datasets.Suffix}, ".")
		}
	}
}

func hexAlias(alias uint32) string { return fmt.Sprintf("%08x", alias) }
