//go:build !race

package page

// racing: without the race detector a million requests take seconds.
const racing = false
