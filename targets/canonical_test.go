package targets

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestTheCanonicalFormIsThatOfEncodingJSON: digests of streams that exist rest on it.
func TestTheCanonicalFormIsThatOfEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[ -~]{0,8}`), rapid.String(), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 5), func(b []byte) string { return string(b) }))
		target := Target{Host: text.Draw(t, "host"), Path: text.Draw(t, "path"), Method: text.Draw(t, "method"), Status: rapid.Int().Draw(t, "status"),
			Bytes: rapid.Int64().Draw(t, "bytes"), BodyHash: rapid.Uint32().Draw(t, "hash"), Size: text.Draw(t, "size"), Position: text.Draw(t, "position"),
			View: rapid.Int32().Draw(t, "view"), Document: rapid.Bool().Draw(t, "document"), At: rapid.Int64().Draw(t, "at"),
			Message: Message{Body: rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "body")}}
		for range rapid.IntRange(0, 2).Draw(t, "fields") {
			target.Header = append(target.Header, Field{Name: text.Draw(t, "name"), Value: text.Draw(t, "value")})
		}
		var want bytes.Buffer
		in := json.NewEncoder(&want)
		in.SetEscapeHTML(false)
		if err := in.Encode(&target); err != nil {
			t.Fatal(err)
		}
		if got := string(appendTarget(nil, &target)) + "\n"; got != want.String() {
			t.Fatalf("got  %swant %s", got, want.String())
		}
	})
}
