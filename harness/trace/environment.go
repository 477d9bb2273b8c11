package trace

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"switchback/regular"
)

// environmentPrefixes are those of the variables that OpenTelemetry's
// exporters read, for all signals and for one.
func environmentPrefixes() []string {
	return []string{"OTEL_EXPORTER_OTLP_", "OTEL_EXPORTER_OTLP_TRACES_", "OTEL_EXPORTER_OTLP_METRICS_"}
}

// checkEnvironment refuses values that OpenTelemetry's exporters would ignore
// with a line of their log.
func checkEnvironment(getenv func(string) string) error {
	for _, prefix := range environmentPrefixes() {
		for _, c := range []struct {
			name  string
			check func(value string) error
		}{{"HEADERS", checkHeaders}, {"TIMEOUT", checkTimeout}, {"COMPRESSION", checkCompression}, {"INSECURE", checkBool},
			{"CERTIFICATE", checkFile}, {"CLIENT_CERTIFICATE", checkFile}, {"CLIENT_KEY", checkFile}} {
			value := getenv(prefix + c.name)
			if value == "" {
				continue
			}
			if err := c.check(value); err != nil {
				return fmt.Errorf("%s%s: %w", prefix, c.name, err)
			}
		}
	}
	return nil
}

// checkHeaders checks a list of headers. A value may be a credential, which an
// error does not show.
func checkHeaders(list string) error {
	for i, entry := range strings.Split(list, ",") {
		name, value, found := strings.Cut(entry, "=")
		if !found || strings.TrimSpace(name) == "" {
			return fmt.Errorf("entry %d: expected name=value,name=value", i+1)
		}
		plain, err := url.PathUnescape(value)
		if err != nil {
			return fmt.Errorf("the value of %q: expected %%XX for what is not plain", strings.TrimSpace(name))
		}
		if strings.ContainsFunc(plain, unicode.IsControl) {
			return fmt.Errorf("the value of %q: a header has no control characters", strings.TrimSpace(name))
		}
	}
	return nil
}

func checkTimeout(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n < 0 {
		return fmt.Errorf("%q: expected milliseconds", text)
	}
	return nil
}

func checkBool(text string) error {
	if !strings.EqualFold(text, "true") && !strings.EqualFold(text, "false") {
		return fmt.Errorf("%q: expected true or false", text)
	}
	return nil
}

func checkCompression(text string) error {
	if !slices.Contains([]string{"gzip", "none"}, text) {
		return fmt.Errorf("%q: expected gzip or none", text)
	}
	return nil
}

func checkFile(name string) error {
	f, err := regular.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}
