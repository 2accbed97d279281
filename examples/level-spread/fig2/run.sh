#!/bin/bash
# run.sh - Fig. 2: small jobs gain by random groups, large ones by random nodes
#
#   examples/level-spread/fig2/run.sh [FOLDER]
#
# Seventeen jobs of 16 nodes, and four of 68: the machine is full (§II). The paper names neither pattern nor bandwidth: all
# six at the ratio 1. REPS (1; the paper 10), MACHINE.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
reps=${REPS:-1} machine=${MACHINE:-@level-spread-272}

names=()
for size in 16 68; do
	for policy in rdg rdn; do
		name=fig2-$size-$policy-$reps
		unit "$name" "$machine" 8G "$policy" "level-spread:sizes=$size,util=1,reps=$reps"
		names+=("$name")
	done
done
run_units
rows "${names[@]}" | awk -F'\t' -v OFS='\t' '{ split($1, part, "-"); $1 = part[2]; print }' | means 1,5,4 >"$out/fig2.tsv"
for size in 16 68; do
	read -r least most < <(awk -F'\t' -v size=$size '$1 == size { time[$2, $3] = $4; pattern[$2] }
		END { least = 9; most = -9
			for (p in pattern) { r = time[p, size == 16 ? "rdg" : "rdn"] / time[p, size == 16 ? "rdn" : "rdg"]
				if (1 - r < least) least = 1 - r; if (1 - r > most) most = 1 - r }
			printf "%.0f %.0f\n", 100 * least, 100 * most }' "$out/fig2.tsv")
	[[ $size == 16 ]] && what='16 nodes: rdg takes less time than rdn' || what='68 nodes: rdn takes less time than rdg'
	[[ $size == 16 ]] && paper=yes || paper='30 %'
	[[ $size == 16 ]] && same='a > 0' bound='in all patterns' || same='a >= 15 && b <= 45 && a <= 30 && b >= 30' bound='15 to 45 %, 30 % among them'
	claim 2 "$what (six patterns)" "$paper" "$least to $most %" "$(verdict "$same" 'a > 0' "$least to $most")" "$bound"
done
cd "$out"
gnuplot "$here/fig2/plot.gp"
