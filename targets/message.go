package targets

// Message is what a request carries beyond its line and its Host: fields as
// they are sent, in their order, and a body.
type Message struct {
	Header []Field `json:"header,omitempty"`
	Body   []byte  `json:"body,omitempty"` // base64 in files
}

// Field is one header field of a request. Engines write Host, User-Agent,
// Content-Length and Connection themselves.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
