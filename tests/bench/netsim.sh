#!/bin/bash
# netsim.sh - speed of the simulated network: packet-hops (routers traversed) per CPU second, best of five;
# all-to-all on 1 056 nodes; what a packet-hop costs on 100 000 nodes; memory
#
#   tests/bench/netsim.sh              the network by itself
#   tests/bench/netsim.sh users [SIZE…]  what users run: patterns x machines x routings on about SIZE nodes
#                                      (1000, 10000, 100000; default 1000), and of each pattern the worst
#                                      over the best. A row is the fastest of three runs. Rows that are done are
#                                      kept in RESULTS, by default build/netsim-users.tsv, and not run again:
#                                      delete those that are old. MACHINES="dragonfly torus": these only
#   tests/bench/netsim.sh sizes        halo3d of 1 KB on about 1 000 and 100 000 nodes in turn: what a packet-hop
#                                      costs on the large machine over the small one, best of three each
#   tests/bench/netsim.sh instructions   of a packet-hop, patterns on 272 nodes, with the MPI layer (valgrind)
#   tests/bench/netsim.sh compare      the same of what users run, on some 200 nodes: seconds are noisy
#   tests/bench/netsim.sh partitions [SIZE…]  one simulation on two threads (10000, 100000; default 10000):
#                                      CPU of one thread over that of the thread that worked most, waiting left
#                                      out, the median of five in turn, and their range; the same of both
#                                      partitions on one core, one window each in turn, so that they do not
#                                      share the memory's time; what 4, 16 and 64 threads would give, from what
#                                      is measured
#   tests/bench/netsim.sh processes [SIZE…]  the same of two processes that mpirun starts, packing and unpacking
#                                      included; wall seconds of one process and of two
#   tests/bench/netsim.sh memory [SIZE…]  halo exchanges on all nodes of about SIZE (100000, 1000000; default
#                                      100000): peak memory of one process, and of the largest of 2 and of
#                                      4 that mpirun starts
set -eu
cd "$(dirname "$0")/../.."
bench=${PLACETOOLS_BUILD:-build}/tests/tools/netbench
make -s "$bench"
export PLACETOOLS_SHARE=${PLACETOOLS_SHARE:-share}
netsim=${PLACETOOLS_BIN:-bin}/netsim topogen=${PLACETOOLS_BIN:-bin}/topogen
small=dragonfly:groups=17,routers=4,nodes=4 # 272 nodes
middle=dragonfly:links-per-router=4         # 1 056
large=dragonfly:groups=250,routers=20,nodes=20

# best ARGUMENTS…: of five runs the line with the most packet-hops per CPU second
best() {
	for _ in 1 2 3 4 5; do "$bench" "$@"; done | sort -t "$(printf '\t')" -k 4,4 -n | tail -n 1
}
# row NAME LINE
row() {
	echo "$2" | awk -F'\t' -v name="$1" '{ printf "%-44s %12d %12d %8.3f %9.2f M/s %8.1f MiB\n", name, $1, $2, $3, $4 / 1e6, $6 }'
}

# ---- what users run ----

