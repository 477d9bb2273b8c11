package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// rowsPerGroup bounds what samples.parquet holds in memory.
const rowsPerGroup = 1 << 15

// SampleRow is a row of samples.parquet. The instants are nanoseconds since
// the start of the block, nil where the request did not reach them.
type SampleRow struct {
	Arm          string `parquet:"arm,dict"`
	Cell         string `parquet:"cell,dict"` // of a sweep; "" in a run without
	Pair         int32  `parquet:"pair"`
	Order        int32  `parquet:"order"`
	Target       int32  `parquet:"target"`
	Host         string `parquet:"host,dict"`
	Path         string `parquet:"path,dict"`
	Due          int64  `parquet:"due,delta"`
	Released     *int64 `parquet:"released,optional"`
	Sent         *int64 `parquet:"sent,optional"`
	FirstByte    *int64 `parquet:"first_byte,optional"`
	Done         *int64 `parquet:"done,optional"`
	Status       int32  `parquet:"status"`
	Error        string `parquet:"error,dict"`
	RightStatus  bool   `parquet:"right_status"` // the head of the answer has the status that the target expects
	Bytes        int64  `parquet:"bytes"`
	BodyHash     uint32 `parquet:"body_hash"`
	NewConn      bool   `parquet:"new_connection"`
	Cache        string `parquet:"cache,dict"`
	Node         string `parquet:"node,dict"`
	ServerTiming string `parquet:"server_timing"`
	TraceID      string `parquet:"trace_id"` // 32 hex digits; "" without a trace
}

// sampleFile writes samples.parquet under its name for unfinished files.
type sampleFile struct {
	path   string
	file   *os.File
	writer *parquet.GenericWriter[SampleRow]
	rows   []SampleRow // scratch
	timing []Timing    // scratch
}

// createSamples creates the file, which names the version that writes it.
func (r *Run) createSamples() (*sampleFile, error) {
	path := filepath.Join(r.Dir, SamplesFile)
	file, err := os.OpenFile(path+unfinished, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fmt.Errorf("creating %s: %w", SamplesFile, err)
	}
	writer := parquet.NewGenericWriter[SampleRow](file,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest, Concurrency: 1}),
		parquet.MaxRowsPerRowGroup(rowsPerGroup),
		parquet.CreatedBy("switchback", r.version, r.commit))
	return &sampleFile{path: path, file: file, writer: writer}, nil
}

// AppendSamples adds the block's samples to samples.parquet, a row each.
// Rows are written in groups of 32,768: the memory held is bounded. The file
// gets its name when the run is closed; one that was killed leaves it behind
// with the suffix .tmp, and no reader of Parquet can open that.
func (r *Run) AppendSamples(b Block, samples []Sample, labels []Label) error {
	if r.samples == nil {
		f, err := r.createSamples()
		if err != nil {
			return err
		}
		r.samples = f
	}
	const batch = 1024
	for len(samples) > 0 {
		n := min(batch, len(samples))
		if err := r.samples.write(b, samples[:n], labels); err != nil {
			return fmt.Errorf("writing %s: %w", SamplesFile, err)
		}
		samples = samples[n:]
	}
	return nil
}

func (f *sampleFile) write(b Block, samples []Sample, labels []Label) error {
	f.rows = f.rows[:0]
	for i := range samples {
		f.rows = append(f.rows, f.row(b, &samples[i], &labels[samples[i].Target]))
	}
	_, err := f.writer.Write(f.rows)
	return err
}

func (f *sampleFile) row(b Block, s *Sample, l *Label) SampleRow {
	// What can't be parsed is in the row as it was received.
	f.timing, _ = ParseServerTiming(f.timing[:0], s.ServerTiming)
	row := SampleRow{
		Arm: b.Arm, Cell: b.Cell, Pair: int32(b.Pair), Order: int32(b.Order), Target: s.Target,
		Host: l.Host, Path: l.Path,
		Due: s.Due, Released: reached(&s.Released), Sent: reached(&s.Sent), FirstByte: reached(&s.FirstByte), Done: reached(&s.Done),
		Status: int32(s.Status), Error: s.Error.String(), RightStatus: s.begun(), Bytes: s.Bytes, BodyHash: s.BodyHash, NewConn: s.NewConn,
		Cache: string(described(f.timing, "cache")), Node: string(described(f.timing, "node")), ServerTiming: string(s.ServerTiming),
		TraceID: s.TraceID.String(),
	}
	return row
}

// reached returns an instant, nil for one that was not reached.
func reached(instant *int64) *int64 {
	if *instant == Never {
		return nil
	}
	return instant
}

func (f *sampleFile) close() error {
	if err := errors.Join(f.writer.Close(), f.file.Sync(), f.file.Close()); err != nil {
		return err
	}
	return os.Rename(f.path+unfinished, f.path)
}
