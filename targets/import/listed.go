package importer

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"switchback/targets"
)

// listed is a file that the readers of package targets have read as a whole.
type listed struct {
	targets []targets.Target
	at      int
}

func (l *listed) next(e *entry) (kind, error) {
	if l.at == len(l.targets) {
		return clean, io.EOF
	}
	t := &l.targets[l.at]
	l.at++
	e.reset(int64(l.at))
	e.method, e.uri, e.host, e.body = []byte(t.Method), []byte(t.Path), []byte(t.Host), t.Body
	e.text = e.uri
	e.header = append(e.header, t.Header...)
	return clean, nil
}

// newVegeta reads vegeta's formats, as attack reads them.
func newVegeta(in io.Reader) (source, error) {
	file, err := targets.Read(in)
	if err != nil {
		return nil, fmt.Errorf("line %w", err)
	}
	return &listed{targets: file.Targets}, nil
}

// newHosts reads a list of hostnames: / of each is asked.
func newHosts(in io.Reader) (source, error) {
	list, err := targets.ReadHostsFrom(in)
	if err != nil {
		return nil, fmt.Errorf("line %w", err)
	}
	out := &listed{targets: make([]targets.Target, len(list.Hosts))}
	for i, host := range list.Hosts {
		out.targets[i] = targets.Target{Host: host, Path: "/"}
	}
	return out, nil
}

// vegetaBegin matches how a file of vegeta's begins: METHOD URL, or the keys of
// its JSON.
var vegetaBegin = regexp.MustCompile(`^(?:[A-Z-]+\s+(?i:https?)://|\{\s*"(?:method|url|body|header)"\s*:)`)

// isVegeta tells whether the first line that is no comment is one of vegeta's.
func isVegeta(list [][]byte) bool {
	for _, line := range list {
		if line = bytes.TrimSpace(line); line[0] != '#' {
			return vegetaBegin.Match(line)
		}
	}
	return false
}

// isHosts tells whether all first lines are those of a list of hostnames.
func isHosts(list [][]byte) bool {
	_, err := targets.ReadHostsFrom(bytes.NewReader(bytes.Join(list, []byte("\n"))))
	return err == nil
}
