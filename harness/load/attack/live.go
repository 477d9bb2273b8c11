package attack

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// show prints the live line until the function it returns is called.
func (l Live) show(f *feed, length time.Duration) (stop func()) {
	if l.Writer == nil || l.Every <= 0 {
		return func() {}
	}
	done := make(chan struct{})
	var printing sync.WaitGroup
	printing.Go(func() {
		tick := time.NewTicker(l.Every)
		defer tick.Stop()
		last := int64(0)
		for {
			select {
			case <-done:
				if l.Terminal {
					fmt.Fprint(l.Writer, "\r\x1b[K")
				}
				return
			case <-tick.C:
				ended := f.ended.Load()
				l.line(f, length, float64(ended-last)/l.Every.Seconds())
				last = ended
			}
		}
	})
	return func() {
		close(done)
		printing.Wait()
	}
}

func (l Live) line(f *feed, length time.Duration, rate float64) {
	text := f.progress(time.Since(f.start), length, rate)
	if l.Terminal {
		fmt.Fprint(l.Writer, "\r\x1b[K"+text)
		return
	}
	fmt.Fprintln(l.Writer, text)
}

// progress says how far the load is. After its length it waits for the answers
// that are missing.
func (f *feed) progress(passed, length time.Duration, rate float64) string {
	ended, failed := f.ended.Load(), f.failed.Load()
	if passed > length {
		return fmt.Sprintf("%v passed, waiting for %d answers since %v: %d requests, %d errors",
			length, f.given.Load()-ended, (passed - length).Truncate(time.Second), ended, failed)
	}
	return fmt.Sprintf("%v of %v: %d requests, %d errors, %.0f/s", passed.Truncate(time.Second), length, ended, failed, rate)
}

// LiveOn puts the live line on a file: every second on a terminal, every 10 s
// elsewhere.
func LiveOn(file *os.File) Live {
	live := Live{Writer: file, Every: 10 * time.Second}
	if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		live.Every, live.Terminal = time.Second, true
	}
	return live
}
