#!/bin/bash
# cosched.sh - co-scheduling simulated: workloads 1 to 4 under four policies, and a long log on one node
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
orders=${1:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$here/../../examples/cosched/kernels.sh" >k.tsv

cpu() { # cpu COMMAND…: its processor time, in seconds
	/usr/bin/time -o time -f '%U %S %M' "$@"
	awk '{ printf "%.2f", $1 + $2 }' time
}
echo "== workloads 1 to 4, four policies, $orders orders each (expected: below 3 s in all)"
total=0
for w in 1 2 3 4; do
	jobgen "cosched:w=$w,runs=$orders" >w.tsv
	for policy in baseline greedy-up elastic elastic-dl; do
		seconds=$(cpu cosched --quiet -d @diss-node -k k.tsv -p $policy -o out.tsv w.tsv)
		printf 'W%s %-12s %6s s\n' $w $policy "$seconds"
		total=$(awk -v a="$total" -v b="$seconds" 'BEGIN { print a + b }')
	done
done
echo "all: $total s"
echo "== 100 000 jobs on one node, one pass"
jobgen cosched:w=random,count=100000,iat=40 >w.tsv
printf '%s s, ' "$(cpu cosched --quiet -d @diss-node -k k.tsv -o out.tsv w.tsv)"
awk '{ print $3 / 1024 " MiB" }' time
