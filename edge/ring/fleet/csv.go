package fleet

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"switchback/edge/ring"
)

// maxFileBytes bounds a file of servers: 65,536 rows of 256 bytes.
const maxFileBytes = 16 << 20

// ReadFile reads the servers of a CSV file; see Read.
func ReadFile(name string) ([]ring.Server, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file, name)
}

// Read reads servers as CSV (RFC 4180) with the header server,weight and, when
// servers have features, server,weight,features. A server is IP:PORT, with
// brackets around an IPv6 address; weight 0 drains it (see Active); features are joined
// by "+". A byte order mark is skipped. Errors name the file and the line. Whether the list can be a
// ring is for ring.New to say.
func Read(from io.Reader, name string) ([]ring.Server, error) {
	limited := &io.LimitedReader{R: from, N: maxFileBytes + 1}
	rows := csv.NewReader(skipMark(limited))
	rows.ReuseRecord = true
	if err := checkHeader(rows.Read()); err != nil {
		return nil, fmt.Errorf("%s:1: want the header server,weight or server,weight,features: %w", name, err)
	}
	var servers []ring.Server
	for {
		row, err := rows.Read()
		switch {
		case limited.N == 0:
			return nil, fmt.Errorf("%s: more than %d bytes", name, maxFileBytes)
		case errors.Is(err, io.EOF):
			return servers, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case len(servers) == ring.MaxServers:
			return nil, fmt.Errorf("%s: more than %d servers", name, ring.MaxServers)
		}
		server, err := parseRow(row)
		if err != nil {
			line, _ := rows.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		servers = append(servers, server)
	}
}

// skipMark drops the byte order mark with which spreadsheets begin a file.
func skipMark(from io.Reader) io.Reader {
	buffered := bufio.NewReader(from)
	if start, _ := buffered.Peek(len(byteOrderMark)); string(start) == byteOrderMark {
		_, _ = buffered.Discard(len(byteOrderMark))
	}
	return buffered
}

const byteOrderMark = "\ufeff"

// checkHeader says what is wrong with the first row.
func checkHeader(row []string, err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty")
	case err != nil:
		return err
	case !slices.Equal(row, []string{"server", "weight"}) && !slices.Equal(row, []string{"server", "weight", "features"}):
		return fmt.Errorf("found %.100q", strings.Join(row, ","))
	}
	return nil
}

func parseRow(row []string) (ring.Server, error) {
	addr, err := netip.ParseAddrPort(row[0])
	if err != nil {
		return ring.Server{}, fmt.Errorf("server %.100q is not IP:PORT", row[0])
	}
	weight, err := strconv.Atoi(row[1])
	if errors.Is(err, strconv.ErrRange) {
		return ring.Server{}, fmt.Errorf("weight %.40q is out of range", row[1])
	}
	if err != nil || weight < 0 {
		return ring.Server{}, fmt.Errorf("weight %.40q is not a whole number from 0 on", row[1])
	}
	server := ring.Server{Addr: addr, Weight: weight}
	if len(row) > 2 && row[2] != "" {
		server.Features = strings.Split(row[2], "+")
	}
	return server, nil
}
