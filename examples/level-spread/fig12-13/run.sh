#!/bin/bash
# run.sh - Figs 12 and 13: level-spread beside three readings of Jokanovic's policy, random workloads
#
#   examples/level-spread/fig12-13/run.sh [FOLDER]
#
# WORKLOADS (8; the paper 1000), ORDERS (small; the paper small large), MACHINE.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
workloads=${WORKLOADS:-8} orders=${ORDERS:-small} machine=${MACHINE:-@level-spread-272}
readings='jokanovic jokanovic:boundary=static jokanovic:bug=sst'

for order in $orders; do
	for policy in level-spread $readings; do
		# level-spread's are those of Fig. 10
		unit "fig10-$order-${policy//[:=]/_}-$workloads" "$machine" 8G "$policy" \
			"level-spread:sizes=random,workloads=$workloads,order=$order"
	done
done
run_units
for order in $orders; do
	[[ $order == small ]] && figure=12 || figure=13
	: >"$out/fig$figure.tsv"
	for policy in $readings; do
		# reading workload small large: both over level-spread's
		rows "fig10-$order-level-spread-$workloads" "fig10-$order-${policy//[:=]/_}-$workloads" |
			means 2,4,6 | awk -F'\t' -v OFS='\t' -v OFMT=%.12g -v policy="$policy" '
				{ time[$1, $2 == "level-spread", $3] = $4; workload[$1] }
				END { for (w in workload) print policy, w, time[w, 0, "small"] / time[w, 1, "small"],
					time[w, 0, "large"] / time[w, 1, "large"] }' | LC_ALL=C sort >>"$out/fig$figure.tsv"
		read -r better worse points < <(awk -F'\t' -v policy="$policy" '
			$1 == policy { n++; better += $3 > 1 && $4 > 1; worse += $3 < 1 && $4 < 1 }
			END { printf "%.1f %.1f %d\n", 100 * better / n, 100 * worse / n, n }' "$out/fig$figure.tsv")
		[[ $figure == 12 ]] && paper='64 %, 0 %' same='a >= 59 && a <= 69 && b <= 2' bound='59 to 69 %, up to 2 %' || paper=better same='a > b' bound='more than worse'
		claim "$figure" "level-spread strictly better and worse than $policy, $order jobs first ($points workloads)" "$paper" \
			"$better %, $worse %" "$(verdict "$same" 'a > b' "$better, $worse")" "$bound"
	done
	(cd "$out" && gnuplot -e "figure='$figure'" "$here/fig12-13/plot.gp")
done
