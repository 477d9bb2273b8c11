package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// outcome is what a reader made of the bytes of a connection that then ended.
type outcome struct {
	failed bool
	status int
	close  bool
	bytes  int64
	crc    uint32
	timing string
	rest   int // bytes left after the answer; -1 when the end of the stream ended it
}

// byWire reads the stream in pieces of at most most bytes.
func byWire(stream []byte, head bool, most int, random *rand.Rand) outcome {
	var a answer
	a.reset(head)
	fed := 0
	for fed < len(stream) && a.phase != complete {
		n := min(1+random.IntN(most), len(stream)-fed)
		used, err := a.feed(stream[fed:fed+n], int64(fed))
		if err != nil {
			return outcome{failed: true}
		}
		fed += used
		if used < n && a.phase != complete {
			panic("bytes left unread in an answer that is not complete")
		}
	}
	o := outcome{rest: len(stream) - fed}
	if a.phase != complete {
		if a.end() != nil {
			return outcome{failed: true}
		}
		o.rest = -1
	}
	o.status, o.close, o.bytes, o.crc, o.timing = a.status, a.close, a.bytes, a.checksum, string(a.timing)
	return o
}

// byStandard reads the stream with net/http, as its transport does: answers
// of 1xx are skipped. A 101, which the transport takes, fails: no engine asks for it.
func byStandard(stream []byte, head bool) outcome {
	in := bufio.NewReader(bytes.NewReader(stream))
	request := &http.Request{Method: "GET"}
	if head {
		request.Method = "HEAD"
	}
	for {
		response, err := http.ReadResponse(in, request)
		if err != nil {
			return outcome{failed: true}
		}
		if response.StatusCode == 101 {
			return outcome{failed: true}
		}
		if response.StatusCode/100 == 1 {
			continue
		}
		sum := crc32.New(castagnoli)
		n, err := io.Copy(sum, response.Body)
		if err != nil {
			return outcome{failed: true}
		}
		left, _ := io.Copy(io.Discard, in)
		o := outcome{status: response.StatusCode, close: response.Close, bytes: n, crc: sum.Sum32(), rest: int(left)}
		o.timing = string(appendTiming(nil, response.Header))
		if unbounded(response, head) {
			o.rest = -1
		}
		return o
	}
}

// unbounded reports whether the body ended with the stream.
func unbounded(r *http.Response, head bool) bool {
	chunked := len(r.TransferEncoding) > 0
	bodyless := head || r.StatusCode == 204 || r.StatusCode == 304
	return r.ContentLength < 0 && !chunked && !bodyless
}

// stricter lists where this reader is stricter than net/http on purpose, in
// the text of the stream. RFC 9112 asks for, or allows, each.
func stricter(stream []byte) bool {
	text := strings.ToLower(string(stream))
	switch {
	case !strings.HasPrefix(text, "http/1."): // net/http reads HTTP/0.9 and HTTP/2.0 lines
	case strings.Contains(text, "trailer"): // net/http checks the names a Trailer field announces
	case strings.Contains(text, "transfer-encoding") && bareLF(stream): // LF ends no line of a chunked body here
	default:
		return oddStatus(text)
	}
	return true
}

func bareLF(stream []byte) bool {
	return bytes.Count(stream, []byte("\n")) != bytes.Count(stream, []byte("\r\n"))
}

// oddStatus finds status lines that net/http reads as numbers all the same
// (+20, 007), or of versions other than 1, after a 1xx answer too.
func oddStatus(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		version, rest, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(version, "http/") {
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		if !strings.HasPrefix(version, "http/1.") || rest == "" || rest[0] < '1' || rest[0] > '9' {
			return true
		}
	}
	return false
}

// disagreement compares the two readers, the wire engine's with pieces of three
// sizes, and says how they differ; "" when they don't, or may.
func disagreement(stream []byte, head bool) string {
	if len(stream) > maxHead/2 || stricter(stream) {
		return ""
	}
	want := byStandard(stream, head)
	random := rand.New(rand.NewPCG(uint64(len(stream)), 1))
	for _, most := range []int{1, 7, 1 << 20} {
		got := byWire(stream, head, most, random)
		if got != want {
			return fmt.Sprintf("pieces of at most %d, HEAD %v, stream %q:\n got %+v\nwant %+v", most, head, stream, got, want)
		}
	}
	return ""
}

