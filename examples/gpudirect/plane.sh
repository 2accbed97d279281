#!/bin/bash
# plane.sh - where the study's order of gains holds: imbalance x map x metric, 2 GPUs a node; plane.sh [FOLDER]
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
# shellcheck source=examples/gpudirect/common.sh disable=SC1091
. "$here/common.sh"
mkdir -p "${1:-plane}"
cd "${1:-plane}"

# mean METRIC RANKS
mean() {
	evalmetrics -m "$1" --by gpu "$2" |
		awk -F'\t' '!/^#/ { if (!c) for (i = 1; i <= NF; i++) if ($i == "value") c = i; v = $c } END { print v }'
}

for imbalance in 0 .1 .2 .3 .5; do
	for map in in-order leaf-round-robin; do
		for code in 'sw4lite 32' 'amgx 32' 'minisweep 32' 'lulesh 27'; do
			for way in hostcopy gpudirect; do
				comm_time "${code% *}" "${code#* }" 2 $map $way "" imbalance=$imbalance >mean
				mv ranks.tsv "$way-${code% *}.tsv"
			done
		done
		for metric in comm-time comm-time:artefact=tracer; do
			printf '%s\t%s\t%s' $imbalance $map $metric
			for code in sw4lite amgx minisweep lulesh; do
				printf '\t%s' "$(percent "$(mean $metric hostcopy-$code.tsv)" "$(mean $metric gpudirect-$code.tsv)")"
			done
			printf '\n'
		done
	done
done | awk -F'\t' -v OFS='\t' '
	BEGIN { print "imbalance", "map", "metric", "sw4lite", "amgx", "minisweep", "lulesh", "order" }
	{ order = ($4 + 0 > $5 + 0 && $5 + 0 > $6 + 0 && $6 + 0 > $7 + 0) ? "holds" : "."; print $0, order }' >plane.tsv
cat plane.tsv
