// Package record holds the run folder: what a run measured, on disk.
//
// It defines the sample of a request, the block and its metrics, the manifest
// and the summary; it turns the samples of a block into metric values and
// histograms, writes the folder while the run goes on, and reads it back. A
// block is on disk when it has ended, so a killed run keeps what it had.
//
// It does not judge: intervals, tests and verdicts belong to stats and gate.
package record
