package fleet

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"switchback/edge/ring"
)

func server(addr string, weight int, features ...string) ring.Server {
	return ring.Server{Addr: netip.MustParseAddrPort(addr), Weight: weight, Features: features}
}

func equal(a, b ring.Server) bool {
	return a.Addr == b.Addr && a.Weight == b.Weight && slices.Equal(a.Features, b.Features)
}

func TestRead(t *testing.T) {
	for text, want := range map[string][]ring.Server{
		"server,weight\n":                                      nil,
		"\ufeffserver,weight\r\n10.0.0.1:80,1\r\n":             {server("10.0.0.1:80", 1)},
		"server,weight\n10.0.0.1:80,1\n[2001:db8::1]:443,20\n": {server("10.0.0.1:80", 1), server("[2001:db8::1]:443", 20)},
		"server,weight,features\r\n10.0.0.1:80,1,eu+large-files\r\n\"10.0.0.2:80\",\"2\",\r\n": {server("10.0.0.1:80", 1, "eu", "large-files"), server("10.0.0.2:80", 2)},
	} {
		got, err := Read(strings.NewReader(text), "servers.csv")
		if err != nil || !slices.EqualFunc(got, want, equal) {
			t.Errorf("%q reads as %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestReadNamesFileAndLine(t *testing.T) {
	for text, says := range map[string]string{
		"":                                  "f.csv:1: want the header server,weight or server,weight,features: the file is empty",
		"10.0.0.1:80,1\n":                   `: found "10.0.0.1:80,1"`,
		"server, weight\n":                  `: found "server, weight"`,
		"\"server,weight\n":                 "f.csv:1: want the header server,weight or server,weight,features: parse error",
		"server,weight\nexample.com:80,1\n": `f.csv:2: server "example.com:80" is not IP:PORT`,
		"server,weight\n10.0.0.1,1\n":       `f.csv:2: server "10.0.0.1" is not IP:PORT`,
		"server,weight\n10.0.0.1:80,1\n\n10.0.0.2:80,-1\n":                       `f.csv:4: weight "-1"`,
		"server,weight\n10.0.0.1:80,9999999999999999999\n":                       `f.csv:2: weight "9999999999999999999" is out of range`,
		"server,weight\n10.0.0.1:80\n":                                           "f.csv: record on line 2",
		"server,weight\n\"10.0.0.1:80,1\n":                                       "f.csv: parse error on line 2",
		"server,weight\n" + strings.Repeat("10.0.0.1:80,1\n", ring.MaxServers+1): "more than 65536 servers",
		"server,weight\n" + strings.Repeat("1", maxFileBytes):                    "more than 16777216 bytes",
	} {
		_, err := Read(strings.NewReader(text), "f.csv")
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60q fails with %v, want %q in it", text, err, says)
		}
	}
}

// FuzzRead has no oracle but the rules: what is read is legal, and says the
// same when it is written and read again.
func FuzzRead(f *testing.F) {
	f.Add("server,weight\n10.0.0.1:80,1\n")
	f.Add("server,weight,features\n[::1]:1,2,a+b\n\"10.0.0.1:80\",7,\n")
	f.Add("\ufeffserver,weight\r\n10.0.0.1:80,3\r\n")
	f.Add("server,weight\n[fe80::1%eth0]:80,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		servers, err := Read(strings.NewReader(text), "f.csv")
		if err != nil {
			if servers != nil || !strings.HasPrefix(err.Error(), "f.csv") {
				t.Fatalf("fails with %v and %d servers", err, len(servers))
			}
			return
		}
		again := "server,weight\n"
		for _, s := range servers {
			if !s.Addr.IsValid() || s.Weight < 0 {
				t.Fatalf("reads %v", s)
			}
			if s.Addr.Addr().Zone() != "" {
				return // a zone may hold what CSV must quote
			}
			again += s.Addr.String() + "," + strconv.Itoa(s.Weight) + "\n"
		}
		back, err := Read(strings.NewReader(again), "again")
		same := func(a, b ring.Server) bool { return a.Addr == b.Addr && a.Weight == b.Weight }
		if err != nil || !slices.EqualFunc(servers, back, same) {
			t.Fatalf("%v was written as %q and read as %v, %v", servers, again, back, err)
		}
	})
}

func TestGenerate(t *testing.T) {
	weights, err := ParseWeights("1-10")
	if err != nil {
		t.Fatal(err)
	}
	servers, err := Generate(300, weights)
	if err != nil {
		t.Fatal(err)
	}
	if want := server("10.0.1.0:80", 6); !equal(servers[255], want) || !equal(servers[0], server("10.0.0.1:80", 1)) {
		t.Errorf("servers 1 and 256 are %v and %v", servers[0], servers[255])
	}
	for _, count := range []int{0, -1, ring.MaxServers + 1} {
		if _, err := Generate(count, weights); err == nil {
			t.Errorf("%d servers are generated", count)
		}
	}
}

func TestWeights(t *testing.T) {
	for text, want := range map[string][]int{
		"equal": {1, 1, 1, 1}, "4": {4, 4, 4, 4}, "1-3": {1, 2, 3, 1}, "5-5": {5, 5, 5, 5}, "pareto:100": {1, 1, 1, 1},
	} {
		w, err := ParseWeights(text)
		if err != nil {
			t.Fatal(err)
		}
		for i, weight := range want {
			if got := w.of(i); got != weight {
				t.Errorf("%s: weight %d is %d, want %d", text, i, got, weight)
			}
		}
	}
	for _, text := range []string{"", "even", "0", "1000001", "0-3", "3-1", "1-", "-1", "1-99999999", "pareto:", "pareto:0", "pareto:NaN", "pareto:-1", "pareto:1e9"} {
		if _, err := ParseWeights(text); err == nil || !strings.Contains(err.Error(), "want ") {
			t.Errorf("weights %q fail with %v", text, err)
		}
	}
}

// TestParetoWeights compares the tail of the weights with the law.
func TestParetoWeights(t *testing.T) {
	w, err := ParseWeights("pareto:1")
	if err != nil {
		t.Fatal(err)
	}
	for _, least := range []int{1, 2, 5, 10, 50} {
		count := 0
		for i := range 10_000 {
			if w.of(i) >= least {
				count++
			}
		}
		if want := 10_000 / least; count < want-20 || count > want+20 {
			t.Errorf("%d of 10,000 weigh %d or more, want %d", count, least, want)
		}
	}
}

func TestMakeSets(t *testing.T) {
	servers, err := Generate(100, Weights{})
	if err != nil {
		t.Fatal(err)
	}
	made, combinations, err := MakeSets(servers, 5)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"any", "f1", "f2", "f1+f2", "f3"}; !slices.Equal(combinations, want) {
		t.Errorf("combinations are %v, want %v", combinations, want)
	}
	if servers[1].Features != nil || !slices.Equal(made[5].Features, []string{"f1", "f3"}) {
		t.Errorf("features are %v, of the list given %v", made[5].Features, servers[1].Features)
	}
	if _, err := ring.NewSets(ring.Spec{Version: ring.V3, Multiple: 1}, made, combinations, ring.Options{}); err != nil {
		t.Error(err)
	}
	if _, combinations, err := MakeSets(servers, 1); err != nil || !slices.Equal(combinations, []string{"any"}) {
		t.Errorf("one set is %v, %v", combinations, err)
	}
	for _, count := range []int{0, 101, maxSets + 1} {
		if _, _, err := MakeSets(servers, count); err == nil {
			t.Errorf("%d sets of 100 servers are made", count)
		}
	}
}

