package record

import (
	"strings"
	"testing"
)

func TestCodesCountAnswers(t *testing.T) {
	samples := []Sample{{Status: 200}, {Status: 403, Error: ErrStatus}, {Status: 301}, {Status: 200}, {Error: ErrDial},
		{Status: 308, Error: ErrStatus}, {Status: 200, Error: ErrReset}}
	codes := CodesOf(samples)
	if got, want := codes.String(), "200 3, 301 1, 308 1, 403 1"; got != want {
		t.Errorf("codes %q, want %q", got, want)
	}
	if got := codes.Total(); got != 6 {
		t.Errorf("%d answers, want 6", got)
	}
	if got, want := codes.Class("3").String(), "301 1, 308 1"; got != want {
		t.Errorf("3xx %q, want %q", got, want)
	}
	if got := Redirected(samples); got != 1 {
		t.Errorf("%d right answers of 3xx, want 1: a wrong one does not count", got)
	}
	if CodesOf(samples[4:5]) != nil {
		t.Error("codes without an answer")
	}
}

// A server that answers each request with another code adds 17 counts to a
// block, and to a run.
func TestCodesAreBounded(t *testing.T) {
	var samples []Sample
	for status := range int16(900) {
		samples = append(samples, Sample{Status: 100 + status})
	}
	samples = append(samples, Sample{Status: 999})
	codes := CodesOf(samples).Plus(CodesOf(samples))
	if len(codes) != maxCodes+1 || codes.Total() != 2*901 || codes["999"] != 4 {
		t.Errorf("%d codes of %d answers: %v", len(codes), codes.Total(), codes)
	}
	if !strings.HasSuffix(codes.String(), "other 1768") {
		t.Errorf("codes %q", codes)
	}
	if err := codes.check(); err != nil {
		t.Error(err)
	}
}

func TestHostileCodesAreRefused(t *testing.T) {
	many := Codes{}
	for i := range 18 {
		many = many.with(string(rune('0'+i%10))+string(rune('0'+i/10)), 1)
	}
	for _, c := range []Codes{{"\x1b[2J": 1}, {"": 1}, {"200": -1}, many} {
		if c.check() == nil {
			t.Errorf("%v is taken", c)
		}
	}
}
