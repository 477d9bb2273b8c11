package routing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Row is one deployment of a routing table: an expression that matches its
// hostnames, and the pipeline that serves it.
type Row struct {
	Expression string
	Pipeline   *Pipeline
}

// AppendRow appends a row to a table in JSON: an object whose keys are the
// expressions, in the order of the rows. Give an empty table to start with, and close
// the table with CloseTable.
func AppendRow(table []byte, row Row) ([]byte, error) {
	separator := byte(',')
	if len(table) == 0 {
		separator = '{'
	}
	key, err := json.Marshal(row.Expression)
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", row.Expression, err)
	}
	value, err := json.Marshal(row.Pipeline)
	if err != nil {
		return nil, fmt.Errorf("pipeline of %q: %w", row.Pipeline.Deployment, err)
	}
	table = append(append(table, separator), key...)
	return append(append(table, ':'), value...), nil
}

// CloseTable ends a table that AppendRow made.
func CloseTable(table []byte) []byte {
	if len(table) == 0 {
		table = append(table, '{')
	}
	return append(table, '}')
}

// DecodeTable returns the rows of a table in the order of the document.
func DecodeTable(table []byte) ([]Row, error) {
	d := json.NewDecoder(bytes.NewReader(table))
	if err := expect(d, json.Delim('{')); err != nil {
		return nil, err
	}
	var rows []Row
	for d.More() {
		row, err := decodeRow(d)
		if err != nil {
			return nil, fmt.Errorf("routing table: row %d: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	if err := expect(d, json.Delim('}')); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("routing table: more than one JSON value")
	}
	return rows, nil
}

// decodeRow decodes the next key and value of the table.
func decodeRow(d *json.Decoder) (Row, error) {
	key, err := d.Token()
	if err != nil {
		return Row{}, err
	}
	expression, ok := key.(string)
	if !ok {
		return Row{}, fmt.Errorf("got %v, want an expression", key)
	}
	pipeline := new(Pipeline)
	return Row{Expression: expression, Pipeline: pipeline}, d.Decode(pipeline)
}

// expect reads a token that must be want.
func expect(d *json.Decoder, want json.Delim) error {
	got, err := d.Token()
	if err != nil {
		return fmt.Errorf("routing table: %w", err)
	}
	if got != want {
		return fmt.Errorf("routing table: got %v, want %v", got, want)
	}
	return nil
}
