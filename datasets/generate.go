package datasets

import "io"

// Generate writes the dataset of a seed and settings to w, as a stream in
// bounded memory. A seed and settings give the same stream, and so the same
// digest, on every machine. The error is that of the settings, or w's.
func Generate(w io.Writer, seed uint64, s Settings) (Info, error) {
	s = s.WithDefaults()
	if err := s.Check(); err != nil {
		return Info{}, err
	}
	out, err := newWriter(w, seed, s)
	if err != nil {
		return Info{}, err
	}
	g := &generator{seed: seed, settings: s, names: newNames(), out: out, binder: binder{average: s.BytesPerDeployment}}
	if err := g.projects(); err != nil {
		out.compressed.Close()
		return Info{}, err
	}
	return out.close()
}

// generator draws the projects of a dataset one after the other.
type generator struct {
	seed     uint64
	settings Settings
	names    names
	binder   binder
	out      *writer
	made     uint64 // deployments
}

func (g *generator) projects() error {
	for i, n := range g.settings.Sizes {
		if err := g.project(i, n, true); err != nil {
			return err
		}
	}
	for i := range g.settings.Tail {
		if err := g.project(len(g.settings.Sizes)+i, 0, false); err != nil {
			return err
		}
	}
	return nil
}

// project writes the i-th project with n deployments; 0 draws the size of a
// project of the tail. Each project has draws of its own.
func (g *generator) project(i, n int, named bool) error {
	draws := NewDraws(g.seed, uint64(i))
	if n == 0 {
		n = tailSize(&draws)
	}
	p := &Project{Name: g.names.project(&draws, i), Deployments: n, Named: named}
	p.Domains = g.names.domains(&draws, p.Name)
	if err := g.out.writeProject(p); err != nil {
		return err
	}
	g.binder.newProject(&draws)
	run := history{generator: g, draws: &draws, project: p, site: newSite(&draws), aliasKey: draws.Uint64()}
	run.functions, run.functionsFrom = drawFunctions(&draws, n)
	for k := range n {
		if err := g.out.writeDeployment(run.deploy(k)); err != nil {
			return err
		}
	}
	return nil
}

// history draws the deployments of one project.
type history struct {
	*generator
	draws         *Draws
	project       *Project
	site          *site
	aliasKey      uint64
	functions     []string // path prefixes
	functionsFrom int      // the first deployment that has functions
}

// drawFunctions draws the functions of a project of n deployments: half of the
// projects have none, the others since one of their deployments.
func drawFunctions(draws *Draws, n int) (paths []string, from int) {
	if draws.oneIn(2) {
		return nil, n
	}
	paths = []string{"/api"}
	if draws.oneIn(2) {
		paths = append(paths, "/auth")
	}
	return paths, int(draws.Below(uint64(n)))
}

// deploy draws the k-th deployment, oldest first. The newest is the
// production deployment; counted back from it, one in four has a branch alias.
func (h *history) deploy(k int) *Deployment {
	d := &Deployment{ID: deploymentID(h.seed, h.made), Alias: alias(h.aliasKey, k)}
	h.made++
	age := h.project.Deployments - 1 - k
	d.Production = age == 0
	switch {
	case age == 0:
		d.Branches = []string{"main"}
	case age%4 == 0:
		d.Branches = []string{h.names.branch(h.draws, k)}
	}
	if k >= h.functionsFrom {
		d.Stages = append(d.Stages, Stage{Name: StageFunctions, Paths: h.functions})
	}
	d.Stages = append(d.Stages, Stage{Name: StageAssets})
	h.binder.bind(h.draws, h.project, d)
	d.Assets = h.site.deploy(h.draws, k == 0)
	return d
}
