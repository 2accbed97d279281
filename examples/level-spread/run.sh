#!/bin/bash
# run.sh - the Level-Spread study, small: every figure with few repetitions and few workloads
#
#   examples/level-spread/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp), shows a table of the paper's claims beside ours,
# and draws the figures. JOBS, REPS, WORKLOADS and the other variables of the figures change the size; study.sh
# runs it whole. What FOLDER/runs holds already is not simulated again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/level-spread.XXXXXX")}
mkdir -p "$out"
out=$(cd "$out" && pwd)
export ORDERS=${ORDERS:-small large}
rm -f "$out/claims.tsv"
for figure in ${FIGURES:-2 4 5-6 7 8 9-11 12-13}; do
	"$here/fig$figure/run.sh" "$out"
done
[[ -z ${WHOLE:-} ]] || "$here/variants.sh" "$out"
{
	printf 'figure\tmachine\tclaim\tpaper\tours\tverdict\tsame\n'
	sort -s -t $'\t' -k1,1V "$out/claims.tsv"
} >"$out/table.tsv"
mlr --itsv --opprint --barred cat "$out/table.tsv" | tee "$out/table.txt"
cp "$out/table.tsv" "$out/result.tsv"
echo
echo "All files lie in $out: table.txt, table.tsv, fig2.svg, fig4.svg, … fig13.svg, runs/"
awk -F'\t' '$6 == "differs" { print "DIFFERS: Fig. " $1 ", " $2 ": " $3 }' "$out/result.tsv"
