package plan

import (
	"maps"
	"slices"

	"switchback/edge/rollout"
)

// WithHosts returns the rollout with the words that stand for sites (size=1000)
// replaced by the sites of the hostnames that each word names. A word that
// names no hostname is a site itself and is kept. suffix is the suffix of the
// projects' hostnames.
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
