package targets

import (
	"fmt"
	"slices"
	"sort"

	"switchback/datasets"
)

// branchesOf returns the branch aliases of a deployment.
func (x *Index) branchesOf(d uint32) []string {
	from := uint32(0)
	if d > 0 {
		from = x.deployments.at(d - 1).branches
	}
	var all []string
	for i := from; i < x.deployments.at(d).branches; i++ {
		all = append(all, *x.branches.at(i))
	}
	return all
}

// hostnames returns the hostnames of a deployment in the dataset's order.
func (x *Index) hostnames(p *project, d uint32) []string {
	of := x.deployments.at(d)
	site := datasets.Project{Name: p.name, Domains: p.domains}
	return site.Hostnames(&datasets.Deployment{Alias: hexAlias(of.alias), Branches: x.branchesOf(d), Production: of.production})
}

// unknownAlias draws a hostname under a project that none of its deployments
// has.
func (x *Index) unknownAlias(draws *datasets.Draws, p *project) string {
	for {
		alias := uint32(draws.Uint64())
		host := hexAlias(alias) + "." + p.name + datasets.Suffix
		if !x.hasAlias(p, alias) && !x.lookalikes[host] {
			return host
		}
	}
}

func (x *Index) hasAlias(p *project, alias uint32) bool {
	n := int(p.deployments)
	i := sort.Search(n, func(i int) bool { return *x.aliases.at(p.first + uint32(i)) >= alias })
	return i < n && *x.aliases.at(p.first + uint32(i)) == alias
}

// unknownProject draws a hostname under a project that the dataset does not
// have.
func (x *Index) unknownProject(draws *datasets.Draws) string {
	for {
		name := fmt.Sprintf("gone-%012x", draws.Uint64()>>16)
		if _, known := slices.BinarySearch(x.names, hashed(name)); !known {
			return hexAlias(uint32(draws.Uint64())) + "." + name + datasets.Suffix
		}
	}
}

func hexAlias(alias uint32) string { return fmt.Sprintf("%08x", alias) }
