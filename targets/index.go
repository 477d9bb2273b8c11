package targets

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

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

// NewIndex reads a dataset to its end.
func NewIndex(r *datasets.Reader) (*Index, error) {
	b := &indexer{Index: &Index{functions: [][]string{nil}, lookalikes: map[string]bool{}},
		paths: map[string]uint32{}, functions: map[string]uint16{"": 0}}
	for {
		p, d, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := b.add(p, d); err != nil {
			return nil, err
		}
	}
	if b.deployments.length == 0 {
		return nil, errors.New("the dataset has no deployments")
	}
	b.endProject()
	b.info = r.Info()
	slices.Sort(b.names)
	return b.Index, nil
}

// Info sums up the dataset.
func (x *Index) Info() datasets.Info { return x.info }

// indexer builds an Index.
type indexer struct {
	*Index
	paths     map[string]uint32
	functions map[string]uint16
	project   *datasets.Project
	latest    []datasets.Asset
	unsorted  []uint32 // aliases of the project
}

func (b *indexer) add(p *datasets.Project, d *datasets.Deployment) error {
	if p != b.project {
		b.endProject()
		b.project, b.latest = p, nil
		b.projects.add(project{name: strings.Clone(p.Name), domains: cloned(p.Domains), named: p.Named,
			first: b.deployments.length, deployments: uint32(p.Deployments)})
		b.names = append(b.names, hashed(p.Name))
	}
	if b.assets.length > math.MaxUint32-uint32(len(d.Assets)) {
		return fmt.Errorf("the dataset has more than %d assets", math.MaxUint32)
	}
	b.addAssets(d.Assets)
	for _, branch := range d.Branches {
		b.branches.add(strings.Clone(branch))
		if len(branch) == len(d.Alias) && strings.Trim(branch, "0123456789abcdef") == "" {
			b.lookalikes[branch+"."+p.Name+"."+datasets.Suffix] = true
		}
	}
	id, err := strconv.ParseUint(d.ID, 16, 64)
	if err != nil {
		return fmt.Errorf("deployment id: %w", err)
	}
	alias, err := strconv.ParseUint(d.Alias, 16, 32)
	if err != nil {
		return fmt.Errorf("deployment alias: %w", err)
	}
	functions, err := b.functionsNumber(d)
	if err != nil {
		return err
	}
	b.unsorted = append(b.unsorted, uint32(alias))
	b.deployments.add(deployment{id: id, alias: uint32(alias), production: d.Production,
		assets: b.assets.length, branches: b.branches.length, functions: functions})
	return nil
}

// endProject sorts the aliases of the project that was read last.
func (b *indexer) endProject() {
	slices.Sort(b.unsorted)
	for _, alias := range b.unsorted {
		b.aliases.add(alias)
	}
	b.unsorted = b.unsorted[:0]
}

// addAssets keeps the assets that the deployment before did not have.
func (b *indexer) addAssets(all []datasets.Asset) {
	for i, a := range all {
		if i < len(b.latest) && a == b.latest[i] {
			continue
		}
		kept := asset{bytes: uint32(a.Bytes), path: b.pathNumber(a.Path)}
		hex.Decode(kept.digest[:], []byte(a.Digest))
		b.assets.add(kept)
	}
	b.latest = all
}

func (b *indexer) pathNumber(path string) uint32 {
	n, ok := b.paths[path]
	if !ok {
		path = strings.Clone(path)
		n = uint32(len(b.Index.paths))
		b.paths[path] = n
		b.Index.paths = append(b.Index.paths, path)
	}
	return n
}

func (b *indexer) functionsNumber(d *datasets.Deployment) (uint16, error) {
	var prefixes []string
	for _, s := range d.Stages {
		prefixes = append(prefixes, s.Paths...)
	}
	key := strings.Join(prefixes, " ")
	n, ok := b.functions[key]
	if !ok {
		if len(b.Index.functions) > math.MaxUint16 {
			return 0, fmt.Errorf("the dataset has more than %d sets of functions", math.MaxUint16)
		}
		n = uint16(len(b.Index.functions))
		b.functions[key] = n
		b.Index.functions = append(b.Index.functions, cloned(prefixes))
	}
	return n, nil
}

// cloned copies texts out of the record whose memory they share.
func cloned(texts []string) []string {
	var out []string
	for _, s := range texts {
		out = append(out, strings.Clone(s))
	}
	return out
}

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
