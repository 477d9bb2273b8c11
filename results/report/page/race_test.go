//go:build race

package page

// racing: the race detector makes a million requests take minutes.
const racing = true
