package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"

	"switchback/harness/experiment"
	"switchback/results/record"
	"switchback/targets"
)

// Bounds of a check.
const (
	maxListed    = 20        // wrong answers that an error lists
	maxBody      = 256 << 20 // bytes of a body that is checked
	extraBlocks  = 200       // drawn beyond those of the run to fill a sample
	checkedAtOne = 8         // requests under way at once
)

// sample collects the first targets with different hostnames that exist.
type sample struct {
	want    int
	targets []targets.Target
	seen    map[string]bool
}

func newSample(n int) *sample { return &sample{want: n, seen: map[string]bool{}} }

func (s *sample) full() bool { return len(s.targets) >= s.want }

// add takes what it lacks from a block.
func (s *sample) add(block []targets.Target) {
	for _, t := range block {
		if !s.full() && t.Status < 400 && !s.seen[t.Host] {
			s.seen[t.Host] = true
			s.targets = append(s.targets, t)
		}
	}
}

// fillSample draws further blocks for a sample that those of the run did not
// fill. A stored stream may end, and a dataset have fewer hostnames.
func (d *dataset) fillSample(stream targets.Stream, arrivals int) {
	for n := 0; n < extraBlocks && !d.sample.full(); n++ {
		block, err := stream.Block(arrivals)
		if err != nil {
			return
		}
		d.sample.add(block)
	}
}

// answered is what a check keeps of an answer.
type answered struct {
	status int
	body   string // its digest
	wrong  string // what is wrong with it; "" when it is right
	limit  error  // of this machine, that kept it from being asked for
}

// check asks each arm the sample of hostnames. Its error lists the arms and
// hostnames whose answers are wrong, and those whose arms disagree.
func (c *cell) check(ctx context.Context) error {
	sample := c.dataset.sample.targets
	if len(sample) == 0 {
		return nil
	}
	c.step(fmt.Sprintf("asking each arm for %d hostnames", len(sample)))
	answers := make([][]answered, len(c.arms))
	for i, a := range c.arms {
		var err error
		if answers[i], err = c.askAll(ctx, a, sample); ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
			return fmt.Errorf("check: arm %s: %w", a.name, err)
		}
		if err := wrongAnswers(a.name, sample, answers[i]); err != nil {
			return err
		}
	}
	if !c.e.Check.Agree {
		return nil
	}
	return c.agree(sample, answers)
}

// agree compares the arms' answers and notes in how many they are the same.
func (c *cell) agree(sample []targets.Target, answers [][]answered) error {
	var differ []string
	for j := range sample {
		for i := range answers {
			if a, b := answers[0][j], answers[i][j]; a != b {
				differ = append(differ, fmt.Sprintf("%s%s: %s and %s answer differently", sample[j].Host, sample[j].Path, c.arms[0].name, c.arms[i].name))
				break
			}
		}
	}
	agreed := len(sample) - len(differ)
	note := fmt.Sprintf("%s: %.4g%% of %d keys have the same answer from all arms", c.title(), 100*float64(agreed)/float64(len(sample)), len(sample))
	if len(differ) > 0 {
		return fmt.Errorf("%s:%s", note, listed(differ))
	}
	c.manifest.Notes = append(c.manifest.Notes, note)
	return nil
}

// title names the cell in notes.
func (c *cell) title() string {
	if c.name == "" {
		return "check"
	}
	return "check " + c.name
}

// askPlainly asks once more for what an engine doesn't keep of an answer: header
// fields and the digest of a body. The requests are the load's in all that a
// server sees but the order of their fields.
func (c *cell) askPlainly(ctx context.Context, at endpoint, sample []targets.Target, answers []answered) {
	client := at.client(1)
	defer client.CloseIdleConnections()
	for i, t := range sample {
		if answers[i].wrong == "" && ctx.Err() == nil {
			answers[i] = c.askFor(ctx, client, at, t)
		}
	}
}

// askFor asks one question and judges the answer.
func (c *cell) askFor(ctx context.Context, client *http.Client, at endpoint, t targets.Target) answered {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	request, err := at.request(ctx, t)
	if err != nil {
		return answered{wrong: err.Error()}
	}
	response, err := client.Do(request)
	if err != nil {
		return answered{wrong: err.Error()}
	}
	defer response.Body.Close()
	sha := sha256.New()
	if _, err := io.Copy(sha, io.LimitReader(response.Body, maxBody)); err != nil {
		return answered{wrong: err.Error()}
	}
	a := answered{status: response.StatusCode, body: "sha256:" + hex.EncodeToString(sha.Sum(nil))}
	a.wrong = wrongWith(c.e.Check, t, response, a)
	return a
}

// wrongWith says what an answer lacks of what the check and the target expect.
func wrongWith(k experiment.Check, t targets.Target, response *http.Response, a answered) string {
	if wrong := statusFault(a.status, t.Status); wrong != "" {
		return wrong
	}
	for name, value := range k.Header {
		if got := response.Header.Get(name); got != value {
			return fmt.Sprintf("header %s: %.80q, expected %q", name, got, value)
		}
	}
	if k.Body != "" && a.body != k.Body {
		return "body " + a.body + ", expected " + k.Body
	}
	return ""
}

// statusFault compares a status; 0 expects any below 400.
func statusFault(status, expected int) string {
	switch {
	case expected == 0 && status >= 400:
		return fmt.Sprintf("status %d, expected one below 400", status)
	case expected != 0 && status != expected:
		return fmt.Sprintf("status %d, expected %d", status, expected)
	}
	return ""
}

// wrongAnswers returns an error that lists the wrong answers of an arm.
func wrongAnswers(arm string, sample []targets.Target, answers []answered) error {
	var wrong []string
	for i, a := range answers {
		if a.limit != nil {
			return fmt.Errorf("check: arm %s could not be asked: %w", arm, record.ExplainLimit(a.limit))
		}
		if a.wrong != "" {
			wrong = append(wrong, sample[i].Host+sample[i].Path+": "+a.wrong)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("check: arm %s answers %d of %d hostnames wrongly, so nothing was measured:%s", arm, len(wrong), len(sample), listed(wrong))
}

// listed writes the first lines of a list, each below the message.
func listed(lines []string) string {
	text := ""
	for _, line := range lines[:min(len(lines), maxListed)] {
		text += "\n  " + strings.ReplaceAll(line, "\n", " ")
	}
	if more := len(lines) - maxListed; more > 0 {
		text += fmt.Sprintf("\n  and %d more", more)
	}
	return text
}
