// Package stats holds the arithmetic behind a verdict: exact sign-flip tests
// over pairs, the estimates and bounds that belong to them, and their power.
//
// Its stance: the unit of analysis is a pair of blocks (or a launch), and the
// only randomness it relies on is the coin that decided the order within the
// pair. Nothing is assumed normal, independent in time or of equal variance.
// Callers hand in one number for each unit; the package never sees requests,
// knows no metric and decides nothing. It imports nothing of the module.
package stats
