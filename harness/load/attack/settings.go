// Package attack makes one load against one URL, without an experiment: it
// plans the arrivals, sends them through an engine of package load and sums up
// the five instants of every request.
//
// It compares nothing with another load and judges by the caller's thresholds
// alone; its notes are about the generator. Memory does not grow with the number of requests.
package attack

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/gate"
	"switchback/targets"
)

// Settings of one load. The zero value of a field is its default; URL, and
// Rate where the arrivals are not concurrency, are required.
type Settings struct {
	URL        string        // whom to ask: scheme, address, path
	Rate       float64       // requests per second
	Duration   time.Duration // default 10 s
	Arrivals   string        // a law of package schedule; default poisson
	Seed       uint64        // of the schedule
	Engine     string        // wire (default for http), vegeta (default for https)
	ConnectTo  string        // host:port to connect to instead of the URL's
	Hosts      string        // file of hostnames, asked in turn
	Targets    string        // file of targets, asked in turn
	Extra      targets.Extra // of every request; with a body, POST where no method is given
	BodyFile   string        // the body of every request, in place of Extra's
	TLS        TLSFiles      // of an https URL
	Warmup     string        // a duration, or settled: until medians stop trending; default none
	Out        string        // folder to write, which must not exist
	Name       string        // of the load in vegeta's results; default the last part of Out
	Thresholds []gate.Threshold
	Options    load.Options // Address and TLS are set from the URL
}

// Attack is a load that has been checked and can be run once.
type Attack struct {
	settings Settings
	law      schedule.Law
	targets  []targets.Target
	warmup   load.Warmup
	scheme   string   // of the URL
	notes    []string // how files were read
}

// The longest load and the highest rate that are accepted.
const (
	maxDuration = 7 * 24 * time.Hour
	maxRate     = 10_000_000
)

// New checks the settings and reads the files they name. Every error is one of
// usage: nothing has been sent.
func New(s Settings) (*Attack, error) {
	if s.Duration == 0 {
		s.Duration = 10 * time.Second
	}
	a := &Attack{settings: s}
	var err error
	if a.law, err = schedule.Parse(s.Arrivals); err != nil {
		return nil, err
	}
	if err := a.checkLoad(); err != nil {
		return nil, err
	}
	if err := a.checkThresholds(); err != nil {
		return nil, err
	}
	if a.warmup, err = load.ParseWarmup(s.Warmup); err != nil {
		return nil, err
	}
	if err := a.readURL(); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(s.Out); s.Out != "" && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("out %q: want a folder that does not exist", s.Out)
	}
	if err := a.checkName(); err != nil {
		return nil, err
	}
	if err := a.checkEngine(); err != nil {
		return nil, err
	}
	return a, a.checkSchedule()
}

// maxName bounds a name in bytes.
const maxName = 256

// checkName sets the name, by which `vegeta plot` tells the series of several
// loads apart.
func (a *Attack) checkName() error {
	s := &a.settings
	if s.Name == "" && s.Out != "" {
		s.Name = filepath.Base(s.Out)
	}
	if len(s.Name) > maxName || strings.ContainsFunc(s.Name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("name %.80q: want at most %d bytes of printable text", s.Name, maxName)
	}
	return nil
}

func (a *Attack) checkLoad() error {
	s := a.settings
	switch {
	case s.Duration < 0 || s.Duration > maxDuration:
		return fmt.Errorf("duration %v: want more than 0 and at most %v", s.Duration, maxDuration)
	case a.law.IsClosed() && s.Rate != 0:
		return errors.New("arrivals concurrency is a closed loop: it takes no rate, the connections make it")
	case !a.law.IsClosed() && s.Rate == 0:
		return errors.New("no rate: want requests per second, as in --rate 100/s")
	case !a.law.IsClosed() && !(s.Rate > 0 && s.Rate <= maxRate):
		return fmt.Errorf("rate %v: want requests per second, more than 0 and at most %d", s.Rate, maxRate)
	}
	return nil
}

// checkSchedule refuses a schedule that holds no request.
func (a *Attack) checkSchedule() error {
	if a.law.IsClosed() {
		return nil
	}
	s := a.settings
	if _, some := a.law.At(s.Rate, s.Duration, s.Seed)(); some {
		return nil
	}
	return fmt.Errorf("rate %v/s for %v: the schedule (arrivals %v, seed %d) holds no request: want a higher rate or a longer duration", s.Rate, s.Duration, a.law, s.Seed)
}

// readURL sets where to connect to and what to ask for.
func (a *Attack) readURL() error {
	single, u, err := targets.ParseURL(a.settings.URL)
	if err != nil {
		return err
	}
	a.scheme = u.Scheme
	a.settings.Options.TLS = u.Scheme == "https"
	a.settings.Options.Address = address(u)
	if to := a.settings.ConnectTo; to != "" {
		if _, _, err := net.SplitHostPort(to); err != nil {
			return fmt.Errorf("connect-to %q: want host:port", to)
		}
		a.settings.Options.Address = to
	}
	if err := a.settings.TLS.read(&a.settings.Options); err != nil {
		return err
	}
	if a.targets, err = a.readTargets(single); err != nil {
		return err
	}
	return a.addExtra()
}

// address returns the host and the port of a URL.
func address(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = u.Scheme // Go knows http and https as names of ports
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// checkEngine chooses the engine and tries its options.
func (a *Attack) checkEngine() error {
	if a.settings.Engine == "" {
		a.settings.Engine = "wire"
		if a.settings.Options.TLS {
			a.settings.Engine = "vegeta"
		}
	}
	engine, err := load.New(a.settings.Engine, a.settings.Options)
	if err != nil {
		return err
	}
	engine.Close()
	return nil
}
