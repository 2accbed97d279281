#!/bin/bash
# run.sh - NeDD's experiment: Table I in, classes out; a pool, a congestor, counters; five strategies
#
#   examples/nedd/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp) and says what holds; status 1 if anything
# that must hold does not. REPS (default 2; the paper: 10 and more), INTERVAL between two samples of a
# counter in seconds (120; the paper: 1) and MACHINE (@cori) change the size; study.sh runs it whole.
# shellcheck disable=SC2016,SC1010,SC2317 # Miller has variables and a word then of its own; holds calls functions
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
table1=$here/../../share/profiles/nedd-table1.tsv
reps=${REPS:-2} interval=${INTERVAL:-120} machine=${MACHINE:-@cori}
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/nedd.XXXXXX")}
mkdir -p "$out"
cd "$out"

failed=0
holds() { # holds TEXT COMMAND…
	if "${@:2}"; then echo "holds: $1"; else
		echo "DOES NOT HOLD: $1"
		failed=1
	fi
}

# ---- profiles: Table I, and the classes that the paper gives the applications ----
classify "$table1" -o classes.tsv
mlr --tsv --pass-comments cut -o -f app,class classes.tsv | grep -v '^##' >classes
holds 'Table I is classified as in the paper' diff classes "$here/classes-paper.tsv"

# ---- the experiment, with the congestor and without ----
# prepare NAME SPEC: jobs with their classes, and the traffic that the routers' counters show
prepare() {
	jobgen -t "$machine" "nedd:reps=$reps,hold=120$2" -o "$1-experiment.tsv"
	jobgen "counters:interval=$interval,columns=few,redundancy=1" "$1-experiment.tsv" |
		trafficagg -t "$machine" -o "$1-traffic.tsv"
	classify -d "$table1" "$1-experiment.tsv" -o "$1-jobs.tsv"
}
prepare congestor ''
prepare quiet ,congestor=no

# place POLICY NAME AS: only the applications' rows are kept, under the name of the strategy
place() {
	allocate -p "$1" --traffic "$2-traffic.tsv" "$2-jobs.tsv" -o whole.tsv
	holds "placecheck finds nothing wrong with $3" placecheck -t "$machine" whole.tsv
	mlr --tsv --pass-comments filter '$binary != "."' then put '$policy = "'"$3"'"' whole.tsv >"placed-$3.tsv"
	rm whole.tsv
}
for policy in low-traffic high-traffic random low-stall fewer-router nedd; do
	place $policy congestor $policy
done
place fewer-router quiet no-congestor

# ---- metrics: of each strategy, each application, each job of a pair, beside random placement ----
cat placed-*.tsv | mlr --tsv --pass-comments filter '!($workload =~ "[+]")' then \
	put '$policy == "nedd" { $policy = sub($class, "network", "nedd") }' >one-job.tsv
cat placed-*.tsv | mlr --tsv --pass-comments filter '$workload =~ "[+]"' >two-job.tsv
metrics='-m fragmentation -m hops -m spread -m stall -m traffic'
# shellcheck disable=SC2086 # several words
# the pool without congestor has counters of its own
measure() { # measure BY FILE
	mlr --tsv --pass-comments filter '$policy != "no-congestor"' "$2" |
		evalmetrics -t "$machine" $metrics --traffic congestor-traffic.tsv --by "$1" -o congestor-metrics.tsv
	mlr --tsv --pass-comments filter '$policy == "no-congestor"' "$2" |
		evalmetrics -t "$machine" $metrics --traffic quiet-traffic.tsv --by "$1" -o quiet-metrics.tsv
	cat congestor-metrics.tsv quiet-metrics.tsv | mlr --tsv --pass-comments cut -x -f scope,id | grep -v '^##'
}
measure policy one-job.tsv >strategies.tsv
measure app,policy one-job.tsv >applications.tsv
measure workload,job,policy two-job.tsv >pairs.tsv

# value FILE METRIC KEY…: one mean; the keys are the first columns
value() {
	awk -F'\t' -v metric="$2" -v key="${*:3}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; nkeys = at["metric"] - 1; next }
		{ k = $1; for (i = 2; i <= nkeys; i++) k = k " " $i }
		k == key && $at["metric"] == metric { print $at["mean"]; found = 1 }
		END { exit !found }' "$1"
}
traffic() { value strategies.tsv traffic-mean "$1"; }
rising() { printf '%s\n' "$@" | sort -gc 2>/dev/null && [ -z "$(printf '%s\n' "$@" | uniq -d)" ]; }
# the nodes that a strategy gave to the jobs of applications (an awk pattern)
nodes() {
	mlr --tsv --pass-comments filter '$app =~ "'"$2"'"' then cut -o -f run,job,nodelist "placed-$1.tsv" | grep -v '^##'
}
sensitive='^(miniMD|LAMMPS|MILC|HACC)$' insensitive='^(QMCPACK|HPCG)$'
same_nodes() { # same_nodes A B APPS: in the one-job experiments
	diff <(nodes "$1" "$3" | grep -vF +) <(nodes "$2" "$3" | grep -vF +) >/dev/null
}

