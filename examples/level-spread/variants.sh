#!/bin/bash
# variants.sh - what the paper says of other machines, utilizations, message sizes and workloads, without a figure,
# and what depends on our choices: simulator, arrangement of global links, iterations, task mapping
#
#   examples/level-spread/variants.sh FOLDER
#
# study.sh calls it when the figures are there. MACHINES, RATIOS, REPS and WORKLOADS are the figures'; the variants of
# our choices, and messages of 100 KB, have LESS_REPS repetitions (2) and LESS_WORKLOADS workloads (300).
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
less=${LESS_REPS:-2} less_workloads=${LESS_WORKLOADS:-300}

# table FIGURE TAG: where a variant's table lies
table() { echo "$out/fig$1+${2//[ ,]/_}.tsv"; }
# times FIGURE7: its table in the form of Fig. 4's: size ratio pattern policy relative-time
times() {
	awk -F'\t' -v OFS='\t' '{ print $1 " small", $2, $3, $4, $5; print $1 " large", $2, $3, $4, $6 }' "$1" >"${1%.tsv}.times"
	echo "${1%.tsv}.times"
}

# ---- every machine, bandwidth and utilization: equal jobs (§VI-A) ----
for machine in $MACHINES; do
	tag="${machine##*-} nodes"
	base=$out/fig4.tsv
	if [[ $machine != level-spread-272 ]]; then
		TAG=$tag MACHINE=@$machine "$here/fig4/run.sh" "$out"
		base=$(table 4 "$tag")
	fi
	TAG="$tag, 70 %" UTIL=.7 MACHINE=@$machine CLAIMS=no "$here/fig4/run.sh" "$out"
	claim_order 4 "$tag: 70 % of the machine beside 90 %" "$base" "$(table 4 "$tag, 70 %")"
	TAG="$tag, quarters" NODES=quarter MACHINE=@$machine "$here/fig4/run.sh" "$out"
	awk -F'\t' '$1 == 64' "$base" >"$(table 4 "$tag, 64")"
	claim_order 4 "$tag: four jobs of a quarter of the machine beside jobs of 64 nodes" "$(table 4 "$tag, 64")" "$(table 4 "$tag, quarters")"
done
unset machine # level-spread-272 is meant from here on

# ---- two sizes (§VI-B) at 70 % ----
TAG='70 %' UTIL=.7 "$here/fig7/run.sh" "$out"
machine=$MACHINES claim_order 7 '70 % of the machine beside 90 %' "$(times "$out/fig7.tsv")" "$(times "$(table 7 "70 %")")"

# ---- random workloads of one pattern each (§VI-D) ----
TAG='one pattern' MORE=,patterns=all WORKLOADS=100 ORDERS=small CLAIMS=no "$here/fig9-11/run.sh" "$out"
declare -A paper=([alltoall]='1 %' [halo3d]='1 %' [halo3d26]='3 %' [halo2d]='4 %' [broadcast]='8 %' [fft3d]=-)
while read -r pattern worse better; do
	claim 10 "only $pattern: a baseline is strictly better; level-spread is" "${paper[$pattern]}" "$worse %, $better %" \
		"$(verdict 'a <= 10' 'a <= 20' "$worse")" 'up to 10 %'
done < <(awk -F'\t' '$2 != "level-spread" { split($1, part, /[.:]/); n[part[2]]++; worse[part[2]] += $5 < 1 && $6 < 1; better[part[2]] += $5 > 1 && $6 > 1 }
	END { for (p in n) printf "%s %.1f %.1f\n", p, 100 * worse[p] / n[p], 100 * better[p] / n[p] }' "$out/fig10+one_pattern-small.tsv")

# ---- messages of 100 KB (§VI-C), a sample: 272 nodes, equal bandwidths ----
TAG='100 KB' MORE=,bytes=100KiB RATIOS=1 REPS=$less CLAIMS=no "$here/fig4/run.sh" "$out"
claim_order 8 'messages of 100 KB beside 1 KB, equal jobs' "$out/fig4.tsv" "$(table 4 "100 KB")"
claim 8 'messages of 100 KB: times over those with 1 KB, least and greatest' 'about 100' "$(
	awk -F'\t' 'NR == FNR { time[$1, $2, $3, $4] = $5; next }
		{ r = $5 / time[$1, $2, $3, $4]; if (!n++ || r < least) least = r; if (r > most) most = r }
		END { printf "%.0f to %.0f\n", least, most }' "$out/fig4.tsv" "$(table 4 "100 KB")")" - -
# why rrr is the slowest with 1 KB only: it puts jobs onto the links between neighbouring groups, and packets of short
# messages have left before any queue is long enough for a detour
detours() { # REPS TAG POLICY: the percentage of packets that detour, jobs of 16 nodes, equal bandwidths
	gzip -dc "$out/runs/fig4$2-16-1-$3-$1.tsv.gz" | awk -F'\t' '
		/^##/ { next }
		!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ sum += $at["nonminimal_fraction"]; jobs++ }
		END { printf "%.0f\n", 100 * sum / jobs }'
}
for policy in rrr rdn; do
	claim 8 "16 nodes, $policy: packets that detour, messages of 1 KB and 100 KB" - \
		"$(detours "$REPS" '' $policy), $(detours "$less" +100_KB $policy) %" - -
done
TAG='100 KB eager' SETTING=eager=1GiB MORE=,bytes=100KiB NODES=16 RATIOS=1 REPS=$less CLAIMS=no "$here/fig4/run.sh" "$out"
claim_order 8 'messages of 100 KB, sent at once beside by rendezvous, 16 nodes' "$(table 4 "100 KB")" "$(table 4 "100 KB eager")"
TAG='100 KB' MORE=,bytes=100KiB RATIOS=1 REPS=$less MACHINES=level-spread-272 "$here/fig7/run.sh" "$out"
claim_order 8 'messages of 100 KB beside 1 KB, two sizes' "$(times "$out/fig7.tsv")" "$(times "$(table 7 "100 KB")")"
TAG='100 KB' SIZES='1KiB:1KiB 1KiB:100KiB 100KiB:1KiB' RATIOS=1 REPS=$less "$here/fig8/run.sh" "$out"

# ---- what depends on our choices: Figs 4 and 10 once more ----
variant() { # variant TEXT: Fig. 4 on 272 nodes, as the environment says
	local machine=${MACHINE:-@level-spread-272}
	TAG=$1 RATIOS=${RATIOS_OF:-1} REPS=$less CLAIMS=${CLAIMS:-no} "$here/fig4/run.sh" "$out"
	claim_order 4 "$1" "$out/fig4.tsv" "$(table 4 "$1")"
}
for arrangement in relative circulant; do
	MACHINE=dragonfly:groups=17,routers=4,nodes=4,cores=2,arrangement=$arrangement CLAIMS=yes NODES=64 \
		variant "arrangement $arrangement"
done
PROFILE=default RATIOS_OF=$RATIOS variant 'profile default'
ROUTING=minimal variant 'minimal routing'
MORE=,mapping=in-order variant 'mapping in order'
MORE=',patterns=[alltoall,fft3d],iterations=4' variant '4 iterations'
MORE=',patterns=[broadcast,halo2d,halo3d,halo3d26],iterations=50' variant '50 iterations'
TAG='profile default' PROFILE=default WORKLOADS=$less_workloads ORDERS=small "$here/fig9-11/run.sh" "$out"
TAG='small jobs drawn first' MORE=,draw=small WORKLOADS=$less_workloads ORDERS=small "$here/fig9-11/run.sh" "$out"
