// Package pipeline runs the stages that serve a deployment, in order, until
// one answers: functions answers its own paths, uncached; asset-server maps
// the path to an asset, whose digest is the cache key.
//
// It decides what is asked for. Where content comes from is its caller's.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"switchback/edge/cache"
	"switchback/edge/routing"
)

// The names of the stages.
const (
	StageFunctions = "functions"
	StageAssets    = "asset-server"
)

// ErrNoAnswer is returned when no stage of a pipeline answers the path.
var ErrNoAnswer = errors.New("no stage answers the path")

// Manifests has the asset manifests of the deployments.
type Manifests interface {
	Manifest(deployment string) (*routing.Manifest, error)
}

// Content gets what a stage answers with.
type Content interface {
	// Asset returns an asset's content, cached under its digest.
	Asset(ctx context.Context, asset routing.Asset) (*cache.Object, error)
	// Function returns what the origin answers at path, never cached.
	Function(ctx context.Context, path string) (*cache.Object, error)
}

// Runner runs pipelines.
type Runner struct {
	manifests Manifests
	checksum  *crc32.Table
}

// NewRunner returns a runner that looks assets up in manifests.
func NewRunner(manifests Manifests) *Runner {
	return &Runner{manifests: manifests, checksum: crc32.MakeTable(crc32.Castagnoli)}
}

// Run returns what the pipeline answers to an escaped path, and the name of
// the stage that did. The error is ErrNoAnswer, one of a pipeline with an
// unknown stage, or one of content or manifests.
func (r *Runner) Run(ctx context.Context, p *routing.Pipeline, path string, content Content) (*cache.Object, string, error) {
	for i := range p.Stages {
		stage := &p.Stages[i]
		switch stage.Name {
		case StageFunctions:
			if answers(stage, path) {
				object, err := content.Function(ctx, r.functionPath(p.Deployment, path))
				return object, StageFunctions, err
			}
		case StageAssets:
			manifest, err := r.manifests.Manifest(p.Deployment)
			if err != nil {
				return nil, StageAssets, err
			}
			if asset, ok := manifest.Asset(path); ok {
				object, err := content.Asset(ctx, asset)
				return object, StageAssets, err
			}
		default:
			return nil, stage.Name, fmt.Errorf("pipeline of %s has an unknown stage %q", p.Deployment, stage.Name)
		}
	}
	return nil, "", ErrNoAnswer
}

// answers says whether the path is one of the stage's, or below one.
func answers(stage *routing.Stage, path string) bool {
	for _, prefix := range stage.Paths {
		rest, ok := strings.CutPrefix(path, strings.TrimSuffix(prefix, "/"))
		if ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// AssetPath returns where the origin has an asset: /a/DIGEST/BYTES.
func AssetPath(a routing.Asset) string {
	return "/a/" + a.Digest + "/" + strconv.FormatInt(a.Bytes, 10)
}

// functionPath returns where the origin answers for a deployment's functions:
// /f/DEPLOYMENT/BYTES and the path, where BYTES follows the law of datasets,
// 256 + CRC-32C(deployment ‖ path) mod 2048, so that an answer given for the
// wrong deployment has another body.
func (r *Runner) functionPath(deployment, path string) string {
	sum := crc32.Update(crc32.Checksum([]byte(deployment), r.checksum), r.checksum, []byte(path))
	return "/f/" + deployment + "/" + strconv.FormatInt(256+int64(sum%2048), 10) + path
}
