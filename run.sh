#!/usr/bin/env bash
# Builds switchback and runs it.
#
#   ./run.sh            build, then the default experiment (pages-routing, about two minutes)
#   ./run.sh build      build bin/switchback
#   ./run.sh test       every check and test of the project
#   ./run.sh accept     what takes longer: full-length experiments and series; writes the tables that the docs quote
#   ./run.sh jaeger     build Jaeger (about four minutes, once) and run it on loopback, its traces in memory
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

# free ends the script when something listens on a port of loopback that
# Jaeger needs; the variable names another one.
free() {
  local variable=$1 port=$2
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    echo "run.sh: port $port is taken (another Jaeger?): set $variable to a free one" >&2
    exit 1
  fi
}

# jaeger runs a Jaeger that only this machine can reach, until it is stopped.
jaeger() {
  free JAEGER_OTLP_GRPC_PORT "${JAEGER_OTLP_GRPC_PORT:-4317}"
  free JAEGER_OTLP_HTTP_PORT "${JAEGER_OTLP_HTTP_PORT:-4318}"
  free JAEGER_QUERY_PORT "${JAEGER_QUERY_PORT:-16686}"
  free JAEGER_QUERY_GRPC_PORT "${JAEGER_QUERY_GRPC_PORT:-16685}"
  [ -x bin/jaeger ] || echo "run.sh: building bin/jaeger (the first time takes about four minutes)" >&2
  mkdir -p bin
  go build -C tools/jaeger -o "$PWD/bin/jaeger" github.com/jaegertracing/jaeger/cmd/jaeger
  cat >&2 <<END
Jaeger, traces in memory; end it with Ctrl-C.
  OTLP/gRPC  http://127.0.0.1:${JAEGER_OTLP_GRPC_PORT:-4317}
  OTLP/HTTP  http://127.0.0.1:${JAEGER_OTLP_HTTP_PORT:-4318}
  JSON API   http://127.0.0.1:${JAEGER_QUERY_PORT:-16686}/api/traces?service=switchback
END
  exec bin/jaeger --config tools/jaeger/config.yaml
}

case "${1-}" in
  "")     build; exec bin/switchback run pages-routing ;;
  build)  build ;;
  test)   build; shift; exec bash harness/test/test.sh "$@" ;;
  accept) build; shift; exec bash harness/test/accept.sh "$@" ;;
  jaeger) jaeger ;;
  *)      build; exec bin/switchback "$@" ;;
esac
