package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"switchback/results/record"
	"switchback/results/report/internal/chromium"
	"switchback/results/report/internal/made"
	"switchback/results/units"
)

// written writes the page of a made run and returns its address.
func written(t testing.TB, r made.Run) (*record.Folder, string) {
	t.Helper()
	folder := r.Write(t, t.TempDir(), "run")
	path := filepath.Join(folder.Dir, "report.html")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(file, Load(folder), Options{}); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return folder, "file://" + path
}

// looks are the widths, schemes and scripts that pages are opened with.
func looks() map[string]chromium.Look {
	return map[string]chromium.Look{
		"wide":  {Width: 1280, Height: 900},
		"phone": {Width: 390, Height: 800, Dark: true},
	}
}

// checkQuiet checks that a page said nothing and asked for nothing else.
func checkQuiet(t *testing.T, p *chromium.Page, address string) {
	t.Helper()
	if said := p.Console(); len(said) > 0 {
		t.Errorf("the console has %q", said)
	}
	if asked := p.Requests(address); len(asked) > 0 {
		t.Errorf("the page asked for %q", asked)
	}
}

// checkLayout checks that nothing is wider than the window.
func checkLayout(t *testing.T, p *chromium.Page, width int) {
	t.Helper()
	if got := chromium.Eval[int](p, `document.documentElement.scrollWidth`); got > width {
		wide := chromium.Eval[[]string](p, `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll")).slice(0, 5).map(e => e.tagName + "." + e.getAttribute("class"))`)
		t.Errorf("the page is %d pixels wide in a window of %d: %q", got, width, wide)
	}
}

// checkPainted checks that every chart has pixels of at least two colours.
func checkPainted(t *testing.T, p *chromium.Page, least int) {
	t.Helper()
	blank := chromium.Eval[[]string](p, `[...document.querySelectorAll("figure.figure")].filter(f => {
		const c = f.querySelector("canvas");
		const data = new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer);
		return new Set(data).size < 3;
	}).map(f => f.id)`)
	if len(blank) > 0 {
		t.Errorf("charts without painted pixels: %q", blank)
	}
	if n := chromium.Eval[int](p, `document.querySelectorAll("figure.figure canvas").length`); n < least {
		t.Errorf("%d charts, want at least %d", n, least)
	}
}

func TestPageInBrowser(t *testing.T) {
	b := chromium.Start(t)
	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			_, address := written(t, made.Run{})
			p := b.Open(t, address, look)
			checkQuiet(t, p, address)
			checkLayout(t, p, look.Width)
			checkPainted(t, p, 8)
			if text := chromium.Eval[string](p, `[...document.querySelectorAll(".sentence")].map(s => s.textContent).join(" ")`); !strings.Contains(text, "hashed fails 1.67 % of the requests") || !strings.Contains(text, "hashed answers") || !strings.Contains(text, "times faster than legacy at the median; interval") {
				t.Errorf("the sentence is %q", text)
			}
		})
	}
}

func TestClickShowsTheNumbersOfABlock(t *testing.T) {
	b := chromium.Start(t)
	folder, address := written(t, made.Run{})
	p := b.Open(t, address, chromium.Look{Width: 1280, Height: 900})
	const blockNumber = 5
	// Where the fifth block lies on the chart, by the axis that uPlot drew.
	at := chromium.Eval[[]float64](p, fmt.Sprintf(`(() => {
		const over = document.querySelector("#blocks-chart .u-over");
		over.scrollIntoView({block: "center", behavior: "instant"});
		const box = over.getBoundingClientRect(), starts = JSON.parse(document.getElementById("block-data").textContent).start;
		const last = starts[starts.length - 1];
		return [box.left + box.width * starts[%d] / (last * 1.05), box.top + box.height / 2];
	})()`, blockNumber-1))
	p.Do(chromedp.MouseClickXY(at[0], at[1]))
	checkPicked(t, p, folder, blockNumber)
	p.Do(chromedp.Focus(chromedp.CSS(".picker")), chromedp.KeyEvent(kb.ArrowRight))
	checkPicked(t, p, folder, blockNumber+1)
	checkQuiet(t, p, address)
}

