package record

import "testing"

func TestSmoke(t *testing.T) {
	dir := t.TempDir() + "/r"
	r, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	labels := []Label{{Host: "a", Path: "/", Groups: []string{Group("size", "10")}}}
	var s []Sample
	for i := range 100 {
		s = append(s, Sample{Due: int64(i), Released: int64(i + 1), Sent: int64(i + 2), FirstByte: int64(i + 1000*i), Done: int64(200000), ServerTiming: []byte(`route;dur=0.5;desc=legacy, cache;desc=hit`)})
	}
	m := Measure(s, labels, 300000)
	b := Block{Arm: "x", Metrics: m.Values()}
	for _, err := range []error{r.AppendBlock(b), r.AppendHistograms(b, m), r.AppendSamples(b, s, labels), r.WriteManifest(Manifest{}), r.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Pool()
	t.Log(f.Blocks[0], p.Values("x"), err)
}
