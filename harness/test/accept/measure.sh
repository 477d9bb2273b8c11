# Steps on what is measured by default, and on the method's false alarms.

# The default experiment in full: exit code 0, hashed at most a tenth of legacy.
accept_pages_routing() {
  local run=$out/pages-routing-run
  rm -rf "$run"
  switchback run pages-routing --quiet --out "$run"
  echo "hashed to legacy, ttfb.p50 at 10,000 deployments (at most 0.1):"
  python3 - "$run/summary.json" <<'PY'
import json, sys
for m in json.load(open(sys.argv[1]))["metrics"]:
    if m["name"] == "ttfb.p50" and m.get("group") == "size=10000":
        c = m["change"]["hashed"]
        print(f'{c["ratio"]:.5f}, interval {c["low"]:.5f} to {c["high"]:.5f}')
        sys.exit(c["high"] > 0.1)
sys.exit("summary.json has no ttfb.p50 of size=10000")
PY
}

# The A/A experiment over 20 seeds, or those of SEEDS: never a regression (0 or 3, not 99).
accept_aa() {
  local seed code
  for seed in ${SEEDS:-$(seq 1 20)}; do
    code=0
    switchback run aa --seed "$seed" --strict --quiet --out "$(mktemp -d)/run" >"$out/aa-last.txt" || code=$?
    echo "seed $seed: exit $code, $(grep '^verdict' "$out/aa-last.txt")"
    [ $code -eq 0 ] || [ $code -eq 3 ] || fail "seed $seed ended with $code"
  done
}

# Every fuzz target for a minute.
accept_fuzz() {
  local package target
  for package in $(go list ./...); do
    for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
      echo "$package $target"
      go test -run '^$' -fuzz "^$target\$" -fuzztime 60s -fuzzminimizetime 20x "$package" | tail -n 2
    done
  done
}

# Every test beside a busy loop on each CPU: none of them may rest on the time that something takes.
accept_busy_tests() (
  loops=()
  trap 'kill "${loops[@]}" 2>/dev/null || true' EXIT
  for _ in $(seq "$(nproc)"); do
    timeout 2h sh -c 'while :; do :; done' &
    loops+=($!)
  done
  ./run.sh test
)
