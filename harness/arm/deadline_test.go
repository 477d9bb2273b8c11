package arm

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// starting is a server that is ready once so much time has passed.
func starting(after time.Duration) func() (bool, error) {
	began := time.Now()
	return func() (bool, error) { return time.Since(began) >= after, nil }
}

// A server that needs 30 s is given up after the default 10 s, to the
// millisecond, and waited for where it may take 31 s. The clock is a fake one.
// Its start is timed to a Pause.
func TestAStartOfThirtySeconds(t *testing.T) {
	for _, test := range []struct {
		within, until time.Duration // until when it is waited for
		says          string        // the error; "": it is ready
	}{
		{0, 10 * time.Second, "not within 10s"},
		{29 * time.Second, 29 * time.Second, "not within 29s"},
		{31 * time.Second, 30 * time.Second, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			ctx, cancel := Command{Within: test.within}.deadline(context.Background())
			defer cancel()
			err := poll(ctx, nil, starting(30*time.Second))
			if took := time.Since(began); took < test.until || err != nil && took != test.until || took > test.until+Pause(test.until) {
				t.Errorf("within %v: waited for %v, want %v", test.within, took, test.until)
			}
			if test.says == "" && err != nil || test.says != "" && (!errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), test.says)) {
				t.Errorf("within %v: error %v, want %q", test.within, err, test.says)
			}
		})
	}
}

// A start of any length is timed to 5 %, but for 2 ms, by few looks: those of a
// minute's wait are about 20 a second. The clock is a fake one.
func TestAStartIsTimedByFewLooks(t *testing.T) {
	for _, length := range []time.Duration{time.Millisecond, 30 * time.Millisecond, 123 * time.Millisecond, time.Second, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			ready, began, looks := starting(length), time.Now(), 0
			err := poll(context.Background(), nil, func() (bool, error) {
				looks++
				return ready()
			})
			late := time.Since(began) - length
			if err != nil || late < 0 || late > max(length/20, 2*time.Millisecond) {
				t.Errorf("a start of %v is seen %v late, %v", length, late, err)
			}
			if most := 100 + int(length/(50*time.Millisecond)); looks > most {
				t.Errorf("a start of %v takes %d looks, want at most %d", length, looks, most)
			}
		})
	}
}
