// Package made makes run folders for tests: the files of a run whose numbers
// are drawn, so that a report has something of everything to show.
package made

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"switchback/results/gate"
	"switchback/results/metric"
	"switchback/results/record"
	"switchback/results/units"
)

// Run says what a made run is like; its zero value is a small one.
type Run struct {
	Seed     uint64
	Pairs    int      // default 12
	Requests int      // of a block; default 120
	Alike    bool     // for runs that are large: every block has the samples of the first, and the first pairs are judged for all
	Brief    bool     // latency.hlog has the first pairs alone: a page pools it
	Baseline string   // default legacy
	Arm      string   // default hashed
	Hosts    []string // default three harmless ones
	Paths    []string // default one harmless one
	Note     string   // of the first block
	Cells    []string // of a sweep
	Half     bool     // it was killed: no summary

	measured map[string]*record.Measurement // of alike blocks, by arm
	values   map[string][]record.Value      // of these
}

// start is when every made run began.
func start() time.Time { return time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC) }

// Write writes the folder of the run, below dir, and returns what Open reads.
func (r Run) Write(t testing.TB, dir, name string) *record.Folder {
	t.Helper()
	r.defaults()
	out := filepath.Join(dir, name)
	w, err := record.Create(out)
	must(t, err)
	must(t, w.WriteExperiment([]byte("name: made\n# "+r.Note+"\n")))
	must(t, w.WriteManifest(r.manifest(name)))
	r.blocks(t, w)
	must(t, w.AppendDifferences([]record.Difference{{Pair: 1, Host: r.Hosts[0], Path: r.Paths[0],
		Arms: map[string]record.Answer{r.Baseline: {Status: 200, Bytes: 1024, BodyHash: 1}, r.Arm: {Status: 404, Bytes: 9, BodyHash: 2}}}}))
	must(t, w.Close())
	if !r.Half {
		must(t, w.WriteSummary(r.judge(t, out)))
	}
	folder, err := record.Open(out)
	must(t, err)
	return folder
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *Run) defaults() {
	fill := func(s *string, value string) {
		if *s == "" {
			*s = value
		}
	}
	fill(&r.Baseline, "legacy")
	fill(&r.Arm, "hashed")
	if r.Pairs == 0 {
		r.Pairs = 12
	}
	if r.Requests == 0 {
		r.Requests = 120
	}
	if r.Hosts == nil {
		r.Hosts = []string{"2b469e16.example.pages.dev", "main.example.pages.dev", "www.example.com"}
	}
	if r.Paths == nil {
		r.Paths = []string{"/index.html"}
	}
	if r.Cells == nil {
		r.Cells = []string{""}
	}
	r.measured, r.values = map[string]*record.Measurement{}, map[string][]record.Value{}
}

func (r Run) manifest(name string) record.Manifest {
	return record.Manifest{Schema: record.ManifestSchema, Run: name, Experiment: "made", Version: "0.1.0", Commit: "0123456789abcdef",
		Seed: r.Seed, DatasetDigest: "sha256:00", TargetsDigest: "sha256:11", Machine: "made", Kernel: "Linux 6.12",
		MachineKind: record.MachineKind{CPU: "AMD EPYC", CPUs: 2, MemoryGiB: 24, Architecture: "amd64"},
		Pinning:     map[string]string{"generator": "0", "arms": "1"}, Start: start(), End: start().Add(time.Minute)}
}

// blocks writes the blocks of every cell: two for each pair, in turns.
func (r Run) blocks(t testing.TB, w *record.Run) {
	labels := r.labels()
	at := start()
	var samples map[string][]record.Sample
	for c, cell := range r.Cells {
		for pair := range r.Pairs {
			for order := range 2 {
				arm := []string{r.Baseline, r.Arm}[(pair+order)%2]
				if samples[arm] == nil || !r.Alike {
					if samples == nil {
						samples = map[string][]record.Sample{}
					}
					samples[arm] = r.samples(arm, uint64(c)<<40|uint64(pair)<<1|uint64(order))
				}
				b := r.block(cell, pair, order, arm, at)
				r.write(t, w, b, samples[arm], labels)
				at = at.Add(time.Duration((b.Length + b.Drain + b.Wait) * 1e9))
			}
		}
	}
}

func (r Run) labels() []record.Label {
	labels := make([]record.Label, 16)
	for i := range labels {
		labels[i] = record.Label{Host: r.Hosts[i%len(r.Hosts)], Path: r.Paths[i%len(r.Paths)],
			Groups: []string{record.Group("size", []string{"10", "10000"}[i%2]), record.Group("position", []string{"first", "last", "none"}[i%3])}}
	}
	return labels
}

