#!/bin/bash
# mapref-matrix.sh - every mapper on every kind of machine: congestion, hop-bytes, simulated time, CPU seconds
#
#   tests/bench/mapref-matrix.sh [MACHINE[/PATTERN[/KIND]]…]     default: three cells; FULL=1: all, which takes hours
#
# For each machine, pattern and allocation (whole, or every other node: fragmented) a line for each mapper; then one that
# says what in the cell beats the default in both congestion and hop-bytes, and how its time compares with the best one.
# Seeds 1 … SEEDS of the default are run too: the worst of them over their best. MAPPERS, RANKS (a node takes four), BYTES
# (of the largest message) and ITERATIONS change what is run; TIMES= leaves the simulation out.
#
# Rows that are done are kept in RESULTS, by default build/mapref-matrix.tsv, and not run again: delete those that are old.
# PRINT=1 runs nothing. mapref-matrix.tsv beside this file is such a file of all cells. The pattern trace is the graph
# TRACE, a comm stream, such as traceconv makes of OTF2 (default: a real one of the samples that PLACETOOLS_SHARED names).
#
# Published instances of KaHIP and SharedMap are METIS graphs (rgg_n_2_15_s0.graph, …) and no part of Debian; with one:
#   traceconv --from metis --to comm FILE.graph -o comm.tsv
#   mapref -t tree:arity=6x8x4 -g comm.tsv --imbalance .03 -o m.tsv    (their hierarchy 4:8:6; tree's tiers, from the root)
#   evalmetrics -t tree:arity=6x8x4 -g comm.tsv -m hierarchy-cost:distances=1x10x100 m.tsv    (their aim J)
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "${PLACETOOLS_BUILD:-$root/build}"
results=$(realpath "${RESULTS:-${PLACETOOLS_BUILD:-$root/build}/mapref-matrix.tsv}")
trace=${TRACE:-${PLACETOOLS_SHARED:-}/data/netloc/scotch/app.mat}
touch -a "$results"
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
	[avakas]="@avakas" # with its own tables; 281 nodes
	[uneven]="$folder/uneven.yaml"
)
order='torus mesh hypercube fattree dragonfly dragonfly-2d slimfly gpc avakas uneven'

# uneven: 64 nodes of 1 to 64 cores, links of 100 MB/s, 1 and 10 GB/s, eight nodes to a router, routers in a ring
uneven() {
	awk 'BEGIN { srand(1); OFS = "\t"; split("slow middle fast", level, " ")
		print "placetools: topology/1\nname: uneven\ntopology: explicit"
		print "links:\n  slow: {bandwidth: 100MB/s}\n  middle: {bandwidth: 1GB/s}\n  fast: {bandwidth: 10GB/s}\ntables:"
		print "  routers: |\n    router"
		for (r = 0; r < 8; r++) print "    r" r
		print "  nodes: |\n    node", "cores"
		for (v = 0; v < 64; v++) print "    n" v, int(2 ^ (6 * rand()) + .5)
		print "  links: |\n    from", "to", "level"
		for (v = 0; v < 64; v++) print "    n" v, "r" int(v / 8), level[1 + int(3 * rand())]
		for (r = 0; r < 8; r++) print "    r" r, "r" (r + 1) % 8, level[2 + int(2 * rand())] }' >uneven.yaml
}

# hosts MACHINE KIND N: the first N nodes, or every other one
hosts() {
	topogen --quiet "$1" --to edges | awk -F'\t' '$3 ~ /^terminal/ || $1 ~ /^n[0-9]/ { print $1 }' | sort -V -u |
		awk -v kind="$2" -v n="$3" 'kind == "whole" || NR % 2 == 1 { if (k++ < n) printf "%s%s", (k > 1 ? "," : ""), $1 }'
}

# random RANKS: eight messages from each rank to others of chance
random_graph() {
	awk -v n="$1" 'BEGIN { srand(7); OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (r = 0; r < n; r++) for (k = 0; k < 8; k++) { d = int(rand() * n); if (d != r) print r, d, 1 } }'
}

# job LIST RANKS_PER_NODE: RUNS times, whose ranks begin an iteration up to a microsecond apart
job() {
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\tcompute_s\n'
	local run

	for ((run = 1; run <= ${RUNS:-5}; run++)); do
		printf '%s\tj\t%s\t%s\timbalance:spread=1+comm:path=comm.tsv\t%s\t%s\t%s\t0.000001\n' "$run" \
			"$(tr ',' '\n' <<<"$1" | wc -l)" "$1" "$bytes" "${ITERATIONS:-3}" "$2"
	done
}

# simulate MACHINE LIST RANKS_PER_NODE OPTION…: the runs' ms, one a line, of mapping.tsv
simulate() {
	job "$2" "$3" | netsim -t "$1" "${@:4}" --mapping mapping.tsv | awk -F'\t' '
		/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next } { print 1000 * $c }' | sort -g
}

