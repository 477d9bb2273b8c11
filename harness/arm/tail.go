package arm

import (
	"strconv"
	"strings"
	"sync"
)

// maxLine bounds the bytes kept of one line of a process's output.
const maxLine = 512

// tail keeps the last lines written to it, each cut to maxLine bytes, so that
// a process that floods its log costs no memory.
type tail struct {
	mu   sync.Mutex
	keep int
	full []string // complete lines, oldest first
	part []byte   // the line being written
}

func newTail(keep int) *tail { return &tail{keep: keep} }

// Write takes output; it never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range p {
		if b == '\n' {
			t.endLine()
		} else if len(t.part) < maxLine {
			t.part = append(t.part, b)
		}
	}
	return len(p), nil
}

func (t *tail) endLine() {
	if len(t.full) == t.keep {
		copy(t.full, t.full[1:])
		t.full = t.full[:t.keep-1]
	}
	t.full = append(t.full, printable(t.part))
	t.part = t.part[:0]
}

// lines returns the kept lines, oldest first, safe to print.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := append([]string(nil), t.full...)
	if len(t.part) > 0 {
		out = append(out, printable(t.part))
	}
	return out
}

// printable escapes what could steer a terminal.
func printable(line []byte) string {
	quoted := strconv.QuoteToGraphic(string(line))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
