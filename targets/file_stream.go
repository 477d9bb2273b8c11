package targets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// fileStream asks for the targets of a file in turn, over and over.
type fileStream struct {
	targets []Target
	next    int
}

var _ Stream = (*fileStream)(nil)

// Stream returns an endless stream that asks for the file's targets in turn.
func (f *File) Stream() Stream { return &fileStream{targets: f.Targets} }

// Block implements Stream.
func (s *fileStream) Block(n int) ([]Target, error) {
	if n <= 0 || n > maxBlock {
		return nil, fmt.Errorf("a block of %d arrivals, expected 1 to %d", n, maxBlock)
	}
	out := make([]Target, n)
	for i := range out {
		out[i] = s.targets[s.next]
		s.next = (s.next + 1) % len(s.targets)
	}
	return out, nil
}

// Hosts returns the hostnames that are asked, each once, in the order of the
// file.
func (f *File) Hosts() []string {
	var hosts []string
	seen := map[string]bool{}
	for _, t := range f.Targets {
		if !seen[t.Host] {
			seen[t.Host] = true
			hosts = append(hosts, t.Host)
		}
	}
	return slices.Clip(hosts)
}

// Digest returns the SHA-256 of what is asked for.
func (f *File) Digest() (string, error) {
	sum := sha256.New()
	lines := json.NewEncoder(sum)
	for i := range f.Targets {
		if err := lines.Encode(&f.Targets[i]); err != nil {
			return "", fmt.Errorf("digest of the targets: %w", err)
		}
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}
