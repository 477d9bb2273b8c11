package runner

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"switchback/harness/arm"
	"switchback/harness/experiment"
	"switchback/targets"
)

// serverOf starts a server and returns an arm that it is.
func serverOf(t *testing.T, name string, answer http.HandlerFunc) *armState {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return &armState{name: name, instance: &arm.Instance{Address: strings.TrimPrefix(s.URL, "http://")}}
}

// checked is a cell whose check asks arms for n hostnames.
func checked(k experiment.Check, n int, arms ...*armState) *cell {
	c := &cell{run: &run{}, e: &experiment.Experiment{Check: k}, arms: arms}
	c.dataset.sample = newSample(n)
	for i := range n {
		c.dataset.sample.add([]targets.Target{{Host: fmt.Sprintf("h%d.test", i), Path: "/", Bytes: -1}})
	}
	return c
}

func TestCheckListsWrongAnswers(t *testing.T) {
	const hello = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" // hello
	right := func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-Edge", "mine"); fmt.Fprint(w, "hello") }
	broken := func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", 500) }
	some := func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "h1.test" {
			http.NotFound(w, r)
			return
		}
		right(w, r)
	}
	for _, test := range []struct {
		about  string
		check  experiment.Check
		answer http.HandlerFunc
		want   []string // of the error; nil: none
	}{
		{"right", experiment.Check{Status: 200, Header: map[string]string{"X-Edge": "mine"}, Body: hello}, right, nil},
		{"answers 500", experiment.Check{}, broken, []string{"arm a answers 30 of 30 hostnames wrongly", "h0.test/: status 500, expected one below 400", "and 10 more"}},
		{"answers some", experiment.Check{}, some, []string{"answers 1 of 30 hostnames wrongly", "h1.test/: status 404"}},
		{"another status", experiment.Check{Status: 204}, right, []string{"status 200, expected 204"}},
		{"another header", experiment.Check{Header: map[string]string{"X-Edge": "yours"}}, right, []string{`header X-Edge: "mine", expected "yours"`}},
		{"another body", experiment.Check{Body: strings.Replace(hello, "2c", "3c", 1)}, right, []string{"body " + hello + ", expected"}},
	} {
		t.Run(test.about, func(t *testing.T) {
			err := checked(test.check, 30, serverOf(t, "a", test.answer)).check(t.Context())
			if (err == nil) != (test.want == nil) {
				t.Fatalf("error %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %v; want %q in it", err, want)
				}
			}
		})
	}
}

func TestCheckComparesArms(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) }
	c := checked(experiment.Check{Agree: true}, 40, serverOf(t, "a", echo), serverOf(t, "b", echo))
	if err := c.check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "check: 100% of 40 keys have the same answer from all arms"; len(c.manifest.Notes) != 1 || c.manifest.Notes[0] != want {
		t.Errorf("notes %q, want %q", c.manifest.Notes, want)
	}
	other := func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, strings.Replace(r.Host, "h7.", "h8.", 1)) }
	err := checked(experiment.Check{Agree: true}, 40, serverOf(t, "a", echo), serverOf(t, "b", other)).check(t.Context())
	if err == nil || !strings.Contains(err.Error(), "97.5% of 40") || !strings.Contains(err.Error(), "h7.test/: a and b answer differently") {
		t.Errorf("error %v", err)
	}
}

// Over TLS the hostname is the one that is asked for, in the certificate's
// check too; any certificate will do where the experiment says so.
func TestCheckOverTLS(t *testing.T) {
	var names sync.Map
	s := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { names.Store(r.TLS.ServerName+" "+r.Host, true) }))
	t.Cleanup(s.Close)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of refused handshakes
	a := &armState{name: "a", instance: &arm.Instance{Address: strings.TrimPrefix(s.URL, "https://"), TLS: true}}
	if err := checked(experiment.Check{}, 2, a).check(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("error %v; want that of a certificate", err)
	}
	a.insecure = true
	if err := checked(experiment.Check{}, 2, a).check(t.Context()); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"h0.test h0.test", "h1.test h1.test"} {
		if _, asked := names.Load(want); !asked {
			t.Errorf("the server was not asked for %s", want)
		}
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := checked(experiment.Check{}, 3, serverOf(t, "a", func(http.ResponseWriter, *http.Request) {}))
	if err := c.check(ctx); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func TestSampleTakesDifferentHostnamesThatExist(t *testing.T) {
	s := newSample(2)
	s.add([]targets.Target{{Host: "a", Status: 200}, {Host: "a", Status: 200}, {Host: "b", Status: 404}})
	if s.full() {
		t.Fatalf("full with %+v", s.targets)
	}
	s.add([]targets.Target{{Host: "c"}, {Host: "d"}})
	if !s.full() || len(s.targets) != 2 || s.targets[1].Host != "c" {
		t.Errorf("sample %+v", s.targets)
	}
}

// The check's requests are the load's: an arm that refuses their User-Agent is
// found before anything is measured, by what asks for header fields too.
func TestCheckSendsTheLoadsRequests(t *testing.T) {
	var agents sync.Map
	arm := func() *armState {
		return serverOf(t, "a", func(w http.ResponseWriter, r *http.Request) {
			agents.Store(r.UserAgent()+" "+r.Header.Get("X-Mine"), true)
			w.Header().Set("X-Edge", "mine")
		})
	}
	for _, k := range []experiment.Check{{}, {Header: map[string]string{"X-Edge": "mine"}}} {
		c := checked(k, 2, arm())
		for i := range c.dataset.sample.targets {
			c.dataset.sample.targets[i].Header = []targets.Field{{Name: "X-Mine", Value: "1"}}
		}
		if err := c.check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	agents.Range(func(agent, _ any) bool {
		if agent != "switchback 1" {
			t.Errorf("a request from %q, want all from the load's", agent)
		}
		return true
	})
}

// Redirects count as right; a note says so before anything is measured.
func TestCheckNamesRedirects(t *testing.T) {
	c := checked(experiment.Check{}, 2, serverOf(t, "a", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://x.test/", http.StatusPermanentRedirect)
	}))
	if err := c.check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "check: arm a answers 2 of 2 hostnames with redirects, which count as right (status codes: 308 2)"; len(c.manifest.Notes) != 1 || c.manifest.Notes[0] != want {
		t.Errorf("notes %q, want %q", c.manifest.Notes, want)
	}
}
