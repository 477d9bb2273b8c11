package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"switchback/datasets"
	"switchback/harness/runner"
	"switchback/targets"
)

// targetsGen holds the flags of `switchback targets gen`.
type targetsGen struct {
	dataset  string // file, or "": made from
	made     datasets.Settings
	settings targets.Settings
	seed     uint64
	blocks   int
	requests int
	out      string
	asJSON   bool
}

func newTargetsGenCommand() *cobra.Command {
	g := &targetsGen{}
	cmd := &cobra.Command{
		Use:   "gen --out FILE",
		Short: "Draw a stream of targets over a dataset and store it",
		Example: "  switchback targets gen --dataset sites.zst --blocks 12 --per-block 10000=12,1000=12,tail=35,unknown=25 --out requests.zst\n" +
			"  switchback targets gen --sizes 10000 --requests 200 --assets 12 --seed 7 --out views.zst",
		Args: cobra.NoArgs,
		RunE: g.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&g.dataset, "dataset", "", "`FILE` with the dataset; without it one is generated from the seed")
	addDatasetFlags(flags, &g.made)
	flags.StringVar(&g.settings.Model, "model", "", "pages (default) or uniform")
	flags.Float64Var(&g.settings.Popularity, "popularity", 0, "Zipf exponent over projects (default 0.9)")
	flags.StringToIntVar(&g.settings.PerBlock, "per-block", nil, "requests of each kind in a block: `SIZE[/POSITION]=N,tail=N,unknown=N`")
	flags.StringVar(&g.settings.Unknown, "unknown", "", "share of unknown hostnames without --per-block (default 5%)")
	flags.IntVar(&g.settings.Assets, "assets", 0, "assets of a page view; 0: single requests")
	flags.Uint64Var(&g.seed, "seed", 1, "seed of every draw")
	flags.IntVar(&g.blocks, "blocks", 1, "number of blocks")
	flags.IntVar(&g.requests, "requests", 0, "requests or page views of a block (default 1000, or the sum of --per-block)")
	flags.StringVar(&g.out, "out", "", "`FILE` to write; it must not exist")
	flags.BoolVar(&g.asJSON, "json", false, "print JSON")
	return cmd
}

func (g *targetsGen) run(cmd *cobra.Command, _ []string) error {
	if err := g.check(cmd); err != nil {
		return usage(err)
	}
	var info targets.Info
	err := writeNewFile(cmd, g.out, func(w io.Writer) (err error) {
		info, err = g.write(cmd.Context(), w)
		return err
	})
	if err != nil {
		return err
	}
	return printTargets(cmd.OutOrStdout(), info, g.asJSON)
}

func (g *targetsGen) check(cmd *cobra.Command) error {
	for _, flag := range []string{"sizes", "tail", "bytes-per-deployment"} {
		if g.dataset != "" && cmd.Flags().Changed(flag) {
			return usagef("--%s makes a dataset, but --dataset names one", flag)
		}
	}
	if err := g.made.WithDefaults().Check(); err != nil {
		return err
	}
	if g.requests == 0 && len(g.settings.PerBlock) == 0 {
		g.requests = 1000
	}
	if g.blocks < 1 || g.requests < 0 {
		return usagef("--blocks %d --requests %d: expected positive numbers", g.blocks, g.requests)
	}
	return g.settings.WithDefaults().Check()
}

// write draws the blocks and stores them.
func (g *targetsGen) write(ctx context.Context, w io.Writer) (targets.Info, error) {
	index, err := runner.Interruptible(ctx, g.index)
	if err != nil {
		return targets.Info{}, err
	}
	model, err := index.Model(g.settings, g.seed)
	if err != nil {
		return targets.Info{}, usage(err)
	}
	out, err := targets.NewWriter(w, targets.Header{Dataset: index.Info().Digest, Seed: g.seed, Settings: model.Settings()})
	if err != nil {
		return targets.Info{}, err
	}
	for range g.blocks {
		block, err := model.Block(g.requests)
		if err != nil {
			return targets.Info{}, err
		}
		if err := out.Write(block); err != nil {
			return targets.Info{}, err
		}
	}
	return out.Close()
}

// index reads the dataset of the file, or makes one.
func (g *targetsGen) index() (*targets.Index, error) {
	if g.dataset == "" {
		return targets.GenerateIndex(g.seed, g.made)
	}
	r, err := datasets.Open(g.dataset)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return targets.NewIndex(r)
}
