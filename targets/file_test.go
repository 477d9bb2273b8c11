package targets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	vegeta "github.com/tsenart/vegeta/v12/lib"
	"pgregory.net/rapid"
)

// asked writes targets as one line: method, host, path, fields, body.
func asked(list []Target) string {
	var all []string
	for _, t := range list {
		one := fmt.Sprintf("%s %s %s", t.Method, t.Host, t.Path)
		for _, f := range t.Header {
			one += fmt.Sprintf(" [%s: %s]", f.Name, f.Value)
		}
		if t.Body != nil {
			one += fmt.Sprintf(" %q", t.Body)
		}
		all = append(all, one)
	}
	return strings.Join(all, "; ")
}

func TestTargetFilesAreRead(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(body, []byte("hi"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ about, text, want string }{
		{"HTTP", "GET http://a.test/x?q=1#part\nX-A: 1\nX-A: 2\n\nDELETE http://b.test:8080\n", "GET a.test /x?q=1 [X-A: 1] [X-A: 2]; DELETE b.test:8080 /"},
		{"no empty line between", "GET http://a.test/\nGET http://b.test/\nX: 1\nGET http://c.test/", "GET a.test /; GET b.test / [X: 1]; GET c.test /"},
		{"CRLF, a byte order mark, comments", "\ufeff# mine\r\nGET http://a.test/\r\n# its field\r\nx: 1\r\n", "GET a.test / [x: 1]"},
		{"a body", "POST http://a.test/\n@" + body + "\nPUT http://a.test/\n@" + body, `POST a.test / "hi"; PUT a.test / "hi"`},
		{"a Host field", "GET http://127.0.0.1/\nHost: a.test\n", "GET a.test /"},
		{"a zone is for connecting", "GET http://[fe80::1%25lo]:80/\n", "GET [fe80::1]:80 /"},
		{"JSON without a last newline", `{"method":"GET","url":"http://a.test/"}` + "\n\n" + `{"method":"POST","url":"http://b.test/","body":"aGk=","header":{"b":["2"],"A":["1","3"]}}`,
			`GET a.test /; POST b.test / [A: 1] [A: 3] [b: 2] "hi"`},
		{"JSON's nulls", `{"method":"GET","url":"http://a.test/","body":null,"header":null}`, "GET a.test /"},
		{"a dash in a method", "M-SEARCH http://a.test/", "M-SEARCH a.test /"},
	} {
		file, err := Read(strings.NewReader(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.about, err)
		} else if got := asked(file.Targets); got != test.want || file.Notes != nil || file.SecureLine != 0 {
			t.Errorf("%s:\n got %s %q\nwant %s", test.about, got, file.Notes, test.want)
		}
	}
}

// TestHopByHopFieldsAreDroppedWithACount: a Connection field refused a whole file.
func TestHopByHopFieldsAreDroppedWithACount(t *testing.T) {
	file, err := Read(strings.NewReader("GET http://a.test/\nConnection: keep-alive, x-hop\ncontent-length: 9\nX-Hop: 1\nX-A: 1\n\n" +
		"GET https://b.test/\nConnection: close\n\nGET https://c.test/\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asked(file.Targets), "GET a.test / [X-A: 1]; GET b.test /; GET c.test /"; got != want || file.SecureLine != 7 {
		t.Errorf("got %s, first https in line %d; want %s and 7", got, file.SecureLine, want)
	}
	if want := "4 hop-by-hop fields of the targets were dropped: connection 2, content-length 1, x-hop 1"; len(file.Notes) != 1 || file.Notes[0] != want {
		t.Errorf("notes %q, want %q", file.Notes, want)
	}
}

func TestBadTargetFilesAreRefusedWithTheirLine(t *testing.T) {
	const a = `{"method":"GET","url":"http://a.test/"}` + "\n"
	for text, want := range map[string]string{
		"":         "1: expected at least one target, got none",
		"# none\n": "1: expected at least one target",
		"GET http://a.test/\n\nGET http://a.test/ HTTP/1.1\n":            `3: expected METHOD URL alone, got "GET http://a.test/ HTTP/1.1"`,
		"GET http://a.test/a b\n":                                        "1: expected METHOD URL, got 3 words",
		"GET /x\n":                                                       `1: URL "/x": want http://HOST`,
		"\nGET ftp://a.test/\nX: 1\n\n":                                  `2: URL "ftp://a.test/": want http://HOST`,
		"GET http://user:secret@a.test/\n":                               "1: a URL with a user and a password",
		"GET http://a*b.test/\n":                                         `1: URL "http://a*b.test/": "a*b.test" is no hostname`,
		"GET http://a.test/\nx 1\n":                                      `2: expected a header field, such as Accept: text/html, or METHOD URL, got "x 1"`,
		"GET http://a.test/\n\nX: 1\n":                                   `3: expected METHOD URL`,
		"GET http://a.test/\n: 1\n":                                      `1: header field "": expected a token`,
		"GET http://a.test/\nX Y: 1\n":                                   `2: expected METHOD URL`,
		"GET http://a.test/\nx y: 1\n":                                   `1: header field "x y": expected a token`,
		"GET http://a.test/\nX: a\x00b\n":                                "1: header field X: value",
		"GET http://a.test/\nHost: a\nhost: b\n":                         "1: two Host fields",
		"GET http://a.test/\nHost: a b\n":                                `1: the Host field is "a b"`,
		"GET http://a.test/\n@/nowhere/body\n":                           "2: reading a body: ",
		"GET http://a.test/\n@/dev/zero\n":                               `2: body "/dev/zero": expected a file`,
		"CONNECT http://a.test/\n":                                       "1: method CONNECT",
		"site.test - - [30/Nov/2026:00:00:00 +0000] \"GET / HTTP\"":      "1: expected METHOD URL",
		a + `{"method":"GET","url":"http://a.test/","headers":{}}`:       `2: unknown key "headers": expected method, url, header or body`,
		a + `{"Method":"GET","url":"http://a.test/"}`:                    `2: unknown key "Method"`,
		a + "\n" + `{"method":"GET"}`:                                    "3: expected a target with method and url",
		a + `{"method":"get","url":"http://a.test/"}`:                    `2: method "get"`,
		a + `{"method":"GET","url":"http://a.test/","header":{"A":"1"}}`: "2: header: ",
		a + `{"method":"GET","url":"http://a.test/","body":"?"}`:         "2: body: ",
		a + `{"method":"GET",`:                                           "2: expected a target as a JSON object on one line",
		a + `{"method":"GET","url":"` + "\xff\"}":                        "2: expected UTF-8",
		"{\n":              "1: expected a target as a JSON object on one line",
		"\x28\xb5\x2f\xfd": " ",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %s", text, err, want)
		}
	}
	if _, err := ReadFile("none"); err == nil || !strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// asVegeta reads targets with vegeta, whose formats these are. It is not asked
// about what it reads wrongly: it takes a line after fields for one of them, and
// drops the last line of JSON where that does not end.
func asVegeta(text string) ([]vegeta.Target, error) {
	text = strings.TrimPrefix(text, "\ufeff") + "\n"
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return vegeta.ReadAllTargets(vegeta.NewJSONTargeter(strings.NewReader(text), nil, nil))
	}
	return vegeta.ReadAllTargets(vegeta.NewHTTPTargeter(strings.NewReader(text), nil, nil))
}

// sameAsVegeta compares what is sent for a target with what vegeta sends.
func sameAsVegeta(got Target, v vegeta.Target) error {
	request, err := v.Request()
	if err != nil {
		return err
	}
	if host := withoutZone(request.Host); got.Host != host || got.Method != v.Method || got.Path != request.URL.RequestURI() || !bytes.Equal(got.Body, v.Body) {
		return fmt.Errorf("read as %+v, vegeta sends %s %s %s %q", got, v.Method, host, request.URL.RequestURI(), v.Body)
	}
	fields := dropHopByHop(ordered(v.Header), map[string]int{})
	fields = slices.DeleteFunc(fields, func(f Field) bool { return f.Name == "Host" })
	sent := http.Header{}
	for _, f := range got.Header {
		sent[f.Name] = append(sent[f.Name], f.Value)
	}
	if want := ordered(sent); !slices.Equal(want, fields) {
		return fmt.Errorf("read with fields %v, vegeta sends %v", want, fields)
	}
	return nil
}

// TestTargetsAreThoseOfVegeta: what vegeta writes, or a person for it, is read
// as vegeta reads it.
func TestTargetsAreThoseOfVegeta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(drawTarget), 1, 5).Draw(t, "targets")
		var inJSON, inHTTP bytes.Buffer
		encode := vegeta.NewJSONTargetEncoder(&inJSON)
		for _, v := range list {
			if err := encode(&v); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&inHTTP, "%s %s\n", v.Method, v.URL)
			for _, f := range ordered(v.Header) {
				fmt.Fprintf(&inHTTP, "%s: %s\n", f.Name, f.Value)
			}
			inHTTP.WriteString(rapid.SampledFrom([]string{"\n", "# end\n\n", "\r\n"}).Draw(t, "end"))
		}
		compareWithVegeta(t, inHTTP.String(), len(list))
		compareWithVegeta(t, inJSON.String(), len(list))
	})
}

