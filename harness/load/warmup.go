package load

import (
	"context"
	"fmt"
	"time"
)

// Warmup says how long requests are sent before any is counted. The zero
// value is not at all.
type Warmup struct {
	Length  time.Duration // by time
	Settled bool          // until block medians stop trending; see Settled
}

// The bounds of a warm-up. One until the medians settle looks at windows of
// warmupWindow, or longer where that would be fewer than warmupRequests, and
// ends after LongestSettling whether or not they have settled.
const (
	LongestWarmup   = time.Hour
	LongestSettling = time.Minute

	warmupWindow   = 250 * time.Millisecond
	warmupRequests = 20
)

// NotSettled is the note on a warm-up that ended with a trend left.
const NotSettled = "the warm-up ended after a minute with its medians still trending"

// ParseWarmup reads a warm-up: a duration up to LongestWarmup, or settled; ""
// is none.
func ParseWarmup(text string) (Warmup, error) {
	switch text {
	case "":
		return Warmup{}, nil
	case "settled":
		return Warmup{Settled: true}, nil
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < 0 || length > LongestWarmup {
		return Warmup{}, fmt.Errorf("warmup %q: want a duration up to %v such as 2s, or settled", text, LongestWarmup)
	}
	return Warmup{Length: length}, nil
}

// Run makes the warm-up by send, which sends one window of it and returns its
// median service_ttfb; rate is in requests per second, 0 in a closed loop. It
// returns false when LongestSettling passed with a trend left.
func (w Warmup) Run(ctx context.Context, rate float64, send SendWindow) (settled bool, err error) {
	if w.Settled {
		return settle(ctx, rate, send)
	}
	if w.Length > 0 {
		_, err = send(ctx, w.Length)
	}
	return true, err
}

// SendWindow sends requests for a time and returns their median service_ttfb.
type SendWindow func(ctx context.Context, window time.Duration) (median float64, err error)

// settle sends windows until their medians have settled. It is bounded by the
// clock, for windows that a slow server draws out, and by their number.
func settle(ctx context.Context, rate float64, send SendWindow) (bool, error) {
	window := warmupWindow
	if rate > 0 {
		window = max(window, time.Duration(warmupRequests/rate*float64(time.Second)))
	}
	var medians []float64
	begin := time.Now()
	for sent := time.Duration(0); max(sent, time.Since(begin)) < LongestSettling; sent += window {
		median, err := send(ctx, window)
		if err != nil {
			return false, err
		}
		if medians = append(medians, median); Settled(medians) {
			return true, nil
		}
	}
	return false, nil
}

// trendBlocks is how many of the last block medians the warm-up rule looks at.
const trendBlocks = 8

// trendScore is the least Mann–Kendall score of eight values that counts as a
// trend: without one, |S| ≥ 14 has probability 0.108.
const trendScore = 14

// Settled is the warm-up rule: whether the medians of successive blocks have
// stopped trending. It looks at the last eight and is false with fewer. The
// score is that of Mann (1945) and Kendall: pairs that rise less pairs that fall.
func Settled(medians []float64) bool {
	if len(medians) < trendBlocks {
		return false
	}
	last := medians[len(medians)-trendBlocks:]
	score := 0
	for j := range last {
		for i := range j {
			switch {
			case last[i] < last[j]:
				score++
			case last[i] > last[j]:
				score--
			}
		}
	}
	return max(score, -score) < trendScore
}
