#!/bin/bash
# rehearsals.sh - how far rehearsals and loads are off beside simulated times of the same mappings
#
#   tests/bench/rehearsals.sh [MACHINE/PATTERN…]
#
# mapref -v says how long it rehearsed its candidates; --finalists writes them, and netsim times them, five times each
# whose ranks begin apart. All three are logarithms from here on, each less its mean over the mappings of a job, so that
# differences are parts: .02 is 2 %. A line for each job has how many mappings are known from both sides, the standard
# deviation of their simulated times, and that of what rehearsals and the product of loads (mapref's default aim) miss; the
# last line, of all jobs. src/plan/map/fastest.c weighs rehearsals and loads by such errors, of more jobs than these; those of
# rehearsals here have their noise as well.
set -eu
(($# > 0)) || set -- torus/halo3d15 torus/nbody mesh/alltoall-sub dragonfly/halo3d15 slimfly/nbody fattree/random
declare -A machines=(
	[torus]="torus:dims=4x4x4,cores=4"
	[mesh]="mesh:dims=8x8,cores=4"
	[fattree]="fattree:down=8x8,up=1x4,cores=4"
	[dragonfly]="dragonfly:groups=5,routers=4,nodes=4,cores=4"
	[slimfly]="slimfly:q=5,nodes=2,cores=4"
)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

graph() { # graph PATTERN RANKS
	if [[ $1 != random ]]; then
		jobgen "comm:pattern=$1,ranks=$2"
		return
	fi
	awk -v n="$2" 'BEGIN { srand(7); OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (r = 0; r < n; r++) for (k = 0; k < 8; k++) { d = int(rand() * n); if (d != r) print r, d, 1 } }'
}

jobs() { # jobs HOSTLIST: five of each finalist, whose ranks begin an iteration up to a microsecond apart
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\tcompute_s\n'
	awk -F'\t' -v OFS='\t' -v hosts="$1" -v nodes="$(tr ',' '\n' <<<"$1" | wc -l)" '/^[0-9]/ && !($4 in seen) { seen[$4]
		print $4, "j", nodes, hosts, "imbalance:spread=1+comm:path=comm.tsv", 16384, 3, 4, "0.000001" }' finalists.tsv
}

# job MACHINE PATTERN: a line MAPPING REHEARSED SIMULATED PRODUCT for each that is known from both sides; the powers of the
# product are those of src/plan/map/problem/aim.c
job() {
	local hosts

	hosts=$(topogen --quiet "$1" --to edges | awk -F'\t' '$1 ~ /^n[0-9]/ { print $1 }' | sort -V -u | paste -sd,)
	graph "$2" $((4 * $(tr ',' '\n' <<<"$hosts" | wc -l))) >comm.tsv
	mapref -t "$1" -g comm.tsv --hosts "$hosts" --ranks-per-node 4 --bytes 16384 --finalists 40 -v -o finalists.tsv 2>said
	jobs "$hosts" >jobs.tsv
	for shift in 1 2 3 4 5; do
		netsim -t "$1" --seed "$shift" --mapping finalists.tsv jobs.tsv
	done | awk -F'\t' '/^##/ { next } /^run/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ sum[$at["run"]] += $at["comm_time_s"] } END { for (run in sum) print run, sum[run] / 5 }' >seconds
	# the one that is taken has the mapper's name among the finalists, whatever it is called where it was rehearsed
	awk '/rehearsals of/ { name = $2; sub(/:$/, "", name); for (i = 1; i < NF; i++) if ($i == "time") t = $(i + 1)
		print name, t + 0, / taken$/ ? "taken" : "." }' said >rehearsed
	evalmetrics -t "$1" -g comm.tsv -m congestion -m dilation finalists.tsv >metrics.tsv
	awk '
		FILENAME == "rehearsed" { name = $3 == "taken" ? "multilevel" : $1; rehearsed[name] = rehearsed["multilevel/" name] = $2; next }
		FILENAME == "seconds" { time[$1] = $2; next }
		/^##/ { next }
		/^(run|rank)\t/ { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
		FILENAME == "metrics.tsv" { value[$at["run"], $at["metric"]] = $at["value"]; next }
		!($4 in seen) && $5 in rehearsed { seen[$4]
			print $5, rehearsed[$5], time[$4], value[$4, "max-congestion"] ^ .81 * value[$4, "hop-bytes"] ^ .38 }
	' rehearsed seconds metrics.tsv FS='\t' finalists.tsv
}

printf '%-22s %8s %10s %10s %8s\n' job mappings simulated rehearsals loads
for job in "$@"; do
	job "${machines[${job%/*}]}" "${job#*/}" | awk -v job="$job" '
		{ for (i = 2; i <= 4; i++) { x[NR, i] = log($i); mean[i] += x[NR, i] } }
		END {
			for (k = 1; k <= NR; k++) {
				t = x[k, 3] - mean[3] / NR; r = x[k, 2] - mean[2] / NR - t; p = x[k, 4] - mean[4] / NR - t
				tt += t * t; rr += r * r; pp += p * p
			}
			print job, NR, tt, rr, pp
		}'
done | awk '
	function line(name, n, free, t, r, p) { printf "%-22s %8d %10.4f %10.4f %8.4f\n", name, n, sqrt(t / free), sqrt(r / free), sqrt(p / free) }
	$2 < 2 { printf "%-22s %8d %10s %10s %8s\n", $1, $2, ".", ".", "."; next }
	{ line($1, $2, $2 - 1, $3, $4, $5); n += $2; free += $2 - 1; t += $3; r += $4; p += $5 }
	END { if (free > 0) line("all", n, free, t, r, p) }'
