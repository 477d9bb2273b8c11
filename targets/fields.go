package targets

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// IsHopByHop tells whether a field is about one connection or the length of one
// message (RFC 9110, section 7.6.1). The engines write their own.
func IsHopByHop(name string) bool {
	switch strings.ToLower(name) {
	case "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "content-length":
		return true
	}
	return false
}

// dropHopByHop returns the fields that go from end to end. It drops the hop-by-hop
// fields and the fields that Connection names, and counts them.
func dropHopByHop(fields []Field, dropped map[string]int) []Field {
	named := map[string]bool{}
	for _, f := range fields {
		if strings.EqualFold(f.Name, "Connection") {
			for option := range strings.SplitSeq(f.Value, ",") {
				named[strings.ToLower(strings.TrimSpace(option))] = true
			}
		}
	}
	return slices.DeleteFunc(fields, func(f Field) bool {
		name := strings.ToLower(f.Name)
		drop := IsHopByHop(name) || named[name]
		if drop {
			dropped[name]++
		}
		return drop
	})
}

// noteDropped says how many fields were dropped; "" for none.
func noteDropped(dropped map[string]int) string {
	const shown = 10
	total, each := 0, []string{}
	for _, name := range slices.Sorted(maps.Keys(dropped)) {
		if total += dropped[name]; len(each) < shown {
			each = append(each, fmt.Sprintf("%s %d", name, dropped[name]))
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d hop-by-hop fields of the targets were dropped: %s", total, strings.Join(each, ", "))
}
