package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"switchback/datasets"
)

// newDatasetCommand returns the command that makes and sums up datasets.
func newDatasetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "Make a dataset: projects, deployments, hostnames, pipelines, assets",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDatasetGenCommand(), interruptible(newDatasetInfoCommand()), newDatasetSizesCommand())
	return cmd
}

func newDatasetGenCommand() *cobra.Command {
	var settings datasets.Settings
	var seed uint64
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gen --out FILE",
		Short: "Generate a dataset from a seed",
		Example: "  switchback dataset gen --out sites.zst\n" +
			"  switchback dataset gen --sizes 50000 --tail 0 --bytes-per-deployment 400 --seed 7 --out one.zst",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := settings.WithDefaults().Check(); err != nil {
				return usage(err)
			}
			var info datasets.Info
			err := writeNewFile(cmd, out, func(w io.Writer) (err error) {
				info, err = datasets.Generate(w, seed, settings)
				return err
			})
			if err != nil {
				return err
			}
			return printDataset(cmd.OutOrStdout(), info, asJSON)
		},
	}
	addDatasetFlags(cmd.Flags(), &settings)
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of every draw")
	cmd.Flags().StringVar(&out, "out", "", "`FILE` to write; it must not exist")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// addDatasetFlags adds the flags of the generator's settings.
func addDatasetFlags(flags *pflag.FlagSet, s *datasets.Settings) {
	flags.IntSliceVar(&s.Sizes, "sizes", nil, "deployments of each named project (without --sizes and --tail: 10000,1000,100,10 and a tail of 2000)")
	flags.IntVar(&s.Tail, "tail", 0, "further projects, with Pareto sizes below 100")
	flags.IntVar(&s.BytesPerDeployment, "bytes-per-deployment", 0, "of a routing table as JSON, on average (default 1000)")
}

func newDatasetInfoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "info FILE",
		Short:   "Read a dataset to its end, check it, and sum it up",
		Example: "  switchback dataset info sites.zst\n  switchback dataset info sites.zst --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := datasets.ReadInfo(inputPath(args[0]))
			if err != nil {
				return err
			}
			return printDataset(cmd.OutOrStdout(), info, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printDataset(w io.Writer, info datasets.Info, asJSON bool) error {
	if asJSON {
		return printJSON(w, info)
	}
	_, err := fmt.Fprintf(w, "digest       %s\nseed         %d\nprojects     %d (sizes %s, tail %d)\ndeployments  %d, %d of them with functions\n"+
		"hostnames    %d\nassets       %d distinct, %d bytes\ntables       %d bytes, %d a deployment asked\n",
		info.Digest, info.Seed, info.Projects, sizesText(info.Settings.Sizes), info.Settings.Tail, info.Deployments, info.Functions,
		info.Hostnames, info.Assets, info.AssetBytes, info.TableBytes, info.Settings.BytesPerDeployment)
	return err
}

// sizesText writes sizes on a line; of a long list the first ones and how many
// there are. JSON has all.
func sizesText(sizes []int) string {
	const most = 8
	if len(sizes) <= most {
		return fmt.Sprint(sizes)
	}
	return fmt.Sprintf("%v and %d more", sizes[:most], len(sizes)-most)
}

func printJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(v)
}
