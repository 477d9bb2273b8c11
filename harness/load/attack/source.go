package attack

import (
	"errors"
	"fmt"

	"switchback/targets"
)

// maxTargets bounds what a file of hostnames may hold.
const maxTargets = 1_000_000

// readTargets returns what to ask for, in turn: the targets of a file, or the
// URL's path on the hostnames of a file, or the URL.
func (a *Attack) readTargets(single targets.Target) ([]targets.Target, error) {
	switch s := a.settings; {
	case s.Hosts != "" && s.Targets != "":
		return nil, errors.New("hosts and targets: want one of them")
	case s.Hosts != "":
		return a.listed(single)
	case s.Targets != "":
		return a.stored()
	}
	return []targets.Target{single}, nil
}

// stored asks for the targets of a file. What it wants to be sent in secret is
// not sent in clear text.
func (a *Attack) stored() ([]targets.Target, error) {
	file, err := targets.ReadFile(a.settings.Targets)
	if err != nil {
		return nil, err
	}
	if file.SecureLine > 0 && !a.settings.Options.TLS {
		return nil, fmt.Errorf("%s:%d: an https URL, whose request would go in clear text to %s: expected http URLs, or attack an https URL",
			a.settings.Targets, file.SecureLine, a.settings.URL)
	}
	a.notes = append(a.notes, file.Notes...)
	return file.Targets, nil
}

// listed asks for the URL's path on each hostname of a file.
func (a *Attack) listed(single targets.Target) ([]targets.Target, error) {
	file, err := targets.ReadHosts(a.settings.Hosts)
	if err != nil {
		return nil, err
	}
	if len(file.Hosts) > maxTargets {
		return nil, fmt.Errorf("%s: more than %d hostnames", a.settings.Hosts, maxTargets)
	}
	a.notes = append(a.notes, file.Notes...)
	list := make([]targets.Target, len(file.Hosts))
	for i, host := range file.Hosts {
		list[i] = single
		list[i].Host = host
	}
	return list, nil
}

// addExtra gives every target what the command line asks of it.
func (a *Attack) addExtra() error {
	s := &a.settings
	extra := s.Extra
	if s.BodyFile != "" {
		if extra.Body != nil {
			return errors.New("body-file and data: want one of them")
		}
		var err error
		if extra.Body, err = targets.ReadBody(s.BodyFile); err != nil {
			return err
		}
	}
	if s.Targets != "" && (extra.Method != "" || extra.Body != nil) {
		return errors.New("targets: each target of the file has a method and a body of its own, so a method or a body for all can't be given")
	}
	if extra.Body != nil && extra.Method == "" {
		extra.Method = "POST"
	}
	if (s.Hosts != "" || s.Targets != "") && extra.Has("Host") {
		return errors.New("a Host field for all requests, and a file that says whom to ask: want one of them")
	}
	notes, err := extra.Apply(a.targets)
	a.notes = append(a.notes, notes...)
	return err
}
