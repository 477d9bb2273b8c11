package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"switchback/edge/admin"
	"switchback/harness/arm"
	"switchback/harness/experiment"
	"switchback/results/metric"
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
			t.labels[i].Groups = append(t.labels[i].Groups, record.Group("change", experiment.Stretch(c.e.Change, due)))
		}
	}
}

// planned is the window of a change as the experiment has it.
func planned(k experiment.Change) record.Window {
	return record.Window{Arm: k.Arm, Do: k.Do, With: k.With, AddHosts: k.AddHosts, RemoveHosts: k.RemoveHosts,
		At: time.Duration(k.At).Seconds(), Length: time.Duration(k.Window).Seconds()}
}

// changing is what the changes of one block did.
type changing struct {
	windows []record.Window
	peak    int64 // bytes, in the windows
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
		b.block.Windows = did.windows
		for _, w := range did.windows {
			if w.Took > 0 {
				b.value(metric.ChangeTook, w.Took, 1)
			}
			if w.Effect > 0 {
				b.value(metric.ChangeEffect, w.Effect, 1)
			}
			if w.Error != "" {
				b.note("change at %v s: %s", w.At, w.Error)
			}
		}
		if did.peak > 0 {
			b.value(metric.ChangeMemoryPeak, float64(did.peak), 1)
		}
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
		w := planned(k)
		if k.Arm == b.arm.name {
			began := time.Since(from).Seconds()
			w.Began = &began
			if err := b.do(ctx, k, &w); err != nil {
				w.Error = err.Error()
			}
		}
		sleepUntil(ctx, at.Add(time.Duration(k.Window)))
		did.windows, did.peak = append(did.windows, w), max(did.peak, stop())
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
func (b *blockRun) do(ctx context.Context, k experiment.Change, w *record.Window) error {
	seen, err := b.changeHosts(ctx, k)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := b.act(ctx, k); err != nil {
		return err
	}
	w.Took = time.Since(began).Seconds()
	if seen == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, effectWithin)
	defer cancel()
	for !seen(ctx) {
		if !sleepUntil(ctx, time.Now().Add(arm.Pause(time.Since(began)))) {
			return fmt.Errorf("no effect within %v", effectWithin)
		}
	}
	w.Effect = time.Since(began).Seconds()
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
	case experiment.DoNodeDown, experiment.DoNodeUp, experiment.DoFlags:
		for _, edge := range b.arm.all() {
			err = errors.Join(err, actOnEdge(ctx, edge.admin, k))
		}
	default:
		_, err = b.arm.instance.Do(ctx, b.reloadCommand())
	}
	return err
}

// actOnEdge changes a node or the flags of a built-in edge.
func actOnEdge(ctx context.Context, edge *admin.Client, k experiment.Change) error {
	if k.Do != experiment.DoFlags {
		return edge.SetNode(ctx, k.With, k.Do == experiment.DoNodeUp)
	}
	var update admin.FlagsUpdate
	if err := json.Unmarshal([]byte(k.With), &update); err != nil {
		return fmt.Errorf("reading the flags: %w", err)
	}
	_, err := edge.UpdateFlags(ctx, update)
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
		return b.arm.endpoint().ask(ctx, targets.Target{Host: witness, Path: "/", Method: http.MethodGet}) == nil
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
