package datasets

import "fmt"

// Bounds of the settings.
const (
	maxSizes              = 1000
	maxSize               = 10_000_000
	maxTail               = 50_000_000
	minBytesPerDeployment = 256
	maxBytesPerDeployment = 64 << 10
)

// WithDefaults returns the settings with every default filled in. Settings
// that name neither sizes nor a tail describe the standard dataset: projects
// of 10,000, 1,000, 100 and 10 deployments and a tail of 2,000.
func (s Settings) WithDefaults() Settings {
	if len(s.Sizes) == 0 && s.Tail == 0 {
		s.Sizes, s.Tail = []int{10000, 1000, 100, 10}, 2000
	}
	if s.BytesPerDeployment == 0 {
		s.BytesPerDeployment = 1000
	}
	return s
}

// Check returns an error that names the first setting out of its bounds.
// Defaults must be filled in.
func (s Settings) Check() error {
	if len(s.Sizes) > maxSizes {
		return fmt.Errorf("sizes: %d named projects, at most %d", len(s.Sizes), maxSizes)
	}
	for _, n := range s.Sizes {
		if n < 1 || n > maxSize {
			return fmt.Errorf("sizes: %d deployments, expected 1 to %d", n, maxSize)
		}
	}
	if s.Tail < 0 || s.Tail > maxTail {
		return fmt.Errorf("tail: %d projects, expected 0 to %d", s.Tail, maxTail)
	}
	if s.BytesPerDeployment < minBytesPerDeployment || s.BytesPerDeployment > maxBytesPerDeployment {
		return fmt.Errorf("bytes_per_deployment: %d, expected %d to %d", s.BytesPerDeployment, minBytesPerDeployment, maxBytesPerDeployment)
	}
	return nil
}
