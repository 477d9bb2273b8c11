package edge

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"switchback/edge/admin"
)

// maxCallBytes bounds the body of a call of the admin API.
const maxCallBytes = 1 << 20

// AdminHandler serves the admin API; package admin has its wire types. An
// answer of 400 and above is an admin.Refusal.
func (e *Edge) AdminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.Handle("GET /metrics", e.metricsHandler())
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) { reply(w, e.Stats()) })
	mux.HandleFunc("GET /flags", func(w http.ResponseWriter, _ *http.Request) { e.replyFlags(w) })
	mux.HandleFunc("PUT /flags", e.putFlags)
	mux.HandleFunc("PUT /nodes/{name}", e.putNode)
	mux.HandleFunc("POST /store/checkpoint", e.postCheckpoint)
	mux.HandleFunc("POST /store/ingest", e.postIngest)
	return mux
}

func (e *Edge) replyFlags(w http.ResponseWriter) {
	flags := e.Flags()
	w.Header().Set("ETag", strconv.Quote(strconv.FormatInt(flags.Version, 10)))
	reply(w, flags)
}

func (e *Edge) putFlags(w http.ResponseWriter, r *http.Request) {
	var update admin.FlagsUpdate
	if !read(w, r, &update) {
		return
	}
	version, err := matchVersion(r.Header.Get("If-Match"))
	if err != nil {
		refuseCall(w, http.StatusBadRequest, err)
		return
	}
	update.Version = version
	flags, err := e.SetFlags(update, r.RemoteAddr)
	switch {
	case errors.Is(err, errStale):
		refuseCall(w, http.StatusPreconditionFailed, err)
	case err != nil:
		refuseCall(w, http.StatusBadRequest, err)
	default:
		reply(w, flags)
	}
}

// matchVersion reads If-Match: the version in quotes, or 0 without one.
func matchVersion(header string) (int64, error) {
	if header == "" || header == "*" {
		return 0, nil
	}
	version, err := strconv.ParseInt(strings.Trim(header, `"`), 10, 64)
	if err != nil || version < 1 {
		return 0, fmt.Errorf(`If-Match %s: expected a version of the flags, as in "7"`, header)
	}
	return version, nil
}

func (e *Edge) putNode(w http.ResponseWriter, r *http.Request) {
	var update admin.NodeUpdate
	if !read(w, r, &update) {
		return
	}
	name := r.PathValue("name")
	if _, ok := e.nodes.byName[name]; !ok {
		refuseCall(w, http.StatusNotFound, fmt.Errorf("no node is named %q", name))
		return
	}
	if err := e.nodes.update(name, update); err != nil {
		refuseCall(w, http.StatusBadRequest, err)
		return
	}
	reply(w, e.nodes.nodeStats()[name])
}

func (e *Edge) postCheckpoint(w http.ResponseWriter, r *http.Request) {
	var call admin.Checkpoint
	if !read(w, r, &call) {
		return
	}
	paths, err := e.exchanged([]string{call.Dir}, isNew)
	if err == nil {
		call.Dir = paths[0]
		err = e.store.Checkpoint(call.Dir)
	}
	if err != nil {
		refuseCall(w, http.StatusBadRequest, err)
		return
	}
	reply(w, call)
}

func (e *Edge) postIngest(w http.ResponseWriter, r *http.Request) {
	var call admin.Ingest
	if !read(w, r, &call) {
		return
	}
	var err error
	if call.Files, err = e.exchanged(call.Files, isFile); err == nil {
		err = e.store.Ingest(r.Context(), call.Files)
	}
	if err != nil {
		refuseCall(w, http.StatusBadRequest, err)
		return
	}
	if err := e.refresh(r.Context()); err != nil {
		refuseCall(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, call)
}

// read decodes the body of a call strictly; it answers 400 itself.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxCallBytes))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil && decoder.More() {
		err = errors.New("more than one JSON value")
	}
	if err != nil {
		refuseCall(w, http.StatusBadRequest, fmt.Errorf("body: %w", err))
	}
	return err == nil
}

func reply(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the requester went away
}

func refuseCall(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(admin.Refusal{Error: err.Error()})
}
