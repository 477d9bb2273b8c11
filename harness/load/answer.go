package load

import (
	"hash/crc32"

	"switchback/results/record"
	"switchback/targets"
)

// castagnoli is the table of CRC-32C, the checksum of every body.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// rightStatus reports whether a final answer has the status that its target expects.
func rightStatus(target *targets.Target, status int) bool {
	if target.Status == 0 {
		return status >= 200 && status < 400
	}
	return status == target.Status
}

// judge compares an answer that arrived whole with what its target must get.
func judge(target *targets.Target, s *record.Sample) record.ErrorKind {
	s.RightStatus = rightStatus(target, int(s.Status))
	switch {
	case !s.RightStatus:
		return record.ErrStatus
	case target.Bytes >= 0 && (s.Bytes != target.Bytes || s.BodyHash != target.BodyHash):
		return record.ErrBody
	}
	return record.OK
}
