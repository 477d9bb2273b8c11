package datasets

import "strings"

// Pattern returns the regular expression (RE2) that matches the hostnames of
// a deployment and no other of its project. Names are relative to the project's own domain,
// as in a zone file: a hostname below it is its label, the domain itself is @, and a
// custom domain stands in full.
//
//	^2b469e16$
//	^(?:2b469e16|fix-cache-3)$
//	^(?:2b469e16|main|@|www\.example\.test)$
//
// It is the key of the deployment's entry in the project's routing table. The
// table has one entry a deployment, oldest first:
//
//	{"^…$":{"deployment":ID,"stages":[{"name":NAME,"paths":[PREFIX,…],"bindings":{NAME:VALUE,…}},…]},…}
//
// without the paths and bindings of a stage that has none.
func (p *Project) Pattern(d *Deployment) string {
	names := append([]string{d.Alias}, d.Branches...)
	if d.Production {
		names = append(names, "@")
		for _, domain := range p.Domains {
			names = append(names, strings.ReplaceAll(domain, ".", `\.`))
		}
	}
	if len(names) == 1 {
		return "^" + names[0] + "$"
	}
	return "^(?:" + strings.Join(names, "|") + ")$"
}

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
