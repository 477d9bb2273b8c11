package trace

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"math/rand/v2"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"switchback/results/record"
)

// DefaultSlowest is how many of the slowest requests of a block have a trace
// in any case.
const DefaultSlowest = 20

// Options of a Tracer.
type Options struct {
	Share   float64 // of the requests that are traced, 0 to 1
	Slowest int     // the slowest requests of each block, traced in any case
}

// Tracer makes the spans of one run: of the run, and of requests. It is used
// by one goroutine.
type Tracer struct {
	options Options
	export  exporter
	draws   *rand.ChaCha8
	secret  uint64
	run     runSpan
	slowest []Slow
}

// exporter delivers spans; see Exporter.
type exporter interface {
	Export(ctx context.Context, spans []*tracepb.Span) (delivered int, err error)
}

// NewTracer returns a tracer whose spans go to an exporter. Its ids are drawn
// from the system's randomness: two runs of one seed are two runs.
func NewTracer(export exporter, options Options) *Tracer {
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // never fails (crypto/rand)
	draws := rand.NewChaCha8(seed)
	return &Tracer{options: options, export: export, draws: draws, secret: draws.Uint64()}
}

// Share returns the share of requests that are sampled.
func (t *Tracer) Share() float64 { return t.options.Share }

// Draw gives each sample the id of a trace. The half that decides on sampling
// is the same in every block of a pair, so that all arms have traces of the
// same requests; the other half makes the id unique.
func (t *Tracer) Draw(pair int, samples []record.Sample) {
	deciding := rand.NewPCG(t.secret, uint64(pair))
	for i := range samples {
		id := &samples[i].TraceID
		binary.BigEndian.PutUint64(id[:8], max(t.draws.Uint64(), 1))
		binary.BigEndian.PutUint64(id[8:], deciding.Uint64())
	}
}

// Place says where samples were taken.
type Place struct {
	Cell  string
	Arm   string
	Pair  int
	Block int // place in the pair
	Start time.Time
}

// Attributes returns what all spans of a block have: those of the client, and
// those of servers that are told so when they send theirs.
func (t *Tracer) Attributes(at Place) map[string]any {
	all := map[string]any{attributeRun: t.run.manifest.Run, attributeArm: at.Arm, attributePair: at.Pair, attributeBlock: at.Block}
	if at.Cell != "" {
		all[attributeCell] = at.Cell
	}
	return all
}

// Block makes the spans of a block's sampled and slowest requests and sends
// them. It returns how many were made and how many arrived; an error says why
// some did not, and is no reason to end a run. labels are those of the
// samples' targets.
func (t *Tracer) Block(ctx context.Context, at Place, samples []record.Sample, labels []record.Label) (record.Spans, error) {
	slow := slowestOf(samples, t.options.Slowest)
	place, err := attributesOf(t.Attributes(at))
	if err != nil {
		return record.Spans{}, err
	}
	b := builder{run: t.run, at: at, place: place}
	for i := range samples {
		s := &samples[i]
		sampled := s.TraceID.Sampled(t.options.Share)
		if s.TraceID == (record.TraceID{}) || !sampled && !slow[i] {
			continue
		}
		b.request(s, labels[s.Target])
		if !sampled {
			b.reconstruct(s)
		}
		if slow[i] {
			t.keep(at, s, labels[s.Target], !sampled)
		}
	}
	return t.send(ctx, b.spans)
}

func (t *Tracer) send(ctx context.Context, spans []*tracepb.Span) (record.Spans, error) {
	if len(spans) == 0 {
		return record.Spans{}, nil
	}
	delivered, err := t.export.Export(ctx, spans)
	return record.Spans{Made: int64(len(spans)), Delivered: int64(delivered)}, err
}
