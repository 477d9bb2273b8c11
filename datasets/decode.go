package datasets

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
)

var errMalformed = errors.New("the record is malformed")

// decoder takes a record's payload apart. After the first error every value
// is zero. Texts share the memory of the payload: one allocation a record.
type decoder struct {
	rest string
	bad  bool
}

func (d *decoder) project() *Project {
	return &Project{Name: d.text(), Deployments: int(d.numberTo(maxSize)), Named: d.flag(), Domains: d.texts()}
}

func (d *decoder) deployment() *Deployment {
	out := &Deployment{ID: d.hex(8), Alias: d.hex(4), Production: d.flag(), Branches: d.texts()}
	out.Stages = make([]Stage, d.length(minStage))
	for i := range out.Stages {
		out.Stages[i] = d.stage()
	}
	out.Assets = make([]Asset, d.length(minAsset))
	for i := range out.Assets {
		out.Assets[i] = Asset{Path: d.text(), Digest: d.hex(16), Bytes: int64(d.numberTo(maxAsset))}
	}
	return out
}

func (d *decoder) stage() Stage {
	s := Stage{Name: d.text(), Paths: d.texts()}
	if n := d.length(minBindingBytes); n > 0 {
		s.Bindings = make([]Binding, n)
	}
	for i := range s.Bindings {
		s.Bindings[i] = Binding{Name: d.text(), Kind: d.text(), Value: d.text()}
	}
	return s
}

func (d *decoder) counts() Counts {
	return Counts{Projects: int64(d.number()), Deployments: int64(d.number()), Hostnames: int64(d.number())}
}

// end returns an error if the payload was malformed or has not ended.
func (d *decoder) end() error {
	if d.bad || d.rest != "" {
		return errMalformed
	}
	return nil
}

func (d *decoder) fail() {
	d.bad, d.rest = true, ""
}

func (d *decoder) number() uint64 {
	n := uint64(0)
	for i := range min(len(d.rest), binary.MaxVarintLen64) {
		c := d.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.rest = d.rest[i+1:]
			return n
		}
	}
	d.fail()
	return 0
}

func (d *decoder) numberTo(most uint64) uint64 {
	n := d.number()
	if n > most {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) flag() bool { return d.numberTo(1) == 1 }

// The fewest bytes of an element of a list.
const (
	minText         = 1
	minStage        = 3
	minBindingBytes = 3
	minAsset        = 18
)

// length reads the length of a list whose elements have at least so many
// bytes: a malformed one cannot ask for more memory than a record's.
func (d *decoder) length(least int) int {
	return int(d.numberTo(uint64(len(d.rest) / least)))
}

func (d *decoder) take(n int) string {
	if n > len(d.rest) {
		d.fail()
		return ""
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) text() string { return d.take(d.length(1)) }

func (d *decoder) texts() []string {
	n := d.length(minText)
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		all[i] = d.text()
	}
	return all
}

// hex reads n bytes as hex digits.
func (d *decoder) hex(n int) string { return hex.EncodeToString([]byte(d.take(n))) }
