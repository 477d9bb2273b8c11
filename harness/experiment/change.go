package experiment

import (
	"slices"
	"strings"
	"time"
)

// Change is something that is done to one arm in each of its blocks, while it
// serves. The same stretch of time is marked in the blocks of all arms.
type Change struct {
	At     Duration `yaml:"at"`               // since the start of the block's measured part
	Window Duration `yaml:"window,omitempty"` // how long from then counts as in it; default 1s
	Arm    string   `yaml:"arm,omitempty"`    // default: the first that is not the baseline
	Do     string   `yaml:"do,omitempty"`     // reload (default), run, kill, node_down, node_up, flags
	With   string   `yaml:"with,omitempty"`   // run: the command; node_down, node_up: the node; flags: what changes, as JSON

	AddHosts    int `yaml:"add_hosts,omitempty"`    // new hostnames at the end of .Hosts; the files are rendered first
	RemoveHosts int `yaml:"remove_hosts,omitempty"` // the last so many of .Hosts less
}

// The kinds of changes.
const (
	DoReload   = "reload"
	DoRun      = "run"
	DoKill     = "kill"
	DoNodeDown = "node_down"
	DoNodeUp   = "node_up"
	DoFlags    = "flags"
)

const (
	defaultWindow   = Duration(time.Second)
	maxChanges      = 100
	maxChangedHosts = 1_000_000
)

func changeKinds() []string {
	return []string{DoReload, DoRun, DoKill, DoNodeDown, DoNodeUp, DoFlags}
}

func (e *Experiment) fillChanges() {
	for i := range e.Change {
		k := &e.Change[i]
		or(&k.Do, DoReload)
		or(&k.Window, defaultWindow)
		for _, a := range e.Arms {
			if a.Name != e.Blocks.Baseline {
				or(&k.Arm, a.Name)
			}
		}
	}
}

// shortChanges moves the changes as the block shrinks.
func (e *Experiment) shortChanges(scale float64) {
	for i := range e.Change {
		k := &e.Change[i]
		k.At = Duration(float64(k.At) * scale)
		k.Window = Duration(float64(k.Window) * scale)
	}
}

func (c *checker) changes() {
	if len(c.e.Change) > maxChanges {
		c.fail("change", "expected at most %d changes, got %d", maxChanges, len(c.e.Change))
	}
	if len(c.e.Change) > 0 && c.e.Load.closed() {
		c.fail("change", "a block of a closed loop has no moments to change anything at")
	}
	end := Duration(0)
	for i, k := range c.e.Change {
		path := indexed("change", i)
		if k.At < end {
			c.fail(path+".at", "expected the changes in their order, without overlap: the last window ends at %v, this change is at %v", end, k.At)
		}
		if k.Window <= 0 {
			c.fail(path+".window", "expected a time above 0s, got %v", k.Window)
		}
		if end = k.At + k.Window; end > c.e.Blocks.Length {
			c.fail(path+".window", "the window ends at %v, after the block of %v", end, c.e.Blocks.Length)
		}
		c.word(path+".do", k.Do, changeKinds())
		c.changeOf(path, k)
	}
}

// changeOf checks that the arm of a change can be changed so.
func (c *checker) changeOf(path string, k Change) {
	i := slices.IndexFunc(c.e.Arms, func(a Arm) bool { return a.Name == k.Arm })
	if i < 0 {
		c.fail(path+".arm", "no arm is named %s: %s", quote(k.Arm), suggest(k.Arm, c.e.armNames()))
		return
	}
	a, builtin := c.e.Arms[i], strings.HasPrefix(k.Do, "node_") || k.Do == DoFlags
	switch {
	case builtin != (a.Edge != nil):
		c.fail(path+".do", "%s: nodes and flags are those of a built-in edge, all else is of a command or url", k.Do)
	case k.Do == DoReload && a.Reload == "":
		c.fail(path+".do", "arm %s has no reload command", quote(k.Arm))
	case k.Do == DoKill && a.Command == nil && (a.URL == nil || a.URL.PID == 0 && a.URL.PIDFile == ""):
		c.fail(path+".do", "the processes of arm %s are not known", quote(k.Arm))
	case (k.With == "") != (k.Do == DoReload || k.Do == DoKill):
		c.fail(path+".with", "run, node_down, node_up and flags need it, reload and kill have none")
	}
	c.changedHosts(path, k, a)
}

func (c *checker) changedHosts(path string, k Change, a Arm) {
	within(c, path+".add_hosts", k.AddHosts, 0, maxChangedHosts)
	within(c, path+".remove_hosts", k.RemoveHosts, 0, maxChangedHosts)
	if k.AddHosts+k.RemoveHosts == 0 {
		return
	}
	if k.AddHosts > 0 && k.RemoveHosts > 0 {
		c.fail(path+".remove_hosts", "expected hosts to be added or removed, not both: make it two changes")
	}
	if a.Command == nil || len(a.Command.Files) == 0 || k.Do != DoReload && k.Do != DoRun {
		c.fail(path, "hosts change with the files of a command, by reload or run")
	}
}
