package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// auto is the format that is found by looking.
const auto = "auto"

// Formats returns the names of the formats. Any other format is the string of a
// log_format of nginx, with a $ in it.
func Formats() []string {
	return []string{auto, "vhost_combined", "combined", "common", "json", "haproxy", "vegeta", "hosts"}
}

// lineFormat returns the parser of a format that has a request a line; nil for
// another format.
func lineFormat(format string, s *Settings) (lineParser, error) {
	switch format {
	case "vhost_combined":
		return withMore(vhostCombined), nil
	case "combined":
		return withMore(combined), nil
	case "common":
		return newLogFormat(common)
	case "json":
		return newJSONLog(s), nil
	case "haproxy":
		return newHAProxyLog(s), nil
	}
	if strings.Contains(format, "$") {
		return newLogFormat(format)
	}
	return nil, nil
}

// withMore is one of our own formats, whose lines may have more fields at the end.
func withMore(format string) *logFormat {
	f, err := newLogFormat(format)
	if err != nil {
		panic(err) // the formats above are constants
	}
	f.more = true
	return f
}

// newSource returns the source of a file in the format of the settings.
func newSource(r io.Reader, s *Settings) (format string, from source, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if format = s.Format; format == "" || format == auto {
		if format, err = detect(in, s); err != nil {
			return "", nil, err
		}
	}
	switch format {
	case "vegeta":
		from, err = newVegeta(in)
		return format, from, err
	case "hosts":
		from, err = newHosts(in)
		return format, from, err
	}
	parser, err := lineFormat(format, s)
	if err != nil {
		return "", nil, fmt.Errorf("format %.80q: %w", format, err)
	}
	if parser == nil {
		return "", nil, fmt.Errorf("format %.80q: expected one of %s, or the string of a log_format of nginx", format, strings.Join(Formats(), ", "))
	}
	return format, &lineSource{lines: newLines(in), parser: parser}, nil
}

// looked is how many lines of a file are looked at for its format.
const looked = 50

// detect returns the format that most of the first lines are of.
func detect(in *bufio.Reader, s *Settings) (string, error) {
	begin, err := in.Peek(in.Size())
	if len(begin) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		return "", errors.New("expected a log, got an empty file")
	}
	list := firstLines(begin, err != nil)
	if isVegeta(list) {
		return "vegeta", nil
	}
	best, most := "", 0
	for _, format := range Formats()[1:] {
		parser, err := lineFormat(format, s)
		if err != nil {
			return "", err
		}
		if parser == nil {
			continue
		}
		if n := parsed(parser, list); n > most {
			best, most = format, n
		}
	}
	if most == 0 && isHosts(list) {
		return "hosts", nil
	}
	if 2*most < len(list) {
		return "", fmt.Errorf("no format explains most of the first %d lines: expected --format with one of %s, or the string of your log_format of nginx",
			len(list), strings.Join(Formats()[1:], ", "))
	}
	return best, nil
}

// firstLines returns the first lines that are whole.
func firstLines(begin []byte, whole bool) [][]byte {
	list := bytes.Split(begin, []byte("\n"))
	if !whole && len(list) > 1 {
		list = list[:len(list)-1]
	}
	for i, line := range list {
		list[i], _ = withoutNUL(bytes.TrimRight(line, "\r"))
	}
	list = slices.DeleteFunc(list, func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })
	return list[:min(len(list), looked)]
}

// parsed counts the lines that a parser reads.
func parsed(parser lineParser, list [][]byte) (n int) {
	e := &entry{pool: &pool{}}
	for i, line := range list {
		e.reset(int64(i))
		if parser.parse(line, e) {
			n++
		}
	}
	return n
}
