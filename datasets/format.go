package datasets

// Schema names the format of a dataset and its version: a stream compressed
// with zstd. It begins with the header, a line of JSON. Then come records: a
// project, each followed by its deployments, oldest first; at the end the
// counts. The assets of a deployment's record are those that differ, by path,
// from the deployment before it; a deployment keeps every path of its
// predecessor.
//
// A record is the length of its payload, 4 bytes little-endian, and the
// payload. In it numbers are unsigned varints, a text or a list is its length
// and its elements, hex digits are stored as bytes. The payloads, which begin
// with their kind:
//
//	project     1 name deployments named(0|1) domains
//	deployment  2 id(8) alias(4) production(0|1) branches stages assets
//	counts      3 projects deployments hostnames
//	stage       name paths bindings
//	binding     name kind value
//	asset       path digest(16) bytes
//
// After the stream comes the checksum of the file, see Verify.
const Schema = "switchback.dataset/1"

// The kinds of records.
const (
	recordProject    = 1
	recordDeployment = 2
	recordCounts     = 3
)

// maxRecord bounds a record, and so the memory of a reader.
const maxRecord = 1 << 20

// header is the first line.
type header struct {
	Schema   string   `json:"schema"`
	Seed     uint64   `json:"seed"`
	Settings Settings `json:"settings"`
}
