package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed templates
var templates embed.FS

// frame is what every page is set in.
type frame struct {
	Title  string
	Policy string
	Style  template.CSS
	Chart  template.JS // uPlot
	Script template.JS
	Body   any
}

// execute writes the page whose body is the template of that name.
func execute(w io.Writer, body, title string, data any) error {
	own, err := readAssets()
	if err != nil {
		return err
	}
	t, err := template.New("").ParseFS(templates, "templates/*.html")
	if err != nil {
		return err
	}
	// The frame's body is the one template that differs from page to page.
	if _, err := t.AddParseTree("body", t.Lookup(body+".html").Tree); err != nil {
		return err
	}
	f := frame{Title: title, Policy: own.policy(), Style: template.CSS(own.style), Chart: template.JS(own.chart), Script: template.JS(own.script), Body: data}
	if err := t.ExecuteTemplate(w, "frame.html", f); err != nil {
		return fmt.Errorf("filling in %s: %w", body, err)
	}
	return nil
}
