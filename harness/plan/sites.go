package plan

import (
	"maps"
	"slices"

	"switchback/edge/rollout"
)

// WithHosts returns the rollout with the words that stand for sites (size=1000)
// replaced by the sites of the hostnames that each word names. Words that
// name no hostnames are kept: they are sites. suffix is that of projects'
// hostnames.
func (r Rollout) WithHosts(hosts map[string][]string, suffix string) Rollout {
	pinned := map[string]string{}
	for word, side := range r.Base.Sites {
		for _, site := range sitesOf(hosts, word, suffix) {
			pinned[site] = side
		}
	}
	out := map[string]bool{}
	for _, word := range r.Base.OptOut {
		for _, site := range sitesOf(hosts, word, suffix) {
			out[site] = true
		}
	}
	r.Base.Sites, r.Base.OptOut = pinned, slices.Sorted(maps.Keys(out))
	return r
}

// sitesOf returns the sites that a word stands for.
func sitesOf(hosts map[string][]string, word, suffix string) []string {
	named, stands := hosts[word]
	if !stands {
		return []string{word}
	}
	sites := make([]string, len(named))
	for i, host := range named {
		sites[i] = rollout.Site(host, suffix)
	}
	return sites
}
