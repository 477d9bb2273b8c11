package trace

import (
	"maps"
	"strings"
	"testing"
)

func TestResource(t *testing.T) {
	for _, c := range []struct {
		name, attributes, role string
		want                   map[string]string
		fault                  string
	}{
		{role: RoleHarness, want: map[string]string{"service.name": "switchback"}},
		{role: RoleEdge, want: map[string]string{"service.name": "switchback-edge"}},
		{name: "x", role: RoleHarness, want: map[string]string{"service.name": "x"}},
		{name: "x", role: RoleOrigin, want: map[string]string{"service.name": "x-origin"}},
		{name: " x ", attributes: "service.name=y", role: RoleEdge, want: map[string]string{"service.name": "x-edge"}},
		{attributes: "service.name=y", role: RoleEdge, want: map[string]string{"service.name": "y-edge"}},
		{attributes: " team = a%2Cb , env=,service.version=9", want: map[string]string{"service.name": "switchback", "team": "a,b", "env": ""}},
		{attributes: "team", fault: "OTEL_RESOURCE_ATTRIBUTES: entry 1: expected key=value"},
		{attributes: "team=a,", fault: "entry 2: expected key=value"},
		{attributes: "=a", fault: "entry 1"},
		{attributes: "team=%zz", fault: `the value of "team"`},
		{attributes: "team=%00", fault: `the value of "team"`},
		{attributes: "team=%ff", fault: `the value of "team"`},
		{name: "a\nb", fault: "OTEL_SERVICE_NAME"},
	} {
		got, err := resourceOf(c.role, "1", func(variable string) string {
			return map[string]string{"OTEL_SERVICE_NAME": c.name, "OTEL_RESOURCE_ATTRIBUTES": c.attributes}[variable]
		})
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%+v: error %v", c, err)
			}
			continue
		}
		c.want["service.version"] = "1"
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}

// FuzzParseAttributes: what is taken is plain.
func FuzzParseAttributes(f *testing.F) {
	f.Add("team=a%2Cb,env=")
	f.Add("a=b,=")
	f.Fuzz(func(t *testing.T, list string) {
		all, err := parseAttributes(list)
		if (all == nil) != (err != nil) {
			t.Fatalf("%v with %v", all, err)
		}
		for key, value := range all {
			if key == "" || !isPlain(key) || !isPlain(value) {
				t.Fatalf("%q=%q", key, value)
			}
		}
	})
}
