package guard

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
)

// Calls refuses the calls of an API that a page from elsewhere made. A browser says
// in Origin and Sec-Fetch-Site where a page comes from, and asks the server before it
// sends application/json; programs send neither header.
func Calls(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if from := foreign(r); from != "" {
			refuse(w, http.StatusForbidden, "calls of other web pages are refused: "+from)
			return
		}
		if kind := r.Header.Get("Content-Type"); r.ContentLength != 0 && !isJSON(kind) {
			refuse(w, http.StatusUnsupportedMediaType, fmt.Sprintf("body of the type %.100q: expected application/json", kind))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreign returns the header that says that another page made the request.
func foreign(r *http.Request) string {
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Host != r.Host {
			return fmt.Sprintf("Origin %.100q", origin)
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return fmt.Sprintf("Sec-Fetch-Site %.100q", site)
		}
	}
	return ""
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "application/json"
}
