package edge

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"switchback/edge/admin"
	"switchback/edge/cache"
)

// headerCache tells the front how a listening node answered.
const headerCache = "X-Switchback-Cache"

// nodeListener is a cache node as a server on loopback, so that connections to
// it can be refused, reset or left unanswered. It keeps its port through its
// faults.
type nodeListener struct {
	name    string
	content *cache.Node
	origin  *originClient

	mu      sync.Mutex
	address string // host:port
	fault   string
	stop    func() // ends what runs on the port now
}

func listenNode(name string, content *cache.Node, origin *originClient) (*nodeListener, error) {
	l := &nodeListener{name: name, content: content, origin: origin, address: "127.0.0.1:0", stop: func() {}}
	if err := l.run(admin.FaultNone); err != nil {
		return nil, fmt.Errorf("node %s: %w", name, err)
	}
	return l, nil
}

// set puts a fault in force, or ends it. A node that refuses has died: it
// comes back empty.
func (l *nodeListener) set(fault string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if fault == l.fault {
		return nil
	}
	switch fault {
	case admin.FaultNone, admin.FaultReset, admin.FaultTimeout, admin.FaultRefuse:
	default:
		return fmt.Errorf("unknown fault %q (known: %s, %s, %s)", fault, admin.FaultRefuse, admin.FaultReset, admin.FaultTimeout)
	}
	l.stop()
	l.stop, l.fault = func() {}, admin.FaultRefuse
	if fault == admin.FaultRefuse {
		l.content.Clear()
		return nil
	}
	return l.run(fault)
}

// run opens the port and serves on it, or misbehaves; mu is held, or the
// listener is not shared yet.
func (l *nodeListener) run(fault string) error {
	listener, err := net.Listen("tcp", l.address)
	if err != nil {
		return err
	}
	l.address, l.fault = listener.Addr().String(), fault
	if fault == admin.FaultNone {
		l.stop = serveNode(listener, l)
	} else {
		l.stop = misbehave(listener, fault == admin.FaultReset)
	}
	return nil
}

// state returns the address and the fault in force.
func (l *nodeListener) state() (address, fault string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.address, l.fault
}

func (l *nodeListener) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop()
	l.stop = func() {}
}

// serveNode serves until the function it returns is called, which breaks all
// connections.
func serveNode(listener net.Listener, handler http.Handler) (stop func()) {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	var done sync.WaitGroup
	done.Go(func() { _ = server.Serve(listener) })
	return func() {
		_ = server.Close()
		done.Wait()
	}
}

// misbehave accepts connections and resets them, or never answers, until the
// function it returns is called.
func misbehave(listener net.Listener, reset bool) (stop func()) {
	var done sync.WaitGroup
	done.Go(func() {
		var held []net.Conn
		for {
			conn, err := listener.Accept()
			if err != nil {
				break
			}
			if reset {
				abort(conn)
				continue
			}
			held = append(held, conn)
		}
		for _, conn := range held {
			abort(conn)
		}
	})
	return func() {
		_ = listener.Close()
		done.Wait()
	}
}

// abort closes a connection with a reset.
func abort(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// ServeHTTP answers the edge's front: the path is that of the origin, and the
// digest in it the key.
func (l *nodeListener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, ok := keyOf(r.URL.Path)
	if !ok {
		http.Error(w, "expected /a/DIGEST/BYTES", http.StatusNotFound)
		return
	}
	parent, end := l.origin.spans.parent(r)
	if end != nil {
		defer end()
	}
	object, outcome, err := l.content.Get(r.Context(), key, l.origin.fetching(ask{
		method: http.MethodGet, host: r.Host, path: r.URL.Path,
		router: r.Header.Get(headerRouter), ring: r.Header.Get(headerRing), node: l.name,
		span: parent,
	}))
	w.Header()[headerCache] = []string{outcome.String()}
	if err != nil {
		http.Error(w, err.Error(), statusOf(err))
		return
	}
	if object.ETag != "" {
		w.Header()["Etag"] = []string{object.ETag}
	}
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(object.Body))}
	_, _ = w.Write(object.Body) // a front that went away is no error of ours
}

func keyOf(path string) (string, bool) {
	key, _, ok := strings.Cut(strings.TrimPrefix(path, "/a/"), "/")
	return key, ok && strings.HasPrefix(path, "/a/")
}

// errNoListeners is returned for a fault of a node that is not a listener.
var errNoListeners = errors.New("nodes of this edge are no listeners and have no faults (see --node-listeners)")
