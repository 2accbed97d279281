#!/bin/bash
# run.sh - Figs 9 to 11 and the headline: random workloads of small and large jobs, mixed patterns
#
#   examples/level-spread/fig9-11/run.sh [FOLDER]
#
# WORKLOADS (default 8; the paper 1000), ORDERS of allocation (small; the paper small large), MACHINE
# (@level-spread-272), MORE of the workloads' specification (,draw=small). A point is one policy in one workload:
# mean times of its small and large jobs over those of level-spread. With TAG (no - in it) it is a variant: its
# files and claims have the tag in their names; with CLAIMS=no it makes no claims.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
first_better=101
workloads=${WORKLOADS:-8} orders=${ORDERS:-small} machine=${MACHINE:-@level-spread-272}
fig10=fig10$suffix

# workloads are numbered: a unit has them all, for one policy
for order in $orders; do
	for policy in $policies; do
		unit "$fig10-$order-$policy-$workloads" "$machine" 8G "$policy" \
			"level-spread:sizes=random,workloads=$workloads,order=$order${MORE:-}"
	done
done
run_units

for order in $orders; do
	names=()
	for policy in $policies; do
		names+=("$fig10-$order-$policy-$workloads")
	done
	# workload policy small large, and the last two over level-spread's
	rows "${names[@]}" | means 2,4,6 | awk -F'\t' -v OFS='\t' -v OFMT=%.12g '
		{ time[$1, $2, $3] = $4; workload[$1]; policy[$2] }
		END { for (w in workload) for (p in policy)
			print w, p, time[w, p, "small"], time[w, p, "large"],
				time[w, p, "small"] / time[w, "level-spread", "small"],
				time[w, p, "large"] / time[w, "level-spread", "large"] }' | LC_ALL=C sort >"$out/$fig10-$order.tsv"
	[[ ${CLAIMS:-yes} == yes ]] || continue
	# The headline: mean and maximum of 1 - LS / baseline over workloads, baselines and {small, large}.
	read -r mean most worse better equal ratio < <(awk -F'\t' '$2 != "level-spread" {
			r[1] = 1 - 1 / $5; r[2] = 1 - 1 / $6
			for (i = 1; i <= 2; i++) { sum += r[i]; n++; if (r[i] > most) most = r[i] }
			ours += ls_small[$1] + ls_large[$1]; theirs += $3 + $4; points++
			if ($5 < 1 && $6 < 1) worse++
			if ($5 > 1 && $6 > 1) better++
			if ($5 == 1 && $6 == 1) equal++ }
		$2 == "level-spread" { ls_small[$1] = $3; ls_large[$1] = $4 }
		END { printf "%.1f %.0f %.1f %.1f %.1f %.1f\n", 100 * sum / n, 100 * most, 100 * worse / points,
			100 * better / points, 100 * equal / points, 100 * (1 - ours / theirs) }' "$out/$fig10-$order.tsv")
	if [[ $order == small ]]; then
		first_better=$better
		claim 10 "level-spread takes less time: mean over workloads, baselines, small and large ($workloads workloads)$label" '16 %' "$mean %" \
			"$(verdict 'a >= 11 && a <= 21' 'a > 0' "$mean")" '11 to 21 %; trend: above 0'
		claim 10 "the same, best case$label" '71 %' "$most %" "$(verdict 'a >= 61 && a <= 81' 'a > 40' "$most")" '61 to 81 %; trend: above 40'
		claim 10 "the same, as a ratio of sums of times$label" - "$ratio %" - -
		claim 10 "a baseline is strictly better, for small and large jobs$label" '3 %' "$worse %" "$(verdict 'a <= 6' 'a <= 15' "$worse")" 'up to 6 %; trend: 15'
		claim 10 "level-spread is strictly better$label" '59 %' "$better %" "$(verdict 'a >= 54 && a <= 64' 'a > 30' "$better")" '54 to 64 %; trend: above 30'
		claim 10 "the same nodes, and so the same times$label" - "$equal %" - -
	else
		claim 11 "large jobs first: level-spread is strictly better$label" 'less often' "$better %" "$(verdict "a < $first_better" 'a <= 100' "$better")" 'less often than small jobs first'
		claim 11 "large jobs first: a baseline is strictly better$label" 'at least as good' "$worse %" \
			"$(verdict 'a <= 10' 'a <= 25' "$worse")" 'up to 10 %; trend: 25'
		claim 11 "large jobs first: level-spread takes less time, mean$label" - "$mean %" "$(verdict 'a > 0' 'a >= 0' "$mean")" 'above 0'
	fi
done
# Fig. 11: points move left
if [[ $orders == *small*large* ]]; then
	left=$(paste <(cut -f1,2,5 "$out/$fig10-small.tsv") <(cut -f5 "$out/$fig10-large.tsv") | awk -F'\t' '
		$2 != "level-spread" { before += log($3); after += log($4); n++ } END { printf "%.3f to %.3f\n", exp(before / n), exp(after / n) }')
	claim 11 "small jobs of the baselines over level-spread, geometric mean: small first, large first$label" 'moves left' "$left" \
		"$(verdict 'b < .98 * a' 'b < a' "$left")" 'by 2 %'
fi

[[ -z $label ]] || exit 0
# Fig. 9: how often each size of job occurs
gzip -dc "$out/runs/$fig10-${orders%% *}-simple-$workloads.tsv.gz" | awk -F'\t' -v OFS='\t' '
	/^##/ { next }
	!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ count[$at["nodes"]]++; jobs[$at["size"]]++; w[$at["workload"]] }
	END { for (size in count) print size, count[size] | "sort -n"
		close("sort -n")
		for (x in w) nw++
		printf "%.1f %.1f\n", jobs["large"] / nw, jobs["small"] / nw >"/dev/stderr" }' >"$out/fig9.tsv" 2>"$out/fig9.means"
claim 9 'large and small jobs in a workload, mean' - "$(<"$out/fig9.means")" - -
cd "$out"
gnuplot -e "orders='$orders'" "$here/fig9-11/plot.gp"
