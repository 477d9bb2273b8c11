package datasets

// Schema names the format and its version: lines of JSON, compressed with
// zstd. The first line is the header; then come projects, each followed by its
// deployments, oldest first; the last line holds the counts. The assets of a
// deployment's line are those that differ, by path, from the deployment
// before it; a deployment keeps every path of its predecessor.
const Schema = "switchback.dataset/1"

// maxLine bounds a line, and so the memory of a reader.
const maxLine = 1 << 20

// header is the first line.
type header struct {
	Schema   string   `json:"schema"`
	Seed     uint64   `json:"seed"`
	Settings Settings `json:"settings"`
}

// line is any other line; one of its fields is set.
type line struct {
	Project    *Project    `json:"project,omitempty"`
	Deployment *Deployment `json:"deployment,omitempty"`
	End        *Counts     `json:"end,omitempty"`
}
