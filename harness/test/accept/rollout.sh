# Steps on rollouts: the four experiments in full.

# What a flip costs the origin is what the formula says, within 15 %, at once
# and in steps; and steps lower the peak.
accept_ring_rollout() {
  local run=$out/ring-rollout-run
  rm -rf "$run"
  switchback run ring-rollout --quiet --out "$run"
  python3 - "$run/blocks.jsonl" <<'PY'
import json, sys
peaks, wrong = {}, []
for line in open(sys.argv[1]):
    block = json.loads(line)
    value = {m["metric"]: m["value"] for m in block["metrics"] if not m.get("group")}
    extra, formula, peaks[block["arm"]] = (value["rollout." + k] for k in ("extra_origin", "expected_origin", "peak_origin"))
    print(f'{block["arm"]}: {extra:.0f} extra origin requests, {formula:.0f} by formula ({extra / formula - 1:+.1%}), {peaks[block["arm"]]:.0f} in the worst second')
    if abs(extra / formula - 1) > 0.15:
        wrong.append(block["arm"])
    if sum(block.get("errors", {}).values()):
        wrong.append("errors of " + block["arm"])
if peaks["stepped"] >= peaks["at-once"]:
    wrong.append("the peak of steps")
sys.exit("wrong: " + ", ".join(wrong) if wrong else 0)
PY
}

# Shares are kept, nothing fails, and the rollback in the middle is complete.
accept_router_rollout() {
  local run=$out/router-rollout-run
  rm -rf "$run"
  switchback run router-rollout --quiet --out "$run"
  python3 - "$run/blocks.jsonl" <<'PY'
import json, sys
block = json.loads(open(sys.argv[1]).readline())
share = {m["group"]: m["value"] for m in block["metrics"] if m["metric"] == "rollout.share"}
print("share of the requests on the new router:", {k: round(v, 3) for k, v in share.items()})
sys.exit("a step is wrong" if sum(block.get("errors", {}).values()) or share["step=rollback"] != 0 or
         not share["step=1"] < share["step=10"] < share["step=50"] < share["step=100"] < 1 else 0)
PY
}

# No request fails while a node is dead, on any ring and by any tie rule.
accept_node_loss() {
  local run=$out/node-loss-run
  rm -rf "$run"
  switchback run node-loss --quiet --out "$run"
  python3 - "$run/blocks.jsonl" <<'PY'
import json, sys
failed = 0
for line in open(sys.argv[1]):
    block = json.loads(line)
    of = lambda name, step: next(m["value"] for m in block["metrics"] if m["metric"] == name and m.get("group") == "step=" + step)
    failed += sum(block.get("errors", {}).values())
    print(f'{block["arm"]}: {of("nodes.retries", "refused"):.1f} retries a 1,000, fetched again {of("rollout.extra_origin", "refused"):.0f} '
          f'({of("rollout.expected_origin", "refused"):.0f} by formula), when back {of("rollout.extra_origin", "back"):.0f}')
sys.exit(f"{failed} requests failed" if failed else 0)
PY
}

# The choice by request costs more than the choice by key.
accept_key_or_request() {
  local run=$out/key-or-request-run
  rm -rf "$run"
  switchback run key-or-request --quiet --out "$run"
  python3 - "$run/blocks.jsonl" <<'PY'
import json, sys
extra = {}
for line in open(sys.argv[1]):
    block = json.loads(line)
    extra[block["arm"]] = next(m["value"] for m in block["metrics"] if m["metric"] == "rollout.extra_origin" and not m.get("group"))
print({k: round(v) for k, v in extra.items()}, "extra origin requests")
sys.exit("the choice by request costs no more" if extra["request"] < 2 * extra["key"] else 0)
PY
}
