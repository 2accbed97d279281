#!/bin/bash
# constraints.sh - time to find admissible regions at 20 000 nodes, for each constraint
set -eu
bench=${PLACETOOLS_BUILD:-build}/tests/tools/constraintbench
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for ((i = 0; i < 20000; i += 50)); do echo "n[$i-$((i + 47))]"; done >"$folder/permitted.txt"

show() { # show MACHINE NODES BUSY CONSTRAINT…
	local machine=$1 nodes=$2 busy=$3
	echo "== $machine: a job of $nodes nodes, $busy % busy in runs of up to 64; CPU ms"
	printf '%-20s %10s %10s %12s %8s %10s  %s\n' constraint first next sets of 'all in' outcome
	for constraint in "${@:4}"; do
		"$bench" "$machine" "$nodes" "$busy" simple "$constraint" |
			awk -F'\t' '{ printf "%-20s %10s %10s %12s %8s %10s  %s\n", $1, $2, $3, $5, $6, $7, $4 }'
	done
}
common="contiguous clusters compact proximate linkdisjoint"
file=file:path=$folder/permitted.txt
for busy in 0 40; do
	# shellcheck disable=SC2086 # several words
	{
		show torus:dims=50x20x20 48 $busy convex connected local $common $file
		show mesh:dims=160x125 48 $busy convex connected local $common
		show ring:nodes=20000 48 $busy convex connected local $common
		show hypercube:dims=14 64 $busy convex connected local $common
		show tree:arity=20x20x50 48 $busy convex local $common
		show fattree:down=20x20x50,up=1x10x10 48 $busy convex local $common
		show dragonfly:groups=250,routers=20,nodes=4 48 $busy convex connected local $common
	}
done

# metrics of 2000 jobs that no constraint placed
machine=dragonfly:groups=125,routers=20,nodes=4
jobgen -t "$machine" lublin:load=.85,jobs=2000 --seed 1 | allocate -t "$machine" -q easy >"$folder/placed"
echo "== evalmetrics of 2000 jobs on $machine: CPU s"
for metric in linkdisjoint compact proximate convex; do
	TIMEFORMAT="%U"
	seconds=$({ time evalmetrics -m "$metric" "$folder/placed" >/dev/null; } 2>&1)
	printf '%-20s %10s\n' "$metric" "$seconds"
done
