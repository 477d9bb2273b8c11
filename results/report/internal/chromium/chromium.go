// Package chromium drives a headless Chromium in tests. Whatever a page says
// on its console, and whatever it asks of the network, is kept to be judged.
package chromium

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds everything that is done with one browser.
const patience = 2 * time.Minute

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Start starts Chromium and ends it with the test. Without one the test is
// skipped.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := find()
	if path == "" {
		t.Skip("no Chromium; Debian's package is chromium")
	}
	ctx, cancelAllocator := chromedp.NewExecAllocator(context.Background(), chromedp.Headless,
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true))
	t.Cleanup(cancelAllocator)
	ctx, _ = chromedp.NewContext(ctx)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // waits until the browser has ended
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return &Browser{ctx}
}

func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Look is how a page is looked at.
type Look struct {
	Width, Height int
	Dark          bool
	NoScript      bool
}

// Page is an open page.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	console  []string
	requests []string
}

// Open opens a page in a tab of its own and waits until it has loaded.
func (b *Browser) Open(t testing.TB, url string, look Look) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	ctx, cancelPatience := context.WithTimeout(ctx, patience)
	t.Cleanup(cancelPatience)
	p := &Page{t: t, ctx: ctx}
	if err := p.prepare(look); err != nil {
		t.Fatalf("preparing a tab: %v", err)
	}
	p.Do(chromedp.EmulateViewport(int64(look.Width), int64(look.Height)), chromedp.Navigate(url))
	return p
}

// prepare makes the tab tell what happens in it, and sets how it is looked at.
func (p *Page) prepare(look Look) error {
	scheme := "light"
	if look.Dark {
		scheme = "dark"
	}
	if err := chromedp.Listen(p.ctx, p.hear); err != nil {
		return err
	}
	_, network := chromedp.Call(p.ctx, network.Enable, network.EnableParams{})
	_, logs := chromedp.Call(p.ctx, cdplog.Enable, cdp.Empty{})
	_, media := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	_, script := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: look.NoScript})
	return errors.Join(network, logs, media, script)
}

// hear keeps what the page says and asks for.
func (p *Page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.console = append(p.console, fmt.Sprintf("console.%s", e.Type))
	case *runtime.EventExceptionThrown:
		p.console = append(p.console, e.ExceptionDetails.Text+" "+exception(e))
	case *cdplog.EventEntryAdded:
		p.console = append(p.console, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

func exception(e *runtime.EventExceptionThrown) string {
	if x := e.ExceptionDetails.Exception; x != nil {
		return x.Description
	}
	return ""
}

// Do runs actions on the page.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// Follow runs JavaScript that leads to another page, and waits for that.
func (p *Page) Follow(js string) {
	p.t.Helper()
	if _, err := chromedp.RunResponse(p.ctx, chromedp.Evaluate[chromedp.Void](js)); err != nil {
		p.t.Fatalf("%s: %v", js, err)
	}
}

// Eval evaluates JavaScript on a page and returns its value.
func Eval[T any](p *Page, js string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](js))
	if err != nil {
		p.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// Console returns what the page has said: errors, refusals of its policy,
// calls of console.
func (p *Page) Console() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.console...)
}

// Requests returns the addresses that were asked for and do not begin with
// the prefix.
func (p *Page) Requests(but string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var others []string
	for _, r := range p.requests {
		if !strings.HasPrefix(r, but) {
			others = append(others, r)
		}
	}
	return others
}

// Picture returns the first element of a CSS selector as PNG.
func (p *Page) Picture(selector string) []byte {
	p.t.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.Screenshot(chromedp.CSS(selector)))
	if err != nil {
		p.t.Fatal(err)
	}
	return png
}
