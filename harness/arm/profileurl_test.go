package arm

import (
	"strings"
	"testing"
)

func TestParseProfileURL(t *testing.T) {
	for _, c := range []struct{ raw, host, want, fault string }{
		{raw: "http://127.0.0.1:6060", want: "http://127.0.0.1:6060/debug/pprof/"},
		{raw: "http://localhost:6060/", want: "http://localhost:6060/debug/pprof/"},
		{raw: "http://[::1]:6060/pprof", want: "http://[::1]:6060/pprof/"},
		{raw: "https://edge.example:1/debug/pprof/", host: "edge.example", want: "https://edge.example:1/debug/pprof/"},
		{raw: "http://edge.example:1", host: "other.example", fault: "neither on loopback nor the arm's own host"},
		{raw: "http://10.0.0.1:1", fault: "neither on loopback"},
		{raw: "127.0.0.1:6060", fault: "expected the URL"},
		{raw: "ftp://127.0.0.1", fault: "expected the URL"},
		{raw: "http://u@127.0.0.1", fault: "expected the URL"},
		{raw: "http://127.0.0.1/?seconds=9", fault: "expected the URL"},
		{raw: "http://127.0.0.1:{port}", fault: "expected the URL"},
	} {
		u, err := ParseProfileURL(c.raw, c.host)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%+v: error %v", c, err)
			}
		} else if err != nil || u.String() != c.want {
			t.Errorf("%+v: %v, %v", c, u, err)
		}
	}
}
