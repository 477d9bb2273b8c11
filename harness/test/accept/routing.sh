# Steps on routing: four experiments in full, and stores of a million deployments.

# run_routing NAME: runs an experiment in full, prints its report, keeps its run.
run_routing() {
  routing_run=$out/$1-run
  rm -rf "$routing_run"
  echo "runs $1 in full"
  switchback run "$1" --quiet --out "$routing_run"
}

# The exponents of routing: legacy grows linearly, hashed does not.
accept_routing_scale() {
  run_routing routing-scale
  echo "checks the exponents of growth"
  python3 - "$routing_run" <<'PY'
import json, sys
growth = json.load(open(sys.argv[1] + "/summary.json"))["growth"]
for arm, metric, low, high in (("legacy", "ttfb.mean", 0.85, 1.1), ("legacy", "phase.route.mean", 0.93, 1.07),
                               ("hashed", "ttfb.mean", -0.1, 0.1), ("filtered", "ttfb.mean", -0.1, 0.1)):
    found = [g for g in growth if (g["arm"], g["metric"], g.get("group", "")) == (arm, metric, "")]
    if len(found) != 1 or not low <= found[0]["exponent"] <= high:
        sys.exit(f"exponent of {arm} {metric}: {found}, expected {low} to {high}")
PY
}

# The factor in TTFB is what the phases say: 1 + route / (origin's share of a request).
accept_docs_site() {
  run_routing docs-site
  echo "checks the factor in TTFB against the phases"
  python3 - "$routing_run" <<'PY'
import json, sys
metrics = json.load(open(sys.argv[1] + "/summary.json"))["metrics"]
of = lambda name, arm: next(m["arms"][arm] for m in metrics if m["name"] == name and m.get("group", "") == "")
factor = of("ttfb.mean", "legacy") / of("ttfb.mean", "hashed")
origin = (1 - of("cache.hit_ratio", "hashed")) * of("phase.origin.mean", "hashed")
said = 1 + of("phase.route.mean", "legacy") / origin
print(f"factor {factor:.1f}; by the phases {said:.1f}")
if not 5 < factor < 20 or abs(factor / said - 1) > 0.2:
    sys.exit("the factor is far from ten, or not that of the phases")
PY
}

# With little room tables push the neighbours' values out of the LRU; entries do not.
accept_lru_pressure() {
  run_routing lru-pressure
  echo "checks the neighbours' hit ratio at 16 MiB"
  python3 - "$routing_run" <<'PY'
import json, sys
metrics = json.load(open(sys.argv[1] + "/summary.json"))["metrics"]
m = next(m for m in metrics if m["name"] == "kv.neighbours.hit_ratio" and m["group"] == "sweep=lru=16MiB")
if not m["change"]["hashed"]["low"] > 0:
    sys.exit(f"hashed does not spare the neighbours: {m}")
PY
}

# The filter answers nearly every unknown hostname.
accept_filters() {
  run_routing filters
  echo "checks the routing time and the false positives"
  python3 - "$routing_run" <<'PY'
import json, sys
metrics = json.load(open(sys.argv[1] + "/summary.json"))["metrics"]
of = lambda name: next(m for m in metrics if m["name"] == name and m.get("group", "") == "")
if not of("phase.route.mean")["change"]["filtered"]["high"] < 0:
    sys.exit("filtered is not faster than hashed")
if not of("filter.false_positives")["arms"]["filtered"] < 0.01:
    sys.exit("more than 1 % false positives")
PY
}

# A million deployments as a store: hashed routing takes at most 8 % of legacy's bytes.
accept_routing_sizes() {
  local sizes dataset=$out/million.zst
  sizes=$(printf '10000,1000,100,10,%.0s' $(seq 51))
  rm -f "$dataset"
  echo "generates a million deployments"
  switchback dataset gen --sizes "${sizes%,}" --tail 102000 --out "$dataset"
  echo "measures them as a store with each compression"
  switchback dataset sizes "$dataset" --dir "$out" | tee "$out/sizes-table.txt"
  awk '/^ *routing, legacy/ {legacy=$(NF-3)} /^ *routing, hashed/ {hashed=$(NF-3)}
    END {printf "hashed takes %.1f %% of the logical bytes of legacy\n", 100*hashed/legacy; exit !(hashed <= 0.08*legacy)}' "$out/sizes-table.txt"
  rm -f "$dataset"
}

# The look-up itself, and the hashed router over 10 thousand and 1 million deployments.
accept_routing_benchmarks() {
  go test ./edge/publish -run '^$' -bench 'Route$|RouteScale' -timeout 30m
}
