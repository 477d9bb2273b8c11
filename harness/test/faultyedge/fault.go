package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// busy makes every request of next cost d of CPU time more.
func busy(d time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for start := time.Now(); time.Since(start) < d; {
		}
		next.ServeHTTP(w, r)
	})
}

// stall holds all requests for a time, once in a launch: the last of so many.
type stall struct {
	length time.Duration
	every  int
	at     int    // the number of the request at which it begins
	file   string // counts the launches; they are processes of their own

	due  bool // in this launch
	seen atomic.Int64
	held sync.RWMutex
}

// begin counts this launch.
func (s *stall) begin() error {
	if s.length <= 0 {
		return nil
	}
	n := 0
	text, err := os.ReadFile(s.file)
	if err == nil {
		n, err = strconv.Atoi(string(text))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("counting launches: %w", err)
	}
	n++
	s.due = n%max(1, s.every) == 0
	return os.WriteFile(s.file, []byte(strconv.Itoa(n)), 0o644)
}

// wrap makes the requests of next wait through the stall.
func (s *stall) wrap(next http.Handler) http.Handler {
	if !s.due {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.seen.Add(1) == int64(s.at) {
			s.held.Lock()
			time.Sleep(s.length)
			s.held.Unlock()
		}
		s.held.RLock()
		defer s.held.RUnlock()
		next.ServeHTTP(w, r)
	})
}
