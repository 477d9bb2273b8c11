package page

import (
	"io"

	"switchback/results/report/figures"
)

// message is a page that says one thing.
type message struct{ Title, Text string }

// WriteMessage writes a page that says why there is nothing else to be seen.
func WriteMessage(w io.Writer, title, text string) error {
	return execute(w, "message", title, message{figures.Printable(title), figures.Printable(text)})
}
