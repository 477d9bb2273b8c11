// Package figures writes the numbers and names of a run as a person reads
// them: three digits and a unit, changes as percents or factors, intervals, and
// names from files and servers made harmless. It lays nothing out.
package figures
