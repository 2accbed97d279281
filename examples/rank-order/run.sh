#!/bin/bash
# run.sh - mappings at work under MPI: the rank-order library, and a rank file for mpirun
#
#   examples/rank-order/run.sh [FOLDER]
#
# Writes everything to FOLDER (default: a new one in /tmp) and says what holds; status 1 if anything that
# must hold does not. Needs mpicc and mpirun of Open MPI (Debian: libopenmpi-dev, openmpi-bin).
# shellcheck disable=SC1010,SC2016,SC2317 # Miller has its own variables and its own word "then"; holds calls functions
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/rank-order.XXXXXX")}
mkdir -p "$out"
cd "$out"
out=$PWD
if [ "$(id -u)" -eq 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi

failed=0
printf 'claim\tholds\n' >result.tsv
holds() { # holds TEXT COMMAND…
	if "${@:2}"; then
		echo "holds: $1"
		printf '%s\tyes\n' "$1" >>result.tsv
	else
		echo "DOES NOT HOLD: $1"
		printf '%s\tno\n' "$1" >>result.tsv
		failed=1
	fi
}

for program in halo where; do mpicc -O2 -o $program "$here/$program.c"; done
library=$(dirname "$(command -v mapref)")/../lib/placetools/librank-order.so

# ---- a graph that a program makes, mapped, and made again in that order ----
# Eight nodes of two cores in a torus, given to the job in an unhelpful order.
machine=torus:dims=4x2,cores=2
hosts='n[0,5,2,7,4,1,6,3]'
mpirun --oversubscribe -n 16 -x LD_PRELOAD="$library" -x RANK_ORDER_GRAPH=graph.tsv ./halo 4 4 >before.tsv
mapref -t $machine -g graph.tsv --hosts "$hosts" -p in-order -o in-order.tsv
mapref -t $machine -g graph.tsv --hosts "$hosts" -o mapping.tsv
# the launcher fills node after node
mlr --itsv --onidx --skip-comments sort -nf rank then cut -f node in-order.tsv >processes.txt
mpirun --oversubscribe -n 16 -x LD_PRELOAD="$library" -x RANK_ORDER_MAPPING=mapping.tsv \
	-x RANK_ORDER_HOSTS=processes.txt ./halo 4 4 >after.tsv 2>moved.txt || {
	cat moved.txt >&2
	exit 1
}
cat moved.txt
holds 'without a mapping every process keeps its rank' awk 'NR > 1 && $1 != $2 { exit 1 }' before.tsv
# the mapping that came about: the node of the process that has each rank
mlr --itsv --onidx --ofs tab cut -o -f rank,process after.tsv |
	awk 'NR == FNR { node[NR - 1] = $1; next } { print $1 "\t" node[$2] }' processes.txt - >came-about.tsv
mlr --itsv --onidx --ofs tab --skip-comments sort -nf rank then cut -o -f rank,node mapping.tsv >asked-for.tsv
holds 'every rank of the reordered graph lies on the node that mapref gave it' diff asked-for.tsv came-about.tsv
# measure MAPPING: hop-bytes and maximum congestion
measure() {
	evalmetrics -t $machine -g graph.tsv -m dilation -m congestion "$1" |
		mlr --itsv --onidx --ofs tab --skip-comments filter '$metric =~ "^(hop-bytes|max-congestion)$"' then \
			cut -o -f metric,value
}
measure in-order.tsv >in-order.txt
measure mapping.tsv >mapped.txt
holds 'the mapping has fewer hop-bytes and less congestion than the launcher'"'"'s order' eval '
	paste in-order.txt mapped.txt | awk "\$4 >= \$2 { bad = 1 } END { exit bad || NR != 2 }"'

# ---- a rank file: two ranks that change places on one node ----
if [ "$(nproc)" -ge 2 ]; then
	printf '##placetools=mapping/1\nrank\tnode\tcore\n0\tlocalhost\t1\n1\tlocalhost\t0\n' >swapped.tsv
	traceconv --from mapping --to rankfile swapped.tsv -o rankfile
	mpirun -n 2 --rankfile rankfile ./where >where.txt
	holds 'mpirun binds both ranks to the cores of the rank file' awk '$1 == $2 { exit 1 }' where.txt
fi

# ---- a ring of GPUs over forwarding tables ----
# NCCL joins the ranks to a ring in their order, and torchrun numbers them node by node: two GPUs on each of 32 nodes of
# a cluster whose switches' tables are known, given to the job in an order that helps nobody.
hosts=$(topogen @avakas --to edges | awk -F'\t' '$3 == "terminal" && $1 ~ /^node/ { print $1 }' | sort -u |
	awk '{ at[NR] = $1 } END { for (i = 0; i < 32; i++) printf "%s%s", i ? "," : "", at[i * 61 % 257 + 1] }')
awk 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
	for (r = 0; r < 64; r++) print r, (r + 1) % 64, 1048576 }' >ring.tsv
ring() { # ring OPTION…: of mapref
	mapref -t @avakas -r table -g ring.tsv --hosts "$hosts" --ranks-per-node 2 "$@"
}
ring -p in-order -o ring-in-order.tsv
ring -p greedy --partition block -o ring-greedy.tsv
for order in in-order greedy; do
	evalmetrics -t @avakas -r table -g ring.tsv -m dilation -m congestion ring-$order.tsv |
		mlr --itsv --onidx --ofs tab --skip-comments filter '$metric =~ "^(hop-bytes|max-congestion)$"' then \
			cut -o -f metric,value >ring-$order.txt
done
traceconv --to torchrun ring-greedy.tsv -o node-ranks.txt
sort -nk 2 node-ranks.txt | awk '{ print $1; print $1 }' >started.txt
mlr --itsv --onidx --skip-comments sort -nf rank then cut -f node ring-greedy.tsv >asked-for.txt
holds 'torchrun with these node ranks starts every rank where mapref puts it' diff asked-for.txt started.txt
holds 'the ring in that order has fewer hop-bytes and less congestion over the forwarding tables' eval '
	paste ring-in-order.txt ring-greedy.txt | awk "\$4 >= \$2 { bad = 1 } END { exit bad || NR != 2 }"'

echo
{
	printf 'order\tmetric\tvalue\n'
	sed 's/^/in-order\t/' in-order.txt
	sed 's/^/mapped\t/' mapped.txt
	sed 's/^/ring, in-order\t/' ring-in-order.txt
	sed 's/^/ring, mapped\t/' ring-greedy.txt
} | mlr --itsv --opprint cat
echo
echo "All files lie in $out: graph.tsv, mapping.tsv, after.tsv, …"
exit $failed
