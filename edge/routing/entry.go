package routing

import (
	"encoding/json"
	"fmt"
)

// EncodeEntry returns a routing entry: what the store has under the hash of a
// hostname. It is the deployment, the key of the pipeline, as a JSON string; with an
// object around it, entries would take a tenth more.
func EncodeEntry(deployment string) ([]byte, error) { return json.Marshal(deployment) }

// decodeEntry returns the deployment that a routing entry names.
func decodeEntry(raw []byte) (deployment string, err error) {
	if err := json.Unmarshal(raw, &deployment); err != nil {
		return "", fmt.Errorf("routing entry: %w", err)
	}
	return deployment, nil
}

// decodePipeline is the kv.Decoder of a Pipeline.
func decodePipeline(raw []byte) (*Pipeline, int64, error) {
	pipeline := new(Pipeline)
	if err := json.Unmarshal(raw, pipeline); err != nil {
		return nil, 0, fmt.Errorf("pipeline: %w", err)
	}
	return pipeline, pipeline.size(), nil
}

// The sizes of decoded values on a 64-bit machine, in bytes. A map of strings has
// slots of two strings, in groups of eight that are on average three quarters full.
const (
	stringBytes   = 16
	pipelineBytes = stringBytes + 24
	stageBytes    = stringBytes + 24 + 8
	mapBytes      = 48
	mapSlotBytes  = 2*stringBytes*4/3 + 1

	manifestSlotBytes = (2*stringBytes+8)*4/3 + 1
)

// size returns about how many bytes the pipeline takes in memory.
func (p *Pipeline) size() int64 {
	n := pipelineBytes + len(p.Deployment)
	for _, s := range p.Stages {
		n += stageBytes + len(s.Name)
		for _, path := range s.Paths {
			n += stringBytes + len(path)
		}
		if s.Bindings != nil {
			n += mapBytes
		}
		for name, value := range s.Bindings {
			n += mapSlotBytes + len(name) + len(value)
		}
	}
	return int64(n)
}
