package load_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"switchback/harness/load"
	"switchback/results/record"
	"switchback/targets"
)

// TestRealServers asks nginx, and HAProxy in front of it, for what they answer
// in different forms, over connections that they close after a few requests.
// It is skipped where the server is not installed.
func TestRealServers(t *testing.T) {
	origin, balancer := freePort(t), freePort(t)
	dir := t.TempDir()
	body := strings.Repeat("0123456789abcdef", 5000)
	write(t, dir, "html/file", body)
	write(t, dir, "nginx.conf", fmt.Sprintf(nginxConfig, dir, origin))
	write(t, dir, "haproxy.cfg", fmt.Sprintf(haproxyConfig, balancer, origin))
	start(t, origin, "nginx", "-p", dir, "-c", filepath.Join(dir, "nginx.conf"), "-e", filepath.Join(dir, "error.log"))
	for name, address := range map[string]string{"nginx": origin, "haproxy": balancer} {
		t.Run(name, func(t *testing.T) {
			if name == "haproxy" {
				start(t, balancer, "haproxy", "-db", "-f", filepath.Join(dir, "haproxy.cfg"))
			}
			for _, kind := range kinds {
				askServer(t, kind, address, body)
			}
		})
	}
}

// askServer sends each form of request many times over few connections.
func askServer(t *testing.T, kind, address, body string) {
	whole := targets.Target{Host: "a.example", Path: "/file", Status: 200, Bytes: int64(len(body)), BodyHash: checksum(body)}
	head := whole
	head.Method, head.Bytes, head.BodyHash = "HEAD", 0, 0
	part := whole
	part.Header = []targets.Field{{Name: "Range", Value: "bytes=16-31"}}
	part.Status, part.Bytes, part.BodyHash = 206, 16, checksum(body[16:32])
	missing := get(404)
	missing.Path = "/missing"
	empty := get(204)
	empty.Path = "/empty"
	large := get(413)
	large.Method, large.Path, large.Body = "POST", "/file", make([]byte, 5<<20)
	var list []targets.Target
	for i := range 50 {
		list = append(list, whole, head, part, missing, empty)
		if i%10 == 0 {
			list = append(list, large) // the server answers before it has read it
		}
	}
	samples := make([]record.Sample, len(list))
	engine := openAt(t, kind, load.Options{Address: address, Connections: 4})
	counts, err := engine.Concurrency(context.Background(), time.Now(), 4, list, samples)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range samples {
		if s.Error != record.OK {
			t.Fatalf("%s, request %d (%s %s): %v, status %d, %d bytes", kind, i, list[i].Method, list[i].Path, s.Error, s.Status, s.Bytes)
		}
	}
	if counts.Reused < len(list)/2 {
		t.Errorf("%s: %d of %d requests reused a connection", kind, counts.Reused, len(list))
	}
}

const nginxConfig = `
master_process off; daemon off; pid %[1]s/pid; error_log %[1]s/error.log;
events { worker_connections 64; }
http {
    access_log off; keepalive_requests 10; root %[1]s/html;
    client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c; uwsgi_temp_path %[1]s/d; scgi_temp_path %[1]s/e;
    server { listen %[2]s; location = /empty { return 204; } }
}`

const haproxyConfig = `
defaults
    mode http
    timeout connect 5s
    timeout client 5s
    timeout server 5s
listen all
    bind %s
    server nginx %s
`

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// freePort returns an address that nobody listens on at the moment.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// start runs a server until the test ends, and waits until it answers.
func start(t *testing.T, address, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	// The test's own folder belongs to its user: nginx's workers must be too.
	if name == "nginx" && os.Geteuid() == 0 {
		args = append(args, "-g", "user root;")
	}
	var out strings.Builder
	command := exec.Command(path, args...)
	command.Stdout, command.Stderr = &out, &out
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait() // killed: its error says nothing
	})
	for deadline := time.Now().Add(10 * time.Second); ; {
		response, err := http.Get("http://" + address + "/file")
		if err == nil {
			response.Body.Close()
			http.DefaultClient.CloseIdleConnections()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not answer: %v", name, err)
		}
	}
}
