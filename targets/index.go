package targets

import (
	"hash/fnv"
	"io"
	"strconv"

	"switchback/datasets"
)

// Index holds of a dataset what targets are drawn from, compactly: 24 bytes a
// distinct asset, 28 and its branches a deployment, about 100 a project. It is
// shared by the models over it and not changed by them.
type Index struct {
	info        datasets.Info
	projects    table[project]
	names       []uint64 // hashes of the projects' names, ascending
	deployments table[deployment]
	aliases     table[uint32]   // of the deployments, ascending within a project
	lookalikes  map[string]bool // hostnames of branches that are named like a hash alias
	assets      table[asset]
	branches    table[string]
	paths       []string
	functions   [][]string // path prefixes
}

// project is a site; its deployments are those from first on.
type project struct {
	name        string
	domains     []string
	first       uint32
	deployments uint32
	named       bool
}

// deployment is one version of a project. The fields that end a range begin
// where the deployment before it ended.
type deployment struct {
	id         uint64
	alias      uint32
	assets     uint32 // end of the assets that were new with it
	branches   uint32 // end of its branches
	functions  uint16 // number of its path prefixes; 0 has none
	production bool
}

// asset is an asset that a deployment brought. It is served until a later
// deployment of the project brings another one of its path.
type asset struct {
	digest [16]byte
	bytes  uint32
	path   uint32
}

// Info sums up the dataset.
func (x *Index) Info() datasets.Info { return x.info }

// key is the project's key in Settings.PerBlock.
func (p *project) key() string {
	if p.named {
		return strconv.Itoa(int(p.deployments))
	}
	return keyTail
}

// size is the project's group by size.
func (p *project) size() string {
	if p.named {
		return strconv.Itoa(int(p.deployments))
	}
	power := 1
	for n := int(p.deployments); n >= 10; n /= 10 {
		power *= 10
	}
	return strconv.Itoa(power)
}

func hashed(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64()
}
