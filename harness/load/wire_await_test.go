package load

import (
	"context"
	"net"
	"testing"
	"time"

	"switchback/results/record"
	"switchback/targets"
)

// TestALoopThatWaitsWakesForNothingElse checks until when a loop sleeps. The
// old code woke every 10 ms: 0.88 s of CPU in 13.7 s of waiting for answers.
func TestALoopThatWaitsWakesForNothingElse(t *testing.T) {
	const timeout = 10 * time.Second
	for _, c := range []struct {
		name    string
		pending bool
		closed  bool
		due     time.Duration
		flying  time.Duration // deadline of a request on its way; 0: none
		want    time.Duration
	}{
		{"an answer", false, false, 0, timeout, timeout},
		{"an answer, later than the next request", true, false, time.Second, timeout, time.Second - firstMargin},
		{"the next request", true, false, time.Hour, 0, time.Hour - firstMargin},
		{"the next request, later than a time-out", true, false, time.Hour, timeout, timeout},
		{"a closed loop with a free connection", true, true, 0, 0, 5},
		{"a closed loop without one", true, true, 0, timeout, timeout},
	} {
		l := &loop{wireEngine: &wireEngine{options: Options{Timeout: timeout}}, closed: c.closed, most: 1, pending: c.pending}
		l.next.Due = c.due
		if c.flying > 0 {
			l.flying.add(&conn{}, c.flying)
		}
		if got := l.wake(5); got != c.want {
			t.Errorf("waiting for %s: the loop sleeps until %v, want %v", c.name, got, c.want)
		}
	}
}

// oneRequest is a feed of one request that is due at once.
type oneRequest struct {
	target targets.Target
	sample record.Sample
	given  bool
}

func (f *oneRequest) Next() (Request, bool) {
	if f.given {
		return Request{}, false
	}
	f.given = true
	Begin(&f.sample)
	return Request{Target: &f.target, Sample: &f.sample}, true
}

func (f *oneRequest) Ended(*record.Sample) {}

// TestACancelledWaitEndsAtOnce cancels a request that would wait for an hour,
// again and again on one engine: each cancellation must end the wait, and none
// may touch the next call.
func TestACancelledWaitEndsAtOnce(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // nobody accepts: the kernel takes the connections, and no answer comes
	made, err := New("wire", Options{Address: listener.Addr().String(), Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		feed := &oneRequest{target: targets.Target{Host: "a.example", Path: "/", Bytes: -1}}
		time.AfterFunc(2*time.Millisecond, cancel)
		_, err := made.Stream(ctx, time.Now(), 0, feed)
		if err == nil || feed.sample.Error != record.ErrUnanswered {
			t.Fatalf("error %v, sample %+v", err, feed.sample)
		}
	}
}