// checkPicked checks what is shown of a block against the block.
func checkPicked(t *testing.T, p *chromium.Page, folder *record.Folder, number int) {
	t.Helper()
	block := folder.Blocks[number-1]
	head := chromium.Eval[string](p, `document.querySelector(".picked h3")?.textContent ?? ""`)
	if want := fmt.Sprintf("Block %d of %d: %s", number, len(folder.Blocks), block.Arm); head != want {
		t.Fatalf("picked %q, want %q", head, want)
	}
	shown := chromium.Eval[map[string]string](p, `Object.fromEntries([...document.querySelectorAll(".picked dl div")].map(d => [d.querySelector("dt").textContent, d.querySelector("dd").textContent]))`)
	for term, want := range map[string]string{
		"TTFB p50":         units.Seconds(valueOf(block, "ttfb.p50")),
		"peak memory":      units.InBytes(valueOf(block, "edge.memory.peak")),
		"cache hit ratio":  units.Number(valueOf(block, "cache.hit_ratio"), "ratio"),
		"requests due":     units.Thousands(float64(block.Due)),
		"pair":             strconv.Itoa(block.Pair + 1),
		"steal":            units.Number(block.Generator.Steal, "ratio"),
		"longest GC pause": units.Seconds(block.Generator.GCPauseMax),
	} {
		if shown[term] != want {
			t.Errorf("%s is %q, want %q", term, shown[term], want)
		}
	}
}

func TestNumbersEqualTheSummary(t *testing.T) {
	b := chromium.Start(t)
	folder, address := written(t, made.Run{Pairs: 8})
	p := b.Open(t, address, chromium.Look{Width: 1280, Height: 900})
	type shown struct {
		Metric, Group string
		Arms          map[string]string
	}
	rows := chromium.Eval[[]shown](p, `[...document.querySelectorAll("#all tr[data-metric]")].map(r => ({
		Metric: r.dataset.metric, Group: r.dataset.group,
		Arms: Object.fromEntries([...r.querySelectorAll("data[data-arm]")].map(d => [d.dataset.arm, d.value])),
	}))`)
	if len(rows) != len(folder.Summary.Metrics) {
		t.Fatalf("%d rows for %d metrics", len(rows), len(folder.Summary.Metrics))
	}
	for i, m := range folder.Summary.Metrics {
		if rows[i].Metric != m.Name || rows[i].Group != m.Group || len(rows[i].Arms) != len(m.Arms) {
			t.Fatalf("row %d is %+v, want %s of %q with %d arms", i, rows[i], m.Name, m.Group, len(m.Arms))
		}
		for arm, v := range m.Arms {
			if got, err := strconv.ParseFloat(rows[i].Arms[arm], 64); err != nil || got != v {
				t.Errorf("%s of %q, %s: %q, want %v", m.Name, m.Group, arm, rows[i].Arms[arm], v)
			}
		}
	}
	effects := chromium.Eval[[][]string](p, `[...document.querySelectorAll("[data-effect]")].map(r => [r.dataset.effect, r.dataset.group, ...[...r.querySelectorAll("data")].map(d => d.value)])`)
	if len(effects) < 6 {
		t.Errorf("%d effects", len(effects))
	}
	for _, e := range effects {
		m, _ := Load(folder).Find(e[0], e[1])
		c := m.Change["hashed"]
		for i, want := range []float64{c.Ratio, c.Low, c.High} {
			if got, err := strconv.ParseFloat(e[2+i], 64); err != nil || got != want {
				t.Errorf("%s of %q: %q, want %v", e[0], e[1], e[2+i], want)
			}
		}
	}
}

func TestPageWithoutScript(t *testing.T) {
	b := chromium.Start(t)
	_, address := written(t, made.Run{})
	p := b.Open(t, address, chromium.Look{Width: 1280, Height: 900, NoScript: true})
	checkQuiet(t, p, address)
	type still struct {
		ID            string
		Width, Height float64
		Paths         int
	}
	charts := chromium.Eval[[]still](p, `[...document.querySelectorAll("figure.figure")].map(f => {
		const box = f.querySelector(".plot").getBoundingClientRect();
		return {ID: f.id, Width: box.width, Height: box.height, Paths: [...f.querySelectorAll("path.line")].filter(l => l.getBBox().width + l.getBBox().height > 0).length};
	})`)
	if len(charts) < 8 {
		t.Errorf("%d charts", len(charts))
	}
	for _, c := range charts {
		if c.Width < 600 || c.Height < 100 || c.Paths == 0 {
			t.Errorf("without a script a chart is not drawn: %+v", c)
		}
	}
	if !chromium.Eval[bool](p, `[".verdict b", "#main", "[data-effect] circle"].every(s => document.querySelector(s).getBoundingClientRect().width > 0)`) {
		t.Error("verdict, table and effects can't be seen without a script")
	}
}
