#!/bin/bash
# numbering.sh - the sign of Fig. 9: an N-body code whose ranks are numbered along its own tree, or in random order
#
# 4 096 ranks on every sixth node of the GPC cluster. For both numberings, each mapper's terms as parts of those of ranks in
# order.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
hosts=$(awk 'BEGIN { for (i = 0; i < 512; i++) printf "%sn%04d", i ? "," : "", 6 * i }')
jobgen comm:pattern=nbody,ranks=4096 -o along.tsv
# rank r becomes r * 1597 + 7 modulo 4 096, an odd step: near ranks are far apart
awk -F'\t' -v OFS='\t' '/^[0-9]/ { $1 = ($1 * 1597 + 7) % 4096; $2 = ($2 * 1597 + 7) % 4096 } { print }' along.tsv >mixed.tsv

printf 'ranks\tmapper\thop-bytes\tmax-congestion\tnzca\tnzcv\n'
for graph in along mixed; do
	for mapper in in-order ptram greedy recursive rcm multilevel; do
		mapref -t gpc -g $graph.tsv --hosts "$hosts" --ranks-per-node 8 -p $mapper -o mapping.tsv
		evalmetrics -t gpc -g $graph.tsv -m dilation -m congestion mapping.tsv | awk -F'\t' -v OFS='\t' -v name="$graph	$mapper" '
			/^##/ { next } !c { for (i = 1; i <= NF; i++) { if ($i == "metric") c = i; if ($i == "value") v = i } next }
			{ x[$c] = $v } END { print name, x["hop-bytes"], x["max-congestion"], x["nzca"], x["nzcv"] }'
	done
done | awk -F'\t' '$2 == "in-order" { for (i = 3; i <= 6; i++) base[i] = $i; next }
	{ printf "%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\n", $1, $2, $3 / base[3], $4 / base[4], $5 / base[5], $6 / base[6] }'
