#!/bin/bash
# run.sh - NeDD's experiment: a congestor is simulated, its counters place applications, both are simulated
#
#   examples/nedd/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp) and says what holds; status 1 if anything
# that must hold does not. ONE and TWO (lists of applications, of pairs) and REPS and PAIR_REPS
# (repetitions of each) change the size; study.sh runs it whole. See common.sh for the rest.
# shellcheck disable=SC2016,SC1010,SC2317 # Miller has its own variables and its own word "then"; holds calls functions
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/nedd.XXXXXX")}
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
table1=$here/../../share/profiles/nedd-table1.tsv
[[ -r $table1 ]] || table1=$here/../../profiles/nedd-table1.tsv # as it is installed
one=${ONE:-miniMD,QMCPACK} two=${TWO:-QMCPACK+miniMD} reps=${REPS:-1} pair_reps=${PAIR_REPS:-1}
group_nodes=384 # 96 routers of 4 nodes
mkdir -p "$out"
cd "$out"
out=$PWD

failed=0
holds() { # holds TEXT COMMAND…
	if "${@:2}"; then echo "holds: $1"; else
		echo "DOES NOT HOLD: $1"
		failed=1
	fi
}
rows() { grep -hv '^##' "$@"; }

# ---- profiles: Table I, and the classes that the paper gives the applications ----
classify "$table1" -o classes.tsv
mlr --tsv --skip-comments cut -o -f app,class classes.tsv >classes
holds 'Table I is classified as in the paper' diff classes "$here/classes-paper.tsv"

# ---- the experiment: pool, congestor, applications; what the routers count before they are placed ----
make log.tsv schedule
make one-jobs.tsv workload "$one" "$reps"
make two-jobs.tsv workload "$two" "$pair_reps"
for part in one two; do
	make $part-traffic.tsv observe $part-jobs.tsv
	classify -d "$table1" $part-jobs.tsv -o $part-classified.tsv
done

# place PART POLICY: under the name by which the policy was asked for
place() {
	allocate --quiet -p "$2" --traffic "$1-traffic.tsv" "$1-classified.tsv" -o whole.tsv
	holds "placecheck finds nothing wrong with $2 ($1)" placecheck -t "$machine" whole.tsv
	mlr --tsv --pass-comments put 'if ($binary != ".") {$policy = "'"$2"'"}' whole.tsv >"$1-placed-$2.tsv"
	rm whole.tsv
}
for policy in low-traffic high-traffic random low-stall fewer-router nedd; do
	place one $policy
	place two $policy
done
for part in one two; do
	quiet <$part-placed-fewer-router.tsv >$part-placed-no-congestor.tsv
done

# ---- application and congestor together ----
# A single job gets from nedd what low-traffic or high-traffic gives it: that need not be simulated again.
for policy in no-congestor low-traffic high-traffic random low-stall fewer-router; do
	make one-simulated-$policy.tsv simulate one-placed-$policy.tsv
done
for policy in no-congestor nedd random low-stall fewer-router; do
	make two-simulated-$policy.tsv simulate two-placed-$policy.tsv
done
for part in one two; do # the names of the columns once
	rows $part-simulated-*.tsv | awk 'NR == 1 { first = $0 } NR == 1 || $0 != first' >$part-times.tsv
done

# ---- what must hold ----
nodes() { # nodes POLICY CLASS: of the single jobs of a class
	mlr --itsv --onidx --pass-comments filter '$class == "'"$2"'"' then cut -o -f run,job,nodelist "one-placed-$1.tsv" | rows
}
same_nodes() { diff <(nodes "$1" "$3") <(nodes "$2" "$3") >/dev/null; } # same_nodes POLICY POLICY CLASS
fractions() { # of the time in MPI, without congestor
	mlr --itsv --otsv filter '$policy == "no-congestor"' then stats1 -a mean -f mpi_s,comm_time_s -g app then \
		put '$mpi_fraction = $mpi_s_mean / $comm_time_s_mean' then cut -o -f app,mpi_fraction one-times.tsv
}
are_near() { # of each application, to Table I within 8 points of 100
	mlr --itsv --onidx join -j app --lp paper_ -f <(rows "$table1") then \
		put -q 'begin {@bad = 0} if (abs($mpi_fraction - $paper_mpi_fraction) > 0.08) {@bad += 1} end {emit @bad}' \
		measured-profiles.tsv | grep -qx 0
}
measured_classes() { # of profiles that were simulated
	(echo '##placetools=profile/1' && mlr --itsv --otsv put '$ranks = 2176' measured-profiles.tsv) | classify |
		mlr --itsv --onidx --pass-comments cut -o -f app,class | rows | sort
}
paper_classes() {
	mlr --itsv --onidx filter 'any(splitax("'"$one"'", ","), func(app) {return app == $app})' \
		"$here/classes-paper.tsv" | sort
}
mean() { # mean COLUMN POLICY: of all placed single jobs
	awk -F'\t' -v policy="$2" -v metric="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["policy"] == policy && $at["metric"] == metric { print $at["mean"] }' strategies.tsv
}
rising() { printf '%s\n' "$@" | sort -gc 2>/dev/null && [ -z "$(printf '%s\n' "$@" | uniq -d)" ]; }

