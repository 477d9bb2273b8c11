package experiment

import (
	"regexp"
	"slices"
	"strings"
)

// Check says what each arm must answer before anything is measured. A sample
// of the hostnames that will be asked is asked first, of each arm.
type Check struct {
	Sample int               `yaml:"sample,omitempty"` // hostnames; default 10 where an arm is a command or url
	Status int               `yaml:"status,omitempty"` // of each answer, instead of the target's
	Header map[string]string `yaml:"header,omitempty"` // that each answer must have
	Body   string            `yaml:"body,omitempty"`   // sha256:HEX of each body
	Agree  bool              `yaml:"agree,omitempty"`  // all arms answer each request alike
	Off    bool              `yaml:"off,omitempty"`    // nothing is asked
}

const (
	defaultSample = 10
	maxSample     = 100_000
)

// fillCheck sets the default sample: foreign servers are asked, the built-in
// edge, whose every body is checked, is not.
func (e *Experiment) fillCheck() {
	foreign := slices.ContainsFunc(e.Arms, func(a Arm) bool { return a.Edge == nil })
	if c := &e.Check; !c.Off && (foreign || e.lines["check"] > 0) {
		or(&c.Sample, defaultSample)
	}
}

var (
	fingerprint = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	headerName  = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}$")
)

func (c *checker) answers() {
	k := c.e.Check
	within(c, "check.sample", k.Sample, 0, maxSample)
	if k.Off && (k.Sample != 0 || k.Status != 0 || len(k.Header) > 0 || k.Body != "" || k.Agree) {
		c.fail("check.off", "a check that is off leaves no room for other settings of it")
	}
	if k.Status != 0 {
		within(c, "check.status", k.Status, 100, 599)
	}
	if k.Body != "" && !fingerprint.MatchString(k.Body) {
		c.fail("check.body", "expected sha256: and 64 hexadecimal digits, got %s", quote(k.Body))
	}
	for header, value := range k.Header {
		if !headerName.MatchString(header) || strings.ContainsAny(value, "\n\t") {
			c.fail(under("check.header", header), "expected a header's name and its value")
		}
	}
	if k.Agree && len(c.e.Arms) < 2 {
		c.fail("check.agree", "one arm alone has none to agree with")
	}
}
