#!/usr/bin/env bats
# mapref-fit.bats - what fits is mapped by every mapper: uneven nodes, free slots, machines in pieces

load helper

# uneven SEED NODES: routers of four nodes in a line, nodes of 1 to 6 cores drawn by SEED
uneven() {
	awk -v seed="$1" -v n="$2" 'BEGIN { srand(seed); OFS = "\t"
		print "placetools: topology/1\nname: uneven\ntopology: explicit"
		print "links:\n  terminal: {bandwidth: 1Gbit/s}\n  uplink: {bandwidth: 2Gbit/s}\ntables:"
		nrouters = int((n + 3) / 4)
		print "  routers: |\n    router"
		for (r = 0; r < nrouters; r++) print "    r" r
		print "  nodes: |\n    node", "cores"
		for (v = 0; v < n; v++) print "    n" v, 1 + int(6 * rand())
		print "  links: |\n    from", "to", "level"
		for (v = 0; v < n; v++) print "    n" v, "r" int(v / 4), "terminal"
		for (r = 1; r < nrouters; r++) print "    r" r - 1, "r" r, "uplink" }'
}

mappers() {
	examples_of mapref mappers | grep -v '^file'
}

@test "nearly full uneven nodes: every mapper maps every job that fits" {
	for seed in $(seq 1 8); do
		uneven "$seed" 9 >m.yaml
		slots=$(topogen m.yaml --to summary | awk -F'\t' '$3 == "cores" { print $4 }')
		ranks=$((slots - seed % 3))
		jobgen comm:pattern=nbody,ranks=$ranks,bytes=10 -o comm.tsv
		while read -r mapper; do
			mapref -t m.yaml -g comm.tsv -p "$mapper" -o out.tsv
			placecheck -t m.yaml out.tsv
			[[ $(grep -c '^[0-9]' out.tsv) == "$ranks" ]]
		done < <(mappers)
	done
}

# islands: two pairs of routers without a link between the pairs; 2 + 1 nodes here, 4 there, of two cores
islands() {
	cat >islands.yaml <<-END
		placetools: topology/1
		name: islands
		topology: explicit
		nodes: {cores: 2}
		links:
		  terminal: {bandwidth: 1Gbit/s}
		  uplink: {bandwidth: 1Gbit/s}
		tables:
		  routers: |
		    router
		    ra
		    rb
		    rc
		    rd
		  nodes: |
		    node
		    a
		    b
		    c
		    d
		    e
		    f
		    g
		  links: |
		    from	to	level
		    a	ra	terminal
		    b	ra	terminal
		    c	rb	terminal
		    d	rc	terminal
		    e	rc	terminal
		    f	rd	terminal
		    g	rd	terminal
		    ra	rb	uplink
		    rc	rd	uplink
	END
}

@test "a machine in two pieces: a job goes where it has routes, pieces of it where they fit" {
	islands
	# six ranks fit here, eight only there; two jobs of six and eight ranks in one graph take both
	awk 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"; for (i = 0; i < 6; i++) print i, (i + 1) % 6, 5 }' >six.tsv
	awk 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"; for (i = 0; i < 8; i++) print i, (i + 1) % 8, 5 }' >eight.tsv
	awk 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (i = 0; i < 8; i++) print i, (i + 1) % 8, 5; for (i = 0; i < 6; i++) print 8 + i, 8 + (i + 1) % 6, 5 }' >both.tsv
	while read -r mapper; do
		for refiner in none congestion; do
			mapref -t islands.yaml -g six.tsv -p "$mapper" --refine $refiner -o out.tsv
			[[ $(awk '/^[0-9]/ { print $2 ~ /[abc]/ }' out.tsv | sort -u | wc -l) == 1 ]]
			mapref -t islands.yaml -g eight.tsv -p "$mapper" --refine $refiner -o out.tsv
			[[ $(awk '/^[0-9]/ && $2 ~ /[abc]/' out.tsv | wc -l) == 0 ]]
			mapref -t islands.yaml -g both.tsv -p "$mapper" --refine $refiner -o out.tsv
			evalmetrics -g both.tsv out.tsv >metrics.tsv # which refuses a pair without a route
		done
	done < <(mappers)
}

