package arm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"switchback/results/record"
)

// lookout looks for the first good answer of a server that starts.
type lookout struct {
	Command
	process *process
	place   *place

	tried   []string  // addresses, at the last look
	answer  error     // the last answer that was not good; nil for none
	blocked error     // the limit that the last whole look met; nil for none
	wrong   time.Time // since when every address gives a wrongAnswer; zero while one does not
}

// wrongAnswer is an answer that does not get better by waiting.
type wrongAnswer struct{ error }

// portsTogether is how long a server whose port is looked for may take to open
// the next one, while the ports that it has answer wrongly.
const portsTogether = time.Second

// await returns the address at which the server is ready and answers well:
// the address of its port, or one that its processes listen on.
func (c Command) await(ctx context.Context, p *process, at *place) (address string, err error) {
	l := lookout{Command: c, process: p, place: at}
	err = poll(ctx, p, func() (bool, error) {
		address, err = l.look(ctx)
		return address != "", err
	})
	if err != nil && ctx.Err() != nil {
		return "", l.late(context.Cause(ctx))
	}
	return address, err
}

// look tries each address at which the server may be and returns the first one
// that is ready; "" for none. Its error ends the wait: a wrong answer of a server
// that has no better one.
func (l *lookout) look(ctx context.Context) (ready string, err error) {
	var blocked error
	l.tried, blocked = l.candidates()
	wrong := 0
	for _, address := range l.tried {
		err := l.ask(ctx, address)
		_, met := record.LimitOf(err)
		switch {
		case err == nil:
			return address, nil
		case ctx.Err() != nil:
			return "", nil // err says no more than that time was up
		case met:
			blocked = err
		case answered(err):
			l.answer = err
			if errors.As(err, new(wrongAnswer)) {
				wrong++
			}
		}
	}
	l.blocked = blocked
	if l.hopeless(wrong) {
		return "", notReady(l.answer)
	}
	return "", nil
}

// answered tells whether the error of a look is about an answer.
func answered(err error) bool {
	var operation *net.OpError
	return !errors.Is(err, errNotWritten) && !(errors.As(err, &operation) && operation.Op == "dial")
}

// hopeless tells whether waiting is of no use after a look that met so many
// wrong answers: at the port that the server was told, one is enough.
func (l *lookout) hopeless(wrong int) bool {
	switch {
	case wrong == 0, wrong < len(l.tried) && !l.namesPort(l.place):
		l.wrong = time.Time{}
		return false
	case l.wrong.IsZero():
		l.wrong = time.Now()
	}
	return l.namesPort(l.place) || time.Since(l.wrong) >= portsTogether
}

// ask looks once whether the server at address is ready and answers well.
func (l *lookout) ask(ctx context.Context, address string) error {
	if err := l.isReady(ctx, address); err != nil || l.Probe == nil {
		return err
	}
	return l.Probe(ctx, address)
}

// errNotWritten means that a server has not written that it is ready.
var errNotWritten = errors.New("it has not written that it is ready")

// isReady looks once whether the server at address is ready.
func (l *lookout) isReady(ctx context.Context, address string) error {
	if strings.HasPrefix(l.Ready, "/") {
		return getReady(ctx, address, l.Ready)
	}
	if text, isOutput := strings.CutPrefix(l.Ready, "output:"); isOutput && !l.process.wrote(strings.TrimSpace(text)) {
		return errNotWritten
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

// getReady asks for a path, which a ready server answers with a status 2xx.
// Redirects are followed within the server.
func getReady(ctx context.Context, address, path string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			if next.URL.Scheme != "http" || next.URL.Host != address || len(before) > 5 {
				return http.ErrUseLastResponse
			}
			return nil
		}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	if response.StatusCode/100 == 2 {
		return nil
	}
	return unready(response, address, path)
}

// unready is the error about an answer to the ready path. A server that starts
// may be unable to answer yet (5xx) or ask for patience (408, 425, 429); any other
// status stays what it is.
func unready(response *http.Response, address, path string) error {
	err := fmt.Errorf("GET %s of %s is answered %s, expected a status 2xx", path, address, response.Status)
	if to := response.Header.Get("Location"); to != "" {
		err = fmt.Errorf("%w (it leads to %.200q)", err, to)
	}
	switch code := response.StatusCode; {
	case code >= 500, code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests:
		return err
	}
	return wrongAnswer{err}
}

// late is the error about a server that was not ready in time.
func (l *lookout) late(cause error) error {
	switch {
	case l.blocked != nil:
		return record.ExplainLimit(fmt.Errorf("%w: %w", cause, l.blocked))
	case l.answer != nil:
		return notReady(fmt.Errorf("no good answer: %w: %w", cause, l.answer))
	}
	return notReady(fmt.Errorf("%w: %s", cause, l.missing()))
}

// missing says what a server lacks that gave no answer.
func (l *lookout) missing() string {
	text, isOutput := strings.CutPrefix(l.Ready, "output:")
	text = strings.TrimSpace(text)
	switch own := l.elsewhere(); {
	case isOutput && !l.process.wrote(text):
		return fmt.Sprintf("it did not write %q", text)
	case l.namesPort(l.place) && len(own) > 0:
		return "nothing listens on " + strings.Join(l.tried, " or ") + ", while its processes listen on " + strings.Join(own, ", ")
	case l.namesPort(l.place):
		return "nothing listens on " + strings.Join(l.tried, " or ")
	case len(l.tried) > 0:
		return "nothing answers on " + strings.Join(l.tried, " or ")
	}
	return "none of its processes listens on a port (a server that runs elsewhere, as by docker or systemctl, is an arm with a url, and its setup starts it)"
}

// elsewhere is where the command's processes listen beside what was tried.
func (l *lookout) elsewhere() []string {
	own, _ := l.process.listening() // only a message is made of it
	return slices.DeleteFunc(own, func(address string) bool { return slices.Contains(l.tried, address) })
}

// candidates returns where the server may be found.
func (l *lookout) candidates() ([]string, error) {
	if l.namesPort(l.place) {
		return l.place.addresses(), nil
	}
	return l.process.listening()
}

// namesPort tells whether the server is told its port.
func (c Command) namesPort(at *place) bool {
	named := at.portNamed || strings.Contains(c.Run, "{port}")
	for _, value := range c.Env {
		named = named || strings.Contains(value, "{port}")
	}
	for _, text := range c.Files {
		named = named || strings.Contains(text, ".Port")
	}
	return named
}

// wrote tells whether the kept lines of a process hold text.
func (p *process) wrote(text string) bool {
	return strings.Contains(strings.Join(append(p.stdout.lines(), p.stderr.lines()...), "\n"), text)
}
