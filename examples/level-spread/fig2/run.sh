#!/bin/bash
# run.sh - Fig. 2: small jobs gain by random groups, large ones by random nodes
#
#   examples/level-spread/fig2/run.sh [FOLDER]
#
# The paper names neither pattern nor bandwidth: all six at the ratio 1. REPS (1; the paper 10), MACHINE.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
reps=${REPS:-1} machine=${MACHINE:-@level-spread-272}

names=()
for size in 16 64; do
	for policy in rdg rdn; do
		# the same units as Fig. 4's
		name=fig4-$size-1-$policy-$reps
		unit "$name" "$machine" 8G "$policy" "level-spread:sizes=$size,util=.9,reps=$reps"
		names+=("$name")
	done
done
run_units
rows "${names[@]}" | awk -F'\t' -v OFS='\t' '{ split($1, part, "-"); $1 = part[2]; print }' | means 1,5,4 >"$out/fig2.tsv"
for size in 16 64; do
	read -r least most < <(awk -F'\t' -v size=$size '$1 == size { time[$2, $3] = $4; pattern[$2] }
		END { least = 9; most = -9
			for (p in pattern) { r = time[p, size == 16 ? "rdg" : "rdn"] / time[p, size == 16 ? "rdn" : "rdg"]
				if (1 - r < least) least = 1 - r; if (1 - r > most) most = 1 - r }
			printf "%.0f %.0f\n", 100 * least, 100 * most }' "$out/fig2.tsv")
	[[ $size == 16 ]] && what='16 nodes: rdg takes less time than rdn' || what='64 nodes: rdn takes less time than rdg'
	[[ $size == 16 ]] && paper=yes || paper='30 %'
	claim 2 "$what (six patterns)" "$paper" "$least to $most %" "$([[ $least -gt 0 ]] && echo yes || echo no)"
done
cd "$out"
gnuplot "$here/fig2/plot.gp"