@test "a machine in two pieces: what must cross is refused, and the pair named" {
	islands
	awk 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"; for (i = 0; i < 9; i++) print i, (i + 1) % 9, 5 }' >nine.tsv
	run -2 --separate-stderr mapref -t islands.yaml -g nine.tsv -p in-order -o out.tsv
	[[ $stderr == "mapref: there is no route from c to d" && ! -e out.tsv ]]
	while read -r mapper; do
		run -2 --separate-stderr mapref -t islands.yaml -g nine.tsv -p "$mapper" -o out.tsv
		[[ $stderr == "mapref: there is no route from "* && ! -e out.tsv ]]
	done < <(mappers)
}

@test "messages of 1e300 bytes, of none, a star, one rank: on grids and elsewhere" {
	head='##placetools=comm/1\nsrc\tdst\tbytes\n'
	{ printf "%b" "$head"; awk 'BEGIN { OFS = "\t"; for (i = 0; i < 64; i++) print i, (i + 1) % 64, i % 3 ? "1e300" : 1 }'; } >huge.tsv
	{ printf "%b" "$head"; awk 'BEGIN { OFS = "\t"; for (i = 1; i < 64; i++) { print 0, i, 5; print i, 0, 7 } }'; } >star.tsv
	{ printf "%b" "$head"; awk 'BEGIN { OFS = "\t"; for (i = 0; i < 64; i++) print i, (i + 1) % 64, 0 }'; } >zero.tsv
	{ printf "%b" "$head"; printf '0\t0\t5\n'; } >one.tsv
	for machine in torus:dims=4x4,cores=4 mesh:dims=4x5,cores=4 dragonfly:groups=5,routers=4,nodes=2,cores=4; do
		for graph in huge star zero one; do
			for mapper in multilevel digits scotch; do
				mapref -t "$machine" -g $graph.tsv -p $mapper -o out.tsv
				placecheck -t "$machine" out.tsv
			done
		done
	done
}

@test "--imbalance: more ranks than cores, no node has more than its share, and squares of a mesh stay together" {
	export PLACETOOLS_TOPOLOGY=fattree:down=4x4x4,up=1x2x2
	jobgen comm:pattern=halo2d,dims=64x64,periodic=no -o mesh.tsv
	jobgen comm:pattern=nbody,ranks=1000 -o nbody.tsv
	local least most graph mapper imbalance
	for graph in mesh:0:64 mesh:0.03:65 nbody:0:16 nbody:0.25:20; do
		IFS=: read -r graph imbalance most <<<"$graph"
		least=
		for mapper in multilevel scotch recursive ptram greedy rcm; do
			mapref -g $graph.tsv --imbalance $imbalance -p $mapper -o m.tsv
			[[ $(grep -c '^[0-9]' m.tsv) -eq $([[ $graph == mesh ]] && echo 4096 || echo 1000) ]]
			awk -F'\t' -v most=$most '/^[0-9]/ && ++n[$2] > most { exit 1 }' m.tsv
			cost=$(evalmetrics -g $graph.tsv -m hierarchy-cost m.tsv | awk -F'\t' '$4 == "hierarchy-cost" { print $5 }')
			[[ $mapper != multilevel ]] || least=$cost
			awk -v a="$least" -v b="$cost" 'BEGIN { exit !(a > 0 && a <= b * 1.1) }' || { echo "$graph $mapper: $cost, $least"; false; }
		done
	done
	# 64 squares of 8 x 8: 8 ranks on each side of each cut, both ways
	mapref -g mesh.tsv --imbalance 0 -o m.tsv
	[[ $(evalmetrics -g mesh.tsv -m hierarchy-cost -m dilation m.tsv | awk -F'\t' '
		$4 == "hierarchy-cost" || $4 == "network-bytes" { printf "%s ", $5 }') == "31744 1792 " ]]
	run -2 --separate-stderr mapref -g mesh.tsv
	[[ $stderr == "mapref: 4096 ranks do not fit 64 slots of 64 nodes" || $stderr == *"do not fit the"* ]]
	run -2 --separate-stderr mapref -g mesh.tsv --imbalance -0.1
}
