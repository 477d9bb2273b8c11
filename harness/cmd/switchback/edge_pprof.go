package main

import (
	"net/http"
	"net/http/pprof"
	"runtime"
)

// withProfiles adds to an admin API what `switchback run --profile` asks for.
// It costs nothing until it is asked.
func withProfiles(api http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.Handle("GET /debug/pprof/heap", pprof.Handler("heap"))
	mux.HandleFunc("GET /debug/pprof/mutex", profileMutex)
	return mux
}

// profileMutex watches every contended mutex while it is asked, and none
// before and after. It takes ?seconds.
func profileMutex(w http.ResponseWriter, r *http.Request) {
	before := runtime.SetMutexProfileFraction(1)
	defer runtime.SetMutexProfileFraction(before)
	pprof.Handler("mutex").ServeHTTP(w, r)
}
