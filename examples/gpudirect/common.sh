# common.sh - what run.sh and study.sh share: replays of a code on @lassen
# shellcheck shell=bash

# nodes RANKS PPN MAP: whole leaves of 18 for the author's map, as few nodes as hold the ranks for blocks
nodes() {
	local leaf=$((18 * $2)) leaves
	if [[ $3 == leaf-round-robin ]]; then
		leaves=$((($1 + leaf - 1) / leaf))
		echo $((18 * leaves))
	else
		echo $((($1 + $2 - 1) / $2))
	fi
}

# comm_time APP RANKS PPN MAP WAY OPTIONS [GENERATED]: mean over ranks of a replay's communication time, in seconds.
# OPTIONS are netsim's, GENERATED jobgen's (imbalance=.3,scaling=strong).
comm_time() {
	local generated=${7-} trace n graph
	trace=trace-$1-$2-${generated//[^a-z0-9.=]/-}.tsv
	graph=graph-${trace#trace-}
	n=$(nodes "$2" "$3" "$4")
	[[ -e $trace ]] || jobgen "mpi:app=$1,ranks=$2,iterations=${iterations:-1}${generated:+,$generated}" -o "$trace"
	[[ -e $graph ]] || traceconv --from mpitrace --to comm "$trace" -o "$graph"
	printf '##placetools=jobs/1\njob\tnodes\tranks_per_node\tpattern\titerations\tnodelist\n1\t%d\t%d\tmpitrace:path=%s,loop=loop\t1\tn[0-%d]\n' \
		"$n" "$3" "$trace" $((n - 1)) >job.tsv
	mapref --quiet -t @lassen -g "$graph" -p "$4" --hosts "n[0-$((n - 1))]" --ranks-per-node "$3" -o map.tsv
	# shellcheck disable=SC2086
	netsim --quiet -t @lassen --profile tracer --gpu "$5" $6 --mapping map.tsv --ranks ranks.tsv job.tsv -o out.tsv
	evalmetrics -m comm-time --by gpu ranks.tsv | awk -F'\t' '!/^#/ { if (!c) for (i = 1; i <= NF; i++) if ($i == "value") c = i; v = $c } END { printf "%.9f\n", v }'
}

# percent A B: how much more A is than B
percent() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", 100 * (a / b - 1) }'
}
