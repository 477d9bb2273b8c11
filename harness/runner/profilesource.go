package runner

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"switchback/harness/arm"
)

// Bounds of a profile: its bytes, and the time beyond that over which it is
// taken.
const (
	maxProfileBytes    = 256 << 20
	profileFetchWithin = 30 * time.Second
)

// profileSource is where net/http/pprof serves the profiles of an arm.
type profileSource struct {
	base string // URL that ends in a slash; "" for none
	err  error  // the URL is none
}

// profileSource returns where an arm's profiles are: in the admin API of a
// built-in edge, or where a pprof_url says.
func (c *cell) profileSource(a *armState) profileSource {
	if a.instance == nil {
		return profileSource{}
	}
	if a.admin != nil {
		return profileSource{base: "http://" + a.instance.Admin + "/debug/pprof/"}
	}
	for _, given := range c.e.Arms {
		if given.Name == a.name && given.PprofURL != "" {
			host, _, _ := net.SplitHostPort(a.instance.Address) // it was asked
			u, err := arm.ParseProfileURL(a.instance.Words(given.PprofURL), host)
			if err != nil {
				return profileSource{base: given.PprofURL, err: err}
			}
			return profileSource{base: u.String()}
		}
	}
	return profileSource{}
}

// url is that of a kind of profile over so many seconds.
func (s profileSource) url(kind string, seconds int) string {
	switch kind {
	case ProfileCPU:
		return fmt.Sprintf("%sprofile?seconds=%d", s.base, seconds)
	case ProfileHeap:
		return s.base + "heap?gc=1"
	}
	return fmt.Sprintf("%s%s?seconds=%d", s.base, kind, seconds)
}

// fetch writes a profile, over so many seconds, to w. Redirects are not
// followed.
func (s profileSource) fetch(ctx context.Context, kind string, seconds int, w io.Writer) error {
	if s.err != nil {
		return s.err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second+profileFetchWithin)
	defer cancel()
	url := s.url(kind, seconds)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
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
	if err := copyProfile(w, response); err != nil {
		return fmt.Errorf("GET %s: %w", url, err)
	}
	return nil
}

// errNoProfile is about an answer that is none.
var errNoProfile = errors.New("no profile of net/http/pprof")

// copyProfile writes the profile in an answer, which is compressed with gzip.
func copyProfile(w io.Writer, response *http.Response) error {
	body := bufio.NewReader(io.LimitReader(response.Body, maxProfileBytes+1))
	head, err := body.Peek(2)
	if response.StatusCode != http.StatusOK {
		said, _ := body.Peek(200) // what there is
		return fmt.Errorf("status %d, %w: %q", response.StatusCode, errNoProfile, strings.TrimSpace(string(said)))
	}
	if err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return fmt.Errorf("%w: the answer is %q", errNoProfile, response.Header.Get("Content-Type"))
	}
	n, err := io.Copy(w, body)
	if err == nil && n > maxProfileBytes {
		err = fmt.Errorf("a profile of more than %d bytes", maxProfileBytes)
	}
	return err
}
