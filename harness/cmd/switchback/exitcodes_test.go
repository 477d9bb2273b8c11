package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestExitCodesAreOnThePage: docs/commands.md lists the exit codes of the help
// text, word for word.
func TestExitCodesAreOnThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`).FindAllStringSubmatch(string(page), -1)
	lines := regexp.MustCompile(`(?m)^  (\d+) +(.*)$`).FindAllStringSubmatch(exitCodes, -1)
	var inPage, inHelp []string
	for _, r := range rows {
		inPage = append(inPage, r[1]+" "+r[2])
	}
	for _, l := range lines {
		inHelp = append(inHelp, l[1]+" "+l[2])
	}
	if len(inHelp) != 7 || strings.Join(inPage, "\n") != strings.Join(inHelp, "\n") {
		t.Errorf("the page has\n%s\nthe help text\n%s", strings.Join(inPage, "\n"), strings.Join(inHelp, "\n"))
	}
}
