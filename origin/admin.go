package origin

import (
	"encoding/json"
	"net/http"
)

// AdminHandler answers GET /healthz and GET /stats (type Stats).
func (o *Origin) AdminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("ok\n"))
	})
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(o.Stats()) // the requester went away
	})
	return mux
}
