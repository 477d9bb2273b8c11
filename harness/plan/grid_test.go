package plan

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestGridRunsTheLastAxisFastest(t *testing.T) {
	got := Grid(2, 3)
	want := [][]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestGridHasEachCellOnceInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 4).Draw(t, "points")
		cells, want := Grid(points...), 1
		for _, n := range points {
			want *= n
		}
		if len(cells) != want {
			t.Fatalf("%d cells, want %d", len(cells), want)
		}
		for i, cell := range cells {
			if len(cell) != len(points) || i > 0 && slices.Compare(cells[i-1], cell) >= 0 {
				t.Fatalf("cell %d is %v after %v", i, cell, cells[max(0, i-1)])
			}
			for axis, at := range cell {
				if at < 0 || at >= points[axis] {
					t.Fatalf("cell %v is outside %v", cell, points)
				}
			}
		}
	})
}
