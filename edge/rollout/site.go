package rollout

import "strings"

// Site returns whose a hostname in canonical form is: the project's name for a
// hostname under suffix ("2b469e16.example.pages.dev" and "example.pages.dev"
// are "example" under ".pages.dev"), else the hostname itself, a custom domain.
func Site(host, suffix string) string {
	under, ok := strings.CutSuffix(host, suffix)
	if !ok {
		return host
	}
	return under[strings.LastIndexByte(under, '.')+1:]
}

// NamePattern is what names of colos, arms, nodes and experiments are like:
// short enough for files, flags and metrics to hold them whole.
const NamePattern = `^[a-z0-9][a-z0-9._-]{0,31}$`
