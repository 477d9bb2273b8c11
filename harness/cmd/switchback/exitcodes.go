package main

// Exit codes that are about the program rather than about what was measured;
// the others are those of results/gate.
const (
	exitError = 1
	exitUsage = 2
)

// exitCodes is the part of a help text that lists every exit code.
const exitCodes = `Exit codes:
  0   pass, or nothing to judge
  1   error
  2   bad usage, or a fault in the experiment file
  3   inconclusive, with --strict or on_inconclusive: fail
  4   invalid: the measurement can't be believed
  5   no reference to compare with
  99  regression`
