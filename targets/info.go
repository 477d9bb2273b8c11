package targets

// Schema names the format of a stored stream and its version: lines of JSON,
// compressed with zstd. The first line is the header; then come the blocks in
// the canonical form of Digest; the last line holds the counts.
const Schema = "switchback.targets/1"

// Header says what a stored stream was drawn from.
type Header struct {
	Schema   string   `json:"schema"`
	Source   string   `json:"source,omitempty"` // SourceImport: requests of the user's own; "": drawn over the dataset
	Dataset  string   `json:"dataset"`          // digest
	Seed     uint64   `json:"seed"`
	Settings Settings `json:"settings"`
}

// Info sums up a stored stream.
type Info struct {
	Header
	Digest string `json:"digest"` // of the blocks
	Counts
	Views     int64            `json:"views"`
	Sizes     map[string]int64 `json:"sizes"`     // targets by group
	Positions map[string]int64 `json:"positions"` // targets by group

	Imported *Imported `json:"imported,omitempty"` // of an imported stream
}

// Counts close a stored stream; a stream that holds other counts is refused.
type Counts struct {
	Blocks  int64 `json:"blocks"`
	Targets int64 `json:"targets"`
}

func newInfo(h Header) Info {
	return Info{Header: h, Sizes: map[string]int64{}, Positions: map[string]int64{}}
}

// add counts a block.
func (i *Info) add(block []Target) {
	i.Blocks++
	i.Targets += int64(len(block))
	for _, t := range block {
		if t.Size != "" {
			i.Sizes[t.Size]++
		}
		if t.Position != "" {
			i.Positions[t.Position]++
		}
		if t.Document {
			i.Views++
		}
	}
}

// line is a line that is neither the header nor a target: a block or the end.
type line struct {
	Block    *blockLine `json:"block,omitempty"`
	End      *Counts    `json:"end,omitempty"`
	Imported *Imported  `json:"imported,omitempty"` // beside End
}
