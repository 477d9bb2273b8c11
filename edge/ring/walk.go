package ring

// Walk goes over the points of a ring from a hash on, point by point: servers
// repeat, and past the last point it goes on with the first, for ever.
type Walk struct {
	ring *Ring
	at   int
}

// Walk starts a walk at the point that owns the hash.
func (r *Ring) Walk(hash uint32) Walk { return Walk{ring: r, at: r.layout.find(hash)} }

// Next returns the server of the next point.
func (w *Walk) Next() int {
	server := w.ring.layout.server(w.at)
	if w.at++; w.at == w.ring.layout.points() {
		w.at = 0
	}
	return w.ring.index(server)
}

// PickUp returns the server of a hash, walking past the servers in down; it
// is -1 when no server is up. The walk costs one step for each point passed
// over.
func (r *Ring) PickUp(hash uint32, down ServerSet) int {
	walk := r.Walk(hash)
	server := walk.Next()
	if !down.Has(server) {
		return server
	}
	if r.countUp(down) == 0 {
		return -1
	}
	for range r.layout.points() - 1 {
		if server = walk.Next(); !down.Has(server) {
			return server
		}
	}
	return -1
}

// countUp returns the number of servers of the ring that are not down.
func (r *Ring) countUp(down ServerSet) int {
	if r.members == nil {
		return r.servers - down.count(r.servers)
	}
	up := 0
	for _, server := range r.members {
		if !down.Has(int(server)) {
			up++
		}
	}
	return up
}

// Distinct walks over the different servers of a ring in the order in which
// they fail over for a hash. A Distinct that is reused does not allocate.
type Distinct struct {
	walk   Walk
	seen   ServerSet // also holds the servers that are down
	points int       // still to visit
	left   int       // servers still to return
}

// Start begins a walk at the point that owns the hash. The servers in down
// are passed over.
func (d *Distinct) Start(r *Ring, hash uint32, down ServerSet) {
	d.walk = r.Walk(hash)
	d.points = r.layout.points()
	d.seen = d.seen.copyFrom(down, r.servers)
	d.left = r.countUp(down)
}

// Next returns the next different server that is up; ok is false when there
// is none.
func (d *Distinct) Next() (server int, ok bool) {
	for d.left > 0 && d.points > 0 {
		d.points--
		server := d.walk.Next()
		if !d.seen.Has(server) {
			d.seen[server/64] |= 1 << (server % 64)
			d.left--
			return server, true
		}
	}
	return -1, false
}
