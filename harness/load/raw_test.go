package load_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
)

// raw is a server that answers each request with text of the test's choice.
type raw struct {
	address string

	mu     sync.Mutex
	conns  []net.Conn
	served sync.WaitGroup
}

// reply says what to write for the n-th request of a connection (from 0), and
// whether to keep the connection.
type reply func(connection, n int, r *http.Request) (text string, keep bool)

// serveRaw starts a raw server; it ends with the test.
func serveRaw(tb testing.TB, answer reply) *raw {
	tb.Helper()
	return serveConns(tb, func(conn net.Conn, number int) { serveConn(conn, number, answer) })
}

// serveConns starts a server that gives every connection, with its number, to
// serve; it ends with the test.
func serveConns(tb testing.TB, serve func(conn net.Conn, number int)) *raw {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := &raw{address: listener.Addr().String()}
	s.served.Go(func() {
		for number := 0; ; number++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, conn)
			s.mu.Unlock()
			s.served.Go(func() { serve(conn, number) })
		}
	})
	tb.Cleanup(func() {
		listener.Close()
		s.mu.Lock()
		for _, conn := range s.conns {
			conn.Close()
		}
		s.mu.Unlock()
		s.served.Wait()
	})
	return s
}

func serveConn(conn net.Conn, number int, answer reply) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for n := 0; ; n++ {
		request, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return
		}
		text, keep := answer(number, n, request)
		if _, err := io.WriteString(conn, text); err != nil || !keep {
			return
		}
	}
}

// always answers every request with one text and keeps the connection.
func always(text string) reply {
	return func(int, int, *http.Request) (string, bool) { return text, true }
}

// once answers the first request of a connection and closes it.
func once(text string) reply {
	return func(int, int, *http.Request) (string, bool) { return text, false }
}

// serveCanned starts a server that answers every read with one text, and
// allocates nothing for it.
func serveCanned(tb testing.TB, text string) *raw {
	tb.Helper()
	return serveConns(tb, func(conn net.Conn, _ int) {
		defer conn.Close()
		in, out := make([]byte, 4096), []byte(text)
		for {
			if _, err := conn.Read(in); err != nil {
				return
			}
			if _, err := conn.Write(out); err != nil {
				return
			}
		}
	})
}
