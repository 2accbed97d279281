# gpu-metrics.bats - what replays of MPI + GPU traces are measured by: speed-ups, identities, rooflines
load helper
load gpu

# value METRIC FILE: the first value of that name
value() {
	awk -F'\t' -v metric="$1" '/^##/ { next } !at { for (i = 1; i <= NF; i++) { if ($i == "metric") m = i; if ($i == "value") at = i } next } $m == metric { print $at; exit }' "$2"
}

# ranks GPU CELL…: a stream of ranks, one row for each "rank node comm_time_s compute_s sent_bytes received_bytes"
ranks() {
	local gpu=$1
	shift
	printf '##placetools=ranks/1\njob\trank\tnode\tcomm_time_s\tcompute_s\tsent_bytes\treceived_bytes\tgpu\n'
	printf '%s\n' "$@" | awk -v OFS='\t' -v gpu="$gpu" '{ print 1, $1, $2, $3, $4, $5, $6, gpu }'
}

@test "gpu-speedup: means of ranks one way by the other, and what the whole gains by its share of communication" {
	ranks hostcopy "0 n0 10 6 0 0" "1 n1 10 8 0 0" >hostcopy.tsv
	ranks gpudirect "0 n0 8 6 0 0" "1 n1 9 8 0 0" >gpudirect.tsv
	evalmetrics -m gpu-speedup hostcopy.tsv gpudirect.tsv >out.tsv
	[ "$(value gpu-speedup out.tsv)" = 2 ]
	awk -v run="$(value gpu-speedup-run out.tsv)" -v share="$(value gpu-comm-share out.tsv)" \
		'BEGIN { exit !(share == .3 && run > 20 / 17 - 1e-12 && run < 20 / 17 + 1e-12) }'
	# Amdahl's law holds where computation is the same
	awk -v run="$(value gpu-speedup-run out.tsv)" 'BEGIN { x = run * (1 - .3 * (1 - 1 / 2)); exit !(x > 1 - 1e-12 && x < 1 + 1e-12) }'
	evalmetrics -m gpu-speedup:baseline=gpudirect hostcopy.tsv gpudirect.tsv >out.tsv
	[ "$(value gpu-speedup out.tsv)" = 0.5 ]
	evalmetrics -m gpu-speedup --baseline gpu=gpudirect hostcopy.tsv gpudirect.tsv | grep -v '^##' | diff - <(grep -v '^##' out.tsv)
	run -2 --separate-stderr evalmetrics -m gpu-speedup --baseline gpu=both hostcopy.tsv gpudirect.tsv
	[ "$stderr" = "evalmetrics: gpu-speedup: baseline: 'both' is not hostcopy|gpudirect|trace" ]
	run -2 --separate-stderr evalmetrics -m gpu-speedup:baseline=trace --baseline gpu=hostcopy hostcopy.tsv gpudirect.tsv
	[ "$stderr" = "evalmetrics: gpu-speedup: baseline is given twice" ]
	# nothing to compare with
	evalmetrics -m gpu-speedup gpudirect.tsv >out.tsv
	[ "$(value gpu-speedup out.tsv)" = . ]
}

