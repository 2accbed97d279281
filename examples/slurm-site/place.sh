#!/bin/bash
# place.sh - jobs get their nodes on a Slurm cluster as it stands now, and are submitted there
#
#   examples/slurm-site/place.sh [--dry-run] JOBS
#
# JOBS is a jobs stream: job (a name that is not a number, as those are Slurm's), nodes, script, and
# what else sbatch should know: walltime_s, partition, ranks_per_node, account, features, reservation; and,
# for a part of each node, exclusive=no with cpus, gpus, gpu_type, memory_bytes. It prints a line for each
# job: its name, its number in Slurm and its nodes; or "waits". Status 1 when a job waits. --dry-run submits
# nothing: the number is replaced by "dry-run", and sbatch's options go to standard error.
#
# COUNTERS are files of network counters as LDMS stores them (words; patterns are the shell's), which may
# still grow: then the jobs are placed by the traffic of the last WINDOW seconds (120), and POLICY is nedd,
# which reads the column class of JOBS (classify).
#
# POLICY (level-spread) is a policy of allocate, PARTITION (all of them) one whose nodes are given out,
# PLACETOOLS_TOPOLOGY a description of the machine that says more than Slurm's.
# shellcheck disable=SC2016 # Miller's variables
set -euo pipefail
submits=1
if [[ ${1-} == --dry-run ]]; then
	submits=0
	shift
fi
[[ $# -eq 1 ]] || { echo 'place.sh: expected one jobs stream' >&2; exit 2; }
requests=$(realpath "$1")
counters=()
# shellcheck disable=SC2086 # words and patterns
[[ -z ${COUNTERS-} ]] || readarray -t counters < <(realpath -e -- $COUNTERS)
folder=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/place.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

if [[ -z ${PLACETOOLS_TOPOLOGY-} ]]; then
	scontrol show topology | topogen --quiet --from slurm-show -o machine.yaml
	export PLACETOOLS_TOPOLOGY=$PWD/machine.yaml
fi

# First the nodes, then the jobs: a job that ends in between leaves its nodes unused this time, and one
# that starts in between is booked where it runs. Partitions have limits, reservations hold nodes for a time.
export SLURM_TIME_FORMAT=%s
scontrol -d show node -o | traceconv --from scontrol-node --to nodes -o nodes.tsv
scontrol show partition -o | traceconv --from scontrol-part --to partitions -o partitions.tsv
scontrol show reservation -o | traceconv --from scontrol-res --to reservations -o reservations.tsv
scontrol -d show job -o | sed '/^No jobs/d' | traceconv --quiet --from scontrol-job --to jobs |
	mlr --tsv --pass-comments filter '$nodelist != "." && $state =~ "^(running|suspended|completing|configuring)$"' >running.tsv
site=(--nodes nodes.tsv --nodes partitions.tsv --nodes reservations.tsv)
[[ -z ${PARTITION-} ]] || site+=(--hosts "$(mlr --itsv --onidx --skip-comments \
	put -q '$partition == ENV["PARTITION"] { print $nodelist }' partitions.tsv)")

# The jobs come now: a reservation holds, or is still to come; a decision uses the newest window of traffic
# that has ended by then. A last line that LDMS is still writing is left out.
NOW=${NOW:-$(date +%s)} mlr --tsv --pass-comments put '$submit_s = ENV["NOW"]' "$requests" >now.tsv
requests=$work/now.tsv
options=(-p "${POLICY:-level-spread}")
if ((${#counters[@]} > 0)); then
	trafficagg --quiet --window "${WINDOW:-120}" --since "-${WINDOW:-120}" "${counters[@]}" -o traffic.tsv
	options=(-p "${POLICY:-nedd}" --traffic traffic.tsv)
fi

# What runs comes first and stays where it is; what is asked for is placed around it.
mlr --tsv --pass-comments unsparsify --fill-with . running.tsv "$requests" >jobs.tsv
allocate --quiet "${site[@]}" "${options[@]}" jobs.tsv -o placed.tsv
placecheck --quiet "${site[@]}" placed.tsv

cd "$folder"
status=0
while IFS=$'\t' read -r job script; do
	if lines=$(traceconv --quiet --from jobs --to "sbatch:job=$job" "$work/placed.tsv"); then
		if ((!submits)); then
			printf '%s\tdry-run\t%s\n' "$job" "$(traceconv --from jobs --to "hostlist:job=$job" "$work/placed.tsv")"
			while IFS= read -r line; do printf '%s: %s\n' "$job" "$line"; done <<<"$lines" >&2
			continue
		fi
		# the script's own first line, then the options, which go before the first command
		id=$({ head -n 1 "$script"; grep '^#SBATCH ' <<<"$lines"; tail -n +2 "$script"; } | sbatch --parsable)
		printf '%s\t%s\t%s\n' "$job" "$id" "$(traceconv --from jobs --to "hostlist:job=$job" "$work/placed.tsv")"
	else
		[[ $? -eq 1 ]] # 2 is trouble
		printf '%s\twaits\t.\n' "$job"
		status=1
	fi
done < <(grep -v '^##' "$requests" | mlr --tsv --headerless-tsv-output cut -o -f job,script)
exit $status
