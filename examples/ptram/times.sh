#!/bin/bash
# times.sh - Figs 7 and 9 b: how long the patterns take on the network under each mapping
#
#   examples/ptram/times.sh FOLDER
#
# FOLDER is one that run.sh wrote its job, graphs and mappings to. Each mapping is a run of netsim by itself on the GPC's
# own routes, for each size of a message; the time of an iteration goes to times.tsv, the paper's claims and ours to
# claims.tsv; the plots are fig7.svg and fig9b.svg.
# SIZES (bytes) and ITERATIONS change what is simulated.
# shellcheck disable=SC1010,SC2016 # Miller has its own variables and its own word "then"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sizes=${SIZES:-256 2048 16384}
iterations=${ITERATIONS:-3}
mappers='in-order greedy recursive rcm scotch ptram ptram:ends=both multilevel'
cd "$1"

# simulate PATTERN ITERATIONS SIZE…: a row for each mapper and size
simulate() {
	local pattern=$1 files=()
	for mapper in $mappers; do files+=("mapping-$pattern-$mapper.tsv"); done
	# netsim distinguishes mappings by the policy of the jobs
	mlr --tsv --pass-comments rename mapper,policy "${files[@]}" >mappings.tsv
	for size in "${@:3}"; do
		for mapper in $mappers; do
			mlr --tsv --pass-comments put '$run = "'"$size"'"; $policy = "'"$mapper"'"; $bytes = '"$size"';
				$iterations = '"$2"'; $pattern = "comm:path='"$pattern"'.tsv"' job.tsv
		done
	done >jobs.tsv
	netsim -t gpc --profile "file:path=$here/qdr.yaml" --mapping mappings.tsv jobs.tsv |
		mlr --itsv --otsv --skip-comments put -q 'emit1 {"pattern": "'"$pattern"'", "mapper": $policy, "bytes": $run,
			"time_s": $comm_time_s / $iterations}'
}
{
	for pattern in halo2d halo3d15; do
		# shellcheck disable=SC2086 # several words
		simulate $pattern "$iterations" $sizes
	done
	# shellcheck disable=SC2086
	simulate alltoall-sub 1 $sizes
	simulate nbody 1 65536 # bytes of the largest message, all others in proportion
} | awk 'NR == 1 || !/^pattern\t/' >iteration.tsv
mlr --itsv --otsv filter '$mapper == "in-order"' then cut -x -f mapper then rename time_s,default_s iteration.tsv >default.tsv
mlr --itsv --otsv join -j pattern,bytes -f default.tsv then put '
	$ratio = fmtnum($time_s / $default_s, "%.4f"); $saved = fmtnum(100 * (1 - $time_s / $default_s), "%.1f")' then \
	cut -o -f pattern,mapper,bytes,time_s,ratio,saved iteration.tsv >times.tsv

# what the paper says about them, and we
saved() { # saved PATTERN MAPPERS LEAST MOST: from … to, of the percentages of messages of LEAST to MOST bytes
	mlr --itsv --onidx --ofs ' to ' filter '$pattern == "'"$1"'" && $mapper =~ "^('"$2"')$" && $bytes >= '"$3"' && $bytes <= '"$4"'' then \
		stats1 -a min,max -f saved times.tsv | sed 's/^\(.*\) to \1$/\1/'
}
rivals='greedy|recursive|rcm|scotch'
{
	printf 'figure\tpattern\tmappers\tbytes\tpaper\tours\n'
	printf '7 a\thalo2d\tptram\tbelow 4 096\tup to 50\t%s\n' "$(saved halo2d ptram 1 4095)"
	printf '7 a\thalo2d\tptram\tfrom 4 096\tabout 25\t%s\n' "$(saved halo2d ptram 4096 1e9)"
	printf '7 a\thalo2d\tLibTopoMap\tall\tbelow 0\t%s\n' "$(saved halo2d "$rivals" 1 1e9)"
	printf '7 b\thalo3d15\tptram\tfrom 1 024\tabove 0\t%s\n' "$(saved halo3d15 ptram 1024 1e9)"
	printf '7 b\thalo3d15\tLibTopoMap\tbelow 1 024\tup to 50\t%s\n' "$(saved halo3d15 "$rivals" 1 1023)"
	printf '7 b\thalo3d15\tLibTopoMap\tfrom 1 024\tbelow 0\t%s\n' "$(saved halo3d15 "$rivals" 1024 1e9)"
	printf '7 c\talltoall-sub\tptram\tfrom 4 096\tup to 50\t%s\n' "$(saved alltoall-sub ptram 4096 1e9)"
	printf '7 c\talltoall-sub\tLibTopoMap\tfrom 4 096\tabout 30\t%s\n' "$(saved alltoall-sub "$rivals" 4096 1e9)"
	printf '9 b\tnbody\tptram\tall\tabove 0\t%s\n' "$(saved nbody ptram 1 1e9)"
	printf '9 b\tnbody\tgreedy\tall\tabout 0\t%s\n' "$(saved nbody greedy 1 1e9)"
	printf '9 b\tnbody\tRec, RCM, Scotch\tall\tbelow 0\t%s\n' "$(saved nbody 'recursive|rcm|scotch' 1 1e9)"
} >claims.tsv

# the plots: what is saved against the default mapping, in percent
for pattern in halo2d halo3d15 alltoall-sub; do
	mlr --itsv --ocsv --ofs ' ' filter '$pattern == "'$pattern'" && $mapper != "in-order"' then \
		cut -f mapper,bytes,saved then reshape -s mapper,saved times.tsv >times-$pattern.txt
done
mlr --itsv --ocsv --ofs ' ' --headerless-csv-output filter '$pattern == "nbody"' then cut -o -f mapper,saved times.tsv >fig9b.txt
gnuplot "$here/times.gp"
