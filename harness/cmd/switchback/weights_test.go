package main

import (
	"fmt"
	"testing"

	"switchback/edge"
	"switchback/edge/ring/fleet"
	"switchback/harness/experiment"
)

// An experiment file takes the weights of nodes that `switchback edge` takes, and no others.
func TestWeightsOfFileAndFlagAgree(t *testing.T) {
	for _, text := range []string{"1", "7", "1000000", "1-10", "5-5", "equal", "+3", "01", "pareto:1.5", "pareto:0.5",
		"0", "2000000", "10-1", "0-3", "1-", "even", "pareto:", "pareto:0.1", "pareto:101", "1-2-3"} {
		_, byFlag := fleet.ParseWeights(text)
		_, byFile := experiment.Parse("x", fmt.Appendf(nil, "name: x\narms: [{name: a, edge: {nodes: {weights: %q}}}]\n", text))
		if (byFlag == nil) != (byFile == nil) {
			t.Errorf("%q: the flag says %v, the file %v", text, byFlag, byFile)
		}
	}
}

// An experiment file takes the rings that `switchback edge` takes, and no others.
func TestRingsOfFileAndFlagAgree(t *testing.T) {
	for _, text := range []string{"v1", "v2", "v3", "v2:16", "v2:016", "v1:160", "v3:2147483647", "v1+v2:16", "v2+v3",
		"v4", "v1:16", "v2:0", "v2:", "v2:+1", "v2:2147483648", "v1+", "v1+v2+v3"} {
		byFlag := edge.Options{Store: "s", Secret: []byte("s"), Origin: "http://127.0.0.1:1", Ring: text}.Check()
		_, byFile := experiment.Parse("x", fmt.Appendf(nil, "name: x\narms: [{name: a, edge: {ring: %q}}]\n", text))
		if (byFlag == nil) != (byFile == nil) {
			t.Errorf("%q: the flag says %v, the file %v", text, byFlag, byFile)
		}
	}
}
