// Package admin holds the wire types of the edge's and the origin's admin APIs
// and a client for them. It serves nothing.
package admin

import (
	"time"

	"switchback/edge/rollout"
)

// The schemas of the answers of GET /stats.
const (
	StatsSchema       = "switchback.stats/1"
	OriginStatsSchema = "switchback.origin-stats/1"
)

// Stats is what an edge says of itself. Counters are since its start; bytes,
// points and up are as they are now. Fields are only ever added.
type Stats struct {
	Schema   string            `json:"schema"`
	Requests int64             `json:"requests"`
	Status   map[string]int64  `json:"status"` // answers by HTTP status
	Router   map[string]Router `json:"router"` // by name
	Ring     map[string]Ring   `json:"ring"`   // by notation; with ring sets the sum over the set
	LRU      map[string]LRU    `json:"lru"`    // by class: table, entry, deployment, neighbour
	Cache    Cache             `json:"cache"`  // sum over the nodes
	Nodes    map[string]Node   `json:"nodes"`  // by name
	Store    Store             `json:"store"`
	Origin   Fetches           `json:"origin"`
	Flags    Audit             `json:"flags"`
	Shadow   *Shadow           `json:"shadow,omitempty"` // with --shadow
	Filter   *Filter           `json:"filter,omitempty"` // while a filtered router is held
}

// Router counts the look-ups of one router.
type Router struct {
	Requests int64   `json:"requests"`
	Seconds  float64 `json:"seconds"` // spent in look-ups, in all
}

// Ring describes a ring that is held, and counts its look-ups.
type Ring struct {
	Requests     int64   `json:"requests"`
	Points       int64   `json:"points"`
	Bytes        int64   `json:"bytes"`
	BuildSeconds float64 `json:"build_seconds"`
	Sets         int     `json:"sets,omitempty"`         // combinations of server features served, with ring sets
	SharedBytes  int64   `json:"shared_bytes,omitempty"` // spared because combinations select the same servers
}

// LRU counts one class of values of the routing store's LRU.
type LRU struct {
	Hits      int64 `json:"hits"`
	Misses    int64 `json:"misses"`
	Bytes     int64 `json:"bytes"`
	Evictions int64 `json:"evictions"`
	Read      int64 `json:"read"` // bytes read from the store
}

// Cache counts the content cache.
type Cache struct {
	Hits      int64 `json:"hits"`
	Misses    int64 `json:"misses"`
	Bytes     int64 `json:"bytes"`
	Collapsed int64 `json:"collapsed"` // misses that waited for another's fetch
	Evictions int64 `json:"evictions"`
	Objects   int64 `json:"objects"`
}

// Node is one member of the ring.
type Node struct {
	Up       bool   `json:"up"`
	Requests int64  `json:"requests"`          // tried at the node
	Errors   int64  `json:"errors"`            // of them refused, reset or timed out; each is retried at the next node
	Address  string `json:"address"`           // on the ring
	Listen   string `json:"listen,omitempty"`  // with node listeners
	Fault    string `json:"fault,omitempty"`   // what the listener does instead of serving
	Refused  int64  `json:"refused,omitempty"` // parts of Errors
	Reset    int64  `json:"reset,omitempty"`
	TimedOut int64  `json:"timed_out,omitempty"`
}

// Store is the routing store on disk.
type Store struct {
	Bytes      int64  `json:"bytes"`
	Errors     int64  `json:"errors,omitempty"` // of reading, decoding, and of its work in the background
	FirstError string `json:"first_error,omitempty"`
}

// Fetches counts what the edge asked of its origin.
type Fetches struct {
	Requests int64   `json:"requests"`
	Errors   int64   `json:"errors"` // no answer, or one of 500 and above
	Bytes    int64   `json:"bytes"`
	Seconds  float64 `json:"seconds"`
}

// Audit is the version of the flags in force and the last changes, newest
// last, at most 100.
type Audit struct {
	Version int64    `json:"version"`
	Changes []Change `json:"changes"`
}

// Change is one accepted PUT of the flags.
type Change struct {
	At    time.Time     `json:"at"`
	From  string        `json:"from"` // address of the requester
	Flags rollout.Flags `json:"flags"`
}

// Shadow counts what a second router answered differently.
type Shadow struct {
	Router        string           `json:"router"`
	Requests      int64            `json:"requests"`
	Disagreements map[string]int64 `json:"disagreements"` // by kind: known, unknown, pipeline, error
	First         []Disagreement   `json:"first"`         // the first 100
}

// Disagreement is one hostname on which two routers differ. Answers are
// deployments, "unknown", or an error's text.
type Disagreement struct {
	Kind   string `json:"kind"`
	Host   string `json:"host"`
	Served string `json:"served"` // by the router that serves
	Shadow string `json:"shadow"`
}

// Filter is the membership filter of the filtered router.
type Filter struct {
	Bytes          int64 `json:"bytes"`
	Passed         int64 `json:"passed"`          // look-ups it let through
	Refused        int64 `json:"refused"`         // answered unknown by it alone
	FalsePositives int64 `json:"false_positives"` // let through and unknown all the same
}

// OriginStats is what an origin says of itself; counters are since its start.
type OriginStats struct {
	Schema   string                 `json:"schema"`
	Requests int64                  `json:"requests"`
	Bytes    int64                  `json:"bytes"`
	InFlight int64                  `json:"in_flight"`
	Status   map[string]int64       `json:"status"`
	Hostname map[string]OriginCount `json:"hostname"`
	Router   map[string]OriginCount `json:"router"`
	Ring     map[string]OriginCount `json:"ring"`
	Node     map[string]OriginCount `json:"node"`
	Colo     map[string]OriginCount `json:"colo"`
}

// OriginCount is the part of the origin's requests and bytes with one name.
type OriginCount struct {
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
}
