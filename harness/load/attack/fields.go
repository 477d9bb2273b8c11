package attack

import (
	"cmp"
	"slices"
	"strings"

	"switchback/targets"
)

// isOurs reports whether the engines write a field themselves.
func isOurs(name string) bool {
	switch strings.ToLower(name) {
	case "host", "content-length", "connection", "transfer-encoding":
		return true
	}
	return false
}

// sortFields gives the fields of a map one order.
func sortFields(fields []targets.Field) {
	slices.SortStableFunc(fields, func(a, b targets.Field) int { return cmp.Compare(a.Name, b.Name) })
}
