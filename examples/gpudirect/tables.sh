#!/bin/bash
# tables.sh - the tables of the README from results.tsv, as study.sh writes it
#
#   examples/gpudirect/tables.sh [RESULTS]
#
# ALL=1 has all numbers of ranks, not only the fewest and the most.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
results=$(realpath "${1:-$here/results.tsv}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# GPUs a node, times the bandwidth, capex and opex of a GPU
printf '##placetools=jobs/1\njob\tnodes\n1\t1\n' >row.tsv
for gpus in 1 2 4 6; do
	for wide in $(printf '%s\n' 1 $gpus | sort -u); do
		speed=$(awk -v x="$wide" 'BEGIN { print 12.5 * x "GB/s" }')
		topogen "@lassen-$gpus" --bandwidth "terminal=$speed" --bandwidth "level2=$speed" --bandwidth "level3=$speed" -o m.yaml
		evalmetrics -t m.yaml -m capex:costs=@lassen -m opex:costs=@lassen row.tsv |
			awk -F'\t' -v OFS='\t' -v n=$((810 * gpus)) -v gpus=$gpus -v wide="$wide" '
				$3 == "capex" { capex = $4 } $3 == "opex" { opex = $4 } END { print gpus, wide, capex / n, opex / n }'
	done
done >costs.tsv
awk -v costs=costs.tsv -v small="$here/expected.tsv" -v all="${ALL:-}" -f "$here/tables.awk" -f "$here/claims.awk" "$results" | sed "s/ *$//"
