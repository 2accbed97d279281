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

# cpu APP RANKS GPUS WAY: seconds of CPU time of its replay, and packet-hops a second
cpu() {
	comm_time "$1" "$2" "$3" leaf-round-robin "$4" "" >mean
	TIMEFORMAT=%U
	{ time netsim --quiet -t @lassen --profile tracer --gpu "$4" --mapping map.tsv job.tsv -o out.tsv 2>/dev/null; } 2>seconds
	awk -F'\t' -v OFS='\t' -v what="$1, $2 ranks, $3 a node, $4" -v s="$(<seconds)" '
		!/^#/ { if (!p) { for (i = 1; i <= NF; i++) { if ($i == "packets") p = i; if ($i == "hops_mean") h = i } next }
			printf "%s\t%.2f s\t%.2f M packet-hops/s\n", what, s, $p * ($h - 1) / s / 1e6 }' out.tsv
}

export iterations=5
cpu sw4lite 256 6 gpudirect
cpu sw4lite 256 6 hostcopy
cpu minisweep 256 6 gpudirect
cpu amgx 256 6 gpudirect
