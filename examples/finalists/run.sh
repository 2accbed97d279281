#!/bin/bash
# run.sh - the best mappings of a job are simulated, and the fastest is kept
#
#   examples/finalists/run.sh [FOLDER [MACHINE [PATTERN [BYTES [N]]]]]
#
# Maps the ranks of a job on the whole of MACHINE, four a node, and times N mappings with BYTES, three
# iterations. FOLDER/result.tsv has a line for each; FOLDER/mapping.tsv is the fastest.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"
machine=${2:-torus:dims=4x4x4,cores=4} pattern=${3:-halo3d15} bytes=${4:-16384} n=${5:-12}

hosts=$(topogen "$machine" --to edges | awk -F'\t' '$3 == "terminal" { print $1 }' | sort -V -u | paste -sd,)
nodes=$(tr , '\n' <<<"$hosts" | wc -l)
jobgen "comm:pattern=$pattern,ranks=$((4 * nodes))" -o graph.tsv
mapref -t "$machine" -g graph.tsv --hosts "$hosts" --ranks-per-node 4 --finalists "$n" -o finalists.tsv

# the job once for each mapping, which has its run
{
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\n'
	awk -F'\t' -v OFS='\t' -v nodes="$nodes" -v hosts="$hosts" -v bytes="$bytes" '
		/^##/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "run") c = i; next }
		!($c in seen) { seen[$c]; print $c, "job", nodes, hosts, "comm:path=graph.tsv", bytes, 3, 4 }' finalists.tsv
} >jobs.tsv
netsim -t "$machine" --mapping finalists.tsv jobs.tsv -o timed.tsv

# loads of each, and its time
column() { # column NAME FILE: of a table
	awk -F'\t' -v name="$1" '/^##/ { next } !c { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$2"
}
evalmetrics -t "$machine" -g graph.tsv -m congestion -m dilation finalists.tsv >metrics.tsv
paste <(column run jobs.tsv) <(column comm_time_s timed.tsv) >times.txt
awk -F'\t' -v OFS='\t' '
	FILENAME == "times.txt" { time[$1] = $2; order[++n] = $1; next }
	/^##/ { next }
	FILENAME == "finalists.tsv" { if (!c) { for (i = 1; i <= NF; i++) { if ($i == "run") c = i; if ($i == "mapper") m = i } next } name[$c] = $m; next }
	!v { for (i = 1; i <= NF; i++) at[$i] = i; v = 1; next }
	{ value[$at["run"], $at["metric"]] = $at["value"] }
	END {
		print "run", "mapper", "max-congestion", "hop-bytes", "time_ms"
		for (i = 1; i <= n; i++) { r = order[i]; print r, name[r], value[r, "max-congestion"], value[r, "hop-bytes"], sprintf("%.3f", 1000 * time[r]) }
	}' times.txt finalists.tsv metrics.tsv >result.tsv
cat result.tsv
best=$(sort -g -k 2 times.txt | head -n 1 | cut -f 1)
awk -F'\t' -v best="$best" '/^##/ { print; next } !c { for (i = 1; i <= NF; i++) if ($i == "run") c = i; print; next } $c == best' finalists.tsv >mapping.tsv
awk -F'\t' -v best="$best" 'NR == 2 { first = $5 } $1 == best { printf "the fastest: %s (%s), %.1f %% less than the first\n", $1, $2, 100 * (1 - $5 / first) }' result.tsv
