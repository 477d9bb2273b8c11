package datasets

import (
	"encoding/binary"
	"encoding/hex"
)

// encoder builds the payload of a record. An invalid hex digit is the error
// it keeps.
type encoder struct {
	payload []byte
	err     error
}

func (e *encoder) project(p *Project) {
	e.number(recordProject)
	e.text(p.Name)
	e.number(uint64(p.Deployments))
	e.flag(p.Named)
	e.texts(p.Domains)
}

func (e *encoder) deployment(d *Deployment) {
	e.number(recordDeployment)
	e.hex(d.ID)
	e.hex(d.Alias)
	e.flag(d.Production)
	e.texts(d.Branches)
	e.number(uint64(len(d.Stages)))
	for i := range d.Stages {
		e.stage(&d.Stages[i])
	}
	e.number(uint64(len(d.Assets)))
	for _, a := range d.Assets {
		e.text(a.Path)
		e.hex(a.Digest)
		e.number(uint64(a.Bytes))
	}
}

func (e *encoder) stage(s *Stage) {
	e.text(s.Name)
	e.texts(s.Paths)
	e.number(uint64(len(s.Bindings)))
	for _, b := range s.Bindings {
		e.text(b.Name)
		e.text(b.Kind)
		e.text(b.Value)
	}
}

func (e *encoder) counts(c Counts) {
	e.number(recordCounts)
	e.number(uint64(c.Projects))
	e.number(uint64(c.Deployments))
	e.number(uint64(c.Hostnames))
}

func (e *encoder) number(n uint64) { e.payload = binary.AppendUvarint(e.payload, n) }

func (e *encoder) flag(set bool) {
	n := uint64(0)
	if set {
		n = 1
	}
	e.number(n)
}

func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.payload = append(e.payload, s...)
}

func (e *encoder) texts(all []string) {
	e.number(uint64(len(all)))
	for _, s := range all {
		e.text(s)
	}
}

func (e *encoder) hex(digits string) {
	var err error
	if e.payload, err = hex.AppendDecode(e.payload, []byte(digits)); err != nil {
		e.err = err
	}
}
