package datasets

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	adjectives = "amber bold brisk calm clear crisp deep early fair fine grand green high keen kind late light long mild neat north open plain quick quiet rapid round sharp slow still swift warm"
	nouns      = "anchor atlas beacon bridge canyon cedar comet delta ember falcon field forge garden glacier harbor island lantern meadow meteor mill orchard otter pebble pine prairie quarry river saddle summit tide valley willow"
	verbs      = "add bump drop fix move patch split test"
	parts      = "auth build cache docs fonts header login search"
)

// names makes the names of a dataset, unique by the number that each holds.
type names struct{ adjectives, nouns, verbs, parts []string }

func newNames() names {
	return names{strings.Fields(adjectives), strings.Fields(nouns), strings.Fields(verbs), strings.Fields(parts)}
}

// project names the i-th project: quiet-otter-1a.
func (n names) project(draws *Draws, i int) string {
	return pick(draws, n.adjectives) + "-" + pick(draws, n.nouns) + "-" + strconv.FormatInt(int64(i), 36)
}

// branch names the branch of a project's i-th deployment: fix-cache-12.
func (n names) branch(draws *Draws, i int) string {
	return pick(draws, n.verbs) + "-" + pick(draws, n.parts) + "-" + strconv.Itoa(i)
}

// domains names the custom domains of a project: none for three projects in
// four, else one or two, some internationalised (RFC 3492).
func (n names) domains(draws *Draws, project string) []string {
	if !draws.oneIn(4) {
		return nil
	}
	all := []string{"", "www.", "docs.", "xn--bcher-kva."}
	first := draws.Below(uint64(len(all)))
	domains := []string{all[first] + project + ".example"}
	if draws.oneIn(2) {
		second := (first + 1 + draws.Below(uint64(len(all)-1))) % uint64(len(all))
		domains = append(domains, all[second]+project+".example")
	}
	return domains
}

// alias is the hash alias of a project's i-th deployment.
func alias(key uint64, i int) string { return fmt.Sprintf("%08x", shuffled32(key, uint32(i))) }

// deploymentID identifies the i-th deployment of a dataset.
func deploymentID(key, i uint64) string { return fmt.Sprintf("%016x", shuffled64(key, i)) }

func pick(draws *Draws, from []string) string { return from[draws.Below(uint64(len(from)))] }

const (
	hexDigits   = "0123456789abcdef"
	tokenDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// hexText returns n drawn hex digits.
func hexText(draws *Draws, n int) string { return text(draws, hexDigits, 4, n) }

// tokenText returns n drawn digits of base64url.
func tokenText(draws *Draws, n int) string { return text(draws, tokenDigits, 6, n) }

// text returns n drawn characters of an alphabet of 1<<width characters.
func text(draws *Draws, alphabet string, width, n int) string {
	out := make([]byte, n)
	perDraw := 64 / width
	for i := 0; i < n; i += perDraw {
		x := draws.Uint64()
		for j := i; j < min(n, i+perDraw); j++ {
			out[j] = alphabet[x&(1<<width-1)]
			x >>= width
		}
	}
	return string(out)
}
