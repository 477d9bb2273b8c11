package attack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"
	"golang.org/x/net/http/httpguts"

	"switchback/targets"
)

// maxTargets bounds what a file of targets or hostnames may hold.
const maxTargets = 1_000_000

// readTargets returns what to ask for, in turn: the targets of a file, or the
// URL's path on the hostnames of a file, or the URL.
func (a *Attack) readTargets(u *url.URL) ([]targets.Target, error) {
	s := a.settings
	if s.Hosts != "" && s.Targets != "" {
		return nil, errors.New("hosts and targets: want one of them")
	}
	file := s.Hosts + s.Targets
	if file == "" {
		return checked([]targets.Target{single(u)})
	}
	if s.Hosts != "" {
		return a.listed(u)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := readFile(f)
	if err == nil && len(list) == 0 {
		err = errors.New("it is empty")
	}
	if err == nil {
		list, err = checked(list)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

// single is the target of a URL: any status below 400, any body.
func single(u *url.URL) targets.Target {
	return targets.Target{Host: u.Host, Path: u.RequestURI(), Bytes: -1}
}

// listed asks for the URL's path on each hostname of a file.
func (a *Attack) listed(u *url.URL) ([]targets.Target, error) {
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
		list[i] = single(u)
		list[i].Host = host
	}
	return checked(list)
}

// readFile tells the formats apart by how they begin: zstd is a stream of
// `targets gen`, an opening brace is vegeta's JSON, the rest vegeta's HTTP.
func readFile(f *os.File) ([]targets.Target, error) {
	in := bufio.NewReader(f)
	begin, _ := in.Peek(4)
	switch {
	case bytes.Equal(begin, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return readStream(in)
	case bytes.HasPrefix(bytes.TrimSpace(begin), []byte("{")):
		return readVegeta(vegeta.NewJSONTargeter(in, nil, nil))
	}
	return readVegeta(vegeta.NewHTTPTargeter(in, nil, nil))
}

func readStream(r io.Reader) ([]targets.Target, error) {
	stream, err := targets.NewReader(r)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	var list []targets.Target
	for {
		block, err := stream.Block(0)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if list = append(list, block...); len(list) > maxTargets {
			return nil, fmt.Errorf("more than %d targets", maxTargets)
		}
	}
}

func readVegeta(next vegeta.Targeter) ([]targets.Target, error) {
	var list []targets.Target
	for {
		var t vegeta.Target
		err := next(&t)
		if errors.Is(err, vegeta.ErrNoTargets) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("target %d: %w", len(list)+1, err)
		}
		target, err := fromVegeta(t)
		if err != nil {
			return nil, fmt.Errorf("target %d: %w", len(list)+1, err)
		}
		if list = append(list, target); len(list) > maxTargets {
			return nil, fmt.Errorf("more than %d targets", maxTargets)
		}
	}
}

func fromVegeta(t vegeta.Target) (targets.Target, error) {
	u, err := url.Parse(t.URL)
	if err != nil {
		return targets.Target{}, err
	}
	target := single(u)
	target.Method, target.Body = t.Method, t.Body
	for name, values := range t.Header {
		for _, value := range values {
			if strings.EqualFold(name, "Host") {
				target.Host = value
				continue
			}
			target.Header = append(target.Header, targets.Field{Name: name, Value: value})
		}
	}
	sortFields(target.Header)
	return target, nil
}

// checked refuses what would not be one well-formed request each.
func checked(list []targets.Target) ([]targets.Target, error) {
	for i := range list {
		if err := check(&list[i]); err != nil {
			return nil, fmt.Errorf("target %d: %w", i+1, err)
		}
	}
	return list, nil
}

func check(t *targets.Target) error {
	switch {
	case t.Method != "" && !httpguts.ValidHeaderFieldName(t.Method):
		return fmt.Errorf("method %q", t.Method)
	case t.Host == "" || !httpguts.ValidHostHeader(t.Host) || strings.ContainsAny(t.Host, " /"):
		return fmt.Errorf("host %q", t.Host)
	case !strings.HasPrefix(t.Path, "/") || strings.ContainsFunc(t.Path, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return fmt.Errorf("path %q: want visible ASCII from a /", t.Path)
	}
	for _, f := range t.Header {
		if !httpguts.ValidHeaderFieldName(f.Name) || !httpguts.ValidHeaderFieldValue(f.Value) {
			return fmt.Errorf("header %q: %q", f.Name, f.Value)
		}
		if isOurs(f.Name) {
			return fmt.Errorf("header %q: the engine writes it", f.Name)
		}
	}
	return nil
}
