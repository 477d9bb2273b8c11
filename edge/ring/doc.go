// Package ring implements consistent-hash rings: v1 and v2 as published (nginx
// and pingora-ketama answer alike), and v3, which answers as v2 does in half
// of its bytes.
//
// A ring maps a 32-bit hash to one of a list of weighted servers. The rings
// hold indexes into the caller's list, never the servers themselves; they are
// immutable and safe for use by many goroutines; no look-up and no walk
// allocates. Whether a server is up is the caller's knowledge: a walk takes
// the set of servers to pass over. The package imports nothing of the module
// and can be used alone.
package ring
