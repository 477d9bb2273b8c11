package report

import (
	"strconv"
	"strings"

	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/report/figures"
	"switchback/results/units"
)

// maxSentences bounds how many arms the head of a report speaks of.
const maxSentences = 3

// Sentences says in words what the run found: what its numbers are not about,
// then what a rollout cost, or how a sweep grows, else a sentence for each arm
// that was compared with the baseline. Errors come first where arms differ in
// them or either has many: times are of what was answered.
func (r Run) Sentences() []string {
	all := r.redirected()
	if said := r.rolloutSentences(); said != nil {
		return append(all, said...)
	}
	if s := r.growthSentence(); s != "" {
		return append(all, s)
	}
	said := 0
	for _, arm := range r.Candidates() {
		for _, s := range []string{r.errorSentence(arm), r.sentence(arm)} {
			if s != "" && said < maxSentences {
				all, said = append(all, s), said+1
			}
		}
	}
	return all
}

// sentence tells the headline of an arm; "" where nothing was measured for it.
func (r Run) sentence(arm string) string {
	m, ok := r.headline(arm)
	if !ok {
		return ""
	}
	name, base := figures.Cut(figures.Escape(arm), 40), figures.Cut(figures.Escape(r.Summary.Baseline), 40)
	where := moment(m.Name) + groupPhrase(m.Group)
	c, changed := m.Change[arm]
	s := spoken(m.Name)
	switch {
	case c.NoAnswer == record.ByBoth:
		return "neither " + name + " nor " + base + " has an answer" + where
	case c.NoAnswer == record.ByBaseline:
		return base + " has no answer" + where + ": there is nothing to compare " + name + " with"
	case c.NoAnswer != "":
		return name + " has no answer" + where + "; the " + s.noun + " of " + base + " is " + units.Number(m.Arms[r.Summary.Baseline], m.Unit)
	case !changed || figures.Unbounded(c):
		return s.noun + where + " is " + units.Number(m.Arms[arm], m.Unit) + " with " + name + " and " +
			units.Number(m.Arms[r.Summary.Baseline], m.Unit) + " with " + base + ", without an interval"
	case figures.Judge(m.Name, c) == figures.Same:
		return name + " and " + base + " can't be told apart in " + s.noun + where + "; interval " + figures.Interval(m.Unit, c)
	case c.IsDiff:
		return "the " + s.noun + " of " + name + " differs from that of " + base + " by " + units.Difference(c.Diff, m.Unit) + where +
			"; interval " + figures.Interval(m.Unit, c)
	}
	return name + " " + s.compared(c) + " " + base + where + "; interval " + s.interval(c)
}

// manyErrors is the share of failed requests that a headline names whatever the
// other arm has.
const manyErrors = 0.01

// errorSentence tells of the errors of an arm and the baseline; "" where both have
// few and don't differ in them.
func (r Run) errorSentence(arm string) string {
	m, _ := r.Find(metric.ErrorsRatio, "")
	failed, has := m.Arms[arm]
	base, hasBase := m.Arms[r.Summary.Baseline]
	c, changed := m.Change[arm]
	differ := changed && figures.Judge(m.Name, c) != figures.Same && figures.Judge(m.Name, c) != figures.Unjudged
	if !has || !hasBase || !differ && failed <= manyErrors && base <= manyErrors {
		return ""
	}
	return figures.Cut(figures.Escape(arm), 40) + " fails " + units.Percent(failed) + " of the requests and " +
		figures.Cut(figures.Escape(r.Summary.Baseline), 40) + " " + units.Percent(base)
}

// headline picks the metric that the run was made for: the first that a gate
// bounds, else the median TTFB of the largest projects, else of everything.
func (r Run) headline(arm string) (record.Metric, bool) {
	var fallback record.Metric
	found := false
	for _, at := range r.headlines(arm) {
		m, ok := r.Find(at.metric, at.group)
		if _, has := m.Arms[arm]; !ok || !has {
			continue
		}
		if c, changed := m.Change[arm]; changed && !figures.Unbounded(c) {
			return m, true
		}
		if !found {
			fallback, found = m, true
		}
	}
	return fallback, found
}

