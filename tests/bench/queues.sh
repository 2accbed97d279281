#!/bin/bash
# queues.sh - whole logs through each queue: time, memory, how many jobs waited; constraints, I/O nodes, lists, pairs
#
#   tests/bench/queues.sh [-r ROW,…] [-c CONSTRAINT,…] [-l SECONDS] [MACHINE [JOBS]]
#
# ROW (default: all): log, year, estimates, lists, pairs, small, reserve, saturated, constraints, io. Each run that takes longer than
# SECONDS (300) is stopped and says so. Constraints joined by + hold together.
set -eu
rows=log,year,estimates,lists,pairs,small,reserve,saturated,constraints,io limit=300
constraints=contiguous,connected,local,clusters,convex,file,contiguous+local,compact,proximate,linkdisjoint
while getopts r:c:l: option; do
	case $option in
	r) rows=$OPTARG ;;
	c) constraints=$OPTARG ;;
	l) limit=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
machine=${1:-dragonfly:groups=125,routers=20,nodes=4} # 10 000 nodes
njobs=${2:-1000000}
few=$((njobs / 100)) # jobs of the constraints
searches='searches that gave up, their jobs, searches left out, their jobs'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
IFS=, read -ra constraints <<<"$constraints"

asked() { [[ ,$rows, == *,$1,* ]]; } # asked ROW

# seconds TOOL ARG…: CPU seconds of a run; "> N" if it was stopped after N of them
seconds() {
	local status=0
	(
		ulimit -t "$limit"
		exec /usr/bin/time -o "$folder/time" -f '%U %S %M' "$@"
	) >"$folder/placed.tsv" 2>"$folder/said" || status=$?
	if ((status == 0)); then
		awk '{ printf "%.2f", $1 + $2 }' "$folder/time"
	elif ((status > 128)) || grep -q signal "$folder/time"; then
		printf '> %d' "$limit"
	else
		printf 'failed'
		cat "$folder/said" >&2
	fi
}

# estimate MOST [FILE]: every walltime is up to so many times the runtime
estimate() {
	mlr --tsv --pass-comments --seed 1 put "\$walltime_s = roundm(\$runtime_s * (1 + ($1 - 1) * urand()), 60) + 60" "${@:2}"
}

header() {
	printf '%-26s %-34s %8s %8s %12s %8s %12s\n' log queue 'CPU s' MiB 'mean length' max 'mean wait s'
}

# bench NAME LOG QUEUE [POLICY [OPTION…]]
bench() {
	local took
	took=$(seconds allocate --quiet -t "$machine" -p "${4:-simple}" -q "$3" "${@:5}" "$2")
	printf '%-26s %-34s %8s' "$1" "$3${4:+ -p $4}${5:+ ${*:5}}" "$took"
	[[ $took == [0-9]* ]] || { echo; return 0; }
	printf ' %8d' "$(awk '{ print int($3 / 1024) }' "$folder/time")"
	evalmetrics -m queue -m wait --by . "$folder/placed.tsv" | awk -F'\t' '
		/^##/ { next }
		{ value[$3] = $4 }
		END { printf " %12.1f %8d %12.0f\n", value["queue-length-mean"], value["queue-length-max"], value["wait_s"] }'
}

log_rows() {
	echo "== $njobs jobs on $machine, Lublin-Feitelson, load .85 (expected of easy: below 6 s)"
	header
	for queue in none fcfs easy level-fit; do
		bench "$njobs jobs" "$folder/log.tsv" "$queue"
	done
	bench "$njobs jobs" "$folder/log.tsv" easy level-spread
	bench "$njobs jobs" "$folder/log.tsv" none simple --read-ahead 1000
	bench "$njobs jobs" "$folder/log.tsv" easy simple --read-ahead 1000
	bench "$njobs jobs" "$folder/log.tsv" easy simple --read-ahead 1000 --order end
	bench "$njobs jobs" "$folder/log.tsv" conservative simple --read-ahead 1000 # expected: below 60 s
}

