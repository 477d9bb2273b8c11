package load_test

import (
	"net/http"
	"strings"
	"testing"

	"switchback/harness/load"
	"switchback/origin"
	"switchback/results/record"
	"switchback/targets"
)

// field returns a target with one more header field.
func field(t targets.Target, name, value string) targets.Target {
	t.Header = append(t.Header[:len(t.Header):len(t.Header)], targets.Field{Name: name, Value: value})
	return t
}

// expect sets the status and the body that a target must get.
func expect(t targets.Target, status int, body string) targets.Target {
	t.Status, t.Bytes, t.BodyHash = status, int64(len(body)), checksum(body)
	return t
}

// TestTheOriginAnswersConditionsAndRanges asks the fake origin for an asset with
// the validator that it gave, with another one, and for parts of it.
func TestTheOriginAnswersConditionsAndRanges(t *testing.T) {
	const path = "/a/00112233/1000"
	body := strings.Repeat(path+"\n", 1000)[:1000]
	o, err := origin.New(origin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	for _, kind := range kinds {
		etag := make(chan string, 100)
		engine := open(t, kind, func(w http.ResponseWriter, r *http.Request) {
			o.ServeHTTP(w, r)
			etag <- w.Header().Get("ETag")
		}, load.Options{})
		asset := targets.Target{Host: "a.example", Path: path}
		askFor(t, kind, engine, expect(asset, 200, body))
		tag := <-etag
		if tag == "" {
			t.Fatal("the origin gives no ETag")
		}
		head := expect(asset, 200, "")
		head.Method = "HEAD"
		askFor(t, kind, engine,
			expect(field(asset, "If-None-Match", tag), 304, ""),
			expect(field(asset, "If-None-Match", `"other"`), 200, body),
			expect(field(asset, "Range", "bytes=10-29"), 206, body[10:30]),
			expect(field(asset, "Range", "bytes=-7"), 206, body[993:]),
			expect(field(field(asset, "Range", "bytes=10-29"), "If-Range", tag), 206, body[10:30]),
			expect(field(field(asset, "Range", "bytes=10-29"), "If-Range", `"other"`), 200, body),
			head)
	}
}

// askFor sends the targets and fails where one is not answered as expected.
func askFor(t *testing.T, kind string, engine load.Engine, list ...targets.Target) {
	t.Helper()
	samples, _ := run(t, engine, list...)
	for i, s := range samples {
		if s.Error != record.OK {
			t.Errorf("%s, request %d with %v: %v, status %d, %d bytes; want %d, %d bytes",
				kind, i, list[i].Header, s.Error, s.Status, s.Bytes, list[i].Status, list[i].Bytes)
		}
	}
}
