// Package caches names what runs keep for later ones, below the results folder:
// datasets, routing stores and programs. It lists the entries and removes them; how an entry
// is made and verified is known where it is made.
package caches

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"switchback/datasets"
	"switchback/harness/build"
	"switchback/harness/scratch"
)

// The kinds of entries, by the names of their folders.
const (
	Datasets = "datasets"
	Stores   = "stores"
	Programs = "programs"
)

// Entry is a dataset, a store or a program.
type Entry struct {
	Kind     string    `json:"kind"`
	Path     string    `json:"path"`
	Bytes    int64     `json:"bytes"` // that its removal gives back
	LastUsed time.Time `json:"last_used"`
	What     string    `json:"what"` // in words; text of files, not yet escaped
}

// Used marks an entry as used now. It is for the list alone, so that nothing fails by it.
func Used(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}

// List returns the entries below the folder of the caches, the least recently used
// first. It leaves out files and folders that are not named like an entry.
func List(root string) ([]Entry, error) {
	var all []Entry
	for _, kind := range []string{Datasets, Stores, Programs} {
		files, err := os.ReadDir(filepath.Join(root, kind))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("listing the cache: %w", err)
		}
		for _, file := range files {
			if !isEntry(kind, file) {
				continue
			}
			info, err := file.Info()
			if err != nil {
				continue // it was removed
			}
			path := filepath.Join(root, kind, file.Name())
			all = append(all, Entry{kind, path, scratch.Size(path), info.ModTime().UTC(), what(kind, path)})
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return a.LastUsed.Compare(b.LastUsed) })
	return all, nil
}

// isEntry tells whether a file or folder has the form of an entry of the kind.
func isEntry(kind string, file fs.DirEntry) bool {
	name := file.Name()
	switch kind {
	case Datasets:
		return file.Type().IsRegular() && isHex(strings.TrimSuffix(name, ".zst")) && strings.HasSuffix(name, ".zst")
	case Stores:
		hash, ok := strings.CutPrefix(name, "published-")
		return file.IsDir() && ok && isHex(hash)
	}
	return file.IsDir() && isHex(name)
}

func isHex(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && s != ""
}

// what tells what an entry is, by what can be read of it in an instant.
func what(kind, path string) string {
	switch kind {
	case Datasets:
		return dataset(path)
	case Stores:
		return "a dataset, published for the built-in edges"
	}
	about, err := build.ReadAbout(path)
	if err != nil {
		return "damaged: the next run builds it anew"
	}
	return fmt.Sprintf("%s, commit %.12s, %s", about.Source, about.Commit, about.Go)
}

// dataset tells what a dataset was generated from, by its header.
func dataset(path string) string {
	const damaged = "damaged: the next run generates it anew"
	f, err := os.Open(path)
	if err != nil {
		return damaged
	}
	defer f.Close()
	r, err := datasets.NewReader(f)
	if err != nil {
		return damaged
	}
	defer r.Close()
	info := r.Info()
	return fmt.Sprintf("seed %d, %d named projects, tail %d, %d bytes a deployment", info.Seed,
		len(info.Settings.Sizes), info.Settings.Tail, info.Settings.BytesPerDeployment)
}
