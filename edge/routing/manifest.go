package routing

import (
	"encoding/json"
	"fmt"

	"switchback/edge/kv"
)

// Asset is one file of a deployment.
type Asset struct {
	Digest string `json:"d"` // the cache key: deployments share assets by digest
	Bytes  int64  `json:"n"`
}

// Manifest says which assets a deployment has, by path. It is shared between
// requests and never changed.
type Manifest struct {
	assets map[string]Asset
}

// NewManifest returns the manifest of the assets, by path. It keeps the map.
func NewManifest(assets map[string]Asset) *Manifest {
	return &Manifest{assets: assets}
}

// Asset returns the asset at path, and whether there is one.
func (m *Manifest) Asset(path string) (Asset, bool) {
	asset, ok := m.assets[path]
	return asset, ok
}

// Len returns the number of assets.
func (m *Manifest) Len() int { return len(m.assets) }

// MarshalJSON implements json.Marshaler, with the paths in order.
func (m *Manifest) MarshalJSON() ([]byte, error) { return json.Marshal(m.assets) }

// UnmarshalJSON implements json.Unmarshaler.
func (m *Manifest) UnmarshalJSON(raw []byte) error { return json.Unmarshal(raw, &m.assets) }

// size returns about how many bytes the manifest takes in memory.
func (m *Manifest) size() int64 {
	n := mapBytes
	for path, asset := range m.assets {
		n += manifestSlotBytes + len(path) + len(asset.Digest)
	}
	return int64(n)
}

// Manifests reads manifests from the store, through its LRU.
type Manifests struct {
	store *kv.Store
}

// NewManifests returns the manifests of the store.
func NewManifests(store *kv.Store) *Manifests {
	return &Manifests{store: store}
}

// Manifest returns the manifest of a deployment. It does not allocate where
// the LRU has it. A missing one is an error that wraps kv.ErrNotFound.
func (m *Manifests) Manifest(deployment string) (*Manifest, error) {
	key := kv.Key{Prefix: kv.Manifests, Name: deployment}
	manifest, err := kv.Get(m.store, key, decodeManifest)
	if err != nil {
		return nil, fmt.Errorf("manifest of deployment %q: %w", deployment, err)
	}
	return manifest, nil
}

// decodeManifest is the kv.Decoder of a Manifest.
func decodeManifest(raw []byte) (*Manifest, int64, error) {
	manifest := new(Manifest)
	if err := json.Unmarshal(raw, manifest); err != nil {
		return nil, 0, fmt.Errorf("manifest: %w", err)
	}
	return manifest, manifest.size(), nil
}
