package admin

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"switchback/edge/rollout"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client returns a client of a server that answers every call alike, and what
// the last call was.
func client(t *testing.T, status int, answer string) (*Client, *string) {
	t.Helper()
	var last string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last = r.Method + " " + r.URL.Path + " " + string(body)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(answer))
	}))
	c := NewClient(strings.TrimPrefix(server.URL, "http://"), "")
	t.Cleanup(func() { c.Close(); server.Close() })
	return c, &last
}

func TestCallsAreTheDocumentedOnes(t *testing.T) {
	c, last := client(t, 200, `{}`)
	up, fault := true, FaultReset
	for want, call := range map[string]func() error{
		`PUT /nodes/n3 {"up":false}`:                func() error { return c.SetNode(t.Context(), "n3", false) },
		`PUT /nodes/n3 {"up":true,"fault":"reset"}`: func() error { return c.UpdateNode(t.Context(), "n3", NodeUpdate{Up: &up, Fault: &fault}) },
		`POST /store/checkpoint {"dir":"d"}`:        func() error { return c.Checkpoint(t.Context(), "d") },
		`POST /store/ingest {"files":["a","b"]}`:    func() error { return c.Ingest(t.Context(), []string{"a", "b"}) },
		`GET /healthz `:                             func() error { return c.Health(t.Context()) },
		`PUT /flags {"router":{"old":"legacy","new":"hashed","share":0.05,"colos":["ams"],"sites":{"example":"new"},"opt_out":["shop"],"off":false}}`: func() error {
			_, err := c.UpdateFlags(t.Context(), FlagsUpdate{Router: &rollout.Part{
				Old: "legacy", New: "hashed", Share: 0.05, Colos: []string{"ams"}, Sites: map[string]string{"example": "new"}, OptOut: []string{"shop"},
			}})
			return err
		},
	} {
		if err := call(); err != nil || *last != want {
			t.Errorf("called %q (%v), want %q", *last, err, want)
		}
	}
}

func TestRefusalsCarryTheirReason(t *testing.T) {
	for answer, want := range map[string]string{
		`{"error":"share is 1.2"}`: "PUT /flags: status 400: share is 1.2",
		"plain text\n":             "PUT /flags: status 400: plain text",
	} {
		c, _ := client(t, 400, answer)
		_, err := c.PutFlags(t.Context(), rollout.Flags{})
		var refused *StatusError
		if !errors.As(err, &refused) || refused.Status != 400 || err.Error() != want {
			t.Errorf("%q: %v, want %q", answer, err, want)
		}
	}
}

func TestStatsOfAnotherSchemaAreRefused(t *testing.T) {
	c, _ := client(t, 200, `{"schema":"switchback.stats/9"}`)
	if _, err := c.Stats(t.Context()); err == nil || !strings.Contains(err.Error(), `"switchback.stats/9"`) {
		t.Errorf("stats: %v", err)
	}
	if _, err := c.OriginStats(t.Context()); err == nil || !strings.Contains(err.Error(), OriginStatsSchema) {
		t.Errorf("origin stats: %v", err)
	}
}

func TestUpdateKeepsWhatIsAbsent(t *testing.T) {
	now := rollout.Flags{
		Version: 7,
		Router:  rollout.Part{Old: "legacy", New: "hashed", Share: 0.5, OptOut: []string{"shop"}},
		Ring:    rollout.Part{Old: "v1", New: "v2:16", Share: 0.25},
	}
	for name, row := range map[string]struct {
		update FlagsUpdate
		want   rollout.Flags
	}{
		"nothing given": {FlagsUpdate{}, rollout.Flags{Version: 8, Router: now.Router, Ring: now.Ring}},
		"a part is taken whole, names stay": {
			FlagsUpdate{Router: &rollout.Part{Share: 1}},
			rollout.Flags{Version: 8, Router: rollout.Part{Old: "legacy", New: "hashed", Share: 1}, Ring: now.Ring},
		},
		"names are taken": {
			FlagsUpdate{Ring: &rollout.Part{Old: "v2:16", New: "v3:16"}},
			rollout.Flags{Version: 8, Router: now.Router, Ring: rollout.Part{Old: "v2:16", New: "v3:16"}},
		},
	} {
		if got := row.update.Onto(now); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: %+v, want %+v", name, got, row.want)
		}
	}
}
