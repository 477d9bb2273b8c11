package attack

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"switchback/results/record"
	"switchback/targets"
)

// outcome is what vegeta's results hold of a sample.
type outcome struct {
	due, done int64
	bytes     int64
	target    int32
	status    int16
	kind      record.ErrorKind
}

// vegetaResults writes samples in vegeta's encoding. The samples are copied in
// batches to a goroutine of its own, so that the engine does not wait for the
// encoding.
type vegetaResults struct {
	file    *os.File
	name    string
	scheme  string
	targets []targets.Target

	batch   []outcome
	batches chan []outcome
	spare   chan []outcome
	begun   chan time.Time
	written chan error
}

const batchOutcomes = 1024

// createVegeta creates the file, before the load, so that it begins without
// delay; begin says when that is.
func (a *Attack) createVegeta(path string) (*vegetaResults, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	v := &vegetaResults{
		file: file, name: a.settings.Name, scheme: a.scheme, targets: a.targets, batch: make([]outcome, 0, batchOutcomes),
		batches: make(chan []outcome, 16), spare: make(chan []outcome, 16), begun: make(chan time.Time, 1), written: make(chan error),
	}
	go func() { v.written <- v.write() }()
	return v, nil
}

// begin sets the start of the load. It is called once, before add.
func (v *vegetaResults) begin(start time.Time) { v.begun <- start }

// add takes a sample.
func (v *vegetaResults) add(s *record.Sample) {
	v.batch = append(v.batch, outcome{s.Due, s.Done, s.Bytes, s.Target, s.Status, s.Error})
	if len(v.batch) < batchOutcomes {
		return
	}
	v.batches <- v.batch
	select {
	case v.batch = <-v.spare:
	default:
		v.batch = make([]outcome, 0, batchOutcomes)
	}
}

// close writes what is left and ends the goroutine.
func (v *vegetaResults) close() error {
	v.batches <- v.batch
	close(v.batches)
	close(v.begun)
	if err := errors.Join(<-v.written, v.file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", VegetaFile, err)
	}
	return nil
}

// write encodes the batches, to the last one even after an error.
func (v *vegetaResults) write() error {
	start := <-v.begun
	buffered := bufio.NewWriterSize(v.file, 1<<20)
	encode := vegeta.NewEncoder(buffered)
	var failed error
	seq := uint64(0)
	for batch := range v.batches {
		for _, o := range batch {
			if failed == nil {
				failed = encode(v.result(o, seq, start))
			}
			seq++
		}
		select {
		case v.spare <- batch[:0]:
		default:
		}
	}
	return errors.Join(failed, buffered.Flush())
}

// result is a sample as vegeta sees it: the URL is that of the hostname that was
// asked, wherever it was connected to; the latency is counted from due.
func (v *vegetaResults) result(o outcome, seq uint64, start time.Time) *vegeta.Result {
	t := &v.targets[o.target]
	r := &vegeta.Result{
		Attack: v.name, Seq: seq, Code: uint16(o.status), Timestamp: start.Add(time.Duration(o.due)),
		Latency: time.Duration(o.done - o.due), BytesIn: uint64(o.bytes), BytesOut: uint64(len(t.Body)),
		Error: o.kind.String(), Method: t.Method, URL: v.scheme + "://" + t.Host + t.Path,
	}
	if r.Method == "" {
		r.Method = "GET"
	}
	return r
}
