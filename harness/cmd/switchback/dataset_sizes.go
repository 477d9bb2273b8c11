package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/publish"
	"switchback/harness/runner"
)

// sizesSecret is that of entries that nobody looks up.
const sizesSecret = "switchback dataset sizes"

// storeSizes is what a dataset takes as a routing store.
type storeSizes struct {
	Deployments int64         `json:"deployments"`
	Families    []familySizes `json:"families"`
}

// familySizes is what a family of keys takes, in bytes.
type familySizes struct {
	Family  string                   `json:"family"`
	Keys    int64                    `json:"keys"`
	Logical int64                    `json:"logical"` // keys included
	Disk    map[kv.Compression]int64 `json:"disk"`
}

func newDatasetSizesCommand() *cobra.Command {
	var compressions []string
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "sizes FILE",
		Short: "Measure a dataset as a routing store: by family of keys, logical and on disk",
		Long: `Publishes the dataset in both forms once for each compression, compacts the store, measures it
and removes it again. Families: t tables, d custom domains, h hashed entries, w stages and bindings,
m asset manifests.`,
		Example: "  switchback dataset sizes sites.zst\n  switchback dataset sizes sites.zst --compression zstd --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var sizes storeSizes
			for _, c := range compressions {
				if err := sizes.measure(cmd, args[0], dir, kv.Compression(c)); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), sizes)
			}
			return sizes.print(cmd.OutOrStdout(), compressions)
		},
	}
	cmd.Flags().StringSliceVar(&compressions, "compression", []string{"none", "snappy", "zstd"}, "of the store's blocks")
	cmd.Flags().StringVar(&dir, "dir", "", "`DIR` for the stores (default the system's folder for temporary files)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// measure adds the store of one compression.
func (s *storeSizes) measure(cmd *cobra.Command, file, dir string, c kv.Compression) error {
	reader, err := datasets.Open(file)
	if err != nil {
		return err
	}
	defer reader.Close()
	scratch, err := runner.Scratch(cmp.Or(dir, os.TempDir()))
	if err != nil {
		return err
	}
	defer scratch.Remove()
	sizes, err := publish.Sizes(cmd.Context(), reader, scratch.Dir, publish.Options{Secret: []byte(sizesSecret), Compression: c})
	if err != nil {
		return err
	}
	s.Deployments = reader.Info().Deployments
	first := s.Families == nil
	for _, p := range []kv.Prefix{kv.Tables, kv.Domains, kv.Entries, kv.Pipelines, kv.Manifests} {
		if size := sizes[p]; first {
			s.Families = append(s.Families, familySizes{Family: string(rune(p)), Keys: size.Keys,
				Logical: size.KeyBytes + size.ValueBytes, Disk: map[kv.Compression]int64{}})
		}
	}
	for i := range s.Families {
		s.Families[i].Disk[c] = sizes[kv.Prefix(s.Families[i].Family[0])].DiskBytes
	}
	return nil
}

// print writes bytes a deployment, of each family and of the sums that routers
// need.
func (s storeSizes) print(w io.Writer, compressions []string) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "bytes a deployment of %d\tkeys\tlogical\t%s\t\n", s.Deployments, strings.Join(compressions, "\t"))
	for _, f := range s.Families {
		s.row(out, f.Family+"/", f, compressions)
	}
	for _, sum := range [][2]string{{"routing, legacy: t/ d/", "td"}, {"routing, hashed: h/", "h"},
		{"all, legacy: t/ d/ m/", "tdm"}, {"all, hashed: h/ w/ m/", "hwm"}} {
		s.row(out, sum[0], s.sum(sum[1]), compressions)
	}
	return out.Flush()
}

// sum adds up families named by their letters.
func (s storeSizes) sum(letters string) familySizes {
	all := familySizes{Disk: map[kv.Compression]int64{}}
	for _, f := range s.Families {
		if !strings.Contains(letters, f.Family) {
			continue
		}
		all.Keys += f.Keys
		all.Logical += f.Logical
		for c, n := range f.Disk {
			all.Disk[c] += n
		}
	}
	return all
}

func (s storeSizes) row(w io.Writer, name string, f familySizes, compressions []string) {
	each := func(n int64) string { return fmt.Sprintf("%.1f", float64(n)/float64(max(1, s.Deployments))) }
	fmt.Fprintf(w, "%s\t%d\t%s", name, f.Keys, each(f.Logical))
	for _, c := range compressions {
		fmt.Fprintf(w, "\t%s", each(f.Disk[kv.Compression(c)]))
	}
	fmt.Fprint(w, "\t\n")
}
