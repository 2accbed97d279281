#!/bin/bash
# grid.sh - NeDD beside three strategies, over what is not known about the experiment: paired repetitions in each cell
#
#   examples/nedd/grid.sh [FOLDER]
#
# Ranks of the congestor x buffers x the pool's scheduler x background traffic; REPS (30) repetitions of each
# application in APPLICATIONS (miniMD MILC). FOLDER (default build/study/nedd) keeps finished cells: run the script again after
# an interruption, and it continues. CELLS replaces the list of cells. Leaves results.tsv, a row for each simulated job, and
# differences.tsv, a row for each cell, application and strategy: how much less time NeDD takes, with the bootstrap's
# interval of 95 % and Wilcoxon's p. Every row contains its settings.
# shellcheck disable=SC2016,SC1010 # Miller has its own variables and its own word "then"
set -euo pipefail
folder=${1:-$(dirname "$0")/../../build/study/nedd}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
reps=${REPS:-30} table1=$here/../../share/profiles/nedd-table1.tsv
[[ -r $table1 ]] || table1=$here/../../profiles/nedd-table1.tsv # as it is installed
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# The settings that README.md gives reasons for come first; then what is quick to simulate.
cells() {
	local ranks buffer pool
	echo 16 8KiB slurm cori
	for ranks in 32 16; do
		for buffer in 8KiB 16KiB; do
			for pool in slurm random; do
				echo $ranks $buffer $pool none
			done
		done
	done
	echo 32 8KiB slurm cori
	echo 16 16KiB slurm cori
	echo 16 8KiB random cori
	echo 32 16KiB slurm cori
	echo 32 8KiB random cori
	echo 16 16KiB random cori
	echo 32 16KiB random cori
}

# cell APPLICATION: in the folder of its settings, which are in the environment
cell() {
	# shellcheck source-path=SCRIPTDIR
	. "$here/common.sh"
	local app=$1 policy
	make log.tsv schedule
	make "$app-jobs.tsv" workload "$app" "$reps"
	make "$app-traffic.tsv" observe "$app-jobs.tsv"
	classify -d "$table1" "$app-jobs.tsv" -o "$app-classified.tsv"
	for policy in nedd random low-stall fewer-router; do
		allocate --quiet -p "$policy" --traffic "$app-traffic.tsv" "$app-classified.tsv" |
			mlr --tsv --pass-comments put 'if ($binary != ".") {$policy = "'"$policy"'"}' >placed.tsv
		make "$app-simulated-$policy.tsv" simulate placed.tsv
		[[ $policy == fewer-router ]] || continue
		quiet <placed.tsv >placed-quiet.tsv
		make "$app-simulated-no-congestor.tsv" simulate placed-quiet.tsv
	done
	rm -f placed.tsv placed-quiet.tsv "$app-classified.tsv"
}

# differences RANKS BUFFER POOL BACKGROUND FILE…: NeDD beside the others, of one cell and application
differences() {
	for file in "${@:5}"; do traceconv --to jobs "$file"; done |
		mlr --tsv --pass-comments cut -o -f run,job,nodes,app,policy,comm_time_s |
		evalmetrics -m column:name=comm_time_s --baseline policy=nedd --paired --ci 0.95 --by app |
		awk -F'\t' -v OFS='\t' -v settings="$1	$2	$3	$4" -v files="${*:5}" '
			BEGIN {
				n = split(files, file, " ")
				for (i = 1; i <= n; i++) {
					nr = 0
					while ((getline line <file[i]) > 0) {
						if (line ~ /^##/) continue
						k = split(line, cell, "\t")
						if (!nr++) { for (j = 1; j <= k; j++) column[cell[j]] = j; continue }
						sum[cell[column["policy"]]] += cell[column["comm_time_s"]]; count[cell[column["policy"]]]++
					}
				}
			}
			/^##/ { next }
			!started++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{
				other = sum[$at["policy"]] / count[$at["policy"]]
				printf "%s\t%s\t%s\t%d\t%.6g\t%.6g\t%.1f\t%.1f\t%.1f\t%s\n", settings, $at["app"], $at["policy"],
					$at["n"], sum["nedd"] / count["nedd"], other, 100 * $at["value"] / other,
					100 * $at["ci_low"] / other, 100 * $at["ci_high"] / other, $at["p_wilcoxon"]
			}'
}

# tables: of all cells that are complete
tables() {
	local settings app files
	printf '%s\n' ranks buffer pool background app policy rep time_s | paste -s >results.part
	printf '%s\n' ranks buffer pool background app beside pairs nedd_s other_s saving_percent low high p_wilcoxon |
		paste -s >differences.part
	while read -r settings; do
		for app in ${APPLICATIONS:-miniMD MILC}; do
			mapfile -t files < <(compgen -G "${settings// /-}/$app-simulated-*.tsv")
			((${#files[@]} == 5)) || continue
			for file in "${files[@]}"; do
				mlr --itsv --onidx --ofs tab --skip-comments cut -o -f app,policy,rep,comm_time_s "$file" |
					sed "s/^/${settings// /	}	/"
			done >>results.part
			# shellcheck disable=SC2086 # four words
			differences $settings "${files[@]}" >>differences.part
		done
	done < <(cells)
	mv results.part results.tsv
	mv differences.part differences.tsv
}

cd "$folder"
while read -r ranks buffer pool background; do
	for app in ${APPLICATIONS:-miniMD MILC}; do
		mkdir -p "$ranks-$buffer-$pool-$background"
		(cd "$ranks-$buffer-$pool-$background" &&
			RANKS=$ranks BUFFER=$buffer POOL=$pool BACKGROUND=$background cell "$app")
	done
	tables
done < <(if [[ -n ${CELLS:-} ]]; then echo "$CELLS"; else cells; fi)
mlr --itsv --opprint cat differences.tsv
