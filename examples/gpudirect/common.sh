# common.sh - what run.sh and study.sh share: replays of a code
# shellcheck shell=bash
shopt -s inherit_errexit # what fails in $(…) ends the script
: "${iterations:=1}" # of each code's loop
gpudirect=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# A machine may have parameters of the simulation behind it: lassen+copy-serial=yes
# leaf MACHINE: nodes at one of its leaf switches
leaf() {
	case ${1%%+*} in lassen) echo 18 ;; dragonfly) echo 5 ;; torus) echo 1 ;; esac
}

# nodes RANKS GPUS MACHINE MAP: whole leaves for the author's map, as few nodes as hold the ranks for blocks
nodes() {
	local size leaves
	size=$(leaf "$3")
	if [[ $4 == leaf-round-robin ]]; then
		leaves=$((($1 + size * $2 - 1) / (size * $2)))
		echo $((size * leaves))
	else
		echo $((($1 + $2 - 1) / $2))
	fi
}

# topology MACHINE GPUS
topology() {
	case ${1%%+*} in
		lassen) echo "@lassen-$2" ;;
		*) echo "$gpudirect/$1.yaml" ;;
	esac
}

# prepare APP (with parameters of jobgen: minisweep,blocks=16) RANKS GPUS MACHINE MAP SCALING IMBALANCE: the files trace, map and job of a replay
prepare() {
	local app=$1 ranks=$2 gpus=$3 n machine graph name=${1//[,=]/-}
	n=$(nodes "$ranks" "$gpus" "$4" "$5")
	machine=$(topology "$4" "$gpus")
	trace=trace-$name-$ranks-$6-$7-$iterations.tsv
	graph=graph-$name-$ranks.tsv
	map=map-$name-$ranks-$gpus-${4%%+*}-$5.tsv
	[[ -e $trace ]] || { jobgen "mpi:app=$app,ranks=$ranks,iterations=$iterations,scaling=$6,imbalance=$7" -o half.tsv && mv half.tsv "$trace"; }
	[[ -e $graph ]] || { traceconv --from mpitrace --to comm "$trace" -o half.tsv && mv half.tsv "$graph"; }
	[[ -e $map ]] || { mapref --quiet -t "$machine" -g "$graph" -p "$5" --hosts "n[0-$((n - 1))]" --ranks-per-node "$gpus" -o half.tsv && mv half.tsv "$map"; }
	printf '##placetools=jobs/1\njob\tnodes\tranks_per_node\tpattern\titerations\tnodelist\n1\t%d\t%d\tmpitrace:path=%s,loop=loop\t1\tn[0-%d]\n' \
		"$n" "$gpus" "$trace" $((n - 1)) >job.tsv
}

# replay APP RANKS GPUS MACHINE MAP BANDWIDTH SCALING IMBALANCE WAY: seconds of communication (mean and standard deviation
# of the ranks), the same as TraceR prints it, computation, run time; packets; links of a packet. BANDWIDTH is a factor.
replay() {
	prepare "$1" "$2" "$3" "$4" "$5" "$7" "$8"
	local parameters=()
	[[ $4 != *+* ]] || parameters=(-s "${4#*+}")
	netsim --quiet -j 1 -t "$(topology "$4" "$3")" --profile tracer --gpu "$9" -s "bandwidth=$(awk -v x="$6" 'BEGIN { print 12.5 * x }')GB/s" \
		"${parameters[@]}" --mapping "$map" --ranks ranks.tsv job.tsv -o out.tsv
	evalmetrics -m comm-time -m "comm-time:artefact=tracer,repeats=$iterations" -m column:name=loop_compute_s --by gpu ranks.tsv >times.tsv
	awk -F'\t' '
		/^##/ { next }
		!(FILENAME in head) { head[FILENAME] = 1; split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
		FILENAME == "times.tsv" { n++; mean[n] = $at["mean"]; sd[n] = $at["sd"]; next }
		{ printf "%.9f\t%.9f\t%.9f\t%.9f\t%.9f\t%d\t%.4f\n", mean[1], sd[1], mean[2], mean[3], $at["runtime_s"], $at["packets"], $at["hops_mean"] }' \
		times.tsv out.tsv
}

# comm_time, with the same arguments: only the mean of communication
comm_time() {
	replay "$@" | cut -f1
}

# percent A B: how much more A is than B
percent() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", 100 * (a / b - 1) }'
}
