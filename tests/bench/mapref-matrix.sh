#!/bin/bash
# mapref-matrix.sh - every mapper on every kind of machine: congestion, hop-bytes, simulated time, CPU seconds
#
#   tests/bench/mapref-matrix.sh [MACHINE[/PATTERN]…]     default: three cells; FULL=1: all, which takes hours
#
# For each machine, pattern and allocation (whole, or every other node: fragmented) a line for each mapper; then one that
# says what in the cell beats the default in both congestion and hop-bytes, and by how much the best time is below the
# default's. SEEDS=12 adds the worst of so many seeds of the default over their best. MAPPERS, RANKS (a node takes four),
# BYTES (of the largest message) and ITERATIONS change what is run; TIMES= leaves the simulation out. RESULTS=FILE keeps
# every cell that is done; those that FILE has are not run again: mapref-matrix.txt is such
# a file of all cells, mapref-seeds.txt one of the default with SEEDS=12 MAPPERS=multilevel.
set -eu
results=${RESULTS:+$(realpath "$RESULTS")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ranks=${RANKS:-1024}
bytes=${BYTES:-16384}
mappers=${MAPPERS:-multilevel digits scotch ptram greedy pacmap recursive rcm treematch in-order cyclic}
times=${TIMES-yes}

declare -A machines=(
	[torus]="torus:dims=8x8x4,cores=4"
	[mesh]="mesh:dims=16x16,cores=4"
	[hypercube]="hypercube:dims=8,cores=4"
	[fattree]="fattree:down=8x8x4,up=1x4x4,cores=4"
	[dragonfly]="dragonfly:groups=9,routers=8,nodes=4,cores=4"
	[dragonfly-2d]="dragonfly:groups=4,routers=4x4,nodes=4,cores=4"
	[slimfly]="slimfly:q=5,nodes=6,cores=4"
	[gpc]="gpc:cores=4"
)
order='torus mesh hypercube fattree dragonfly dragonfly-2d slimfly gpc'

# hosts MACHINE KIND: the first nodes, or every other one
hosts() {
	topogen "$1" --to edges | awk -F'\t' '$3 == "terminal" { print $1 }' | sort -V -u |
		awk -v kind="$2" -v n="$3" 'kind == "whole" || NR % 2 == 1 { if (k++ < n) printf "%s%s", (k > 1 ? "," : ""), $1 }'
}

# random RANKS: eight messages from each rank to others of chance
random_graph() {
	awk -v n="$1" 'BEGIN { srand(7); OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (r = 0; r < n; r++) for (k = 0; k < 8; k++) { d = int(rand() * n); if (d != r) print r, d, 1 } }'
}

# measure MACHINE LIST MAPPER SEED: "MC HB ms CPU" of one mapping
measure() {
	local seconds ms=.
	TIMEFORMAT=%U
	seconds=$({ time mapref -t "$1" -g comm.tsv --hosts "$2" --ranks-per-node 4 -p "$3" --seed "$4" -o mapping.tsv 2>/dev/null; } 2>&1) ||
		{ echo '. . . .'; return; }
	if [[ -n $times ]]; then
		printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\nj\t%s\t%s\tcomm:path=comm.tsv\t%s\t%s\t4\n' \
			"$(tr ',' '\n' <<<"$2" | wc -l)" "$2" "$bytes" "${ITERATIONS:-3}" >job.tsv
		ms=$(netsim -t "$1" --mapping mapping.tsv job.tsv | awk -F'\t' '/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next }
			{ printf "%.3f", 1000 * $c }')
	fi
	evalmetrics -t "$1" -g comm.tsv -m congestion -m dilation mapping.tsv | awk -F'\t' -v ms="$ms" -v s="$seconds" '
		{ for (i = 2; i < NF; i++) if ($i == "max-congestion" || $i == "hop-bytes") value[$i] = $(i + 1) }
		END { print value["max-congestion"], value["hop-bytes"], ms, s }'
}

cell() { # cell NAME PATTERN KIND
	local machine=${machines[$1]} list n=$ranks
	[[ $3 == whole ]] || n=$((ranks / 2))
	list=$(hosts "$machine" "$3" $((n / 4)))
	case $2 in
	random) random_graph "$n" >comm.tsv ;;
	*) jobgen "comm:pattern=$2,ranks=$n" -o comm.tsv ;;
	esac
	echo "$1, $2, $3"
	for mapper in $mappers; do
		echo "$mapper $(measure "$machine" "$list" "$mapper" 1)"
	done | tee cell.txt | awk '{ printf "  %-12s %8s %10s %9s %7s\n", $1, $2, $3, $4, $5 }'
	awk 'NR == 1 { mc = $2; hb = $3; ms = best = $4; next } $2 == "." { next }
		$2 <= mc && $3 <= hb && ($2 < mc || $3 < hb) { beats = beats " " $1 } $4 < best { best = $4 }
		END { printf("  beaten in both by:%s; its time over the best: %s\n", beats == "" ? " none" : beats, best > 0 ? sprintf("%.3f", ms / best) : ".") }' cell.txt
	[[ -z ${SEEDS:-} ]] || seq "$SEEDS" | while read -r seed; do measure "$machine" "$list" multilevel "$seed"; done | awk -v n="$SEEDS" '
		{ if (NR == 1 || $1 < a) a = $1; if ($1 > b) b = $1; if (NR == 1 || $3 < c) c = $3; if ($3 > d) d = $3 }
		END { printf("  %d seeds, worst over best: MC %.3f, time %s\n", n, a > 0 ? b / a : 1, c > 0 ? sprintf("%.3f", d / c) : ".") }'
}

(($# > 0)) || [[ -n ${FULL:-} ]] || set -- torus/halo3d15 mesh/halo2d dragonfly/halo3d15
[[ -n $results ]] || printf '  %-12s %8s %10s %9s %7s\n' mapper MC HB ms 'CPU s'
for name in $order; do
	for pattern in halo2d halo3d15 alltoall-sub nbody random; do
		for kind in whole fragmented; do
			if (($# > 0)) && [[ " $* " != *" $name "* && " $* " != *" $name/$pattern "* ]]; then continue; fi
			if [[ -z $results ]]; then
				cell "$name" "$pattern" "$kind"
			elif ! grep -qxF "$name, $pattern, $kind" "$results" 2>/dev/null; then
				cell "$name" "$pattern" "$kind" >done.txt
				cat done.txt >>"$results"
			fi
		done
	done
done
if [[ -n $results ]]; then
	printf '  %-12s %8s %10s %9s %7s\n' mapper MC HB ms 'CPU s'
	cat "$results"
fi
