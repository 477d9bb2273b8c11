package importer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// combinedLog makes lines as a busy server writes them: some thousand clients,
// paths by popularity, a fifth of them with queries.
func combinedLog(n int) []byte {
	draws := rand.New(rand.NewPCG(1, 2))
	popular := rand.NewZipf(draws, 1.1, 1, 5000)
	agents := []string{"Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0", "curl/8.5.0",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36"}
	var out bytes.Buffer
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i := range n {
		path := fmt.Sprintf("/articles/%d/index.html", popular.Uint64())
		if draws.IntN(5) == 0 {
			path += fmt.Sprintf("?page=%d&session=%08x", draws.IntN(50), draws.IntN(5000))
		}
		fmt.Fprintf(&out, "203.0.113.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"https://www.example.test/articles/%d\" \"%s\"\n",
			draws.IntN(256), at.Add(time.Duration(i)*time.Millisecond).Format("02/Jan/2006:15:04:05 -0700"), path, draws.IntN(100_000), popular.Uint64(), agents[draws.IntN(3)])
	}
	return out.Bytes()
}

// BenchmarkCombined reports lines per second of CPU of a whole import: read, cleaned,
// hashed, sorted, compressed, written.
func BenchmarkCombined(b *testing.B) {
	const lines = 100_000
	log := combinedLog(lines)
	b.SetBytes(int64(len(log)))
	before := cpuSeconds(b)
	for b.Loop() {
		if _, sum, err := readers(context.Background(), Settings{Host: "www.example.test"}, io.Discard, bytes.NewReader(log)); err != nil || sum.Lines != lines || sum.Dropped != 0 {
			b.Fatalf("%+v, %v", sum, err)
		}
	}
	b.ReportMetric(float64(b.N)*lines/(cpuSeconds(b)-before), "lines/cpu-s")
}

// cpuSeconds returns the time that this process had a CPU: what a busy machine
// takes away is not the importer's.
func cpuSeconds(b *testing.B) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// readers imports what readers hold.
func readers(ctx context.Context, s Settings, w io.Writer, from ...io.Reader) (info any, sum Summary, err error) {
	i, err := newRun(s, w)
	if err != nil {
		return nil, Summary{}, err
	}
	defer i.close()
	for n, r := range from {
		f, err := newFile(r, fmt.Sprintf("file%d", n+1), &i.settings)
		if err != nil {
			return nil, Summary{}, err
		}
		i.files = append(i.files, f)
	}
	return i.all(ctx)
}
