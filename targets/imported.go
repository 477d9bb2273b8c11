package targets

// SourceImport is the source of a stream of requests of the user's own, imported
// from logs and the like: it has no dataset.
const SourceImport = "import"

// Imported is what became of the lines that a stream was imported from. It stands
// at the stream's end and holds nothing that a log said beyond counts.
type Imported struct {
	Formats       []string         `json:"formats"`
	Lines         int64            `json:"lines"`   // or entries of a HAR
	Dropped       int64            `json:"dropped"` // of them
	Findings      []Finding        `json:"findings,omitempty"`
	Start         string           `json:"start,omitempty"` // of the first request, RFC 3339; "" where there are no stamps
	Statuses      map[string]int64 `json:"statuses,omitempty"`
	AnswerBytes   map[string]int64 `json:"answer_bytes,omitempty"` // answers by the power of ten below their size
	QueryHashed   bool             `json:"query_hashed"`           // the values of queries are
	Pseudonymised bool             `json:"pseudonymised"`          // hostnames and paths are hashed
}

// Finding is one kind of dirt: what was found, how often, and what was done.
type Finding struct {
	Rule  string `json:"rule"` // kept, mended, dropped
	What  string `json:"what"`
	Count int64  `json:"count"`
}
