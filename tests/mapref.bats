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
	seq 0 71 | awk '{ print int($1 / 4) }' >parts.txt
	while read -r partition; do
		mapref -g grid.tsv -p ptram --partition "$partition" -o out.tsv
		is_bijection out.tsv 72 4
	done < <(examples_of mapref partitions)
}

# inside FILE METRIC: what evalmetrics finds of the cores
inside() {
	evalmetrics -g graph.tsv -m inside "$1" | awk -F'\t' -v metric="$2" '{ for (i = 1; i < NF; i++) if ($i == metric) print $(i + 1) }'
}

@test "cores: ranks that talk much share the nearest cores where the topology knows how they nest" {
	export PLACETOOLS_TOPOLOGY=line:nodes=2,inside=package:2+l3cache:2+core:2
	# pairs that talk much, and pairs of pairs that talk less: rank r with r + 4, these with r + 2
	awk 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (node = 0; node < 2; node++) for (i = 0; i < 4; i++) { r = 8 * node + i; print r, r + 4, 100; if (i < 2) print r, r + 2, 10; print r, 8 * node + (i + 1) % 4, 1 } }' >graph.tsv
	mapref -g graph.tsv -p rcm --partition block -o near.tsv
	mapref -g graph.tsv -p rcm --partition block --cores in-order -o in-order.tsv
	is_bijection near.tsv 16 8
	[ "$(inside near.tsv inside-bytes)" = 848 ]
	# pairs of 100 bytes are 1 apart, those of 10 bytes 2, and the rest 3
	awk -v near="$(inside near.tsv core-dilation)" 'BEGIN { exit int(near * 848 + .5) != 800 * 1 + 40 * 2 + 8 * 3 }'
	[ "$(inside near.tsv outermost-bytes)" = 8 ]
	[ "$(inside in-order.tsv outermost-bytes)" = 800 ]
	# nodes stay what they are; cores in order are what in-order has anyway
	diff <(grep -v '^##' near.tsv | cut -f 1-2) <(grep -v '^##' in-order.tsv | cut -f 1-2)
	mapref -g graph.tsv -p in-order -o literal.tsv
	diff <(grep -v '^##' literal.tsv | cut -f 1,3) <(grep -v '^##' in-order.tsv | cut -f 1,3)
	mapref -g graph.tsv -p in-order --cores near -o literal.tsv
	[ "$(inside literal.tsv core-dilation)" = "$(inside near.tsv core-dilation)" ]
	# fewer ranks than cores take the first ones; where nothing is told, ranks are in order
	mapref -g graph.tsv -p rcm --partition block --ranks-per-node 8 -t line:nodes=2,cores=8 | grep -v '^##' | cut -f 1-3 |
		diff - <(grep -v '^##' in-order.tsv | cut -f 1-3)
	mapref -g graph.tsv -p rcm --partition block --ranks-per-node 5 -t line:nodes=4,inside=package:2+core:4 -o few.tsv
	is_bijection few.tsv 16 5
	# a mapping without cores has no distance of cores
	grep -v '^##topology' near.tsv | awk -F'\t' 'BEGIN { OFS = FS } /^##/ || $1 == "rank" { print; next } { $3 = "."; print }' >none.tsv
	[ "$(inside none.tsv core-dilation)" = . ]
	run -2 --separate-stderr mapref -g graph.tsv --cores far
}

@test "of a grid of ranks on a machine of few nodes the default is no worse than in-order in maximum congestion" {
	for size in "2 2" "5 7" "8 8" "1 40" "12 13"; do
		# shellcheck disable=SC2086
		grid $size >grid.tsv
		mapref -g grid.tsv -p in-order --stats in-order.tsv -o /dev/null
		mapref -g grid.tsv --stats ours.tsv -o /dev/null
		awk -v a="$(stat_of ours.tsv max-congestion)" -v b="$(stat_of in-order.tsv max-congestion)" 'BEGIN { exit a > b }'
	done
}

