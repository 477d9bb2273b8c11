package importer

import (
	"strings"
	"testing"
)

// TestFormatsAreFoundAndRead: lines as servers wrote them, without --format.
func TestFormatsAreFoundAndRead(t *testing.T) {
	caddyLine := `{"level":"info","ts":1646861401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"203.0.113.9","remote_port":"41342","client_ip":"203.0.113.9","proto":"HTTP/2.0","method":"POST","host":"a.test","uri":"/x?q=1","headers":{"User-Agent":["curl/8"],"Cookie":["REDACTED"]}},"bytes_read":0,"user_id":"","duration":0.5,"size":10900,"status":201,"resp_headers":{"Server":["Caddy"]}}` + "\n"
	haproxyLine := `Feb  6 12:14:14 localhost haproxy[14389]: 203.0.113.9:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a.test|curl#2F8} {} "GET /index#22.html HTTP/1.1"` + "\n"
	for _, test := range []struct {
		format, text, want string
		s                  Settings
	}{
		{"json", caddyLine, "0 POST a.test/x?q=1 [User-Agent: curl/8]", Settings{}},
		{"json", `{"http":{"path":"/y","vhost":"b.test"},"when":"2026-11-30T12:00:00Z"}` + "\n" + `{"http":{"path":"/z","vhost":"b.test"},"when":"2026-11-30T12:00:00.25Z"}`, "0 b.test/y; 250 b.test/z",
			Settings{Fields: map[string]string{"path": "http.path", "host": "http.vhost", "time": "when"}}},
		{"haproxy", haproxyLine + strings.Replace(haproxyLine, "14.655", "14.905", 1), `0 a.test/index".html; 250 a.test/index".html`, Settings{Fields: map[string]string{"host": "1"}}},
		{"haproxy", strings.SplitN(haproxyLine, "]: ", 2)[1], `0 h.test/index".html`, Settings{Host: "h.test"}},
		{"haproxy", strings.Replace(haproxyLine, `"GET /index#22.html HTTP/1.1"`, `"<BADREQ>"`, 1) + haproxyLine, `0 h.test/index".html`, Settings{Host: "h.test"}},
		{"vegeta", "# mine\nGET http://a.test/x\nX-A: 1\nCookie: sid=1\n\nPUT https://b.test/\n", "0 a.test/x [X-A: 1]; 0 PUT b.test/", Settings{}},
		{"vegeta", `{"method":"GET","url":"http://a.test/"}`, "0 a.test/", Settings{}},
		{"hosts", "# mine\na.test\nb.test\n", "0 a.test/; 0 b.test/", Settings{}},
		{"common", `203.0.113.9 - - [30/Nov/2026:12:00:00 +0000] "GET /x HTTP/1.0" 200 -`, "0 h.test/x", Settings{Host: "h.test"}},
	} {
		test.s.KeepQuery, test.s.MostDropped = true, 1
		list, sum, err := imported(test.s, test.text)
		if err != nil || asked(list) != test.want || sum.Formats[0] != test.format {
			t.Errorf("%s:\n got %s, %v, %v\nwant %s", test.format, asked(list), sum.Formats, err, test.want)
		}
	}
}

func FuzzJSONLog(f *testing.F) {
	f.Add(`{"ts":1e9,"request":{"method":"GET","host":"a","uri":"/","headers":{"A":["b"],"C":1}},"duration":-1,"status":99999}`)
	f.Fuzz(func(t *testing.T, text string) { fuzzed(t, Settings{Format: "json"}, text) })
}

func FuzzHAProxyLog(f *testing.F) {
	f.Add(`1.2.3.4:3 [06/Feb/2009:12:14:14.655] f b/s 1/0/3/6/10 200 2750 - - ---- 1/1/1/1/0 0/0 {a|b} {} "GET /#22 HTTP/1.1"`)
	f.Fuzz(func(t *testing.T, text string) {
		fuzzed(t, Settings{Format: "haproxy", Fields: map[string]string{"host": "1"}}, text)
	})
}

func FuzzListed(f *testing.F) {
	f.Add("a.test\nb.test")
	f.Add("1,a.test")
	f.Fuzz(func(t *testing.T, text string) { fuzzed(t, Settings{Format: "hosts"}, text) })
}
