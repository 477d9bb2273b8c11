package trace

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
)

// The variables of OpenTelemetry that say where spans and metrics come from.
const (
	serviceNameVariable = "OTEL_SERVICE_NAME"
	attributesVariable  = "OTEL_RESOURCE_ATTRIBUTES"
)

// The roles of the processes of a run. A role is added to the name of the
// service, so that a trace tells them apart.
const (
	RoleHarness = ""
	RoleEdge    = "edge"
	RoleOrigin  = "origin"
)

// resourceOf returns the attributes of a process's resource: the ones that the
// surroundings give, and its service.
func resourceOf(role, version string, getenv func(string) string) (map[string]string, error) {
	all, err := parseAttributes(getenv(attributesVariable))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", attributesVariable, err)
	}
	name := strings.TrimSpace(getenv(serviceNameVariable))
	if !isPlain(name) {
		return nil, fmt.Errorf("%s: %q: expected a name without control characters", serviceNameVariable, name)
	}
	name = cmp.Or(name, all["service.name"], "switchback")
	if role != RoleHarness {
		name += "-" + role
	}
	all["service.name"], all["service.version"] = name, version
	return all, nil
}

// parseAttributes reads key=value,key=value with %XX for what is not plain. It
// refuses what OpenTelemetry's own reader would pass over.
func parseAttributes(list string) (map[string]string, error) {
	all := map[string]string{}
	if strings.TrimSpace(list) == "" {
		return all, nil
	}
	for i, entry := range strings.Split(list, ",") {
		key, value, found := strings.Cut(entry, "=")
		if key = strings.TrimSpace(key); !found || key == "" || !isPlain(key) {
			return nil, fmt.Errorf("entry %d: expected key=value,key=value", i+1)
		}
		text, err := url.PathUnescape(strings.TrimSpace(value))
		if err != nil || !isPlain(text) {
			return nil, fmt.Errorf("the value of %q: expected %%XX for what is not plain", key)
		}
		all[key] = text
	}
	return all, nil
}

// isPlain reports whether a text is UTF-8 without control characters.
func isPlain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// spansResource returns the resource of spans.
func spansResource(attributes map[string]string) *resourcepb.Resource {
	var all []*commonpb.KeyValue
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		all = append(all, text(key, attributes[key]))
	}
	return &resourcepb.Resource{Attributes: all}
}

// metricsResource returns the resource of metrics.
func metricsResource(attributes map[string]string) *resource.Resource {
	var all []attribute.KeyValue
	for key, value := range attributes {
		all = append(all, attribute.String(key, value))
	}
	return resource.NewSchemaless(all...)
}
