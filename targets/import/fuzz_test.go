package importer

import (
	"strings"
	"testing"
)

// fuzzed imports a text in a format; whatever is in it, what comes out can be
// sent and read back.
func fuzzed(t *testing.T, s Settings, text string) {
	s.MostDropped, s.Host, s.KeepClient = 1, "h.test", true
	for _, s.Pseudonymise = range []bool{false, true} {
		list, _, err := imported(s, text)
		if err != nil {
			if strings.HasPrefix(err.Error(), " ") { // an error of the reader
				t.Fatalf("%q: written, but not read back: %v", text, err)
			}
			continue
		}
		for i := range list {
			if err := list[i].Check(); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
	}
}

func FuzzLogFormat(f *testing.F) {
	f.Add(vhostCombined, line("a.test", `GET /x\x22 HTTP/1.1`))
	f.Add(combined, "1.2.3.4 - - [30/Nov/2026:12:00:00 +0000] \"\\x16\\x03\" 400 0 \"-\" \"-\"\n\x00\xff")
	f.Add(`{"t":"$time_iso8601","r":"$request_uri","m":"$request_method","q":"$args"}`, `{"t":"2026-11-30T12:00:00Z","r":"/\"","m":"GET","q":"a"}`)
	f.Fuzz(func(t *testing.T, format, text string) {
		if strings.Contains(format, "$") {
			fuzzed(t, Settings{Format: format}, text)
		}
	})
}

func FuzzAuto(f *testing.F) {
	f.Add(line("a.test", "GET / HTTP/1.1") + line("", "-"))
	f.Add("\x00") // a line of nothing but NUL bytes is empty
	f.Add("\x1f\x8b\x08")
	f.Add("\x28\xb5\x2f\xfd")
	f.Fuzz(func(t *testing.T, text string) { fuzzed(t, Settings{}, text) })
}
