package datasets

import "testing"

// The check value of CRC-32C is e3069283 for "123456789"; it is 0x283 mod
// 2048.
func TestFunctionsBytesFollowTheDocumentedLaw(t *testing.T) {
	if got, want := FunctionsBytes("1234", "56789"), int64(256+0x283); got != want {
		t.Errorf("FunctionsBytes = %d, want %d", got, want)
	}
	if got, want := FunctionsPath("1234", "56789"), "/f/1234/89956789"; got != want {
		t.Errorf("FunctionsPath = %q, want %q", got, want)
	}
}

func TestOriginPathOfAnAsset(t *testing.T) {
	a := Asset{Path: "/app.js", Digest: "00ff", Bytes: 1234}
	if got, want := a.OriginPath(), "/a/00ff/1234"; got != want {
		t.Errorf("OriginPath = %q, want %q", got, want)
	}
}

func TestFunctionsAnswerWholeSegments(t *testing.T) {
	s := Stage{Name: StageFunctions, Paths: []string{"/api", "/auth/"}}
	for path, want := range map[string]bool{
		"/api": true, "/api/": true, "/api/items/1": true, "/apis": false, "/": false, "/v1/api": false,
		"/auth": true, "/auth/x": true, "/author": false,
	} {
		if got := s.Answers(path); got != want {
			t.Errorf("Answers(%q) = %v", path, got)
		}
	}
	if !(&Stage{Paths: []string{"/"}}).Answers("/anything") {
		t.Error("the prefix / does not answer everything")
	}
}
