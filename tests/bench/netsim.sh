#!/bin/bash
# netsim.sh - speed of the simulated network: packet-hops (routers traversed) per CPU second, best of five;
# all-to-all on 1 056 nodes; what a packet-hop costs on 100 000 nodes; memory
set -eu
bench=${PLACETOOLS_BUILD:-build}/tests/tools/netbench
make -s "$bench"
export PLACETOOLS_SHARE=${PLACETOOLS_SHARE:-share}
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
