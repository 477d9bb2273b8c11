package gate

import (
	"fmt"

	"switchback/results/metric"
)

// failedLimit is the share of failed requests from which on a quantile is not
// judged: half of the requests above it. A little noise more, and the request at
// its rank is one of them. Mean and maximum, which are of the answered, have none.
func failedLimit(m metric.Metric) (limit float64, has bool) {
	return (1 - m.Quantile) / 2, m.Quantile > 0 && m.Quantile < 1
}

// tooManyFailed says why a claim can't be judged: the baseline fails so often that
// its quantile is one of errors rather than of times.
func (j *judge) tooManyFailed(c claim) string {
	limit, has := failedLimit(c.metric)
	failed, n := j.failed(series{c.Metric, c.Group}, j.rules.Baseline, j.beside[c.Arm].pairs)
	share := float64(failed) / float64(max(n, 1))
	if !has || failed == 0 || share < limit {
		return ""
	}
	return fmt.Sprintf("the baseline %s failed %d of %d requests, %.3g %%: from %.3g %% on its %s can't be compared with",
		j.rules.Baseline, failed, n, 100*share, 100*limit, c.Metric)
}

// answered reports whether so few requests of an arm failed that others can be
// compared with it in a series.
func (j *judge) answered(s series, m metric.Metric, arm string) bool {
	limit, has := failedLimit(m)
	failed, n := j.failed(s, arm, nil)
	if !has {
		return failed == 0 || failed < n
	}
	return failed == 0 || float64(failed) < limit*float64(n)
}

// failed counts the requests of a series of an arm, and those of them that failed,
// but for the pairs to skip.
func (j *judge) failed(s series, arm string, skip map[int]bool) (failed, n int64) {
	for i, pair := range j.table.pairs {
		if pair[arm] == nil || pair[arm].Dead || skip[i] {
			continue
		}
		for _, v := range pair[arm].Metrics {
			if v.Metric == s.metric && v.Group == s.group {
				failed, n = failed+v.Failed, n+v.N
			}
		}
	}
	return failed, n
}
