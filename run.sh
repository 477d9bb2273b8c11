#!/usr/bin/env bash
# Builds switchback and runs it.
#
#   ./run.sh            build, then the default experiment (pages-routing, about two minutes)
#   ./run.sh build      build bin/switchback
#   ./run.sh test       every check and test of the project
#   ./run.sh accept     what takes longer: full-length experiments and series; writes the tables that the docs quote
#   ./run.sh ARG…       build, then bin/switchback ARG…
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

build() {
  if ! command -v go >/dev/null; then
    echo "run.sh: Go 1.26 is needed: install it and put its bin folder into PATH" >&2
    exit 1
  fi
  [ -x bin/switchback ] || echo "run.sh: building bin/switchback (the first time takes a few minutes)" >&2
  mkdir -p bin
  go build -o bin/switchback ./harness/cmd/switchback
}

case "${1-}" in
  "")     build; exec bin/switchback run pages-routing ;;
  build)  build ;;
  test)   build; shift; exec bash harness/test/test.sh "$@" ;;
  accept) build; shift; exec bash harness/test/accept.sh "$@" ;;
  *)      build; exec bin/switchback "$@" ;;
esac
