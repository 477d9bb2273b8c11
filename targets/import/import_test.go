package importer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"switchback/targets"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// asked writes targets as one line: when, method, host, path, fields.
func asked(list []targets.Target) string {
	var all []string
	for _, t := range list {
		one := strings.ReplaceAll(fmt.Sprintf("%d %s %s%s", t.At/1000, t.Method, t.Host, t.Path), "  ", " ")
		for _, f := range t.Header {
			one += fmt.Sprintf(" [%s: %s]", f.Name, f.Value)
		}
		all = append(all, one)
	}
	return strings.Join(all, "; ")
}

// imported imports texts, and reads back what was written, as attack does.
func imported(s Settings, texts ...string) ([]targets.Target, Summary, error) {
	var from []io.Reader
	for _, text := range texts {
		from = append(from, strings.NewReader(text))
	}
	var out bytes.Buffer
	_, sum, err := readers(context.Background(), s, &out, from...)
	if err != nil {
		return nil, sum, err
	}
	file, err := targets.Read(&out)
	if err != nil {
		return nil, sum, err
	}
	return file.Targets, sum, nil
}

// line is one of a combined log with hostnames.
func line(host, request string) string {
	return host + `:443 203.0.113.9 - - [30/Nov/2026:12:00:00 +0000] "` + request + `" 200 12 "-" "-"` + "\n"
}

// plain lets an import keep all it may.
func plain() Settings {
	return Settings{Format: "vhost_combined", KeepQuery: true, MostDropped: 1}
}

// TestDirtyLinesHaveARule: what is asked for a line, and what was found in it.
// "" is asked for what is dropped.
func TestDirtyLinesHaveARule(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, test := range []struct {
		about, text, want string
		found             []kind
	}{
		{"nothing wrong", line("a.test", "GET /x?q=1 HTTP/1.1"), "0 a.test/x?q=1", nil},
		{"another method", line("a.test", "DELETE /x HTTP/2.0"), "0 DELETE a.test/x", nil},
		{"OPTIONS *", line("a.test", "OPTIONS * HTTP/1.1"), "", []kind{asterisk}},
		{"HTTP/2's preface", line("a.test", "PRI * HTTP/2.0"), "", []kind{asterisk}},
		{"CONNECT", line("a.test", "CONNECT h:443 HTTP/1.1"), "", []kind{tunnel}},
		{"a URL", line("a.test", "GET http://b.test/x HTTP/1.1"), "0 b.test/x", []kind{absoluteURL}},
		{"a URL with a password", line("a.test", "GET HTTPS://me:secret@b.test?q HTTP/1.1"), "0 b.test/?q", []kind{absoluteURL}},
		{"a hello", line("a.test", `\x16\x03\x01\x02\x00`), "", []kind{notHTTP}},
		{"RDP", line("a.test", `\x03\x00\x00/*\xE0`), "", []kind{notHTTP}},
		{"a stray %", line("a.test", "GET /%%32 HTTP/1.1"), "0 a.test/%%32", []kind{badEscape}},
		{"- for a request", line("a.test", "-"), "", []kind{noRequest}},
		{"an empty request", line("a.test", ""), "", []kind{noRequest}},
		{"one word", line("a.test", "quit"), "", []kind{badRequest}},
		{"a small method", line("a.test", "get / HTTP/1.1"), "", []kind{badMethod}},
		{"no path", line("a.test", "GET x HTTP/1.1"), "", []kind{badTarget}},
		{"HTTP/0.9", line("a.test", "GET /x"), "0 a.test/x", []kind{noVersion}},
		{"blanks", line("a.test", "GET /a b HTTP/1.1"), "0 a.test/a%20b", []kind{blanks}},
		{"a fragment", line("a.test", "GET /a#b HTTP/1.1"), "0 a.test/a", []kind{fragment}},
		{"bytes outside ASCII", line("a.test", `GET /\xc3\xbc HTTP/1.1`), "0 a.test/%C3%BC", []kind{rawBytes}},
		{"a quote, as nginx has it", line("a.test", `GET /\x22 HTTP/1.1`), `0 a.test/"`, nil},
		{"a quote, as Apache has it", line("a.test", `GET /\" HTTP/1.1`), `0 a.test/"`, nil},
		{"a line feed in a path", line("a.test", `GET /a\nX:1 HTTP/1.1`), "", []kind{control}},
		{"a control character in a path", line("a.test", `GET /\x1b[31m HTTP/1.1`), "", []kind{control}},
		{"a control character in a field", strings.Replace(line("a.test", "GET / HTTP/1.1"), `"-" "-"`, `"-" "a\x1bb"`, 1), "0 a.test/", []kind{badField}},
		{"capitals", line("A.Test", "GET / HTTP/1.1"), "0 a.test/", []kind{capitals}},
		{"a dot at the end", line("a.test.", "GET / HTTP/1.1"), "0 a.test/", []kind{trailingDot}},
		{"a default port", line("x", "GET http://a.test:443/ HTTP/1.1"), "0 a.test/", []kind{absoluteURL, defaultPort}},
		{"another port", line("x", "GET http://a.test:8443/ HTTP/1.1"), "0 a.test:8443/", []kind{absoluteURL, otherPort}},
		{"a name outside ASCII", line("bücher.test", "GET / HTTP/1.1"), "0 xn--bcher-kva.test/", []kind{international}},
		{"an address", line("[2001:db8::1]", "GET / HTTP/1.1"), "0 [2001:db8::1]/", nil},
		{"an underscore", line("a_b.test", "GET / HTTP/1.1"), "0 a_b.test/", []kind{underscore}},
		{"no hostname", line("-", "GET / HTTP/1.1"), "", []kind{noHost}},
		{"a server without a name", line("_", "GET / HTTP/1.1"), "", []kind{noHost}},
		{"not a hostname", line("a..test", "GET / HTTP/1.1"), "", []kind{badHost}},
		{"a pattern", line("*.test", "GET / HTTP/1.1"), "", []kind{badHost}},
		{"a cut line", line("a.test", "GET / HTTP/1.1")[:40], "", []kind{malformed}},
		{"a hole", "\x00\x00\x00" + line("a.test", "GET / HTTP/1.1"), "0 a.test/", []kind{nulBytes}},
		{"too long", line("a.test", "GET /"+long+" HTTP/1.1"), "", []kind{tooLong}},
		{"too large", line("a.test", "GET /"+long[:30<<10]+" HTTP/1.1"), "", []kind{tooLarge}},
		{"no time", strings.Replace(line("a.test", "GET / HTTP/1.1"), "[30/Nov/2026:12:00:00 +0000]", "[-]", 1) + line("b.test", "GET / HTTP/1.1"), "0 a.test/; 0 b.test/", []kind{noStamp}},
		{"not a time", strings.Replace(line("a.test", "GET / HTTP/1.1"), "30/Nov", "41/Nov", 1), "", []kind{malformed}},
		{"CRLF, no end", strings.TrimRight(line("a.test", "GET / HTTP/1.1"), "\n") + "\r", "0 a.test/", nil},
	} {
		got, sum, err := imported(plain(), line("ok.test", "GET /ok HTTP/1.1")+test.text)
		if err != nil {
			t.Errorf("%s: %v", test.about, err)
			continue
		}
		want := strings.TrimSuffix("0 ok.test/ok; "+test.want, "; ")
		if a := asked(got); a != want {
			t.Errorf("%s:\n got %s\nwant %s", test.about, a, want)
		}
		for _, k := range test.found {
			if e := sum.Examples[k.String()]; len(e) != 1 || e[0].Line != 2 || e[0].File != "file1" {
				t.Errorf("%s: found %v, want %q in line 2 of file1", test.about, sum.Findings, k)
			}
		}
		if test.found != nil && len(sum.Findings) != len(test.found) {
			t.Errorf("%s: found %v, want %d kinds", test.about, sum.Findings, len(test.found))
		}
	}
}

