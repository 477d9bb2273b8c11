package attack

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"switchback/results/record"
	"switchback/targets"
)

// outcomes counts how requests ended: their answers' status, version of HTTP
// and bodies.
type outcomes struct {
	targets   []targets.Target
	statuses  [maxStatus + 1]int64
	protocols [record.Protocols]int64
	wrong     map[wrongStatus]int64
	bytes     Bytes
}

// maxStatus is the highest number that a status line can hold.
const maxStatus = 999

// wrongStatus is a status that a target does not expect.
type wrongStatus struct{ got, want int }

func newOutcomes(list []targets.Target) *outcomes {
	return &outcomes{targets: list, wrong: map[wrongStatus]int64{}}
}

// add counts a sample.
func (o *outcomes) add(s *record.Sample) {
	target := &o.targets[s.Target]
	if status := int(s.Status); status > 0 && status <= maxStatus {
		o.statuses[status]++
	}
	o.protocols[s.Protocol]++
	o.bytes.Received += s.Bytes
	if s.Sent != record.Never {
		o.bytes.Sent += int64(len(target.Body))
	}
	if s.Error == record.ErrStatus {
		o.wrong[wrongStatus{int(s.Status), target.Status}]++
	}
}

// Bytes counts those of bodies.
type Bytes struct {
	Received int64 `json:"received"`
	Sent     int64 `json:"sent"`
}

// Reason says why requests failed.
type Reason struct {
	Kind  string `json:"kind"` // as in Report.Errors
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// maxReasons bounds the reasons of a report; the commonest are kept.
const maxReasons = 10

// outcomes fills in how the requests ended.
func (r *Report) outcomes(o *outcomes) {
	r.Bytes = o.bytes
	if r.Requests > 0 {
		r.Success = float64(r.Answered()) / float64(r.Requests)
	}
	for status, n := range o.statuses {
		if n > 0 {
			r.StatusCodes[strconv.Itoa(status)] = n
		}
	}
	for protocol, n := range o.protocols[1:] {
		if n > 0 {
			r.Protocols[record.Protocol(protocol+1).String()] = n
		}
	}
	r.reasons(o)
}

// reasons lists why requests failed, the commonest first.
func (r *Report) reasons(o *outcomes) {
	for status, n := range o.wrong {
		r.because(record.ErrStatus, status.String(), n)
	}
	for reason, n := range r.DialErrors {
		r.because(record.ErrDial, "no connection: "+reason, int64(n))
	}
	for limit, n := range r.Limits {
		r.because(record.ErrLimit, "this machine: "+limit, int64(n))
	}
	for kind, text := range meanings() {
		if n := r.Errors[kind.String()]; n > 0 {
			r.because(kind, text, n)
		}
	}
	slices.SortFunc(r.Reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Kind+a.Text, b.Kind+b.Text))
	})
	r.Reasons = r.Reasons[:min(len(r.Reasons), maxReasons)]
}

func (r *Report) because(kind record.ErrorKind, text string, n int64) {
	r.Reasons = append(r.Reasons, Reason{kind.String(), text, n})
}

// String says what came and what was expected: "401 Unauthorized, expected one
// below 400".
func (w wrongStatus) String() string {
	got := strings.TrimSpace(fmt.Sprintf("%d %s", w.got, http.StatusText(w.got)))
	if w.want == 0 {
		return got + ", expected a status below 400"
	}
	return fmt.Sprintf("%s, expected %d", got, w.want)
}

// meanings returns the kinds of error that have one reason.
func meanings() map[record.ErrorKind]string {
	return map[record.ErrorKind]string{
		record.ErrReset:      "the connection ended before the answer was whole",
		record.ErrTimeout:    "no whole answer within --timeout",
		record.ErrMalformed:  "the answer was not HTTP",
		record.ErrBody:       "another body than the target expects",
		record.ErrUnanswered: "the load was stopped before the answer",
		record.ErrClosed:     "the server closed an open connection as the request was sent on it",
	}
}
