package experiment

import "reflect"

// The ways in which arms are kept apart.
const (
	isolationProcesses = "processes"
	isolationFlags     = "flags"
)

func isolations() []string { return []string{isolationProcesses, isolationFlags} }

// OneProcess tells whether the arms are one process flipped by its flags.
func (e *Experiment) OneProcess() bool { return e.Isolation == isolationFlags }

// sharedEdge returns the edge that two arms share with isolation: flags. It
// holds the routers and rings of both, those of the first arm first.
func (e *Experiment) sharedEdge() Edge {
	first, second := *e.Arms[0].Edge, *e.Arms[1].Edge
	first.Router = held(first.Router, second.Router)
	first.Ring = held(first.Ring, second.Ring)
	or(&first.TableLife, second.TableLife)
	return first
}

func held(first, second string) string {
	if first == second {
		return first
	}
	return first + "+" + second
}

// isolation checks that the arms can be one process.
func (c *checker) isolation() {
	c.word("isolation", c.e.Isolation, isolations())
	if c.e.Isolation != isolationFlags {
		return
	}
	arms := c.e.Arms
	if len(arms) != 2 || arms[0].Edge == nil || arms[1].Edge == nil {
		c.fail("isolation", "flags flip one built-in edge between two arms: expected two arms with an edge")
		return
	}
	if c.e.lines["check"] > 0 {
		c.fail("check", "the arms share one process: its first answers are those of one arm")
	}
	first, second := *arms[0].Edge, *arms[1].Edge
	for _, edge := range []*Edge{&first, &second} {
		edge.Router, edge.Ring, edge.TableLife = "", "", ""
	}
	if !reflect.DeepEqual(first, second) {
		c.fail("isolation", "the arms share one process: their edges may differ in router, table_life and ring only")
	}
	if one, two := arms[0].Edge, arms[1].Edge; one.TableLife != "" && two.TableLife != "" && one.TableLife != two.TableLife {
		c.fail("isolation", "the arms share one process, which has one table_life")
	}
}
