package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/tsenart/vegeta/v12/lib/plot"
)

//go:embed assets/page.css assets/page.js
var files embed.FS

// assets are the texts of the page's elements script and style.
type assets struct{ style, chart, script string }

// readAssets reads our own style and script, and uPlot as vegeta carries it.
func readAssets() (assets, error) {
	var a assets
	for _, f := range []struct {
		to   *string
		open func(string) (io.ReadCloser, error)
		name string
	}{
		{&a.chart, openPlot, "uPlot.min.js"},
		{&a.script, openOwn, "assets/page.js"},
		{&a.style, openPlot, "uPlot.min.css"},
		{&a.style, openOwn, "assets/page.css"},
	} {
		in, err := f.open(f.name)
		if err != nil {
			return a, fmt.Errorf("opening %s: %w", f.name, err)
		}
		text, err := io.ReadAll(in)
		in.Close()
		if err != nil {
			return a, fmt.Errorf("reading %s: %w", f.name, err)
		}
		*f.to += strings.TrimSpace(string(text)) + "\n"
	}
	return a, nil
}

func openPlot(name string) (io.ReadCloser, error) { return plot.Assets.Open(name) }
func openOwn(name string) (io.ReadCloser, error)  { return files.Open(name) }

// policy is the Content-Security-Policy of a page: nothing but its own style
// and scripts, known by their hashes; no request goes out, no form anywhere
// but to the page's own server.
func (a assets) policy() string {
	return fmt.Sprintf("default-src 'none'; script-src %s %s; style-src %s; base-uri 'none'; form-action 'self'",
		hashSource(a.chart), hashSource(a.script), hashSource(a.style))
}

func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
