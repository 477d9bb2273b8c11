package plan

import (
	"maps"
	"slices"

	"switchback/edge/rollout"
)

// SiteOf returns the site that a hostname belongs to; suffix is that of
// projects' hostnames.
func SiteOf(host, suffix string) string { return rollout.Site(host, suffix) }

// WithSites returns the rollout with the words that stand for sites (size=1000)
// replaced by the sites themselves. Words that stand for none are kept: they
// are sites.
func (r Rollout) WithSites(stand map[string][]string) Rollout {
	pinned := map[string]string{}
	for word, side := range r.Base.Sites {
		for _, site := range orItself(stand, word) {
			pinned[site] = side
		}
	}
	out := map[string]bool{}
	for _, word := range r.Base.OptOut {
		for _, site := range orItself(stand, word) {
			out[site] = true
		}
	}
	r.Base.Sites, r.Base.OptOut = pinned, slices.Sorted(maps.Keys(out))
	return r
}

func orItself(stand map[string][]string, word string) []string {
	if sites, ok := stand[word]; ok {
		return sites
	}
	return []string{word}
}
