// Package plan decides what else happens when: pure decisions, made from
// numbers and without a clock.
package plan

// Grid returns the cells of a sweep over axes with that many points each: one
// index a axis, the last axis fastest. Without axes it is one empty cell;
// with an axis without points, none.
func Grid(points ...int) [][]int {
	cells := [][]int{{}}
	for _, n := range points {
		next := make([][]int, 0, len(cells)*n)
		for _, cell := range cells {
			for i := range n {
				next = append(next, append(cell[:len(cell):len(cell)], i))
			}
		}
		cells = next
	}
	return cells
}
