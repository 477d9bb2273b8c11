package main

import (
	"fmt"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
	"strings"
)

// pprofServer answers everything on port $1, and has the profiles of
// net/http/pprof on port $2: all, none (404), pages or a way elsewhere, as $3
// says.
func pprofServer() {
	runtime.SetMutexProfileFraction(1)
	go func() {
		fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Args[2], profilesOf(os.Args[3])))
		os.Exit(1)
	}()
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	os.Exit(1)
}

func profilesOf(kind string) http.Handler {
	mux := http.NewServeMux()
	switch kind {
	case "all":
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	case "pages":
		mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(strings.Repeat("<p>welcome</p>", 100)))
		})
	case "elsewhere":
		mux.Handle("/", http.RedirectHandler("http://example.invalid/", http.StatusFound))
	}
	return mux
}
