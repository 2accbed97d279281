#!/bin/bash
# json.sh - Slurm's JSON of 100 000 jobs (2 GB), as squeue --json of 25.11 lists and indents them: MB/s of one core, and the
# peak of memory, below 100 MB. Needs the samples beside the repository.
set -eu
cd "$(dirname "$0")/../.."
bats_require_minimum_version() { :; }
# shellcheck source=tests/helper.bash
. tests/helper.bash
sample=${SHARED:+$SHARED/data/slurm/job-gpus-25.11-v0.0.44.json}
peak=$PLACETOOLS_BUILD/tests/tools/peak
jobs=${JOBS_OF:-100000}
[[ -n $sample ]] || { echo 'the samples are not here'; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# The sample's one job, without the bracket around it; each copy gets its number.
jq '.jobs[0]' "$sample" | sed 's/^/    /' >"$work/job"
list() {
	awk -v n="$jobs" '{ job = job (NR > 1 ? "\n" : "") $0 }
		END {
			at = index(job, "\"job_id\":"); head = substr(job, 1, at + 8)
			rest = substr(job, at + 9); sub(/^ *[0-9]+/, "", rest)
			print "{\n  \"jobs\": ["
			for (i = 1; i <= n; i++) printf "%s%s %d%s", (i > 1 ? ",\n" : ""), head, i, rest
			print "\n  ]\n}"
		}' "$work/job"
}
bytes=$(($(stat -c %s "$work/job") * jobs))
TIMEFORMAT='%U %S'
seconds=$({ time list | "$peak" traceconv --quiet --zone Z --from slurm-json --to jobs -o "$work/jobs.tsv" 2>"$work/peak"; } 2>&1 | awk '{ print $1 + $2 }')
alone=$({ time list >/dev/null; } 2>&1 | awk '{ print $1 + $2 }')
rows=$(grep -vc -e '^##' -e '^job' "$work/jobs.tsv")
awk -v rows="$rows" -v jobs="$jobs" -v bytes="$bytes" -v s="$seconds" -v alone="$alone" -v peak="$(tail -n 1 "$work/peak")" 'BEGIN {
	printf "traceconv --from slurm-json: %d jobs, %.0f MB, %.0f MB/s, peak %.1f MB\n", rows, bytes / 1e6, bytes / 1e6 / (s - alone), peak / 1024
	exit rows != jobs || peak > 100 * 1024 }'
