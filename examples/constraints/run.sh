#!/bin/bash
# run.sh - Figures 1 to 5 of Bleuse et al.: what geometric constraints keep jobs from doing to each other
#
#   examples/constraints/run.sh [FOLDER]
#
# Writes a drawing of each figure, its jobs and their metrics to FOLDER (default: a new one in /tmp)
# and says what holds; status 1 if anything that must hold does not.
# shellcheck disable=SC2016,SC1010,SC2317 # Miller has its own variables and its own word "then"; holds calls functions
set -euo pipefail
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/constraints.XXXXXX")}
mkdir -p "$out"
cd "$out"
out=$PWD

failed=0
holds() { # holds TEXT COMMAND…
	if "${@:2}" >holds.log 2>&1; then echo "holds: $1"; else
		echo "DOES NOT HOLD: $1"
		failed=1
	fi
}
fails() { ! "$@"; }

# jobs COLUMNS ROW…: a jobs stream; fields between blanks
jobs() {
	echo '##placetools=jobs/1'
	printf '%s\n' "$@" | tr ' ' '\t'
}

# measure FIGURE MACHINE FILE METRIC…: what each job's nodes are like, into result.tsv
printf 'figure\tjob\tmetric\tvalue\n' >result.tsv
measure() {
	local figure=$1 metrics=()
	for metric in "${@:4}"; do metrics+=(-m "$metric"); done
	evalmetrics -t "$2" "${metrics[@]}" "$3" | mlr --itsv --otsv --skip-comments --headerless-csv-output \
		put -q 'emit1 {"figure": "'"$figure"'", "job": $id, "metric": $metric, "value": fmtifnum($value, "%.4lg")}' >>result.tsv
}
value() { # value FIGURE JOB METRIC
	awk -F'\t' -v figure="$1" -v job="$2" -v metric="$3" '$1 == figure && $2 == job && $3 == metric { print $4 }' result.tsv
}
is() { # is FIGURE JOB METRIC VALUE
	[ "$(value "$1" "$2" "$3")" = "$4" ]
}
above() { # above FIGURE JOB METRIC VALUE
	awk -v have="$(value "$1" "$2" "$3")" -v than="$4" 'BEGIN { exit !(have > than) }'
}

# ---- Figs 1 to 3: a torus with separate I/O nodes, dimension order ----
topogen torus:dims=8x6 --io 'nodes:list=n[10,14,27,37]' -o torus.yaml

# Fig. 1: a block of nodes that keeps its compute communication to itself, and nodes apart that do not
jobs 'job nodes nodelist io_nodelist' 'together 6 n[16-18,24-26] n37' 'apart 4 n[20,22,36,38] n14' >fig-1.tsv
topogen torus.yaml --to svg --jobs fig-1.tsv -o fig-1.svg
measure 1 torus.yaml fig-1.tsv compute-escape io-escape
holds 'Fig. 1: compute communication stays inside a job' is 1 together compute-escape 0
holds 'Fig. 1: or leaves it' above 1 apart compute-escape 0
holds 'Fig. 1: and so does I/O communication' above 1 together io-escape 0

# Fig. 2: an allocation that allocate chose to be convex, and one in the shape of a hook, which is not
jobs 'job nodes nodelist' 'hook 5 n[5,13,21-23]' 'convex 6 .' |
	allocate -t torus.yaml -c convex --idle 'n[16-19,24-26,32-35,40-43]' |
	mlr --tsv --pass-comments cut -f job,nodes,nodelist >fig-2.tsv
topogen torus.yaml --to svg --jobs fig-2.tsv -o fig-2.svg
measure 2 torus.yaml fig-2.tsv connected convex compute-escape
holds 'Fig. 2: what allocate -c convex chose is convex' is 2 convex convex 1
holds 'Fig. 2: and so connected (Prop. 1)' is 2 convex connected 1
holds 'Fig. 2: and its routes are its own' is 2 convex compute-escape 0
holds 'Fig. 2: the hook is connected' is 2 hook connected 1
holds 'Fig. 2: but not convex' is 2 hook convex 0
holds 'Fig. 2: its routes leave it' above 2 hook compute-escape 0

