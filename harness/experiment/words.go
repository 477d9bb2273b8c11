package experiment

// Words that decide more than the value of their key.
const (
	wire    = "wire"    // load.engine: cleartext HTTP/1.1 only
	legacy  = "legacy"  // edge.router: the one with tables
	tail    = "tail"    // targets.per_block, beside the sizes
	unknown = "unknown" // targets.per_block
	warn    = "warn"    // gate.on_inconclusive

	// The words of targets.expect: what of an answer must be as the target says.
	ExpectBody   = "body"   // status and body
	ExpectStatus = "status" // the status
	ExpectAny    = "any"    // any status below 400 for what exists, the status for what does not

	// Fail is the word of gate.on_inconclusive that makes inconclusive a failure.
	Fail = "fail"
)

// The words that keys of an experiment file take, the default first.
func engines() []string           { return []string{"vegeta", wire} }
func poolings() []string          { return []string{"shared", "host", "none"} }
func routers() []string           { return []string{"hashed", legacy, "filtered"} }
func tableLives() []string        { return []string{"request", "lru", "resident"} }
func ties() []string              { return []string{"address", "hashed"} }
func names() []string             { return []string{"address", "directive"} }
func signals() []string           { return []string{"TERM", "INT", "QUIT"} }
func expectations() []string      { return []string{ExpectBody, ExpectStatus, ExpectAny} }
func inconclusiveRules() []string { return []string{warn, Fail} }
