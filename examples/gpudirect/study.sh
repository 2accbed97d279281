#!/bin/bash
# study.sh - chapter 3 of Khetawat's dissertation whole: a row of results.tsv for each simulation
#
#   examples/gpudirect/study.sh [FOLDER]
#
# FOLDER (default build/gpudirect-study) keeps every row that is done: run it again after an interruption and it goes
# on; with a copy of this folder's results.tsv in it, it has nothing left to do. ITERATIONS of each code (default 3);
# IMBALANCES (default .3 0) and SIZES (default 1 2 3 4: 32 to 256 ranks) make it shorter, and so do CODES and SECTIONS
# (weak strong plane bandwidth waves networks nvlink steady). cpu.tsv has the CPU seconds of each row; the study ends with their
# sums. tables.sh prints what the README shows from the rows.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
# shellcheck source=examples/gpudirect/common.sh disable=SC1091
. "$here/common.sh"
out=${1:-$here/../../build/gpudirect-study}
mkdir -p "$out"
cd "$out"
exec 9>lock # until the last program of this run has ended
flock -n 9 || { echo "study.sh: $out: another run is at work here" >&2 && exit 2; }
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
				echo "$app $(ranks "$app" "$size") $gpus lassen $map 1 $1 $2 $iterations"
			done; done; done; done
			;;
		bandwidth) # Figure 3.8, observation 5: 1 to 6 times the bandwidth
			for size in $sizes; do for app in $codes; do for gpus in 6 2 4; do for map in $maps; do
				echo "$app $(ranks "$app" "$size") $gpus lassen $map $gpus weak $2 $iterations"
			done; done; done; done
			;;
		plane) # the order of gains
			for imbalance in 0 .05 .1 .2 .3 .5 .7; do for app in $codes; do for gpus in 1 2 4 6; do for map in $maps; do
				echo "$app $(ranks "$app" 1) $gpus lassen $map 1 weak $imbalance $iterations"
			done; done; done; done
			;;
		waves) # a sweep of Minisweep in more blocks than 4: its ranks all send at a time
			for at in 1,16 3,16 1,64; do for gpus in 1 6; do for map in $maps; do
				echo "minisweep,blocks=${at#*,} $(ranks minisweep "${at%,*}") $gpus lassen $map 1 weak $2 1"
			done; done; done
			;;
		networks) # section 3.1: the same traces elsewhere
			for size in $sizes; do for machine in dragonfly torus; do for app in $codes; do for gpus in 1 6; do
				echo "$app $(ranks "$app" "$size") $gpus $machine in-order 1 weak $2 $iterations"
			done; done; done; done
			;;
		nvlink) # Figure 3.8: what binds when the network is as wide as NVLink
			for app in sw4lite minisweep,blocks=16; do for at in 1 6; do for machine in lassen lassen+copy-serial=yes lassen+node-bandwidth=150GB/s; do
				echo "$app 32 6 $machine in-order $at weak $2 $([[ $app == *,* ]] && echo 1 || echo "$iterations")"
			done; done; done
			;;
		steady) # how much a gain depends on the iterations that are simulated
			for at in 1 10; do for app in $codes; do for gpus in 1 6; do for map in $maps; do
				echo "$app $(ranks "$app" 1) $gpus lassen $map 1 weak $2 $at"
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
sections=${SECTIONS:-weak strong plane bandwidth waves networks nvlink steady}
plan_all() {
	local imbalance section
	for imbalance in ${IMBALANCES:-.3 0}; do
		for section in weak strong; do
			[[ " $sections " != *" $section "* ]] || plan "$section" "$imbalance"
		done
	done
	imbalance=${IMBALANCES:-.3 0}
	for section in $sections; do
		[[ $section == weak || $section == strong ]] || plan "$section" "${imbalance%% *}"
	done
}

# reads APP … WAY (as replay): a name for what a simulation reads. One rank a node goes where it goes under both maps, and
# the smallest size has one scaling: rows that read the same have the same numbers.
reads() {
	prepare "$1" "$2" "$3" "$4" "$5" "$7" "$8"
	{
		grep -v '^##' "$trace"
		grep -v '^##' "$map" | cut -f1,2
		echo "$(topology "$4" "$3") $4 $3 $6 $9"
	} | md5sum | cut -c1-32
}

# row APP … WAY: the numbers, from where they were simulated if that was done
row() {
	local of
	of=done-$(reads "$@").tsv
	if [[ ! -e $of ]]; then # not "||": what fails in replay must end the script
		replay "$@" >half-row.tsv
		mv half-row.tsv "$of"
	fi
	cat "$of"
}

# each row's CPU seconds go to cpu.tsv: they differ from run to run, what is simulated does not
[[ -e cpu.tsv ]] || tr ' ' '\t' <<<"${columns%% comm_s*} cpu_s" >cpu.tsv
TIMEFORMAT='%U %S'
plan_all | while read -r -a at; do
	for way in hostcopy gpudirect; do
		key=$(printf '%s\t' "${at[@]}" "$way")
		grep -qF "$key" results.tsv && continue
		iterations=${at[8]}
		{ time row "${at[@]:0:8}" "$way" >row.tsv 2>&3; } 3>&2 2>seconds
		printf '%s%s\n' "$key" "$(<row.tsv)" >>results.tsv
		awk -v key="$key" '{ printf "%s%.2f\n", key, $1 + $2 }' seconds >>cpu.tsv
	done
done

# what it cost; the study itself is the first line: codes, sizes, node types and both ways, weak and strong, under two maps
awk -F'\t' -v OFS='\t' -v first="${IMBALANCES:-.3 0}" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; split(first, is, " "); next }
	{
		is_main = $at["machine"] == "lassen" && $at["bandwidth"] == 1 && $at["iterations"] == iterations && $at["app"] !~ /,/
		what = !is_main || ($at["imbalance"] != is[1] && $at["imbalance"] != 0) ? "the rest" : "imbalance " $at["imbalance"]
		n[what]++; seconds[what] += $at["cpu_s"]
	}
	END { for (what in n) print what, n[what] " simulations", sprintf("%.0f CPU seconds", seconds[what]) }' iterations="$iterations" cpu.tsv | sort