// TestEveryKindOfDirtHasWords: a finding without words would not be understood.
func TestEveryKindOfDirtHasWords(t *testing.T) {
	seen := map[string]bool{"": true}
	for k := clean + 1; k < kinds; k++ {
		if seen[k.String()] {
			t.Errorf("kind %d has the words %q, which are none or another's", k, k)
		}
		seen[k.String()] = true
	}
}

// TestTheFirstTenOfAKindAreShown, and all are counted.
func TestTheFirstTenOfAKindAreShown(t *testing.T) {
	_, sum, err := imported(plain(), line("a.test", "GET / HTTP/1.1")+strings.Repeat(line("a.test", "-"), 25))
	if err != nil {
		t.Fatal(err)
	}
	examples := sum.Examples[noRequest.String()]
	if sum.Dropped != 25 || len(examples) != 10 || examples[9].Line != 11 || sum.Findings[0] != (targets.Finding{Rule: Dropped, What: noRequest.String(), Count: 25}) {
		t.Errorf("got %+v", sum)
	}
}

// TestTooManyDroppedLinesStopAnImport: one in a hundred passes, two do not.
func TestTooManyDroppedLinesStopAnImport(t *testing.T) {
	s := Settings{}
	good := strings.Repeat(line("a.test", "GET / HTTP/1.1"), 99)
	if _, _, err := imported(s, good+line("a.test", "-")); err != nil {
		t.Errorf("1%%: %v", err)
	}
	_, _, err := imported(s, good+line("a.test", "-")+line("a.test", "-"))
	if want := "2 of 101 lines were dropped (2%), more than 1%: expected another --format, or --most-dropped 3% to go on"; err == nil || err.Error() != want {
		t.Errorf("2%%: error %v, want %s", err, want)
	}
	s.MostDropped = 0.03
	if _, _, err := imported(s, good+line("a.test", "-")+line("a.test", "-")); err != nil {
		t.Errorf("allowed: %v", err)
	}
}

