#!/bin/bash
# allocate.sh - time of allocation decisions, jobs placed and given back per second, for each policy
set -eu
bench=${PLACETOOLS_BUILD:-build}/tests/tools/allocbench
machines=('dragonfly:groups=17,routers=4,nodes=4' 'dragonfly:groups=33,routers=8,nodes=4'
	'dragonfly:groups=250,routers=20,nodes=4' 'dragonfly:links-per-router=22')
sizes=('272' '1 056' '20 000' '937 992')
small=${machines[2]}
large=dragonfly:groups=250,routers=20,nodes=20 # 100 000 nodes
policies() {
	allocate --list=policies | sed -n 's/^      example: //p' | grep -v '^file:'
	printf '%s\n' slurm:fit=first level-spread:machine=routers nedd:smooth contiguous:fit=best
}

echo '== a decision for 1 000 nodes of 100 000, half of them busy at random; CPU ms (wanted: below 2, but for compact, which weighs all divisions)'
printf '%-30s %14s %14s\n' policy 'new traffic' 'same traffic'
policies | while read -r policy; do
	"$bench" decide "$large" 1000 50 "$policy" | awk -F'\t' '{ printf "%-30s %14s %14s\n", $1, $2, $3 }'
done

echo '== jobs of 16 nodes placed and given back at random, 90 % of the nodes busy; per CPU second'
echo '   (wanted at 20 000 nodes: 200 000 for simple, slurm, level-spread, rdn, rdr, rdg, rrn, rrr; in'
echo '   brackets: how many of 100 jobs had to wait)'
printf '%-30s %16s %16s %16s %16s\n' policy "${sizes[@]}"
policies | while read -r policy; do
	printf '%-30s' "$policy"
	for machine in "${machines[@]}"; do
		"$bench" pass "$machine" 16 90 "$policy" | awk -F'\t' '{
			waits = $3 > 0 ? " (" $3 ")" : ""
			printf " %16s", $2 waits }'
	done
	echo
done

echo '== the same by the tool: 400 000 jobs read, placed, written; jobs per CPU second'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk 'BEGIN { OFS = "\t"; print "##placetools=jobs/1"; print "job", "nodes", "submit_s", "runtime_s"
	for (i = 0; i < 400000; i++) print i, 16, i, 1100 }' >"$folder/jobs.tsv"
for policy in simple slurm level-spread rdn rdr rdg rrn rrr fewer-router; do
	TIMEFORMAT='%U %S'
	seconds=$({ time allocate -t "$small" -p "$policy" -o /dev/null "$folder/jobs.tsv"; } 2>&1)
	awk -v policy="$policy" '{ printf "%-30s %14d\n", policy, 400000 / ($1 + $2) }' <<<"$seconds"
done
