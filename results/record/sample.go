package record

// ErrorKind says how a request failed; its zero value is "not at all".
type ErrorKind uint8

// The kinds of error of a request. A request that failed is still a sample; it
// ranks above every answer.
const (
	OK            ErrorKind = iota
	ErrDial                 // no connection could be opened
	ErrReset                // the connection broke before the answer was complete
	ErrTimeout              // the request's time-out passed
	ErrMalformed            // the answer was not HTTP
	ErrStatus               // another status than the target expects
	ErrBody                 // another body than the target expects
	ErrUnanswered           // the arm died or the run stopped before the answer
	ErrClosed               // the server closed a connection that had served before, just as the request was sent on it
	ErrLimit                // the generator ran out of files, ports or memory: not the arm's fault, see LimitOf
)

var errorNames = [...]string{"", "dial", "reset", "timeout", "malformed", "status", "body", "unanswered", "closed", "limit"}

// String returns the name used in files and tables; "" for OK.
func (k ErrorKind) String() string { return errorNames[k] }

// Never marks an instant that a request did not reach.
const Never int64 = -1

// Sample is what one request did. The five instants are nanoseconds since the
// start of its block.
type Sample struct {
	Due       int64 // the schedule wanted it
	Released  int64 // the pacer let it go
	Sent      int64 // its head was written to a connection
	FirstByte int64 // the first byte of the final answer was read
	Done      int64 // the last byte was read, or the request failed

	Target  int32 // index into the targets of the block
	Status  int16 // HTTP status, 0 without an answer
	Error   ErrorKind
	NewConn bool // a connection was dialled for it

	RightStatus bool // the head of the final answer was read and has the status that the target expects

	BodyHash uint32 // CRC-32C of the body
	Protocol Protocol
	Bytes    int64 // of the body

	ServerTiming []byte  // the header's value, as received; parsed after the block
	TraceID      TraceID // drawn before the block; zero without tracing
}
