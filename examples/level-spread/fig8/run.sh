#!/bin/bash
# run.sh - Fig. 8: three jobs of 16 and three of 64 nodes, whose messages differ in size
#
#   examples/level-spread/fig8/run.sh [FOLDER]
#
# SIZES: bytes of small:large jobs (1KiB:10KiB 10KiB:1KiB; the paper 1 KB and 100 KB), REPS (1), MACHINE,
# PATTERNS (halo2d,halo3d; the paper: all), TAG (no + in it: another name of the files). Intensive jobs delay the
# others where jobs share links.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
reps=${REPS:-1} machine=${MACHINE:-@level-spread-272} sizes=${SIZES:-1KiB:1KiB 1KiB:10KiB 10KiB:1KiB} list=[${PATTERNS:-halo2d,halo3d}]
[[ $list == '[all]' ]] && list=all

names=()
for pair in $sizes; do
	for policy in $policies; do
		name=fig8+${pair/:/+}+$policy+$reps$suffix
		unit "$name" "$machine" 8G "$policy" \
			"level-spread:sizes=16+64,util=.9,reps=$reps,patterns=$list,bytes=${pair%:*},large-bytes=${pair#*:}"
		names+=("$name")
	done
done
run_units
# bytes of small, of large, policy, times of small and large over simple's, means of patterns
rows "${names[@]}" | awk -F'\t' -v OFS='\t' '{ split($1, part, "+"); key = part[2] OFS part[3]; n[key, $4, $6, $5]++; sum[key, $4, $6, $5] += $7
		keys[key]; policy[$4]; pattern[$5] }
	END { for (k in keys) for (p in policy) { line = k OFS p
		for (s = 0; s < 2; s++) { size = s ? "large" : "small"; mean = m = 0
			for (t in pattern) { mean += sum[k, p, size, t] / sum[k, "simple", size, t]; m++ }
			line = line OFS mean / m }
		print line } }' | LC_ALL=C sort >"$out/fig8$suffix.tsv"
worst() { # worst SMALL LARGE COLUMN: mean of the spreading policies
	awk -F'\t' -v a="$1" -v b="$2" -v c="$3" '$1 == a && $2 == b && $3 ~ /^r(dr|rr|dn|rn)$/ { n++; sum += $c } END { printf "%.2f", sum / n }' "$out/fig8$suffix.tsv"
}
first=${sizes%% *} low=${first%:*}
for pair in $sizes; do
	[[ ${pair%:*} == "$low" && ${pair#*:} != "$low" ]] || continue
	claim 8 "small jobs with spreading policies over simple's: large jobs send ${pair#*:}, $low" worse \
		"$(worst "$low" "${pair#*:}" 4), $(worst "$low" "$low" 4)" \
		"$(verdict 'a > 1.1 * b' 'a > b' "$(worst "$low" "${pair#*:}" 4), $(worst "$low" "$low" 4)")" 'by 10 %; trend: at all'
done
for pair in $sizes; do
	[[ ${pair%:*} != "$low" && ${pair#*:} == "$low" ]] || continue
	claim 8 "large jobs with spreading policies over simple's: small jobs send ${pair%:*}, $low" worse \
		"$(worst "${pair%:*}" "$low" 5), $(worst "$low" "$low" 5)" \
		"$(verdict 'a > 1.1 * b' 'a > b' "$(worst "${pair%:*}" "$low" 5), $(worst "$low" "$low" 5)")" 'by 10 %; trend: at all'
done
if [[ -z $suffix ]]; then
	cd "$out"
	gnuplot -e "sizes='$sizes'" "$here/fig8/plot.gp"
fi
