package runner

import (
	"testing"
	"time"

	"switchback/targets"
)

// The guard of a closed loop is the block's targets in turn, until its end.
func TestGuardOfAClosedLoop(t *testing.T) {
	list := []targets.Target{{Host: "a"}, {Host: "b"}}
	feed := &guardFeed{targets: list, until: time.Now().Add(time.Hour)}
	for i := range 5 {
		r, ok := feed.Next()
		if !ok || r.Target != &list[i%2] || r.Sample == nil {
			t.Fatalf("request %d: %+v, %v; want target %d", i, r, ok, i%2)
		}
	}
	feed.until = time.Now()
	if _, ok := feed.Next(); ok {
		t.Error("a request after the guard's end")
	}
	if _, ok := (&guardFeed{until: time.Now().Add(time.Hour)}).Next(); ok {
		t.Error("a request without targets")
	}
}