// gigabyte is a line that does not end.
type gigabyte struct{ left int }

func (g *gigabyte) Read(p []byte) (int, error) {
	if g.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), g.left)
	for i := range p[:n] {
		p[i] = 'a'
	}
	g.left -= n
	return n, nil
}

// TestALineOfAGigabyteDoesNotEatMemory: it is dropped, and the next line is read.
func TestALineOfAGigabyteDoesNotEatMemory(t *testing.T) {
	s := Settings{Format: "vhost_combined", MostDropped: 1}
	in := io.MultiReader(&gigabyte{left: 1 << 30}, strings.NewReader("\n"+line("a.test", "GET / HTTP/1.1")))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, sum, err := readers(context.Background(), s, io.Discard, in)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 100<<20 {
		t.Errorf("%d bytes were allocated", allocated)
	}
	if err != nil || sum.Lines != 2 || sum.Dropped != 1 || sum.Examples[tooLong.String()][0].Line != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
}

func at(second int, path string) string {
	return fmt.Sprintf("a.test:80 203.0.113.9 - - [30/Nov/2026:12:00:%02d +0000] \"GET %s HTTP/1.1\" 200 1 \"-\" \"-\"\n", second, path)
}

// TestFilesAreMergedByTime: rotated files in any order, compressed or not.
func TestFilesAreMergedByTime(t *testing.T) {
	var gz, zst bytes.Buffer
	in := gzip.NewWriter(&gz)
	fmt.Fprint(in, at(0, "/1"), at(2, "/3"))
	in.Close()
	out, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(out, at(1, "/2"), at(5, "/6"))
	out.Close()
	list, _, err := imported(plain(), at(3, "/5")+at(2, "/4"), gz.String(), zst.String())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asked(list), "0 a.test/1; 1000 a.test/2; 2000 a.test/3; 2000 a.test/4; 3000 a.test/5; 5000 a.test/6"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestAClockThatGoesBackIsMended: what the window can't sort takes the time before it.
func TestAClockThatGoesBackIsMended(t *testing.T) {
	list, sum, err := imported(plain(), strings.Repeat(at(30, "/a"), 2*window)+at(5, "/b"))
	if err != nil {
		t.Fatal(err)
	}
	last := list[len(list)-1]
	if len(list) != 2*window+1 || list[0].At != 0 || last.At != 0 || sum.Findings[0] != (targets.Finding{Rule: Mended, What: clockBack.String(), Count: 1}) {
		t.Errorf("%d targets, last %+v, found %+v", len(list), last, sum.Findings)
	}
}

// TestDaylightSavingNeedsNoRule: stamps with an offset are instants.
func TestDaylightSavingNeedsNoRule(t *testing.T) {
	before, after := strings.ReplaceAll(at(0, "/1"), "12:00:00 +0000", "02:59:59 +0200"), strings.ReplaceAll(at(0, "/2"), "12:00:00 +0000", "02:00:01 +0100")
	list, sum, err := imported(plain(), before+after)
	if err != nil || asked(list) != "0 a.test/1; 2000 a.test/2" || sum.Findings != nil {
		t.Errorf("got %s, %+v, %v", asked(list), sum.Findings, err)
	}
}

// TestACutFileIsReadUpToItsCut: what a full disk or a copy left of a rotated file.
func TestACutFileIsReadUpToItsCut(t *testing.T) {
	var gz bytes.Buffer
	in := gzip.NewWriter(&gz)
	for i := range 5000 {
		fmt.Fprint(in, at(i/100, fmt.Sprintf("/%d", i*7919%5000)))
	}
	in.Close()
	s := plain()
	list, sum, err := imported(s, gz.String()[:gz.Len()/2])
	if err != nil || len(list) < 500 || len(list) > 4500 || len(sum.Examples[cutShort.String()]) != 1 {
		t.Errorf("%d targets, %+v, %v", len(list), sum.Findings, err)
	}
}

// TestPrivateThingsDoNotEnter: addresses, users, cookies, authorisation and the
// values of queries are looked for in the bytes of the file.
func TestPrivateThingsDoNotEnter(t *testing.T) {
	format := `$remote_addr $remote_user [$time_local] $host "$request" "$http_cookie" "$http_authorization" "$http_x_forwarded_for" "$http_referer" "$http_accept"`
	text := `203.0.113.9 alice [30/Nov/2026:12:00:00 +0000] a.test "GET /x?token=s3cret&page=2 HTTP/1.1" "sid=c00kie" "Basic Zm9v" "198.51.100.7" "https://u:pw@r.test/y?k=s3cret" "text/html"` + "\n"
	key := bytes.Repeat([]byte("k"), 32)
	list, sum, err := imported(Settings{Format: format, Key: key}, text)
	if err != nil {
		t.Fatal(err)
	}
	got := asked(list)
	for _, secret := range []string{"203.0.113.9", "alice", "c00kie", "Zm9v", "198.51.100.7", "s3cret", "pw@"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is in the file: %s", secret, got)
		}
	}
	if len(got) != len("0 a.test/x?token=s3cret&page=2 [Referer: https://r.test/y?k=s3cret] [Accept: text/html]") || len(sum.Findings) != 1 || sum.Findings[0].Count != 1 {
		t.Errorf("got %s, found %+v", got, sum.Findings)
	}
	list, _, err = imported(Settings{Format: format, Key: key, KeepQuery: true, KeepClient: true, KeepHeaders: []string{"cookie", "Authorization"}}, text)
	if want := "0 a.test/x?token=s3cret&page=2 [Cookie: sid=c00kie] [Authorization: Basic Zm9v] [Referer: https://r.test/y?k=s3cret] [Accept: text/html] [X-Forwarded-For: 203.0.113.9]"; err != nil || asked(list) != want {
		t.Errorf("named:\n got %s, %v\nwant %s", asked(list), err, want)
	}
}

