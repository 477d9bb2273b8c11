package attack_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"switchback/harness/load/attack"
	"switchback/targets"
)

// orders answers 201 to a POST with a token and JSON, else with what is wrong.
var orders = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	switch {
	case r.Header.Get("Authorization") != "Bearer secret":
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case err != nil || string(body) != `{"item": 7}` || r.Header.Get("Content-Type") != "application/json":
		w.WriteHeader(http.StatusUnsupportedMediaType)
	default:
		w.WriteHeader(http.StatusCreated)
	}
})

// TestRequestsAreSentAsAsked: both engines send fields, a method and a body.
func TestRequestsAreSentAsAsked(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(body, []byte(`{"item": 7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	header := []string{"Authorization: Bearer secret", "Content-Type: application/json"}
	for _, engine := range []string{"wire", "vegeta"} {
		for name, s := range map[string]attack.Settings{
			"data": {Extra: targets.Extra{Header: header, Body: []byte(`{"item": 7}`)}},
			"file": {Extra: targets.Extra{Header: header, Method: "POST"}, BodyFile: body},
		} {
			t.Run(engine+"/"+name, func(t *testing.T) {
				s.URL, s.Engine, s.Rate, s.Arrivals = serve(t, orders), engine, 200, "constant"
				if r := attackWith(t, s); r.StatusCodes["201"] != 20 || r.Bytes.Sent != 20*11 {
					t.Errorf("%v, %+v, sent %d", r.StatusCodes, r.Reasons, r.Bytes.Sent)
				}
			})
		}
	}
}

func TestRequestsThatCannotBeMeant(t *testing.T) {
	dir := t.TempDir()
	file, hosts := filepath.Join(dir, "targets"), filepath.Join(dir, "hosts")
	for path, text := range map[string]string{file: "GET http://a.example/\n", hosts: "a.example\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	some := targets.Extra{Body: []byte("x")}
	for want, s := range map[string]attack.Settings{
		"each target of the file has a method and a body": {Targets: file, Extra: some},
		"want one of them":         {BodyFile: file, Extra: some},
		"and a file that says":     {Hosts: hosts, Extra: targets.Extra{Header: []string{"Host: a.example"}}},
		"no such file":             {BodyFile: file + "x"},
		"want an https URL":        {TLS: attack.TLSFiles{CACert: file}},
		"schedule":                 {Duration: time.Nanosecond},
		"expected a file of at mo": {BodyFile: dir},
	} {
		s.URL, s.Rate = "http://127.0.0.1:1/", 1
		if _, err := attack.New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestCertificates: a server's certificate is checked with --cacert, and one
// that asks for the client's gets it.
func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	client, pair := clientCertificate(t, dir)
	server := httptest.NewUnstartedServer(&asked{})
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it would tell of handshakes that are to fail
	pool := x509.NewCertPool()
	pool.AddCert(client)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := writePEM(t, dir, "roots.pem", "CERTIFICATE", server.Certificate().Raw)
	for _, c := range []struct {
		name  string
		files attack.TLSFiles
		fails string // the text of the only reason
	}{
		{"both", attack.TLSFiles{CACert: roots, Cert: pair}, ""},
		{"no root", attack.TLSFiles{Cert: pair}, "certificate signed by unknown authority"},
		{"no certificate", attack.TLSFiles{CACert: roots}, "certificate required"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := attackWith(t, attack.Settings{URL: server.URL, Rate: 100, Arrivals: "constant", TLS: c.files})
			if c.fails == "" && r.Success != 1 {
				t.Fatalf("%+v", r.Reasons)
			}
			if c.fails != "" && (len(r.Reasons) == 0 || r.Reasons[0].Kind != "dial" || !strings.Contains(r.Reasons[0].Text, c.fails)) {
				t.Fatalf("%+v, want dial errors: %s", r.Reasons, c.fails)
			}
		})
	}
	for want, files := range map[string]attack.TLSFiles{
		"want certificates in PEM": {CACert: writePEM(t, dir, "other.pem", "OTHER", nil)},
		"want the certificate too": {Key: pair},
		"cert":                     {Cert: roots},
	} {
		if _, err := attack.New(attack.Settings{URL: server.URL, Rate: 1, TLS: files}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", files, err, want)
		}
	}
}

// clientCertificate makes one that signs itself, in a file with its key.
func clientCertificate(t *testing.T, dir string) (*x509.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	path := writePEM(t, dir, "client.pem", "CERTIFICATE", der)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := pem.Encode(file, &pem.Block{Type: "PRIVATE KEY", Bytes: private}); err != nil {
		t.Fatal(err)
	}
	return certificate, path
}

func writePEM(t *testing.T, dir, name, kind string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
