#!/bin/bash
# run.sh - nodes chosen by the job's own graph beside policies that know nothing of it, in simulated time
#
#   examples/place-and-map/run.sh [FOLDER [NODES [SEEDS]]]
#
# A log fills a dragonfly of 272 nodes and a torus of 256; at a moment at which about 3/2 of NODES (32) are
# idle, a job of four ranks a node is placed by each policy. Its ranks go to the nodes in order, and as mapref maps them;
# -p map brings its own mapping. FOLDER/times.tsv has all times, FOLDER/result.tsv what must hold of their means.
# shellcheck disable=SC1010,SC2016 # Miller has variables and a word then of its own
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"
nodes=${2:-32} seeds=${3:-2}
export LC_ALL=C

column() { # column NAME FILE: of a table
	mlr --itsv --onidx --skip-comments cut -f "$1" "$2"
}
simulate() { # simulate OPTION…: the communication time of the job, in ms
	netsim --quiet "$@" | mlr --itsv --onidx --skip-comments put '$ms = fmtnum(1000 * $comm_time_s, "%.3f")' then cut -f ms
}

# fill MACHINE SEED: nodes.tsv, the states of the nodes at the start after which the idle ones are nearest to 3/2 NODES
fill() {
	local n start idle far least=
	n=$(topogen "$1" --to summary | mlr --itsv --onidx --skip-comments filter '$scope == "machine" && $metric == "nodes"' then cut -f value)
	jobgen "lublin:jobs=400,nodes=$n" --seed "$2" | allocate --quiet -t "$1" -q easy -p simple -o log.tsv
	column start_s log.tsv | grep -v '^\.' | sort -g | awk 'NR > 60 && NR % 7 == 0' >starts.txt
	while read -r start; do
		traceconv -f "at:time=$start" --to nodes log.tsv -o states.tsv
		idle=$(column state states.tsv | grep -cx idle || true)
		far=$((idle > nodes * 3 / 2 ? idle - nodes * 3 / 2 : nodes * 3 / 2 - idle))
		if ((idle >= nodes + 4)) && [[ -z $least || $far -lt $least ]]; then
			least=$far
			cp states.tsv nodes.tsv
		fi
	done <starts.txt
}

# place MACHINE SEED PATTERN: a row of times.tsv for each policy
place() {
	local policy in_order mapped
	printf '##placetools=jobs/1\njob\tnodes\tpattern\tbytes\titerations\tranks_per_node\nj\t%s\tcomm:path=graph.tsv\t16384\t2\t4\n' "$nodes" >job.tsv
	for policy in simple compact proximate grow rdn rdr map:graph=graph.tsv; do
		if [[ $policy == map* ]]; then
			allocate --quiet -t "$1" --nodes nodes.tsv -p $policy --mapping mapping.tsv -o placed.tsv job.tsv
		else
			allocate --quiet -t "$1" --nodes nodes.tsv -p $policy -o placed.tsv job.tsv
			mapref -t "$1" -g graph.tsv -a placed.tsv -o mapping.tsv
		fi
		in_order=$(simulate -t "$1" placed.tsv)
		mapped=$(simulate -t "$1" --mapping mapping.tsv placed.tsv)
		printf '%s\t%s\t%s\t%s\t%s\t%s\n' "${1%%:*}" "$3" "$2" "${policy%%:*}" "$in_order" "$mapped" >>times.tsv
	done
}

printf 'machine\tpattern\tseed\tpolicy\tin_order_ms\tmapped_ms\n' >times.tsv
for machine in dragonfly:groups=17,routers=4,nodes=4,cores=4 torus:dims=8x8x4,cores=4; do
	for seed in $(seq "$seeds"); do
		fill "$machine" "$seed"
		for pattern in halo2d halo3d15; do
			jobgen "comm:pattern=$pattern,ranks=$((4 * nodes))" -o graph.tsv
			place "$machine" "$seed" "$pattern"
		done
	done
done

# geometric means over seeds, each seed beside map's own mapping
awk -F'\t' -v OFS='\t' '
	NR == 1 { print "machine", "pattern", "policy", "in_order", "mapped"; next }
	{ cell = $1 OFS $2; if (!(cell in cells)) { cells[cell]; order[++n] = cell } if (!($4 in seen)) { seen[$4]; policy[++m] = $4 } }
	{ in_order[cell, $4] += log($5); mapped[cell, $4] += log($6); number[cell, $4]++ }
	END {
		for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) {
			c = order[i]; p = policy[k]; best = mapped[c, "map"] / number[c, "map"]
			printf "%s\t%s\t%.2f\t%.2f\n", c, p, exp(in_order[c, p] / number[c, p] - best), exp(mapped[c, p] / number[c, p] - best)
		}
	}' times.tsv >means.tsv
mlr --itsv --opprint cat means.tsv
awk -F'\t' -v OFS='\t' '
	NR == 1 { print "claim", "holds"; next }
	$3 == "map" { order[++n] = $1 ", " $2; next }
	{ cell = $1 ", " $2 }
	!(cell in mapped) || $5 < mapped[cell] { mapped[cell] = $5 }
	!(cell in in_order) || $4 < in_order[cell] { in_order[cell] = $4 }
	END {
		for (i = 1; i <= n; i++) {
			print order[i] ": at most 1.1 times the best of the other policies with its ranks mapped", mapped[order[i]] >= 1 / 1.1 ? "yes" : "no"
			print order[i] ": every other policy with its ranks in order takes 1.15 times as long or more", in_order[order[i]] >= 1.15 ? "yes" : "no"
		}
	}' means.tsv >result.tsv
echo
cat result.tsv
