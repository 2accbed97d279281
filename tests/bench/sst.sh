#!/bin/bash
# sst.sh - netsim beside the reference runs of SST: times relative to simple, and the ranking of policies
#
#   tests/bench/sst.sh [--sample] [REFERENCE]
#
# REFERENCE has the runs (results.csv, patterns.csv.gz) and their nodes and rank maps. In the profile sst
# every policy's mean time relative to simple's is to be within 6.5 %, and two policies whose means are 5 %
# apart in SST must come in the same order; in the default profile, with SST's routing and broadcast, those
# that are 10 % apart. Status 1 if not. --sample: a quarter of the runs.
set -euo pipefail
cd "$(dirname "$0")/../.."
sample=.
[[ ${1:-} == --sample ]] && { sample='^(16|64),broadcast|^64,halo2d,10,1,1\.0,|^64,alltoall,2,1,1\.0,adaptive-local,[a-z]*,0,'; shift; }
bats_require_minimum_version() { :; }
# shellcheck source=tests/helper.bash
. tests/helper.bash
reference=${1:-${SHARED:+$SHARED/data/reference/sst}}
[[ -n $reference ]] || { echo 'the reference runs are not here'; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- the runs as a jobs stream for each bandwidth of the global links, and the rank map ----
plain() { gzip -dcf "$1" | tr -d '\r'; }
plain "$reference/rankmap.csv.gz" | awk -F, -v OFS='\t' '
	BEGIN { print "##placetools=mapping/1"; print "rank", "node", "core", "run", "policy", "job" }
	NR > 1 { n = split($5, slot, " ")
		for (i = 1; i <= n; i++) { split(slot[i], at, "."); print i - 1, "n" at[1], at[2], $1 "." $3, $2, $4 } }' >"$work/map.tsv"
{
	plain "$reference/results.csv" | tail -n +2
	plain "$reference/patterns.csv.gz" | tail -n +2
} | grep -E "$sample" >"$work/runs.csv"
plain "$reference/alloc.csv.gz" >"$work/alloc.csv"
jobs_of() { # jobs_of GBPS
	awk -F, -v OFS='\t' -v global="$1" '
		FNR == NR { nodes[$1, $2, $3, $4] = $6; next }
		FNR == 1 { print "##placetools=jobs/1"
			print "run", "policy", "job", "nodes", "nodelist", "ranks_per_node", "pattern", "bytes", "iterations", "sst_us" }
		$5 == global { n = split(nodes[$1, $7, $8, $9], node, " "); list = node[1]
			for (i = 2; i <= n; i++) list = list "," node[i]
			print $1 "." $8, $7, $9, n, "n[" list "]", 2, $2 ($2 == "broadcast" ? ":tree=yes" : ""), 1024, $3, $11 }' \
		"$work/alloc.csv" "$work/runs.csv" | awk -F'\t' '
		/^##/ || $1 == "run" { print; next }
		# the jobs of one run and pattern together
		{ key = $7 FS $1 FS $2; if (!(key in rows)) order[++n] = key; rows[key] = rows[key] $0 "\n" }
		END { for (i = 1; i <= n; i++) printf "%s", rows[order[i]] }'
}
topogen dragonfly:groups=17,routers=4,nodes=4,cores=2,bandwidth=1GB/s -o "$work/machine.yaml"

# ---- netsim, and means over jobs and repetitions ----
simulate() { # simulate PROFILE
	for global in 1.0 0.25; do
		jobs_of $global >"$work/jobs.tsv"
		grep -qv '^##' <(sed 1,2d "$work/jobs.tsv") || continue
		netsim -t "$work/machine.yaml" --profile "$1" -r adaptive-local -s global-bandwidth=${global}GB/s -j 2 \
			--mapping "$work/map.tsv" "$work/jobs.tsv" | grep -v '^##' | awk -F'\t' -v OFS='\t' -v global=$global '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ split($at["run"], run, "."); key = run[1] OFS $at["pattern"] OFS global OFS $at["policy"]
				n[key]++; sst[key] += $at["sst_us"]; ours[key] += $at["comm_time_s"] * 1e6 }
			END { for (key in n) print key, sst[key] / n[key], ours[key] / n[key] }'
	done | sort
}
# judge GAP TOLERANCE NAME: pairs that SST has GAP apart, in the wrong order; ratios that are off
judge() {
	awk -F'\t' -v gap="$1" -v tolerance="$2" -v name="$3" '
		{ group = $1 " " $2 " " $3; groups[group]; policies[$4]; sst[group, $4] = $5; ours[group, $4] = $6 }
		END {
			for (g in groups) for (p in policies) {
				if (!((g, p) in sst)) continue
				off = ours[g, p] / ours[g, "simple"] / (sst[g, p] / sst[g, "simple"]) - 1
				if (off < 0) off = -off
				if (off > worst) { worst = off; where = g " " p }
				for (q in policies) {
					if (!((g, q) in sst) || sst[g, p] <= (1 + gap) * sst[g, q]) continue
					pairs++
					if (ours[g, p] <= ours[g, q]) { wrong++; print name ": wrong order: " g ": " p " and " q }
				}
			}
			printf "%s: pairs=%d wrong=%d worst-ratio=%.3f (%s)\n", name, pairs, wrong, worst, where
			exit wrong > 0 || pairs == 0 || (tolerance > 0 && worst > tolerance)
		}'
}
status=0
for profile in sst default; do
	simulate $profile >"$work/$profile.tsv"
	if [[ $profile == sst ]]; then
		printf 'workload pattern global_GBps policy sst_us ours_us\n' | cat - <(tr '\t' ' ' <"$work/sst.tsv") | column -t
		judge .05 .065 sst <"$work/sst.tsv" || status=1
	else
		judge .10 0 default <"$work/default.tsv" || status=1
	fi
done
exit $status
