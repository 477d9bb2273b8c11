package record

import (
	"fmt"
	"time"
)

// Manifest is manifest.json: what is needed to repeat a run and to judge
// whether two runs may be compared.
type Manifest struct {
	Schema        string            `json:"schema"` // switchback.manifest/1
	Run           string            `json:"run"`
	Experiment    string            `json:"experiment"`
	Version       string            `json:"version"`
	Commit        string            `json:"commit,omitempty"`
	Seed          uint64            `json:"seed"`
	DatasetDigest string            `json:"dataset_digest"`
	TargetsDigest string            `json:"targets_digest"`
	Machine       string            `json:"machine"`
	MachineKind   MachineKind       `json:"machine_kind"`
	Kernel        string            `json:"kernel"`
	Pinning       map[string]string `json:"pinning"` // generator, arms, origin → CPU list
	Versions      map[string]string `json:"versions,omitempty"`
	Notes         []string          `json:"notes,omitempty"`  // what was found before anything was measured
	Inputs        []Input           `json:"inputs,omitempty"` // files of the user's own that arms were rendered from
	Order         [][]string        `json:"order"`            // arms of each pair, in the order drawn
	Start         time.Time         `json:"start"`
	End           time.Time         `json:"end,omitzero"`
}

// arms returns the names of the arms; none where the order is not known.
func (m *Manifest) arms() map[string]bool {
	named := map[string]bool{}
	for _, pair := range m.Order {
		for _, arm := range pair {
			named[arm] = true
		}
	}
	return named
}

// checkArm returns why a line can't be about that arm.
func checkArm(arm string, arms map[string]bool) error {
	if len(arms) > 0 && !arms[arm] {
		return fmt.Errorf("arm %.80q is not in the order of %s", arm, ManifestFile)
	}
	return nil
}

// MachineKind is what must be equal for two runs to be compared.
type MachineKind struct {
	CPU          string `json:"cpu"`
	CPUs         int    `json:"cpus"`
	MemoryGiB    int    `json:"memory_gib"`
	Architecture string `json:"architecture"`
}