cat one-placed-{low-traffic,low-stall,fewer-router,random,high-traffic}.tsv |
	mlr --tsv --pass-comments filter '$binary != "."' |
	evalmetrics -t "$machine" -m hops -m spread -m stall -m traffic --traffic one-traffic.tsv --by policy |
	mlr --tsv --pass-comments cut -x -f scope,id | rows >strategies.tsv
fractions >measured-profiles.tsv
holds 'nedd gives a sensitive job what low-traffic does' same_nodes nedd low-traffic network-sensitive
holds 'nedd gives an insensitive job what high-traffic does' same_nodes nedd high-traffic network-insensitive
holds 'traffic of the routers: low-traffic < random < high-traffic' \
	rising "$(mean traffic-mean low-traffic)" "$(mean traffic-mean random)" "$(mean traffic-mean high-traffic)"
holds 'fewer-router uses the fewest routers, random the most' \
	rising "$(mean routers fewer-router)" "$(mean routers low-traffic)" "$(mean routers random)"
holds 'without congestor the time in MPI is that of Table I, within 8 points of 100' are_near
holds 'profiles that were simulated are classified as in the paper' diff <(measured_classes) <(paper_classes)

# ---- Figures 4 and 5 ----
awk -f "$here/fig4.awk" classes one-times.tsv >fig4.tsv
awk -f "$here/fig5.awk" two-times.tsv >fig5.tsv
awk -f "$here/claims.awk" classes fig4.tsv fig5.tsv >claims.tsv
times_of() { awk -F'\t' -v app="$1" -v name="$2" '$1 == app && $2 == name { print $4 }' fig4.tsv; }
holds 'the congestor costs miniMD placed at random more than half of its time' \
	awk -v times="$(times_of miniMD random)" 'BEGIN { exit !(times > 2) }'
{
	echo "Single jobs: time beside the mean without congestor ($reps repetitions)"
	echo
	mlr --itsv --opprint cut -o -f app,case,mean,median,min,max fig4.tsv
	echo
	echo "Two jobs: the same, first and second job ($pair_reps repetitions; standard error of the mean)"
	echo
	mlr --itsv --opprint cat fig5.tsv
	echo
	echo 'Claims of the paper'
	echo
	mlr --itsv --opprint --barred cat claims.tsv
	echo
	echo "Sensitive single jobs by whether they have nodes in the group of the congestor's root"
	echo
	awk -v per_group="$group_nodes" -f "$here/root.awk" classes one-times.tsv \
		one-placed-{low-traffic,low-stall,fewer-router,random,high-traffic}.tsv | mlr --itsv --opprint cat
	echo
	echo 'What the strategies found: routers and groups of a job, hops between its nodes, Mflit/s and'
	echo 'millions of stalls a second of its routers in the two minutes before'
	echo
	mlr --itsv --opprint filter '$metric =~ "^(routers|groups|hops-mean|traffic-mean|stall-mean)$"' then \
		put '$mean = $metric =~ "^(traffic|stall)" ? fmtnum($mean / 1e6, "%.2f") : fmtnum($mean, "%.2f")' then \
		cut -f policy,metric,mean then reshape -s metric,mean then rename traffic-mean,Mflit/s,stall-mean,Mstall/s then \
		cut -o -f policy,routers,groups,hops-mean,Mflit/s,Mstall/s strategies.tsv
} >table.txt
echo
cat table.txt
gnuplot -e "folder='.'" "$here/fig4.gp"
gnuplot -e "folder='.'" "$here/fig5.gp"
cat fig4.tsv <(mlr --itsv --otsv --headerless-tsv-output cat fig5.tsv) >result.tsv
echo
echo "All files lie in $out: table.txt, claims.tsv, fig4.svg, fig5.svg, …"
exit $failed
