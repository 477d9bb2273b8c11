package experiment

import (
	"fmt"
	"strings"

	"switchback/results/gate"
)

// parseAmount reads an amount of a bound: a share (5%), a duration (50us), a
// size (64MiB) or a plain number.
func parseAmount(text string) (gate.Amount, error) {
	var share Percent
	var duration Duration
	var size Bytes
	positive := strings.TrimPrefix(text, "-")
	switch {
	case share.UnmarshalText([]byte(positive)) == nil:
		return signed(text, float64(share)), nil
	case size.UnmarshalText([]byte(positive)) == nil:
		return signed(text, float64(size)), nil
	}
	if number, err := decimal(positive); err == nil {
		return signed(text, number), nil
	}
	if err := duration.UnmarshalText([]byte(text)); err != nil {
		return gate.Amount{}, fmt.Errorf("expected an amount such as 5%%, 50us, 64MiB or 0.01, got %s", quote(text))
	}
	return gate.Amount{Value: float64(duration) / 1e9, Text: text}, nil
}

func signed(text string, value float64) gate.Amount {
	if strings.HasPrefix(text, "-") {
		value = -value
	}
	return gate.Amount{Value: value, Text: text}
}
