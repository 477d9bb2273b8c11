package importer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"switchback/targets"
)

// server is a real one whose log is imported. In its words, PORT and DIR stand
// for a port and a folder.
type server struct {
	name, program, config string
	args                  []string
	settings              Settings
}

func servers() []server {
	return []server{
		{"nginx", "nginx", `daemon off; worker_processes 1; pid DIR/pid; error_log DIR/error.log;
events {}
http { client_body_temp_path DIR/b; proxy_temp_path DIR/p; fastcgi_temp_path DIR/f; uwsgi_temp_path DIR/u; scgi_temp_path DIR/s;
 log_format mine '$remote_addr - $remote_user [$time_local] $http_host "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time';
 access_log DIR/log mine; server { listen 127.0.0.1:PORT; return 200 x; } }`, []string{"-c", "DIR/config", "-e", "DIR/error.log"},
			Settings{Format: `$remote_addr - $remote_user [$time_local] $http_host "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time`}},
		{"Apache", "apache2", `ServerRoot DIR
ServerName a.test
LoadModule mpm_event_module MODULES/mod_mpm_event.so
LoadModule authz_core_module MODULES/mod_authz_core.so
Listen 127.0.0.1:PORT
PidFile DIR/pid
ErrorLog DIR/error.log
User www-data
Group www-data
DocumentRoot DIR
LogFormat "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" vhost_combined
CustomLog DIR/log vhost_combined
<VirtualHost *:PORT>
ServerName a.test
</VirtualHost>
<VirtualHost *:PORT>
ServerName b.test
</VirtualHost>
`, []string{"-f", "DIR/config", "-DFOREGROUND"}, Settings{}},
		{"Caddy", "caddy", "{\n admin off\n auto_https off\n}\nhttp://:PORT {\n bind 127.0.0.1\n log {\n  output file DIR/log\n }\n respond x\n}\n",
			[]string{"run", "--adapter", "caddyfile", "--config", "DIR/config"}, Settings{}},
		{"HAProxy", "haproxy", `global
 log stdout format raw local0
defaults
 mode http
 timeout client 5s
 timeout server 5s
 timeout connect 5s
frontend f
 bind 127.0.0.1:PORT
 log global
 option httplog
 capture request header Host len 64
 http-request return status 200
`, []string{"-db", "-f", "DIR/config"}, Settings{Fields: map[string]string{"host": "1"}}},
	}
}

// TestLogsOfRealServersAreImportedWithoutLoss: what a server was asked is what
// its log's import asks, in order.
func TestLogsOfRealServersAreImportedWithoutLoss(t *testing.T) {
	for _, s := range servers() {
		t.Run(s.name, func(t *testing.T) {
			program, err := exec.LookPath(s.program)
			if err != nil {
				t.Skipf("%s is not installed", s.program)
			}
			asked := []string{"GET a.test/", "GET a.test/x?q=1&r=%20", "HEAD b.test/a%2Fb", "DELETE b.test/%C3%BC", "GET b.test//two", "POST a.test/form", "GET a.test/it's"}
			s.settings.KeepQuery = true
			list, sum := logged(t, s, program, asked)
			var got []string
			for _, r := range list {
				method := r.Method
				if method == "" {
					method = "GET"
				}
				got = append(got, method+" "+r.Host+r.Path)
			}
			if strings.Join(got, "; ") != strings.Join(asked, "; ") || sum.Dropped != 0 {
				t.Errorf("got  %s\nwant %s\nfound %+v", strings.Join(got, "; "), strings.Join(asked, "; "), sum)
			}
		})
	}
}

// logged asks a server, ends it, and imports its log.
func logged(t *testing.T, s server, program string, asked []string) ([]targets.Target, Summary) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	modules := "/usr/lib/apache2/modules"
	words := strings.NewReplacer("DIR", dir, "PORT", port, "MODULES", modules)
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(words.Replace(s.config)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(modules); err != nil && s.name == "Apache" {
		t.Skip("Apache's modules are not where Debian has them")
	}
	var out bytes.Buffer
	cmd := exec.Command(program, strings.Split(words.Replace(strings.Join(s.args, "\n")), "\n")...)
	cmd.Stdout, cmd.Stderr, cmd.Env = &out, &out, append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, one := range asked {
		ask(t, "127.0.0.1:"+port, one, &out)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // some end with a code of their own after SIGTERM
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if s.name == "HAProxy" {
		log, err = haproxyLines(out.Bytes()), nil
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	var file bytes.Buffer
	_, sum, err := readers(context.Background(), s.settings, &file, bytes.NewReader(log))
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, log, out.Bytes())
	}
	list, err := targets.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return list.Targets, sum
}

// haproxyLines leaves out what HAProxy says about itself.
func haproxyLines(out []byte) []byte {
	var lines []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "127.0.0.1:") {
			lines = append(lines, line)
		}
	}
	return []byte(strings.Join(lines, ""))
}

func freePort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// ask sends a request once the server listens, and reads its answer to the end.
func ask(t *testing.T, address, request string, out *bytes.Buffer) {
	method, rest, _ := strings.Cut(request, " ")
	host, path, _ := strings.Cut(rest, "/")
	deadline := time.Now().Add(30 * time.Second)
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			defer conn.Close()
			if err := conn.SetDeadline(deadline); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "%s /%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", method, path, host)
			answer, err := io.ReadAll(conn)
			if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 ")) {
				t.Fatalf("%s: %.100q, %v", request, answer, err)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v", err)
		}
		time.Sleep(20 * time.Millisecond) // until it listens
	}
}
