package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTheRingAnswersEveryHost: hosts that the guard of other listeners refuses.
func TestTheRingAnswersEveryHost(t *testing.T) {
	picker, err := newPicker(ringFlags{servers: "5", weights: equalWeights, names: "address", maxPoints: 10_000}, "v2:16", "address", nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(ringHandler(picker.Ring, picker.Servers))
	defer server.Close()
	for _, host := range []string{"evil.example", "localhost", "a..b", "[::1]:99", "10.1.2.3", "xn--bcher-kva.example:8443"} {
		request, err := http.NewRequest(http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		request.Header.Set("Origin", "http://evil.example")
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		var want strings.Builder
		if err == nil {
			err = picker.Run(strings.NewReader(host+"\n"), &want)
		}
		if err != nil || response.StatusCode != http.StatusOK || !strings.HasSuffix(want.String(), ","+string(body)) {
			t.Errorf("%s: status %d, %q, %v; pick says %q", host, response.StatusCode, body, err, want.String())
		}
	}
}
