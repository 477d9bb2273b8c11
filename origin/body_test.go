package origin

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// want is the body law written the slow, obvious way.
func want(path string, bytes int) string {
	unit := path + "\n"
	return strings.Repeat(unit, bytes/len(unit)+1)[:bytes]
}

func get(o *Origin, method, path string, header map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r)
	return w
}

func TestBodyIsPathRepeated(t *testing.T) {
	o := start(t, Options{})
	for _, path := range []string{"/a/00ff/0", "/a/00ff/1", "/a/00ff/10", "/a/00ff/11", "/a/00ff/100000", "/f/d1/64/api/users", "/f/d1/7/"} {
		parts := strings.Split(path, "/")
		n, _ := strconv.Atoi(parts[3])
		w := get(o, "GET", path, nil)
		if w.Code != 200 || w.Body.String() != want(path, n) {
			t.Errorf("%s: status %d, %d bytes; want 200, %d bytes of the law", path, w.Code, w.Body.Len(), n)
		}
		if got := w.Header().Get("Content-Length"); got != strconv.Itoa(n) {
			t.Errorf("%s: Content-Length %q, want %d", path, got, n)
		}
	}
}

func TestReadingInPartsGivesTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 500).Draw(t, "size")
		path := "/a/" + rapid.StringMatching(`[0-9a-f]{1,40}`).Draw(t, "digest") + "/" + strconv.Itoa(size)
		b, err := parseBody(path)
		if err != nil {
			t.Fatal(err)
		}
		from := rapid.IntRange(0, size).Draw(t, "from")
		if _, err := b.Seek(int64(from), io.SeekStart); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for {
			p := make([]byte, rapid.IntRange(1, 64).Draw(t, "read"))
			n, err := b.Read(p)
			got = append(got, p[:n]...)
			if err == io.EOF {
				break
			}
		}
		if string(got) != want(path, size)[from:] {
			t.Fatalf("from %d: %q", from, got)
		}
	})
}

func TestPathsOutsideTheLaw(t *testing.T) {
	o := start(t, Options{})
	for _, path := range []string{"/", "/a", "/a/x", "/a//5", "/a/x/-1", "/a/x/1/2", "/a/x/ten", "/b/x/1", "/f/x/1", "/a/x/999999999999"} {
		if w := get(o, "GET", path, nil); w.Code != 404 {
			t.Errorf("%s: status %d, want 404", path, w.Code)
		}
	}
}

func TestAssetIsConditionalAndRanged(t *testing.T) {
	o := start(t, Options{})
	const path = "/a/abc/40"
	whole := get(o, "GET", path, nil)
	etag := whole.Header().Get("ETag")
	if etag == "" || !strings.Contains(whole.Header().Get("Cache-Control"), "max-age") {
		t.Fatalf("headers %v lack ETag or Cache-Control", whole.Header())
	}
	if other := get(o, "GET", "/a/abd/40", nil).Header().Get("ETag"); other == etag {
		t.Errorf("two paths share the ETag %s", etag)
	}
	if w := get(o, "GET", path, map[string]string{"If-None-Match": etag}); w.Code != 304 || w.Body.Len() != 0 {
		t.Errorf("If-None-Match: status %d with %d bytes, want 304 with none", w.Code, w.Body.Len())
	}
	w := get(o, "GET", path, map[string]string{"Range": "bytes=5-14"})
	if w.Code != 206 || w.Body.String() != want(path, 40)[5:15] {
		t.Errorf("range: status %d body %q", w.Code, w.Body)
	}
	if w := get(o, "GET", path, map[string]string{"Range": "bytes=40-"}); w.Code != 416 {
		t.Errorf("range past the end: status %d, want 416", w.Code)
	}
	if w := get(o, "HEAD", path, nil); w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "40" {
		t.Errorf("HEAD: status %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
	if w := get(o, "POST", path, nil); w.Code != 405 {
		t.Errorf("POST of an asset: status %d, want 405", w.Code)
	}
}

func TestFunctionIsNeverStored(t *testing.T) {
	o := start(t, Options{})
	for _, method := range []string{"GET", "POST"} {
		w := get(o, method, "/f/d1/20/api", nil)
		if w.Code != 200 || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
			t.Errorf("%s: status %d, headers %v", method, w.Code, w.Header())
		}
	}
}

func FuzzParseBody(f *testing.F) {
	for _, seed := range []string{"/a/x/1", "/f/x/1/api", "", "//", "/a/x/18446744073709551615", "/f//1/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		b, err := parseBody(path)
		if err != nil {
			return
		}
		if b.size < 0 || b.size > MaxBytes {
			t.Fatalf("%q gives a body of %d bytes", path, b.size)
		}
		if !strings.Contains(path, strconv.FormatInt(b.size, 10)) && !strings.Contains(path, "0") {
			t.Fatalf("%q gives a size of %d that it does not name", path, b.size)
		}
		if n, err := io.CopyN(io.Discard, b, min(b.size, 4096)); err != nil || n != min(b.size, 4096) {
			t.Fatalf("%q: read %d, %v", path, n, err)
		}
	})
}

var _ http.Handler = (*Origin)(nil)
