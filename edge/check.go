package edge

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"switchback/edge/ring"
	"switchback/edge/ring/fleet"
	"switchback/edge/rollout"
	"switchback/edge/routing"
)

// Check returns what makes the options impossible whatever the store holds,
// or nil. New calls it.
func (o Options) Check() error {
	o = o.withDefaults()
	for _, check := range []func() error{o.checkGiven, o.checkNumbers, o.checkRouters, o.checkRings, o.checkColos} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (o Options) checkGiven() error {
	if o.Store == "" {
		return errors.New("the routing store, --store, is not given")
	}
	if len(o.Secret) == 0 {
		return errors.New("the secret of the hashed entries, --secret-file, is not given")
	}
	_, err := parseOrigin(o.Origin)
	return err
}

func (o Options) checkNumbers() error {
	for name, n := range map[string]int64{
		"nodes": int64(o.Nodes), "ring sets": int64(o.RingSets), "lru": o.LRUBytes, "cache": o.CacheBytes,
		"node time-out": int64(o.NodeTimeout), "origin time-out": int64(o.OriginTimeout),
	} {
		if n < 0 {
			return fmt.Errorf("%s is %d, must not be negative", name, n)
		}
	}
	if !(o.Neighbours >= 0) {
		return fmt.Errorf("neighbours is %v, must not be negative", o.Neighbours)
	}
	return nil
}

func (o Options) checkRouters() error {
	first, second := both(o.Router)
	if err := errors.Join(checkRouter(first), checkRouter(second)); err != nil {
		return err
	}
	if o.Shadow != "" && checkRouter(o.Shadow) != nil {
		return fmt.Errorf("shadow: %w", checkRouter(o.Shadow))
	}
	switch routing.Life(o.TableLife) {
	case "", routing.LifeRequest, routing.LifeLRU, routing.LifeResident:
		return nil
	}
	return fmt.Errorf("table life %q: expected %s, %s or %s", o.TableLife, routing.LifeRequest, routing.LifeLRU, routing.LifeResident)
}

// checkRouter returns why a router cannot be had.
func checkRouter(name string) error {
	if slices.Contains(routerNames(), name) {
		return nil
	}
	return fmt.Errorf("unknown router %q (known: %s)", name, strings.Join(routerNames(), ", "))
}

func (o Options) checkRings() error {
	first, second := both(o.Ring)
	_, options := o.ring()
	_, weights := fleet.ParseWeights(o.Weights)
	return errors.Join(checkRing(first), checkRing(second), options, weights)
}

// checkRing returns why a ring cannot be had, whatever its members.
func checkRing(name string) error {
	spec, err := ring.ParseSpec(name)
	if err != nil {
		return err
	}
	return spec.Check()
}

func (o Options) checkColos() error {
	name := regexp.MustCompile(rollout.NamePattern)
	for _, colo := range o.Colos {
		if !name.MatchString(colo) {
			return fmt.Errorf("colo %q: expected up to 32 of a-z 0-9 . _ -, the first a letter or digit", colo)
		}
	}
	return nil
}

// parseOrigin reads the origin's base URL: scheme, host and port, no more.
func parseOrigin(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("origin %q: expected http://host:port: %w", text, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		return nil, fmt.Errorf("origin %q: expected http://host:port", text)
	}
	return u, nil
}
