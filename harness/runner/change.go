package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"switchback/edge/admin"
	"switchback/harness/experiment"
	"switchback/results/record"
	"switchback/targets"
)

// effectWithin bounds the wait for the effect of a change.
const effectWithin = 10 * time.Second

// markChanges puts the requests of a round into groups by the windows of the
// changes: due before the first, in one, after one.
func (c *cell) markChanges(t *traffic) {
	for i := range t.labels {
		if len(c.e.Change) > 0 {
			due := t.due[i] - time.Duration(c.e.Blocks.Guard)
			t.labels[i].Groups = append(t.labels[i].Groups, record.Group("change", stretchOf(c.e.Change, due)))
		}
	}
}

// stretchOf names where an instant lies among the windows.
func stretchOf(changes []experiment.Change, due time.Duration) string {
	name := "before"
	for _, k := range changes {
		switch at := time.Duration(k.At); {
		case due < at:
			return name
		case due < at+time.Duration(k.Window):
			return "in"
		}
		name = "after"
	}
	return name
}

// changing is what the changes of one block did.
type changing struct {
	took, effect []time.Duration
	peak         int64 // bytes, in the windows
	notes        []string
}

// startChanges does the changes of the block that starts at an instant, each
// at its time, and returns what waits for them and adds what they did.
func (b *blockRun) startChanges(ctx context.Context, start time.Time) (finish func()) {
	if len(b.e.Change) == 0 {
		return func() {}
	}
	done := make(chan changing, 1)
	go func() { done <- b.change(ctx, start.Add(time.Duration(b.e.Blocks.Guard))) }()
	return func() {
		did := <-done
		for _, took := range did.took {
			b.value("change.took", took.Seconds(), 1)
		}
		for _, effect := range did.effect {
			b.value("change.effect", effect.Seconds(), 1)
		}
		if did.peak > 0 {
			b.value("change.memory.peak", float64(did.peak), 1)
		}
		b.block.Notes = append(b.block.Notes, did.notes...)
	}
}

// change goes through the windows of the block. Memory is watched in them
// whichever arm it is; the change is done to its own arm.
func (b *blockRun) change(ctx context.Context, from time.Time) (did changing) {
	for _, k := range b.e.Change {
		at := from.Add(time.Duration(k.At))
		if !sleepUntil(ctx, at) {
			return did
		}
		stop := b.watchPeak()
		if k.Arm == b.arm.name {
			if err := b.do(ctx, k, &did); err != nil {
				did.notes = append(did.notes, fmt.Sprintf("change at %v: %v", k.At, err))
			}
		}
		sleepUntil(ctx, at.Add(time.Duration(k.Window)))
		did.peak = max(did.peak, stop())
	}
	return did
}

// watchPeak watches the memory of the arm until the function it returns is
// called; 0 where it is not known.
func (b *blockRun) watchPeak() (stop func() int64) {
	if !b.arm.tree.Known() {
		return func() int64 { return 0 }
	}
	watch := b.probe.WatchMemory(b.arm.tree, 0)
	return func() int64 {
		m, err := watch.Stop()
		if err != nil {
			return 0 // the block's own watch says so
		}
		return m.Peak
	}
}

// do does one change and waits for its effect.
func (b *blockRun) do(ctx context.Context, k experiment.Change, did *changing) error {
	seen, err := b.changeHosts(ctx, k)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := b.act(ctx, k); err != nil {
		return err
	}
	did.took = append(did.took, time.Since(began))
	if seen == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, effectWithin)
	defer cancel()
	for !seen(ctx) {
		if !sleepUntil(ctx, time.Now().Add(2*time.Millisecond)) {
			return fmt.Errorf("no effect within %v", effectWithin)
		}
	}
	did.effect = append(did.effect, time.Since(began))
	return nil
}

// act does what a change says to the arm.
func (b *blockRun) act(ctx context.Context, k experiment.Change) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var err error
	switch k.Do {
	case experiment.DoRun:
		_, err = b.arm.instance.Do(ctx, k.With)
	case experiment.DoKill:
		_, err = b.arm.instance.KillWorker()
	case experiment.DoNodeDown, experiment.DoNodeUp:
		err = b.arm.admin.SetNode(ctx, k.With, k.Do == experiment.DoNodeUp)
	case experiment.DoFlags:
		var update admin.FlagsUpdate
		if err = json.Unmarshal([]byte(k.With), &update); err == nil {
			_, err = b.arm.admin.UpdateFlags(ctx, update)
		}
	default:
		_, err = b.arm.instance.Do(ctx, b.reloadCommand())
	}
	return err
}

func (b *blockRun) reloadCommand() string {
	for _, a := range b.e.Arms {
		if a.Name == b.arm.name {
			return a.Reload
		}
	}
	return ""
}

// changeHosts writes the arm's files with other hostnames, where the change is
// of hostnames, and returns what tells whether it has come into effect; nil
// where nothing tells.
func (b *blockRun) changeHosts(ctx context.Context, k experiment.Change) (seen func(context.Context) bool, err error) {
	if k.AddHosts+k.RemoveHosts == 0 {
		return nil, nil
	}
	hosts := b.arm.changed
	if hosts == nil {
		hosts = b.content()
	}
	witness, err := hosts.change(k)
	if err != nil {
		return nil, err
	}
	b.arm.changed = hosts
	if err := b.arm.instance.Render(hosts); err != nil {
		return nil, err
	}
	known := func(ctx context.Context) bool {
		return ask(ctx, b.arm.instance.Address, targets.Target{Host: witness, Path: "/", Method: http.MethodGet}) == nil
	}
	if known(ctx) == (k.AddHosts > 0) {
		return nil, fmt.Errorf("its effect can't be seen: %s is answered before as it is to be after", witness)
	}
	return func(ctx context.Context) bool { return known(ctx) == (k.AddHosts > 0) }, nil
}

// change adds or removes hostnames and returns the last of them.
func (c *content) change(k experiment.Change) (witness string, err error) {
	if k.RemoveHosts > 0 {
		err = c.Hosts(func(host string) bool { witness = host; return true })
		c.removed += k.RemoveHosts
		return witness, err
	}
	for range k.AddHosts {
		witness = fmt.Sprintf("added-%d.example.test", len(c.added)+1)
		c.added = append(c.added, witness)
	}
	return witness, nil
}

// sleepUntil waits for an instant; false when ctx ended before.
func sleepUntil(ctx context.Context, at time.Time) bool {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
