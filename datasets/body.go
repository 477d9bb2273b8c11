package datasets

import (
	"hash/crc32"
	"strconv"
	"strings"
)

// The body of everything that the origin serves is its origin path and a
// newline, repeated and cut to the length that the path names.

// OriginPath is the path of the asset at the origin: /a/DIGEST/BYTES.
func (a Asset) OriginPath() string {
	return "/a/" + a.Digest + "/" + strconv.FormatInt(a.Bytes, 10)
}

// Document is true for an asset that is a page of its own, not a part of
// one: its path ends in a slash.
func (a Asset) Document() bool { return strings.HasSuffix(a.Path, "/") }

// Answers is true when the stage answers a request path itself: the path is
// one of its prefixes, or continues one after a slash.
func (s *Stage) Answers(path string) bool {
	for _, prefix := range s.Paths {
		rest, ok := strings.CutPrefix(path, strings.TrimSuffix(prefix, "/"))
		if ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// FunctionsBytes is the length of the answer of a deployment's functions to a
// request path: 256 + CRC-32C(deployment + path) mod 2048.
func FunctionsBytes(deployment, path string) int64 {
	sum := crc32.Checksum([]byte(deployment+path), crc32.MakeTable(crc32.Castagnoli))
	return 256 + int64(sum%2048)
}

// FunctionsPath is the path at the origin of that answer: /f/DEPLOYMENT/BYTES
// and the request path.
func FunctionsPath(deployment, path string) string {
	return "/f/" + deployment + "/" + strconv.FormatInt(FunctionsBytes(deployment, path), 10) + path
}
