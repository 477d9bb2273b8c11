package datasets

import (
	"errors"
	"fmt"
)

// merged returns the assets of a deployment: those of its predecessor, with
// the changed ones in the place of their path or after them.
func merged(latest, changed []Asset) ([]Asset, error) {
	if len(latest) > 0 && len(changed) == 0 {
		return latest, nil
	}
	all := make([]Asset, len(latest), len(latest)+len(changed))
	copy(all, latest)
	at := 0
	for _, a := range changed {
		place := placeOf(all[at:], a.Path)
		if place < 0 {
			at, place = 0, placeOf(all, a.Path)
		}
		if place < 0 {
			all = append(all, a)
			continue
		}
		all[at+place] = a
		at += place + 1
	}
	if len(all) == 0 {
		return nil, errors.New("a deployment without assets")
	}
	if len(all) > maxAssets {
		return nil, fmt.Errorf("%d assets, at most %d", len(all), maxAssets)
	}
	return all, nil
}

func placeOf(assets []Asset, path string) int {
	for i := range assets {
		if assets[i].Path == path {
			return i
		}
	}
	return -1
}
