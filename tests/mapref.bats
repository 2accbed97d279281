#!/usr/bin/env bats
# mapref.bats - mappings are bijections onto slots, repeatable, and as good as they say

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export PLACETOOLS_TOPOLOGY=dragonfly:groups=5,routers=4,nodes=2,cores=4
}

# grid X Y: a 2-D five-point halo, not periodic, of 1 000 bytes
grid() {
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n'
	awk -v X="$1" -v Y="$2" 'BEGIN { OFS = "\t"
		for (x = 0; x < X; x++) for (y = 0; y < Y; y++) {
			if (x + 1 < X) { print x * Y + y, (x + 1) * Y + y, 1000; print (x + 1) * Y + y, x * Y + y, 1000 }
			if (y + 1 < Y) { print x * Y + y, x * Y + y + 1, 1000; print x * Y + y + 1, x * Y + y, 1000 }
		} }'
}

# is_bijection FILE RANKS CORES: every rank once, every core of a node at most once
is_bijection() {
	awk -v ranks="$2" -v cores="$3" '/^#/ { next } $1 == "rank" { next }
		{ if (seen[$1]++ || used[$2, $3]++ || $3 >= cores || $1 >= ranks) bad = 1; n++ }
		END { exit bad || n != ranks }' "$1"
}

# stat_of FILE METRIC: after the last stage
stat_of() {
	awk -v metric="$2" '$3 == metric { value = $4 } END { print value }' "$1"
}

@test "every mapper's example gives a bijection onto slots, with every refiner and partition" {
	grid 8 9 >grid.tsv
	mapref -g grid.tsv -p in-order -o mapping.tsv
	while read -r mapper; do
		for refiner in $(examples_of mapref refiners); do
			mapref -g grid.tsv -p "$mapper" --refine "$refiner" -o out.tsv
			is_bijection out.tsv 72 4
		done
	done < <(examples_of mapref mappers)
	while read -r partition; do
		mapref -g grid.tsv -p ptram --partition "$partition" -o out.tsv
		is_bijection out.tsv 72 4
	done < <(examples_of mapref partitions)
}

@test "the default is never worse than in-order in maximum congestion" {
	for size in "2 2" "5 7" "8 8" "1 40" "12 13"; do
		# shellcheck disable=SC2086
		grid $size >grid.tsv
		mapref -g grid.tsv -p in-order --stats in-order.tsv -o /dev/null
		mapref -g grid.tsv --stats ours.tsv -o /dev/null
		awk -v a="$(stat_of ours.tsv max-congestion)" -v b="$(stat_of in-order.tsv max-congestion)" 'BEGIN { exit a > b }'
	done
}

@test "the loads that --stats tells are those of the mapping that was written" {
	grid 6 6 >grid.tsv
	for mapper in multilevel ptram; do
		mapref -g grid.tsv -p "$mapper" --seed 3 --stats stats.tsv -o mapping.tsv
		mapref -g grid.tsv -p file:path=mapping.tsv --stats again.tsv -o /dev/null
		[[ $(stat_of stats.tsv max-congestion) == "$(stat_of again.tsv max-congestion)" ]]
		[[ $(stat_of stats.tsv hop-bytes) == "$(stat_of again.tsv hop-bytes)" ]]
	done
}

@test "in-order and cyclic are what they say" {
	grid 2 3 >grid.tsv
	mapref -g grid.tsv -p in-order --hosts 'n[3,1]' --ranks-per-node 4 --no-provenance |
		grep '^[0-9]' | cut -f1-3 | tr '\t\n' '  ' | grep -x '0 n3 0 1 n3 1 2 n3 2 3 n3 3 4 n1 0 5 n1 1 '
	mapref -g grid.tsv -p cyclic --hosts 'n[3,1]' --ranks-per-node 4 --no-provenance |
		grep '^[0-9]' | cut -f1-3 | tr '\t\n' '  ' | grep -x '0 n3 0 1 n1 0 2 n3 1 3 n1 1 4 n3 2 5 n1 2 '
}