# measure MACHINE LIST MAPPER SEED: MC, HB, ms, and CPU seconds of one mapping
#
# ms is the median of five runs. Where these differ by more than 5 % it is the mean of 20: of one mapping of an irregular
# graph on a torus, medians of five differ by up to 17 %, as much as those of mappings that are said to differ.
measure() {
	local seconds ms=. most=4 per_node=(--ranks-per-node 4) profile=() travel=()
	[[ $1 != *uneven.yaml ]] || { most=64 per_node=(); }
	# where links are faster than the default's copies inside nodes, the profile of QDR InfiniBand
	[[ $1 != @avakas && $1 != *uneven.yaml ]] || profile=(--profile "file:path=$root/examples/ptram/qdr.yaml")
	[[ $3 != multilevel ]] || travel=(--bytes "$bytes" "${profile[@]}") # which others don't look at
	TIMEFORMAT=%U
	seconds=$({ time mapref -t "$1" -g comm.tsv --hosts "$2" "${per_node[@]}" "${travel[@]}" -p "$3" --seed "$4" -o mapping.tsv 2>/dev/null; } 2>&1) ||
		{ printf '.\t.\t.\t.\n'; return; }
	if [[ -n $times ]]; then
		simulate "$1" "$2" "$most" "${profile[@]}" >ms
		[[ $(awk 'NR == 1 { least = $1 } END { print ($1 <= 1.05 * least) }' ms) == 1 ]] || RUNS=20 simulate "$1" "$2" "$most" "${profile[@]}" >ms
		ms=$(awk '{ ms[NR] = $1; sum += $1 } END { printf "%.3f", NR == 20 ? sum / 20 : (ms[int((NR + 1) / 2)] + ms[int(NR / 2) + 1]) / 2 }' ms)
	fi
	evalmetrics -t "$1" -g comm.tsv -m congestion -m dilation mapping.tsv | awk -F'\t' -v OFS='\t' -v ms="$ms" -v s="$seconds" '
		{ for (i = 2; i < NF; i++) if ($i == "max-congestion" || $i == "hop-bytes") value[$i] = $(i + 1) }
		END { print value["max-congestion"], value["hop-bytes"], ms, s }'
}

# row MACHINE PATTERN KIND MAPPER SEED: unless it is there
row() {
	local key
	key=$(printf '%s\t%s\t%s\t%s\t%s\t' "$@")
	grep -qF "$key" "$results" || printf '%s%s\n' "$key" "$(measure "${machines[$1]}" "$list" "$4" "$5")" >>"$results"
}

cell() { # cell MACHINE PATTERN KIND
	local list n=$ranks
	[[ $3 == whole ]] || n=$((ranks / 2))
	[[ $1 != uneven ]] || n=$((n * 600 / 1024))
	case $2 in
	random) random_graph "$n" >comm.tsv ;;
	trace)
		[[ -e $trace ]] || return 0
		if [[ $trace == *.mat ]]; then traceconv --quiet --from netloc-matrix --to comm "$trace" >comm.tsv; else cp "$trace" comm.tsv; fi
		n=$(awk '!/^[#s]/ { n = $1 >= n ? $1 + 1 : n; n = $2 >= n ? $2 + 1 : n } END { print n }' comm.tsv) ;;
	*) jobgen "comm:pattern=$2,ranks=$n" -o comm.tsv ;;
	esac
	if [[ $1 == uneven ]]; then list=$(hosts "${machines[$1]}" "$3" 64); else list=$(hosts "${machines[$1]}" "$3" $((n / 4))); fi
	for mapper in $mappers; do row "$@" "$mapper" 1; done
	for ((seed = 2; seed <= ${SEEDS:-1}; seed++)); do row "$@" multilevel "$seed"; done
}

# report MACHINE PATTERN KIND: the cell's rows, in the order of the mappers
report() {
	awk -F'\t' -v cell="$1 $2 $3" '
		$1 " " $2 " " $3 != cell { next }
		$4 == "multilevel" && $6 != "." { if (!n++ || $6 < a) a = $6; if ($6 > b) b = $6; if (n == 1 || $8 < c) c = $8; if ($8 > d) d = $8 }
		$5 != 1 { next }
		{ line[++nlines] = sprintf("  %-12s %8s %10s %9s %7s", $4, $6, $7, $8, $9) }
		$4 == "multilevel" { mc = $6; hb = $7; ms = $8 }
		$6 != "." && (best == "" || $8 < best) { best = $8 }
		{ rival[nlines] = $4; x[nlines] = $6; y[nlines] = $7 }
		END {
			if (!nlines) exit
			gsub(" ", ", ", cell); print cell
			for (i = 1; i <= nlines; i++) { print line[i]; if (x[i] != "." && x[i] < mc && y[i] < hb) beats = beats " " rival[i] }
			printf("  beaten in both by:%s; its time over the best: %s\n", beats == "" ? " none" : beats, best > 0 ? sprintf("%.3f", ms / best) : ".")
			if (n > 1) printf("  %d seeds, worst over best: MC %.3f, time %s\n", n, a > 0 ? b / a : 1, c > 0 ? sprintf("%.3f", d / c) : ".") }' "$results"
}

(($# > 0)) || [[ -n ${FULL:-}${PRINT:-} ]] || set -- torus/halo3d15/whole mesh/halo2d/whole dragonfly/halo3d15/whole
uneven
printf '  %-12s %8s %10s %9s %7s\n' mapper MC HB ms 'CPU s'
for name in $order; do
	for pattern in halo2d halo3d15 alltoall-sub nbody random trace; do
		for kind in whole fragmented; do
			if (($# > 0)) && [[ " $* " != *" $name "* && " $* " != *" $name/$pattern "* && " $* " != *" $name/$pattern/$kind "* ]]; then continue; fi
			[[ -n ${PRINT:-} ]] || cell "$name" "$pattern" "$kind"
			report "$name" "$pattern" "$kind"
		done
	done
done
