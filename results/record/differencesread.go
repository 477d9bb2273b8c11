package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Differences reads differences.jsonl: at most the first hundred. A last line
// cut short is left out; a folder without the file has none.
func (f *Folder) Differences() ([]Difference, error) {
	file, err := os.Open(f.path(DifferencesFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading run: %w", err)
	}
	defer file.Close()
	var differences []Difference
	in := bufio.NewReader(file)
	for line := 1; line <= maxDifferences; line++ {
		data, err := readLine(in)
		if err == io.EOF {
			break
		}
		var d Difference
		if err == nil {
			err = json.Unmarshal(data, &d)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", f.path(DifferencesFile), line, err)
		}
		differences = append(differences, d)
	}
	return differences, nil
}
