package experiment

import (
	"fmt"
	"slices"
	"strings"
)

// takeArms replaces each arm that says from by the arm it names, under its
// own name.
func (e *Experiment) takeArms(d *decoder) {
	for i := range e.Arms {
		a := &e.Arms[i]
		if a.From == "" {
			continue
		}
		path := indexed("arms", i)
		taken, err := builtinArm(a.From)
		switch {
		case err != nil:
			d.fail(e.lines[path], "%s.from: %v", path, err)
		case a.Edge != nil || a.Command != nil || a.URL != nil:
			d.fail(e.lines[path], "%s: an arm that is taken from another experiment has no edge, command or url of its own", path)
		default:
			taken.Name = a.Name
			*a = taken
		}
	}
}

// builtinArm returns an arm of a built-in experiment.
func builtinArm(from string) (Arm, error) {
	name, arm, ok := strings.Cut(from, "/")
	source, err := builtin.ReadFile("builtin/" + name + ".yaml")
	if !ok || err != nil {
		return Arm{}, fmt.Errorf("expected an arm of a built-in experiment such as nginx-hosts/map, got %s", quote(from))
	}
	if strings.Contains(string(source), "from: ") {
		return Arm{}, fmt.Errorf("the arms of %s are taken from others: name those", name)
	}
	other, err := Parse(name, source)
	if err != nil {
		return Arm{}, err
	}
	i := slices.IndexFunc(other.given.Arms, func(a Arm) bool { return a.Name == arm })
	if i < 0 {
		return Arm{}, fmt.Errorf("experiment %s has no arm %s: %s", name, quote(arm), suggest(arm, other.armNames()))
	}
	taken := other.given.clone().Arms[i]
	if taken.Command != nil {
		taken.Command.Optional = taken.Command.Tool != ""
	}
	return taken, nil
}

// Missing is a tool that an arm needs and the machine lacks.
type Missing struct {
	Arm, Tool, Package string
	Optional           bool
}

// String says what to install.
func (m Missing) String() string {
	text := fmt.Sprintf("arm %s needs %s, which is not on this machine", m.Arm, m.Tool)
	if m.Package != "" {
		text += ": install " + m.Package
	}
	return text
}

// WithTools returns the experiment without the optional arms whose tools are
// missing, and all tools that are; has tells whether a tool is there.
func (e *Experiment) WithTools(has func(tool string) bool) (*Experiment, []Missing, error) {
	var missing []Missing
	given := e.given.clone()
	given.Arms = nil
	for i, a := range e.Arms {
		c := a.Command
		if c == nil || c.Tool == "" || has(c.Tool) {
			given.Arms = append(given.Arms, e.given.Arms[i])
			continue
		}
		missing = append(missing, Missing{a.Name, c.Tool, c.Package, c.Optional})
		if !c.Optional {
			given.Arms = append(given.Arms, e.given.Arms[i])
		}
	}
	if len(given.Arms) == len(e.Arms) || len(given.Arms) == 0 {
		return e, missing, nil
	}
	e, err := build(given.clone())
	return e, missing, err
}