# job NODES PATTERN ITERATIONS: a stream of one job on the first nodes, messages of 1 KB
job() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\n1\t%d\tn[0-%d]\t%s\t1024\t%d\n' \
		"$1" $(($1 - 1)) "$2" "$3"
}
# spec MACHINE SIZE: of about so many nodes
spec() {
	case $1:$2 in
	dragonfly:200) echo dragonfly:groups=17,routers=4,nodes=4 ;;
	dragonfly:1000) echo dragonfly:links-per-router=4 ;;
	dragonfly:10000) echo dragonfly:groups=73,routers=12,nodes=12 ;;
	dragonfly:100000) echo dragonfly:groups=250,routers=20,nodes=20 ;;
	dragonfly-2d:200) echo dragonfly:groups=4,routers=8x4,nodes=2,links=12 ;;
	dragonfly-2d:1000) echo dragonfly:groups=8,routers=8x4,nodes=4,links=12 ;;
	dragonfly-2d:10000) echo dragonfly:groups=28,routers=16x6,nodes=4,links=12 ;;
	dragonfly-2d:100000) echo dragonfly:groups=260,routers=16x6,nodes=4,links=2 ;;
	fattree:200) echo fattree:k=6,levels=3 ;;
	fattree:1000) echo fattree:k=10,levels=3 ;;
	fattree:10000) echo fattree:k=22,levels=3 ;;
	fattree:100000) echo fattree:k=46,levels=3 ;;
	torus:200) echo torus:dims=6x6x6 ;;
	torus:1000) echo torus:dims=10x10x10 ;;
	torus:10000) echo torus:dims=22x22x22 ;;
	torus:100000) echo torus:dims=46x46x46 ;;
	slimfly:200) echo slimfly:q=5 ;;
	slimfly:1000) echo slimfly:q=9 ;;
	slimfly:10000) echo slimfly:q=19 ;;
	slimfly:100000) echo slimfly:q=43 ;;
	hyperx:200) echo hyperx:dims=6x6,nodes=6 ;;
	hyperx:1000) echo hyperx:dims=8x8,nodes=16 ;;
	hyperx:10000) echo hyperx:dims=10x10x10,nodes=10 ;;
	hyperx:100000) echo hyperx:dims=16x16x16,nodes=24 ;;
	dragonfly:1000000) echo dragonfly:groups=1000,routers=32,nodes=32 ;;
	slimfly:1000000) echo slimfly:q=89 ;;
	*) return 1 ;;
	esac
}
# machine NAME SIZE: its topology file; explicit: the dragonfly as a list of links; infiniband: the fat tree
# as ibnetdiscover shows it
machine() {
	local file=$work/$1-$2.yaml
	if [[ ! -e $file ]]; then
		case $1 in
		explicit) "$topogen" "$(spec dragonfly "$2")" --to explicit -o "$file" ;;
		infiniband)
			"$topogen" "$(spec fattree "$2")" --to ibnetdiscover -o "$work/fabric"
			"$topogen" --from ibnetdiscover "$work/fabric" --to explicit -o "$file"
			;;
		*) "$topogen" "$(spec "$1" "$2")" -o "$file" ;;
		esac
	fi
	echo "$file"
}
# nodes_of FILE: how many the machine has; counted once
nodes_of() {
	[[ -e $1.nodes ]] || "$topogen" "$1" --to summary | awk '$3 == "nodes" { print $4; exit }' >"$1.nodes"
	cat "$1.nodes"
}
# run_one SIZE MACHINE ROUTING PATTERN ITERATIONS: one row
run_one() {
	local file nnodes said
	file=$(machine "$2" "$1")
	nnodes=$(nodes_of "$file")
	job "$nnodes" "$4" "$5" >"$work/job.tsv"
	# par and adaptive-local are of dragonflies; a routing that the machine does not have makes no row
	said=$("$peak" "$netsim" -v -t "$file" -r "$3" -j 1 "$work/job.tsv" -o "$work/out.tsv" 2>&1) || return 0
	echo "$said" | awk -v name="$2 $3 $4 $nnodes" -v nodes="$nnodes" '
		/packet-hops=/ { for (i = 1; i <= NF; i++) { split($i, pair, "="); value[pair[1]] = pair[2] } }
		/^[0-9]+$/ { bytes = $1 * 1024 }
		END { h = value["packet-hops"]; s = value["cpu_s"]; if (h > 0 && s > 0)
			printf "%-48s %12d %6.2f %8.0f %8.2f %8.2f\n", name, h, value["events"] / h, bytes / nodes, s, h / s / 1e6 }'
}
# iterations SIZE PATTERN: so many that opening the machine and touching memory for the first time are little of a row;
# none: it is too much there
iterations() {
	case $2:$1 in
	alltoall:200) echo 1 ;;
	alltoall:1000) echo 2 ;;
	alltoall:*) return 1 ;;
	uniform:100000) echo 10 ;;
	*:100000) echo 2 ;;
	uniform:1000) echo 500 ;;
	uniform:*) echo 100 ;;
	halo3d:1000) echo 200 ;;
	allreduce:1000) echo 100 ;;
	*) echo 20 ;;
	esac
}
# best_of_three SIZE MACHINE ROUTING PATTERN ITERATIONS: of three rows the fastest: the worst over the best of many
# rows that are run once is mostly what else ran on the machine
best_of_three() {
	local _
	for _ in 1 2 3; do run_one "$@"; done | sort -k 9,9 -g | tail -n 1
}
# row_of SIZE MACHINE ROUTING PATTERN: kept, or run now
row_of() {
	local key="$1 $2 $3 $4" n
	n=$(iterations "$1" "$4") || return 0
	grep -q "^$key"$'\t' "$results" || printf '%s\t%s\n' "$key" "$(best_of_three "$@" "$n")" >>"$results"
	grep "^$key"$'\t.' "$results" | cut -f 2
}
users() {
	local size name routing pattern
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	peak=${PLACETOOLS_BUILD:-build}/tests/tools/peak
	make -s "$peak"
	results=${RESULTS:-${PLACETOOLS_BUILD:-build}/netsim-users.tsv}
	touch -a "$results"
	for size in "${@:-1000}"; do
		printf '%-48s %12s %6s %8s %8s %8s\n' 'machine routing pattern nodes' packet-hops ev/hop B/node CPU-s 'M/s'
		for name in ${MACHINES:-dragonfly dragonfly-2d fattree torus slimfly hyperx infiniband explicit}; do
			for routing in minimal ugal minimal:ties=adaptive adaptive-local; do
				for pattern in alltoall halo3d allreduce uniform; do
					row_of "$size" "$name" $routing $pattern
				done
			done
		done | tee "$work/rows"
		awk '{ print $3, 1 / $NF, $1 " " $2 }' "$work/rows" | worst "$size"
	done
}
# sizes: in turn, since what a machine gives changes within minutes; so long that memory that is touched
# for the first time does not count
sizes() {
	local name
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	peak=${PLACETOOLS_BUILD:-build}/tests/tools/peak
	make -s "$peak"
	for name in ${MACHINES:-dragonfly slimfly torus}; do
		for _ in 1 2 3; do
			run_one 1000 "$name" ugal halo3d 200
			run_one 100000 "$name" ugal halo3d 30
		done | awk -v name="$name" '{ n = $4; if ($NF > best[n]) best[n] = $NF; nodes[NR % 2] = n }
			END { printf "%-12s %7d nodes %6.2f M/s %7d nodes %6.2f M/s  ratio %.2f\n", name, nodes[1], best[nodes[1]], nodes[0], best[nodes[0]], best[nodes[1]] / best[nodes[0]] }'
	done
}
# worst SIZE <PATTERN COST NAME…: of each pattern the worst cost over the best
worst() {
	sort -s -k 1,1 -k 2,2g | awk -v size="$1" '
		function tell() { if (pattern != "") printf "about %d nodes, %s: worst over best %.2f (%s; %s)\n", size, pattern, cost / least, name, best }
		$1 != pattern { tell(); pattern = $1; least = $2; best = $3 " " $4 }
		{ cost = $2; name = $3 " " $4 }
		END { tell() }'
}
# count COMMAND…: instructions and packet-hops of a run, under valgrind
count() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | awk '
		/packet-hops=/ { for (i = 1; i <= NF; i++) if (sub("packet-hops=", "", $i)) hops = $i }
		/^[0-9]+\t/ { hops = $1 }
		/Collected/ { n = $NF }
		END { print n, hops }'
}
# instructions: of two runs that differ in length
instructions() {
	local row pattern iterations bytes times
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	printf '%-24s %12s %10s\n' 'pattern, bytes' 'instructions' 'to first'
	echo 'of a packet-hop; 272 nodes, ugal'
	for row in alltoall:1:1024 halo3d:10:1024 allreduce:20:8 uniform:50:1024 netbench:100:1024; do
		IFS=: read -r pattern iterations bytes <<<"$row"
		for times in 1 2; do
			if [[ $pattern == netbench ]]; then
				count "$bench" random "$small" ugal $((times * iterations))
			else
				job 272 "$pattern" $((times * iterations)) | sed "s/1024/$bytes/" >"$work/job.tsv"
				count "$netsim" -v -t "$small" -r ugal "$work/job.tsv" -o "$work/out.tsv"
			fi
		done | awk -v name="$pattern, $bytes" '{ n[NR] = $1; hops[NR] = $2 } END { print name "\t" (n[2] - n[1]) / (hops[2] - hops[1]) }'
	done | awk -F'\t' 'NR == 1 { first = $2 } { printf "%-24s %12.0f %10.2f\n", $1, $2, $2 / first }'
}
compare() {
	local name routing row pattern iterations bytes nnodes file times
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	for name in dragonfly dragonfly-2d fattree torus slimfly hyperx infiniband explicit; do
		file=$(machine $name 200)
		nnodes=$(nodes_of "$file")
		for routing in minimal ugal minimal:ties=adaptive adaptive-local; do
			job "$nnodes" halo3d 1 >"$work/job.tsv"
			"$netsim" -t "$file" -r $routing "$work/job.tsv" -o "$work/out.tsv" 2>/dev/null || continue
			for row in alltoall:1:1024 halo3d:5:1024 allreduce:10:8 uniform:20:1024; do
				IFS=: read -r pattern iterations bytes <<<"$row"
				for times in 1 2; do
					job "$nnodes" "$pattern" $((times * iterations)) | sed "s/1024/$bytes/" >"$work/job.tsv"
					count "$netsim" -v -t "$file" -r $routing "$work/job.tsv" -o "$work/out.tsv"
				done | awk -v name="$name $routing" -v pattern="$pattern" '{ n[NR] = $1; hops[NR] = $2 } END { print pattern, (n[2] - n[1]) / (hops[2] - hops[1]), name }'
			done
		done
	done | tee "$work/rows" | awk '{ printf "%-12s %-36s %8.0f\n", $1, $3 " " $4, $2; fflush() }'
	worst 200 <"$work/rows"
}
launcher=()
# mpi PROCESSES: parts run in so many
mpi() {
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	export OMPI_MCA_mpi_yield_when_idle=1
	launcher=(mpirun -n "$1")
}
# parts SIZE PATTERN BYTES ITERATIONS: what netsim reports of one simulation, as NAME=VALUE lines
parts() {
	local file nnodes
	file=$(machine dragonfly "$1")
	nnodes=$(nodes_of "$file")
	job "$nnodes" "$2" "$4" | sed "s/1024/$3/" >"$work/job.tsv"
	shift 4
	"${launcher[@]}" "$netsim" -v --no-provenance -t "$file" -r ugal "$@" "$work/job.tsv" -o "$work/out.tsv" 2>&1 |
		tr ' ' '\n' | grep '='
}
# value NAME <LINES: the least
value() { awk -F= -v name="$1" '$1 == name && (!n++ || $2 < least) { least = $2 } END { print least }'; }
# middle NAME <LINES: the median
middle() { awk -F= -v name="$1" '$1 == name { print $2 }' | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# seconds COMMAND…: of wall clock, behind its output
seconds() {
	local begin
	begin=$(date +%s.%N)
	"$@"
	echo "$(date +%s.%N) $begin" | awk '{ printf "wall_s=%.2f\n", $1 - $2 }'
}
partitions() {
	local size row pattern bytes iterations one two alone both turns ratios beside tool=${PLACETOOLS_BUILD:-build}/tests/tools/barrier_cost barrier n
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	make -s "$tool"
	barrier=$("$tool" 2)
	echo "barrier of 2 threads: $barrier s"
	printf '%-20s %7s %8s %6s %11s %8s %8s %7s %10s %8s %7s  %s\n' 'pattern nodes' 'CPU s' 'busiest' ratio range 'one core' 'CPU -j2' 'wall s' 'ev/window' balance shared \
		'efficiency at 4, 16, 64 threads (barrier as here), 16, 64 processes (5 us)'
	for size in "${@:-10000}"; do
		for row in uniform:1024:60 halo3d:65536:1 halo3d:1024:30; do
			IFS=: read -r pattern bytes iterations <<<"$row"
			[[ $size -gt 10000 && $row != halo3d:1024:* ]] && continue
			[[ $size -gt 10000 ]] && iterations=3
			one='' two='' ratios='' beside=''
			for _ in 1 2 3 4 5; do # in turn
				alone=$(parts "$size" "$pattern" "$bytes" "$iterations" -j 1)
				sum=$(md5sum <"$work/out.tsv")
				both=$(seconds parts "$size" "$pattern" "$bytes" "$iterations" --partitions 2 -j 2)
				[[ $(md5sum <"$work/out.tsv") == "$sum" ]] || { echo "other bytes on two threads"; return 1; }
				turns=$(parts "$size" "$pattern" "$bytes" "$iterations" --partitions 2 -j 1)
				one+=$'\n'$alone two+=$'\n'$both
				ratios+=$(awk -v a="$(value cpu_s <<<"$alone")" -v b="$(value busiest_s <<<"$both")" 'BEGIN { printf "ratio=%.2f", a / b }')$'\n'
				beside+=$(awk -v a="$(value cpu_s <<<"$alone")" -v b="$(value busy_s <<<"$turns")" -v balance="$(value balance <<<"$turns")" 'BEGIN { printf "ratio=%.2f", 2 * balance * a / b }')$'\n'
			done
			for n in 4 16 64; do
				parts "$size" "$pattern" "$bytes" "$iterations" --partitions $n -j 1 | value balance
			done >"$work/balance"
			printf '%s\n' "$pattern-$bytes $size" "$(middle cpu_s <<<"$one")" "$(middle busiest_s <<<"$two")" "$(middle cpu_s <<<"$two")" "$(middle wall_s <<<"$two")" \
				"$(value events/window <<<"$two")" "$(value balance <<<"$two")" "$(value shared <<<"$two")" "$(value windows <<<"$two")" "$barrier" |
				cat - "$work/balance" | awk -v ratio="$(middle ratio <<<"$ratios")" -v beside="$(middle ratio <<<"$beside")" -v range="$(sed -n 's/ratio=//p' <<<"$ratios" | sort -g | sed -n '1p;$p' | paste -sd-)" '{ v[NR] = $0 }
				function efficiency(n, balance, barrier) { return 1 / (1 / balance + n * barrier / (v[6] * event)) }
				END { event = v[2] / (v[6] * v[9]) # seconds of an event
					printf "%-20s %7.3f %8.3f %6.2f %11s %8.2f %8.3f %7.2f %10.1f %8.3f %7d  %.2f %.2f %.2f  %.2f %.2f\n", v[1], v[2], v[3], ratio, range, beside, v[4], v[5], v[6], v[7], v[8],
					efficiency(4, v[11], v[10]), efficiency(16, v[12], v[10]), efficiency(64, v[13], v[10]), efficiency(16, v[12], 5e-6), efficiency(64, v[13], 5e-6) }'
		done
	done
}
processes() {
	local size row pattern bytes iterations one two sum
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	printf '%-24s %8s %8s %8s %9s %9s %10s %8s\n' 'pattern nodes' 'CPU s' 'busiest' ratio 'wall of 1' 'wall of 2' 'ev/window' balance
	for size in "${@:-10000}"; do
		for row in uniform:1024:60 halo3d:65536:1 halo3d:1024:30; do
			IFS=: read -r pattern bytes iterations <<<"$row"
			[[ $size -gt 10000 && $row != halo3d:1024:* ]] && continue
			[[ $size -gt 10000 ]] && iterations=3
			launcher=()
			one=$(seconds parts "$size" "$pattern" "$bytes" "$iterations" -j 1)
			sum=$(md5sum <"$work/out.tsv")
			mpi 2
			two=$(seconds parts "$size" "$pattern" "$bytes" "$iterations" --partitions 2 -j 1)
			[[ $(md5sum <"$work/out.tsv") == "$sum" ]] || { echo "other bytes in two processes"; return 1; }
			printf '%s\n' "$pattern-$bytes $size" "$(value cpu_s <<<"$one")" "$(value busiest_s <<<"$two")" \
				"$(value wall_s <<<"$one")" "$(value wall_s <<<"$two")" "$(value events/window <<<"$two")" "$(value balance <<<"$two")" |
				awk '{ v[NR] = $0 }
				END { printf "%-24s %8.3f %8.3f %8.2f %9.2f %9.2f %10.1f %8.3f\n", v[1], v[2], v[3], v[2] / v[3], v[4], v[5], v[6], v[7] }'
		done
	done
}
# memory [SIZE…]: the tables of the machine and libmpi are each process's, the rest only its part
memory() {
	local size name n nnodes sum said kib
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	peak=${PLACETOOLS_BUILD:-build}/tests/tools/peak
	make -s "$peak"
	printf '%-32s %10s %12s %14s\n' 'halo3d of 1 KB, ugal; nodes' processes 'largest, MB' 'B per node'
	for size in "${@:-100000}"; do
		for name in dragonfly slimfly; do
			nnodes=$("$topogen" "$(spec $name "$size")" --to summary | awk '$3 == "nodes" { print $4; exit }')
			job "$nnodes" halo3d 1 >"$work/job.tsv"
			sum=
			for n in 1 2 4; do
				mpi $n
				said=$("${launcher[@]}" "$peak" "$netsim" --no-provenance -t "$(spec $name "$size")" -r ugal -j 1 "$work/job.tsv" -o "$work/out.tsv" 2>&1)
				kib=$(grep '^[0-9]*$' <<<"$said" | sort -n | tail -1)
				[[ -z $sum || $(md5sum <"$work/out.tsv") == "$sum" ]] || { echo "other bytes in $n processes"; return 1; }
				sum=$(md5sum <"$work/out.tsv")
				awk -v kib="$kib" -v n=$n -v nodes="$nnodes" -v name="$name $nnodes" \
					'BEGIN { printf "%-32s %10d %12.1f %14.0f\n", name, n, kib * 1.024e-3, kib * 1024 / nodes }'
			done
		done
	done
}
case ${1:-} in
processes) shift && processes "$@" && exit ;;
memory) shift && memory "$@" && exit ;;
partitions) shift && partitions "$@" && exit ;;
sizes) sizes && exit ;;
users) shift && users "$@" && exit ;;
instructions) instructions && exit ;;
compare) compare && exit ;;
esac

