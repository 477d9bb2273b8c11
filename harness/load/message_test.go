package load_test

import (
	"io"
	"net/http"
	"testing"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

func TestMethodsFieldsAndBodiesArrive(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		io.WriteString(w, r.Method+" "+r.RequestURI+" "+r.Header.Get("User-Agent")+" "+r.Header.Get("X-A")+" "+string(body))
	}
	for _, c := range []struct {
		name   string
		target targets.Target
		want   string
	}{
		{"plain", targets.Target{Path: "/x"}, "GET /x switchback  "},
		{"escaped", targets.Target{Path: "/%7Ea//b%2Fc?q=%20&r"}, "GET /%7Ea//b%2Fc?q=%20&r switchback  "},
		{"two slashes", targets.Target{Path: "//host/x?q"}, "GET //host/x?q switchback  "},
		{"put", targets.Target{Method: "PUT", Path: "/x", Message: targets.Message{Body: []byte("payload")}}, "PUT /x switchback  payload"},
		{"empty post", targets.Target{Method: "POST", Path: "/x"}, "POST /x switchback  "},
		{"fields", targets.Target{Path: "/x", Message: targets.Message{Header: []targets.Field{{Name: "X-A", Value: "1"}, {Name: "User-Agent", Value: "me"}}}}, "GET /x me 1 "},
	} {
		c.target.Host, c.target.Status = "a.example", 200
		c.target.Bytes, c.target.BodyHash = int64(len(c.want)), checksum(c.want)
		for _, kind := range kinds {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				samples, _ := run(t, open(t, kind, echo, load.Options{}), c.target)
				if samples[0].Error != record.OK {
					t.Fatalf("%v: %d bytes, status %d; want the body %q", samples[0].Error, samples[0].Bytes, samples[0].Status, c.want)
				}
			})
		}
	}
}

// TestConditionalAndRangeRequests asks for what a cache answers with 304 and 206.
func TestConditionalAndRangeRequests(t *testing.T) {
	serve := func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("If-None-Match") == `"v1"`:
			w.WriteHeader(http.StatusNotModified)
		case r.Header.Get("Range") == "bytes=0-1":
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, "he")
		}
	}
	conditional := get(304)
	conditional.Header = []targets.Field{{Name: "If-None-Match", Value: `"v1"`}}
	part := get(206)
	part.Header = []targets.Field{{Name: "Range", Value: "bytes=0-1"}}
	part.Bytes, part.BodyHash = 2, checksum("he")
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			samples, _ := run(t, open(t, kind, serve, load.Options{}), conditional, part)
			for i, s := range samples {
				if s.Error != record.OK {
					t.Fatalf("sample %d: %v, status %d", i, s.Error, s.Status)
				}
			}
		})
	}
}

// TestALargeBodyIsSentWhole sends more than a socket takes at once.
func TestALargeBodyIsSentWhole(t *testing.T) {
	body := make([]byte, 8<<20)
	for i := range body {
		body[i] = byte(i * 7)
	}
	echo := func(w http.ResponseWriter, r *http.Request) {
		all, _ := io.ReadAll(r.Body)
		w.Write(all)
	}
	target := targets.Target{Host: "a.example", Path: "/", Method: "POST", Status: 200, Bytes: int64(len(body)), BodyHash: checksum(string(body))}
	target.Body = body
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			if samples, _ := run(t, open(t, kind, echo, load.Options{}), target); samples[0].Error != record.OK {
				t.Fatalf("%v: %d bytes came back", samples[0].Error, samples[0].Bytes)
			}
		})
	}
}