@test "simulated pairs: speed-up at 6 a node is that at 1 times the increase of HostCopy over that of GPUDirect" {
	local app n gpus way
	for app in 'sw4lite 12' 'amgx 12' 'minisweep 12' 'lulesh 8'; do
		n=${app#* } app=${app% *}
		jobgen "mpi:app=$app,ranks=$n,iterations=1,imbalance=.2" -o t.tsv
		traceconv --from mpitrace --to comm t.tsv -o g.tsv
		for gpus in 1 6; do
			mapref --quiet -t @lassen -g g.tsv -p in-order --hosts "n[0-$((n - 1))]" --ranks-per-node $gpus -o map.tsv
			job "$n" "n[0-$((n - 1))]" mpitrace:path=t.tsv,loop=loop $gpus >job.tsv
			for way in hostcopy gpudirect; do
				netsim -t @lassen-$gpus --profile tracer --gpu $way --mapping map.tsv --ranks $way.tsv job.tsv -o out.tsv
				evalmetrics -m comm-time --by gpu $way.tsv >time.tsv
				value comm-time time.tsv >$way.$gpus
			done
			evalmetrics -m gpu-speedup hostcopy.tsv gpudirect.tsv >out.tsv
			value gpu-speedup out.tsv >speedup.$gpus
		done
		awk -v app="$app" -v one="$(<speedup.1)" -v six="$(<speedup.6)" -v h1="$(<hostcopy.1)" -v h6="$(<hostcopy.6)" \
			-v g1="$(<gpudirect.1)" -v g6="$(<gpudirect.6)" '
			BEGIN {
				from = one * (1 + (h6 / h1 - 1)) / (1 + (g6 / g1 - 1))
				if (!(six > 1 && one > 1 && from / six > 1 - 1e-12 && from / six < 1 + 1e-12)) { print app, one, six, from; exit 1 }
			}'
	done
}

@test "roofline: the longest computation, or the bytes of the busiest node, whichever is longer" {
	# 2 planes of 12.5 GB/s: 50 GB out of n0 take 2 s, 75 GB into n1 3 s
	ranks gpudirect "0 n0 5 1 20e9 0" "1 n0 4 2 30e9 0" "2 n1 4 1 0 75e9" >network.tsv
	evalmetrics -t @lassen -m roofline network.tsv >out.tsv
	[ "$(value roofline out.tsv) $(value roofline-fraction out.tsv)" = "3 0.6" ]
	grep -q $'roofline\t3\ts\tnetwork' out.tsv
	evalmetrics -t @lassen -m roofline:bandwidth=75GB/s network.tsv >out.tsv
	[ "$(value roofline out.tsv) $(value roofline-fraction out.tsv) $(value roofline-intensity out.tsv)" = "2 0.4 2" ]
	grep -q $'roofline\t2\ts\tcomputation' out.tsv
	ranks hostcopy "0 n0 5 1 20e9 0" >other.tsv
	run -2 --separate-stderr evalmetrics -t @lassen -m roofline network.tsv other.tsv
	[[ $stderr == *"expected --by gpu"* ]]
	evalmetrics -t @lassen -m roofline --by gpu network.tsv other.tsv >out.tsv
	# simulated: bytes that leave nodes are those of the trace, and no run is below its roof
	jobgen mpi:app=sw4lite,ranks=12,iterations=2,imbalance=.1 -o t.tsv
	job 12 'n[0-11]' mpitrace:path=t.tsv >job.tsv
	for way in none hostcopy gpudirect trace; do
		netsim -t @lassen --profile tracer -s gpu=$way --ranks ranks.tsv job.tsv -o out.tsv
		sent=$(column sent_bytes ranks.tsv | awk '{ n += $1 } END { printf "%d", n }')
		[ "$sent" = "$(column received_bytes ranks.tsv | awk '{ n += $1 } END { printf "%d", n }')" ]
		[ "$sent" = "$(column bytes t.tsv | awk '{ n += $1 } END { printf "%d", n }')" ]
		evalmetrics -m roofline ranks.tsv >out.tsv
		awk -v x="$(value roofline-fraction out.tsv)" 'BEGIN { exit !(x > .5 && x <= 1) }'
	done
	# all on two nodes: only what crosses counts
	job 2 'n[0-1]' mpitrace:path=t.tsv 6 >job.tsv
	netsim -t @lassen --profile tracer --gpu gpudirect --ranks ranks.tsv job.tsv -o out.tsv
	[ "$(column sent_bytes ranks.tsv | awk '{ n += $1 } END { printf "%d", n }')" -lt "$sent" ]
}

@test "roofline: a rank that lacks a value may be the slowest" {
	ranks hostcopy "0 n0 10 6 8 0" "1 n1 . 4 0 8" >out.tsv
	evalmetrics -t line:nodes=2 -m roofline out.tsv >m.tsv
	[ "$(value roofline m.tsv) $(value roofline-fraction m.tsv)" = "6 ." ]
	ranks hostcopy "0 n0 10 6 8 0" "1 n1 10 . 0 8" >out.tsv
	evalmetrics -t line:nodes=2 -m roofline out.tsv >m.tsv
	[ "$(value roofline m.tsv) $(value roofline-fraction m.tsv) $(value roofline-intensity m.tsv)" = ". . ." ]
}

@test "names of the column gpu are whole, however long" {
	local way=gpudirect-rdma-over-rails-v2 other=gpudirect-rdma-over-rails-v3
	ranks $way "0 n0 10 6 1 1" "1 n1 10 8 1 1" >out.tsv
	[ "$(evalmetrics -t line:nodes=2 -m roofline out.tsv | cut -f1 | tail -1)" = "##end" ]
	ranks hostcopy "0 n0 10 6 0 0" >hostcopy.tsv
	ranks $other "0 n0 9 6 0 0" >other.tsv
	evalmetrics -m gpu-speedup hostcopy.tsv out.tsv other.tsv >speedup.tsv
	[ "$(grep -c "gpu-speedup	.*$way" speedup.tsv)" = 1 ]
	[ "$(grep -c "gpu-speedup	.*$other" speedup.tsv)" = 1 ]
	run -2 --separate-stderr evalmetrics -t line:nodes=2 -m roofline out.tsv other.tsv
	[[ $stderr == *"the run is there with gpu '$way' and '$other'"* ]]
}

@test "capex and opex of node types: nodes, GPUs and links of a price list, in proportion to bandwidth" {
	job 1 n0 . >row.tsv
	printf 'placetools: costs/1\nhours: 1000\ntariff: 0.5\nmachine: {node: 100, gpu: 10, link: 2, node_watts: 7, gpu_watts: 3, link_watts: 1}\n' >costs.yaml
	# 810 nodes and their links, 45 x 12 above the leaves and as many above these, each in two planes of 12.5 GB/s
	for gpus in 1 6; do
		evalmetrics -t @lassen-$gpus -m capex:costs=costs.yaml -m opex:costs=costs.yaml row.tsv >out.tsv
		links=$(topogen @lassen-$gpus --to edges | wc -l)
		[ "$links" = "$((810 + 45 * 12 + 45 * 12))" ]
		[ "$(value capex out.tsv)" = $((810 * 100 + 810 * gpus * 10 + links * 25 * 2)) ]
		[ "$(value machine-power out.tsv)" = $((810 * 7 + 810 * gpus * 3 + links * 25)) ]
		[ "$(value opex out.tsv)" = "$(((810 * 7 + 810 * gpus * 3 + links * 25) / 2))" ]
	done
	topogen @lassen-6 --bandwidth terminal=75GB/s --bandwidth level2=75GB/s --bandwidth level3=75GB/s -o wide.yaml
	evalmetrics -t wide.yaml -m capex:costs=costs.yaml row.tsv >out.tsv
	[ "$(value capex out.tsv)" = $((810 * 100 + 810 * 6 * 10 + 6 * links * 25 * 2)) ]
	for gpus in 1 2 4 6; do evalmetrics -t @lassen-$gpus -m capex:costs=@lassen row.tsv; done
}

@test "jobgen minisweep: each block of a sweep is a message along both dimensions" {
	for blocks in 1 4 16; do
		jobgen mpi:app=minisweep,ranks=6,iterations=1,blocks=$blocks -o t.tsv
		# a grid of 3 x 2: 4 links along the first dimension, 3 along the other, 2 sweeps of the 4 in each direction
		[ "$(column op t.tsv | grep -c isend)" = $((4 * blocks * (4 + 3))) ]
		[ "$(column bytes t.tsv | awk '{ n += $1 } END { printf "%d", n / 2 ^ 22 }')" = $((4 * blocks * (4 + 2 * 3))) ]
		job 6 'n[0-5]' mpitrace:path=t.tsv,loop=loop >job.tsv
		netsim -t @lassen --profile tracer --gpu gpudirect --ranks ranks.tsv job.tsv -o out.tsv
		# 40 ms of computation whatever the blocks
		column loop_compute_s ranks.tsv | awk '{ if ($1 < .0399999 || $1 > .0400001) exit 1 }'
	done
}

@test "the study goes on where it was interrupted, with the same rows" {
	export CODES=lulesh SECTIONS=networks SIZES=1 ITERATIONS=1 IMBALANCES=.3
	"$ROOT/examples/gpudirect/study.sh" "$PWD/study"
	[ "$(wc -l <study/results.tsv)" = 9 ]
	# what each row cost, by the same key
	diff <(cut -f1-10 study/results.tsv) <(cut -f1-10 study/cpu.tsv)
	awk -F'\t' 'NR > 1 && !($11 >= 0 && $11 ~ /^[0-9.]+$/) { exit 1 }' study/cpu.tsv
	sort study/results.tsv >before
	# one row is missing, the last one was cut short
	sed -i '3d' study/results.tsv
	truncate -s -20 study/results.tsv
	"$ROOT/examples/gpudirect/study.sh" "$PWD/study"
	sort study/results.tsv | diff before -
	# one run at a time
	exec 8>study/lock
	flock -n 8
	run -2 --separate-stderr "$ROOT/examples/gpudirect/study.sh" "$PWD/study"
	[[ $stderr == "study.sh: $PWD/study: another run is at work here" ]]
	exec 8>&-
	# with the rows of another folder there is nothing left to do
	mkdir other
	cp study/results.tsv other
	"$ROOT/examples/gpudirect/study.sh" "$PWD/other"
	cmp study/results.tsv other/results.tsv
	# what fails ends it, without a row
	export CODES=amgx
	rm -f study/graph-* study/map-*
	mkdir study/half.tsv
	run ! --separate-stderr "$ROOT/examples/gpudirect/study.sh" "$PWD/study"
	sort study/results.tsv | diff before -
}

@test "rows of the study that read the same are simulated once, and all are those of results.tsv" {
	CODES=lulesh SECTIONS="weak strong" SIZES=1 IMBALANCES=.3 "$ROOT/examples/gpudirect/study.sh" "$PWD/study" >cost
	# both maps are one with a GPU a node, both scalings with the fewest ranks; 2 ways of 2 and 4 and 6 GPUs twice
	[ "$(find study -name 'done-*' | wc -l)" = $((2 * (1 + 2 * 3))) ]
	[ "$(tail -n +2 study/results.tsv | sort | uniq -d | wc -l)" = 0 ]
	tail -n +2 study/results.tsv | sort >rows
	[ "$(wc -l <rows)" = 32 ]
	[ "$(sort "$ROOT/examples/gpudirect/results.tsv" | comm -13 - rows | wc -l)" = 0 ]
	awk -F'\t' '{ exit !($1 == "imbalance .3" && $2 == "32 simulations" && $3 ~ /^[0-9]+ CPU seconds$/) }' cost
}

@test "the tables of examples/gpudirect/README.md are those of its results" {
	"$ROOT/examples/gpudirect/tables.sh" >tables
	sed -n '/^```$/,/^```$/p' "$ROOT/examples/gpudirect/README.md" | sed '1d;$d' | diff - tables
}

@test "what-if.sh: both ways and both maps of one trace, a real one too" {
	jobgen mpi:app=sw4lite,ranks=8,iterations=1,imbalance=.1 -o code.tsv
	"$ROOT/examples/gpudirect/what-if.sh" code.tsv 4 loop "$PWD/what-if" >out.tsv
	[ "$(wc -l <out.tsv)" = 7 ]
	# everything is on GPUs: trace is GPUDirect
	diff <(awk -F'\t' '$2 == "gpudirect"' OFS='\t' out.tsv | cut -f1,3-) <(awk -F'\t' '$2 == "trace"' out.tsv | cut -f1,3-)
	awk -F'\t' '$2 == "gpudirect" { n += $4 > 1.05 && $5 > 1 && $7 < 1 } END { exit n != 2 }' out.tsv
	grep -v '^##ranks' code.tsv >bare.tsv
	"$ROOT/examples/gpudirect/what-if.sh" bare.tsv 4 loop "$PWD/what-if" | diff out.tsv -
	run -2 --separate-stderr "$ROOT/examples/gpudirect/what-if.sh" code.tsv 4 solve "$PWD/what-if"
	[[ $stderr == *"buffers of"*"calls are on GPUs, of 0 on the host, of 0 not known"*"has no region solve; expected one of: loop" ]]
	for arguments in "code.tsv" "code.tsv 3" "code.tsv six" "nothing.tsv 4"; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr "$ROOT/examples/gpudirect/what-if.sh" $arguments
		[[ $stderr == "what-if.sh: "*"expected"* ]]
	done
	need_shared
	tar xzf "$SHARED/data/otf2/amgx-8ranks-2nodes-gpuattr-scorep4.1.tar.gz"
	"$ROOT/examples/gpudirect/what-if.sh" traces-8/traces.otf2 6 "" "$PWD/amgx" >out.tsv
	awk -F'\t' '$2 == "gpudirect" { n += $4 > 1.4 && $5 < 1.01 && $8 == "computation" } END { exit n != 2 }' out.tsv
	sed -n 's/^    \(in-order\|ptram\)/\1/p' "$ROOT/examples/gpudirect/README.md" | awk '{ print $1, $2, $3, $4, $5, $6, $7, $8 }' >readme
	tail -n +2 out.tsv | tr '\t' ' ' | diff readme -
}

@test "the commands of examples/gpudirect/README.md, as they stand, on an archive of 32 ranks" {
	jobgen mpi:app=sw4lite,ranks=32,iterations=1,imbalance=.1 | sed 's/\tloop$/\tsolve/' >t.tsv
	traceconv --from mpitrace --to otf2 t.tsv -o scorep-run
	sed -n '/^## Your own code/,/^## What/s/^       //p' "$ROOT/examples/gpudirect/README.md" >commands
	[ "$(grep -c -E '^(traceconv|mapref|	netsim|evalmetrics) ' commands)" = 7 ]
	bash -eu -o pipefail commands >out.tsv
	awk -v gain="$(value gpu-speedup out.tsv)" -v run="$(value gpu-speedup-run out.tsv)" 'BEGIN { exit !(gain > run && run > 1) }'
	# by what ranks send to each other less leaves the nodes
	sed -i 's/block\.tsv/mapped.tsv/' commands
	leaves() { awk -F'\t' '!/^##/ { if (!at) { for (i = 1; i <= NF; i++) if ($i == "sent_bytes") at = i } else n += $at } END { printf "%d", n }' hostcopy.tsv; }
	before=$(leaves)
	bash -eu -o pipefail commands >mapped.out
	[ "$(leaves)" -lt "$before" ]
}

@test "replays of examples/gpudirect: a machine may have parameters behind it" {
	# shellcheck source=examples/gpudirect/common.sh
	. "$ROOT/examples/gpudirect/common.sh"
	for machine in lassen lassen+copy-serial=yes lassen+node-bandwidth=150GB/s; do
		comm_time sw4lite 6 6 $machine in-order 1 weak 0 hostcopy
	done >times
	# the copies of six ranks one after the other take longest; messages inside the node take another time
	[ "$(sort -g times | tail -n 1)" = "$(sed -n 2p times)" ]
	[ "$(sort -u times | wc -l)" = 3 ]
}

@test "Figures 3.4 to 3.8 by gnuplot" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed"
	run -0 --separate-stderr "$ROOT/examples/gpudirect/figures.sh" "$PWD/figures"
	[ -z "$stderr" ]
	for figure in 3.4 3.5 3.6 3.7 3.8; do
		[ "$(grep -c '</svg>' "figures/fig$figure.svg")" = 1 ]
	done
	# a row for each size, gains of four node types
	[ "$(awk 'NF == 5 && $2 + 0 > 0' figures/fig3.6-sw4lite.txt | wc -l)" = 4 ]
}
