package page

import (
	"strings"
	"testing"

	"switchback/results/report/internal/chromium"
	"switchback/results/report/internal/made"
)

// hostile are names that want to run, to break out, to turn text around, or to
// push everything else off the page.
func hostile() []string {
	return []string{
		`<script>window.ran = 1</script>`,
		`"><img src=x onerror="window.ran = 2">`,
		`' onmouseover='window.ran = 3`,
		`javascript:window.ran = 4`,
		`</script><script>window.ran = 5</script>`,
		`]]></style><svg onload="window.ran = 6">`,
		"\u202egnp.exe\u2066\u200f",
		strings.Repeat("x", 10_000),
		strings.Repeat("\u0301", 500),
		"{{.}} ${window.ran = 7} \\u003cscript>\x00\x1b[2J",
	}
}

func TestHostileNames(t *testing.T) {
	b := chromium.Start(t)
	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			_, address := written(t, made.Run{Pairs: 6, Hosts: hostile(), Paths: hostile(), Note: strings.Join(hostile(), "\n"),
				Baseline: `<script>window.ran=8</script>`, Arm: `"><img src=x onerror=window.ran=9>` + strings.Repeat("y", 300)})
			p := b.Open(t, address, look)
			checkQuiet(t, p, address)
			checkLayout(t, p, look.Width)
			checkPainted(t, p, 8)
			chromium.Eval[bool](p, `document.querySelectorAll("details").forEach(d => d.open = true), document.querySelectorAll("*").forEach(e => e.dispatchEvent(new MouseEvent("mouseover"))), true`)
			checkLayout(t, p, look.Width)
			if chromium.Eval[bool](p, `window.ran !== undefined`) {
				t.Error("something ran")
			}
			if n := chromium.Eval[int](p, `[...document.querySelectorAll("a")].filter(a => !a.getAttribute("href").startsWith("#") && !/^https?:/.test(a.protocol)).length`); n > 0 {
				t.Errorf("%d links lead somewhere else than the web", n)
			}
			if n := chromium.Eval[int](p, `document.querySelectorAll("img, iframe, object, [onerror], [onmouseover], [onload], script:not([type])").length`); n != 2 {
				t.Errorf("%d elements that could run, want the page's two scripts", n)
			}
			if chromium.Eval[bool](p, `/[\u202e\u2066\u200f\u0301\u001b]/.test(document.body.textContent)`) {
				t.Error("marks that turn text around reached the page")
			}
		})
	}
}
