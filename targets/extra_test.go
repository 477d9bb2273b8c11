package targets

import (
	"reflect"
	"strings"
	"testing"
)

func TestExtraIsGivenToEveryTarget(t *testing.T) {
	list := []Target{
		{Host: "a.example", Path: "/", Bytes: -1},
		{Host: "b.example", Path: "/", Bytes: -1, Method: "PUT", Message: Message{Header: []Field{{"accept", "text/plain"}}, Body: []byte("own")}},
	}
	notes, err := Extra{Header: []string{"Accept: application/json", "X-A:1", "X-A: 2", "Connection: close"}}.Apply(list)
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "connection 1") {
		t.Fatalf("%v, notes %q", err, notes)
	}
	all := []Field{{"Accept", "application/json"}, {"X-A", "1"}, {"X-A", "2"}}
	if !reflect.DeepEqual(list[0].Header, all) || list[0].Method != "" {
		t.Errorf("%+v", list[0])
	}
	if own := append([]Field{{"accept", "text/plain"}}, all[1:]...); !reflect.DeepEqual(list[1].Header, own) || list[1].Method != "PUT" || string(list[1].Body) != "own" {
		t.Errorf("a target keeps what it has itself: %+v", list[1])
	}
	if _, err := (Extra{Method: "POST", Body: []byte("x"), Header: []string{"host: c.example"}}).Apply(list[:1]); err != nil || list[0].Host != "c.example" || list[0].Method != "POST" || string(list[0].Body) != "x" {
		t.Errorf("%v: %+v", err, list[0])
	}
}

func TestExtraThatCannotBeSent(t *testing.T) {
	for want, e := range map[string]Extra{
		"expected NAME: VALUE":     {Header: []string{"Authorization secret"}},
		"control characters":       {Header: []string{"X: a\r\nY: b"}},
		"expected a token":         {Header: []string{": x"}},
		"expected a hostname":      {Header: []string{"Host: a b"}},
		"two Host fields":          {Header: []string{"Host: a", "Host: b"}},
		"expected capital letters": {Method: "post"},
		"it opens a tunnel":        {Method: "CONNECT"},
	} {
		_, err := e.Apply([]Target{{Host: "a.example", Path: "/", Bytes: -1}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v, want %q and no secret", e, err, want)
		}
	}
}
