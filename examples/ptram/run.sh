#!/bin/bash
# run.sh - PTRAM's experiments on the GPC network: what mappings do to the links, beside the paper's figures
#
#   examples/ptram/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp) and says what holds; status 1 if anything that
# must hold does not. RANKS (default 1024; the paper: 4096) changes the size; study.sh runs it whole.
# shellcheck disable=SC1010,SC2016,SC2034,SC2317 # Miller has its own variables and its own word "then"; holds calls functions and evaluates
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ranks=${RANKS:-1024}
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/ptram.XXXXXX")}
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
rows() { grep -v '^##' "$@"; }

# ---- Figs 1 and 2: a choice that only the routes decide ----
for way in aware ignorant; do
	[ $way = aware ] && option= || option=--ignore-routes
	# shellcheck disable=SC2086 # no word, or one
	mapref -t "$here/fig1.yaml" -g "$here/fig1b.tsv" -p ptram --partition none --refine none -m max-congestion $option \
		-o fig2-$way.tsv
	evalmetrics -t "$here/fig1.yaml" -g "$here/fig1b.tsv" -m congestion --links fig2-$way-links.tsv fig2-$way.tsv \
		-o fig2-$way-metrics.tsv
done
node_of() { rows "$1" | mlr --itsv --onidx filter '$rank == '"$2" then cut -f node; }
congestion() { rows "$1" | mlr --itsv --onidx filter '$metric == "max-congestion"' then cut -f value; }
holds 'Fig. 2: both ways put ranks 0 to 4 on the same cores' eval '
	diff <(rows fig2-aware.tsv | head -6 | cut -f -3) <(rows fig2-ignorant.tsv | head -6 | cut -f -3)'
holds 'Fig. 2: rank 5 goes to n4 where routes count, to n3 beside rank 4 where they do not' eval '
	[ "$(node_of fig2-aware.tsv 5)" = n4-0 ] && [ "$(node_of fig2-ignorant.tsv 5)" = n3-1 ]'
holds 'Fig. 2: which halves the maximum congestion on the real routes' eval '
	[ "$(congestion fig2-aware-metrics.tsv)" = 4 ] && [ "$(congestion fig2-ignorant-metrics.tsv)" = 8 ]'

# ---- Fig. 4: the network ----
topogen gpc --to summary -o fig4.tsv
value() { rows fig4.tsv | mlr --itsv --onidx filter '$metric == "'"$2"'" && $id == "'"$1"'"' then cut -f value; }
holds 'Fig. 4: 3 090 nodes of 8 cores, 103 leaf, 36 line and 18 spine switches of at most 36 ports' eval '
	[ "$(value gpc-3090 nodes) $(value gpc-3090 cores) $(value gpc-3090 routers)" = "3090 24720 $((103 + 2 * 18 + 2 * 9))" ] &&
	[ "$(value gpc-3090 radix)" -le 36 ]'

# ---- Figs 5, 6, 9 a: metrics of mappings relative to the default one, and how long they took (Figs 8, 9 c) ----
# the allocation: free nodes of a busy machine, in no order
jobgen "job:nodes=$((ranks / 8)),ranks_per_node=8" | allocate -t gpc -p rdn -o job.tsv
mappers='in-order in-order+scotch ptram+none ptram ptram:ends=both greedy recursive rcm scotch multilevel'
rm -f stats.tsv mappings.tsv metrics.tsv
for pattern in halo2d halo3d15 alltoall-sub nbody; do
	jobgen "comm:pattern=$pattern,ranks=$ranks" -o $pattern.tsv
	for mapper in $mappers; do
		case $mapper in
		*+scotch) options="-p ${mapper%+*} --partition scotch" ;;
		*+none) options="-p ${mapper%+*} --refine none" ;;
		*) options="-p $mapper" ;;
		esac
		# shellcheck disable=SC2086 # several words
		mapref -t gpc -g $pattern.tsv -a job.tsv $options --stats one-stats.tsv -o "mapping-$pattern-$mapper.tsv"
		rows one-stats.tsv | mlr --itsv --otsv filter '$metric == "cpu-time"' then stats1 -a sum -f value then \
			put '$pattern = "'$pattern'"; $mapper = "'"$mapper"'"' >>stats.tsv
	done
	placecheck -t gpc mapping-$pattern-*.tsv
	evalmetrics -t gpc -g $pattern.tsv -m dilation -m congestion --baseline mapper=in-order mapping-$pattern-*.tsv |
		mlr --itsv --otsv --skip-comments filter '$metric =~ "^(hop-bytes|max-congestion|nzca|nzcv)$"' then \
			put '$pattern = "'$pattern'"' then cut -o -f pattern,mapper,metric,ratio >>metrics.tsv
