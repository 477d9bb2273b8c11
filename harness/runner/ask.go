package runner

import (
	"context"
	"fmt"
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

// ask sends one request and checks the status of the answer.
func ask(ctx context.Context, address string, t targets.Target) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+t.Path, nil)
	if err != nil {
		return err
	}
	request.Host = t.Host
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
	if good := response.StatusCode == t.Status || t.Status == 0 && response.StatusCode < 400; !good {
		return fmt.Errorf("%s%s was answered %d; expected %d", t.Host, t.Path, response.StatusCode, t.Status)
	}
	return nil
}
