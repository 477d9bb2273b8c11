// Package rollout decides which version serves a request while an edge moves
// from one router or ring to another: by share, by place, by site. The
// decisions are pure; who holds the flags and swaps them is the edge.
//
// The law that matters: with the other flags equal, raising a share moves keys
// only from the old version to the new one.
package rollout

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Flags are what an edge's rollout stands at. Version is counted by the edge:
// the first flags are 1, each accepted change adds 1.
type Flags struct {
	Version int64 `json:"version"`
	Router  Part  `json:"router"`
	Ring    Part  `json:"ring"`
}

// Part is the state of the rollout of one thing, router or ring. What is
// listed first wins: Off, OptOut, Sites, Colos, Share.
type Part struct {
	Old    string            `json:"old"`
	New    string            `json:"new"`          // equal to Old when nothing is being rolled out
	Share  float64           `json:"share"`        // of the units on New, from 0 to 1
	Colos  []string          `json:"colos"`        // the only colos in which New may serve; empty: in all
	Sites  map[string]string `json:"sites"`        // site → SideOld or SideNew, whatever share and place
	OptOut []string          `json:"opt_out"`      // sites that stay on Old
	Off    bool              `json:"off"`          // everything on Old
	By     string            `json:"by,omitempty"` // what a share is a share of: ByKey (default) or ByRequest
}

// MaxSites bounds the sites that one part names.
const MaxSites = 10_000

// The values of Part.Sites.
const (
	SideOld = "old"
	SideNew = "new"
)

// The values of Part.By.
const (
	ByKey     = "key"     // of sites (router) or cache keys (ring): stable
	ByRequest = "request" // drawn anew for each request: each object lives twice
)

// Filled returns the flags with empty lists where there are none, so that
// their JSON has one shape.
func (f Flags) Filled() Flags {
	f.Router, f.Ring = f.Router.filled(), f.Ring.filled()
	return f
}

func (p Part) filled() Part {
	if p.Colos == nil {
		p.Colos = []string{}
	}
	if p.Sites == nil {
		p.Sites = map[string]string{}
	}
	if p.OptOut == nil {
		p.OptOut = []string{}
	}
	return p
}

// Known says which names flags may use.
type Known struct {
	Routers []string
	Ring    func(spec string) error // the reason why a ring cannot be had
	Colos   []string
}

// Check returns every reason why the flags cannot be taken, joined, or nil.
func (f Flags) Check(known Known) error {
	router := func(name string) error { return oneOf("router", name, known.Routers) }
	reasons := f.Router.reasons("router", router, known.Colos)
	return errors.Join(append(reasons, f.Ring.reasons("ring", known.Ring, known.Colos)...)...)
}

func (p Part) reasons(what string, name func(string) error, colos []string) (reasons []error) {
	note := func(err error) {
		if err != nil {
			reasons = append(reasons, fmt.Errorf("%s: %w", what, err))
		}
	}
	note(name(p.Old))
	if p.New != p.Old {
		note(name(p.New))
	}
	if !(p.Share >= 0 && p.Share <= 1) {
		note(fmt.Errorf("share is %v, must lie between 0 and 1", p.Share))
	}
	for _, colo := range p.Colos {
		note(oneOf("colo", colo, colos))
	}
	for site, side := range p.Sites {
		if side != SideOld && side != SideNew {
			note(fmt.Errorf("site %q is on %q, expected %q or %q", site, side, SideOld, SideNew))
		}
	}
	if named := len(p.Sites) + len(p.OptOut); named > MaxSites {
		note(fmt.Errorf("%d sites are named, at most %d", named, MaxSites))
	}
	if p.By != "" && p.By != ByKey && p.By != ByRequest {
		note(fmt.Errorf("by is %q, expected %q or %q", p.By, ByKey, ByRequest))
	}
	return reasons
}

func oneOf(what, name string, known []string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return fmt.Errorf("unknown %s %q (known: %s)", what, name, strings.Join(known, ", "))
}
