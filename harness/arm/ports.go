package arm

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"switchback/results/record"
)

// loopbacks are the loopback addresses of a machine, IPv4 first: a server may
// listen on either.
func loopbacks() []string { return []string{"127.0.0.1", "::1"} }

// listenFunc is net.Listen, or a test's.
type listenFunc func(network, address string) (net.Listener, error)

// portTries bounds the search for one port that is free on all loopbacks.
const portTries = 50

// freePorts returns n different ports that nobody listened on a moment ago, and
// the loopback addresses that have them.
func freePorts(listen listenFunc, n int) (ports []int, hosts []string, err error) {
	for range n {
		port, held, err := freePort(listen)
		defer closeListeners(held)
		if err != nil {
			return nil, nil, record.ExplainListening(fmt.Errorf("finding a free port: %w", err))
		}
		ports, hosts = append(ports, port), loopbacks()[:len(held)]
	}
	return ports, hosts, nil
}

// freePort returns a port that is free on all loopbacks, and what holds it. A
// port that is half taken is held until then: else the kernel, where few are
// left, would give it again.
func freePort(listen listenFunc) (port int, held []net.Listener, err error) {
	var passed []net.Listener
	defer func() { closeListeners(passed) }()
	for range portTries {
		port, held, err = tryPort(listen)
		if !errors.Is(err, errHalfTaken) {
			return port, held, err
		}
		passed = append(passed, held...)
	}
	return 0, nil, err
}

// errHalfTaken means that a port is free on one loopback and not on another.
var errHalfTaken = errors.New("the port is taken on another loopback address")

func tryPort(listen listenFunc) (port int, held []net.Listener, err error) {
	for _, host := range loopbacks() {
		l, err := listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		switch {
		case err == nil:
			held = append(held, l)
			port = l.Addr().(*net.TCPAddr).Port
		case port != 0 && noSuchFamily(err):
			return port, held, nil
		case port != 0 && errors.Is(err, syscall.EADDRINUSE):
			return 0, held, fmt.Errorf("%w: %w", errHalfTaken, err)
		default:
			return 0, held, err
		}
	}
	return port, held, nil
}

// noSuchFamily tells whether the machine has no IPv6, or none on its loopback.
func noSuchFamily(err error) bool {
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT) || errors.Is(err, syscall.EPROTONOSUPPORT)
}

func closeListeners(held []net.Listener) {
	for _, l := range held {
		l.Close()
	}
}

// addresses are those at which a server may be that was told the port.
func (p *place) addresses() []string {
	var all []string
	for _, host := range p.hosts {
		all = append(all, net.JoinHostPort(host, strconv.Itoa(p.Port)))
	}
	return all
}
