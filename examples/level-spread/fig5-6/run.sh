#!/bin/bash
# run.sh - Figs 5 and 6: packets and stalls on local and global links, all-to-all of 16 and of 64 nodes
#
#   examples/level-spread/fig5-6/run.sh [FOLDER]
#
# REPS (1), MACHINE. Quartiles are over all directions of all links of a level, unused ones too.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../common.sh"
reps=${REPS:-1} machine=${MACHINE:-@level-spread-272}

for size in 16 64; do
	for policy in $policies; do
		file=$out/runs/fig5-$size-$policy-$reps.tsv.gz
		[[ -s $file ]] || jobgen -t "$machine" "level-spread:sizes=$size,util=.9,reps=$reps,patterns=alltoall" |
			allocate -t "$machine" -p "$policy" | netsim -t "$machine" --profile "${PROFILE:-sst}" --links "$file" -o /dev/null
		for metric in packets stall_s; do
			evalmetrics -m "column:name=$metric" --by policy,level "$file" | awk -F'\t' -v OFS='\t' -v size=$size -v metric=$metric '
				/^##/ { next }
				!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
				{ print size, metric, $at["level"], $at["policy"], $at["min"], $at["q1"], $at["median"], $at["q3"], $at["max"], $at["n"] * $at["mean"] }'
		done
	done
done >"$out/fig5.tsv"

# value SIZE METRIC LEVEL POLICY COLUMN
value() {
	awk -F'\t' -v a="$1" -v b="$2" -v c="$3" -v d="$4" -v column="$5" '$1 == a && $2 == b && $3 == c && $4 == d { print $column }' "$out/fig5.tsv"
}
least() { sort -g | head -1; }
most() { sort -g | tail -1; }
each() { # each SIZE METRIC LEVEL COLUMN POLICIES…
	local policy
	for policy in "${@:5}"; do value "$1" "$2" "$3" "$policy" "$4"; done
}
# stalls SIZE POLICIES…: their sum over local and global links
stalls() {
	local policy
	for policy in "${@:2}"; do
		awk -v a="$(value "$1" stall_s local "$policy" 10)" -v b="$(value "$1" stall_s global "$policy" 10)" 'BEGIN { printf "%.4g\n", a + b }'
	done
}
grouping='simple slurm rdg' spreading='rdr rrr rdn rrn'
# shellcheck disable=SC2086 # several words
{
	a=$(each 16 packets global 9 level-spread $grouping | most) b=$(each 16 packets global 9 $spreading | least)
	claim 5 '16 nodes: most packets of a global link: grouping policies and level-spread, the least of spreading ones' fewer "$a, $b" \
		"$(verdict 'a < b' 'a <= b' "$a, $b")" fewer
	a=$(stalls 16 level-spread $grouping | most) b=$(stalls 16 $spreading | least)
	claim 5 '16 nodes: stalls of all local and global links: the most of grouping policies and level-spread, the least of spreading ones (s)' fewer "$a, $b" \
		"$(verdict 'a < b' 'a <= 1.1 * b' "$a, $b")" fewer
	a=$(each 64 packets global 7 level-spread $spreading | least) b=$(each 64 packets global 7 $grouping | most)
	claim 6 '64 nodes: median of packets of global links: the least of spreading policies, the most of grouping ones' more "$a, $b" \
		"$(verdict 'a > b' 'a >= b' "$a, $b")" more
	a=$(each 64 packets global 9 level-spread $spreading | most) b=$(each 64 packets global 9 $grouping | least)
	claim 6 '64 nodes: most packets of a global link, spreading and grouping policies: less variation' fewer "$a, $b" \
		"$(verdict 'a < b' 'a <= b' "$a, $b")" fewer
	a=$(stalls 64 level-spread $spreading | most) b=$(stalls 64 $grouping | least)
	claim 6 '64 nodes: stalls of all local and global links: the most of spreading policies, the least of grouping ones (s)' fewer "$a, $b" \
		"$(verdict 'a < b' 'a <= 1.1 * b' "$a, $b")" fewer
}
cd "$out"
gnuplot "$here/fig5-6/plot.gp"
