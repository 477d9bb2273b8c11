package targets

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Settings of the model; the zero value of a field is its default.
type Settings struct {
	// Model is pages (default): projects by their popularity, newer deployments
	// more often; or uniform: every deployment of the dataset alike.
	Model      string  `yaml:"model,omitempty" json:"model,omitempty"`
	Popularity float64 `yaml:"popularity,omitempty" json:"popularity,omitempty"` // pages: Zipf exponent over projects, in the dataset's order; default 0.9
	// PerBlock is the exact number of arrivals of each kind in a block. A key is
	// the size of a named project ("10000") or "tail", alone or with the
	// position in the routing table that is asked ("10000/first", "/middle",
	// "/last": exactly that entry; "/unknown": an unknown alias). "unknown" is an
	// unknown hostname: for one half (rounded up) an unknown alias of projects in
	// the proportions of the other keys, for the other an unknown project.
	PerBlock map[string]int `yaml:"per_block,omitempty" json:"per_block,omitempty"`
	Unknown  string         `yaml:"unknown,omitempty" json:"unknown,omitempty"` // share of unknown hostnames without PerBlock; default 5%
	Assets   int            `yaml:"assets,omitempty" json:"assets,omitempty"`   // assets of a page view, or as many as the deployment has; 0: single requests
}

// The models.
const (
	ModelPages   = "pages"
	ModelUniform = "uniform"
)

// Bounds of the settings.
const (
	minPopularity = 0.001
	maxPopularity = 4
	maxBlock      = 10_000_000 // targets of a block
	maxAssets     = 1000
)

// WithDefaults returns the settings with every default filled in.
func (s Settings) WithDefaults() Settings {
	if s.Model == "" {
		s.Model = ModelPages
	}
	if s.Popularity == 0 && s.Model == ModelPages {
		s.Popularity = 0.9
	}
	if s.Unknown == "" && len(s.PerBlock) == 0 {
		s.Unknown = "5%"
	}
	return s
}

// Check returns an error that names the first setting out of its bounds.
// Defaults must be filled in. Whether the dataset has the sizes of PerBlock is
// found out by Index.Model.
func (s Settings) Check() error {
	switch {
	case s.Model != ModelPages && s.Model != ModelUniform:
		return fmt.Errorf("model: %q, expected %s or %s", s.Model, ModelPages, ModelUniform)
	case s.Model == ModelUniform && s.Popularity != 0:
		return fmt.Errorf("popularity: the model %s has none", ModelUniform)
	case s.Model == ModelPages && !(s.Popularity >= minPopularity && s.Popularity <= maxPopularity):
		return fmt.Errorf("popularity: %v, expected %v to %v", s.Popularity, minPopularity, maxPopularity)
	case s.Assets < 0 || s.Assets > maxAssets:
		return fmt.Errorf("assets: %d, expected 0 to %d", s.Assets, maxAssets)
	case s.Unknown != "" && len(s.PerBlock) > 0:
		return fmt.Errorf("unknown: a share does not go with per_block, which counts them")
	}
	if _, err := parseStrata(s.PerBlock); err != nil {
		return err
	}
	_, err := parseShare(s.Unknown)
	return err
}

// Arrivals is the number of arrivals in a block that PerBlock sets; 0 without
// it.
func (s Settings) Arrivals() int {
	sum := 0
	for _, n := range s.PerBlock {
		sum += n
	}
	return sum
}

// exponent is the popularity in millionths.
func (s Settings) exponent() uint64 { return uint64(math.Round(s.Popularity * 1e6)) }

// million is the scale of shares.
const million = 1_000_000

// parseShare reads a percentage of at most four decimals as millionths; "" is
// none.
func parseShare(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	whole, decimals, _ := strings.Cut(number, ".")
	if !percent || whole == "" || len(whole) > 3 || len(decimals) > 4 {
		return 0, fmt.Errorf("unknown: %q, expected a percentage like 5%%", text)
	}
	share, err := strconv.ParseUint(whole+(decimals + "0000")[:4], 10, 64)
	if err != nil || share > million {
		return 0, fmt.Errorf("unknown: %q, expected 0%% to 100%%", text)
	}
	return share, nil
}
