package runner

import (
	"context"
	"errors"
	"io"
	"net/http"

	"switchback/harness/arm"
	"switchback/targets"
)

// firstAnswer asks for the first target that any arm must know.
func (c *cell) firstAnswer() arm.Probe {
	return func(ctx context.Context, address string) error {
		return ask(ctx, address, c.dataset.known)
	}
}

// request is the request for a target.
func request(ctx context.Context, address string, t targets.Target) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+t.Path, nil)
	if err != nil {
		return nil, err
	}
	r.Host = t.Host
	return r, nil
}

// ask sends one request and checks the status of the answer.
func ask(ctx context.Context, address string, t targets.Target) error {
	request, err := request(ctx, address, t)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
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
