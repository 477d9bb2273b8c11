// Package units reads and writes quantities: durations, sizes, rates, shares,
// amounts and ratios. Duration, Bytes, Rate, Share and Amount are read from
// files and flags and are written so that they read back as the same value. The
// functions write measured numbers for a person, with three digits. No other
// package has a table of units.
package units
