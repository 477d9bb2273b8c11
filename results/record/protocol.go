package record

// Protocol is the version of HTTP that an answer came in; its zero value is no
// answer.
type Protocol uint8

// The protocols that an engine may meet.
const (
	NoProtocol Protocol = iota
	HTTP10
	HTTP11
	HTTP2
	Protocols int = iota // how many there are, with the one for "no answer"
)

// ProtocolOf returns the protocol of an answer by the numbers of its version.
func ProtocolOf(major, minor int) Protocol {
	switch {
	case major == 2:
		return HTTP2
	case minor == 0:
		return HTTP10
	}
	return HTTP11
}

// String returns the name that a status line has; "" for no answer.
func (p Protocol) String() string {
	return [Protocols]string{"", "HTTP/1.0", "HTTP/1.1", "HTTP/2"}[p]
}