func drawTarget(t *rapid.T) vegeta.Target {
	v := vegeta.Target{Method: rapid.SampledFrom([]string{"GET", "POST", "PURGE"}).Draw(t, "method"),
		URL: rapid.StringMatching(`https?://[a-z0-9]{1,5}\.test(:[1-9][0-9]{0,3})?(/[a-z%]{0}[a-z0-9ü.~+*-]{0,6}){0,3}(\?[a-z]=[a-z0-9]{0,3})?`).Draw(t, "url"), Header: http.Header{}}
	for range rapid.IntRange(0, 3).Draw(t, "fields") {
		name := rapid.StringMatching(`[A-Za-z]{1,3}-[a-z]|Connection|Content-Length`).Draw(t, "name")
		v.Header[name] = append(v.Header[name], strings.TrimSpace(rapid.StringMatching(`[ -~]{0,9}[!-~]`).Draw(t, "value")))
	}
	return v
}

func compareWithVegeta(t *rapid.T, text string, n int) {
	file, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	list, err := asVegeta(text)
	if err != nil || len(list) != n || len(file.Targets) != n {
		t.Fatalf("%q: %d targets, vegeta reads %d, %v; want %d", text, len(file.Targets), len(list), err, n)
	}
	for i := range list {
		if err := sameAsVegeta(file.Targets[i], list[i]); err != nil {
			t.Fatalf("%q: target %d: %v", text, i+1, err)
		}
	}
}

