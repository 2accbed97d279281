#!/bin/bash
# diff.sh - the CPU time of topogen --diff on a Clos network of 26 460 cables whose switches were all renamed, with 160 swaps,
# 100 cables cut and 20 added; all of them have to be found
set -eu
cd "$(dirname "$0")/../.."
bats_require_minimum_version() { :; }
# shellcheck source=tests/helper.bash
. tests/helper.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

for seed in 1 2 3; do
	awk -v seed="$seed" -v pods=35 -v leaves=16 -v spines=18 -v hosts=18 -v cores=10 -v rails=1 -v swaps=160 -v cuts=100 -v extras=20 \
		-v plan="$work/plan.edges" -v seen="$work/seen.edges" -f tests/clos.awk
	TIMEFORMAT='%U %S'
	seconds=$({ time topogen --quiet --from edges --diff "$work/plan.edges" -o "$work/rows" "$work/seen.edges" || [[ $? == 1 ]]; } 2>&1 | awk '{ print $1 + $2 }')
	awk -v s="$seconds" '{ n[$1]++ } END {
		printf "topogen --diff: %d swapped, %d missing, %d extra, %.2f CPU-s\n", n["swapped"], n["missing"], n["extra"], s
		exit n["swapped"] != 160 || n["missing"] != 100 || n["extra"] != 20 }' "$work/rows"
done
