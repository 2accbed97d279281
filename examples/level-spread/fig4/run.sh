#!/bin/bash
# run.sh - Fig. 4: equal jobs of 16 and of 64 nodes, six patterns, three bandwidths, eight policies
#
#   examples/level-spread/fig4/run.sh [FOLDER]
#
# REPS (default 1; the paper 10), RATIOS of the global to the local bandwidth (default 1; the paper 0.25 1 4),
# MACHINE (@level-spread-272), NODES of a job (16 64; also quarter: four jobs of a quarter of the machine), UTIL
# (.9; also .7), MORE of the jobs' specification (,bytes=100KiB). With TAG (no - in it) it is a variant: its files
# and claims have the tag in their names; with CLAIMS=no it makes no claims of its own.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
reps=${REPS:-1} ratios=${RATIOS:-1} machine=${MACHINE:-@level-spread-272} sizes=${NODES:-16 64} util=${UTIL:-.9}
declare -A global=([0.25]=2G [1]=8G [4]=32G)

names=()
for size in $sizes; do
	for ratio in $ratios; do
		for policy in $policies; do
			name=fig4$suffix-$size-$ratio-$policy-$reps
			unit "$name" "$machine" "${global[$ratio]}" "$policy" "level-spread:sizes=$size,util=$util,reps=$reps${MORE:-}"
			names+=("$name")
		done
	done
done
run_units

# size ratio pattern policy time relative
rows "${names[@]}" | awk -F'\t' -v OFS='\t' '{ sub(/^fig4[^-]*-/, "fig4-", $1); split($1, part, "-"); $1 = part[2] OFS part[3]; print }' |
	awk -F'\t' -v OFS='\t' '{ key = $1 OFS $2 OFS $6 OFS $5; n[key]++; sum[key] += $8 }
		END { for (key in n) print key, sum[key] / n[key] }' | LC_ALL=C sort |
	awk -F'\t' -v OFS='\t' '{ line[NR] = $0; group[NR] = $1 OFS $2 OFS $3; time[NR] = $5; if ($4 == "simple") base[group[NR]] = $5 }
		END { for (i = 1; i <= NR; i++) print line[i], time[i] / base[group[i]] }' >"$out/fig4$suffix.tsv"

[[ ${CLAIMS:-yes} == yes ]] || exit 0

# ---- §VI-A ----
# reduction SIZE: least and greatest 1 - time(one) / time(other), over patterns, ratios and others
range() { # range SIZE RATIO ONES OTHERS
	awk -F'\t' -v size="$1" -v ratio="$2" -v ones=" $3 " -v others=" $4 " '
		$1 == size && (ratio == "all" || $2 == ratio) { time[$2 FS $3, $4] = $5; group[$2 FS $3]; policy[$4] }
		END { least = 9; most = -9
			for (g in group) for (p in policy) for (q in policy)
				if (index(ones, " " p " ") && index(others, " " q " ")) {
					r = 1 - time[g, p] / time[g, q]
					if (r < least) least = r
					if (r > most) most = r
				}
			printf "%.0f to %.0f %%\n", 100 * least, 100 * most }' "$out/fig4$suffix.tsv"
}
grouping='level-spread simple slurm rdg' spreading='rdr rrr rdn rrn'
for size in $sizes; do
	if [[ $size == 16 ]]; then
		small=$(range 16 all "$grouping" "$spreading")
		claim 4a "16 nodes: grouping policies take less time than spreading ones (ratios $ratios)$label" '15 to 89 %' "$small" "$(verdict 'a >= 10 && b <= 94' 'a > 0' "${small/ to / , }")" '10 to 94 %; trend: above 0'
		continue
	fi
	large=$(range "$size" 1 level-spread simple)
	claim 4b "$size nodes, ratio 1: level-spread takes less time than simple$label" '22 to 54 %' "$large" "$(verdict 'a >= 17 && b <= 59' 'a > 0' "${large/ to / , }")" '17 to 59 %; trend: above 0'
	spread=$(range "$size" 1 "level-spread $spreading" 'simple slurm rdg')
	claim 4b "$size nodes, ratio 1: every spreading policy takes less time than every grouping one$label" yes "$spread" "$(verdict 'a > 0' 'b > 0' "${spread/ to / , }")" 'in all patterns; trend: in one'
done
for size in $sizes; do
	[[ $ratios == *0.25* ]] || continue
	widths=$(awk -F'\t' -v size="$size" '$1 == size { key = $2 FS $3; if (!(key in low) || $5 < low[key]) low[key] = $5; if ($5 > high[key]) high[key] = $5; ratio[$2] }
		END { for (key in low) { split(key, part, FS); sum[part[1]] += high[key] / low[key]; n[part[1]]++ }
			printf "%.2f %.2f %.2f\n", sum[0.25] / n[0.25], sum[1] / n[1], sum[4] / n[4] }' "$out/fig4$suffix.tsv")
	claim 4 "$size nodes: slowest over fastest policy, at ratios 0.25, 1, 4: falls" falls "$widths" \
		"$(verdict 'a > b && b > c' 'a > c' "$widths")" 'each below the last'
done

if [[ -z $suffix ]]; then
	cd "$out"
	gnuplot "$here/fig4/plot.gp"
fi
