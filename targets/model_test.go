package targets

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"switchback/datasets"
)

func TestEveryTargetIsWhatTheDatasetHas(t *testing.T) {
	tr := generated(t, 1, datasets.Settings{Sizes: []int{200, 10}, Tail: 50})
	x := tr.index(t)
	for name, s := range map[string]Settings{
		"pages":     {},
		"uniform":   {Model: ModelUniform, Unknown: "20%"},
		"views":     {Assets: 12},
		"per block": {PerBlock: map[string]int{"200": 100, "10": 100, "tail": 100, "unknown": 51, "200/last": 10}},
	} {
		t.Run(name, func(t *testing.T) {
			m := model(t, x, s, 7)
			n := 0
			if len(s.PerBlock) == 0 {
				n = 400
			}
			for range 3 {
				for _, got := range block(t, m, n) {
					tr.judge(t, got)
				}
			}
		})
	}
}

// kindOf names what a target asks, from the dataset's point of view.
func (tr truth) kindOf(got Target) string {
	o, known := tr.owners[got.Host]
	switch {
	case got.Position == Unknown:
		return "alias of " + got.Size
	case !known:
		return "no project"
	case !o.project.Named:
		return "tail"
	}
	return got.Size + "/" + got.Position
}

func TestPerBlockIsExactInEveryBlock(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{90, 300, 300}, Tail: 40})
	s := Settings{PerBlock: map[string]int{"90/first": 7, "90/middle": 3, "90/last": 4, "300/last": 28, "300/unknown": 2, "unknown": 9}}
	// Of 9 unknown hostnames 5 are aliases: by 7, 3, 4, 28 and 2 of 44 they are
	// 1, 0, 1, 3 and 0.
	want := map[string]int{"90/first": 7, "90/middle": 3, "90/last": 4, "300/last": 28, "alias of 300": 5, "alias of 90": 2, "no project": 4}
	m := model(t, tr.index(t), s, 3)
	var orders []string
	for i := range 4 {
		counts := map[string]int{}
		var order []string
		for _, got := range block(t, m, 0) {
			tr.judge(t, got)
			kind := tr.kindOf(got)
			counts[kind]++
			order = append(order, kind)
		}
		if !maps.Equal(counts, want) {
			t.Errorf("block %d: %v, want %v", i, counts, want)
		}
		if text := strings.Join(order, " "); slices.Contains(orders, text) {
			t.Errorf("block %d has the order of an earlier one", i)
		} else {
			orders = append(orders, text)
		}
	}
}

func TestExactPositionsAskOneEntry(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{31}})
	m := model(t, tr.index(t), Settings{PerBlock: map[string]int{"31/first": 5, "31/middle": 5, "31/last": 5}}, 1)
	for _, got := range block(t, m, 0) {
		if want := map[string]int{First: 0, Middle: 15, Last: 30}[got.Position]; tr.owners[got.Host].place != want {
			t.Errorf("%s asks entry %d, want %d", got.Position, tr.owners[got.Host].place, want)
		}
	}
}

func TestHostnamesOfADeploymentAreRotated(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{31}})
	m := model(t, tr.index(t), Settings{PerBlock: map[string]int{"31/last": 1}}, 1)
	var want, got []string
	for host, o := range tr.owners {
		if o.place == 30 {
			want = append(want, host)
		}
	}
	for range 2 * len(want) {
		got = append(got, block(t, m, 1)[0].Host)
	}
	if !slices.Equal(got[:len(want)], got[len(want):]) {
		t.Errorf("the second turn %v is not the first %v", got[len(want):], got[:len(want)])
	}
	if once := slices.Sorted(slices.Values(got[:len(want)])); len(want) < 3 || !slices.Equal(once, slices.Sorted(slices.Values(want))) {
		t.Errorf("a turn asks %v, the deployment has %v", once, want)
	}
}

func TestPopularityIsZipfOverTheProjectsInTheirOrder(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{4, 5, 6, 7}})
	m := model(t, tr.index(t), Settings{Popularity: 1.2, Unknown: "0%"}, 1)
	const n = 50_000
	counts := map[string]float64{}
	for _, got := range block(t, m, n) {
		counts[got.Size]++
	}
	total := 0.0
	for rank := range 4 {
		total += math.Pow(float64(rank+1), -1.2)
	}
	for rank, size := range []string{"4", "5", "6", "7"} {
		within(t, "projects of "+size, counts[size]/n, math.Pow(float64(rank+1), -1.2)/total, n)
	}
}

// The newer of two: the share of the oldest third is a ninth.
func TestRecencyPrefersNewerDeployments(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{300}})
	for _, c := range []struct {
		model string
		want  map[string]float64
	}{
		{ModelPages, map[string]float64{First: 1. / 9, Middle: 3. / 9, Last: 5. / 9}},
		{ModelUniform, map[string]float64{First: 1. / 3, Middle: 1. / 3, Last: 1. / 3}},
	} {
		m := model(t, tr.index(t), Settings{Model: c.model, Unknown: "0%"}, 1)
		const n = 30_000
		counts := map[string]float64{}
		for _, got := range block(t, m, n) {
			counts[got.Position]++
		}
		for position, want := range c.want {
			within(t, c.model+" "+position, counts[position]/n, want, n)
		}
	}
}

