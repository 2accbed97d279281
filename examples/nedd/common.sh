# common.sh - the parts of NeDD's experiment: who does what, what the counters show, what it costs
# shellcheck shell=bash disable=SC2016,SC1010,SC2034 # Miller has its own variables and its own word "then"
#
# What may be set outside; README.md has the reasons:
#   MACHINE     the network (cori-9.yaml)
#   RANKS       of the congestor on each of its nodes (16)
#   BUFFER      input buffer of each port and virtual channel (8KiB)
#   POOL        the policy of the scheduler that left the pool (slurm)
#   BACKGROUND  cori: as much traffic as a router of Cori shows; none: silent jobs
#   JOBS        how many simulations run at a time (all processors)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
machine=${MACHINE:-$here/cori-9.yaml} congestor_ranks=${RANKS:-16} buffer=${BUFFER:-8KiB} pool=${POOL:-slurm}
background=${BACKGROUND:-cori} jobs=${JOBS:-$(nproc)}
# two minutes of the paper are 0.3 ms of the simulation, with twelve samples of the counters
scale=0.0000025 window=0.0003 every=0.000025
# mean NIC flits/s of a background job's node: rates.sh shows the resulting rates
declare -A intensities=([slurm]=41e6 [random]=34e6)
background_bytes=${BYTES:-32768} # rates.sh shows what depends on them

# schedule: a log under EASY, by the policy of $pool. Sizes of jobs are those of machines of 256 nodes, for which
# the model was fitted, at a rate that loads the machine to nine tenths. After two thirds of them a job of 201 nodes
# is submitted: the pool, in the nodes that the others leave.
schedule() {
	local nodes
	nodes=$(topogen "$machine" --to summary | awk -F'\t' '$3 == "nodes" { print $4 }')
	jobgen -t "$machine" "lublin:jobs=20000,nodes=256,load=$(awk -v n="$nodes" 'BEGIN { print .9 * n / 256 }'),overestimate=3" |
		awk -F'\t' -v OFS='\t' '
			/^##/ { print; next }
			!nr++ { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
			{ print }
			$at["job"] == 13333 {
				$at["job"] = "pool"; $at["nodes"] = 201; $at["runtime_s"] = 720; $at["walltime_s"] = 3600
				print
			}' |
		allocate -q easy -p "$pool"
}

# dress APPS <EXPERIMENT: adds what netsim needs to know about each job
# - applications do as APPS says;
# - a node of a background job sends $bytes at a time to another node of its job, often enough that its counters
#   show its intensity: a 16th of the bytes and one flit per packet, both at the source and at the destination;
# - the congestor has enough ranks to keep its NICs busy, the canary one per node.
dress() {
	awk -F'\t' -v OFS='\t' -v congestor_ranks="$congestor_ranks" -v bytes="$background_bytes" '
		NR == FNR { for (i = 1; i <= NF; i++) if (FNR == 1) name[i] = $i; else app[$1, name[i]] = $i; next }
		/^##/ { print; next }
		!nr++ { for (i = 1; i <= NF; i++) at[$i] = i; print $0, "compute_s"; next }
		{ compute = "." }
		$at["app"] == "background" {
			if ($at["nodes"] > 1 && $at["intensity"] > 0) {
				$at["pattern"] = "imbalance:spread=1+uniform"; $at["bytes"] = bytes; $at["iterations"] = 0
				compute = sprintf("%.9f", 2 * (bytes / 16 + bytes / 1024) / $at["intensity"] / 1.5)
			} else
				$at["pattern"] = "."
		}
		$at["job"] == "congestor" { $at["ranks_per_node"] = congestor_ranks }
		$at["job"] == "canary" { $at["ranks_per_node"] = 1 }
		($at["app"], "pattern") in app {
			$at["pattern"] = app[$at["app"], "pattern"]
			$at["bytes"] = app[$at["app"], "bytes"]
			$at["iterations"] = app[$at["app"], "iterations"]
			$at["ranks_per_node"] = app[$at["app"], "ranks_per_node"]
			compute = app[$at["app"], "compute_s"]
		}
		{ print $0, compute }' "$1" -
}

# experiment APPLICATIONS REPETITIONS: in the pool that log.tsv left
experiment() {
	local intensity=0
	[[ $background == none ]] || intensity=${intensities[$pool]}
	jobgen -t "$machine" "nedd:log=log.tsv,jobs=[$1],reps=$2,hold=120,background-intensity=$intensity"
}
workload() { experiment "$@" | dress "$here/apps.tsv"; }

network() { netsim -t "$machine" --profile aries -s "input-buffer=$buffer" "$@"; }

# observe_run FILE: the congestor and the background alone; the traffic that their routers count in the time
# before the applications are placed
observe_run() {
	network --until "$window" --counters "$1.csv" --counters-every "$every" "$1" >/dev/null
	trafficagg -t "$machine" --window "$window" "$1.csv" |
		mlr --tsv --pass-comments put '$run = "'"$(sed -n 's/^##run=//p' "$1")"'"; $time_s = '"$(sed -n 's/^##placed=//p' "$1")"
	rm "$1.csv"
}

# observe EXPERIMENT: of all its runs, as one table
observe() {
	local folder
	folder=$(mktemp -d runs.XXXXXX)
	awk -F'\t' -v folder="$folder" '
		/^##/ { if (!/end/) meta = meta $0 "\n"; next }
		!nr++ { for (i = 1; i <= NF; i++) at[$i] = i; columns = $0; next }
		$at["run"] != run {
			run = $at["run"]
			if (file != "") close(file)
			file = sprintf("%s/%05d", folder, ++n)
			print "##placetools=jobs/1\n##run=" run "\n" meta columns >file
		}
		$at["nodelist"] != "." { print >file; next }
		placed != run { placed = run; print "##placed=" $at["submit_s"] >file }' "$1"
	export machine buffer window every
	export -f observe_run network
	find "$folder" -type f | sort | xargs -P "$jobs" -I{} bash -euo pipefail -c 'observe_run {} >{}.traffic'
	cat "$folder"/*.traffic
	rm -r "$folder"
}

# simulate PLACED: what it costs the applications: a row for each of their jobs
simulate() {
	network --scheduled --time-scale "$scale" -j "$jobs" "$1" |
		mlr --tsv --pass-comments filter '$binary != "."' then \
			cut -o -f run,workload,rep,policy,job,nodes,app,comm_time_s,mpi_s,packets,nonminimal_fraction
}

# quiet <PLACED: the same without GPCNeT
quiet() {
	mlr --tsv --pass-comments filter '$app != "GPCNeT"' then put 'if ($binary != ".") {$policy = "no-congestor"}'
}

# make FILE COMMAND…: its output, unless it is there already; so a study that was interrupted goes on
make() {
	[[ -s $1 ]] || { "${@:2}" >"$1.part" && mv "$1.part" "$1"; }
}
