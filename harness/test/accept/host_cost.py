"""What a hostname costs: python3 host_cost.py RUN ARM HOSTS LOW HIGH

In each block of the arm the medians of service_ttfb of the first, the middle
and the last third of HOSTS hostnames lie on a line; its slope by least squares
is the cost of one hostname in that block. (Medians, since a single stall moves
a mean of some hundred requests by more than what is looked for; within a block,
since all three thirds then share what the machine does.) The cost is the median
of the blocks' slopes. Its interval are the order statistics that hold the
median with 95 % or more whatever the slopes' distribution. It ends with 1
unless the whole interval lies between LOW and HIGH, in nanoseconds.
"""
import json
import math
import sys

THIRDS = {"first": 1 / 6, "middle": 1 / 2, "last": 5 / 6}


def slopes(run, arm, hosts):
    for line in open(run + "/blocks.jsonl"):
        block = json.loads(line)
        if block["arm"] != arm:
            continue
        at = {}
        for m in block["metrics"]:
            key, _, third = m.get("group", "").partition("=")
            if m["metric"] == "service_ttfb.p50" and key == "position" and third in THIRDS:
                at[THIRDS[third] * hosts] = 1e9 * m["value"]
        if len(at) == len(THIRDS):
            x, y = sum(at) / len(at), sum(at.values()) / len(at)
            yield sum((h - x) * (v - y) for h, v in at.items()) / sum((h - x) ** 2 for h in at)


def interval(values):
    """The ends, as far inside as 2·P(Binomial(n, ½) < k) ≤ 5 % lets them be."""
    n, k, tail = len(values), 0, 0.0
    while 2 * (tail + math.comb(n, k) / 2**n) <= 0.05:
        tail += math.comb(n, k) / 2**n
        k += 1
    return (values[k - 1], values[n - k]) if k else (-math.inf, math.inf)


def main(run, arm, hosts, low, high):
    found = sorted(slopes(run, arm, float(hosts)))
    if not found:
        sys.exit(f"{arm}: no block has the medians of all three thirds")
    below, above = interval(found)
    middle = (found[(len(found) - 1) // 2] + found[len(found) // 2]) / 2
    print(f"{arm}: {middle:.2f} ns a hostname, 95 % interval {below:.2f} … {above:.2f}, {len(found)} blocks (expected {low} to {high})")
    if not float(low) <= below <= above <= float(high):
        sys.exit(1)


main(*sys.argv[1:])
