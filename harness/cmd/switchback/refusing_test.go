package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
)

// refusingServer answers on port $1 with a status of kind $2: agent (403 for
// clients that don't say that they are Go's), only-ready and only-few (429 after
// the first request, or the first 20), moved (301 for all).
func refusingServer() {
	var seen atomic.Int64
	answers := map[string]func(http.ResponseWriter, *http.Request){
		"agent": func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.UserAgent(), "Go-http-client") {
				w.WriteHeader(http.StatusForbidden)
			}
		},
		"only-ready": limited(&seen, 1),
		"only-few":   limited(&seen, 20),
		"moved": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://"+r.Host+r.URL.Path, http.StatusMovedPermanently)
		},
	}
	err := http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(answers[os.Args[2]]))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func limited(seen *atomic.Int64, most int64) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		if seen.Add(1) > most {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}
}
