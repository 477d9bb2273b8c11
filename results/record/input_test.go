package record

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestInputsAreKeptUnderTheirNames(t *testing.T) {
	r := create(t)
	content := []byte("caf\xe9\r\n")
	in, err := r.KeepInput("/etc/a/Caddyfile", content)
	must(t, err)
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	want := Input{Path: "/etc/a/Caddyfile", Copy: "files/" + sum[:12] + "/Caddyfile", Bytes: 6, Digest: "sha256:" + sum}
	if got, err := os.ReadFile(filepath.Join(r.Dir, in.Copy)); err != nil || string(got) != string(content) {
		t.Errorf("kept %q, %v", got, err)
	}
	if in != want {
		t.Errorf("input %+v, want %+v", in, want)
	}
	again, err := r.KeepInput("/etc/a/Caddyfile", content)
	must(t, err)
	other, err := r.KeepInput("/etc/b/Caddyfile", []byte("x"))
	must(t, err)
	if again != in || other.Copy == in.Copy {
		t.Errorf("again %+v, other %+v; want the first place again and another", again, other)
	}
}
