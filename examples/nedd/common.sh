# common.sh - the parts of NeDD's experiment: who does what, what the counters show, what it costs
# shellcheck shell=bash disable=SC2016,SC1010,SC2034 # Miller has variables and a word then of its own
#
# MACHINE (@cori), RANKS of the congestor on each of its nodes, and JOBS, how many simulations run at a
# time (all processors), may be set outside.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
machine=${MACHINE:-@cori} congestor_ranks=${RANKS:-32} jobs=${JOBS:-$(nproc)}
# two minutes of the paper are 1.2 ms of the simulation, with twelve samples of the counters
scale=0.00001 window=0.0012 every=0.0001

# dress APPS <EXPERIMENT: what netsim has to know of each job
# - applications do as APPS says;
# - a node of a background job sends 4096 bytes at a time to another one of its job, so often that its
#   counters show its intensity: 260 flits where it leaves and 260 where it comes;
# - the congestor has ranks enough to keep its NICs busy, the canary one a node.
dress() {
	awk -F'\t' -v OFS='\t' -v congestor_ranks="$congestor_ranks" '
		NR == FNR { for (i = 1; i <= NF; i++) if (FNR == 1) name[i] = $i; else app[$1, name[i]] = $i; next }
		/^##/ { print; next }
		!nr++ { for (i = 1; i <= NF; i++) at[$i] = i; print $0, "compute_s"; next }
		{ compute = "." }
		$at["app"] == "background" {
			if ($at["nodes"] > 1 && $at["intensity"] > 0) {
				$at["bytes"] = 4096; $at["iterations"] = 0
				compute = sprintf("%.9f", 520 / $at["intensity"])
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

# observe_run FILE WINDOW EVERY: the congestor and the background alone; the traffic that their routers
# count in the time before the applications are placed
observe_run() {
	netsim -t "$machine" --profile aries --until "$2" --counters "$1.csv" --counters-every "$3" "$1" >/dev/null
	trafficagg -t "$machine" --window "$2" "$1.csv" |
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
	export machine
	export -f observe_run
	find "$folder" -type f | sort | xargs -P "$jobs" -I{} bash -euo pipefail -c \
		"observe_run {} $window $every >{}.traffic"
	cat "$folder"/*.traffic
	rm -r "$folder"
}

# simulate PLACED: what it costs the applications: a row for each of their jobs. Background jobs, whose
# counters the strategies saw, are left out: they load no link by more than some thousandths.
simulate() {
	mlr --tsv --pass-comments filter '$app != "background"' "$1" |
		netsim -t "$machine" --profile aries --scheduled --time-scale "$scale" -j "$jobs" |
		mlr --tsv --pass-comments filter '$binary != "."' then \
			cut -o -f run,workload,rep,policy,job,app,comm_time_s,mpi_s,packets,nonminimal_fraction
}

# quiet <PLACED: the same without GPCNeT
quiet() {
	mlr --tsv --pass-comments filter '$app != "GPCNeT"' then put 'if ($binary != ".") {$policy = "no-congestor"}'
}
