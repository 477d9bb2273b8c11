package load_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

// A hundred requests in a tenth of a second, as independent users send them.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "hello")
	}))
	defer server.Close()

	engine, err := load.New("wire", load.Options{Address: strings.TrimPrefix(server.URL, "http://")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Close()

	const n = 100
	list := make([]targets.Target, n)
	for i := range list {
		list[i] = targets.Target{Host: fmt.Sprintf("site%d.example", i), Path: "/", Status: 200, Bytes: -1}
	}
	due := schedule.Poisson(n, 100*time.Millisecond, 1)
	samples := make([]record.Sample, n)
	counts, err := engine.Run(context.Background(), time.Now(), due, list, samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	ttfb := record.NewHistogram()
	for _, s := range samples {
		if s.Error != record.OK {
			fmt.Println("failed:", s.Error)
			continue
		}
		ttfb.Record(s.FirstByte - s.Due) // from the instant it was due: nothing is omitted
	}
	fmt.Println(counts.Released, "released,", ttfb.N(), "answered")
	// Output: 100 released, 100 answered
}
