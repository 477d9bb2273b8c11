package runner

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	"switchback/harness/arm"
	"switchback/harness/load"
	"switchback/targets"
)

// endpoint is where an arm answers, and how it is asked there.
type endpoint struct {
	address  string // host:port
	tls      bool
	insecure bool // any certificate will do
}

// endpoint returns that of a running arm.
func (a *armState) endpoint() endpoint {
	return endpoint{address: a.instance.Address, tls: a.instance.TLS, insecure: a.insecure}
}

// firstAnswer asks for the first target that any arm must know.
func (c *cell) firstAnswer(tls, insecure bool) arm.Probe {
	return func(ctx context.Context, address string) error {
		return endpoint{address: address, tls: tls, insecure: insecure}.ask(ctx, c.dataset.known)
	}
}

// client dials the endpoint whatever the hostname is; over TLS that is the
// name that is asked for.
func (e endpoint) client(connections int) *http.Client {
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, e.address)
	}
	return &http.Client{
		Transport: &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{InsecureSkipVerify: e.insecure},
			MaxIdleConnsPerHost: connections, DisableKeepAlives: connections == 0, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// request is the request for a target, with the header fields of the load.
func (e endpoint) request(ctx context.Context, t targets.Target) (*http.Request, error) {
	at := "http://" + e.address
	if e.tls {
		at = "https://" + t.Host
	}
	var body io.Reader
	if len(t.Body) > 0 {
		body = bytes.NewReader(t.Body)
	}
	r, err := http.NewRequestWithContext(ctx, t.Method, at+t.Path, body)
	if err != nil {
		return nil, err
	}
	r.Host = t.Host
	r.Header.Set("User-Agent", load.UserAgent)
	for _, f := range t.Header {
		if strings.EqualFold(f.Name, "User-Agent") {
			r.Header.Del(f.Name)
		}
		r.Header.Add(f.Name, f.Value)
	}
	return r, nil
}

// ask sends one request and checks the status of the answer.
func (e endpoint) ask(ctx context.Context, t targets.Target) error {
	request, err := e.request(ctx, t)
	if err != nil {
		return err
	}
	response, err := e.client(0).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if wrong := statusFault(response.StatusCode, t.Status); wrong != "" {
		return errors.New(t.Host + t.Path + ": " + wrong)
	}
	return nil
}
