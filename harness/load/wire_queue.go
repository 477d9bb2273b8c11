package load

// queue is a ring of requests that grows as needed: first in, first out.
type queue struct {
	ring []Request
	head int
	n    int
}

// at returns the place of the i-th request in the ring; its length is a power
// of two.
func (q *queue) at(i int) int { return (q.head + i) & (len(q.ring) - 1) }

func (q *queue) front() *Request { return &q.ring[q.head] }

func (q *queue) push(r Request) {
	q.grow()
	q.ring[q.at(q.n)] = r
	q.n++
}

// pushFront puts r before all others.
func (q *queue) pushFront(r Request) {
	q.grow()
	q.head = q.at(len(q.ring) - 1)
	q.ring[q.head] = r
	q.n++
}

func (q *queue) pop() Request {
	r := q.ring[q.head]
	q.ring[q.head] = Request{}
	q.head = q.at(1)
	q.n--
	return r
}

func (q *queue) grow() {
	if q.n < len(q.ring) {
		return
	}
	larger := make([]Request, max(64, 2*len(q.ring)))
	for i := range q.n {
		larger[i] = q.ring[q.at(i)]
	}
	q.ring, q.head = larger, 0
}