@test "a rival may load a link more than in-order does where that makes it faster; with -m in-turn it may not" {
	nodes=$(awk 'BEGIN { for (v = 0; v < 256; v += 2) printf "%sn%d", v ? "," : "", v }')
	export PLACETOOLS_TOPOLOGY=mesh:dims=16x16,cores=4
	jobgen comm:pattern=halo3d15,ranks=512 -o comm.tsv
	mapref -g comm.tsv --hosts "$nodes" -p in-order --stats in-order.tsv -o in-order.map
	mapref -g comm.tsv --hosts "$nodes" --stats ours.tsv -o ours.map
	mapref -g comm.tsv --hosts "$nodes" -m in-turn --stats in-turn.tsv -o /dev/null
	[ "$(stat_of in-turn.tsv max-congestion)" -le "$(stat_of in-order.tsv max-congestion)" ]
	[ "$(stat_of ours.tsv hop-bytes)" -lt "$(stat_of in-order.tsv hop-bytes)" ]
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\nj\t128\t%s\tcomm:path=comm.tsv\t16384\t1\t4\n' "$nodes" >job.tsv
	for mapping in in-order ours; do
		netsim --mapping $mapping.map job.tsv | awk -F'\t' '/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next } { print $c }' >$mapping.time
	done
	awk 'NR == FNR { in_order = $1; next } { exit !($1 > 0 && $1 < in_order) }' in-order.time ours.time
}

@test "a rival is refined as its mapper is: -p ptram does not beat the default in both terms" {
	nodes=$(awk 'BEGIN { for (v = 0; v < 256; v += 2) printf "%sn%d", v ? "," : "", v }')
	export PLACETOOLS_TOPOLOGY=slimfly:q=5,nodes=6,cores=4
	jobgen comm:pattern=halo3d15,ranks=512 -o comm.tsv
	for mapper in multilevel ptram; do
		mapref -g comm.tsv --hosts "$nodes" --ranks-per-node 4 -p $mapper --stats $mapper.tsv -o /dev/null
	done
	[ "$(stat_of ptram.tsv max-congestion)" -ge "$(stat_of multilevel.tsv max-congestion)" ] ||
		[ "$(stat_of ptram.tsv hop-bytes)" -ge "$(stat_of multilevel.tsv hop-bytes)" ]
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

# nodes FILE: the nodes of the ranks, in their order, one line
nodes() {
	grep '^[0-9]' "$1" | sort -n | cut -f2 | tr '\n' ' '
}

# ranks in a chain, of which each sends to the next and back; CHAIN: the ranks from one end to the other
chain() {
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n'
	echo "$@" | awk '{ OFS = "\t"; for (i = 1; i < NF; i++) { print $i, $(i + 1), 10; print $(i + 1), $i, 10 } }'
}

@test "rcm: a chain of ranks lies along a line of nodes" {
	chain 3 0 5 2 7 1 6 4 >chain.tsv
	mapref -t line:nodes=8 -g chain.tsv -p rcm -o mapping.tsv
	evalmetrics -g chain.tsv -m dilation mapping.tsv >metrics.tsv
	grep -P '\tdilation\t42\t' metrics.tsv # 14 messages of 3 links each: the least that there is
}

@test "greedy: the heaviest edge first, each to the nearest free node" {
	# rank 0 has the most bytes and takes the first node; 2 is its heaviest partner; n0 and n8 are as far
	# from n4, but the way to n0 is loaded: so 3 goes to n8, and 1 to what is left
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n2\t0\t90\n0\t3\t50\n2\t1\t40\n' >comm.tsv
	mapref -t line:nodes=9 -g comm.tsv -p greedy --hosts n4,n0,n8,n3 -o mapping.tsv
	[[ $(nodes mapping.tsv) == "n4 n0 n3 n8 " ]]
}

@test "pacmap: the nodes where most others are near, and the part that exchanges most comes next" {
	# n0 and n6 are apart; n3 has two idle neighbours and is the centre. Rank 1 has the most bytes and takes it; rank 2
	# is its heavier partner and takes n2, as near as n4; rank 0 is left
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t30\n2\t1\t50\n' >comm.tsv
	mapref -t line:nodes=7 -g comm.tsv -p pacmap --partition block --hosts n0,n2,n3,n4,n6 -o mapping.tsv
	[[ $(nodes mapping.tsv) == "n4 n3 n2 " ]]
	# tries: the region around n3 has n2 … n4; another one does no better
	mapref -t line:nodes=7 -g comm.tsv -p pacmap:tries=1 --partition block --hosts n0,n2,n3,n4,n6 -o one.tsv
	[[ $(nodes one.tsv) == "n4 n3 n2 " ]]
}

@test "sfc: a grid of ranks and a grid of nodes along the same curve are neighbours" {
	jobgen comm:pattern=halo2d,dims=8x8,periodic=no -o grid.tsv
	mapref -t mesh:dims=8x8 -g grid.tsv -p sfc:dims=8x8,order=hilbert -o mapping.tsv
	evalmetrics -g grid.tsv -m dilation mapping.tsv >metrics.tsv
	grep -P '\tdilation-mean\t3\t' metrics.tsv # a link between routers and those of the two nodes
	run -2 --separate-stderr mapref -t mesh:dims=8x8 -g grid.tsv -p sfc:dims=8x9
	[[ $stderr == "mapref: sfc: dims 8x9: expected up to three dimensions of 64 ranks in all" ]]
}

@test "groups that talk among themselves share a router" {
	# four cliques of four, their ranks dealt out in turn; routers of two nodes of two cores
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n' >cliques.tsv
	awk 'BEGIN { OFS = "\t"; for (a = 0; a < 16; a++) for (b = 0; b < 16; b++) if (a != b && a % 4 == b % 4) print a, b, 100
		for (a = 0; a < 16; a++) print a, (a + 1) % 16, 1 }' >>cliques.tsv
	for mapper in treematch scotch multilevel recursive; do
		mapref -t fattree:down=2x4,up=1x2 -g cliques.tsv --ranks-per-node 2 -p "$mapper" -o mapping.tsv
		[[ $(awk '/^[0-9]/ { print $1 % 4, int(substr($2, 2) / 2) }' mapping.tsv | sort -u | wc -l) == 4 ]]
	done
}

