#!/bin/bash
# calibrate.sh - finds each application's compute_s, so that without congestor its time in MPI is Table I's
#
#   examples/nedd/calibrate.sh [FOLDER]
#
# Writes FOLDER/apps.tsv, which is examples/nedd/apps.tsv with another compute_s, and shows how close it
# is. REPS placements (default 3, fewer routers) represent all; ROUNDS (default 4) are simulated.
#
# With more computation W the time in MPI M changes little, and linearly: M(c) − F/(1 − F) W(c)
# = 0 is solved by secants from two guesses.
# shellcheck disable=SC2016,SC1010 # Miller has its own variables and its own word "then"
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/nedd-calibrate.XXXXXX")}
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
mkdir -p "$out"
cd "$out"
rounds=${ROUNDS:-4} table1=$here/../../share/profiles/nedd-table1.tsv
[[ -r $table1 ]] || table1=$here/../../profiles/nedd-table1.tsv # as it is installed
cp "$here/apps.tsv" apps.tsv
make log.tsv schedule
experiment miniMD,LAMMPS,MILC,HACC,QMCPACK,HPCG "${REPS:-3}" | allocate -p fewer-router -o placed.tsv

# measure: time in MPI and out of it, means of each application, at the compute_s of apps.tsv
measure() {
	dress apps.tsv <placed.tsv | quiet >quiet.tsv
	simulate quiet.tsv |
		mlr --itsv --otsv --skip-comments put '$rest = $comm_time_s - $mpi_s' then \
			stats1 -a mean -f mpi_s,rest -g app >measured.tsv
}

# One line for each evaluation: app compute_s MPI rest; then the next compute_s.
: >history.tsv
for ((round = 1; round <= rounds; round++)); do
	measure
	awk -F'\t' -v OFS='\t' 'NR == FNR { compute[$1] = $6; next } FNR > 1 { print $1, compute[$1], $2, $3 }' \
		apps.tsv measured.tsv >>history.tsv
	[[ $round == "$rounds" ]] && break
	awk -F'\t' -v OFS='\t' '
		FILENAME == ARGV[1] { if (!/^##/ && $1 != "app") fraction[$1] = $4; next }
		FILENAME == ARGV[2] {
			k = fraction[$1] / (1 - fraction[$1])
			c0[$1] = c1[$1]; h0[$1] = h1[$1]; c1[$1] = $2; h1[$1] = $3 - k * $4; n[$1]++
			plain[$1] = $2 * $3 / (k * $4); next
		}
		$1 in c1 {
			c = plain[$1]
			if (n[$1] > 1 && h1[$1] != h0[$1]) c = c1[$1] - h1[$1] * (c1[$1] - c0[$1]) / (h1[$1] - h0[$1])
			if (c < c1[$1] / 4) c = c1[$1] / 4
			if (c > c1[$1] * 4) c = c1[$1] * 4
			$6 = sprintf("%.9f", c)
		}
		{ print }' "$table1" history.tsv apps.tsv >next.tsv
	mv next.tsv apps.tsv
done
{
	echo 'application compute_s Table_I ours'
	awk -F'\t' '
		FILENAME == ARGV[1] { if (!/^##/ && $1 != "app") fraction[$1] = $4; next }
		FILENAME == ARGV[2] { at[$1] = $2; ours[$1] = $3 / ($3 + $4); next }
		$1 in at { printf "%s %s %.1f%% %.1f%%\n", $1, at[$1], 100 * fraction[$1], 100 * ours[$1] }' \
		"$table1" history.tsv apps.tsv
} | column -t
echo "$PWD/apps.tsv"
