package units

import (
	"testing"

	"pgregory.net/rapid"
)

func TestScalarsReadBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, b := Duration(rapid.Int64().Draw(t, "duration")), Bytes(rapid.Int64Range(0, 1<<52).Draw(t, "bytes"))
		r, p := Rate(rapid.Float64Range(0, 1e12).Draw(t, "rate")), Share(rapid.Float64Range(0, 10).Draw(t, "percent"))
		var d2 Duration
		var b2 Bytes
		var r2 Rate
		var p2 Share
		for _, err := range []error{
			d2.UnmarshalText([]byte(d.String())), b2.UnmarshalText([]byte(b.String())),
			r2.UnmarshalText([]byte(r.String())), p2.UnmarshalText([]byte(p.String())),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if d2 != d || b2 != b || r2 != r || p2 != p {
			t.Fatalf("%v %v %v %v became %v %v %v %v", d, b, r, p, d2, b2, r2, p2)
		}
	})
}

func TestScalarsAsPeopleWriteThem(t *testing.T) {
	var b Bytes
	for text, want := range map[string]Bytes{"64MiB": 64 << 20, "1.5KiB": 1536, "10 MB": 10_000_000, "0B": 0, "1TiB": 1 << 40, "7kB": 7000} {
		if err := b.UnmarshalText([]byte(text)); err != nil || b != want {
			t.Errorf("%s is %d, %v; want %d", text, int64(b), err, int64(want))
		}
	}
	for _, text := range []string{"64", "64mib", "-1B", "1e3B", "9999999TiB", ".B", "1.B", "MiB", "0x1B", "1_0B", "1.2.3B", ""} {
		if b.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is %d bytes", text, int64(b))
		}
	}
	for p, want := range map[Share]string{0: "0%", 0.001: "0.1%", 0.05: "5%", 1: "100%", 0.125: "12.5%", 0.00001: "0.001%"} {
		if got := p.String(); got != want {
			t.Errorf("%v is written %s, want %s", float64(p), got, want)
		}
	}
	var r Rate
	for text, want := range map[string]Rate{"1000": 1000, "1000/s": 1000, "0.5 /s": 0.5, "0": 0} {
		if err := r.UnmarshalText([]byte(text)); err != nil || r != want {
			t.Errorf("%s is %v, %v; want %v", text, r, err, want)
		}
	}
	for _, text := range []string{"150%", "150s", "", "/s", "-1/s", "1/m", "inf/s", "NaN/s", "1e9/s"} {
		if r.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is %v", text, r)
		}
	}
}