@test "nodes of different sizes: parts go where they fit" {
	cat >uneven.yaml <<-'END'
		placetools: topology/1
		name: uneven
		topology: fattree
		parameters: {down: 3x2, up: 1x1}
		nodes: {cores: 4}
	END
	grid 3 4 >grid.tsv
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tranks_per_node\nj\t3\tn[1,4,5]\t.\nk\t6\tn[0-5]\t2\n' >jobs.tsv
	mapref -t uneven.yaml -g grid.tsv -a jobs.tsv --job j -p in-order -o mapping.tsv
	[[ $(nodes mapping.tsv) == "n1 n1 n1 n1 n4 n4 n4 n4 n5 n5 n5 n5 " ]]
	[[ $(sed -n '/^rank/p' mapping.tsv) == *job && $(awk -F'\t' '/^0/ { print $NF }' mapping.tsv) == j ]]
	mapref -t uneven.yaml -g grid.tsv -a jobs.tsv --job k -p in-order -o mapping.tsv
	[[ $(nodes mapping.tsv) == "n0 n0 n1 n1 n2 n2 n3 n3 n4 n4 n5 n5 " ]]
	run -2 --separate-stderr mapref -t uneven.yaml -g grid.tsv -a jobs.tsv
	[[ $stderr == "mapref: jobs.tsv:4: a second placed job 'k' after 'j': --job says which one is meant" ]]
	run -2 --separate-stderr mapref -t uneven.yaml -g grid.tsv -a jobs.tsv --job z
	[[ $stderr == "mapref: jobs.tsv: no placed job 'z'" ]]
	run -2 --separate-stderr mapref -t uneven.yaml -g grid.tsv -a jobs.tsv --job k --hosts n1
	[[ $stderr == *"give one" ]]
}

@test "the parts of a file: as METIS writes them, of the nodes' sizes" {
	grid 2 4 >grid.tsv
	printf '%s\n' 1 0 1 0 0 1 0 1 >parts.txt
	mapref -g grid.tsv -p ptram --refine none --partition file:path=parts.txt --hosts 'n[0-1]' -o mapping.tsv
	[[ $(nodes mapping.tsv) == "n0 n1 n0 n1 n1 n0 n1 n0 " || $(nodes mapping.tsv) == "n1 n0 n1 n0 n0 n1 n0 n1 " ]]
	printf '%s\n' 1 0 1 0 0 1 0 0 >parts.txt
	run -2 --separate-stderr mapref -g grid.tsv -p ptram --partition file:path=parts.txt
	[[ $stderr == "mapref: --partition: parts.txt: part 0 has 5 ranks, its node takes 4" ]]
	printf '%s\n' 1 0 1 0 0 1 0 >parts.txt
	run -2 --separate-stderr mapref -g grid.tsv -p ptram --partition file:path=parts.txt
	[[ $stderr == "mapref: --partition: parts.txt:7: 7 lines, but there are 8 ranks" ]]
	printf '%s\n' 1 0 2 0 0 1 0 1 >parts.txt
	run -2 --separate-stderr mapref -g grid.tsv -p ptram --partition file:path=parts.txt
	[[ $stderr == "mapref: --partition: parts.txt:3: '2' is not a part from 0 to 1" ]]
}

