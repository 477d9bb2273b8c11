package datasets

import (
	"fmt"
	"strings"
)

// Bounds of a project and a deployment in a stream.
const (
	maxHost     = 253
	maxLabel    = 63
	maxPath     = 1024
	maxBranches = 1000
	maxDomains  = 1000
	maxAssets   = 1000
	maxAsset    = 1 << 30 // bytes
)

func (p *Project) check() error {
	if !isLabel(p.Name) {
		return fmt.Errorf("project name %.80q: expected a lower-case host label", p.Name)
	}
	if p.Deployments < 1 {
		return fmt.Errorf("project %q: no deployments", p.Name)
	}
	if len(p.Domains) > maxDomains {
		return fmt.Errorf("project %q: %d domains, at most %d", p.Name, len(p.Domains), maxDomains)
	}
	for _, domain := range p.Domains {
		if !isHost(domain) || strings.HasSuffix(domain, Suffix) {
			return fmt.Errorf("project %q: domain %.80q: expected a lower-case hostname outside %s", p.Name, domain, Suffix[1:])
		}
	}
	return nil
}

func (d *Deployment) check() error {
	switch {
	case len(d.Branches) > maxBranches:
		return fmt.Errorf("deployment %s: %d branches, at most %d", d.ID, len(d.Branches), maxBranches)
	case len(d.Assets) > maxAssets:
		return fmt.Errorf("deployment %s: %d assets, at most %d", d.ID, len(d.Assets), maxAssets)
	}
	for _, branch := range d.Branches {
		if !isLabel(branch) {
			return fmt.Errorf("deployment %s: branch %.80q: expected a lower-case host label", d.ID, branch)
		}
	}
	if err := checkStages(d.Stages); err != nil {
		return fmt.Errorf("deployment %s: %w", d.ID, err)
	}
	for _, a := range d.Assets {
		if !isPath(a.Path) {
			return fmt.Errorf("deployment %s: asset path %.80q: expected printable ASCII after a slash", d.ID, a.Path)
		}
	}
	return nil
}

// checkStages accepts [asset-server] and [functions, asset-server].
func checkStages(stages []Stage) error {
	names := ""
	for _, s := range stages {
		names += s.Name + " "
		if (s.Name == StageFunctions) != (len(s.Paths) > 0) {
			return fmt.Errorf("stage %.80q: %d paths", s.Name, len(s.Paths))
		}
		for _, path := range s.Paths {
			if !isPath(path) {
				return fmt.Errorf("stage %s: path %.80q: expected printable ASCII after a slash", s.Name, path)
			}
		}
		for _, b := range s.Bindings {
			if !isPrintable(b.Name) || !isPrintable(b.Kind) || !isPrintable(b.Value) {
				return fmt.Errorf("stage %s: binding %.80q: expected printable ASCII", s.Name, b.Name)
			}
		}
	}
	if names != StageAssets+" " && names != StageFunctions+" "+StageAssets+" " {
		return fmt.Errorf("stages %.80q: expected an %s, or %s before it", names, StageAssets, StageFunctions)
	}
	return nil
}

// isLabel is true for one label of a hostname in lower case (RFC 1123).
func isLabel(s string) bool {
	return len(s) <= maxLabel && strings.Trim(s, "-") == s && s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func isHost(s string) bool {
	for _, label := range strings.Split(s, ".") {
		if !isLabel(label) {
			return false
		}
	}
	return len(s) <= maxHost
}

func isPath(s string) bool {
	return strings.HasPrefix(s, "/") && len(s) <= maxPath && isPrintable(s) && !strings.ContainsAny(s, " ?#%")
}

// isPrintable is true for ASCII without control characters.
func isPrintable(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