func TestUniformAsksEveryDeploymentAlike(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{100, 300}})
	m := model(t, tr.index(t), Settings{Model: ModelUniform, Unknown: "0%"}, 1)
	const n = 30_000
	counts := map[string]float64{}
	for _, got := range block(t, m, n) {
		counts[got.Size]++
	}
	within(t, "the project of 300", counts["300"]/n, 0.75, n)
}

func TestAShareOfHostnamesIsUnknown(t *testing.T) {
	tr := generated(t, 2, datasets.Settings{Sizes: []int{10}, Tail: 10})
	m := model(t, tr.index(t), Settings{Unknown: "90.9%"}, 1)
	const n = 30_000
	counts := map[string]float64{}
	for _, got := range block(t, m, n) {
		tr.judge(t, got)
		counts[got.Position]++
	}
	within(t, "unknown aliases", counts[Unknown]/n, 0.4545, n)
	within(t, "unknown projects", counts[None]/n, 0.4545, n)
}

// within fails when a share of n draws is more than four standard deviations
// from its probability.
func within(t *testing.T, what string, got, want float64, n int) {
	t.Helper()
	if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/float64(n)) {
		t.Errorf("%s: a share of %.4f, want %.4f", what, got, want)
	}
}

func TestPageViews(t *testing.T) {
	tr := generated(t, 5, datasets.Settings{Sizes: []int{40}})
	m := model(t, tr.index(t), Settings{Assets: 12, Unknown: "10%"}, 1)
	all := append(block(t, m, 50), block(t, m, 50)...)
	views, arrivals := int32(0), 0
	for i := 0; i < len(all); arrivals++ {
		if all[i].View == 0 {
			if all[i].Document || all[i].Status != 404 {
				t.Fatalf("a single request is %+v", all[i])
			}
			i++
			continue
		}
		views++
		checkView(t, tr, all[i:min(i+13, len(all))], views)
		i += 13
	}
	if arrivals != 100 || views < 70 || views == 100 {
		t.Errorf("%d page views in %d arrivals", views, arrivals)
	}
}

// checkView checks a document and twelve assets.
func checkView(t *testing.T, tr truth, view []Target, number int32) {
	t.Helper()
	paths := map[string]bool{}
	for i, got := range view {
		tr.judge(t, got)
		paths[got.Path] = true
		if got.View != number || got.Document != (i == 0) || got.Host != view[0].Host || strings.HasSuffix(got.Path, "/") != got.Document {
			t.Fatalf("target %d of page view %d is %+v", i, number, got)
		}
	}
	if len(paths) != 13 {
		t.Errorf("page view %d asks %d paths, want 13", number, len(paths))
	}
}

func TestASeedGivesItsTargets(t *testing.T) {
	tr := generated(t, 1, datasets.Settings{Sizes: []int{50}, Tail: 20})
	x := tr.index(t)
	digest := func(seed uint64, blocks int) string {
		m, d := model(t, x, Settings{}, seed), NewDigest()
		for range blocks {
			if err := d.Add(block(t, m, 100)); err != nil {
				t.Fatal(err)
			}
		}
		return d.String()
	}
	first := digest(1, 3)
	if digest(1, 3) != first || digest(2, 3) == first || digest(1, 2) == first {
		t.Error("the digest does not follow the seed and the blocks")
	}
	// Pins the model: a change makes every recorded run incomparable.
	if want := "sha256:6522cf783164ed8dad98c0e2a0f93df93e4f18fef1efc5d87e4e2e6bf35b68de"; first != want {
		t.Errorf("digest %s, want %s", first, want)
	}
}

func TestBlocksThatCannotBeDrawn(t *testing.T) {
	tr := generated(t, 1, datasets.Settings{Sizes: []int{50, 2}})
	x := tr.index(t)
	counted := model(t, x, Settings{PerBlock: map[string]int{"50": 5}}, 1)
	free := model(t, x, Settings{Assets: 9}, 1)
	for want, draw := range map[string]func() error{
		"per_block counts 5":                 func() error { _, err := counted.Block(6); return err },
		"0 arrivals, expected 1 to 1000000":  func() error { _, err := free.Block(0); return err },
		"-1 arrivals":                        func() error { _, err := free.Block(-1); return err },
		"1000001 arrivals, expected 1":       func() error { _, err := free.Block(1_000_001); return err },
		"the dataset has no project of 7":    func() error { _, err := x.Model(Settings{PerBlock: map[string]int{"7": 1}}, 1); return err },
		"the dataset has no project of tail": func() error { _, err := x.Model(Settings{PerBlock: map[string]int{"tail": 1}}, 1); return err },
		"2/last: a project has 2":            func() error { _, err := x.Model(Settings{PerBlock: map[string]int{"2/last": 1}}, 1); return err },
	} {
		if err := draw(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
