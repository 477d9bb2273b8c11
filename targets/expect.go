package targets

import (
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"net/http"
	"strings"

	"switchback/datasets"
)

// fill sets the path of a target and the answer that a deployment must give:
// that of its functions where they answer the path, else the asset's.
func (m *Model) fill(t *Target, d uint32, number uint32) {
	a := m.index.assets.at(number)
	t.Status, t.Path = http.StatusOK, m.index.paths[a.path]
	if m.answersItself(d, t.Path) {
		m.fillFunctions(t, d, t.Path)
		return
	}
	t.Bytes, t.BodyHash = int64(a.bytes), m.assetHash(number)
}

// fillFunctions sets the path of a target and the answer of the deployment's
// functions.
func (m *Model) fillFunctions(t *Target, d uint32, path string) {
	id := fmt.Sprintf("%016x", m.index.deployments.at(d).id)
	t.Status, t.Path = http.StatusOK, path
	t.Bytes = datasets.FunctionsBytes(id, path)
	t.BodyHash = bodyHash(m.castagnoli, datasets.FunctionsPath(id, path), t.Bytes)
}

func (m *Model) answersItself(d uint32, path string) bool {
	stage := datasets.Stage{Paths: m.index.functions[m.index.deployments.at(d).functions]}
	return stage.Answers(path)
}

// remembered is the body hash of an asset.
type remembered struct {
	asset uint32 // its number and 1
	hash  uint32
}

// assetHash returns the hash of an asset's body. The hashes of the assets that
// were asked last are remembered: a hash costs about 0.1 ms a megabyte.
func (m *Model) assetHash(number uint32) uint32 {
	slot := &m.hashes[number%uint32(len(m.hashes))]
	if slot.asset != number+1 {
		a := m.index.assets.at(number)
		served := datasets.Asset{Digest: hex.EncodeToString(a.digest[:]), Bytes: int64(a.bytes)}
		*slot = remembered{number + 1, bodyHash(m.castagnoli, served.OriginPath(), served.Bytes)}
	}
	return slot.hash
}

// bodyHash returns the CRC-32C of what the origin serves under a path: the
// path and a newline, repeated and cut to length.
func bodyHash(table *crc32.Table, originPath string, length int64) uint32 {
	unit := originPath + "\n"
	piece := []byte(strings.Repeat(unit, int(min(length/int64(len(unit)), 128))+1))
	hash := uint32(0)
	for length > 0 {
		n := min(length, int64(len(piece)))
		hash = crc32.Update(hash, table, piece[:n])
		length -= n
	}
	return hash
}
