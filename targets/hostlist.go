package targets

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"switchback/datasets"
)

// maxListed bounds a list of hostnames.
const maxListed = 10_000_000

// HostList is a list of hostnames of the user's own. What their server answers
// is not known: any status below 400 is right, and bodies are not checked.
type HostList struct {
	Hosts  []string
	Digest string // sha256:…, of the hostnames, a line each
}

// ReadHosts reads a file of hostnames, a line each; empty lines and those that
// begin with # are left out. Errors name the file and the line.
func ReadHosts(path string) (*HostList, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading hostnames: %w", err)
	}
	defer f.Close()
	list, err := readHosts(f)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return list, nil
}

// readHosts is ReadHosts of a stream; errors begin with the line.
func readHosts(r io.Reader) (*HostList, error) {
	list, sum := &HostList{}, sha256.New()
	lines := bufio.NewScanner(r)
	line := 0
	for lines.Scan() {
		line++
		host := strings.TrimSpace(lines.Text())
		if host == "" || host[0] == '#' {
			continue
		}
		if strings.Contains(host, "/") {
			return nil, fmt.Errorf("%d: expected a hostname, got %.80q", line, host)
		}
		if strings.Contains(host, "*") {
			return nil, fmt.Errorf("%d: %.80q is a pattern: expected a hostname that can be asked, such as one that it stands for", line, host)
		}
		if err := (&Target{Host: host, Path: "/"}).check(); err != nil {
			return nil, fmt.Errorf("%d: %w", line, err)
		}
		if list.Hosts = append(list.Hosts, host); len(list.Hosts) > maxListed {
			return nil, fmt.Errorf("%d: more than %d hostnames", line, maxListed)
		}
		fmt.Fprintln(sum, host)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%d: %w", line+1, err)
	}
	if len(list.Hosts) == 0 {
		return nil, fmt.Errorf("%d: expected at least one hostname, got none", max(1, line))
	}
	list.Digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return list, nil
}

// hostStream walks a list in random orders: every hostname is asked once
// before any is asked again, so that a server's cache of its last answers
// can't hide what a look-up costs.
type hostStream struct {
	list  *HostList
	draws datasets.Draws
	order []uint32
	next  int
}

var _ Stream = (*hostStream)(nil)

// Stream returns an endless stream over the list. Targets are in the groups of
// the thirds of the list by their position.
func (l *HostList) Stream(seed uint64) Stream {
	s := &hostStream{list: l, draws: datasets.NewDraws(seed), order: make([]uint32, len(l.Hosts))}
	for i := range s.order {
		s.order[i] = uint32(i)
	}
	s.next = len(s.order)
	return s
}

// Block implements Stream.
func (s *hostStream) Block(n int) ([]Target, error) {
	if n <= 0 || n > maxBlock {
		return nil, fmt.Errorf("a block of %d arrivals, expected 1 to %d", n, maxBlock)
	}
	out := make([]Target, n)
	for i := range out {
		if s.next == len(s.order) {
			s.shuffle()
		}
		place := s.order[s.next]
		s.next++
		out[i] = Target{Host: s.list.Hosts[place], Path: "/", Bytes: -1, Position: third(place, uint32(len(s.order)))}
	}
	return out, nil
}

// shuffle puts the hostnames into a new order (Fisher and Yates).
func (s *hostStream) shuffle() {
	for i := len(s.order) - 1; i > 0; i-- {
		j := s.draws.Below(uint64(i + 1))
		s.order[i], s.order[j] = s.order[j], s.order[i]
	}
	s.next = 0
}
