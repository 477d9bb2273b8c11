package arm

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain lets the test binary play the programs that arms start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if play, ok := roles[os.Args[1]]; ok {
			play(os.Args[2:])
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

// roles are what the test binary can be started as.
var roles = map[string]func(args []string){
	"keeper":    playKeeper,
	"child":     playChild,
	"serve":     playServer,
	"die":       func([]string) { fmt.Fprintln(os.Stderr, "no such table\x1b[31m"); os.Exit(3) },
	"flood":     playFlood,
	"stubborn":  playStubborn,
	"daemonise": playDaemon,
	"slow":      playSlow,
	"parent":    playParent,
	"six":       playSix,
	"limited": func([]string) {
		fmt.Println(`{"ready":false,"limit":"cannot assign requested address","error":"listen tcp 127.0.0.1:0: no port"}`)
		os.Exit(1)
	},
	"silent": func([]string) { waitForSignal() },
}

// playKeeper is the keeper subcommand: --parent-fd 3 --grace D --folder F -- COMMAND…
func playKeeper(args []string) {
	grace, err := time.ParseDuration(args[3])
	if err != nil {
		panic(err)
	}
	code, err := Keep(os.NewFile(parentFD, "parent"), grace, args[5], args[7:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// playChild speaks the start-up protocol and serves until its parent is gone.
func playChild(args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(os.Stderr, "asked for", r.URL.Path)
		fmt.Fprint(w, strings.Join(args, " "))
	}))
	fmt.Printf(`{"ready":true,"listen":%q,"admin":"","pid":%d}`+"\n", l.Addr(), os.Getpid())
	go func() {
		os.NewFile(parentFD, "parent").Read(make([]byte, 1))
		os.Exit(0)
	}()
	waitForSignal()
}

func playServer(args []string) {
	fmt.Println("serving")
	if err := http.ListenAndServe("127.0.0.1:"+args[0], http.NotFoundHandler()); err != nil {
		panic(err)
	}
}

// playSix serves on port $1 of ::1 alone.
func playSix(args []string) {
	if err := http.ListenAndServe("[::1]:"+args[0], http.NotFoundHandler()); err != nil {
		panic(err)
	}
}

func playFlood(args []string) {
	for range 10_000 {
		fmt.Fprintln(os.Stderr, strings.Repeat("flood ", 200))
	}
	playServer(args)
}

func playStubborn(args []string) {
	signal.Ignore(syscall.SIGTERM)
	playServer(args)
}

// playSlow serves once $2 has passed.
func playSlow(args []string) {
	wait, err := time.ParseDuration(args[1])
	if err != nil {
		panic(err)
	}
	<-time.After(wait)
	playServer(args)
}

// playParent serves beside a worker that does nothing.
func playParent(args []string) {
	worker, err := os.StartProcess(os.Args[0], []string{os.Args[0], "silent"}, &os.ProcAttr{Env: os.Environ()})
	if err != nil {
		panic(err)
	}
	go worker.Wait()
	playServer(args)
}

// playDaemon starts a server in a session of its own and leaves it.
func playDaemon(args []string) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	_, err = os.StartProcess(os.Args[0], []string{os.Args[0], "serve", args[0]},
		&os.ProcAttr{Files: []*os.File{null, null, null}, Env: os.Environ(), Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		panic(err)
	}
}

func waitForSignal() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	<-c
}

// within bounds a test's context.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// eventually polls ok until it holds or the test has waited ten seconds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	err := poll(within(t, 10*time.Second), nil, func() (bool, error) { return ok(), nil })
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// refuses reports whether nobody listens at address.
func refuses(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		conn.Close()
	}
	return err != nil
}
