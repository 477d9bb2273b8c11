#!/usr/bin/env bash
# Every check and test of the project; called by `./run.sh test`. The last lines
# name what was skipped and count what ran.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
fuzz_seconds=${FUZZ_SECONDS:-3}

step() { printf '\n== %s (%ds)\n' "$*" "$SECONDS"; }

# Servers that some tests talk to, and the browser that opens the reports. A
# package that starts a service when it is installed is told not to.
tools() {
  local missing=()
  command -v nginx >/dev/null || missing+=(nginx-light)
  command -v haproxy >/dev/null || missing+=(haproxy)
  command -v varnishd >/dev/null || missing+=(varnish)
  command -v apache2 >/dev/null || missing+=(apache2-bin)
  command -v caddy >/dev/null || missing+=(caddy)
  command -v chromium >/dev/null || missing+=(chromium)
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "not root on Debian: tests that need ${missing[*]} are skipped by name"
    return
  fi
  local policy=/usr/sbin/policy-rc.d ours=
  if [ ! -e $policy ]; then printf '#!/bin/sh\nexit 101\n' >$policy; chmod +x $policy; ours=1; fi
  apt-get update -qq >/dev/null || echo "could not read the list of packages"
  local package
  for package in "${missing[@]}"; do
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
      echo "could not install $package: tests that need it are skipped by name"
  done
  if [ -n "$ours" ]; then rm -f $policy; fi
}

step "tools"
tools

step "gofmt"
unformatted=$(gofmt -l $(git ls-files -co --exclude-standard '*.go'))
if [ -n "$unformatted" ]; then echo "gofmt would change: $unformatted"; exit 1; fi

step "go vet"
go vet ./...

step "staticcheck"
go build -C tools/staticcheck -o "$PWD/bin/staticcheck" honnef.co/go/tools/cmd/staticcheck
bin/staticcheck ./...

step "go mod tidy"
go mod tidy -diff

step "Jaeger"
if go build -C tools/jaeger -o "$PWD/bin/jaeger" github.com/jaegertracing/jaeger/cmd/jaeger; then
  export SWITCHBACK_JAEGER=$PWD/bin/jaeger
else
  echo "could not build Jaeger: tests that need it are skipped by name"
fi

step "readers in JavaScript"
if command -v npm >/dev/null && npm install --prefix tools/readers --no-package-lock --no-audit --no-fund --ignore-scripts --silent; then
  echo "hdr-histogram-js and hyparquet read the files of a run"
else
  echo "no npm: TestFilesOfASweepNameTheCell does not read the files with hdr-histogram-js and hyparquet"
fi

step "go test -race"
tally=$(mktemp)
trap 'rm -f "$tally"' EXIT
go build -o bin/tally ./harness/test/tally
result=0
# One package at a time: many tests run real servers, and those of another
# package would be foreign load to them. The race detector waits a second at
# each exit unless it is told not to.
export GORACE=atexit_sleep_ms=10
go build -race ./...
{
  go test -race -p 1 -count=1 -timeout 15m -json ./...
  # In full size; the race detector gets a smaller one.
  go test -count=1 -run '^TestLarge' -json ./results/report/page
} | bin/tally >"$tally" || result=$?
grep -v -e '^skipped: ' -e ' skipped$' "$tally" || true
if [ $result -ne 0 ]; then tail -n 1 "$tally"; exit 1; fi

step "fuzz, $fuzz_seconds s a target"
fuzzed=0
for package in $(go list ./...); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${fuzz_seconds}s" -fuzzminimizetime 20x "$package" | tail -n 2
    fuzzed=$((fuzzed + 1))
  done
done

printf '\n== done in %d s; %d fuzz targets\n' "$SECONDS" "$fuzzed"
grep '^skipped: ' "$tally" || true
tail -n 1 "$tally"