holds 'nedd gives sensitive jobs what low-traffic does' same_nodes nedd low-traffic "$sensitive"
holds 'nedd gives insensitive jobs what high-traffic does' same_nodes nedd high-traffic "$insensitive"
holds 'traffic of the routers: low-traffic < random < high-traffic' \
	rising "$(traffic low-traffic)" "$(traffic random)" "$(traffic high-traffic)"
holds 'stalls mislead: low-stall has the fewest stalls, and more traffic than low-traffic' eval '
	rising "$(value strategies.tsv stall-mean low-stall)" "$(value strategies.tsv stall-mean low-traffic)" &&
	rising "$(traffic low-traffic)" "$(traffic low-stall)"'
holds 'fewer-router uses the fewest routers, random the most' \
	rising "$(value strategies.tsv routers fewer-router)" "$(value strategies.tsv routers low-traffic)" \
	"$(value strategies.tsv routers random)"
holds 'no-congestor has the nodes of fewer-router, and less traffic' eval '
	same_nodes no-congestor fewer-router . && rising "$(traffic no-congestor)" "$(traffic fewer-router)"'
holds 'two sensitive jobs: both have less traffic with nedd than with any but low-traffic (Fig. 5 a)' eval '
	for job in miniMD MILC; do for other in random low-stall fewer-router; do
		rising "$(value pairs.tsv traffic-mean miniMD+MILC $job nedd)" \
			"$(value pairs.tsv traffic-mean miniMD+MILC $job $other)" || exit 1
	done; done'
holds 'an insensitive job first takes no quiet router from a sensitive one with nedd (Fig. 5 c)' \
	rising "$(value pairs.tsv traffic-mean QMCPACK+miniMD miniMD nedd)" \
	"$(value pairs.tsv traffic-mean QMCPACK+miniMD miniMD low-traffic)" \
	"$(value pairs.tsv traffic-mean QMCPACK+miniMD miniMD random)"

# ---- what a person reads ----
{
	echo
	echo "One-job experiments: means over six applications, $reps repetitions each; traffic and stalls are"
	echo 'of the routers a job has nodes at, in the two minutes before it is placed'
	echo
	mlr --itsv --opprint filter '$metric =~ "^(routers|groups|hops-mean|traffic-mean|stall-mean)$"' then \
		put '$mean = $metric =~ "^(traffic|stall)" ? fmtnum($mean / 1e6, "%.2f") : fmtnum($mean, "%.2f")' then \
		cut -f policy,metric,mean then reshape -s metric,mean then \
		rename traffic-mean,Mflit/s,stall-mean,Mstall/s,hops-mean,hops then \
		cut -o -f policy,routers,groups,hops,Mflit/s,Mstall/s then \
		join -j policy -f "$here/paper.tsv" then sort -nf order then cut -x -f order then \
		rename policy,strategy then reorder -e -f paper strategies.tsv
	echo
	echo 'Two-job experiments: millions of flits per second at the routers of the first and second job'
	echo
	mlr --itsv --opprint filter '$metric == "traffic-mean"' then \
		put '$mean = fmtnum($mean / 1e6, "%.2f"); $job = splitax($workload, "+")[1] == $job ? "first" : "second"' then \
		cut -f workload,job,policy,mean then reshape -s job,mean then join -j policy -f "$here/paper.tsv" then \
		sort -f workload -nf order then cut -o -f workload,policy,first,second then rename policy,strategy pairs.tsv
} | tee table.txt

# ---- the plot, and the numbers that the test compares ----
evalmetrics -t "$machine" -m traffic --traffic congestor-traffic.tsv \
	<(mlr --tsv --pass-comments filter '$policy != "no-congestor"' one-job.tsv) |
	mlr --itsv --onidx --ofs ' ' --pass-comments filter '$metric == "traffic-mean"' then cut -o -f policy,value |
	grep -v '^##' >points.txt
gnuplot "$here/plot.gp"
{
	mlr --itsv --otsv put -q 'emit1 {"experiment": "one-job", "job": "all", "strategy": $policy, "metric": $metric, "mean": fmtnum($mean, "%.6g")}' strategies.tsv
	mlr --itsv --otsv --headerless-tsv-output put -q 'emit1 {"experiment": "one-job", "job": $app, "strategy": $policy, "metric": $metric, "mean": fmtnum($mean, "%.6g")}' applications.tsv
	mlr --itsv --otsv --headerless-tsv-output put -q 'emit1 {"experiment": $workload, "job": $job, "strategy": $policy, "metric": $metric, "mean": fmtnum($mean, "%.6g")}' pairs.tsv
} >result.tsv
echo
echo "All files lie in $out: table.txt, result.tsv, traffic.svg, …"
exit $failed
