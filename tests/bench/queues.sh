#!/bin/bash
# queues.sh - a log of a million jobs on 10 000 nodes through each queue: time, memory, how many jobs waited
set -eu
machine=${1:-dragonfly:groups=125,routers=20,nodes=4} # 10 000 nodes
njobs=${2:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# bench NAME LOG QUEUE [POLICY [OPTION…]]
bench() {
	local seconds memory
	/usr/bin/time -o "$folder/time" -f '%U %S %M' \
		allocate --quiet -t "$machine" -p "${4:-simple}" -q "$3" "${@:5}" -o "$folder/placed.tsv" "$2"
	read -r user system memory <"$folder/time"
	seconds=$(awk -v a="$user" -v b="$system" 'BEGIN { printf "%.1f", a + b }')
	printf '%-26s %-34s %8s %8s' "$1" "$3${4:+ -p $4}${5:+ ${*:5}}" "$seconds" $((memory / 1024))
	evalmetrics -m queue -m wait --by . "$folder/placed.tsv" | awk -F'\t' '
		/^##/ { next }
		{ value[$3] = $4 }
		END { printf " %12.1f %8d %12.0f\n", value["queue-length-mean"], value["queue-length-max"], value["wait_s"] }'
}

echo "== $njobs jobs on $machine, Lublin-Feitelson, load .85 (expected of easy: below 6 s)"
printf '%-26s %-34s %8s %8s %12s %8s %12s\n' log queue 'CPU s' MiB 'mean length' max 'mean wait s'
jobgen -t "$machine" "lublin:load=.85,jobs=$njobs" -o "$folder/log.tsv"
for queue in none fcfs easy level-fit; do
	bench "$njobs jobs" "$folder/log.tsv" "$queue"
done
bench "$njobs jobs" "$folder/log.tsv" easy level-spread
bench "$njobs jobs" "$folder/log.tsv" none simple --read-ahead 1000
bench "$njobs jobs" "$folder/log.tsv" easy simple --read-ahead 1000
bench "$njobs jobs" "$folder/log.tsv" easy simple --read-ahead 1000 --order end
bench "$njobs jobs" "$folder/log.tsv" conservative simple --read-ahead 1000 # expected: below 60 s

# a year of a large site in one pipe: expected below 1 GB in all
many=$((njobs * 10))
jobgen -t "$machine" "lublin:load=.85,jobs=$many" |
	/usr/bin/time -o "$folder/time" -f "allocate, $many jobs: %U s, %M KiB" \
		allocate --quiet -t "$machine" -q easy --read-ahead 1000 --order end |
	/usr/bin/time -o "$folder/time2" -f 'placecheck of them: %U s, %M KiB' placecheck
cat "$folder/time" "$folder/time2"

# estimates that are off make backfilling harder: every walltime is up to ten times the runtime
# shellcheck disable=SC2016 # Miller's variables
mlr --tsv --pass-comments --seed 1 put '$walltime_s = roundm($runtime_s * (1 + 9 * urand()), 60) + 60' \
	"$folder/log.tsv" >"$folder/estimates.tsv"
bench "walltimes up to 10 times" "$folder/estimates.tsv" easy

# conservative where estimates are off: events are submissions and ends
# shellcheck disable=SC2016
mlr --tsv --pass-comments --seed 1 put '$walltime_s = roundm($runtime_s * (1 + 3 * urand()), 60) + 60' \
	"$folder/log.tsv" | head -n $((njobs / 20)) | grep -v '^##end' | sed '1s/ end=yes//' >"$folder/estimates.tsv"
/usr/bin/time -o "$folder/time" -f '%U' allocate --quiet -t "$machine" -q conservative -o "$folder/placed.tsv" "$folder/estimates.tsv"
evalmetrics -m queue --by . "$folder/placed.tsv" | awk -F'\t' -v s="$(<"$folder/time")" -v n=$((njobs / 20)) '
	$3 == "queue-length-mean" { printf "conservative, %d jobs, walltimes 1-4 x runtimes: %.1f s, %.1f us an event, %.2f ns an event and waiting job\n",
		n, s, s / n / 2 * 1e6, s / n / 2 / $4 * 1e9 }'

# lists of 500 nodes: every metric without pairs, the check, and lists written again
awk -v n="$njobs" 'BEGIN { OFS = "\t"; print "##placetools=jobs/1"; print "job", "nodes", "submit_s", "runtime_s"
	srand(1); for (i = 0; i < n; i++) print i, 500, i * 60, int(600 + rand() * 1000) }' >"$folder/wide.tsv"
