package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"
)

// Of six launches, every third stalls.
func TestStallIsDueInEveryThirdLaunch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "launches")
	for launch := 1; launch <= 6; launch++ {
		s := stall{length: time.Millisecond, every: 3, at: 1, file: file}
		if err := s.begin(); err != nil {
			t.Fatal(err)
		}
		if s.due != (launch%3 == 0) {
			t.Errorf("launch %d: due %v", launch, s.due)
		}
	}
}

// A fault delays requests and changes none.
func TestFaultsPassRequestsOn(t *testing.T) {
	asked := 0
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusTeapot)
	})
	s := stall{length: time.Millisecond, at: 2, due: true}
	faulty := s.wrap(busy(time.Microsecond, next))
	for range 3 {
		answer := httptest.NewRecorder()
		faulty.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
		if answer.Code != http.StatusTeapot {
			t.Errorf("answered %d", answer.Code)
		}
	}
	if asked != 3 {
		t.Errorf("%d of 3 requests were passed on", asked)
	}
}
