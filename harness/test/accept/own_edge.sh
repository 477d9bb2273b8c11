# Steps on servers of the user's own: what a hostname costs at real edges.
#
# The design of the measurement. The middles of the first and the last third of
# the H = 12,503 hostnames lie 2/3 · H apart, so the cost found in one block has
# a standard error of √2 · 1.25 · σ/√n / (2/3 · H), for medians of n requests of
# each third and σ of one request; the interval over 12 blocks is ± 2.2/√12 of it.
#  - flat methods: σ is about 35 µs (service_ttfb: p90 − p50 = 45 µs). n = 40, all
#    that 120/s leave, would give ± 0.7 ns; n = 500 gives ± 0.2 ns. They run
#    without the slow arms, at 1,500/s: flat-hosts.yaml.
#  - regexes and ACL lines: what differs within a third is σ, 1/3 · H · cost/√12.
#    n = 40 gives ± 2.5 % of the cost; at more than 120/s the slowest arm queues.

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
