# Steps on traces in a real Jaeger.

# Starts Jaeger with ports of its own; sets jaeger_pid, and ends it at exit.
start_jaeger() {
  go build -C tools/jaeger -o "$PWD/bin/jaeger" github.com/jaegertracing/jaeger/cmd/jaeger
  export JAEGER_OTLP_GRPC_PORT=24317 JAEGER_OTLP_HTTP_PORT=24318 JAEGER_QUERY_PORT=26686 JAEGER_QUERY_GRPC_PORT=26685
  bin/jaeger --config tools/jaeger/config.yaml >"$out/jaeger.log" 2>&1 &
  jaeger_pid=$!
  trap 'kill $jaeger_pid 2>/dev/null || true' EXIT
  local tries
  for tries in $(seq 100); do
    curl -sf "http://127.0.0.1:$JAEGER_QUERY_PORT/api/services" >/dev/null && return
    sleep 0.1
  done
  fail "Jaeger did not answer after $tries tries"
}

# The default experiment with every request traced: at least 50,000 spans, and
# all of them arrive or the run says how many did not.
accept_traces_arrive() {
  start_jaeger
  local run=$out/traces-run
  rm -rf "$run"
  switchback run pages-routing --quiet --out "$run" --otlp "grpc://127.0.0.1:$JAEGER_OTLP_GRPC_PORT" --trace-share 100% >"$out/traces-run.txt"
  python3 - "$run" <<'PY'
import json, sys
run = sys.argv[1]
spans = [json.loads(line)["spans"] for line in open(run + "/blocks.jsonl")]
made, delivered = sum(s["made"] for s in spans), sum(s["delivered"] for s in spans)
notes = [n for n in json.load(open(run + "/summary.json"))["validity"]["notes"] if "spans" in n]
print(f"{made} spans made, {delivered} delivered; notes: {notes}")
sys.exit(made < 50000 or (made != delivered) != bool(notes))
PY
}

# What tracing costs: the generator's lateness and the edge's CPU, without
# traces, with one request in ten traced, with every request.
accept_traces_cost() {
  start_jaeger
  local share run
  for share in off 10% 100%; do
    run=$out/traces-cost-${share%\%}
    rm -rf "$run"
    if [ $share = off ]; then
      switchback run pages-routing --quiet --out "$run" >/dev/null
    else
      switchback run pages-routing --quiet --out "$run" --otlp "grpc://127.0.0.1:$JAEGER_OTLP_GRPC_PORT" --trace-share $share >/dev/null
    fi
    python3 - "$share" "$run" <<'PY'
import json, statistics, sys
blocks = [json.loads(line) for line in open(sys.argv[2] + "/blocks.jsonl")]
late = statistics.median(b["generator"]["lateness_p99"] for b in blocks)
cpu = {a: statistics.median(m["value"] for b in blocks if b["arm"] == a for m in b["metrics"] if m["metric"] == "edge.cpu") for a in ("legacy", "hashed")}
print(f'{sys.argv[1]:>5}: lateness p99 {late * 1e6:.0f} µs; edge.cpu legacy {cpu["legacy"] * 1e6:.0f} µs, hashed {cpu["hashed"] * 1e6:.0f} µs a request')
PY
  done
}
