#!/bin/bash
# gpudirect.sh - speed of GPU replays on @lassen: packet-hops a second of CPU time, and SW4lite on 256 ranks
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
# shellcheck source=examples/gpudirect/common.sh disable=SC1091
. "$here/../../examples/gpudirect/common.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# cpu APP RANKS GPUS WAY: seconds of CPU time of its replay, and packet-hops a second (hops are switches)
cpu() {
	prepare "$1" "$2" "$3" lassen leaf-round-robin weak 0
	TIMEFORMAT=%U
	{ time netsim --quiet -t "@lassen-$3" --profile tracer --gpu "$4" --mapping "$map" job.tsv -o out.tsv 2>/dev/null; } 2>seconds
	awk -F'\t' -v OFS='\t' -v what="$1, $2 ranks, $3 a node, $4" -v s="$(<seconds)" '
		!/^#/ { if (!p) { for (i = 1; i <= NF; i++) { if ($i == "packets") p = i; if ($i == "hops_mean") h = i } next }
			printf "%s\t%.2f s\t%.2f M packet-hops/s\n", what, s, $p * ($h - 1) / s / 1e6 }' out.tsv
}

# events WAY BYTES: events of a message between two ranks, whose receive waits
events() {
	printf '##placetools=jobs/1\njob\tnodes\tpattern\titerations\tnodelist\n1\t2\tmpitrace:path=t.tsv\t1\tn[0-1]\n' >two.tsv
	jobgen "mpi:app=pingpong,ranks=2,iterations=1000,bytes=$2" -o t.tsv
	netsim -v -t @lassen --profile tracer -s gpu="$1" two.tsv -o out.tsv 2>&1 |
		sed -n "s/.*packets=\([0-9]*\) .*events=\([0-9]*\) .*/\1 \2/p" |
		awk -v what="$1, $2 bytes" '{ printf "%s\t%.1f packets and %.1f events a message\n", what, $1 / 2000, $2 / 2000 }'
}

export iterations=5
cpu sw4lite 256 6 gpudirect
cpu sw4lite 256 6 hostcopy
cpu sw4lite 256 1 gpudirect
cpu amgx 256 6 gpudirect
iterations=1
cpu minisweep 256 1 gpudirect
for way in none hostcopy gpudirect; do events $way 4096; done

# a trace is held whole: 32 bytes an event
jobgen mpi:app=pingpong,ranks=2,iterations=250000,bytes=8 -o t.tsv
TIMEFORMAT=%U
{ time /usr/bin/time -f %M -o kib netsim --quiet --until 1us -t @lassen --profile tracer two.tsv -o out.tsv; } 2>seconds
printf 'reading a trace of 2 million events\t%s s\t%.1f B an event\n' "$(<seconds)" "$(awk '{ print $1 * 1024 / 2e6 }' kib)"
