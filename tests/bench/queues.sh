#!/bin/bash
# queues.sh - a log of a million jobs on 10 000 nodes through each queue: time, memory, how many jobs waited
set -eu
machine=${1:-dragonfly:groups=125,routers=20,nodes=4} # 10 000 nodes
njobs=${2:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# bench NAME LOG QUEUE [POLICY]
bench() {
	local seconds memory
	/usr/bin/time -o "$folder/time" -f '%U %S %M' \
		allocate --quiet -t "$machine" -p "${4:-simple}" -q "$3" -o "$folder/placed.tsv" "$2"
	read -r user system memory <"$folder/time"
	seconds=$(awk -v a="$user" -v b="$system" 'BEGIN { printf "%.1f", a + b }')
	printf '%-26s %-34s %8s %8s' "$1" "$3${4:+ -p $4}" "$seconds" $((memory / 1024))
	evalmetrics -m queue -m wait --by . "$folder/placed.tsv" | awk -F'\t' '
		/^##/ { next }
		{ value[$3] = $4 }
		END { printf " %12.1f %8d %12.0f\n", value["queue-length-mean"], value["queue-length-max"], value["wait_s"] }'
}

echo "== $njobs jobs on $machine, Lublin-Feitelson, load .85 (wanted for easy: below 20 s, 1024 MiB)"
printf '%-26s %-34s %8s %8s %12s %8s %12s\n' log queue 'CPU s' MiB 'mean length' max 'mean wait s'
jobgen -t "$machine" "lublin:load=.85,jobs=$njobs" -o "$folder/log.tsv"
for queue in none fcfs easy level-fit; do
	bench "$njobs jobs" "$folder/log.tsv" "$queue"
done
bench "$njobs jobs" "$folder/log.tsv" easy level-spread

# estimates that are off make backfilling harder: every walltime is up to ten times the runtime
# shellcheck disable=SC2016 # Miller's variables
mlr --tsv --pass-comments --seed 1 put '$walltime_s = roundm($runtime_s * (1 + 9 * urand()), 60) + 60' \
	"$folder/log.tsv" >"$folder/estimates.tsv"
bench "walltimes up to 10 times" "$folder/estimates.tsv" easy

# a reservation for every job costs more
small=$((njobs / 50))
jobgen -t "$machine" "lublin:load=.85,jobs=$small" -o "$folder/small.tsv"
bench "$small jobs" "$folder/small.tsv" conservative
bench "$small jobs" "$folder/small.tsv" easy:reserve=nodes