allocate --quiet -t "$machine" -q easy -o "$folder/wide-placed.tsv" "$folder/wide.tsv"
for measured in contiguity fragmentation idle levels spread hops; do
	/usr/bin/time -o "$folder/time" -f "$measured: %U s, %M KiB" evalmetrics -m "$measured" --by . -o "$folder/metrics.tsv" "$folder/wide-placed.tsv"
	cat "$folder/time"
done
/usr/bin/time -o "$folder/time" -f 'placecheck: %U s, %M KiB' placecheck "$folder/wide-placed.tsv" && cat "$folder/time"
/usr/bin/time -o "$folder/time" -f 'hostlist: %U s, %M KiB' traceconv --to hostlist -o "$folder/lists" "$folder/wide-placed.tsv" && cat "$folder/time"

# pairs of nodes: one job of 100 000 nodes on each kind of machine (expected: below .5 s)
for where in dragonfly:groups=353,routers=16x6,nodes=4,links-per-router=10 dragonfly:links-per-router=14 \
	dragonfly-plus:groups=33,leaves=32,spines=32,nodes=128 fattree:down=48x48x48,up=1x48x48 torus:dims=51x51x51 \
	mesh:dims=51x51x51 hypercube:dims=17 hyperx:dims=32x32x32,nodes=4 slimfly:q=43,nodes=32; do
	printf '##placetools=jobs/1\njob\tnodes\n1\t100000\n' | allocate --quiet -t "$where" -p simple -o "$folder/one.tsv" -
	for measured in hops dispersal compute-escape order-quality:size=10000; do
		case $measured,$where in
		# without a closed form: router by node
		compute-escape,dragonfly:*16x6* | compute-escape,dragonfly-plus:* | compute-escape,slimfly:*) continue ;;
		esac
		/usr/bin/time -o "$folder/time" -f "$measured of 100 000 nodes, $where: %U s, %M KiB" \
			evalmetrics -m "$measured" --by . -o "$folder/metrics.tsv" "$folder/one.tsv"
		cat "$folder/time"
	done
done

# a reservation for every job costs more
small=$((njobs / 50))
jobgen -t "$machine" "lublin:load=.85,jobs=$small" -o "$folder/small.tsv"
bench "$small jobs" "$folder/small.tsv" conservative
bench "$small jobs" "$folder/small.tsv" easy:reserve=nodes

# ---- a reservation for every job on its nodes, and constraints: CPU seconds

# seconds TOOL ARG…: CPU seconds of a run that is stopped after five minutes; "-" if it was
seconds() {
	if timeout 300 /usr/bin/time -o "$folder/time" -f '%U %S' "$@" >"$folder/placed.tsv" 2>"$folder/said"; then
		awk '{ printf "%.2f", $1 + $2 }' "$folder/time"
	else
		printf -- '-'
	fi
}
few=$((njobs / 100))
# shellcheck disable=SC2016
estimates='$walltime_s = roundm($runtime_s * (1 + 3 * urand()), 60) + 60'

echo "== conservative:reserve=nodes on $machine: CPU s, and per job"
for n in $((few / 10)) "$few"; do
	jobgen -t "$machine" "lublin:load=.85,jobs=$n" -o "$folder/log.tsv"
	mlr --tsv --pass-comments --seed 1 put "$estimates" "$folder/log.tsv" >"$folder/estimates.tsv"
	for log in log estimates; do
		s=$(seconds allocate --quiet -t "$machine" -q conservative:reserve=nodes "$folder/$log.tsv")
		awk -v n="$n" -v log_name="$log" -v s="$s" 'BEGIN {
			printf "%-12s %8d jobs %10s %10.1f us\n", log_name, n, s, s / n * 1e6 }'
	done
done

grep -v '^##topology' "$folder/log.tsv" >"$folder/any.tsv"
for ((i = 0; i < 10000; i += 50)); do echo "n[$i-$((i + 47))]"; done >"$folder/permitted.txt"
for where in "$machine" fattree:down=22x22x21,up=1x22x22 torus:dims=22x22x21; do
	echo "== $few jobs on $where: CPU s under easy and conservative, jobs not placed (expected: below 30 s)"
	for constraint in contiguous connected local clusters convex "file:path=$folder/permitted.txt" \
		'contiguous local' compact proximate linkdisjoint; do
		read -ra picks <<<"${constraint// / -c }"
		for queue in easy conservative; do
			s=$(seconds allocate --quiet -t "$where" -q "$queue" -c "${picks[@]}" "$folder/any.tsv")
			printf '%-24s %-14s %10s %8d\n' "${constraint%%:*}" "$queue" "$s" \
				"$(awk -F'\t' '!/^#/ && $9 == "."' "$folder/placed.tsv" | wc -l)"
		done
	done
done
