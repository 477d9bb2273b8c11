package load_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// refuseBodies answers GET with 200, and anything else with 413 as soon as its
// head is read. It then closes the connection with most of the body unread.
func refuseBodies(conn net.Conn, _ int) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		request, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if request.Method != http.MethodGet {
			io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlarge")
			return
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	}
}

// TestAnAnswerBeforeTheBodyIsSentIsNotLost sends 5 MB to a server that refuses
// them: writing fails, and the answer must be read all the same. The old code
// lost 20 of 20 with wire and 16 of 20 with vegeta.
func TestAnAnswerBeforeTheBodyIsSentIsNotLost(t *testing.T) {
	large := get(413)
	large.Method, large.Body = "POST", make([]byte, 5<<20)
	large.Bytes, large.BodyHash = 5, checksum("large")
	for _, kind := range kinds {
		for name, list := range map[string][]targets.Target{
			"new connection":  {large},
			"used connection": {get(200), large},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				engine := openAt(t, kind, load.Options{Address: serveConns(t, refuseBodies).address, Connections: 1})
				for range 10 {
					samples := make([]record.Sample, len(list))
					if _, err := engine.Concurrency(context.Background(), time.Now(), 1, list, samples); err != nil {
						t.Fatal(err)
					}
					for i, s := range samples {
						if s.Error != record.OK || s.FirstByte < s.Sent || s.Done < s.FirstByte {
							t.Fatalf("request %d: %v, status %d, %+v", i, s.Error, s.Status, s)
						}
					}
				}
			})
		}
	}
}
