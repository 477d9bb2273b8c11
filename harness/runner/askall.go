package runner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// engineFor returns an engine that sends the load to an arm.
func (c *cell) engineFor(a *armState) (load.Engine, error) {
	l := c.e.Load
	return load.New(l.Engine, load.Options{Address: a.instance.Address, TLS: a.instance.TLS, Insecure: a.insecure, Connections: l.Connections,
		Pooling: l.Pooling, Timeout: time.Duration(l.Timeout), TraceShare: c.o.Tracing.share()})
}

// askAll asks an arm for each target, through an engine of its own: the requests are
// those of the load, byte by byte, and the arm's first block finds no
// connection open. What an engine doesn't keep is asked for once more.
func (c *cell) askAll(ctx context.Context, a *armState, sample []targets.Target) ([]answered, error) {
	engine, err := c.engineFor(a)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	asked := slices.Clone(sample)
	for i := range asked {
		asked[i].Status = cmp.Or(c.e.Check.Status, asked[i].Status)
		if c.e.Check.Body != "" {
			asked[i].Bytes = -1
		}
	}
	samples := make([]record.Sample, len(asked))
	n := min(checkedAtOne, cmp.Or(c.e.Load.Connections, checkedAtOne))
	counts, err := engine.Concurrency(ctx, time.Now(), n, asked, samples)
	if err != nil {
		return nil, err
	}
	c.noteRedirects(a, samples)
	answers := make([]answered, len(asked))
	for i := range asked {
		answers[i] = answerOf(&samples[i], asked[i], counts)
	}
	if len(c.e.Check.Header) > 0 || c.e.Check.Body != "" {
		c.askPlainly(ctx, a.endpoint(), asked, answers)
	}
	return answers, nil
}

// answerOf is what a check keeps of an answer that an engine got.
func answerOf(s *record.Sample, t targets.Target, counts load.Counts) answered {
	a := answered{status: int(s.Status), body: fmt.Sprintf("%d/%08x", s.Bytes, s.BodyHash)}
	switch s.Error {
	case record.OK:
	case record.ErrStatus:
		a.wrong = statusFault(a.status, t.Status)
	case record.ErrBody:
		a.wrong = fmt.Sprintf("another body: %d bytes, expected %d", s.Bytes, t.Bytes)
	case record.ErrDial:
		a.wrong = "no connection: " + strings.Join(slices.Sorted(maps.Keys(counts.DialErrors)), "; ")
	case record.ErrLimit:
		a.wrong = "no connection: " + strings.Join(slices.Sorted(maps.Keys(counts.Limits)), "; ")
	default:
		a.wrong = "no whole answer: " + s.Error.String()
	}
	return a
}

// noteRedirects says of an arm that answers with redirects that they count as
// right, before anything is measured.
func (c *cell) noteRedirects(a *armState, samples []record.Sample) {
	n := record.Redirected(samples)
	if n*100 <= len(samples) {
		return
	}
	note := fmt.Sprintf("%s: arm %s answers %d of %d hostnames with redirects, which count as right (status codes: %v)",
		c.title(), a.name, n, len(samples), record.CodesOf(samples).Class("3"))
	c.step(note)
	c.note("%s", note)
}