year_rows() {
	# a year of a large site in one pipe: expected below 1 GB in all
	many=$((njobs * 10))
	jobgen -t "$machine" "lublin:load=.85,jobs=$many" |
		/usr/bin/time -o "$folder/time" -f "allocate, $many jobs: %U s, %M KiB" \
			allocate --quiet -t "$machine" -q easy --read-ahead 1000 --order end |
		/usr/bin/time -o "$folder/time2" -f 'placecheck of them: %U s, %M KiB' placecheck
	cat "$folder/time" "$folder/time2"
}

estimate_rows() {
	# estimates that are off make backfilling harder: every walltime is up to ten times the runtime
	estimate 10 "$folder/log.tsv" >"$folder/estimates.tsv"
	header
	bench "walltimes up to 10 times" "$folder/estimates.tsv" easy

	# conservative where estimates are off: events are submissions and ends
	jobgen -t "$machine" "lublin:load=.85,jobs=$((njobs / 20))" | estimate 4 >"$folder/estimates.tsv"
	took=$(seconds allocate --quiet -t "$machine" -q conservative "$folder/estimates.tsv")
	evalmetrics -m queue --by . "$folder/placed.tsv" | awk -F'\t' -v s="$took" -v n=$((njobs / 20)) '
		$3 == "queue-length-mean" { printf "conservative, %d jobs, walltimes 1-4 x runtimes: %.1f s, %.1f us an event, %.2f ns an event and waiting job\n",
			n, s, s / n / 2 * 1e6, s / n / 2 / $4 * 1e9 }'
}

list_rows() {
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
}

pair_rows() {
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
}

small_rows() {
	# a reservation for every job costs more
	small=$((njobs / 50))
	jobgen -t "$machine" "lublin:load=.85,jobs=$small" -o "$folder/small.tsv"
	bench "$small jobs" "$folder/small.tsv" conservative
	bench "$small jobs" "$folder/small.tsv" easy:reserve=nodes
}

reserve_rows() {
	echo "== conservative:reserve=nodes on $machine: CPU s, and per job"
	for n in $((few / 10)) "$few"; do
		jobgen -t "$machine" "lublin:load=.85,jobs=$n" -o "$folder/few.tsv"
		estimate 4 "$folder/few.tsv" >"$folder/estimates.tsv"
		for log in few estimates; do
			s=$(seconds allocate --quiet -t "$machine" -q conservative:reserve=nodes "$folder/$log.tsv")
			awk -v n="$n" -v log_name="$log" -v s="$s" 'BEGIN {
				printf "%-12s %8d jobs %10s %10.1f us\n", log_name, n, s, s / n * 1e6 }'
		done
	done
}

saturated_rows() {
	local n
	echo "== all jobs submitted within 100 s: the whole queue waits (expected of 50 000, conservative and easy: below 10 s)"
	header
	for n in 1500 3000 12000 50000; do
		jobgen -t "$machine" --seed 7 "lublin:jobs=$n" | mlr --tsv --skip-comments --seed 7 \
			put "\$submit_s = int((NR - 1) * 100 / $n); \$walltime_s = int(\$runtime_s * (1 + 2 * urand())) + 1" |
			sed '1i ##placetools=jobs/1' >"$folder/saturated.tsv"
		for queue in easy easy:reserve=nodes conservative conservative:depth=100; do
			bench "$n jobs" "$folder/saturated.tsv" "$queue"
		done
		((n > 3000)) || bench "$n jobs" "$folder/saturated.tsv" conservative:depth=1000000
		((n > 1500)) || bench "$n jobs" "$folder/saturated.tsv" conservative:reserve=nodes
	done
}

