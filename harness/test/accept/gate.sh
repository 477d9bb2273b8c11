# Steps on the gate: false alarms on two equal edges, an injected busy loop,
# injected stalls. SEEDS lists those of the gates of the first two.

# faulty_experiment NAME PAIRS LENGTH RATE REQUESTS ARRIVALS FAULT BOUND writes an
# experiment of the same edge twice, the candidate with a fault, and prints its
# file. faulty_setup comes first.
faulty_experiment() {
  local edge="$PWD/bin/faultyedge -listen 127.0.0.1:{port} -origin http://{origin} -dataset $work/dataset.zst -cache $work/cache -store {dir}/store"
  cat >"$work/$1.yaml" <<YAML
name: $1
dataset: {file: $work/dataset.zst}
targets: {per_block: {100: $5}}
load: {rate: $4, arrivals: $6}
arms:
  - {name: base, command: {run: "$edge", ready: tcp}}
  - {name: candidate, command: {run: "$edge $7", ready: tcp}}
blocks: {pairs: $2, length: $3, guard: 20ms, launch_every: 1}
gate: $8
YAML
  echo "$work/$1.yaml"
}

# faulty_setup builds the faulty edge and its dataset in a folder of its own.
faulty_setup() {
  work=$PWD/$out/$1
  rm -rf "$work"
  mkdir -p "$work"
  go build -o bin/faultyedge ./harness/test/faultyedge
  switchback dataset gen --sizes 100 --tail 0 --seed 1 --out "$work/dataset.zst" >/dev/null
}

# judged FILE SEED [FLAG…] runs an experiment until the machine was quiet enough
# to believe it, at most three times; the exit code is that of the run.
judged() {
  local file=$1 seed=$2 code
  shift 2
  for _ in 1 2 3; do
    rm -rf "$work/run" "$work/launches"
    code=0
    switchback run "$file" --seed "$seed" --strict --quiet --out "$work/run" "$@" >"$work/last.txt" || code=$?
    [ $code -eq 4 ] || break
  done
  return $code
}

# count_gate CODE counts a gate of two equal edges by its exit code, in the
# variables gates, alarms, invalid and open of its caller.
count_gate() {
  gates=$((gates + 1))
  case $1 in
    0) ;;
    3) open=$((open + 1)) ;;
    4) invalid=$((invalid + 1)) ;;
    99) alarms=$((alarms + 1)) ;;
    *) cat "$work/last.txt"; fail "gate $seed ended with $1" ;;
  esac
}

# At most 1 false alarm in 60 A/A gates at alpha 1 % with a margin of 5 %.
accept_gate_false_alarms() {
  local work file seeds=${SEEDS:-$(seq 1 60)} gates=0 alarms=0 invalid=0 open=0 seed code
  faulty_setup gate-false-alarms
  file=$(faulty_experiment same 12 200ms 600/s 120 poisson "" "{alpha: 0.01, bounds: [{metric: ttfb.p50, max_regression: 5%}]}")
  for seed in $seeds; do
    code=0
    judged "$file" "$seed" || code=$?
    count_gate $code
  done
  echo "$gates A/A gates of 12 pairs, alpha 1 %, margin 5 %: $alarms false alarms, $open inconclusive, $invalid invalid"
  [ $alarms -le 1 ] || fail "more than one false alarm"
  [ $invalid -eq 0 ] || fail "$invalid gates were invalid three times: the machine is too busy to measure"
}

# median FILE prints the baseline's ttfb.p50 of the last run in nanoseconds.
median() {
  python3 - "$work/run/summary.json" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))
print(next(round(1e9 * m["arms"][s["baseline"]]) for m in s["metrics"] if m["name"] == "ttfb.p50" and "group" not in m))
PY
}

