package record

import (
	"fmt"
	"testing"
	"time"
)

// fields renders seconds as the file has them.
func fields(seconds []Second) string {
	text := ""
	for _, s := range seconds {
		text += fmt.Sprintln(s.fields()[1:])
	}
	return text
}

func TestSecondsCutABlockAsItsUsage(t *testing.T) {
	b := Block{Arm: "legacy", Cell: "lru=1,n=2", Start: time.Unix(100, 0), Length: 1.5}
	usage := []Usage{
		{Start: b.Start.Add(-10 * time.Millisecond), Length: time.Second, Memory: 1 << 20, CPU: 500 * time.Millisecond},
		{Start: b.Start.Add(990 * time.Millisecond), Length: 500 * time.Millisecond, Memory: 2 << 20, CPU: 500 * time.Millisecond},
	}
	at := func(ms int64, timing string) Sample {
		return Sample{Released: ms * 1e6, ServerTiming: []byte(timing)}
	}
	samples := []Sample{
		at(0, "cache;desc=hit, flags;desc=6"), at(500, "cache;desc=miss, origin;dur=3, flags;desc=7"), at(989, "route;dur=1"), at(500, ""),
		at(600, "cache;desc=collapsed, origin;dur=2"), at(600, "cache;desc=bypass, flags;desc=x"),
		at(990, ""), at(1200, ""),
		{Released: Never},
	}
	want := "[legacy 6 1 0.5 1048576 0.5 7 lru=1,n=2]\n[legacy 4   2097152 1  lru=1,n=2]\n"
	if got := fields(Seconds(b, samples, usage)); got != want {
		t.Errorf("seconds\n%s, want\n%s", got, want)
	}
}

func TestSecondsOfAServerThatWasNotStarted(t *testing.T) {
	b := Block{Arm: "url", Start: time.Unix(100, 0), Length: 2.25, Drain: 0.25}
	samples := []Sample{{Released: 0}, {Released: 1e9}, {Released: 1.5e9}, {Released: 2.3e9}}
	seconds := Seconds(b, samples, nil)
	want := "[url 1      ]\n[url 2      ]\n[url 2      ]\n"
	if got := fields(seconds); got != want {
		t.Errorf("seconds\n%s, want\n%s", got, want)
	}
	if at := seconds[2].Time; !at.Equal(time.Unix(102, 0)) {
		t.Errorf("the third begins at %v", at)
	}
}
