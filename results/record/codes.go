package record

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Codes counts answers by their status code, such as "200". It holds the most
// frequent codes; OtherCodes counts the answers with another one.
type Codes map[string]int

// OtherCodes is the key of the answers whose code is not counted by itself.
const OtherCodes = "other"

// maxCodes bounds the codes that are told apart: a server chooses them.
const maxCodes = 16

// CodesOf counts the answers of samples, whether they are right or not. It is
// nil where nothing was answered.
func CodesOf(samples []Sample) Codes {
	counts := map[int16]int{}
	for i := range samples {
		if status := samples[i].Status; status != 0 {
			counts[status]++
		}
	}
	var all Codes
	for status, n := range counts {
		all = all.with(strconv.Itoa(int(status)), n)
	}
	return all.bounded()
}

// Redirected counts the answers that are right with a status of 3xx: those of
// requests for which any status below 400 will do.
func Redirected(samples []Sample) int {
	n := 0
	for i := range samples {
		if s := &samples[i]; s.Error == OK && s.Status/100 == 3 {
			n++
		}
	}
	return n
}

// Plus returns the codes of both.
func (c Codes) Plus(more Codes) Codes {
	all := maps.Clone(c)
	for code, n := range more {
		all = all.with(code, n)
	}
	return all.bounded()
}

func (c Codes) with(code string, n int) Codes {
	if c == nil {
		c = Codes{}
	}
	c[code] += n
	return c
}

// bounded keeps the most frequent codes and counts the rest together.
func (c Codes) bounded() Codes {
	order := c.order()
	for len(order) > maxCodes {
		least := order[len(order)-1]
		order = order[:len(order)-1]
		n := c[least]
		delete(c, least)
		c[OtherCodes] += n
	}
	return c
}

// order returns the codes, the most frequent first, without OtherCodes.
func (c Codes) order() []string {
	codes := slices.DeleteFunc(slices.Collect(maps.Keys(c)), func(code string) bool { return code == OtherCodes })
	slices.SortFunc(codes, func(a, b string) int { return cmp.Or(cmp.Compare(c[b], c[a]), cmp.Compare(a, b)) })
	return codes
}

// Total is the number of answers.
func (c Codes) Total() int {
	n := 0
	for _, k := range c {
		n += k
	}
	return n
}

// Class returns the codes that begin with a digit: "3" for 3xx.
func (c Codes) Class(digit string) Codes {
	var some Codes
	for code, n := range c {
		if strings.HasPrefix(code, digit) {
			some = some.with(code, n)
		}
	}
	return some
}

// String lists the codes, the most frequent first: "200 812, 403 3".
func (c Codes) String() string {
	var parts []string
	for _, code := range c.order() {
		parts = append(parts, fmt.Sprintf("%s %d", code, c[code]))
	}
	if n := c[OtherCodes]; n > 0 {
		parts = append(parts, fmt.Sprintf("%s %d", OtherCodes, n))
	}
	return strings.Join(parts, ", ")
}

// check refuses keys that are no status codes, and more of them than a block has.
func (c Codes) check() error {
	if len(c) > maxCodes+1 {
		return fmt.Errorf("%d status codes: expected at most %d", len(c), maxCodes+1)
	}
	for code, n := range c {
		if _, err := strconv.ParseUint(code, 10, 16); err != nil && code != OtherCodes || n < 0 {
			return fmt.Errorf("status code %.20q with count %d: expected a number, or %s, with a count not below 0", code, n, OtherCodes)
		}
	}
	return nil
}

// Answers lists the status codes of each arm; "" where none is known.
func (s Summary) Answers() string {
	var parts []string
	for _, arm := range s.Arms {
		if codes := s.Codes[arm]; codes.Total() > 0 {
			parts = append(parts, arm+" "+codes.String())
		}
	}
	return strings.Join(parts, "; ")
}
