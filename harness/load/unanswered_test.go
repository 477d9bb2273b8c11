package load_test

import (
	"io"
	"net"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
)

// TestBothEnginesTellWhichAnswersBegan: a first byte with the right status is a
// ttfb whatever became of the body; an error answered at once is none.
func TestBothEnginesTellWhichAnswersBegan(t *testing.T) {
	for _, kind := range kinds {
		for name, c := range map[string]struct {
			answer         string
			stays          bool // the connection, without another byte
			status         int
			begun, arrived bool
		}{
			"503 at once":      {"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", false, 200, false, false},
			"cut body":         {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", false, 200, true, false},
			"endless stream":   {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", true, 200, true, false},
			"cut body of 500":  {"HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nabc", false, 200, false, false},
			"cut head":         {"HTTP/1.1 200 OK\r\nContent-Le", false, 200, false, false},
			"an expected 404":  {"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", false, 404, true, true},
			"only a 103 hint":  {"HTTP/1.1 103 Hint\r\n\r\n", false, 200, false, false},
			"a whole good one": {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false, 200, true, true},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				server := serveConns(t, func(conn net.Conn, _ int) {
					buffer := make([]byte, 4096)
					_, _ = conn.Read(buffer)
					_, _ = io.WriteString(conn, c.answer)
					if c.stays {
						_, _ = conn.Read(buffer)
					}
					_ = conn.Close()
				})
				samples, _ := run(t, openAt(t, kind, load.Options{Address: server.address, Timeout: 300 * time.Millisecond}), get(c.status))
				times := samples[0].Times(0)
				if got := times[record.TTFB] != record.NoAnswer; got != c.begun || (times[record.ServiceTTFB] != record.NoAnswer) != c.begun {
					t.Errorf("ttfb is a time: %v, want %v: %+v", got, c.begun, samples[0])
				}
				if got := times[record.Latency] != record.NoAnswer; got != c.arrived {
					t.Errorf("latency is a time: %v, want %v: %+v", got, c.arrived, samples[0])
				}
			})
		}
	}
}