@test "-m: what ptram keeps small" {
	grid 6 6 >grid.tsv
	# without -m the heaviest edge counts 1
	mapref -g grid.tsv -p ptram --refine none --ranks-per-node 1 -m hybrid:scale=1000 -o a.tsv
	mapref -g grid.tsv -p ptram --refine none --ranks-per-node 1 -o b.tsv
	[[ $(nodes a.tsv) == "$(nodes b.tsv)" ]]
	mapref -g grid.tsv -p ptram --refine none -o b.tsv
	mapref -g grid.tsv -p ptram --refine none -m nzca -o b.tsv
	run ! test "$(nodes a.tsv)" = "$(nodes b.tsv)"
	while read -r objective; do
		mapref -g grid.tsv -p ptram --refine none -m "$objective" -o out.tsv
		is_bijection out.tsv 36 4
	done < <(examples_of mapref objectives)
	# two ranks that talk, and a far node first in the list: only hop-bytes and the rest of eq. (3) tell the way
	chain 0 1 >two.tsv
	mapref -g two.tsv -p ptram --refine none -m hop-bytes --hosts n0,n39,n1 --ranks-per-node 1 -o out.tsv
	[[ $(nodes out.tsv) == "n0 n1 " ]]
	mapref -g two.tsv -p ptram --refine none -m max-congestion --hosts n0,n39,n1 --ranks-per-node 1 -o out.tsv
	[[ $(nodes out.tsv) == "n0 n39 " ]]
}

# value METRIC: of out.tsv, by evalmetrics; product and hybrid from the terms
value() {
	evalmetrics -g graph.tsv -m congestion -m dilation out.tsv | awk -F'\t' -v m="$1" '
		/^##/ { next } !c { for (i = 1; i <= NF; i++) { if ($i == "metric") c = i; if ($i == "value") v = i }; next }
		{ x[$c] = $v }
		END { if (m == "product") print x["max-congestion"] ^ .81 * x["hop-bytes"] ^ .38
			else if (m == "in-turn") print x["max-congestion"] * 1e6 + x["hop-bytes"]
			else if (m == "hybrid") print x["max-congestion"] + x["hop-bytes"] + x["nzca"] + x["nzcv"]
			else print x[m] }'
}

@test "-m: every mapper and every aim, by an independent count never worse than without" {
	export PLACETOOLS_TOPOLOGY=torus:dims=4x4,cores=2
	jobgen comm:pattern=nbody,ranks=30 -o graph.tsv
	for mapper in multilevel greedy pacmap in-order cyclic scotch recursive rcm treematch sfc digits; do
		[[ $mapper != sfc ]] || mapper=sfc:dims=5x6
		for aim in in-turn hop-bytes max-congestion nzca nzcv product hybrid; do
			mapref -g graph.tsv -p $mapper -o out.tsv
			without=$(value $aim)
			mapref -g graph.tsv -p $mapper -m $aim -o out.tsv
			is_bijection out.tsv 30 2
			with=$(value $aim)
			awk -v a="$with" -v b="$without" 'BEGIN { exit !(a <= b * (1 + 1e-9)) }' || { echo "$mapper $aim: $with, $without"; false; }
		done
	done
	# aims do lead elsewhere: what is least in one is not least in the other
	mapref -g graph.tsv -p in-order -m hop-bytes -o out.tsv
	a=$(value hop-bytes) b=$(value nzcv)
	mapref -g graph.tsv -p in-order -m nzcv -o out.tsv
	awk -v a="$a" -v b="$b" -v c="$(value hop-bytes)" -v d="$(value nzcv)" 'BEGIN { exit !(a < c && d < b) }'
	mapref -g graph.tsv -p in-order -m nzcv -j 3 --no-provenance -o three.tsv
	diff <(grep '^[0-9]' out.tsv) <(grep '^[0-9]' three.tsv)
}