# A busy loop of a tenth of the edge's median is found at p50 in at least 9 of 10
# gates of at most a minute, at margin 0.
accept_gate_busy_loop() {
  local work file seeds=${SEEDS:-$(seq 1 10)} gates=0 found=0 invalid=0 seed code busy bound="[{metric: ttfb.p50, max_regression: 0%}]"
  faulty_setup gate-busy-loop
  file=$(faulty_experiment same 12 200ms 600/s 120 poisson "" "$bound")
  judged "$file" 1 || [ $? -ne 4 ] || fail "the machine is too busy to measure"
  busy=$(($(median) / 10))
  echo "median $((10 * busy / 1000)) µs, busy loop ${busy}ns"
  file=$(faulty_experiment busy 12 200ms 600/s 120 poisson "-busy ${busy}ns" "$bound")
  for seed in $seeds; do
    gates=$((gates + 1))
    code=0
    judged "$file" "$seed" --time-budget 50s || code=$?
    echo "gate $seed: exit $code; $(grep -A 3 'ttfb.p50 of candidate' "$work/last.txt" | sed -n 's/^ *change: /change: /p')"
    [ $code -ne 99 ] || found=$((found + 1))
    [ $code -ne 4 ] || invalid=$((invalid + 1))
  done
  echo "found in $found of $gates gates, $invalid invalid"
  [ $invalid -eq 0 ] || fail "the machine is too busy to measure"
  [ $((10 * found)) -ge $((9 * gates)) ] || fail "found in too few gates"
}

# Eight stalls of 200 ms in the candidate's blocks of 160 pairs are found by the
# stall test and by nothing else.
accept_gate_stalls() {
  local work file code=0
  faulty_setup gate-stalls
  file=$(faulty_experiment stalls 160 250ms 400/s 100 constant "-stall 200ms -stall-every 20 -stall-at 15 -stall-count $work/launches" "[{metric: ttfb.p50, max_regression: 5%}]")
  judged "$file" 1 || code=$?
  switchback gate "$work/run" || true
  [ $code -eq 99 ] || fail "exit code $code, expected 99"
  python3 - "$work/run/summary.json" <<'PY'
import json, sys
broken = [g["metric"] for g in json.load(open(sys.argv[1]))["gates"] if g["verdict"] != "pass"]
sys.exit(0 if broken == ["stalls"] else f"not passed: {broken}, expected the stall test alone")
PY
}

# Other work that switches on and off at random for 0.2 to 5 s, until its process is ended.
random_load() {
  exec python3 - <<'PY'
import random, time
draw = random.Random(1)
end = time.monotonic() + 3600
while time.monotonic() < end:
    until = time.monotonic() + draw.uniform(0.2, 5)
    while time.monotonic() < until:
        pass
    time.sleep(draw.uniform(0.2, 5))
PY
}

# At most 7 false alarms in 60 A/A gates at margin 0 and alpha 5 % beside a load
# that comes and goes, and the same question to simulated queues.
accept_gate_noise() {
  local work file seed code gates=0 alarms=0 invalid=0 open=0
  faulty_setup gate-noise
  file=$(faulty_experiment noise 12 200ms 600/s 120 poisson "" "{alpha: 0.05, bounds: [{metric: ttfb.p50, max_regression: 0%}]}")
  random_load &
  noise_load=$! # not local: the trap runs when the function has ended
  trap 'kill $noise_load 2>/dev/null || true' EXIT
  for seed in ${SEEDS:-$(seq 1 60)}; do
    code=0
    rm -rf "$work/run"
    switchback run "$file" --seed "$seed" --strict --quiet --out "$work/run" >"$work/last.txt" || code=$?
    count_gate $code
  done
  echo "$gates A/A gates of 12 pairs, alpha 5 %, margin 0, beside a load: $alarms false alarms, $open inconclusive, $invalid invalid"
  [ $alarms -le 7 ] || fail "more than 7 false alarms"
  kill $noise_load 2>/dev/null || true
  echo "noise | false alarms at margin 0 | +3 % against 5 % called | +10 % against 5 % found | of them too noisy to tell"
  go test ./results/gate -count=1 -run '^TestSimulatedNoise$' -v -noise-gates 1000 | sed -n 's/^.*simulate_noise_test.go:[0-9]*: //p'
}
