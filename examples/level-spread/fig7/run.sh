#!/bin/bash
# run.sh - Fig. 7: as many jobs of 16 as of 64 nodes, one pattern each; small jobs are placed first
#
#   examples/level-spread/fig7/run.sh [FOLDER]
#
# REPS (1; the paper 10), RATIOS of the bandwidths on 272 nodes (1; the paper 0.25 1 4), MACHINES at the ratio
# 1 (level-spread-272; the paper also -528 -544 -1056; with WHOLE every bandwidth on each), UTIL (.9; also .7),
# MORE of the jobs' specification (,bytes=100KiB). With TAG (no + in it) it is a variant, which makes no claims of
# its own.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
reps=${REPS:-1} ratios=${RATIOS:-1} machines=${MACHINES:-level-spread-272} util=${UTIL:-.9}
declare -A global=([0.25]=2G [1]=8G [4]=32G)

names=()
for machine in $machines; do
	for ratio in $ratios; do
		[[ $machine == level-spread-272 || $ratio == 1 || -n ${WHOLE:-} ]] || continue
		for policy in $policies; do
			name=fig7+$machine+$ratio+$policy+$util+$reps$suffix
			unit "$name" "@$machine" "${global[$ratio]}" "$policy" "level-spread:sizes=16+64,util=$util,reps=$reps${MORE:-}"
			names+=("$name")
		done
	done
done
run_units

# machine ratio pattern policy small large, relative to simple
rows "${names[@]}" | awk -F'\t' -v OFS='\t' '{ split($1, part, "+"); key = part[2] OFS part[3] OFS $5; $4 = $4; n[key, $4, $6]++; sum[key, $4, $6] += $7
		keys[key]; policy[$4] }
	END { for (k in keys) for (p in policy) {
		for (s = 0; s < 2; s++) { size = s ? "large" : "small"
			r[s] = sum[k, p, size] / n[k, p, size] / (sum[k, "simple", size] / n[k, "simple", size]) }
		print k, p, r[0], r[1] } }' | LC_ALL=C sort >"$out/fig7$suffix.tsv"
[[ -z $suffix ]] || exit 0

# Level-spread lies at the bottom left: its small jobs are as those of simple, its large ones as the spreading
# policies'.
for machine in $machines; do
	small=$(awk -F'\t' -v m="$machine" '$1 == m && $4 == "level-spread" { if ($5 > most) most = $5 } END { printf "%.2f", most }' "$out/fig7.tsv")
	claim 7 "small jobs of level-spread over simple's, the worst pattern" 'as simple' "$small" \
		"$(verdict 'a <= 1.05' 'a <= 1.25' "$small")" 'up to 1.05; trend: 1.25'
	large=$(awk -F'\t' -v m="$machine" '$1 == m && $4 == "level-spread" { n++; sum += $6 } $1 == m && $4 ~ /^r(dr|rr|dn|rn)$/ { k++; theirs += $6 }
		END { printf "%.2f, %.2f", sum / n, theirs / k }' "$out/fig7.tsv")
	claim 7 "large jobs of level-spread and of spreading policies over simple's, means" 'as spreading policies' "$large" \
		"$(verdict 'a < 1 && a < 1.1 * b' 'a < 1' "$large")" 'within 10 %; trend: below 1'
	gain=$(awk -F'\t' -v m="$machine" '$1 == m && $2 == 1 { time[$3, $4] = $5; pattern[$3] }
		END { split("rdr rrr rdn rrn", other, " ")
			for (p in pattern) { sum = 0; for (i in other) sum += 1 - time[p, "level-spread"] / time[p, other[i]] / 1
				printf "%s %.0f\n", p, 100 * sum / 4 } }' "$out/fig7.tsv" | sort -k2n | awk 'NR == 1 { low = $2 " % (" $1 ")" } { high = $2 " % (" $1 ")" } END { print low " to " high }')
	[[ $machine == level-spread-1056 ]] && paper='32 % (broadcast) to 64 % (alltoall)' || paper='less'
	[[ $machine == level-spread-1056 ]] && same='a >= 27 && a <= 37 && b >= 59 && b <= 69' bound='within 5 points; trend: above 0' || same='a > 0' bound='above 0'
	claim 7 "small jobs of level-spread take less time than with spreading policies, their mean" "$paper" "$gain" \
		"$(verdict "$same" 'a > 0' "$(awk '{ print $1, $5 }' <<<"$gain")")" "$bound"
	# the paper's mean over policies is not defined: each of them
	for policy in rdr rrr rdn rrn; do
		gain=$(awk -F'\t' -v m="$machine" -v other=$policy '$1 == m && $2 == 1 { time[$3, $4] = $5; pattern[$3] }
			END { least = 9; most = -9
				for (p in pattern) { r = 1 - time[p, "level-spread"] / time[p, other]; if (r < least) least = r; if (r > most) most = r }
				printf "%.0f to %.0f %%", 100 * least, 100 * most }' "$out/fig7.tsv")
		claim 7b "small jobs of level-spread take less time than with $policy" less "$gain" "$(verdict 'a > 0' 'b > 0' "${gain/ to / , }")" 'in all patterns; trend: in one'
	done
done
machine=level-spread-272
if [[ $ratios == *0.25* ]]; then
	x=$(awk -F'\t' '$1 == "level-spread-272" && $2 == 0.25 && $4 == "rrr" { print $5 }' "$out/fig7.tsv" | sort -g | awk 'NR == 1 { low = $1 } { high = $1 } END { printf "%.1f to %.1f\n", low, high }')
	claim 7a 'ratio 0.25: small jobs of rrr over simple' 'beyond 5' "$x" "$(verdict 'a > 5' 'b > 3' "$x")" 'above 5; trend: above 3'
fi
if [[ " $machines " == *' level-spread-272 '* && " $ratios " == *' 1 '* ]]; then
	cd "$out"
	gnuplot "$here/fig7/plot.gp"
fi
