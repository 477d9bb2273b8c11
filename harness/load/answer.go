package load

import (
	"hash/crc32"

	"switchback/results/record"
	"switchback/targets"
)

// castagnoli is the table of CRC-32C, the checksum of every body.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// judge compares an answer that arrived whole with what its target must get.
func judge(target *targets.Target, s *record.Sample) record.ErrorKind {
	switch {
	case target.Status == 0 && s.Status >= 400, target.Status != 0 && int(s.Status) != target.Status:
		return record.ErrStatus
	case target.Bytes >= 0 && (s.Bytes != target.Bytes || s.BodyHash != target.BodyHash):
		return record.ErrBody
	}
	return record.OK
}
