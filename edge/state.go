package edge

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"switchback/edge/admin"
	"switchback/edge/rollout"
)

// errStale: the flags were changed by somebody else since they were read.
var errStale = errors.New("the flags have changed since they were read")

// state is the flags in force and what they need. It is replaced whole and
// never changed, so that a request sees one set of flags from start to end.
type state struct {
	flags        rollout.Flags
	chooseRouter *rollout.Switch
	chooseRing   *rollout.Switch
	routers      map[string]*heldRouter // by name: the old and the new one
	rings        map[string]*heldRing   // by notation: the old and the new one
}

// start puts the options' router and ring in force as version 1.
func (e *Edge) start() error {
	flags := rollout.Flags{Version: 1}
	flags.Router.Old, flags.Router.New = both(e.options.Router)
	flags.Ring.Old, flags.Ring.New = both(e.options.Ring)
	return e.swap(&state{}, flags)
}

// Flags returns the flags in force.
func (e *Edge) Flags() rollout.Flags { return e.state.Load().flags }

// SetFlags puts the update in force, once it is checked and the routers and
// rings that it names are built. Requests in progress keep the flags that they began
// with. With a version in the update, the error is errStale unless that
// version is in force; from is noted in the audit list. On any error the old
// flags stay.
func (e *Edge) SetFlags(update admin.FlagsUpdate, from string) (rollout.Flags, error) {
	e.changing.Lock()
	defer e.changing.Unlock()
	now := e.state.Load()
	if update.Version != 0 && update.Version != now.flags.Version {
		return rollout.Flags{}, fmt.Errorf("version %d is given, %d in force: %w", update.Version, now.flags.Version, errStale)
	}
	next := update.Onto(now.flags)
	if err := e.swap(now, next); err != nil {
		return rollout.Flags{}, err
	}
	taken := e.Flags()
	e.audit.add(admin.Change{At: time.Now().UTC(), From: from, Flags: taken})
	return taken, nil
}

// swap makes the state of the flags, reusing what now has, and puts it in
// force.
func (e *Edge) swap(now *state, flags rollout.Flags) error {
	known := rollout.Known{Routers: routerNames(), Ring: checkRing, Colos: e.options.Colos}
	if err := flags.Check(known); err != nil {
		return err
	}
	next := &state{
		flags:        flags.Filled(),
		chooseRouter: flags.Router.Switch(rollout.ForRouter, e.options.Colo),
		chooseRing:   flags.Ring.Switch(rollout.ForRing, e.options.Colo),
	}
	var err error
	if next.routers, err = e.holdRouters(now.routers, flags.Router.Old, flags.Router.New); err != nil {
		return err
	}
	if next.rings, err = e.holdRings(now.rings, flags.Ring.Old, flags.Ring.New); err != nil {
		return err
	}
	e.state.Store(next)
	return nil
}

// auditLength is how many changes of the flags are kept.
const auditLength = 100

// audit is the list of the last changes, newest last.
type audit struct {
	mu      sync.Mutex
	changes []admin.Change
}

func (a *audit) add(change admin.Change) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.changes) == auditLength {
		a.changes = append(a.changes[:0], a.changes[1:]...)
	}
	a.changes = append(a.changes, change)
}

func (a *audit) list() []admin.Change {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]admin.Change{}, a.changes...)
}
