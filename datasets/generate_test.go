package datasets

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// generated returns a dataset's stream and what Generate told about it.
func generated(t testing.TB, seed uint64, s Settings) ([]byte, Info) {
	t.Helper()
	var out bytes.Buffer
	info, err := Generate(&out, seed, s)
	if err != nil {
		t.Fatalf("Generate(%d, %+v): %v", seed, s, err)
	}
	return out.Bytes(), info
}

// deployment is a deployment with its project.
type deployment struct {
	project *Project
	*Deployment
}

// read returns every deployment of a stream and the reader's sum.
func read(t testing.TB, stream []byte) ([]deployment, Info) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []deployment
	for {
		p, d, err := r.Next()
		if err == io.EOF {
			return all, r.Info()
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, deployment{p, d})
	}
}

func anySettings(t *rapid.T) Settings {
	return Settings{
		Sizes:              rapid.SliceOfN(rapid.IntRange(1, 60), 0, 4).Draw(t, "sizes"),
		Tail:               rapid.IntRange(1, 20).Draw(t, "tail"),
		BytesPerDeployment: rapid.IntRange(minBytesPerDeployment, 2000).Draw(t, "bytes"),
	}
}

// The digest pins the generator: a change of it makes every recorded run
// incomparable and needs another schema.
func TestTheDatasetOfASeedNeverChanges(t *testing.T) {
	_, info := generated(t, 1, Settings{Sizes: []int{50}, Tail: 20})
	if want := "sha256:eca164ef24e3b9e64e53e2e86776c9e4f52102d923119f678bf8c90164940dde"; info.Digest != want {
		t.Errorf("digest %s, want %s", info.Digest, want)
	}
}

func TestAReaderTellsWhatTheGeneratorTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := anySettings(t), rapid.Uint64().Draw(t, "seed")
		var out bytes.Buffer
		told, err := Generate(&out, seed, s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewReader(&out)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for err == nil {
			_, _, err = r.Next()
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		got := r.Info()
		if len(got.Settings.Sizes) == 0 && len(told.Settings.Sizes) == 0 {
			got.Settings.Sizes, told.Settings.Sizes = nil, nil // empty or nil
		}
		if !reflect.DeepEqual(got, told) {
			t.Fatalf("read %+v, told %+v", got, told)
		}
	})
}

func TestAnotherSeedIsAnotherDataset(t *testing.T) {
	s := Settings{Sizes: []int{5}}
	_, one := generated(t, 1, s)
	_, same := generated(t, 1, s)
	_, two := generated(t, 2, s)
	if one.Digest != same.Digest || one.Digest == two.Digest {
		t.Errorf("digests: %s, again %s, of another seed %s", one.Digest, same.Digest, two.Digest)
	}
}

func TestAProjectHasItsAliases(t *testing.T) {
	stream, _ := generated(t, 6, Settings{Sizes: []int{1, 2, 3, 4, 5, 50}, Tail: 60})
	all, _ := read(t, stream)
	for i := 0; i < len(all); {
		p := all[i].project
		branches, aliases := 0, map[string]bool{}
		for k := range p.Deployments {
			d := all[i+k]
			if d.project != p {
				t.Fatalf("%s has %d deployments, want %d", p.Name, k, p.Deployments)
			}
			if newest := k == p.Deployments-1; d.Production != newest || (newest && d.Branches[0] != "main") {
				t.Errorf("%s: deployment %d of %d: production %v, branches %v", p.Name, k, p.Deployments, d.Production, d.Branches)
			}
			branches += len(d.Branches)
			aliases[d.Alias] = true
		}
		if want := (p.Deployments + 3) / 4; branches != want || len(aliases) != p.Deployments {
			t.Errorf("%s: %d branches, want %d; %d aliases, want %d", p.Name, branches, want, len(aliases), p.Deployments)
		}
		i += p.Deployments
	}
}

func TestPartOfTheProjectsHaveDomainsAndFunctions(t *testing.T) {
	stream, info := generated(t, 6, Settings{Tail: 400})
	all, _ := read(t, stream)
	withDomains, international := map[string]bool{}, 0
	for _, d := range all {
		for _, domain := range d.project.Domains {
			withDomains[d.project.Name] = true
			if strings.HasPrefix(domain, "xn--") {
				international++
			}
		}
	}
	if n := len(withDomains); n < 70 || n > 130 {
		t.Errorf("%d of 400 projects have domains, want about 100", n)
	}
	if international == 0 {
		t.Error("no domain is internationalised")
	}
	if share := float64(info.Functions) / float64(info.Deployments); share < 0.2 || share > 0.6 {
		t.Errorf("a share of %.2f of the deployments has functions", share)
	}
}

// Neighbours differ in their first document and one in sixteen of 17 to 24
// other assets.
func TestNeighboursShareMostAssets(t *testing.T) {
	stream, info := generated(t, 8, Settings{Sizes: []int{2000}})
	all, _ := read(t, stream)
	var shared, total, parts int
	for i, d := range all[1:] {
		before := all[i].Assets
		if len(d.Assets) != len(before) || d.Assets[0] == before[0] {
			t.Fatalf("deployment %d: %d assets after %d, first document %v", i+1, len(d.Assets), len(before), d.Assets[0])
		}
		for k, a := range d.Assets {
			total++
			if a == before[k] {
				shared++
			}
		}
	}
	for _, a := range all[0].Assets {
		if !a.Document() {
			parts++
		}
	}
	if share := float64(shared) / float64(total); share < 0.87 || share > 0.91 {
		t.Errorf("a share of %.3f of the assets is the predecessor's", share)
	}
	if want := int64(total-shared) + int64(len(all[0].Assets)); info.Assets != want {
		t.Errorf("info counts %d distinct assets, want %d", info.Assets, want)
	}
	if parts < 12 {
		t.Errorf("%d assets besides the documents, a page view needs a dozen", parts)
	}
}

func TestSettingsOutOfBoundsAreRefused(t *testing.T) {
	for want, s := range map[string]Settings{
		"sizes: 0 deployments":      {Sizes: []int{10, 0}},
		"sizes: 10000001":           {Sizes: []int{10_000_001}},
		"sizes: 1001 named":         {Sizes: make([]int, 1001)},
		"tail: -1":                  {Tail: -1},
		"bytes_per_deployment: 255": {BytesPerDeployment: 255},
		"bytes_per_deployment: -1":  {BytesPerDeployment: -1},
	} {
		var out bytes.Buffer
		if _, err := Generate(&out, 1, s); err == nil || !strings.HasPrefix(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%+v: error %v after %d bytes, want %s", s, err, out.Len(), want)
		}
	}
}