// samples draws the requests of a block: the candidate is four times faster.
func (r Run) samples(arm string, salt uint64) []record.Sample {
	draw := rand.New(rand.NewPCG(r.Seed, salt))
	out := make([]record.Sample, r.Requests)
	slow := 4.0
	if arm == r.Arm {
		slow = 1
	}
	for i := range out {
		due := int64(float64(i) / float64(r.Requests) * 0.9e9)
		route := int64(slow * math.Exp(draw.NormFloat64()) * 1e5)
		wait := int64(math.Exp(draw.NormFloat64()) * 2e4)
		s := record.Sample{Due: due, Released: due + wait/4, Sent: due + wait, FirstByte: due + wait + 3*route, Done: due + wait + 4*route,
			Target: int32(draw.IntN(16)), Status: 200, Bytes: 1024, BodyHash: 7,
			ServerTiming: fmt.Appendf(nil, "route;dur=%.4f;desc=x, match;dur=%.4f, ring;dur=0.002, cache;desc=hit, flags;desc=1", float64(route)/1e6, float64(route)/2e6)}
		if i%50 == 49 {
			s.Error, s.Status = record.ErrStatus, 503
		}
		if i == 0 && salt == 0 { // the slowest of all has a trace
			s.TraceID, s.FirstByte, s.Done = [16]byte{1, 2, 3}, due+5e8, due+5e8
		}
		out[i] = s
	}
	return out
}

func (r Run) block(cell string, pair, order int, arm string, at time.Time) record.Block {
	b := record.Block{Schema: record.BlockSchema, Pair: pair, Order: order, Arm: arm, Launch: pair / 2, Cell: cell, Start: at,
		Length: 1, Drain: 0.01, Wait: 0.05, Due: r.Requests, Released: r.Requests, Answered: r.Requests,
		Generator: record.Generator{CPU: 0.4, Spin: 0.1, LatenessP99: 6e-5, HiccupMax: 1e-3, HiccupP99: 7e-5, GCPauseMax: 4e-5}}
	if pair == 0 && order == 0 && r.Note != "" {
		b.Notes = []string{r.Note}
	}
	if pair == 1 && order == 1 {
		b.Generator.Steal = 0.2
	}
	return b
}

func (r Run) write(t testing.TB, w *record.Run, b record.Block, samples []record.Sample, labels []record.Label) {
	m, values := r.measured[b.Arm], r.values[b.Arm]
	if m == nil {
		m = record.Measure(samples, labels, int64(1e9))
		values = m.Values()
	}
	if r.Alike {
		r.measured[b.Arm], r.values[b.Arm] = m, values
	}
	b.Answered -= m.Failed
	b.Errors = m.Errors
	cpu, memory := 0.008, 200e6
	if b.Arm == r.Arm {
		cpu, memory = 0.001, 90e6
	}
	b.Metrics = append(slices.Clip(values), record.Value{Metric: metric.EdgeCPU, Value: cpu * (1 + 0.01*float64(b.Pair%3)), N: int64(r.Requests)},
		record.Value{Metric: metric.EdgeMemoryPeak, Value: memory * (1 + 0.01*float64(b.Pair%3)), N: 1},
		record.Value{Metric: metric.CacheHitRatio, Value: 0.6, N: int64(r.Requests)})
	must(t, w.AppendBlock(b))
	if !r.Brief || b.Pair < firstPairs {
		must(t, w.AppendHistograms(b, m))
	}
	must(t, w.AppendSamples(b, samples, labels))
	must(t, w.AppendSeries(record.Seconds(b, samples, []record.Usage{{Start: b.Start, Length: time.Second, Memory: int64(memory), CPU: 300 * time.Millisecond}})))
}

// firstPairs stand for a large run where all its pairs would take minutes.
const firstPairs = 24

// judge computes the summary as a run does.
func (r Run) judge(t testing.TB, dir string) record.Summary {
	folder, err := record.Open(dir)
	must(t, err)
	if !r.Alike || len(folder.Blocks) <= 2*firstPairs {
		return r.judgeFolder(t, folder)
	}
	folder.Blocks = folder.Blocks[:2*firstPairs]
	part := r
	part.Pairs = firstPairs
	s := part.judgeFolder(t, folder)
	s.Pairs, s.Requests = r.Pairs, 2*r.Pairs*r.Requests
	return s
}

func (r Run) judgeFolder(t testing.TB, folder *record.Folder) record.Summary {
	five, err := units.ParseAmount("5%")
	must(t, err)
	rules := gate.Rules{Arms: []string{r.Baseline, r.Arm}, Pairs: r.Pairs, OneProcess: true,
		Bounds: []gate.Bound{{Metric: metric.TTFB + metric.P50, Arm: r.Arm, MaxRegression: &five, Line: 7}}}
	run, err := gate.Load(folder)
	must(t, err)
	if r.Cells[0] == "" {
		s, err := gate.Summarise(run, rules)
		must(t, err)
		return s
	}
	var cells []gate.Cell
	for _, c := range r.Cells {
		axis, label, _ := strings.Cut(c, "=")
		x, err := strconv.ParseFloat(label, 64)
		cells = append(cells, gate.Cell{Name: c, At: []gate.Coordinate{{Axis: axis, Label: label, X: x, HasX: err == nil}}, Rules: rules})
	}
	s, err := gate.Sweep(run, cells)
	must(t, err)
	return s
}
