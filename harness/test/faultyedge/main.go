// Command faultyedge is the edge of switchback with faults that its gates have
// to find: a busy loop in every request, or a stall in some launches. It is a
// `command:` arm of the acceptance tests and no part of the product.
//
//	faultyedge -listen 127.0.0.1:{port} -origin http://{origin} -dataset FILE -cache DIR -store {dir}/store -busy 100us
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"switchback/datasets"
	"switchback/edge"
	"switchback/edge/publish"
)

// secret is that of the hashed entries, which nobody but this program reads.
const secret = "faultyedge"

// settings are the flags.
type settings struct {
	listen, origin, dataset, cache, store string
	busy                                  time.Duration
	stall                                 stall
}

func main() {
	var s settings
	flag.StringVar(&s.listen, "listen", "127.0.0.1:0", "address")
	flag.StringVar(&s.origin, "origin", "", "URL of the origin")
	flag.StringVar(&s.dataset, "dataset", "", "file of the dataset that it answers for")
	flag.StringVar(&s.cache, "cache", "", "folder in which the published dataset is kept")
	flag.StringVar(&s.store, "store", "", "folder of its own store, which must not exist")
	flag.DurationVar(&s.busy, "busy", 0, "CPU time that each request costs more")
	flag.DurationVar(&s.stall.length, "stall", 0, "time for which all requests wait once")
	flag.IntVar(&s.stall.every, "stall-every", 1, "launches of which the last one stalls")
	flag.IntVar(&s.stall.at, "stall-at", 1, "number of the request at which it stalls")
	flag.StringVar(&s.stall.file, "stall-count", "", "file in which launches are counted")
	flag.Parse()
	if err := s.serve(); err != nil {
		fmt.Fprintln(os.Stderr, "faultyedge:", err)
		os.Exit(1)
	}
}

// serve serves until SIGTERM.
func (s *settings) serve() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := s.makeStore(ctx); err != nil {
		return err
	}
	e, err := edge.New(edge.Options{Store: s.store, Secret: []byte(secret), Origin: s.origin})
	if err != nil {
		return err
	}
	if err := s.stall.begin(); err != nil {
		return err
	}
	server := &http.Server{Addr: s.listen, Handler: s.stall.wrap(busy(s.busy, e)), ReadHeaderTimeout: 10 * time.Second}
	ended := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer ended()
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

// makeStore publishes the dataset, unless an earlier launch has, and takes a
// checkpoint of it.
func (s *settings) makeStore(ctx context.Context) error {
	info, err := datasets.ReadInfo(s.dataset)
	if err != nil {
		return err
	}
	reader, err := datasets.Open(s.dataset)
	if err != nil {
		return err
	}
	defer reader.Close()
	published, _, err := publish.Cached(ctx, s.cache, info.Digest, reader, publish.Options{Secret: []byte(secret)})
	if err != nil {
		return err
	}
	return publish.Checkpoint(ctx, published, s.store)
}
