// Package analysis says what a ring does before it is rolled out: how evenly
// it spreads keys, what it takes in memory and time, which keys move when it
// changes. Shares are measured over the whole hash space, not over a sample
// of keys, and stand beside what the theory of random points says.
package analysis
