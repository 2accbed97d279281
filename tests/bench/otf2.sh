#!/bin/sh
# otf2.sh - OTF2 to comm beside a program that only iterates the events with libotf2
#
# The archive is made by our own writer: RANKS ranks that exchange halos with four neighbours and
# reduce, ROUNDS times (13 events for each message and a half). The other program decodes every
# record and looks at none. Best of three, CPU time; the ratio is to stay below 1.3.
set -eu
RANKS=${RANKS:-32} ROUNDS=${ROUNDS:-20000}
if ! pkg-config --exists 'otf2 >= 3.0' 2>/dev/null; then
	echo "otf2: libotf2 is not there: nothing to compare with"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# shellcheck disable=SC2046 # flags are words
${CC:-cc} -O2 -o "$work/iterate" "$(dirname "$0")/otf2_iterate.c" $(pkg-config --cflags --libs otf2)

awk -v ranks="$RANKS" -v rounds="$ROUNDS" 'BEGIN {
	OFS = "\t"
	print "##placetools=mpitrace/1"; print "##ranks=" ranks
	print "rank", "time_s", "end_s", "op", "peer", "bytes", "recv_bytes", "tag", "request"
	step[0] = 1; step[1] = ranks - 1; step[2] = 4; step[3] = ranks - 4
	for (r = 0; r < ranks; r++) {
		t = 0
		for (i = 0; i < rounds; i++) {
			for (k = 0; k < 4; k++)
				print r, tick(), tick(), "irecv", (r + step[k]) % ranks, ".", 8192, k, 8 * i + k
			for (k = 0; k < 4; k++)
				print r, tick(), tick(), "isend", (r + step[k]) % ranks, 8192, ".", k, 8 * i + k + 4
			for (k = 0; k < 8; k++)
				print r, tick(), tick(), "wait", ".", ".", ".", ".", 8 * i + k
			print r, tick(), tick(), "allreduce", ".", 8, 8, ".", "."
		}
	}
}
function tick() { t += 1000; return sprintf("%d.%09d", t / 1000000000, t % 1000000000) }' \
	>"$work/trace.tsv"

cpu() { # the least CPU seconds of three runs
	for _ in 1 2 3; do
		{ TIMEFORMAT='%U %S'; bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null' bash "$@"; } 2>&1
	done | awk '{ s = $1 + $2; if (NR == 1 || s < best) best = s } END { print best }'
}

write=$( { bash -c 'TIMEFORMAT="%U %S"; time "$@"' bash traceconv --from mpitrace --to otf2 \
	-o "$work/archive" "$work/trace.tsv"; } 2>&1 | awk '{ print $1 + $2 }')
archive=$work/archive/traces.otf2
events=$("$work/iterate" "$archive")
iterate=$(cpu "$work/iterate" "$archive")
comm=$(cpu traceconv --from otf2 --to comm "$archive")
profile=$(cpu traceconv --from otf2 --to profile "$archive")
trace=$(cpu traceconv --from otf2 --to mpitrace "$archive")
awk -v n="$events" -v w="$write" -v i="$iterate" -v c="$comm" -v p="$profile" -v t="$trace" 'BEGIN {
	printf "otf2: %d events; CPU seconds (ratio to iterating them)\n", n
	printf "  iterate with libotf2 %6.2f\n  to comm     %6.2f (%.2f)\n", i, c, c / i
	printf "  to profile  %6.2f (%.2f)\n  to mpitrace %6.2f (%.2f)\n", p, p / i, t, t / i
	printf "  mpitrace to otf2 %6.2f (%.2f)\n", w, w / i
	exit c / i > 1.3
}'