done
mlr --itsv --otsv cat metrics.tsv 2>/dev/null | awk 'NR == 1 || !/^pattern\t/' >ratios.tsv
ratio() { mlr --itsv --onidx filter '$pattern == "'"$1"'" && $mapper == "'"$2"'" && $metric == "'"$3"'"' then cut -f ratio ratios.tsv; }
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }
within() { awk -v a="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(a >= low && a <= high) }'; }
greatest() { printf '%s\n' "$@" | sort -g | tail -1; }

holds 'Fig. 5 a: PTRAM lowers all four metrics of the 2-D pattern' below \
	"$(greatest "$(ratio halo2d ptram hop-bytes)" "$(ratio halo2d ptram max-congestion)" \
		"$(ratio halo2d ptram nzca)" "$(ratio halo2d ptram nzcv)")" 1
holds 'Fig. 5: PTRAM lowers the maximum congestion of each micro-benchmark' below \
	"$(greatest "$(ratio halo2d ptram max-congestion)" "$(ratio halo3d15 ptram max-congestion)" \
		"$(ratio alltoall-sub ptram max-congestion)")" 1
holds 'Fig. 6 a: the partition alone does a part of it, the heuristic and its refinement the rest' eval '
	below "$(ratio halo2d ptram max-congestion)" "$(ratio halo2d in-order/partition=scotch max-congestion)" &&
	below "$(ratio halo2d in-order/partition=scotch max-congestion)" 1'
holds 'Fig. 6 c: of the all-to-all the partition alone lowers little, PTRAM much' eval '
	within "$(ratio alltoall-sub in-order/partition=scotch max-congestion)" .75 1.05 &&
	below "$(ratio alltoall-sub ptram max-congestion)" .75'
for pattern in halo2d halo3d15 alltoall-sub nbody; do
	rivals=$(mlr --itsv --onidx filter '$pattern == "'$pattern'" && $metric == "max-congestion" && $mapper != "multilevel"' then \
		stats1 -a min -f ratio ratios.tsv)
	holds "the default mapper reaches the least maximum congestion of all on $pattern" eval '
		! below "$rivals" "$(ratio '$pattern' multilevel max-congestion)"'
done

# ---- Figs 7, 9 b: times of communication ----
"$here/times.sh" "$PWD"
saved() { # saved PATTERN MAPPERS STATISTIC: percent of the default mapping's time, over all sizes of a message
	mlr --itsv --onidx filter '$pattern == "'"$1"'" && $mapper =~ "^('"$2"')$"' then stats1 -a "$3" -f saved times.tsv
}
rivals='greedy|recursive|rcm|scotch'
for pattern in halo2d halo3d15 alltoall-sub nbody; do
	# of nbody not with 4 096 ranks: a group of ranks as Scotch cuts them loads its node's link too much
	[ $pattern = nbody ] && mapper=multilevel || mapper=ptram
	holds "Figs 7, 9 b: the mapping of $mapper saves time at every size of a message of $pattern" \
		below 0 "$(saved "$pattern" "$mapper" min)"
	best=$(mlr --itsv --onidx filter '$pattern == "'$pattern'"' then stats1 -a mean -f saved -g mapper then \
		stats1 -a max -f saved_mean times.tsv)
	holds "the default mapper's saves what the best one saves on $pattern, but for 3 points at most" \
		below "$best" "$(saved $pattern multilevel mean | awk '{ print $1 + 3 }')"
done
holds 'Fig. 7 c: PTRAM saves more of the all-to-all than LibTopoMap does on the average' below \
	"$(saved alltoall-sub "$rivals" mean)" "$(saved alltoall-sub ptram mean)"

# ---- what a person reads ----
{
	echo
	echo "Metrics relative to the default mapping (in-order), $ranks ranks; the paper's are of 4 096 ranks:"
	echo
	mlr --itsv --otsv put '$ratio = fmtnum($ratio, "%.3f")' then reshape -s metric,ratio ratios.tsv >wide.tsv
	mlr --itsv --opprint join --ul -j pattern,mapper -f wide.tsv then unsparsify --fill-with . then \
		sort -f pattern -nr max-congestion then reorder -e -f paper "$here/paper.tsv"
	echo
	echo 'Fig. 7, and 9 b (nbody, in place of Gadget): percent of the time of communication that a mapping saves beside the'
	echo 'default one, by bytes of a message:'
	echo
	mlr --itsv --opprint filter '$mapper != "in-order"' then cut -o -f pattern,bytes,mapper,saved then \
		reshape -s mapper,saved times.tsv
	echo
	mlr --itsv --opprint cat claims.tsv
	echo
	echo 'Seconds of processor time for a mapping (the paper, 4 096 ranks on 512 leaders: 2.3, 5, 38 and 317 s):'
	echo
	awk 'NR == 1 || !/^value_sum/' stats.tsv | mlr --itsv --opprint put '$value_sum = fmtnum($value_sum, "%.2f")' then \
		reshape -s pattern,value_sum
} | tee table.txt

# ---- the plot, and the numbers that the test compares ----
mlr --itsv --ocsv --ofs ' ' filter '$metric == "max-congestion"' then cut -o -f mapper,pattern,ratio then \
	reshape -s pattern,ratio ratios.tsv >points.txt
gnuplot "$here/plot.gp"
{
	mlr --itsv --otsv put '$ratio = fmtnum($ratio, "%.4f")' ratios.tsv
	mlr --itsv --otsv --headerless-csv-output put '$metric = "time-" . $bytes' then cut -o -f pattern,mapper,metric,ratio times.tsv
} | mlr --itsv --otsv filter '$mapper != "multilevel" && $mapper != "scotch"' >result.tsv
echo
echo "All files lie in $out: table.txt, result.tsv, congestion.svg, …"
exit $failed