// FuzzReadFile: what is read is one well-formed request each, and what vegeta
// sends, where vegeta reads it as it stands.
func FuzzReadFile(f *testing.F) {
	for _, text := range []string{"GET http://a.test/x\nX-A: 1\n\nPOST http://b.test\n", `{"method":"GET","url":"http://a.test/","header":{"A":["b"]},"body":"aGk="}`,
		"\ufeffGET http://a.test/\r\nhost: b\r\nConnection: x\r\nx: 1\r\n", "GET http://[::1%25a]:1/?q#f", "\x28\xb5\x2f\xfd", "GET http://a/\nGET http://b/ HTTP/1.1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "@") {
			return // names a file of this machine
		}
		file, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for i := range file.Targets {
			if err := file.Targets[i].Check(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := json.Marshal(file.Targets); err != nil {
			t.Fatal(err)
		}
		list, err := asVegeta(text)
		if err != nil || !readable(list) {
			return
		}
		for i := range min(len(list), len(file.Targets)) {
			if err := sameAsVegeta(file.Targets[i], list[i]); err != nil {
				t.Fatalf("%q: target %d: %v", text, i+1, err)
			}
		}
	})
}

// readable tells whether vegeta read what a file says: it has fields that no
// request may have, and knows Host in one spelling.
func readable(list []vegeta.Target) bool {
	for _, v := range list {
		for name, values := range v.Header {
			if strings.ContainsAny(name, " \t") || strings.EqualFold(name, "Host") && (name != "Host" || len(values) > 1) {
				return false
			}
		}
	}
	return true
}
