package attack

import (
	"fmt"
	"io"
	"math"
	"strings"

	"switchback/results/record"
	"switchback/results/units"
)

// Bucket counts the requests with a time above Low and up to High, in seconds.
type Bucket struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Count int64   `json:"count"`
}

// spread counts a histogram's values in buckets that end at 1, 2 and 5 of each
// power of ten, from the least value to the largest.
func spread(h *record.Histogram) (buckets []Bucket) {
	if h.N() == 0 {
		return nil
	}
	ends := h.Quantiles([]float64{0, 1})
	low, above := int64(0), h.N()
	for decade := int64(1); above > 0 && decade <= record.HighestValue; decade *= 10 {
		for _, step := range []int64{1, 2, 5} {
			high := decade * step
			left := h.Above(high)
			if float64(high)/1e9 >= ends[0] && above > 0 {
				buckets = append(buckets, Bucket{float64(low) / 1e9, float64(high) / 1e9, above - left})
			}
			low, above = high, left
		}
	}
	return buckets
}

// barWidth is that of the longest bar.
const barWidth = 40

// writeSpread draws the buckets, a line each.
func writeSpread(w io.Writer, name string, buckets []Bucket) {
	if len(buckets) == 0 {
		return
	}
	most := int64(0)
	for _, b := range buckets {
		most = max(most, b.Count)
	}
	fmt.Fprintf(w, "\n%s up to\n", name)
	for _, b := range buckets {
		bar := strings.Repeat("█", int(math.Ceil(barWidth*float64(b.Count)/float64(most))))
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%10s %10s  %s", units.Seconds(b.High), units.Thousands(float64(b.Count)), bar), " "))
	}
}
