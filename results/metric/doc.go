// Package metric is the table of everything that a run measures: what each name
// means, its unit, how two of its values are compared, how many become one, what
// it is called and where it is shown. A new metric is an entry of the table and
// the code that reads it. No other package spells a metric's name.
package metric
