package targets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strings"
)

// Bounds of a list of hostnames.
const (
	maxListed     = 10_000_000
	maxListedLine = 64 << 10
)

// HostList is a list of hostnames of the user's own. What their server answers
// is not known: any status below 400 is right, and bodies are not checked.
type HostList struct {
	Hosts  []string
	Digest string   // sha256:…, of the hostnames, a line each
	Notes  []string // how the file was read, where its lines are not hostnames alone
}

// ReadHosts reads a file of hostnames: a line each, or rank,hostname as in lists
// of popular sites, or the lines of a hosts file (hosts(5)). All lines are of one
// kind. Empty lines and comments after # are left out. Errors name the file and
// the line.
func ReadHosts(path string) (*HostList, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading hostnames: %w", err)
	}
	defer f.Close()
	list, err := ReadHostsFrom(f)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return list, nil
}

// ReadHostsFrom is ReadHosts of a stream; errors begin with the line.
func ReadHostsFrom(r io.Reader) (*HostList, error) {
	list, lines, kind := &HostList{}, newTextLines(r, maxListedLine), unknownLines
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = list.add(line, &kind)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", lines.number, err)
		}
	}
	if len(list.Hosts) == 0 {
		return nil, fmt.Errorf("%d: expected at least one hostname, got none", max(1, lines.number-1))
	}
	if note := kind.note(); note != "" {
		list.Notes = append(list.Notes, note)
	}
	list.Digest = digestOf(list.Hosts)
	return list, nil
}

func digestOf(hosts []string) string {
	sum := sha256.New()
	for _, host := range hosts {
		fmt.Fprintln(sum, host)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// add takes the hostnames of a line.
func (l *HostList) add(line string, kind *lineKind) error {
	if line = withoutComment(line); line == "" {
		return nil
	}
	if *kind == unknownLines {
		*kind = kindOf(line)
	}
	hosts := kind.hosts(line)
	for _, host := range hosts {
		if strings.Contains(host, "*") || host[0] == '.' {
			return fmt.Errorf("%.80q is a pattern: expected a hostname that can be asked, such as one that it stands for", host)
		}
		if !IsHost(host) {
			return fmt.Errorf("expected a hostname, got %.80q: %s", host, kind.want())
		}
	}
	if len(hosts) == 0 {
		return fmt.Errorf("expected a hostname, got %.80q: %s", line, kind.want())
	}
	if l.Hosts = append(l.Hosts, hosts...); len(l.Hosts) > maxListed {
		return fmt.Errorf("more than %d hostnames", maxListed)
	}
	return nil
}

// withoutComment cuts off what follows a # at the start or after a blank.
func withoutComment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return strings.TrimSpace(line[:i])
		}
	}
	return line
}

// lineKind is what the lines of a list are; its first line tells.
type lineKind int

const (
	unknownLines lineKind = iota
	plainLines
	rankedLines
	addressLines
)

func kindOf(line string) lineKind {
	if rank, _, ok := strings.Cut(line, ","); ok && isRank(rank) {
		return rankedLines
	}
	if fields := strings.Fields(line); len(fields) > 1 && isAddress(fields[0]) {
		return addressLines
	}
	return plainLines
}

// hosts returns the hostnames of a line; none where the line is of another kind.
func (k lineKind) hosts(line string) []string {
	switch k {
	case rankedLines:
		rank, host, _ := strings.Cut(line, ",")
		if host = unquote(host); isRank(rank) && host != "" {
			return []string{host}
		}
		return nil
	case addressLines:
		if fields := strings.Fields(line); isAddress(fields[0]) {
			return fields[1:]
		}
		return nil
	}
	return []string{line}
}

// want says what a line should be.
func (k lineKind) want() string {
	switch k {
	case rankedLines:
		return "a line of this list is rank,hostname, as its first one"
	case addressLines:
		return "a line of this list is an address and hostnames, as its first one"
	}
	return "a line is a hostname such as www.example.test; or, in all lines alike, rank,hostname or an address and hostnames"
}

func (k lineKind) note() string {
	switch k {
	case rankedLines:
		return "the list of hostnames was read as rank,hostname"
	case addressLines:
		return "the list of hostnames was read as a hosts file: an address and hostnames a line"
	}
	return ""
}

func isRank(s string) bool {
	s = unquote(s)
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

// unquote takes the quotes of CSV off a field.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}
