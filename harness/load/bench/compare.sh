#!/bin/bash
# Compares load generators on this machine: one nginx worker on one CPU, one
# generator on another, a file of 1 KiB, 64 keep-alive connections (50 where a
# tool wants a rate for each). Requests are counted by nginx, CPU and memory of
# the generator by the kernel, the instants of sending by tcpdump (as root).
#
#   compare.sh                  five alternating rounds, then the table
#   compare.sh round FILE       one round, appended to FILE
#   compare.sh table FILE       the table of a file: medians over its rounds
#
# SECONDS_EACH (3), RATE (5000), SERVER_CPU (0), CLIENT_CPU (1), PORT (18080)
# and SWITCHBACK (bin/switchback) may be set. Tools that are not installed are
# left out: wrk, wrk2, h2load, hey, bombardier, vegeta, ab.
set -euo pipefail

seconds=${SECONDS_EACH:-3} rate=${RATE:-5000} port=${PORT:-18080}
server_cpu=${SERVER_CPU:-0} client_cpu=${CLIENT_CPU:-1}
switchback=${SWITCHBACK:-bin/switchback}
url=http://127.0.0.1:$port/file
work=$(mktemp -d)
nginx_pid=

stop() {
	[ -z "$nginx_pid" ] || kill "$nginx_pid" 2>/dev/null || true
	rm -rf "$work"
}
trap stop EXIT

start_nginx() {
	mkdir "$work/html"
	head -c 1024 /dev/zero | tr '\0' x >"$work/html/file"
	cat >"$work/nginx.conf" <<-END
		worker_processes 1;
		daemon off;
		pid $work/pid;
		error_log $work/error.log;
		events { worker_connections 1024; }
		http {
		    access_log off;
		    keepalive_requests 1000000000;
		    keepalive_timeout 1h;
		    client_body_temp_path $work/a; proxy_temp_path $work/b; fastcgi_temp_path $work/c;
		    uwsgi_temp_path $work/d; scgi_temp_path $work/e;
		    open_file_cache max=10;
		    server {
		        listen 127.0.0.1:$port;
		        root $work/html;
		        location = /status { stub_status; }
		    }
		}
	END
	chmod -R a+rX "$work"
	taskset -c "$server_cpu" nginx -c "$work/nginx.conf" &
	nginx_pid=$!
	for _ in $(seq 100); do
		curl -sf "$url" >/dev/null && return
		sleep 0.05
	done
	echo "nginx does not answer" >&2
	exit 1
}

served() { curl -s "http://127.0.0.1:$port/status" | awk 'NR == 3 { print $3 }'; }

have() { command -v "$1" >/dev/null; }

# The command lines; what a tool prints is not used.
closed_wrk() { wrk -t1 -c64 -d"${seconds}s" "$url"; }
closed_h2load() { h2load --h1 -t1 -c64 -D "$seconds" "$url"; }
closed_ab() { ab -q -k -c64 -t "$seconds" -n 100000000 "$url"; }
closed_hey() { hey -z "${seconds}s" -c 64 "$url"; }
closed_bombardier() { bombardier -q --fasthttp -c 64 -d "${seconds}s" "$url"; }
closed_vegeta() { vegeta attack -rate 0 -workers 64 -max-workers 64 -max-body 0 -duration "${seconds}s" -targets "$work/targets"; }
closed_switchback-wire() { "$switchback" attack --engine wire --arrivals concurrency --connections 64 --duration "${seconds}s" "$url"; }
closed_switchback-vegeta() { "$switchback" attack --engine vegeta --arrivals concurrency --connections 64 --duration "${seconds}s" "$url"; }
open_wrk2() { wrk2 -t1 -c50 -R "$rate" -d"${seconds}s" "$url"; }
open_h2load() { h2load --h1 -t1 -c50 --rps $((rate / 50)) -D "$seconds" "$url"; }
open_hey() { hey -z "${seconds}s" -c 50 -q $((rate / 50)) "$url"; }
open_bombardier() { bombardier -q --fasthttp -c 50 -r "$rate" -d "${seconds}s" "$url"; }
open_vegeta() { vegeta attack -rate "$rate" -max-body 0 -duration "${seconds}s" -targets "$work/targets"; }
open_switchback-wire() { "$switchback" attack --engine wire --arrivals constant --rate "$rate/s" --duration "${seconds}s" "$url"; }
open_switchback-vegeta() { "$switchback" attack --engine vegeta --arrivals constant --rate "$rate/s" --duration "${seconds}s" "$url"; }