# permitted LOG MACHINE: for each size of a job up to sixteen lists of as many nodes that follow each other
permitted() {
	topogen "$2" --to summary | awk -F'\t' '
		FNR == NR { if ($3 == "nodes") all = $4; next }
		/^#/ || $2 !~ /^[0-9]+$/ || $2 > all || seen[$2]++ { next }
		{ n = int(all / $2)
		  for (i = 0; i < n; i += n > 16 ? n / 16 : 1) {
			from = int(i) * $2
			print ($2 > 1 ? "n[" from "-" from + $2 - 1 "]" : "n" from) } }' - "$1"
}

# placed: of the last run jobs without nodes, searches that gave up and their jobs, those left out and their jobs
placed() {
	awk -F'\t' '
		FNR == NR { if (/gave up/) split($NF, gave_up, ", for "); if (/left out/) split($NF, left_out, ", for "); next }
		/^#/ { next }
		!column { for (i = 1; i <= NF; i++) if ($i == "nodelist") column = i; next }
		$column == "." { n++ }
		END { print n + 0, gave_up[1] + 0, gave_up[2] + 0, left_out[1] + 0, left_out[2] + 0 }' FS=': ' "$folder/said" FS='\t' "$folder/placed.tsv"
}

# under QUEUE MACHINE LOG CONSTRAINT[+CONSTRAINT…]
under() {
	local names picks=() took name none gave_up of left_out out_of
	IFS=+ read -ra names <<<"$4"
	for name in "${names[@]}"; do
		[[ $name == file ]] && name=file:path=$folder/permitted.txt
		picks+=(-c "$name")
	done
	took=$(seconds allocate -v -t "$2" -q "$1" "${picks[@]}" "$3")
	if [[ $took == [0-9]* ]]; then
		read -r none gave_up of left_out out_of < <(placed)
		printf '%-24s %-14s %10s %8d %10d %8d %10d %8d\n' "$4" "$1" "$took" "$none" "$gave_up" "$of" "$left_out" "$out_of"
	else
		printf '%-24s %-14s %10s\n' "$4" "$1" "$took"
	fi
}

constraint_rows() {
	local where constraint queue
	for where in "$machine" fattree:down=22x22x21,up=1x22x22 torus:dims=22x22x21; do
		echo "== $few jobs on $where: CPU s (expected: below 30), jobs not placed, $searches"
		permitted "$folder/any.tsv" "$where" >"$folder/permitted.txt"
		for constraint in "${constraints[@]}"; do
			for queue in easy conservative; do
				under "$queue" "$where" "$folder/any.tsv" "$constraint"
			done
		done
	done
}

# I/O nodes: every job asks for one, of its choice or (pinned) the last one of the machine's first hundred
io_rows() {
	local access kind who queue columns
	for kind in coupled separate; do
		for access in shared exclusive; do
			topogen torus:dims=22x22x21 --io "per:tier=router,every=100,kind=$kind,access=$access" -o "$folder/io.yaml"
			for who in unpinned pinned; do
				# shellcheck disable=SC2016 # Miller's variables
				columns='$io_nodes = 1'
				# shellcheck disable=SC2016
				[[ $who == pinned ]] && columns='$io_nodes = 1; $io_pinned = "n" . (100 * (1 + NR % 100) - 1)'
				mlr --tsv --pass-comments put "$columns" "$folder/any.tsv" >"$folder/io.tsv"
				echo "== $few jobs on a torus, I/O nodes $kind, $access, $who: CPU s, jobs not placed, $searches"
				for queue in easy conservative; do
					under "$queue" "$folder/io.yaml" "$folder/io.tsv" local
				done
			done
		done
	done
}

if asked log || asked estimates; then
	jobgen -t "$machine" "lublin:load=.85,jobs=$njobs" -o "$folder/log.tsv"
fi
jobgen -t "$machine" "lublin:load=.85,jobs=$few" | grep -v '^##topology' >"$folder/any.tsv"
for row in log year estimates lists pairs small reserve saturated constraints io; do
	if asked "$row"; then "${row%s}_rows"; fi
done
