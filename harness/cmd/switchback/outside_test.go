package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// outsideServer is a daemon as docker has one: each client that connects to
// socket $1 names a port, which is served until the client goes.
func outsideServer() {
	daemon, err := net.Listen("unix", os.Args[1])
	if err != nil {
		panic(err)
	}
	for {
		client, err := daemon.Accept()
		if err != nil {
			panic(err)
		}
		go serveClient(client)
	}
}

func serveClient(client net.Conn) {
	defer client.Close()
	lines := bufio.NewReader(client)
	port, err := lines.ReadString('\n')
	if err != nil {
		return
	}
	server := http.Server{Addr: "127.0.0.1:" + strings.TrimSpace(port), Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go server.ListenAndServe()
	_, _ = lines.ReadString('\n') // the client has gone
	server.Close()
}

// outsideClient asks the daemon at socket $1 to serve port $2, and waits.
func outsideClient() {
	var daemon net.Conn
	var err error
	for range 1000 { // the daemon may still be starting
		if daemon, err = net.Dial("unix", os.Args[1]); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(daemon, os.Args[2])
	_, _ = daemon.Read(make([]byte, 1)) // until it or we are ended
}