# Fig. 3: a local job, which uses I/O nodes beside it; and the same nodes with one that is not
jobs 'job nodes io_pinned' 'local 6 n[10,27]' | allocate -t torus.yaml -c convex -c local |
	mlr --tsv --pass-comments cut -f job,nodes,nodelist,io_nodelist >fig-3.tsv
jobs 'job nodes nodelist io_nodelist' "far 6 $(grep '^local' fig-3.tsv | cut -f 3) n37" >fig-3-far.tsv
topogen torus.yaml --to svg --jobs fig-3.tsv -o fig-3.svg
measure 3 torus.yaml fig-3.tsv convex local io-foreign-nodes
measure 3 torus.yaml fig-3-far.tsv local io-foreign-nodes
holds 'Fig. 3: the job is local' is 3 local local 1
holds 'Fig. 3: with another I/O node it is not' is 3 far local 0
holds 'Fig. 3: and its I/O passes by more nodes of others' \
	above 3 far io-foreign-nodes "$(value 3 local io-foreign-nodes)"

# ---- Figs 4 and 5: a tree, four nodes below each leaf switch ----
tree=tree:arity=4x2x2
topogen $tree --to svg -o fig-4.svg
topogen $tree --to edges | grep -v '^#' >fig-4.edges
holds 'Fig. 4: sixteen nodes are the leaves, seven switches are inside' \
	[ "$(grep -c '\bn[0-9]' fig-4.edges) $(tr '\t ' '\n' <fig-4.edges | grep -x 'r[0-9]*' | sort -u | wc -l)" = '16 7' ]

jobs 'run job nodes nodelist' 'a contiguous 5 n[5-9]' 'b proximate 5 n[0-1,4-6]' 'c compact 5 n[0-3,5]' >fig-5.tsv
measure 5 $tree fig-5.tsv contiguous proximate compact dispersal
for run in a b c; do
	mlr --tsv --pass-comments filter '$run == "'$run'"' fig-5.tsv >one.tsv
	topogen $tree --to svg --jobs one.tsv -o fig-5$run.svg
done
kinds() { # the three constraints of a job, as 1 and 0
	for metric in contiguous proximate compact; do value 5 "$1" $metric; done | paste -sd ' '
}
distances() {
	for job in contiguous proximate compact; do
		echo "$(value 5 $job dispersal-max)/$(value 5 $job dispersal-sum)"
	done | paste -sd ' '
}
holds 'Fig. 5 a: contiguous, neither proximate nor compact' [ "$(kinds contiguous)" = '1 0 0' ]
holds 'Fig. 5 b: proximate, neither contiguous nor compact' [ "$(kinds proximate)" = '0 1 0' ]
holds 'Fig. 5 c: proximate and compact, not contiguous' [ "$(kinds compact)" = '0 1 1' ]
holds 'Fig. 5: largest distance and sum are 3/22, 2/16, 2/14' [ "$(distances)" = '3/22 2/16 2/14' ]

# What allocate makes of five nodes where only these are idle: each constraint another set
for constraint in contiguous proximate compact; do
	jobs 'job nodes' "$constraint 5" | allocate -t $tree -c $constraint --idle 'n[1-3,5-9,12-15]' -o given.tsv
	holds "allocate -c $constraint: placecheck agrees" placecheck -c $constraint given.tsv
	mlr --itsv --otsv --skip-comments --headerless-csv-output \
		put -q 'emit1 {"figure": "5", "job": $job, "metric": "allocate", "value": $nodelist}' given.tsv >>result.tsv
done
echo
echo "Drawings and tables: $out"
exit $failed
