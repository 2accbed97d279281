#!/bin/bash
# study.sh - chapter 3 of Khetawat's dissertation whole: a row of results.tsv for each simulation
#
#   examples/gpudirect/study.sh [FOLDER]
#
# FOLDER (default build/gpudirect-study) keeps every row that is done: run it again after an interruption and it goes
# on. ITERATIONS of each code (default 3); IMBALANCES (default .3 0) and SIZES (default 1 2 3 4: 32 to 256 ranks) make it
# shorter, and so do CODES and SECTIONS (weak plane bandwidth waves strong networks). tables.sh prints what the README
# shows from the rows.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
# shellcheck source=examples/gpudirect/common.sh disable=SC1091
. "$here/common.sh"
out=${1:-$here/../../build/gpudirect-study}
mkdir -p "$out"
cd "$out"
iterations=${ITERATIONS:-3}

# ranks APP SIZE
ranks() {
	local all=(32 64 128 256)
	[[ $1 == lulesh ]] && all=(27 64 125 216)
	echo "${all[$2 - 1]}"
}

# plan SECTION IMBALANCE: the settings of its rows, in the order of columns, small ones first
codes=${CODES:-sw4lite amgx minisweep lulesh}
maps='in-order leaf-round-robin'
sizes=${SIZES:-1 2 3 4}
plan() {
	local app size gpus map imbalance machine at
	case $1 in
		weak | strong) # Figures 3.6 and 3.7, observations 1, 2 and 4
			for size in $sizes; do for app in $codes; do for gpus in 1 6 2 4; do for map in $maps; do
				echo "$app $(ranks "$app" "$size") $gpus lassen $map 1 $1 $2"
			done; done; done; done
			;;
		bandwidth) # Figure 3.8, observation 5: 1 to 6 times the bandwidth
			for size in $sizes; do for app in $codes; do for gpus in 6 2 4; do for map in $maps; do
				echo "$app $(ranks "$app" "$size") $gpus lassen $map $gpus weak $2"
			done; done; done; done
			;;
		plane) # the order of gains
			for imbalance in 0 .05 .1 .2 .3 .5 .7; do for app in $codes; do for gpus in 1 2 4 6; do for map in $maps; do
				echo "$app $(ranks "$app" 1) $gpus lassen $map 1 weak $imbalance"
			done; done; done; done
			;;
		waves) # a sweep of Minisweep in more blocks than 4: its ranks all send at a time
			for at in 1,16 3,16 1,64; do for gpus in 1 6; do for map in $maps; do
				echo "minisweep,blocks=${at#*,} $(ranks minisweep "${at%,*}") $gpus lassen $map 1 weak $2"
			done; done; done
			;;
		networks) # section 3.1: the same traces elsewhere
			for size in $sizes; do for machine in dragonfly torus; do for app in $codes; do for gpus in 1 6; do
				echo "$app $(ranks "$app" "$size") $gpus $machine in-order 1 weak $2"
			done; done; done; done
			;;
	esac
}

columns='app ranks gpus machine map bandwidth scaling imbalance iterations way comm_s sd_s artefact_s compute_s runtime_s packets links'
if [[ -e results.tsv ]]; then
	# a row that an interruption cut short is simulated again
	awk -F'\t' -v n="$(wc -w <<<"$columns")" 'NF == n' results.tsv >whole && mv whole results.tsv
else
	tr ' ' '\t' <<<"$columns" >results.tsv
fi

# everything with the first imbalance; only the scalings with the others
sections=${SECTIONS:-weak plane bandwidth waves strong networks}
first=
for imbalance in ${IMBALANCES:-.3 0}; do
	for section in $sections; do
		[[ -z $first || $section == weak || $section == strong ]] || continue
		plan "$section" "$imbalance"
	done
	first=$imbalance
done | while read -r -a at; do
	for way in hostcopy gpudirect; do
		key=$(printf '%s\t' "${at[@]}" "$iterations" "$way")
		grep -qF "$key" results.tsv && continue
		row=$(replay "${at[@]}" "$way")
		printf '%s%s\n' "$key" "$row" >>results.tsv
	done
done
