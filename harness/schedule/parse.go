package schedule

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kinds returns the names of the laws.
func Kinds() []string {
	return []string{kindPoisson, kindConstant, kindRamp, kindSteps, kindSine, kindBurst, kindConcurrency}
}

// maxSteps bounds the numbers of a law.
const maxSteps = 1000

// Parse reads a law: its name, and its numbers in parentheses where it has
// any: poisson, constant, concurrency, ramp(0, 1), steps(0.25, 0.5, 0.75, 1),
// sine(0.5, 1), burst(10). Numbers left out are the ones shown, "" is poisson.
func Parse(text string) (Law, error) {
	kind, rest, hasArgs := strings.Cut(strings.TrimSpace(text), "(")
	l := Law{kind: strings.TrimSpace(kind)}
	if !slices.Contains(Kinds(), l.Kind()) {
		return Law{}, fmt.Errorf("arrivals %q: want one of %s", text, strings.Join(Kinds(), ", "))
	}
	if hasArgs {
		inner, ok := strings.CutSuffix(rest, ")")
		if !ok {
			return Law{}, fmt.Errorf("arrivals %q: want a closing parenthesis", text)
		}
		args, err := numbers(inner)
		if err != nil {
			return Law{}, fmt.Errorf("arrivals %q: %w", text, err)
		}
		l.args = args
	} else {
		l.args = defaults(l.kind)
	}
	if err := l.check(); err != nil {
		return Law{}, fmt.Errorf("arrivals %q: %w", text, err)
	}
	return l, nil
}

func numbers(list string) ([]float64, error) {
	var args []float64
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(n) || n < 0 || n > 1e6 {
			return nil, fmt.Errorf("%q: want a number from 0 to 1e6", strings.TrimSpace(part))
		}
		if args = append(args, n); len(args) > maxSteps {
			return nil, fmt.Errorf("more than %d numbers", maxSteps)
		}
	}
	return args, nil
}

func defaults(kind string) []float64 {
	switch kind {
	case kindRamp:
		return []float64{0, 1}
	case kindSteps:
		return []float64{0.25, 0.5, 0.75, 1}
	case kindSine:
		return []float64{0.5, 1}
	case kindBurst:
		return []float64{10}
	}
	return nil
}

// check says what is wrong with the law's numbers.
func (l Law) check() error {
	switch l.kind {
	case kindRamp:
		if len(l.args) != 2 || l.args[0]+l.args[1] == 0 {
			return fmt.Errorf("want two rates, not both 0, as in ramp(0, 1)")
		}
	case kindSteps:
		if slices.Max(l.args) == 0 {
			return fmt.Errorf("want a rate above 0")
		}
	case kindSine:
		if len(l.args) != 2 || l.args[0] > 1 || l.args[1] == 0 {
			return fmt.Errorf("want an amplitude of at most 1 and a number of periods, as in sine(0.5, 1)")
		}
	case kindBurst:
		if len(l.args) != 1 || l.args[0] < 1 || l.args[0] != math.Trunc(l.args[0]) {
			return fmt.Errorf("want a whole number of requests, as in burst(10)")
		}
	default:
		if len(l.args) > 0 {
			return fmt.Errorf("it takes no numbers")
		}
	}
	return nil
}
