package edge

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"switchback/edge/routing"
)

// fixed is a router that answers from a list.
type fixed map[string]*routing.Pipeline

func (f fixed) Route(_ context.Context, host string) (routing.Answer, error) {
	switch p := f[host]; {
	case host == "broken":
		return routing.Answer{}, errors.New("store is damaged")
	case p == nil:
		return routing.Answer{}, routing.ErrUnknownHost
	default:
		return routing.Answer{Pipeline: p}, nil
	}
}

func TestShadowNamesTheKindOfEachDisagreement(t *testing.T) {
	one, other := &routing.Pipeline{Deployment: "d1"}, &routing.Pipeline{Deployment: "d2"}
	staged := &routing.Pipeline{Deployment: "d1", Stages: []routing.Stage{{Name: "functions"}}}
	s := newShadow("hashed", fixed{"same": one, "other": other, "new": one, "stages": staged})
	broken := errors.New("disk")
	for _, row := range []struct {
		host   string
		served *routing.Pipeline
		err    error
		kind   string
	}{
		{"same", &routing.Pipeline{Deployment: "d1"}, nil, ""},
		{"nobody", nil, routing.ErrUnknownHost, ""},
		{"broken", nil, broken, ""},
		{"other", one, nil, shadowPipeline},
		{"stages", one, nil, shadowPipeline},
		{"new", nil, routing.ErrUnknownHost, shadowKnown},
		{"gone", one, nil, shadowUnknown},
		{"broken", one, nil, shadowError},
		{"broken", nil, routing.ErrUnknownHost, shadowError},
		{"same", nil, broken, shadowError},
	} {
		before := s.stats()
		s.compare(context.Background(), row.host, row.served, row.err)
		after := s.stats()
		if after.Requests != before.Requests+1 || row.kind == "" && len(after.First) != len(before.First) {
			t.Errorf("%s, served %v: %+v", row.host, word(row.served, row.err), after)
		}
		if row.kind != "" && (after.Disagreements[row.kind] != before.Disagreements[row.kind]+1 || after.First[len(after.First)-1].Kind != row.kind) {
			t.Errorf("%s: %+v, want one more of kind %s", row.host, after, row.kind)
		}
	}
}

func TestShadowKeepsTheFirst(t *testing.T) {
	s := newShadow("hashed", fixed{})
	for i := range 150 {
		s.compare(context.Background(), fmt.Sprint("h", i), &routing.Pipeline{Deployment: "d1"}, nil)
	}
	got := s.stats()
	if len(got.First) != 100 || got.First[0].Host != "h0" || got.First[99].Host != "h99" || got.Disagreements[shadowUnknown] != 150 || got.First[0].Served != "d1" || got.First[0].Shadow != "unknown" {
		t.Errorf("%d kept, counts %v", len(got.First), got.Disagreements)
	}
}
