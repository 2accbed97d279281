#!/bin/bash
# run.sh - what netsim predicts of measured machines, and what it does not
#
#   examples/measured/run.sh [FOLDER]
#
# FOLDER/measured.tsv has a line for each measured row: measured, simulated, ratio. FOLDER/result.tsv, which is shown, has
# one for each test: how many sizes are within 20 % and within a factor of 2, the least and the greatest ratio; and sums
# of the rows that parameters were fitted on and of those that are predicted.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$here/../../bin:$PATH
mkdir -p "${1:-out}"
cd "${1:-out}"

# set, profile, whether its rows are counted in the sums, and the rows besides latency and bandwidth of one pair that
# chose one of its parameters; of sets that are not counted more is unknown: see the heads of their files
sets=$(cat <<-END
	csd3-ib ib100 counted osu_allgather|1048576
	alaska-roce roce25 counted none
	kestrel file:path=$here/kestrel.profile.yaml printed none
	alps-clariden file:path=$here/alps-clariden.profile.yaml printed none
	sjtu-pi2-opa file:path=$here/sjtu-pi2-opa.profile.yaml printed none
	efa-c5n-openmpi file:path=$here/efa-c5n-openmpi.profile.yaml printed osu_bibw
END
)

printf 'set\ttest\tranks_per_node\tbytes\trole\tmeasured\tsimulated\tratio\n' >measured.tsv
while read -r set profile _ also; do
	awk -v also="$also" -f "$here/jobs.awk" "$here/data/$set.tsv" >"$set.jobs"
	netsim -t "$here/$set.yaml" --profile "$profile" "$set.jobs" | awk -v set="$set" -f "$here/ratios.awk" >>measured.tsv
done <<<"$sets"

# nothing is fitted on what is predicted: all fitted rows are of one pair, or named above
awk -F'\t' -v sets="$sets" '
	NR > 1 && $5 == "fit" && $2 !~ /^osu_(latency|bw)$/ && !($1 ~ /^efa/ && $2 == "osu_bibw") && index(sets, $2 "|" $4) == 0 { print "DOES NOT HOLD: fitted on " $0; bad = 1 }
	NR > 1 && $5 == "predict" && $2 ~ /^osu_(latency|bw)$/ { print "DOES NOT HOLD: predicted " $0; bad = 1 }
	END { exit bad }' measured.tsv

awk -F'\t' -v OFS='\t' -v sets="$sets" '
	BEGIN { n_sets = split(sets, line, "\n"); for (i = 1; i <= n_sets; i++) { split(line[i], word, " "); counted[word[1]] = word[3] == "counted" } }
	NR == 1 { next }
	{
		near = $8 >= .8 && $8 <= 1.2
		half = $8 >= .5 && $8 <= 2
		key = $1 OFS $2 OFS $3 OFS $5
		if (!(key in n)) { order[++keys] = key; least[key] = $8; most[key] = $8 }
		n[key]++; within[key] += near; factor[key] += half
		if ($8 < least[key]) least[key] = $8
		if ($8 > most[key]) most[key] = $8
		if (!counted[$1]) next
		all[$5]++; hit[$5] += near; two[$5] += half
		if ($5 == "predict" && ($8 > 2.5 || $8 < .4)) beyond = beyond " " $1 "/" $2 "/" $3 "/" $4
	}
	END {
		print "set", "test", "ranks_per_node", "role", "rows", "within_20%", "within_2x", "least", "most"
		for (i = 1; i <= keys; i++) print order[i], n[order[i]], within[order[i]], factor[order[i]], least[order[i]], most[order[i]]
		print "counted", "all", ".", "fit", all["fit"], hit["fit"], two["fit"], ".", "."
		print "counted", "all", ".", "predict", all["predict"], hit["predict"], two["predict"], ".", "."
		print "beyond a factor of 2.5:" beyond > "misses.txt"
	}' measured.tsv >result.tsv
cat result.tsv misses.txt
