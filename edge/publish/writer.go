package publish

import (
	"encoding/json"
	"fmt"

	"switchback/datasets"
	"switchback/edge/kv"
	"switchback/edge/routing"
)

// writer writes what one form needs of each deployment.
type writer interface {
	write(p *datasets.Project, d *datasets.Deployment) error
	finish() error // after the last deployment
}

// writers writes to several writers in turn.
type writers []writer

// writers returns a writer for each form, and one for what all forms share.
func (o Options) writers(to *kv.Loader) (writers, error) {
	ws := writers{&manifestWriter{to: to}}
	for _, form := range o.forms() {
		switch form {
		case Legacy:
			ws = append(ws, &tableWriter{to: to})
		case Hashed:
			hasher, err := routing.NewHasher(o.Secret)
			if err != nil {
				return nil, err
			}
			ws = append(ws, &entryWriter{to: to, hasher: hasher})
		default:
			return nil, fmt.Errorf("form %q: want legacy or hashed", string(form))
		}
	}
	return ws, nil
}

func (ws writers) write(p *datasets.Project, d *datasets.Deployment) error {
	if err := checkHosts(p.Hostnames(d)); err != nil {
		return err
	}
	for _, w := range ws {
		if err := w.write(p, d); err != nil {
			return err
		}
	}
	return nil
}

func (ws writers) finish() error {
	for _, w := range ws {
		if err := w.finish(); err != nil {
			return err
		}
	}
	return nil
}

// manifestWriter writes the asset manifests.
type manifestWriter struct {
	to *kv.Loader
}

func (w *manifestWriter) write(_ *datasets.Project, d *datasets.Deployment) error {
	assets := make(map[string]routing.Asset, len(d.Assets))
	for _, a := range d.Assets {
		assets[a.Path] = routing.Asset{Digest: a.Digest, Bytes: a.Bytes}
	}
	return putJSON(w.to, kv.Key{Prefix: kv.Manifests, Name: d.ID}, routing.NewManifest(assets))
}

func (w *manifestWriter) finish() error { return nil }

// entryWriter writes the hashed form: an entry for each hostname, and the
// pipeline once.
type entryWriter struct {
	to     *kv.Loader
	hasher *routing.Hasher
}

func (w *entryWriter) write(p *datasets.Project, d *datasets.Deployment) error {
	entry, err := routing.EncodeEntry(d.ID)
	if err != nil {
		return fmt.Errorf("encoding its entry: %w", err)
	}
	for _, host := range p.Hostnames(d) {
		if err := w.to.Put(routing.EntryKey(w.hasher.Sum(host)), entry); err != nil {
			return err
		}
	}
	return putJSON(w.to, kv.Key{Prefix: kv.Pipelines, Name: d.ID}, pipelineOf(d))
}

func (w *entryWriter) finish() error { return nil }

// putJSON writes a value as JSON.
func putJSON(to *kv.Loader, key kv.Key, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encoding %v: %w", key, err)
	}
	return to.Put(key, raw)
}