func TestChange(t *testing.T) {
	servers, err := Generate(3, Weights{})
	if err != nil {
		t.Fatal(err)
	}
	change := Change{Add: []string{"[::1]:9=4"}, Remove: []string{"10.0.0.1:80"}, Reweight: []string{"10.0.0.3:80=7"}}
	got, err := change.Apply(servers)
	want := []ring.Server{server("10.0.0.2:80", 1), server("10.0.0.3:80", 7), server("[::1]:9", 4)}
	if err != nil || !slices.EqualFunc(got, want, equal) || servers[2].Weight != 1 || len(servers) != 3 {
		t.Errorf("the list becomes %v, %v; want %v", got, err, want)
	}
	for says, change := range map[string]Change{
		"there already":        {Add: []string{"10.0.0.1:80=1"}},
		"not IP:PORT=WEIGHT":   {Add: []string{"10.0.0.9:80"}},
		"add: server \"x\"":    {Add: []string{"x=1"}},
		"no server 10.0.0.9":   {Remove: []string{"10.0.0.9:80"}},
		"remove: server \"y\"": {Remove: []string{"y"}},
		"with a weight from 1": {Add: []string{"10.0.0.9:80=0"}},
		"with a weight from 0": {Reweight: []string{"10.0.0.1:80=-1"}},
		"reweight: no server":  {Reweight: []string{"10.0.0.9:80=1"}},
	} {
		if _, err := change.Apply(servers); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v fails with %v, want %q in it", change, err, says)
		}
	}
}

func TestDrainedServersAreNotActive(t *testing.T) {
	servers, err := Read(strings.NewReader("server,weight\n10.0.0.1:80,1\n10.0.0.2:80,0\n10.0.0.3:80,2\n"), "f.csv")
	if err != nil {
		t.Fatal(err)
	}
	if servers, err = (Change{Reweight: []string{"10.0.0.1:80=0"}}).Apply(servers); err != nil {
		t.Fatal(err)
	}
	active, places, err := Active(servers)
	if want := server("10.0.0.3:80", 2); err != nil || len(active) != 1 || !equal(active[0], want) || !slices.Equal(places, []int{2}) {
		t.Errorf("active are %v at %v, %v; want %v at 2", active, places, err, want)
	}
	for _, none := range [][]ring.Server{nil, servers[:2]} {
		if _, _, err := Active(none); err == nil || !strings.Contains(err.Error(), "weight above 0") {
			t.Errorf("of %v active are some: %v", none, err)
		}
	}
}
