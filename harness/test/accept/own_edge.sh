# Steps on servers of the user's own: what a hostname costs at real edges.
#
# The design of the measurement. The medians of the first and the last third of
# the hostnames lie 2/3 of H = 12,503 apart, so a block's cost has a standard
# error of √2 · 1.25 · σ / √n / (2/3 · H): n requests of each third, σ of one
# request. Over 12 blocks the interval's half is about 2.2/√12 of that.
#  - flat methods: σ is 15 to 25 µs, so n = 40 (120/s) leaves ±0.4 ns, n = 500
#    ±0.1 ns. They are measured alone at 1,500/s: flat-hosts.yaml.
#  - regexes and ACL lines: a third spreads over a third of the cost, 130 µs at
#    30 ns a hostname. n = 40 leaves about ±3 ns, a tenth of what is expected;
#    more than 120/s their servers could not keep up with.

# run_anew NAME EXPERIMENT [FLAG…] runs an experiment into the folder of its name.
run_anew() {
  rm -rf "$out/$1-run"
  switchback run "$2" --quiet --out "$out/$1-run" "${@:3}"
}

# cost_within NAME ARM LOW HIGH checks the cost of a hostname in a run.
cost_within() {
  python3 harness/test/accept/host_cost.py "$out/$1-run" "$2" 12503 "$3" "$4" || fail "the cost of a hostname in $2"
}

# Exact names and maps cost the same for each hostname.
accept_flat_hosts() {
  run_anew flat-hosts harness/test/accept/flat-hosts.yaml
  cost_within flat-hosts names -1 1
  cost_within flat-hosts map -1 1
  cost_within flat-hosts map-str -1 1
}

# nginx: regexes cost by their position.
accept_nginx_hosts() {
  run_anew nginx-hosts nginx-hosts
  cost_within nginx-hosts regex 10 inf
  cost_within nginx-hosts regex-map 5 inf
}

# HAProxy: ACL lines cost by their position.
accept_haproxy_hosts() {
  run_anew haproxy-hosts haproxy-hosts
  cost_within haproxy-hosts acl 50 inf
}

# nginx and the built-in v1 send every key to the same node.
accept_nginx_ring() {
  run_anew nginx-ring nginx-ring | tee "$out/nginx-ring-last.txt"
  [ "$(grep -c '100% of 2000 keys have the same answer' "$out/nginx-ring-last.txt")" = 2 ] || fail "keys go to different nodes"
}

# Changes while serving.
accept_nginx_reload() { run_anew nginx-reload nginx-reload; }
accept_haproxy_reload() { run_anew haproxy-reload haproxy-reload; }

# Every server on the machine.
accept_hosts_all() { run_anew hosts-all hosts-all; }
