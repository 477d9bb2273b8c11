package importer

import "strconv"

// kind is one kind of dirt. Real logs have all of them.
type kind int

const (
	clean kind = iota

	// Dropped: no request could be sent for it.
	malformed
	tooLong
	cutShort
	noRequest
	notHTTP
	asterisk
	tunnel
	badRequest
	badMethod
	badTarget
	noHost
	badHost
	control
	tooLarge

	// Mended: a request is sent, but not as it was written.
	absoluteURL
	noVersion
	givenHost
	capitals
	trailingDot
	defaultPort
	international
	bareIPv6
	rawBytes
	blanks
	fragment
	nulBytes
	noStamp
	clockBack
	badField
	privateField
	hopField
	leftBody

	// Kept: it looks wrong, and is sent as it was written.
	badEscape
	underscore
	otherPort

	kinds
)

// Rules: what is done with a kind of dirt.
const (
	Kept    = "kept"
	Mended  = "mended"
	Dropped = "dropped"
)

// rule returns what is done with a kind.
func (k kind) rule() string {
	switch {
	case k <= tooLarge:
		return Dropped
	case k <= leftBody:
		return Mended
	}
	return Kept
}

// String says what was found and, where it was mended, how.
func (k kind) String() string {
	return [kinds]string{
		malformed:  "not a line of this format",
		tooLong:    "a line longer than " + strconv.Itoa(maxLine) + " bytes",
		cutShort:   "the file is cut short here",
		noRequest:  "no request: empty, or -",
		notHTTP:    "not HTTP: a TLS hello or other bytes",
		asterisk:   "asks for *, which no URL does",
		tunnel:     "CONNECT: it opens a tunnel",
		badRequest: "not a request line: METHOD PATH HTTP/VERSION",
		badMethod:  "a method that is not in capital letters",
		badTarget:  "what is asked for is neither a path nor a URL",
		noHost:     "no hostname (--host gives one)",
		badHost:    "not a hostname that can be asked",
		control:    "control characters",
		tooLarge:   "larger than a file of targets holds",

		absoluteURL:   "a whole URL: its hostname and path are asked",
		noVersion:     "no version of HTTP",
		givenHost:     "no hostname: that of --host is asked",
		capitals:      "capitals in a hostname: made small",
		trailingDot:   "a dot at the end of a hostname: cut off",
		defaultPort:   "port 80 or 443 in a hostname: cut off",
		international: "a hostname outside ASCII: written as xn--",
		bareIPv6:      "an IPv6 address without brackets: put into brackets",
		rawBytes:      "bytes outside ASCII in a path: written as %XX",
		blanks:        "blanks in a path: written as %20",
		fragment:      "a fragment after #: cut off",
		nulBytes:      "NUL bytes before a line: cut off",
		noStamp:       "no time: that of the line before is taken",
		clockBack:     "the clock goes back further than is sorted: the time of the line before is taken",
		badField:      "a field that cannot be sent: left out",
		privateField:  "a field with a client address, a cookie or authorisation: left out (--keep-header keeps it)",
		hopField:      "a field about one connection: left out, the engines write their own",
		leftBody:      "a body: left out (--keep-body keeps it)",

		badEscape:  "% without two hexadecimal digits in a path",
		underscore: "an underscore in a hostname",
		otherPort:  "a port other than 80 and 443 in a hostname",
	}[k]
}

// shown is how many findings of a kind are shown with their line.
const shown = 10

// Example is one finding: where, and what was read there.
type Example struct {
	File string `json:"file"`
	Line int64  `json:"line"`
	Text string `json:"text,omitempty"`
}

// tally counts what was found.
type tally struct {
	counts   [kinds]int64
	examples [kinds][]Example
}

// add counts a finding. The first ones are kept with their text, which holds
// no control characters once it is quoted.
func (t *tally) add(k kind, file string, line int64, text []byte) {
	if t.counts[k]++; t.counts[k] > shown {
		return
	}
	t.examples[k] = append(t.examples[k], Example{File: file, Line: line, Text: strconv.QuoteToASCII(string(text[:min(len(text), 80)]))})
}

// dropped counts all that was dropped.
func (t *tally) dropped() (n int64) {
	for k := clean; k <= tooLarge; k++ {
		n += t.counts[k]
	}
	return n
}
