package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"switchback/edge/admin"
	"switchback/harness/trace"
	"switchback/results/record"
)

// Tracing lets a run make traces. Its zero value makes none and costs nothing.
type Tracing struct {
	Tracer  *trace.Tracer  // of the generator's spans; nil: no traces
	OTLP    string         // the collector's URL, for edges and origin
	Metrics *trace.Metrics // nil: none
}

// flushTimeout bounds how long one process may take to send its spans.
const flushTimeout = 15 * time.Second

// spanSource is a process that makes spans of its own, and how many it had
// made when it was asked last.
type spanSource struct{ asked admin.Spans }

// flush makes a process send its spans, with the attributes of the block, and
// returns how many since it was asked last. Its counts begin anew with the
// process.
func (s *spanSource) flush(ctx context.Context, client *admin.Client, attributes map[string]any) (record.Spans, error) {
	if client == nil {
		return record.Spans{}, nil
	}
	now, err := client.FlushSpans(ctx, attributes)
	if err != nil {
		return record.Spans{}, err
	}
	since := record.Spans{Made: now.Made - s.asked.Made, Delivered: now.Delivered - s.asked.Delivered}
	s.asked = now
	if now.Error != "" {
		err = fmt.Errorf("%s", now.Error)
	}
	return since, err
}

// share returns the share of requests that are sampled.
func (t Tracing) share() float64 {
	if t.Tracer == nil {
		return 0
	}
	return t.Tracer.Share()
}

// processFlags are the flags of an edge or an origin that makes spans.
func (t Tracing) processFlags() []string {
	if t.Tracer == nil {
		return nil
	}
	return []string{"--otlp", t.OTLP}
}

// drawTraces gives the requests that are counted their traces.
func (b *blockRun) drawTraces(samples []record.Sample) {
	if t := b.o.Tracing.Tracer; t != nil {
		t.Draw(b.round.Pair, samples[b.traffic.guard:])
	}
}

// trace sends the spans of the block: those of the generator, which are made
// now, and those that edge and origin noted. Nothing is measured meanwhile.
// What does not arrive is counted, and is no reason to end the run.
func (b *blockRun) trace(ctx context.Context, samples []record.Sample) {
	b.publish(ctx, samples)
	tracer := b.o.Tracing.Tracer
	if tracer == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	sources := b.spanSources(ctx, tracer, samples)
	sent, failed := make([]record.Spans, len(sources)), make([]error, len(sources))
	var senders sync.WaitGroup
	for i, send := range sources {
		senders.Go(func() { sent[i], failed[i] = send() })
	}
	senders.Wait()
	b.block.Spans = &record.Spans{}
	for _, s := range sent {
		b.block.Spans.Made += s.Made
		b.block.Spans.Delivered += s.Delivered
	}
	if err := firstError(failed...); err != nil {
		b.note("spans were lost: %v", err)
	}
}

// spanSources returns what sends the spans of the block: the generator, the
// arm's edges and the origin.
func (b *blockRun) spanSources(ctx context.Context, tracer *trace.Tracer, samples []record.Sample) []func() (record.Spans, error) {
	at := trace.Place{Cell: b.name, Arm: b.arm.name, Pair: b.round.Pair, Block: b.order, Start: b.block.Start}
	attributes := tracer.Attributes(at)
	all := []func() (record.Spans, error){
		func() (record.Spans, error) {
			return tracer.Block(ctx, at, samples[b.traffic.guard:], b.traffic.labels)
		},
		func() (record.Spans, error) { return b.spans.flush(ctx, b.upstream, attributes) },
	}
	for _, edge := range b.arm.all() {
		all = append(all, func() (record.Spans, error) { return edge.spans.flush(ctx, edge.admin, attributes) })
	}
	return all
}

// publish records the block in the metrics and sends them.
func (b *blockRun) publish(ctx context.Context, samples []record.Sample) {
	m := b.o.Tracing.Metrics
	if m == nil {
		return
	}
	err := m.Block(ctx, b.block, samples[b.traffic.guard:])
	switch err := firstError(err, m.Send(ctx)); {
	case errors.Is(err, trace.ErrTakesNoMetrics):
		b.step(fmt.Sprintf("no metrics over OTLP: %v", err))
	case err != nil:
		b.note("metrics were lost: %v", err)
	}
}

// begin names the run to those who tell of it elsewhere.
func (t Tracing) begin(m record.Manifest) {
	if t.Tracer != nil {
		t.Tracer.Begin(m)
	}
	if t.Metrics != nil {
		t.Metrics.Begin(m)
	}
}

// traceRun sends the span of the run itself.
func (r *run) traceRun(ctx context.Context) {
	if t := r.o.Tracing.Tracer; t != nil {
		if _, err := t.End(context.WithoutCancel(ctx), time.Now()); err != nil {
			r.step(fmt.Sprintf("the span of the run was lost: %v", err))
		}
	}
}