# measure LOOP TOOL FILE: one run; appends loop, tool, rate, µs CPU a request,
# MiB, and for open loops the distance from the ideal schedule at p50 and p99.
measure() {
	local before after began ended dump=
	if [ "$1" = open ] && have tcpdump; then
		taskset -c "$server_cpu" tcpdump -i lo -n -tt --time-stamp-precision=nano -B 65536 -w "$work/dump" \
			"tcp dst port $port and tcp[tcpflags] & tcp-push != 0" 2>"$work/tcpdump.log" &
		dump=$!
		until grep -q listening "$work/tcpdump.log"; do sleep 0.05; done
	fi
	before=$(served)
	began=$(date +%s%N)
	export -f "$1_$2"
	/usr/bin/time -o "$work/time" -f "%U %S %M" taskset -c "$client_cpu" bash -c "$1_$2" >/dev/null 2>&1
	ended=$(date +%s%N)
	after=$(served)
	: >"$work/distance"
	if [ -n "$dump" ]; then
		kill "$dump"
		wait "$dump" || true
		tcpdump -n -tt --time-stamp-precision=nano -r "$work/dump" "greater 100" 2>/dev/null | distance >"$work/distance"
	fi
	awk -v loop="$1" -v tool="$2" -v n=$((after - before - 1)) -v s="$seconds" -v ns=$((ended - began)) \
		-v distance="$(cat "$work/distance")" '{ t = (ns / 1e9 > s + 1) ? ns / 1e9 : s
		printf "%s %s %.0f %.2f %.1f %s\n", loop, tool, n / t, ($1 + $2) / n * 1e6, $3 / 1024, distance }' "$work/time" >>"$3"
}

# distance reads send instants and prints how late they are at p50 and p99
# against equal gaps at the rate, the schedule laid so that the earliest
# hundredth is in time; µs.
distance() {
	awk -v rate="$rate" 'NR == 1 { first = $1 } { printf "%.3f\n", ($1 - first - (NR - 1) / rate) * 1e6 }' | sort -n |
		awk '{ late[NR] = $1 } END { zero = late[int(NR / 100) + 1]; printf "%.1f %.1f", late[int(NR / 2) + 1] - zero, late[int(NR * 0.99) + 1] - zero }'
}

export seconds rate url work switchback
round() {
	start_nginx
	printf 'GET %s\n' "$url" >"$work/targets"
	for loop in ${LOOPS:-closed open}; do
		for run in $(compgen -A function "${loop}_"); do
			local tool=${run#*_}
			if have "${tool/switchback-*/$switchback}"; then measure "$loop" "$tool" "$1"; fi
		done
	done
	kill "$nginx_pid"
	wait "$nginx_pid" || true
	nginx_pid=
	rm -rf "$work/html"
}

table() {
	for loop in closed open; do
		printf '\n| %s loop | requests/s | µs CPU a request | peak MiB | late p50 µs | late p99 µs | rounds |\n| --- | --- | --- | --- | --- | --- | --- |\n' "$loop"
		for tool in $(awk -v loop="$loop" '$1 == loop && !seen[$2]++ { print $2 }' "$1"); do
			printf '| %s' "$tool"
			for column in 3 4 5 6 7; do
				awk -v loop="$loop" -v tool="$tool" -v c="$column" '$1 == loop && $2 == tool && $c != "" { print $c }' "$1" | sort -n |
					awk '{ v[NR] = $1 } END { if (NR) printf " | %s", v[int((NR + 1) / 2)]; else printf " | –" }'
			done
			printf ' | %d |\n' "$(grep -c "^$loop $tool " "$1")"
		done
	done
}

case ${1:-} in
round) round "$2" ;;
table) table "$2" ;;
'')
	for _ in 1 2 3 4 5; do round "$work/results"; done
	table "$work/results"
	;;
*)
	sed -n '2,/^set/p' "$0" | sed 's/^# \{0,1\}//;/^set/d' >&2
	exit 2
	;;
esac