// place names a metric of a group.
type place struct{ metric, group string }

func (r Run) headlines(arm string) []place {
	var at []place
	for _, g := range r.Summary.Gates {
		if info, ok := metric.Lookup(g.Metric); ok && info.Kind == metric.Ratio && g.Arm == arm {
			at = append(at, place{g.Metric, g.Group})
		}
	}
	for _, key := range []string{"size", "sweep"} {
		for _, group := range r.Groups(key) {
			at = append(at, place{metric.TTFB + metric.P50, group})
		}
	}
	return append(at, place{metric.TTFB + metric.P50, ""}, place{metric.EdgeCPU, ""})
}

// speech is how a family of metrics is spoken of.
type speech struct {
	verb  string // answers
	noun  string // time to first byte
	times bool   // faster and slower rather than less and more
}

func spoken(name string) speech {
	family := name
	if cut := strings.LastIndexByte(name, '.'); cut > 0 {
		family = name[:cut]
	}
	switch family {
	case metric.TTFB:
		return speech{"answers", "time to first byte", true}
	case metric.ServiceTTFB:
		return speech{"serves", "service time", true}
	case metric.Latency:
		return speech{"completes", metric.Latency, true}
	case metric.Page:
		return speech{"delivers pages", "time to a whole page", true}
	case metric.EdgeMemory:
		return speech{"uses", "memory", false}
	}
	switch name {
	case metric.EdgeCPU:
		return speech{"uses", "CPU per request", false}
	case metric.EdgeStartup:
		return speech{"starts", "start-up time", true}
	}
	return speech{"has", figures.Printable(name), false}
}

// compared says "answers 128 times faster than" or "takes 12 % more latency
// than": a factor from two on, percents below.
func (s speech) compared(c record.Change) string {
	percent := units.Digits(percentOff(c.Ratio)) + " %"
	switch {
	case !units.AsFactor(c.Ratio) && s.times && c.Ratio < 1:
		return s.verb + " in " + percent + " less time than"
	case !units.AsFactor(c.Ratio) && s.times:
		return s.verb + " in " + percent + " more time than"
	case !units.AsFactor(c.Ratio):
		return s.verb + " " + percent + pick(c.Ratio < 1, " less ", " more ") + s.noun + " than"
	case s.times:
		return s.verb + " " + factor(c.Ratio) + " times" + pick(c.Ratio < 1, " faster", " slower") + " than"
	}
	return s.verb + " " + factor(c.Ratio) + " times" + pick(c.Ratio < 1, " less ", " more ") + s.noun + " than"
}

// interval gives the ends of the interval in the words of compared.
func (s speech) interval(c record.Change) string {
	low, high := c.Low, c.High
	if c.Ratio < 1 {
		low, high = high, low
	}
	if units.AsFactor(c.Ratio) {
		return factor(low) + "–" + factor(high)
	}
	return units.Digits(percentOff(low)) + "–" + units.Digits(percentOff(high)) + " %"
}

func percentOff(ratio float64) float64 {
	if ratio < 1 {
		return 100 * (1 - ratio)
	}
	return 100 * (ratio - 1)
}

// factor is how many times more or less a ratio is.
func factor(ratio float64) string {
	if ratio < 1 {
		ratio = 1 / ratio
	}
	return units.Digits(ratio)
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// moment says which part of the requests a statistic is about.
func moment(metric string) string {
	switch metric[strings.LastIndexByte(metric, '.')+1:] {
	case "p50":
		return " at the median"
	case "p90":
		return " at the 90th percentile"
	case "p95":
		return " at the 95th percentile"
	case "p99":
		return " at the 99th percentile"
	case "p999":
		return " at the 99.9th percentile"
	case "mean":
		return " on average"
	case "max":
		return " at worst"
	}
	return ""
}

// groupPhrase says which requests a group holds.
func groupPhrase(group string) string {
	key, value, _ := strings.Cut(figures.Name(group), "=")
	switch n, err := strconv.Atoi(value); {
	case group == "":
		return ""
	case key == "size" && err == nil:
		return " for projects of " + units.Count(n, "deployment")
	case key == "cache":
		return " where the cache says " + value
	}
	return " for " + key + " " + value
}
