#!/usr/bin/env bash
# What takes longer than a test: full-length experiments, series, long fuzzing.
# Called by `./run.sh accept [STEP…]`; without a step all are run, in order. Each
# step writes what it measured to results/accept/STEP.txt, which the docs quote.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=results/accept
mkdir -p "$out"
PATH="$PWD/bin:$PATH"

# fail says why a step failed and ends it. (set -e does not: it rests while a step is part of an ||.)
fail() { echo "FAILED: $*"; exit 1; }

for part in harness/test/accept/*.sh; do
  # shellcheck source=/dev/null
  source "$part"
done
steps=$(declare -F | sed -n 's/^declare -f accept_//p')

failed=()
for step in ${*:-$steps}; do
  if ! declare -F "accept_$step" >/dev/null; then
    echo "accept: no step $step; expected one of: $(echo $steps)" >&2
    exit 2
  fi
  echo "== $step"
  ( set -e; "accept_$step" ) 2>&1 | tee "$out/$step.txt" || failed+=("$step")
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}"
  exit 1
fi
echo "all steps passed"
