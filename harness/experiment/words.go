package experiment

// The words that keys of an experiment file take.
const (
	Vegeta = "vegeta" // load.engine
	Wire   = "wire"

	Shared  = "shared" // load.pooling
	PerHost = "host"
	NoPool  = "none"

	Legacy   = "legacy" // edge.router, edge.shadow
	Hashed   = "hashed" // and edge.ties
	Filtered = "filtered"

	Request  = "request" // edge.table_life
	LRU      = "lru"
	Resident = "resident"

	Address   = "address" // edge.ties, edge.names
	Directive = "directive"

	Warn = "warn" // gate.on_inconclusive
	Fail = "fail"

	Tail    = "tail" // keys of targets.per_block besides the sizes
	Unknown = "unknown"
)

func engines() []string    { return []string{Vegeta, Wire} }
func poolings() []string   { return []string{Shared, PerHost, NoPool} }
func routers() []string    { return []string{Legacy, Hashed, Filtered} }
func tableLives() []string { return []string{Request, LRU, Resident} }
func ties() []string       { return []string{Address, Hashed} }
func names() []string      { return []string{Address, Directive} }
func signals() []string    { return []string{"TERM", "INT", "QUIT"} }
