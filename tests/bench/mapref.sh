#!/bin/bash
# mapref.sh - rank mappings beside Scotch's gmap in one run: congestion and hop-bytes as parts of in order, CPU seconds
#
# gmap (Debian: scotch) maps onto the machine's tree of tiers, of which the job's cores are a part (sub of tleaf), as
# mapref's own mapper scotch tells libscotch to. FULL=1 adds 24 576 and 65 536 ranks, and longer searches.
#
# LISTS=FOLDER takes the node lists FOLDER/KIND-NODES.alloc, one node a line, where they are there; else awk makes lists of
# the same kinds, and the ratios differ by some hundredths to tenths.
set -eu
lists=${LISTS:+$(realpath "$LISTS")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
gmap=$(command -v gmap || command -v scotch_gmap || true)
[[ -n $gmap ]] || echo 'gmap is not here (Debian: scotch): its rows are left out'

# hosts KIND N: of the GPC cluster's 3 090 nodes the first, or some in order, or the same in an order of chance
hosts() {
	if [[ -e $lists/$1-$2.alloc ]]; then
		paste -sd , "$lists/$1-$2.alloc"
		return
	fi
	awk -v kind="$1" -v n="$2" 'BEGIN {
		srand(1)
		for (i = 0; i < 3090; i++) { at[i] = i; key[i] = rand() }
		if (kind != "first")
			for (i = 0; i < n; i++) { k = i + int(key[i] * (3090 - i)); t = at[i]; at[i] = at[k]; at[k] = t }
		if (kind == "frag")
			for (i = 1; i < n; i++) for (k = i; k > 0 && at[k] < at[k - 1]; k--) { t = at[k]; at[k] = at[k - 1]; at[k - 1] = t }
		for (i = 0; i < n; i++) printf "%sn%04d", i ? "," : "", at[i]
	}'
}

# tleaf HOSTLIST: the GPC cluster as Scotch's tree, and the job's cores as leaves of it
tleaf() {
	tr ',' '\n' <<<"$1" | awk 'BEGIN { n = 0 } { h = substr($1, 2) + 0
		leaf = int(h / 30); line = int(leaf / 6)
		for (c = 0; c < 8; c++) at[n++] = ((line * 6 + leaf % 6) * 30 + h % 30) * 8 + c }
		END { printf "sub %d", n; for (i = 0; i < n; i++) printf " %d", at[i]
			print "\ntleaf 4 18 60 6 40 30 20 8 1" }'
}

# row NAME COMMAND…: runs it, which leaves mapping.tsv; a line of ratios
row() {
	local name=$1 seconds
	shift
	TIMEFORMAT='%U %S'
	seconds=$({ time "$@" >/dev/null 2>&1; } 2>&1) || { echo "$name failed"; return; }
	evalmetrics -t "$machine" -g comm.tsv -m congestion -m dilation mapping.tsv >metrics.tsv
	awk -F'\t' -v name="$name" -v t="$seconds" '
		{ for (i = 2; i < NF; i++) if ($i == "max-congestion" || $i == "hop-bytes") value[FILENAME, $i] = $(i + 1) }
		END { split(t, s, " ")
			printf "  %-24s %6.3f %6.3f %8.2f\n", name, value["metrics.tsv", "max-congestion"] / value["base.tsv", "max-congestion"],
				value["metrics.tsv", "hop-bytes"] / value["base.tsv", "hop-bytes"], s[1] + s[2] }' base.tsv metrics.tsv
}

by_mapref() {
	mapref -t "$machine" -g comm.tsv --hosts "$list" --ranks-per-node 8 -o mapping.tsv "$@"
}

by_gmap() {
	"$gmap" comm.grf target.tgt mapping.scotch
}

# gmap's numbers of leaves become nodes
from_gmap() {
	tr ',' '\n' <<<"$list" | awk 'BEGIN { OFS = "\t"; print "##placetools=mapping/1"; print "rank", "node", "core" }
		NR == FNR { node[NR - 1] = $1; next } FNR > 1 { print $1, node[int($2 / 8)], $2 % 8 }' - mapping.scotch >mapping.tsv
}

compare() {
	machine=$1 pattern=$2 ranks=$3 list=$4
	jobgen "comm:pattern=$pattern,ranks=$ranks" -o comm.tsv
	by_mapref -p in-order
	evalmetrics -t "$machine" -g comm.tsv -m congestion -m dilation mapping.tsv >base.tsv
	row mapref by_mapref
	row 'mapref -p scotch' by_mapref -p scotch
	if [[ -n ${FULL:-} ]]; then
		row 'mapref, effort=8' by_mapref -p multilevel:effort=8
	fi
	if [[ -n $gmap && $machine == gpc ]]; then
		traceconv --from comm --to scotch comm.tsv >comm.grf
		tleaf "$list" >target.tgt
		row gmap gmap_row
	fi
}

gmap_row() {
	by_gmap && from_gmap
}

printf '  %-24s %6s %6s %8s\n' mapper MC HB 'CPU s'
for alloc in shuf frag first; do
	for pattern in halo2d halo3d15 alltoall-sub; do
		echo "$pattern, 4 096 ranks, $alloc"
		compare gpc $pattern 4096 "$(hosts $alloc 512)"
	done
done
[[ -n ${FULL:-} ]] || exit 0
for pattern in halo2d halo3d15; do
	echo "$pattern, 24 576 ranks, shuf"
	compare gpc $pattern 24576 "$(hosts shuf 3072)"
	echo "$pattern, 65 536 ranks, random nodes of a fat tree"
	compare fattree:down=18x18x36,up=1x9x18,cores=8 "$pattern" 65536 \
		"$(awk 'BEGIN { for (i = 0; i < 8192; i++) printf "%sn%d", i ? "," : "", i * 6007 % 11664 }')"
done
