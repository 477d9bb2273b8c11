package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"switchback/harness/guard"
	"switchback/harness/runner"
	"switchback/results/record"
)

// server is how the edge and the origin live as processes: two listeners, one
// line when ready, an end at SIGTERM or with the parent.
type server struct {
	listen    string
	admin     string
	tokenFile string
	parentFD  int
	grace     time.Duration
	otlp      string
	hosts     []string
}

// addFlags adds the flags that both processes have.
func (s *server) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&s.listen, "listen", "127.0.0.1:0", "`address` of the content listener")
	flags.StringVar(&s.admin, "admin", "127.0.0.1:0", "`address` of the admin listener; on loopback unless a token is given")
	flags.StringVar(&s.tokenFile, "admin-token-file", "", "`file` with the bearer token that admin requests need")
	addAllowHost(flags, &s.hosts)
	flags.IntVar(&s.parentFD, "parent-fd", 0, "`number` of a file descriptor whose end of file ends the process")
	flags.DurationVar(&s.grace, "grace", 10*time.Second, "how long requests in flight may take to finish after SIGTERM")
	flags.StringVar(&s.otlp, "otlp", "", "send spans of sampled requests to the collector at this `URL` when POST /spans/flush asks for it")
}

// addAllowHost adds the flag of the listeners that check the Host of requests.
func addAllowHost(flags *pflag.FlagSet, hosts *[]string) {
	flags.StringSliceVar(hosts, "allow-host", nil, "`NAME` that requests may ask for beside loopback names, as of a forwarded port; may be repeated")
}

// readyLine is printed once both listeners are open.
type readyLine struct {
	Ready  bool   `json:"ready"`
	Listen string `json:"listen"`
	Admin  string `json:"admin"`
	PID    int    `json:"pid"`
	Limit  string `json:"limit,omitempty"` // of this machine, that keeps it from serving
	Error  string `json:"error,omitempty"`
}

// tellLimit tells the parent, in place of the ready line, that a limit of this
// machine kept the process from serving; err is returned.
func (s *server) tellLimit(stdout io.Writer, err error) error {
	if limit, met := record.LimitOf(err); met && s.parentFD != 0 {
		line := readyLine{PID: os.Getpid(), Limit: limit, Error: err.Error()}
		return errors.Join(err, json.NewEncoder(stdout).Encode(line))
	}
	return err
}

// errParentEnded ends a process whose parent has ended. Requests may still be
// in progress.
var errParentEnded = errors.New("the parent process has ended")

// serve serves until ctx ends (requests in flight finish, new ones are
// refused) or the parent ends (everything ends at once, with errParentEnded).
func (s *server) serve(ctx context.Context, content, adminAPI http.Handler, stdout io.Writer) error {
	if err := guard.Hosts(s.hosts).Check(); err != nil {
		return usageError{fmt.Errorf("--allow-host: %w", err)}
	}
	token, err := readSecret(ctx, s.tokenFile)
	if err != nil {
		return err
	}
	contentListener, adminListener, err := s.open(token)
	if err != nil {
		return s.tellLimit(stdout, err)
	}
	defer contentListener.Close()
	defer adminListener.Close()
	ready := readyLine{Ready: true, Listen: contentListener.Addr().String(), Admin: adminListener.Addr().String(), PID: os.Getpid()}
	if err := json.NewEncoder(stdout).Encode(ready); err != nil {
		return fmt.Errorf("printing the ready line: %w", err)
	}
	return s.run(ctx, []running{
		{newHTTPServer(content), contentListener},
		{newHTTPServer(guard.Token(token, guard.Hosts(s.hosts).Scraped(adminListener, guard.Calls(adminAPI)))), adminListener},
	})
}

// open opens both listeners.
func (s *server) open(token string) (content, adminAPI net.Listener, err error) {
	if content, err = net.Listen("tcp", s.listen); err != nil {
		return nil, nil, listenError(s.listen, err)
	}
	if adminAPI, err = guard.Listen(s.admin, token); err != nil {
		content.Close()
		return nil, nil, usageError{listenError(s.admin, err)}
	}
	return content, adminAPI, nil
}

// listenError names the limit of a listener that asked for any free port.
func listenError(address string, err error) error {
	if strings.HasSuffix(address, ":0") {
		return record.ExplainListening(err)
	}
	return err
}

// running is an HTTP server on its listener.
type running struct {
	*http.Server
	listener net.Listener
}

func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
}

// run serves on all listeners until one fails, ctx ends or the parent ends.
func (s *server) run(ctx context.Context, servers []running) error {
	group, failed := errgroup.WithContext(ctx)
	for _, server := range servers {
		group.Go(func() error {
			if err := server.Serve(server.listener); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
	}
	group.Go(func() error {
		select {
		case <-parentEnd(s.parentFD):
			return errors.Join(errParentEnded, closeAll(servers))
		case <-failed.Done():
			return s.drain(servers)
		}
	})
	return group.Wait()
}

// drain lets requests in flight finish, for the grace and no longer.
func (s *server) drain(servers []running) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.grace)
	defer cancel()
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			return errors.Join(fmt.Errorf("requests still in flight after %s: %w", s.grace, err), closeAll(servers))
		}
	}
	return nil
}

func closeAll(servers []running) (err error) {
	for _, server := range servers {
		err = errors.Join(err, server.Close())
	}
	return err
}

// parentEnd returns a channel that closes at the end of file of the
// descriptor; with 0 it never does. The reader behind it ends with the
// process.
func parentEnd(fd int) <-chan struct{} {
	if fd == 0 {
		return nil
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		pipe := os.NewFile(uintptr(fd), "parent")
		_, _ = io.Copy(io.Discard, pipe)
	}()
	return ended
}

// maxSecretBytes bounds a file with a secret.
const maxSecretBytes = 64 << 10

// readBounded reads a file, which may be a pipe, of so many bytes at most.
func readBounded(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(content)) > most {
		return nil, fmt.Errorf("%s: more than %d bytes", file, most)
	}
	return content, err
}

// readSecret returns the content of a file without the newline at its end; ""
// for no file. An empty file is an error: it would open what a secret was to
// close.
func readSecret(ctx context.Context, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	raw, err := runner.Interruptible(ctx, func() ([]byte, error) { return readBounded(file, maxSecretBytes) })
	if err != nil {
		return "", err
	}
	secret := strings.TrimRight(string(raw), "\r\n")
	if secret == "" {
		return "", fmt.Errorf("%s is empty, expected a secret", file)
	}
	return secret, nil
}
