package runner

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"switchback/datasets"
	"switchback/edge/admin"
	"switchback/harness/arm"
	"switchback/harness/experiment"
	"switchback/harness/load"
	"switchback/harness/probe"
	"switchback/targets"
)

// armState is one arm: how it is started, and what runs of it.
type armState struct {
	name     string
	launcher arm.Launcher

	instance *arm.Instance // nil when stopped
	engine   load.Engine
	admin    *admin.Client // nil without an admin API
	tree     probe.Tree    // PID 0 when nothing was started
}

// startOrigin starts the fake origin.
func (c *cell) startOrigin(ctx context.Context) error {
	o := c.e.Origin
	args := []string{"origin", "--seed", strconv.FormatUint(c.o.Seed, 10), "--errors", o.Errors.String(),
		"--concurrency", strconv.Itoa(o.Concurrency)}
	if o.Delay != "" {
		args = append(args, "--delay", o.Delay)
	}
	origin, err := arm.Child{Program: c.o.Program, Args: args, CPUs: c.layout.origin}.Launch(ctx)
	if err != nil {
		return err
	}
	c.onClose(origin.Stop)
	c.origin, c.upstream = origin, admin.NewClient(origin.Admin, "")
	c.onClose(c.upstream.Close)
	return nil
}

// makeArms publishes the store, where a built-in edge needs one, and makes the
// arms' launchers. Nothing is started yet.
func (c *cell) makeArms(ctx context.Context) error {
	store, secretFile := "", ""
	for _, a := range c.e.Arms {
		if a.Edge != nil && store == "" {
			var err error
			if store, secretFile, err = c.publish(ctx); err != nil {
				return err
			}
		}
		c.arms = append(c.arms, &armState{name: a.Name, launcher: c.launcher(a, store, secretFile)})
	}
	c.onClose(c.stopArms)
	return nil
}

// publish returns the store of the dataset and the file of its secret.
func (c *cell) publish(ctx context.Context) (store, secretFile string, err error) {
	c.step("publishing the dataset into a routing store")
	draws := datasets.NewDraws(c.o.Seed, seedSecret)
	secret := fmt.Appendf(nil, "%016x%016x", draws.Uint64(), draws.Uint64())
	secretFile = c.scratch.path("secret")
	if err := os.WriteFile(secretFile, secret, 0o600); err != nil {
		return "", "", fmt.Errorf("writing the secret: %w", err)
	}
	root := filepath.Join(c.o.Results, "cache", "stores")
	store, err = c.o.Stores.Publish(ctx, root, c.dataset.file, c.dataset.digest, secret)
	return store, secretFile, err
}

// launcher returns what starts an arm.
func (c *cell) launcher(a experiment.Arm, store, secretFile string) arm.Launcher {
	switch {
	case a.Edge != nil:
		return c.edgeLauncher(a, store, secretFile)
	case a.Command != nil:
		command := a.Command
		return arm.Command{Program: c.o.Program, Run: command.Run, Env: command.Env, Files: command.Files,
			Ready: command.Ready, Within: time.Duration(command.ReadyWithin), Stop: command.Stop,
			Grace: time.Duration(command.Grace), Origin: c.origin.Address, CPUs: c.layout.arms, Probe: c.firstAnswer()}
	}
	return arm.URL{URL: a.URL, Probe: c.firstAnswer()}
}

// edgeLauncher starts a built-in edge on a checkpoint of its own.
func (c *cell) edgeLauncher(a experiment.Arm, store, secretFile string) arm.Launcher {
	args := append([]string{"edge", "--secret-file", secretFile, "--origin", "http://" + c.origin.Address}, edgeFlags(*a.Edge)...)
	launches := 0
	prepare := func(ctx context.Context) ([]string, func(), error) {
		launches++
		dir := c.scratch.path(fmt.Sprintf("%s-%d", a.Name, launches))
		if err := c.o.Stores.Checkpoint(ctx, store, dir); err != nil {
			return nil, nil, err
		}
		return []string{"--store", dir}, func() { os.RemoveAll(dir) }, nil
	}
	return arm.Child{Program: c.o.Program, Args: args, CPUs: c.layout.arms, Probe: c.firstAnswer(), Prepare: prepare}
}

// edgeFlags returns the settings of an edge as its flags.
func edgeFlags(e experiment.Edge) []string {
	flags := []string{"--router", e.Router, "--ring", e.Ring, "--nodes", strconv.Itoa(e.Nodes.Count),
		"--lru", e.LRU.String(), "--cache", e.Cache.String(), "--colo", e.Colo}
	optional := []struct{ flag, value string }{
		{"--table-life", e.TableLife}, {"--ties", e.Ties}, {"--names", e.Names}, {"--shadow", e.Shadow},
	}
	for _, o := range optional {
		if o.value != "" {
			flags = append(flags, o.flag, o.value)
		}
	}
	return flags
}

// launch starts an arm anew.
func (c *cell) launch(ctx context.Context, a *armState) error {
	a.stop()
	i, err := a.launcher.Launch(ctx)
	if err != nil {
		return fmt.Errorf("arm %s: %w", a.name, err)
	}
	a.instance, a.tree = i, probe.Tree{PID: i.PID, Own: i.Own}
	if i.Admin != "" {
		a.admin = admin.NewClient(i.Admin, "")
	}
	l := c.e.Load
	a.engine, err = load.New(l.Engine, load.Options{Address: i.Address, Connections: l.Connections,
		Pooling: l.Pooling, Timeout: time.Duration(l.Timeout)})
	return err
}

func (a *armState) stop() {
	if a.engine != nil {
		a.engine.Close()
	}
	if a.admin != nil {
		a.admin.Close()
	}
	if a.instance != nil {
		a.instance.Stop()
	}
	a.engine, a.admin, a.instance, a.tree = nil, nil, nil, probe.Tree{}
}

func (c *cell) stopArms() {
	for _, a := range c.arms {
		a.stop()
	}
}

// firstAnswer asks for the first target that any arm must know.
func (c *cell) firstAnswer() arm.Probe {
	return func(ctx context.Context, address string) error {
		return ask(ctx, address, c.dataset.known)
	}
}

// ask sends one request and checks the status of the answer.
func ask(ctx context.Context, address string, t targets.Target) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+t.Path, nil)
	if err != nil {
		return err
	}
	request.Host = t.Host
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if good := response.StatusCode == t.Status || t.Status == 0 && response.StatusCode < 400; !good {
		return fmt.Errorf("%s%s was answered %d; expected %d", t.Host, t.Path, response.StatusCode, t.Status)
	}
	return nil
}
