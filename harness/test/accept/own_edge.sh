# Steps on servers of the user's own: what a hostname costs at real edges.

# cost_of RUN ARM prints the nanoseconds that each hostname before the match
# costs: least squares of the mean service time over the thirds of the list.
cost_of() {
  python3 - "$1/blocks.jsonl" "$2" "$3" <<'PY'
import json, sys
values = {}
for line in open(sys.argv[1]):
    block = json.loads(line)
    if block["arm"] != sys.argv[2]:
        continue
    for m in block["metrics"]:
        if m["metric"] == "service_ttfb.p50" and m.get("group", "").startswith("position="):
            values.setdefault(m["group"][9:], []).append(m["value"])
median = lambda v: sorted(v)[len(v) // 2]
hosts = float(sys.argv[3])
points = [(hosts * x, median(values[name])) for x, name in ((1/6, "first"), (1/2, "middle"), (5/6, "last"))]
mx = sum(x for x, _ in points) / 3
my = sum(y for _, y in points) / 3
slope = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)
print(f"{1e9 * slope:.2f}")
PY
}

# cost_within RUN ARM LOW HIGH checks a cost.
cost_within() {
  local cost
  cost=$(cost_of "$1" "$2" 10000)
  echo "$2: $cost ns a hostname (expected $3 to $4)"
  python3 -c "import sys; sys.exit(not $3 <= $cost <= $4)" || fail "$2 costs $cost ns a hostname"
}

# nginx: regexes cost by their position, exact names and exact maps do not.
accept_nginx_hosts() {
  local run=$out/nginx-hosts-run
  rm -rf "$run"
  switchback run nginx-hosts --quiet --out "$run"
  cost_within "$run" regex 10 1000
  cost_within "$run" regex-map 5 1000
  cost_within "$run" names -100 1
  cost_within "$run" map -100 1
}

# HAProxy: ACL lines cost by their position, exact maps do not.
accept_haproxy_hosts() {
  local run=$out/haproxy-hosts-run
  rm -rf "$run"
  switchback run haproxy-hosts --quiet --out "$run"
  cost_within "$run" acl 50 5000
  cost_within "$run" map-str -100 1
}

# nginx and the built-in v1 send every key to the same node.
accept_nginx_ring() {
  local run=$out/nginx-ring-run
  rm -rf "$run"
  switchback run nginx-ring --quiet --out "$run" | tee "$out/nginx-ring-last.txt"
  [ "$(grep -c '100% of 2000 keys have the same answer' "$out/nginx-ring-last.txt")" = 2 ] || fail "keys go to different nodes"
}

# Changes while serving, and every server on the machine.
accept_reloads() {
  local name run
  for name in nginx-reload haproxy-reload hosts-all; do
    run=$out/$name-run
    rm -rf "$run"
    switchback run $name --quiet --out "$run"
  done
}
