package analysis

import (
	"net/netip"

	"switchback/edge/ring"
)

// Side is one of the two rings of a move: before or after.
type Side struct {
	Spec    ring.Spec
	Servers []ring.Server
	Options ring.Options
}

// Move is what becomes of the keys when one ring takes the place of another.
type Move struct {
	From         string       `json:"from"`
	To           string       `json:"to"`
	Moved        float64      `json:"moved"`         // share of the keys that change servers
	MovedFormula float64      `json:"moved_formula"` // as random points would have it
	Servers      []ServerMove `json:"servers"`
}

// ServerMove is the part of one server in a move. A server that is absent has
// weight 0.
type ServerMove struct {
	Server     string  `json:"server"`
	WeightFrom int     `json:"weight_from"`
	WeightTo   int     `json:"weight_to"`
	ShareFrom  float64 `json:"share_from"` // of all keys
	ShareTo    float64 `json:"share_to"`
	Lost       float64 `json:"lost"`   // share of all keys that leave it
	Gained     float64 `json:"gained"` // share of all keys that come to it
}

// MoveBetween measures which keys move from one ring to the other, over the
// whole hash space.
func MoveBetween(from, to Side) (Move, error) {
	before, err := ring.New(from.Spec, from.Servers, from.Options)
	if err != nil {
		return Move{}, err
	}
	after, err := ring.New(to.Spec, to.Servers, to.Options)
	if err != nil {
		return Move{}, err
	}
	rows, beforeIndex, afterIndex := unite(from.Servers, to.Servers)
	move := Move{From: from.Spec.String(), To: to.Spec.String(), Servers: rows}
	owners(before, after, func(a, b int, hashes uint64) {
		share := float64(hashes) / (1 << 32)
		old, now := &rows[beforeIndex[a]], &rows[afterIndex[b]]
		old.ShareFrom += share
		now.ShareTo += share
		if old != now {
			old.Lost += share
			now.Gained += share
			move.Moved += share
		}
	})
	move.MovedFormula = MovedFormula(from, to)
	return move, nil
}

// MovedFormula returns the share of keys that random points would move from one
// ring to the other. Neither ring is built.
func MovedFormula(from, to Side) float64 {
	rows, _, _ := unite(from.Servers, to.Servers)
	before, after := make([]int, len(rows)), make([]int, len(rows))
	for i, row := range rows {
		before[i], after[i] = row.WeightFrom*from.Spec.Multiple, row.WeightTo*to.Spec.Multiple
	}
	return Moved(before, after)
}

// unite lists the servers of both sides, and where those of each are in it.
func unite(from, to []ring.Server) (rows []ServerMove, fromIndex, toIndex []int) {
	place := make(map[netip.AddrPort]int)
	for _, s := range from {
		place[s.Addr] = len(rows)
		fromIndex = append(fromIndex, len(rows))
		rows = append(rows, ServerMove{Server: s.Addr.String(), WeightFrom: s.Weight})
	}
	for _, s := range to {
		i, known := place[s.Addr]
		if !known {
			i = len(rows)
			rows = append(rows, ServerMove{Server: s.Addr.String()})
		}
		rows[i].WeightTo = s.Weight
		toIndex = append(toIndex, i)
	}
	return rows, fromIndex, toIndex
}

// owners calls take for stretches of hashes that together are the hash space,
// with the server of each on both rings.
func owners(a, b *ring.Ring, take func(a, b int, hashes uint64)) {
	hashes, servers := pointsIn(a)
	next, done := 0, uint64(0) // first point of a not passed; hashes dealt with
	upTo := func(end uint64, server int) {
		for ; next < len(hashes) && uint64(hashes[next]) < end; next++ {
			if at := uint64(hashes[next]) + 1; at > done {
				take(int(servers[next]), server, at-done)
				done = at
			}
		}
		if end > done {
			take(int(servers[next%len(servers)]), server, end-done)
			done = end
		}
	}
	first := -1
	b.Each(func(hash uint32, server int) bool {
		if first < 0 {
			first = server
		}
		upTo(uint64(hash)+1, server)
		return true
	})
	upTo(1<<32, first)
}

// pointsIn returns the points of a ring in order.
func pointsIn(r *ring.Ring) (hashes []uint32, servers []uint16) {
	hashes, servers = make([]uint32, 0, r.Points()), make([]uint16, 0, r.Points())
	r.Each(func(hash uint32, server int) bool {
		hashes, servers = append(hashes, hash), append(servers, uint16(server))
		return true
	})
	return hashes, servers
}
