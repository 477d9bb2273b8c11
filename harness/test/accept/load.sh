# Steps on the engines: agreement on a slow server, memory over ten million requests, the comparison with other generators.

# started COMMAND…: runs a server that prints a ready line, and sets address, admin and server.
started() {
  local ready
  ready=$(mktemp)
  "$@" >"$ready" &
  server=$!
  until grep -q '"ready":true' "$ready"; do
    kill -0 "$server" || return 1
    sleep 0.05
  done
  address=$(sed 's/.*"listen":"\([^"]*\)".*/\1/' "$ready") admin=$(sed 's/.*"admin":"\([^"]*\)".*/\1/' "$ready")
  rm -f "$ready"
}

# Both engines measure the same median service_ttfb of an origin that takes 5 ms, within 3 %, over alternating loads.
accept_engines_agree() {
  local address admin server engine round work
  work=$(mktemp -d)
  started switchback origin --delay 5ms
  for round in 1 2 3 4 5 6 7; do
    for engine in wire vegeta; do
      switchback attack --engine "$engine" --rate 200/s --duration 2s --seed "$round" --json "http://$address/a/00112233/1000" >"$work/$engine-$round.json"
    done
  done
  kill "$server"
  python3 - "$work" <<'PY'
import json, statistics, sys
median = {e: statistics.median(json.load(open(f"{sys.argv[1]}/{e}-{r}.json"))["service_ttfb"]["p50"] for r in range(1, 8)) for e in ("wire", "vegeta")}
ratio = median["vegeta"] / median["wire"]
print(f'median service_ttfb: wire {median["wire"] * 1e3:.3f} ms, vegeta {median["vegeta"] * 1e3:.3f} ms, ratio {ratio:.4f} (0.97 to 1.03)')
sys.exit(not 0.97 <= ratio <= 1.03)
PY
}

# Ten million requests: the generator's memory is flat (the second half adds at most 10 %) and stays under 150 MiB.
accept_ten_million() {
  local address admin server pid
  started switchback origin
  switchback attack --arrivals concurrency --connections 64 --duration 1h "http://$address/a/00112233/100" 2>/dev/null &
  pid=$!
  python3 - "$pid" "$admin" <<'PY' || { kill "$pid" "$server" || true; return 1; }
import json, os, re, signal, sys, time, urllib.request
pid, admin = sys.argv[1:]
def peak():
    return int(re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) / 1024
def asked():
    return json.load(urllib.request.urlopen(f"http://{admin}/stats"))["requests"]
half = None
while asked() < 10_000_000:
    time.sleep(0.2)
    if half is None and asked() >= 5_000_000:
        half = peak()
full = peak()
os.kill(int(pid), signal.SIGINT)
print(f"peak memory after 5 million requests {half:.1f} MiB, after 10 million {full:.1f} MiB (at most 150, and 1.1 times the former)")
sys.exit(full > 150 or full > 1.1 * half)
PY
  wait "$pid" || true
  kill "$server"
}

# The comparison with what is installed; docs/performance.md quotes it.
accept_generators() {
  command -v nginx >/dev/null || fail "nginx is not installed"
  SWITCHBACK=$PWD/bin/switchback harness/load/bench/compare.sh
}