@test "in-order and cyclic are what they say" {
	grid 2 3 >grid.tsv
	mapref -g grid.tsv -p in-order --hosts 'n[3,1]' --ranks-per-node 4 --no-provenance |
		grep '^[0-9]' | cut -f1-3 | tr '\t\n' '  ' | grep -x '0 n3 0 1 n3 1 2 n3 2 3 n3 3 4 n1 0 5 n1 1 '
	mapref -g grid.tsv -p cyclic --hosts 'n[3,1]' --ranks-per-node 4 --no-provenance |
		grep '^[0-9]' | cut -f1-3 | tr '\t\n' '  ' | grep -x '0 n3 0 1 n1 0 2 n3 1 3 n1 1 4 n3 2 5 n1 2 '
}

@test "leaf-round-robin: rank r on leaf r div Lp, node r mod L, in mapref and as a job's mapping" {
	grid 2 5 >grid.tsv
	mapref -t fattree:down=3x3,up=1x1 -g grid.tsv -p leaf-round-robin --hosts 'n[0-5]' --ranks-per-node 2 --no-provenance |
		grep '^[0-9]' | cut -f1-3 | tr '\t\n' '  ' | grep -x '0 n0 0 1 n1 0 2 n2 0 3 n0 1 4 n1 1 5 n2 1 6 n3 0 7 n4 0 8 n5 0 9 n3 1 '
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tmapping\tranks_per_node\n1\t6\tn[0-5]\talltoall\tleaf-round-robin\t2\n' |
		netsim -t fattree:down=3x3,up=1x1 --ranks ranks.tsv -o out.tsv
	[ "$(grep -v '^#' ranks.tsv | cut -f3 | tail -n +2 | tr '\n' ' ')" = "n0 n1 n2 n0 n1 n2 n3 n4 n5 n3 n4 n5 " ]
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

@test "graphs of nothing, of one rank, of messages without bytes" {
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n' >none.tsv
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t0\t5\n' >one.tsv
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t0\n1\t2\t0\n' >zero.tsv
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t0.25\n1\t2\t1e15\n' >apart.tsv
	for mapper in $(names_of mapref mappers | sed 's/ .*//' | grep -vx file); do
		for graph in none one zero apart; do
			mapref -g $graph.tsv -p "$mapper" --stats stats.tsv -o mapping.tsv
			evalmetrics -g $graph.tsv mapping.tsv >metrics.tsv
			placecheck mapping.tsv
		done
		[[ $(grep -c '^[0-9]' mapping.tsv) == 3 ]]
		[[ $(mapref -g none.tsv -p "$mapper" | grep -c '^[0-9]') == 0 ]]
	done
}

@test "what can't be mapped is refused" {
	grid 8 9 >grid.tsv
	run -2 --separate-stderr mapref -g grid.tsv --hosts n0
	[[ -z $output && $stderr == "mapref: 72 ranks do not fit the 4 slots of 1 nodes" ]]
	run -2 --separate-stderr mapref -g grid.tsv -p nosuch
	[[ $stderr == *"'nosuch' is not a mapper"* ]]
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

@test "an all-to-all in groups: whole nodes are enough for the least maximum" {
	jobgen comm:pattern=alltoall-sub,ranks=4096 | mlr --tsv --pass-comments put '$bytes = 1' >groups.tsv
	local seed effort
	for seed in 1 4; do
		effort=$((seed * 2 - 1)) # a longer search finds no less
		mapref -t gpc -g groups.tsv --hosts 'n[0000-0511]' --ranks-per-node 8 --seed $seed -p multilevel:effort=$effort -o mapping.tsv
		# eight ranks of a node are of one group, and each sends to the 56 others of it
		[ "$(awk -F'\t' '!/^#|^rank/ { print $2, $1 % 64 }' mapping.tsv | sort -u | wc -l)" = 512 ]
		[ "$(evalmetrics -t gpc -g groups.tsv -m congestion mapping.tsv | awk -F'\t' '$4 == "max-congestion" { print $5 }')" = 448 ]
	done
}

@test "between switches with many nodes no more goes than between boxes of ranks" {
	# 128 ranks a switch: of a box of 4 x 4 x 8, 160 faces and 8 * (128 - 3 * 3 * 7) corners lie outside
	jobgen comm:pattern=halo3d15,ranks=4096,dims=16x16x16 >halo.tsv
	mapref -t tree:arity=16x32 -g halo.tsv --ranks-per-node 8 --no-provenance --stats stats.tsv -o one.tsv
	[ "$(stat_of stats.tsv max-congestion)" -le 680 ]
	mapref -t tree:arity=16x32 -g halo.tsv --ranks-per-node 8 --no-provenance -j 3 -o many.tsv
	cmp one.tsv many.tsv
}

@test "ranks in groups that fit no switch leave their nodes" {
	# 24 ranks that all talk to each other take three nodes of eight, and a switch has eight
	awk 'BEGIN { print "##placetools=comm/1\nsrc\tdst\tbytes"
		for (i = 0; i < 504; i++) for (k = i - i % 24; k < i - i % 24 + 24; k++) if (k != i) print i "\t" k "\t1" }' >groups.tsv
	for effort in 1 4; do
		mapref -t tree:arity=8x8 -g groups.tsv --partial --ranks-per-node 8 -p multilevel:effort=$effort --stats stats.tsv -o mapping.tsv
		stat_of stats.tsv max-congestion
	done >got
	# as whole nodes: 256
	[ "$(sed -n 2p got)" -le "$(sed -n 1p got)" ]
	[ "$(sed -n 1p got)" -lt 256 ]
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

@test "a rival that was rehearsed is taken, whatever the number of threads" {
	export PLACETOOLS_TOPOLOGY=dragonfly:groups=5,routers=4,nodes=4,cores=2
	jobgen comm:pattern=alltoall-sub,ranks=64 -o groups.tsv
	mapref -g groups.tsv --ranks-per-node 2 -m in-turn --no-provenance -o searched.tsv
	mapref -g groups.tsv --ranks-per-node 2 --no-provenance -o one.tsv
	run ! cmp -s <(grep '^[0-9]' searched.tsv) <(grep '^[0-9]' one.tsv)
	for n in 2 5; do
		mapref -g groups.tsv --ranks-per-node 2 -j "$n" --no-provenance -o many.tsv
		cmp one.tsv many.tsv
	done
	evalmetrics -g groups.tsv -m hierarchy-cost one.tsv >cost
	evalmetrics -g groups.tsv -m hierarchy-cost many.tsv | diff <(grep -v '^##' cost) <(grep -v '^##' /dev/stdin)
}

@test "a short search is followed by another one, from another start or with other chances" {
	jobgen comm:pattern=nbody,ranks=64 -o bodies.tsv
	mapref -t dragonfly:groups=5,routers=4,nodes=4,cores=4 -g bodies.tsv --hosts 'n[0-15]' --ranks-per-node 4 -v -o m.tsv 2>said
	grep 'start/2: .* rehearsals of' said
	[[ $(sed -n 's/^mapref: start\(\/2\)*: .*;//p' said | sort -u | wc -l) -eq 2 ]]
}

@test "-v says why a mapping has no rivals" {
	jobgen comm:pattern=halo2d,ranks=16 -o few.tsv
	mapref -t torus:dims=4x4,cores=16 -g few.tsv --hosts n0 -v -o m.tsv 2>said
	grep -F 'mapref: no rivals: nothing is rehearsed' said
	jobgen comm:pattern=halo2d,ranks=1024 -o many.tsv
	mapref -t torus:dims=32x32 -g many.tsv -v -o m.tsv 2>said
	grep -Fx 'mapref: no rivals: 1024 ranks times 1024 nodes are more than 524288' said
}

@test "--bytes: a rehearsal of messages that are sent at once finds another mapping, which netsim finds no slower" {
	export PLACETOOLS_TOPOLOGY=torus:dims=4x4x4,cores=2
	jobgen comm:pattern=alltoall-sub,ranks=64 -o groups.tsv
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\nj\t32\tn[0-31]\tcomm:path=groups.tsv\t1024\t3\t2\n' >job.tsv
	mapref -g groups.tsv --hosts 'n[0-31]' --ranks-per-node 2 -o large.tsv
	mapref -g groups.tsv --hosts 'n[0-31]' --ranks-per-node 2 --bytes 1KiB -o small.tsv
	run ! cmp -s <(grep '^[0-9]' large.tsv) <(grep '^[0-9]' small.tsv)
	for mapping in large small; do
		netsim --mapping $mapping.tsv job.tsv | awk -F'\t' '/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next } { print $c }' >$mapping.time
	done
	awk 'NR == FNR { large = $1; next } { exit !($1 > 0 && $1 <= large) }' large.time small.time
	run -2 --separate-stderr mapref -g groups.tsv --ranks-per-node 2 --bytes none -o none.tsv
	[ "$stderr" = "mapref: --bytes: 'none' is not a size such as 1KiB" ]
	run -2 --separate-stderr mapref -g groups.tsv --ranks-per-node 2 --bytes 0 -o none.tsv
	[ ! -e none.tsv ]
	run -2 --separate-stderr mapref -g groups.tsv --ranks-per-node 2 --bytes 1KiB --profile file:path=absent.yaml -o none.tsv
	[[ $stderr == "mapref: "*absent.yaml* ]]
}

@test "--bytes: ranks that would wait for each other's copies on one node are spread over idle ones" {
	export PLACETOOLS_TOPOLOGY=fattree:down=4x2,up=1x2,cores=16
	jobgen comm:pattern=halo2d,ranks=32 -o halo.tsv
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\nj\t8\tn[0-7]\tcomm:path=halo.tsv\t65536\t3\t16\n' >job.tsv
	mapref -g halo.tsv --hosts 'n[0-7]' -o packed.tsv
	mapref -g halo.tsv --hosts 'n[0-7]' --bytes 64KiB --no-provenance -o spread.tsv
	for mapping in packed spread; do
		netsim --mapping $mapping.tsv job.tsv | awk -F'\t' '/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next } { print $c }' >$mapping.time
	done
	awk 'NR == FNR { packed = $1; next } { exit !($1 > 0 && $1 < packed / 2) }' packed.time spread.time
	for n in 2 5; do
		mapref -g halo.tsv --hosts 'n[0-7]' --bytes 64KiB -j "$n" --no-provenance -o many.tsv
		cmp spread.tsv many.tsv
	done
	# all would fit on one node, whose links then carry nothing
	jobgen comm:pattern=halo2d,ranks=16 -o few.tsv
	sed 's/halo.tsv/few.tsv/' job.tsv >few-job.tsv
	for bytes in '' --bytes=64KiB; do
		mapref -g few.tsv --hosts 'n[0-7]' $bytes --explain why -o few-map.tsv
		netsim --mapping few-map.tsv few-job.tsv | awk -F'\t' '/^#/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") c = i; next } { print $c }' >"few$bytes.time"
	done
	awk 'NR == FNR { packed = $1; next } { exit !($1 > 0 && $1 < packed / 4) }' few.time few--bytes=64KiB.time
	grep -q '^rivals: .* copies of a node like .*-[0-9.]* %)$' why
	# so fast are copies that they are no matter
	printf 'placetools: netsim-profile/1\nname: fast\nlinks:\n  node: {bandwidth: 1000GB/s}\n' >fast.yaml
	mapref -g halo.tsv --hosts 'n[0-7]' --bytes 64KiB --profile file:path=fast.yaml -o near.tsv
	[ "$(grep '^[0-9]' near.tsv | cut -f2 | sort -u | wc -l)" = 2 ]
}

@test "libmpi is needed by none but several processes of a launcher, which then need the plug-in" {
	run readelf -d "$PLACETOOLS_BIN/mapref"
	[[ $output == *NEEDED*libz* && $output != *NEEDED*libmpi* ]]
	mkdir -p alone/bin
	cp "$PLACETOOLS_BIN/mapref" alone/bin/
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t5\n' >pair.tsv
	PMI_SIZE=1 run -0 --separate-stderr alone/bin/mapref -t ring:nodes=4 -g pair.tsv
	PMI_SIZE=2 run -2 --separate-stderr alone/bin/mapref -t ring:nodes=4 -g pair.tsv
	[ "$output" = "" ]
	[[ $stderr == "mapref: MPI can't be used "*"$PWD/alone/lib/placetools/mpi.so is not there" ]]
	mkdir -p alone/lib/placetools
	echo >alone/lib/placetools/mpi.so
	PMI_SIZE=2 run -2 --separate-stderr alone/bin/mapref -t ring:nodes=4 -g pair.tsv
	[[ $stderr == "mapref: MPI can't be used "*"alone/lib/placetools/mpi.so: file too short" ]]
	# one that was built with another placetools is named, not called
	cat >plugin.c <<-'EOT'
		#include "base/processes.h"
		const struct processes_plugin placetools_processes = {.version = "0.0.1"};
	EOT
	${CC:-gcc} -I"$ROOT/src/ground" -shared -fPIC -o alone/lib/placetools/mpi.so plugin.c
	PMI_SIZE=2 run -2 --separate-stderr alone/bin/mapref -t ring:nodes=4 -g pair.tsv
	[[ $stderr == 'mapref: the plug-in mpi.so is of placetools 0.0.1, expected '* ]]
}
