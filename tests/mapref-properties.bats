#!/usr/bin/env bats
# mapref-properties.bats - what holds of every mapper, refiner and machine; real fabrics; memory

load helper

# value METRIC FILE: of a table of metrics
value() {
	awk -F'\t' -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name) print $(i + 1) }' "$2"
}

# spread_hosts MACHINE N [PATTERN]: N of its nodes (whose names match), from all over it, not in order
spread_hosts() {
	topogen "$1" --to edges | awk -F'\t' '$3 == "terminal" { print $1 }' | grep -e "${3:-}" | sort -u |
		awk -v n="$2" '{ at[NR - 1] = $1 } END {
			step = int(NR / n); if (step < 1) step = 1
			for (i = 0; i < n && i < NR; i++) printf "%s%s", i ? "," : "", at[(i * 7 % (n < NR ? n : NR)) * step] }'
}

@test "every mapper with every refiner on every kind of machine: a bijection onto the slots" {
	jobgen comm:pattern=nbody,ranks=22,bytes=100 -o comm.tsv
	jobgen comm:pattern=nbody,ranks=22,bytes=100 | awk '!/^[#s]/ { print $1 }' | sort -n | uniq | awk '{ print int($1 / 3) }' >parts.txt
	n=0
	while read -r machine; do
		hosts=$(spread_hosts "$machine" 8)
		mapref -t "$machine" -g comm.tsv --hosts "$hosts" --ranks-per-node 3 -p random -o mapping.tsv ||
			continue # a machine of fewer than eight nodes
		n=$((n + 1))
		while read -r mapper; do
			for refiner in $(examples_of mapref refiners); do
				mapref -t "$machine" -g comm.tsv --hosts "$hosts" --ranks-per-node 3 -p "$mapper" --refine "$refiner" -o out.tsv
				awk -F'\t' '/^[0-9]/ { if (seen[$1]++ || used[$2, $3]++ || $3 > 2) bad = 1; n++ } END { exit bad || n != 22 }' out.tsv
				placecheck -t "$machine" out.tsv
			done
		done < <(examples_of mapref mappers)
	done < <(examples_of topogen topologies)
	[[ $n -ge 6 ]]
}

@test "the default's maximum congestion is never above that of ranks in order, and --stats tell the truth" {
	while read -r machine; do
		for pattern in halo2d halo3d15 alltoall-sub nbody; do
			jobgen "comm:pattern=$pattern,ranks=24" -o comm.tsv
			hosts=$(spread_hosts "$machine" 8)
			mapref -t "$machine" -g comm.tsv --hosts "$hosts" --ranks-per-node 3 -p in-order -o a.tsv || continue
			mapref -t "$machine" -g comm.tsv --hosts "$hosts" --ranks-per-node 3 --stats stats.tsv -o b.tsv
			evalmetrics -g comm.tsv a.tsv >a.metrics
			evalmetrics -g comm.tsv b.tsv >b.metrics
			awk -v a="$(value max-congestion a.metrics)" -v b="$(value max-congestion b.metrics)" 'BEGIN { exit !(b <= a) }'
			# what the search kept up move by move is what is counted from nothing
			[[ $(value max-congestion stats.tsv | tail -1) == "$(value max-congestion b.metrics)" ]]
			[[ $(value hop-bytes stats.tsv | tail -1) == "$(value hop-bytes b.metrics)" ]]
		done
	done < <(examples_of topogen topologies)
}

@test "every routing: loads kept by router and destination are those of each route on its own" {
	jobgen comm:pattern=nbody,ranks=40,bytes=7 -o comm.tsv
	n=0
	while read -r routing; do
		for machine in torus:dims=4x3 fattree:k=3,levels=3 dragonfly:groups=5,routers=4,nodes=2 hypercube:dims=4 gpc; do
			hosts=$(spread_hosts "$machine" 10)
			mapref -t "$machine" -r "$routing" -g comm.tsv --hosts "$hosts" --ranks-per-node 4 --stats stats.tsv -o out.tsv 2>/dev/null ||
				continue # not every routing goes with every machine
			n=$((n + 1))
			evalmetrics -r "$routing" -g comm.tsv out.tsv >metrics.tsv
			[[ $(value max-congestion stats.tsv | tail -1) == "$(value max-congestion metrics.tsv)" ]]
			[[ $(value hop-bytes stats.tsv | tail -1) == "$(value hop-bytes metrics.tsv)" ]]
		done
	done < <(examples_of mapref routings)
	[[ $n -ge 8 ]]
}

@test "messages in bytes or in kilobytes: the same mapping" {
	jobgen comm:pattern=halo3d15,ranks=216 -o small.tsv
	jobgen comm:pattern=halo3d15,ranks=216,bytes=4KiB -o large.tsv
	for mapper in multilevel ptram greedy scotch; do
		for size in small large; do
			mapref -t dragonfly:groups=5,routers=4,nodes=4,cores=4 -g $size.tsv -p $mapper | grep -v '^##' >$size.out
		done
		cmp small.out large.out
	done
	# edges that differ, over links of three speeds: all bytes times 1 024, or times a third
	for seed in 1 2 3 4 5 6; do
		awk -v s=$seed 'BEGIN { srand(s); OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
			for (i = 0; i < 6; i++) for (k = 0; k < 3; k++) { d = int(rand() * 6); if (d != i && !seen[i, d]++) print i, d, 3 + 3 * int(rand() * 9) } }' >small.tsv
		for times in 1024 0.3333333333333333; do
			awk -F'\t' -v OFS='\t' -v times=$times '/^[0-9]/ { $3 *= times } 1' small.tsv >large.tsv
			for size in small large; do
				mapref -t "$BATS_TEST_DIRNAME/mapref/tie.yaml" -g $size.tsv -p ptram --refine none --ranks-per-node 1 | grep -v '^##' >$size.out
			done
			cmp small.out large.out
		done
	done
}

