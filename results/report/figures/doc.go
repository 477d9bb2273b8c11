// Package figures writes the changes and names of a run as a person reads them:
// changes as percents or factors, intervals, labels of metrics and groups, and
// names from files and servers made harmless. It lays nothing out.
package figures
