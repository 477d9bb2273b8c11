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
			if took := time.Since(began); took != test.until {
				t.Errorf("within %v: waited for %v, want %v", test.within, took, test.until)
			}
			if test.says == "" && err != nil || test.says != "" && (!errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), test.says)) {
				t.Errorf("within %v: error %v, want %q", test.within, err, test.says)
			}
		})
	}
}
