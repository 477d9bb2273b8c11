package main

import (
	"fmt"
	"testing"

	"switchback/edge/ring/fleet"
	"switchback/harness/experiment"
)

// An experiment file takes the weights of nodes that `switchback edge` takes, and no others.
func TestWeightsOfFileAndFlagAgree(t *testing.T) {
	for _, text := range []string{"1", "7", "1000000", "1-10", "5-5", "equal", "pareto:1.5", "pareto:0.5",
		"0", "2000000", "10-1", "0-3", "1-", "even", "pareto:", "pareto:0.1", "pareto:101", "1-2-3"} {
		_, byFlag := fleet.ParseWeights(text)
		_, byFile := experiment.Parse("x", fmt.Appendf(nil, "name: x\narms: [{name: a, edge: {nodes: {weights: %q}}}]\n", text))
		if (byFlag == nil) != (byFile == nil) {
			t.Errorf("%q: the flag says %v, the file %v", text, byFlag, byFile)
		}
	}
}
