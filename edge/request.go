package edge

import (
	"context"
	"errors"
	"net/http"
	"time"

	"switchback/datasets"
	"switchback/edge/cache"
	"switchback/edge/pipeline"
	"switchback/edge/ring"
	"switchback/edge/rollout"
	"switchback/edge/routing"
)

var (
	errNoNode = errors.New("no cache node is up")
	errMethod = errors.New("an asset is read with GET or HEAD")
)

// request is one request on its way through the edge: what was chosen for it
// and what that took. It is the pipeline's content.
type request struct {
	edge  *Edge
	http  *http.Request
	state *state
	site  string
	draw  uint64
	stage string // that answered
	visit *visit // nil unless its trace is sampled

	router  *heldRouter
	ring    *heldRing
	node    *node
	outcome cache.Outcome
	retries int // nodes asked after the first

	routing    routing.Answer
	routeTime  time.Duration
	ringTime   time.Duration
	originTime time.Duration
}

var _ pipeline.Content = (*request)(nil)

// ServeHTTP answers one content request.
func (e *Edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.counts.requests.Add(1)
	q := &request{edge: e, http: r, state: e.state.Load(), draw: e.draws.Add(1), visit: e.spans.begin(r)}
	object, err := q.answer(r.Context())
	q.visit.answered()
	status := q.write(w, object, err)
	q.visit.close(q, status)
	e.counts.answered(status)
}

// answer finds the pipeline of the host and runs it.
func (q *request) answer(ctx context.Context) (*cache.Object, error) {
	began := time.Now()
	host, ok := routing.Canonical(q.http.Host)
	if !ok {
		return nil, routing.ErrUnknownHost
	}
	q.site = rollout.Site(host, datasets.Suffix)
	if err := q.route(ctx, host, began); err != nil {
		return nil, err
	}
	object, stage, err := q.edge.runner.Run(ctx, q.routing.Pipeline, q.http.URL.EscapedPath(), q)
	q.stage = stage
	return object, err
}

// route asks the router that the flags choose for the site. The phase began
// with the look at the hostname.
func (q *request) route(ctx context.Context, host string, began time.Time) (err error) {
	q.router = q.state.routers[q.state.chooseRouter.Choose(q.site, q.site, q.draw)]
	q.routing, err = q.router.router.Route(ctx, host)
	q.routeTime = time.Since(began)
	q.visit.routed(began, q, err)
	q.router.count.requests.Add(1)
	q.router.count.nanoseconds.Add(int64(q.routeTime))
	if q.edge.shadow != nil {
		q.edge.shadow.compare(ctx, host, q.routing.Pipeline, err)
	}
	return err
}

// Function implements pipeline.Content: it passes the request on to the
// origin.
func (q *request) Function(ctx context.Context, path string) (*cache.Object, error) {
	method := q.http.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	a := ask{method: method, host: q.http.Host, path: path, router: q.router.name, span: q.visit.ref()}
	if q.http.ContentLength != 0 {
		a.body, a.length = q.http.Body, q.http.ContentLength
	}
	began := time.Now()
	object, err := q.edge.origin.fetch(ctx, a)
	q.originTime = time.Since(began)
	return object, err
}

// Asset implements pipeline.Content: the ring that the flags choose for the
// key names the node, which has the content or fetches it.
func (q *request) Asset(ctx context.Context, asset routing.Asset) (*cache.Object, error) {
	if q.http.Method != http.MethodGet && q.http.Method != http.MethodHead {
		return nil, errMethod
	}
	began := time.Now()
	nodes := q.edge.nodes
	down := *nodes.down.Load()
	hash := ring.HashString(asset.Digest)
	q.ring = q.state.rings[q.state.chooseRing.Choose(q.site, asset.Digest, q.draw)]
	members := q.ring.of(q.site)
	first := members.PickUp(hash, down)
	q.ringTime = time.Since(began)
	q.visit.chose(began, q)
	q.ring.count.requests.Add(1)
	if first < 0 {
		return nil, errNoNode
	}
	object, err := q.get(ctx, nodes.all[first], asset)
	var failed *nodeError
	if !errors.As(err, &failed) {
		return object, err
	}
	var walk ring.Distinct
	walk.Start(members, hash, down)
	walk.Next() // the first
	return q.retry(ctx, &walk, asset, err)
}

// maxTries bounds how many nodes are asked for one request.
const maxTries = 8

// retry asks the next nodes of the walk until one answers.
func (q *request) retry(ctx context.Context, walk *ring.Distinct, asset routing.Asset, err error) (*cache.Object, error) {
	var failed *nodeError
	for q.retries < maxTries-1 && errors.As(err, &failed) {
		next, ok := walk.Next()
		if !ok {
			break
		}
		q.retries++
		var object *cache.Object
		if object, err = q.get(ctx, q.edge.nodes.all[next], asset); err == nil {
			return object, nil
		}
	}
	return nil, err
}

// get asks a node, and notes what it did.
func (q *request) get(ctx context.Context, n *node, asset routing.Asset) (object *cache.Object, err error) {
	q.node = n
	n.requests.Add(1)
	began := time.Now()
	a := ask{method: http.MethodGet, host: q.http.Host, router: q.router.name, ring: q.ring.name, node: n.name, span: q.visit.try(n.name, began)}
	if n.listener != nil {
		address, _ := n.listener.state()
		a.path = pipeline.AssetPath(asset)
		object, q.outcome, err = q.edge.nodes.client.get(ctx, address, a)
	} else {
		object, q.outcome, err = n.content.Get(ctx, asset.Digest, func(ctx context.Context) (*cache.Object, error) {
			a.path = pipeline.AssetPath(asset)
			return q.edge.origin.fetch(ctx, a)
		})
	}
	q.visit.tried(q.outcome, err)
	if q.outcome != cache.Hit {
		q.originTime = time.Since(began)
	}
	var failed *nodeError
	if errors.As(err, &failed) {
		n.fail(err)
	}
	return object, err
}
