package load_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/harness/schedule"
	"switchback/results/record"
	"switchback/targets"
)

// get is a target of which any body is taken.
func get(status int) targets.Target {
	return targets.Target{Host: "a.example", Path: "/", Status: status, Bytes: -1}
}

// run sends the targets in a short open loop.
func run(t *testing.T, engine load.Engine, list ...targets.Target) ([]record.Sample, load.Counts) {
	t.Helper()
	samples := make([]record.Sample, len(list))
	due := schedule.Constant(len(list), time.Duration(len(list))*time.Millisecond)
	counts, err := engine.Run(context.Background(), time.Now(), due, list, samples)
	if err != nil {
		t.Fatal(err)
	}
	return samples, counts
}

// answerCase is an answer, and what a sample of it must say.
type answerCase struct {
	name   string
	server reply
	target targets.Target
	status int16
	want   record.ErrorKind
}

// answerCases are answers of every form and failures of every kind.
func answerCases() []answerCase {
	body := get(200)
	body.Bytes, body.BodyHash = 5, checksum("hello")
	head := get(200)
	head.Method = "HEAD"
	silence := func(int, int, *http.Request) (string, bool) { return "", true }
	endless := always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
	return []answerCase{
		{"right body", always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), body, 200, record.OK},
		{"chunked with a trailer", always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nX: y\r\n\r\n"), body, 200, record.OK},
		{"until the end", once("HTTP/1.1 200 OK\r\n\r\nhello"), body, 200, record.OK},
		{"HTTP/1.0", once("HTTP/1.0 200 OK\r\n\r\nhello"), body, 200, record.OK},
		{"Connection: close", once("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"), body, 200, record.OK},
		{"early hints first", always("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), body, 200, record.OK},
		{"HEAD", always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), head, 200, record.OK},
		{"204", always("HTTP/1.1 204 No Content\r\n\r\n"), get(204), 204, record.OK},
		{"304", always("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"), get(304), 304, record.OK},
		{"expected 404", always("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), get(404), 404, record.OK},
		{"any status below 400", always("HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"), get(0), 301, record.OK},
		{"400 and above", always("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"), get(0), 503, record.ErrStatus},
		{"another status than expected", always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), get(404), 200, record.ErrStatus},
		{"another body", always("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhullo"), body, 200, record.ErrBody},
		{"a longer body", always("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello!"), body, 200, record.ErrBody},
		{"cut body", once("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"), body, 200, record.ErrReset},
		{"cut chunk", once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"), body, 200, record.ErrReset},
		{"closed without an answer", once(""), get(200), 0, record.ErrReset},
		{"cut head", once("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"), get(200), 0, record.ErrReset},
		{"not HTTP", once("SSH-2.0-OpenSSH_9.2\r\n\r\n"), get(200), 0, record.ErrMalformed},
		{"bad length", once("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), get(200), 0, record.ErrMalformed},
		{"bad chunk", once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"), body, 200, record.ErrMalformed},
		{"a change of protocol", always("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), get(0), 0, record.ErrMalformed},
		{"101 where it is expected", always("HTTP/1.1 101 Switching Protocols\r\n\r\n"), get(101), 0, record.ErrMalformed},
		{"status 000", always("HTTP/1.1 000 Nothing\r\n\r\n"), get(0), 0, record.ErrMalformed},
		{"status 099", always("HTTP/1.1 099 Nothing\r\nContent-Length: 0\r\n\r\n"), get(0), 0, record.ErrMalformed},
		{"no answer", silence, get(200), 0, record.ErrTimeout},
		{"endless body", endless, get(200), 200, record.ErrTimeout},
	}
}

func TestAnAnswerIsASampleOfItsKind(t *testing.T) {
	for _, c := range answerCases() {
		for _, kind := range kinds {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				options := load.Options{Address: serveRaw(t, c.server).address}
				if c.want == record.ErrTimeout {
					options.Timeout = 30 * time.Millisecond
				}
				samples, _ := run(t, openAt(t, kind, options), c.target)
				s := samples[0]
				if s.Error != c.want || c.want != record.ErrMalformed && c.want != record.ErrReset && s.Status != c.status {
					t.Fatalf("error %q, status %d; want %q, %d", s.Error, s.Status, c.want, c.status)
				}
				if s.Sent == record.Never || s.Done < s.Sent || s.Error == record.ErrTimeout && s.Done-s.Sent < int64(options.Timeout) {
					t.Fatalf("instants %+v", s)
				}
			})
		}
	}
}

func TestAServerThatIsNotThereIsADialError(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			samples, counts := run(t, openAt(t, kind, load.Options{Address: address}), get(200), get(200), get(200))
			for _, s := range samples {
				if s.Error != record.ErrDial || s.Sent != record.Never || s.Done < s.Released {
					t.Fatalf("%+v (%v)", s, s.Error)
				}
			}
			if counts.Released != 3 || counts.Dials < 3 {
				t.Fatalf("counts %+v", counts)
			}
		})
	}
}

// TestAConnectionClosedBetweenRequestsLosesNothing has a server that closes
// every connection without a word when its second request arrives.
func TestAConnectionClosedBetweenRequestsLosesNothing(t *testing.T) {
	second := func(_, n int, _ *http.Request) (string, bool) {
		if n == 1 {
			return "", false
		}
		return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true
	}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			engine := openAt(t, kind, load.Options{Address: serveRaw(t, second).address})
			post := get(200)
			post.Method = "POST"
			samples, _ := run(t, engine, get(200), get(200), get(200))
			for i, s := range samples {
				if s.Error != record.OK {
					t.Fatalf("sample %d: %v", i, s.Error)
				}
			}
			samples, _ = run(t, engine, get(200), post)
			if last := samples[1]; last.Error != record.ErrClosed || last.Sent == record.Never {
				t.Fatalf("a POST on a connection that is closed as it arrives: %v, %+v", last.Error, last)
			}
		})
	}
}

func TestACancelledRunLeavesUnansweredSamples(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			arrived := make(chan struct{}, 100)
			hang := func(_ http.ResponseWriter, r *http.Request) {
				arrived <- struct{}{}
				<-r.Context().Done()
			}
			engine := open(t, kind, hang, load.Options{})
			go func() {
				<-arrived
				cancel()
			}()
			list, samples := []targets.Target{get(200), get(200)}, make([]record.Sample, 2)
			_, err := engine.Run(ctx, time.Now(), []time.Duration{0, time.Hour}, list, samples)
			if err == nil || !strings.Contains(err.Error(), "canceled") {
				t.Fatalf("error %v", err)
			}
			if s := samples[0]; s.Error != record.ErrUnanswered || s.Sent == record.Never {
				t.Fatalf("the request on its way: %+v (%v)", s, s.Error)
			}
			if s := samples[1]; s.Error != record.ErrUnanswered || s.Released != record.Never {
				t.Fatalf("the request not yet due: %+v (%v)", s, s.Error)
			}
		})
	}
}
