package datasets

import "strings"

// Pattern returns the regular expression (RE2) that matches the hostnames of
// a deployment and no other:
//
//	^2b469e16\.example\.pages\.dev$
//	^(?:2b469e16|fix-cache-3)\.example\.pages\.dev$
//	^(?:(?:2b469e16|main)\.example\.pages\.dev|example\.pages\.dev|www\.example\.test)$
//
// It is the key of the deployment's entry in the project's routing table. The
// table has one entry a deployment, oldest first:
//
//	{"^…$":{"deployment":ID,"stages":[{"name":NAME,"paths":[PREFIX,…],"bindings":{NAME:VALUE,…}},…]},…}
//
// without the paths and bindings of a stage that has none.
func (p *Project) Pattern(d *Deployment) string {
	own := quoted(p.Name + "." + Suffix)
	labels := d.Alias
	if len(d.Branches) > 0 {
		labels = "(?:" + d.Alias + "|" + strings.Join(d.Branches, "|") + ")"
	}
	if !d.Production {
		return "^" + labels + `\.` + own + "$"
	}
	all := []string{labels + `\.` + own, own}
	for _, domain := range p.Domains {
		all = append(all, quoted(domain))
	}
	return "^(?:" + strings.Join(all, "|") + ")$"
}

// quoted escapes a hostname for a regular expression.
func quoted(host string) string { return strings.ReplaceAll(host, ".", `\.`) }

// entryBytes is the length of the deployment's entry in the project's routing
// table as JSON, with the comma after it.
func (p *Project) entryBytes(d *Deployment) int {
	pattern := p.Pattern(d)
	n := len(`"":{"deployment":"","stages":[]},`) + len(pattern) + strings.Count(pattern, `\`) + len(d.ID)
	n += len(d.Stages) - 1
	for _, s := range d.Stages {
		n += s.entryBytes()
	}
	return n
}

// entryBytes is the length of a stage in a routing table.
func (s *Stage) entryBytes() int {
	n := len(`{"name":""}`) + len(s.Name)
	if len(s.Paths) > 0 {
		n += len(`,"paths":[]`) + len(s.Paths) - 1
		for _, path := range s.Paths {
			n += len(path) + 2
		}
	}
	if len(s.Bindings) > 0 {
		n += len(`,"bindings":{}`) + len(s.Bindings) - 1
		for _, b := range s.Bindings {
			n += b.entryBytes()
		}
	}
	return n
}

// entryBytes is the length of a binding in a routing table, without a comma.
func (b *Binding) entryBytes() int { return len(`"":""`) + len(b.Name) + len(b.Value) }
