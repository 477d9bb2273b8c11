package runner

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"switchback/results/record"
)

// The kinds of profile of an arm.
const (
	ProfileCPU   = "cpu"
	ProfileHeap  = "heap"
	ProfileMutex = "mutex"
)

// ProfileKinds returns the kinds that Options.Profile may name.
func ProfileKinds() []string { return []string{ProfileCPU, ProfileHeap, ProfileMutex} }

// maxProfileBytes bounds what is read of a profile.
const maxProfileBytes = 256 << 20

// profileArms takes a profile of each arm that has an admin API, in blocks of
// their own after the last that counts.
func (c *cell) profileArms(ctx context.Context) error {
	if c.o.Profile == "" {
		return nil
	}
	c.step("taking " + c.o.Profile + " profiles")
	t, err := c.draw(len(c.rounds))
	if err != nil {
		return err
	}
	for _, a := range c.arms {
		if a.admin == nil {
			continue
		}
		if err := c.profileArm(ctx, a, t); err != nil {
			return fmt.Errorf("profile of arm %s: %w", a.name, err)
		}
	}
	return nil
}

// profileArm sends blocks to an arm until its profile is taken.
func (c *cell) profileArm(ctx context.Context, a *armState, t traffic) error {
	if err := a.instance.Alive(); err != nil {
		return err
	}
	seconds := int(math.Ceil(time.Duration(c.e.Blocks.Length).Seconds()))
	taken := make(chan error, 1)
	take := func() { taken <- fetchProfile(ctx, a.instance.Admin, c.o.Profile, seconds, c.profileFile(a.name)) }
	if c.o.Profile != ProfileHeap { // a heap is looked at after the traffic
		go take()
	}
	for {
		if _, err := a.engine.Run(ctx, time.Now().Add(lead), t.due, t.targets, make([]record.Sample, len(t.due))); err != nil {
			return err
		}
		if c.o.Profile == ProfileHeap {
			take()
		}
		select {
		case err := <-taken:
			return err
		default:
		}
	}
}

// profileFile is where the profile of an arm is kept.
func (c *cell) profileFile(arm string) string {
	name := arm
	if c.name != "" {
		name = c.name + "," + arm
	}
	return filepath.Join(c.dir, "profile-"+name+"."+c.o.Profile+".pprof")
}

// fetchProfile writes a profile, over so many seconds, to a file.
func fetchProfile(ctx context.Context, address, kind string, seconds int, file string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second+30*time.Second)
	defer cancel()
	url := fmt.Sprintf("http://%s/debug/pprof/%s?seconds=%d", address, kind, seconds)
	switch kind {
	case ProfileCPU:
		url = fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", address, seconds)
	case ProfileHeap:
		url = fmt.Sprintf("http://%s/debug/pprof/heap?gc=1", address)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxProfileBytes))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: status %d: %.200s", url, response.StatusCode, raw)
	}
	return os.WriteFile(file, raw, 0o666)
}
