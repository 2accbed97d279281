#!/bin/bash
# study.sh - the whole plane: codes x ranks x GPUs a node x maps x ways x scaling x imbalance; study.sh [FOLDER]
# May be stopped and started again: a row that is in FOLDER/study.tsv is not simulated twice.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
# shellcheck source=examples/gpudirect/common.sh
. "$here/common.sh"
mkdir -p "${1:-study}"
cd "${1:-study}"
iterations=${ITERATIONS:-2}
[[ -e study.tsv ]] || printf 'app\tranks\tgpus\tmap\tscaling\timbalance\thostcopy_s\tgpudirect_s\tgain_percent\n' >study.tsv

# one APP RANKS PPN MAP SCALING IMBALANCE
one() {
	local key generated=scaling=$5,imbalance=$6 host direct
	key=$(printf '%s\t%s\t%s\t%s\t%s\t%s' "$@")
	grep -qF "$key"$'\t' study.tsv && return
	host=$(comm_time "$1" "$2" "$3" "$4" hostcopy "" "$generated")
	direct=$(comm_time "$1" "$2" "$3" "$4" gpudirect "" "$generated")
	printf '%s\t%s\t%s\t%s\n' "$key" "$host" "$direct" "$(percent "$host" "$direct")" >>study.tsv
}

for imbalance in ${IMBALANCES:-0 .1 .2 .3 .5}; do
	for scaling in weak strong; do
		for app in sw4lite amgx minisweep lulesh; do
			sizes='32 64 128 256'
			[[ $app == lulesh ]] && sizes='27 64 125 216'
			for ranks in ${SIZES:-$sizes}; do
				for gpus in 1 2 4 6; do
					for map in in-order leaf-round-robin; do
						one $app "$ranks" $gpus $map $scaling "$imbalance"
					done
				done
			done
		done
	done
done
