package importer

import (
	"bytes"
	"strconv"
	"time"
)

// haproxyLog reads the lines of `option httplog` of HAProxy, with or without what
// syslog writes before them.
type haproxyLog struct {
	zone    *time.Location // its stamps have no offset
	capture int            // which captured field of a request is Host, from 1; 0: none
}

func newHAProxyLog(s *Settings) *haproxyLog {
	h := &haproxyLog{zone: s.Zone}
	if h.zone == nil {
		h.zone = time.UTC
	}
	h.capture, _ = strconv.Atoi(s.Fields["host"]) // 0 where it is a place in JSON
	return h
}

func (h *haproxyLog) parse(line []byte, e *entry) bool {
	at := bytes.Index(line, []byte(" ["))
	for at >= 0 && (len(line) < at+27 || line[at+25] != ']' && line[at+26] != ']') { // haproxy[123]: has no blank before
		next := bytes.Index(line[at+2:], []byte(" ["))
		if next < 0 {
			return false
		}
		at += 2 + next
	}
	if at < 0 {
		return false
	}
	client := line[bytes.LastIndexByte(line[:at], ' ')+1 : at]
	if colon := bytes.LastIndexByte(client, ':'); colon > 0 {
		e.client = client[:colon]
	}
	stamp, rest, _ := bytes.Cut(line[at+2:], []byte("]"))
	return h.stamp(stamp, e) && h.rest(rest, e)
}

// stamp reads 06/Feb/2009:12:14:14.655, when the request's first byte came.
func (h *haproxyLog) stamp(v []byte, e *entry) bool {
	t, err := time.ParseInLocation("02/Jan/2006:15:04:05.000", string(v), h.zone)
	e.at = t.UnixMicro()
	return err == nil && plausible(t)
}

// rest reads frontend, backend/server, timers, status, bytes, …, {captured} and
// the quoted request, which ends the line.
func (h *haproxyLog) rest(rest []byte, e *entry) bool {
	quote := bytes.Index(rest, []byte(` "`))
	if quote < 0 || len(rest) < quote+3 || rest[len(rest)-1] != '"' {
		return false
	}
	e.request = unhash(rest[quote+2 : len(rest)-1])
	e.text = e.request
	words := bytes.Fields(rest[:quote])
	if len(words) < 10 || bytes.Count(words[2], []byte("/")) != 4 {
		return false
	}
	if string(words[3]) != "-1" && !setStatus(e, words[3]) {
		return false
	}
	setSize(e, bytes.TrimPrefix(words[4], []byte("+")))
	if open := bytes.Index(rest[:quote], []byte(" {")); h.capture > 0 && open >= 0 {
		captured, _, _ := bytes.Cut(rest[open+2:quote], []byte("}"))
		if list := bytes.Split(captured, []byte("|")); h.capture <= len(list) {
			setHost(e, unhash(list[h.capture-1]))
		}
	}
	return true
}

// unhash undoes #XX, as which HAProxy writes what it can't print.
func unhash(v []byte) []byte {
	if bytes.IndexByte(v, '#') < 0 {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if v[i] == '#' && i+2 < len(v) && isHex(v[i+1]) && isHex(v[i+2]) {
			out = append(out, unhex(v[i+1])<<4|unhex(v[i+2]))
			i += 2
			continue
		}
		out = append(out, v[i])
	}
	return out
}
