#!/bin/bash
# place.sh - jobs get their nodes on a Slurm cluster as it stands now, and are submitted there
#
#   examples/slurm-site/place.sh JOBS
#
# JOBS is a jobs stream: job (a name that is no number, as Slurm's jobs have those), nodes, script, and
# what else sbatch should know: walltime_s, partition, ranks_per_node. A line is printed for each job:
# its name, Slurm's number of it and its nodes; or "waits". Status 1 when one waits.
#
# POLICY (level-spread) is a policy of allocate, PARTITION (all of them) one whose nodes are given out,
# PLACETOOLS_TOPOLOGY a description of the machine that says more than Slurm's.
# shellcheck disable=SC2016 # Miller's variables
set -euo pipefail
[[ $# -eq 1 ]] || { echo 'place.sh: expected one jobs stream' >&2; exit 2; }
requests=$(realpath "$1")
folder=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/place.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

if [[ -z ${PLACETOOLS_TOPOLOGY-} ]]; then
	scontrol show topology | topogen --from slurm-show -o machine.yaml
	export PLACETOOLS_TOPOLOGY=$PWD/machine.yaml
fi

# First the nodes, then the jobs: a job that ends in between leaves its nodes unused this time, and one
# that starts in between is booked where it runs.
sinfo -N ${PARTITION:+-p "$PARTITION"} -o '%N|%T' | traceconv --from sinfo --to nodes -o nodes.tsv
SLURM_TIME_FORMAT=%s squeue -r -o '%i|%u|%P|%T|%V|%S|%e|%l|%D|%N|%r|%j' |
	traceconv --from squeue --to jobs | mlr --tsv --pass-comments filter '$nodelist != "."' >running.tsv

# What runs comes first and stays where it is; what is asked for is placed around it.
mlr --tsv --pass-comments unsparsify --fill-with . running.tsv "$requests" >jobs.tsv
allocate --quiet --nodes nodes.tsv -p "${POLICY:-level-spread}" jobs.tsv -o placed.tsv
placecheck --quiet --nodes nodes.tsv placed.tsv

cd "$folder"
status=0
while IFS=$'\t' read -r job script; do
	if options=$(traceconv --quiet --from jobs --to "sbatch:job=$job" "$work/placed.tsv"); then
		# the script's own first line, then the options, which go before the first command
		id=$({ head -n 1 "$script"; grep '^#SBATCH ' <<<"$options"; tail -n +2 "$script"; } | sbatch --parsable)
		printf '%s\t%s\t%s\n' "$job" "$id" "$(traceconv --from jobs --to "hostlist:job=$job" "$work/placed.tsv")"
	else
		[[ $? -eq 1 ]] # 2 is trouble
		printf '%s\twaits\t.\n' "$job"
		status=1
	fi
done < <(grep -v '^##' "$requests" | mlr --tsv --headerless-tsv-output cut -o -f job,script)
exit $status
