package targets

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"switchback/datasets"
)

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
		return fmt.Errorf("the dataset has more than %d assets", uint32(math.MaxUint32))
	}
	b.addAssets(d.Assets)
	for _, branch := range d.Branches {
		b.branches.add(strings.Clone(branch))
		if len(branch) == len(d.Alias) && strings.Trim(branch, "0123456789abcdef") == "" {
			b.lookalikes[branch+"."+p.Name+datasets.Suffix] = true
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
