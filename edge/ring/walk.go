package ring

// Walk goes over the points of a ring from a hash on, point by point: servers
// repeat, and past the last point it goes on with the first, for ever.
type Walk struct {
	layout layout
	at     int
}

// Walk starts a walk at the point that owns the hash.
func (r *Ring) Walk(hash uint32) Walk {
	return Walk{layout: r.layout, at: r.layout.find(hash)}
}

// Next returns the server of the next point.
func (w *Walk) Next() int {
	server := w.layout.server(w.at)
	if w.at++; w.at == w.layout.points() {
		w.at = 0
	}
	return server
}

// PickUp returns the server of a hash, walking past the servers in down; it
// is -1 when no server is up. The walk costs one step for each point passed
// over.
func (r *Ring) PickUp(hash uint32, down ServerSet) int {
	at := r.layout.find(hash)
	if server := r.layout.server(at); !down.Has(server) {
		return server
	}
	if down.count(r.servers) == r.servers {
		return -1
	}
	points := r.layout.points()
	for range points - 1 {
		if at++; at == points {
			at = 0
		}
		if server := r.layout.server(at); !down.Has(server) {
			return server
		}
	}
	return -1
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
	d.left = r.servers - d.seen.count(r.servers)
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
