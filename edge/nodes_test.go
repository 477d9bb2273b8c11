package edge

import (
	"strings"
	"testing"
	"time"

	"switchback/edge/admin"
	"switchback/origin"
)

// nodeIn returns the node that Server-Timing names.
func nodeIn(timing string) string {
	_, rest, _ := strings.Cut(timing, "node;desc=")
	name, _, _ := strings.Cut(rest, ",")
	return name
}

// A node that fails in any way is asked once, counted, and passed over to the
// next of the walk; the body is right all the same.
func TestFailingNodesAreRetriedAtTheNext(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Ring: "v2:16", Nodes: 6, NodeListeners: true, NodeTimeout: 100 * time.Millisecond})
	client := adminOf(t, e)
	want := w.first(false)
	home := nodeIn(check(t, e, want).Header().Get("Server-Timing"))
	for _, row := range []struct {
		fault string
		count func(admin.Node) int64
	}{
		{admin.FaultReset, func(n admin.Node) int64 { return n.Reset }},
		{admin.FaultTimeout, func(n admin.Node) int64 { return n.TimedOut }},
		{admin.FaultRefuse, func(n admin.Node) int64 { return n.Refused }},
	} {
		if err := client.UpdateNode(t.Context(), home, admin.NodeUpdate{Fault: &row.fault}); err != nil {
			t.Fatal(err)
		}
		before := e.Stats().Nodes[home]
		timing := check(t, e, want).Header().Get("Server-Timing")
		after := e.Stats().Nodes[home]
		if nodeIn(timing) == home || !strings.Contains(timing, "retries;desc=1") {
			t.Errorf("%s: %q, want a retry at another node", row.fault, timing)
		}
		if row.count(after) != row.count(before)+1 || after.Errors != before.Errors+1 || after.Fault != row.fault || !after.Up {
			t.Errorf("%s: %+v, before %+v", row.fault, after, before)
		}
	}
	none := admin.FaultNone
	if err := client.UpdateNode(t.Context(), home, admin.NodeUpdate{Fault: &none}); err != nil {
		t.Fatal(err)
	}
	timing := check(t, e, want).Header().Get("Server-Timing")
	if nodeIn(timing) != home || !strings.Contains(timing, "cache;desc=miss") {
		t.Errorf("%q: want %s again, which died and lost its content", timing, home)
	}
}

func TestEveryNodeFailing(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Nodes: 3, NodeListeners: true})
	client := adminOf(t, e)
	refuse := admin.FaultRefuse
	for name := range e.Stats().Nodes {
		if err := client.UpdateNode(t.Context(), name, admin.NodeUpdate{Fault: &refuse}); err != nil {
			t.Fatal(err)
		}
	}
	want := w.first(false)
	if got := get(e, "GET", want.host, want.path); got.Code != 502 {
		t.Errorf("status %d, want 502", got.Code)
	}
	for name, n := range e.Stats().Nodes {
		if n.Requests != 1 || n.Refused != 1 {
			t.Errorf("%s was asked %d times: %+v", name, n.Requests, n)
		}
	}
}

// An origin that fails behind a listening node is no fault of the node.
func TestOriginFaultBehindANodeIsNotRetried(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{Errors: 1})
	e := w.edge(Options{Nodes: 3, NodeListeners: true})
	want := w.first(false)
	if got := get(e, "GET", want.host, want.path); got.Code != 502 || strings.Contains(got.Header().Get("Server-Timing"), "retries") {
		t.Errorf("status %d, %s; want 502 without a retry", got.Code, got.Header().Get("Server-Timing"))
	}
	if s := w.origin.Stats(); s.Requests != 1 || len(s.Node) != 1 {
		t.Errorf("the origin counted %d requests, nodes %v", s.Requests, s.Node)
	}
	slow := newWorld(t, smallSettings(), origin.Options{Delay: origin.Delay{Median: time.Minute}})
	e = slow.edge(Options{Nodes: 3, NodeListeners: true, NodeTimeout: time.Minute, OriginTimeout: 20 * time.Millisecond})
	want = slow.first(false)
	if got := get(e, "GET", want.host, want.path); got.Code != 504 {
		t.Errorf("status %d, want 504", got.Code)
	}
}

func TestUnknownFault(t *testing.T) {
	w := newWorld(t, smallSettings(), origin.Options{})
	e := w.edge(Options{Nodes: 2, NodeListeners: true})
	bad := "burn"
	err := adminOf(t, e).UpdateNode(t.Context(), "n1", admin.NodeUpdate{Fault: &bad})
	if err == nil || !strings.Contains(err.Error(), `"burn" (known: refuse, reset, timeout)`) {
		t.Errorf("error %v", err)
	}
	if n := e.Stats().Nodes["n1"]; n.Fault != "" || n.Listen == "" {
		t.Errorf("node %+v", n)
	}
}