@test "ptram: an exact tie goes to the first of the list, however capacities round" {
	# rank 1 on n2 or n4: 6261/338 each (tie.yaml: of the paper's author)
	table comm <<<'src dst bytes
		0 1 1
		0 2 1
		1 2 1
		2 0 1' | sed 's/^\t*//' >tie.tsv
	[ "$(mapref -t "$BATS_TEST_DIRNAME/mapref/tie.yaml" -g tie.tsv -p ptram --hosts n5,n2,n4,n1 --ranks-per-node 1 | awk '$1 == 1 { print $2 }')" = n2 ]
	[ "$(mapref -t "$BATS_TEST_DIRNAME/mapref/tie.yaml" -g tie.tsv -p ptram --hosts n5,n4,n2,n1 --ranks-per-node 1 | awk '$1 == 1 { print $2 }')" = n4 ]
}

@test "nodes of different sizes: every mapper fills no node beyond its cores" {
	# a column of cores: 1, 2, 3, 4, 1, …
	topogen dragonfly:groups=3,routers=2,nodes=2,cores=4 --to explicit |
		awk '/^ +node\t|^ +node$/ { print $0 "\tcores"; inside = 1; next } inside && /^ +n[0-9]+/ { print $0 "\t" ++k % 4 + 1; next } { inside = 0; print }' >m.yaml
	[[ $(topogen m.yaml --to summary | awk -F'\t' '$3 == "cores" { print $4 }') == 30 ]]
	jobgen comm:pattern=nbody,ranks=30,bytes=10 -o comm.tsv
	mapref -t m.yaml -g comm.tsv -p in-order -o mapping.tsv
	while read -r mapper; do
		mapref -t m.yaml -g comm.tsv -p "$mapper" -o out.tsv
		placecheck -t m.yaml out.tsv
	done < <(examples_of mapref mappers)
}

@test "real fabrics with their own tables: fewer hop-bytes and a lower maximum than in order" {
	need_shared
	traceconv --from netloc-matrix --to comm "$SHARED/data/netloc/scotch/app.mat" >comm.tsv
	formats=$ROOT/tests/formats/ib
	topogen --quiet --from ibnetdiscover --routes ibroute:"$formats/avakas-ibroutes.txt.gz" "$formats/avakas.txt.gz" -o avakas.yaml
	topogen --quiet --from ibnetdiscover --routes ibroute:"$formats/plafrim2-0-ibroutes.txt.gz" "$formats/plafrim2-0.txt.gz" -o plafrim2.yaml
	for fabric in avakas plafrim2; do
		hosts=$(spread_hosts $fabric.yaml 16 "$([[ $fabric == avakas ]] || echo "miriel0[0-5]")") # others have no routes there
		for mapper in in-order multilevel; do
			mapref -t $fabric.yaml -g comm.tsv --hosts "$hosts" --ranks-per-node 4 -p $mapper -o $mapper.tsv
			evalmetrics -g comm.tsv $mapper.tsv >$mapper.metrics
		done
		for metric in max-congestion hop-bytes; do
			awk -v a="$(value $metric in-order.metrics)" -v b="$(value $metric multilevel.metrics)" 'BEGIN { exit !(b < a) }'
		done
	done
}

@test "a table with holes: the pair without a route is named" {
	formats=$ROOT/tests/formats/ib
	topogen --quiet --from ibnetdiscover --routes ibroute:"$formats/plafrim2-0-ibroutes.txt.gz" "$formats/plafrim2-0.txt.gz" -o plafrim2.yaml
	jobgen comm:pattern=alltoall-sub,dims=2x1 -o comm.tsv
	for mapper in in-order ptram multilevel; do
		run -2 --separate-stderr mapref -t plafrim2.yaml -g comm.tsv --hosts bright,miriel069 --ranks-per-node 1 -p $mapper -o mapping.tsv
		[[ $stderr == "mapref: there is no route from bright to miriel069" && ! -e mapping.tsv ]]
	done
	printf '##placetools=mapping/1\nrank\tnode\n0\tbright\n1\tmiriel069\n' >mapping.tsv
	run -2 --separate-stderr evalmetrics -t plafrim2.yaml -g comm.tsv mapping.tsv
	[[ $stderr == "evalmetrics: there is no route from bright to miriel069" ]]
}

@test "24 576 ranks on 3 072 nodes of the GPC cluster: within 100 MB, far below in order" {
	hosts=$(awk 'BEGIN { for (i = 0; i < 3072; i++) printf "%sn%04d", i ? "," : "", i * 1009 % 3090 }')
	jobgen comm:pattern=halo2d,ranks=24576 -o comm.tsv
	mapref -t gpc -g comm.tsv --hosts "$hosts" --ranks-per-node 8 -p in-order --stats a.tsv -o /dev/null
	(bounded_memory 200000 && mapref -t gpc -g comm.tsv --hosts "$hosts" --ranks-per-node 8 --stats b.tsv -o /dev/null)
	awk -v a="$(value max-congestion a.tsv | tail -1)" -v b="$(value max-congestion b.tsv | tail -1)" 'BEGIN { exit !(b < .2 * a) }'
}

@test "ptram: Algorithms 1 and 2 as a slow program has them from the paper, on random trees" {
	command -v python3 >/dev/null || skip "no python3"
	run -0 "$ROOT/tests/mapref/ptram_oracle.py" 1 120 .
	[[ $output =~ ^120\ cases,\ ([0-9]+)\ open,\ ([0-9]+)\ refined$ ]]
	((BASH_REMATCH[1] < 12 && BASH_REMATCH[2] > 4))
}