// TestPseudonymsKeepWhatMatters: lengths, structure, extensions, and who is who.
func TestPseudonymsKeepWhatMatters(t *testing.T) {
	s := Settings{Format: "vhost_combined", Pseudonymise: true, Key: bytes.Repeat([]byte("k"), 32)}
	text := line("shop.example.test", "GET /users/alice/photo-1.jpeg HTTP/1.1") + line("shop.example.test", "GET /users/bob HTTP/1.1") + line("www.example.test", "GET /users/alice HTTP/1.1")
	list, _, err := imported(s, text)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := imported(s, text)
	if err != nil || asked(again) != asked(list) {
		t.Errorf("the same key gave %s, then %s (%v)", asked(list), asked(again), err)
	}
	for _, word := range []string{"shop", "example", "users", "alice", "photo", "bob"} {
		if strings.Contains(asked(list), word) {
			t.Errorf("%s is in %s", word, asked(list))
		}
	}
	first, second, third := list[0], list[1], list[2]
	parts := strings.Split(first.Path, "/")
	if first.Host != second.Host || first.Host == third.Host || strings.SplitN(first.Host, ".", 2)[1] != strings.SplitN(third.Host, ".", 2)[1] ||
		len(first.Path) != len("/users/alice/photo-1.jpeg") || !strings.HasSuffix(first.Path, ".jpeg") || parts[3][5] != '-' ||
		third.Path != "/"+parts[1]+"/"+parts[2] || !strings.HasPrefix(second.Path, "/"+parts[1]+"/") {
		t.Errorf("got %s", asked(list))
	}
	s.Key = bytes.Repeat([]byte("l"), 32)
	if other, _, err := imported(s, text); err != nil || other[0].Host == first.Host {
		t.Errorf("another key gave the same name %s (%v)", first.Host, err)
	}
}

// TestBadFormatsAreRefused names what was expected.
func TestBadFormatsAreRefused(t *testing.T) {
	for format, want := range map[string]string{
		"apache":                 `format "apache": expected one of auto, vhost_combined`,
		"$status":                "expected $request, $request_uri or $uri",
		"$request$status":        "$request: expected text between it and the next variable",
		"$":                      "expected the string of a log_format",
		"":                       "no format explains most of the first 1 lines",
		"$request \"$time_local": "2 of 2",
	} {
		text := "hello world\n"
		if format == "$request \"$time_local" {
			text = "hello world\nhello world\n"
		}
		if _, _, err := imported(Settings{Format: format}, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", format, err, want)
		}
	}
	if _, _, err := imported(Settings{}, ""); err == nil || !strings.Contains(err.Error(), "got an empty file") {
		t.Errorf("an empty file: %v", err)
	}
	if _, _, err := imported(Settings{Host: "a b"}, "x"); err == nil || !strings.Contains(err.Error(), "expected a hostname") {
		t.Errorf("a bad host: %v", err)
	}
}

// TestFilesAreClosedAndCanBeStopped: a missing file is named; a context ends it.
func TestFilesAreClosedAndCanBeStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.log")
	if err := os.WriteFile(path, []byte(at(0, "/")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Files(context.Background(), []string{path, "none"}, plain(), io.Discard); err == nil || !strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("a missing file: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := Files(ctx, []string{path}, plain(), io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if info, _, err := Files(context.Background(), []string{path}, plain(), io.Discard); err != nil || info.Targets != 1 {
		t.Errorf("%+v, %v", info, err)
	}
}
