// Package datasets says what exists: projects, their deployments, hostnames,
// pipelines and assets. A dataset is a zstd-compressed stream, generated from
// a seed with integer draws only, so that its digest is equal on every
// machine; it is written and read in bounded memory.
package datasets

// Suffix is the domain under which every project has its hostnames, with the dot in
// front.
const Suffix = ".pages.dev"

// Settings of the generator; the zero value of a field is its default.
type Settings struct {
	Sizes              []int `yaml:"sizes,omitempty" json:"sizes,omitempty"`                               // deployments of each named project
	Tail               int   `yaml:"tail,omitempty" json:"tail,omitempty"`                                 // further projects, with Pareto sizes below 100
	BytesPerDeployment int   `yaml:"bytes_per_deployment,omitempty" json:"bytes_per_deployment,omitempty"` // of a routing table; default 1000
}

// Project is a site. Its deployments follow it in the stream, oldest first.
type Project struct {
	Name        string   `json:"name"`
	Deployments int      `json:"deployments"`
	Named       bool     `json:"named,omitempty"`   // one of Settings.Sizes, not of the tail
	Domains     []string `json:"domains,omitempty"` // custom domains; they show the production deployment
}

// Deployment is one immutable version of a project.
type Deployment struct {
	ID         string   `json:"id"`                   // unique in the dataset
	Alias      string   `json:"alias"`                // 8 hex digits, unique in the project
	Branches   []string `json:"branches,omitempty"`   // branch aliases that show this deployment
	Production bool     `json:"production,omitempty"` // shown at the project's own name and custom domains
	Stages     []Stage  `json:"stages"`
	Assets     []Asset  `json:"assets"`
}

// Stage is one step of a pipeline, run in order.
type Stage struct {
	Name     string    `json:"name"`            // StageFunctions or StageAssets
	Paths    []string  `json:"paths,omitempty"` // functions: the path prefixes it answers
	Bindings []Binding `json:"bindings,omitempty"`
}

// The names of the stages.
const (
	StageFunctions = "functions"
	StageAssets    = "asset-server"
)

// Binding is a named resource that a stage may use.
type Binding struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// Asset is one file of a deployment. Deployments share assets by digest.
type Asset struct {
	Path   string `json:"path"`   // "/", "/assets/app.js"
	Digest string `json:"digest"` // 32 hex digits; the edge's cache key
	Bytes  int64  `json:"bytes"`
}

// Hostnames returns the hostnames that show the deployment: its hash alias,
// its branch aliases, and for the production deployment the project's own
// name and custom domains.
func (p *Project) Hostnames(d *Deployment) []string {
	under := "." + p.Name + Suffix
	hosts := make([]string, 0, 2+len(d.Branches)+len(p.Domains))
	hosts = append(hosts, d.Alias+under)
	for _, b := range d.Branches {
		hosts = append(hosts, b+under)
	}
	if d.Production {
		hosts = append(hosts, p.Name+Suffix)
		hosts = append(hosts, p.Domains...)
	}
	return hosts
}