// streams are answers of every form; the fuzzer starts from them.
var streams = []string{
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServer-Timing: route;dur=1.5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel",
	"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
	"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length:\r\n 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
	"HTTP/1.1 200 OK\r\n\r\nuntil the end",
	"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
	"HTTP/1.1 200 OK\r\nConnection: Keep-Alive, CLOSE\r\nContent-Length: 1\r\n\r\nx",
	"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
	"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx",
	"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nrest",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n3 \r\n!!!\r\n0;x\r\nFoo: bar\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\nx",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nx",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n bad: first\r\n\r\n",
	"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
	"HTTP/1.1 304 Not Modified\r\nETag: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello",
	"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
	"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nbytes",
	"HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1  200  OK\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "", "\r\n",
	"HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
	"HTTP/1.1 200 OK\r\n leading: space\r\n\r\n",
	"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
	"HTTP/1.1 200 OK\r\n: empty\r\n\r\n",
	"HTTP/1.1 200 OK\r\nX: \x01\r\n\r\n",
	"HTTP/1.1 200 OK\r\nX: a\r\n\tb\x7f\r\n\r\n",
	"HTTP/1.1 200 OK\r\nServer-Timing: a\r\nServer-Timing: b;dur=2,\r\n  c\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n \r\n\r\n0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nX-Cache: MISS,\r\n HIT\r\nServer-Timing: a\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 200 OK\r\nCache-Status: A; hit\r\nCache-Status: \"B, \\\";\"; fwd=uri-miss\r\nContent-Length: 0\r\n\r\n",
}

func TestAnswersAreReadAsNetHTTPReadsThem(t *testing.T) {
	compared := 0
	for _, stream := range streams {
		for _, head := range []bool{false, true} {
			if d := disagreement([]byte(stream), head); d != "" {
				t.Error(d)
			}
		}
		if !stricter([]byte(stream)) {
			compared++
		}
	}
	if compared < 40 {
		t.Errorf("%d of %d streams were compared, want at least 40", compared, len(streams))
	}
}

func FuzzAnswer(f *testing.F) {
	for _, stream := range streams {
		f.Add([]byte(stream), false)
	}
	f.Fuzz(func(t *testing.T, stream []byte, head bool) {
		if d := disagreement(stream, head); d != "" {
			t.Error(d)
		}
	})
}

func TestAnAnswerBeyondItsLimitsIsMalformed(t *testing.T) {
	long := strings.Repeat("a", maxHead)
	for name, stream := range map[string]string{
		"head":             "HTTP/1.1 200 OK\r\nX: " + long + "\r\n\r\n",
		"line without end": long + long,
		"informational":    strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", maxHead/20),
		"chunk line":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + long,
		"trailer":          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("X: y\r\n", maxTrailer),
		"chunk framing":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+long[:100]+"\r\nx\r\n", 1000),
		"chunk end":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\rX",
	} {
		var a answer
		a.reset(false)
		_, err := a.feed([]byte(stream), 0)
		if !errors.Is(err, errMalformed) {
			t.Errorf("%s: error %v, want malformed", name, err)
		}
		if len(a.line) > maxHead {
			t.Errorf("%s: %d bytes of a line were kept", name, len(a.line))
		}
	}
}

func TestTheFirstByteIsThatOfTheFinalAnswer(t *testing.T) {
	var a answer
	a.reset(false)
	for i, piece := range []string{"HTTP/1.1 103 Early Hints\r\n", "\r\n", "H", "TTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"} {
		if _, err := a.feed([]byte(piece), int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if a.phase != complete || a.firstByte != 2 {
		t.Fatalf("first byte at %d, phase %d; want 2 and complete", a.firstByte, a.phase)
	}
}