printf '%-44s %12s %12s %8s %13s %12s\n' 'random messages of 1 KB, 8 of each node' packet-hops events 'CPU s' packet-hops memory
for routing in ugal adaptive-local par minimal; do
	row "272 nodes, $routing (wanted: 5 M/s)" "$(best random $small $routing 1000)"
	row "1 056 nodes, $routing (wanted: 5 M/s)" "$(best random $middle $routing 300)"
done
row '272 nodes, ugal, to the next group' "$(best adversarial $small ugal 1000)"
row '1 056 nodes, ugal, to the next group' "$(best adversarial $middle ugal 300)"
row '272 nodes, adaptive-local, output buffers' "$(best random $small adaptive-local 1000 output-buffer=14kB crossbar=1)"

echo '== all-to-all, step by step, of 1 KB on 1 056 nodes (wanted: 1 s; CODES 29 s, SST 112 s)'
row '1 056 nodes, ugal' "$(best alltoall $middle ugal 1)"

echo '== 100 000 nodes (wanted: a packet-hop costs less than 5 times that of 1 056 nodes)'
one=$(best random $middle ugal 300)
many=$(best random $large ugal 5)
row '100 000 nodes, ugal' "$many"
printf '%s\n%s\n' "$one" "$many" | awk -F'\t' '{ speed[NR] = $4 } END { printf "%-44s %.1f\n", "ratio", speed[1] / speed[2] }'

if perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]'; then
	echo '== instructions of a packet-hop, 1 056 nodes, ugal'
	perf stat -x , -e instructions:u "$bench" random $middle ugal 300 2>&1 |
		awk -F'[,\t]' 'NR == 1 { hops = $1 } /instructions/ { print $1 / hops }'
elif command -v valgrind >/dev/null; then
	echo '== instructions of a packet-hop, 272 nodes, ugal (valgrind; opening the machine included)'
	out=$(mktemp)
	hops=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" random $small ugal 200 2>"$out" | cut -f 1)
	awk -v hops="$hops" '/Collected/ { print $NF / hops }' "$out"
	rm -f "$out"
fi
