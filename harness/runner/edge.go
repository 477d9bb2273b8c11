package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"switchback/datasets"
	"switchback/harness/arm"
	"switchback/harness/caches"
	"switchback/harness/experiment"
)

// publish returns the store of the dataset and the file of its secret.
func (c *cell) publish(ctx context.Context) (store, secretFile string, err error) {
	draws := datasets.NewDraws(c.o.Seed, seedSecret)
	secret := fmt.Appendf(nil, "%016x%016x", draws.Uint64(), draws.Uint64())
	secretFile = c.scratch.Path("secret")
	if err := os.WriteFile(secretFile, secret, 0o600); err != nil {
		return "", "", fmt.Errorf("writing the secret: %w", err)
	}
	store, err = c.publishedStore(ctx, secret)
	return store, secretFile, err
}

// publishedStore returns the store of the dataset, which is verified or made once a run.
func (c *cell) publishedStore(ctx context.Context, secret []byte) (string, error) {
	content := StoreContent{Dataset: c.dataset.file, Digest: c.dataset.digest, Secret: secret,
		Neighbours: c.e.Dataset.Neighbours, Scratch: c.scratch.Dir}
	key := fmt.Sprint(content.Digest, " ", content.Neighbours)
	if store, ok := c.stores[key]; ok {
		return store, nil
	}
	c.step("publishing the dataset into a routing store")
	store, damage, err := c.o.Stores.Publish(ctx, filepath.Join(c.cache, caches.Stores), content)
	if err != nil {
		return "", err
	}
	if damage != nil {
		c.note("the routing store in the cache was published anew: %v", damage)
	}
	caches.Used(store)
	c.stores[key] = store
	return store, nil
}

// edgeLauncher starts a built-in edge on a checkpoint of its own.
func (c *cell) edgeLauncher(a experiment.Arm, store, secretFile string) arm.Launcher {
	args := append([]string{"edge", "--secret-file", secretFile, "--origin", "http://" + c.origin.Address}, edgeFlags(*a.Edge)...)
	args = append(args, c.o.Tracing.processFlags()...)
	if len(c.e.Colos) > 0 {
		args = append(args, "--colos", strings.Join(c.e.Colos, ","))
	}
	prepare := func(ctx context.Context) ([]string, func(), error) {
		c.checkpoints++
		dir := c.scratch.Path(fmt.Sprintf("store-%d", c.checkpoints))
		if err := c.o.Stores.Checkpoint(ctx, store, dir); err != nil {
			return nil, nil, err
		}
		return []string{"--store", dir}, func() { os.RemoveAll(dir) }, nil
	}
	return arm.Child{Program: c.o.Program, Args: args, CPUs: c.layout.arms, Probe: c.firstAnswer(false, false), Prepare: prepare}
}

// edgeFlags returns the settings of an edge as its flags; what is not set is
// left to the edge's own defaults.
func edgeFlags(e experiment.Edge) []string {
	flags := []string{"--lru", e.LRU.String(), "--cache", e.Cache.String()}
	for _, f := range []struct{ flag, value string }{
		{"--router", e.Router}, {"--table-life", e.TableLife}, {"--shadow", e.Shadow}, {"--ring", e.Ring},
		{"--ties", e.Ties}, {"--names", e.Names}, {"--colo", e.Colo}, {"--weights", e.Nodes.Weights}, {"--servers", e.Nodes.File},
	} {
		if f.value != "" {
			flags = append(flags, f.flag, f.value)
		}
	}
	if e.Nodes.File == "" {
		flags = append(flags, "--nodes", strconv.Itoa(e.Nodes.Count))
	}
	if e.Nodes.Sets > 0 {
		flags = append(flags, "--ring-sets", strconv.Itoa(e.Nodes.Sets))
	}
	if e.Neighbours > 0 {
		flags = append(flags, "--neighbours", strconv.FormatFloat(float64(e.Neighbours), 'f', -1, 64))
	}
	if e.Nodes.Listen {
		flags = append(flags, "--node-listeners")
	}
	return flags
}