@test "the same seed gives the same bytes, another one another random mapping" {
	grid 8 8 >grid.tsv
	mapref -g grid.tsv --no-provenance -o a.tsv
	mapref -g grid.tsv --no-provenance -o b.tsv
	cmp a.tsv b.tsv
	mapref -g grid.tsv -p random --no-provenance -o a.tsv
	mapref -g grid.tsv -p random --seed 2 --no-provenance -o b.tsv
	run ! cmp -s a.tsv b.tsv
}

@test "bandwidth decides: a slow link is avoided though the way over it is no longer" {
	# two groups of two nodes; ranks 0-1 and 2-3 talk: each pair must share a group
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t2\t10\n2\t0\t10\n1\t3\t10\n3\t1\t10\n' >comm.tsv
	mapref -t dragonfly:groups=2,routers=2,nodes=1,global-bandwidth=1GB/s,local-bandwidth=8GB/s,terminal-bandwidth=8GB/s \
		-g comm.tsv -o mapping.tsv
	awk '/^[0-9]/ { group[$1] = int(substr($2, 2) / 2) } END { exit group[0] != group[2] || group[1] != group[3] }' mapping.tsv
}

@test "what can't be mapped is refused" {
	grid 8 9 >grid.tsv
	run -2 --separate-stderr mapref -g grid.tsv --hosts n0
	[[ -z $output && $stderr == "mapref: 72 ranks do not fit the 4 slots of 1 nodes" ]]
	run -2 --separate-stderr mapref -g grid.tsv -p nosuch
	[[ $stderr == *"'nosuch' is no mapper"* ]]
	run -2 --separate-stderr mapref -g grid.tsv --hosts n999
	[[ $stderr == "mapref: --hosts: "* ]]
	printf '##placetools=mapping/1\nrank\tnode\n0\tn0\n0\tn1\n' >mapping.tsv
	grid 1 2 >two.tsv
	run -2 --separate-stderr mapref -g two.tsv -p file:path=mapping.tsv
	[[ $stderr == *"rank 0 is there twice"* ]]
	run -2 --separate-stderr mapref
	[[ $stderr == *"-g COMM is missing"* ]]
}

@test "on the GPC network the loads are those that an independent program counts" {
	need_shared
	command -v python3 >/dev/null || skip "no python3"
	gzip -dc "$SHARED/data/mapping/gpc.topo.gz" >gpc.topo
	gzip -dc "$SHARED/data/mapping/gpc.lft.gz" >gpc.lft
	{
		printf '##placetools=comm/1\nsrc\tdst\tbytes\n'
		gzip -dc "$SHARED/data/mapping/halo2d-1024.comm.gz" | sed '/^#/d' | tr ' ' '\t'
	} >comm.tsv
	hosts=$(paste -sd, "$SHARED/data/mapping/shuf-128.alloc")
	for mapper in in-order ptram multilevel; do
		mapref -t gpc -g comm.tsv --ranks-per-node 8 --hosts "$hosts" -p "$mapper" --stats stats.tsv -o mapping.tsv
		python3 "$SHARED/tools/evaluate.py" eval gpc.topo comm.tsv mapping.tsv --lft gpc.lft >oracle.json
		grep -F "\"MC\": $(stat_of stats.tsv max-congestion).0," oracle.json
		grep -F "\"HB\": $(stat_of stats.tsv hop-bytes)," oracle.json
	done
}

@test "threads, and the number of processors, change nothing" {
	grid 12 13 >grid.tsv
	for mapper in ptram multilevel; do
		mapref -g grid.tsv -p "$mapper" --no-provenance -o one.tsv
		for n in 2 3 8; do
			mapref -g grid.tsv -p "$mapper" -j "$n" --no-provenance -o many.tsv
			cmp one.tsv many.tsv
		done
		taskset -c 0 mapref -g grid.tsv -p "$mapper" --no-provenance -o bound.tsv
		cmp one.tsv bound.tsv
	done
}
