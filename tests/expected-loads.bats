# expected-loads.bats - loads that adaptive routings are expected to cause: by hand, and beside the simulator
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# graph RANKS STEP…: from each rank a message of 1 MiB to those so many further
graph() {
	awk -v n="$1" -v steps="${*:2}" 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		k = split(steps, step, " "); for (r = 0; r < n; r++) for (i = 1; i <= k; i++) print r, (r + step[i]) % n, 1048576 }'
}

# both MACHINE ROUTING F: counted.tsv and simulated.tsv, bytes of each link of graph.tsv's ranks on the machine's nodes in turn
both() {
	local nodes
	mapref -t "$1" -g graph.tsv -p in-order --ranks-per-node 1 -o mapping.tsv
	evalmetrics -t "$1" -r "$2" --expected "$3" -g graph.tsv -m congestion --links counted.tsv mapping.tsv >/dev/null
	nodes=$(mlr --itsv --onidx --pass-comments cut -f node mapping.tsv | grep -v '^##')
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tranks_per_node\nj\t%s\t%s\tcomm:path=graph.tsv\t1\n' \
		"$(wc -l <<<"$nodes")" "$(paste -sd , <<<"$nodes")" >job.tsv
	netsim --quiet -t "$1" -r "$2" --links simulated.tsv job.tsv >/dev/null
}

# beside LEVEL: sum and maximum of the simulated bytes of its links over the counted ones, and the worst link of 4 MiB or more
beside() {
	awk -F'\t' -v level="$1" '/^##/ { next } !(FILENAME in at) { at[FILENAME]; for (i = 1; i <= NF; i++) column[FILENAME, $i] = i; next }
		$column[FILENAME, "level"] == level { bytes[FILENAME, $column[FILENAME, "link"]] = $column[FILENAME, "bytes"]; links[$column[FILENAME, "link"]] }
		END { for (l in links) { a = bytes["counted.tsv", l] + 0; b = bytes["simulated.tsv", l] + 0
				suma += a; sumb += b; if (a > mosta) mosta = a; if (b > mostb) mostb = b
				if (a >= 4194304 && (b / a > 1 + worst || b / a < 1 - worst)) worst = b > a ? b / a - 1 : 1 - b / a }
			print sumb / suma, mostb / mosta, worst + 0 }' counted.tsv simulated.tsv
}

# within SUM MOST WORST: of a line of beside
within() {
	awk -v sum="$1" -v most="$2" -v worst="$3" '{ exit !($1 > 1 - sum && $1 < 1 + sum && $2 > 1 - most && $2 < 1 + most && $3 < worst) }'
}

@test "by hand: two equal paths carry a half each, and a detour passes every third group alike" {
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t2\t96\n' >graph.tsv
	links() { # links of mapping.tsv with bytes, but the nodes' own: "BYTES NUMBER" each
		evalmetrics -t "$1" -r "$2" --expected "$3" -g graph.tsv -m congestion --links l.tsv mapping.tsv >/dev/null
		mlr --itsv --onidx --ofs ' ' --pass-comments filter '$bytes > 0 && $level != "terminal"' then count-distinct -f bytes \
			then sort -nf bytes l.tsv | grep -v '^##' | paste -sd ,
	}
	# two leaves below two spines
	mapref -t fattree:down=2x2,up=1x2 -g graph.tsv -p in-order --ranks-per-node 1 -o mapping.tsv
	[ "$(links fattree:down=2x2,up=1x2 minimal:ties=random 1)" = '48 4' ]
	run -0 --separate-stderr links fattree:down=2x2,up=1x2 minimal 1
	[ "$output" = '96 2' ]
	[[ $stderr == *'--expected changed nothing: the routing takes one path for each pair of nodes'* ]]
	# five groups of one router: one global link between any two; three thirds
	mapref -t dragonfly:groups=5,routers=1,nodes=1 -g graph.tsv -p in-order --ranks-per-node 1 -o mapping.tsv
	[ "$(links dragonfly:groups=5,routers=1,nodes=1 valiant 1)" = '32 6' ]
	[ "$(links dragonfly:groups=5,routers=1,nodes=1 ugal 1)" = '96 1' ]
	[ "$(links dragonfly:groups=5,routers=1,nodes=1 ugal 0.25)" = '24 7' ]
	# the direct link and three detours: least where each of the four carries a quarter
	evalmetrics -t dragonfly:groups=5,routers=1,nodes=1,global-bandwidth=1GB/s,terminal-bandwidth=8GB/s -r ugal -g graph.tsv \
		-m detours mapping.tsv >metrics.tsv
	[ "$(mlr --itsv --onidx --pass-comments cut -f value metrics.tsv | grep -v '^##' | paste -sd ' ')" = '0.25 192 768 256' ]
}

@test "three thirds of a message are alike on all links, and detours with alike loads have the largest part" {
	stream comm 'src dst bytes' '0 1 100' '2 3 100' '4 5 100' >graph.tsv
	stream mapping 'rank node' '0 n0' '1 n8' '2 n1' '3 n7' '4 n2' '5 n6' >mapping.tsv
	evalmetrics -t fattree:k=3,levels=2 -g graph.tsv -r minimal:ties=random --expected 1 -m congestion mapping.tsv >out.tsv
	[ "$(body <out.tsv | awk -F'\t' '{ printf "%s ", $4 }')" = "100 1 100 0 12 12 " ]
	# 258 bytes are the most with none on minimal paths, and with 485 of 1024 parts; 486 have more
	stream comm 'src dst bytes' '2 23 77' '2 11 95' '12 16 242' '23 13 208' '20 8 100' '16 22 100' '7 1 8' '23 0 50' >graph.tsv
	printf 'n%s\n' 2 8 14 15 11 23 12 3 16 17 4 19 1 0 18 10 9 5 22 21 7 6 13 20 |
		awk 'BEGIN { print "##placetools=mapping/1\nrank\tnode" } { print NR - 1 "\t" $1 }' >mapping.tsv
	evalmetrics -t dragonfly:groups=4,routers=3,nodes=2 -g graph.tsv -r ugal:via=node -m detours mapping.tsv >out.tsv
	[ "$(body <out.tsv | awk -F'\t' 'NR == 1 { print $4 }')" = 0.4736328125 ]
}

@test "beside netsim: equal paths at random, and the emptiest one, share the load alike" {
	graph 32 5 9 14 19 23 30 >graph.tsv
	for ties in random adaptive; do
		both fattree:down=8x4,up=1x4 minimal:ties=$ties 1
		beside level2 | within .01 .05 .15
	done
}

@test "beside netsim: valiant by groups, routers and nodes" {
	graph 72 5 13 31 40 58 66 >graph.tsv
	for routing in valiant valiant:via=router valiant:via=node; do
		both dragonfly:groups=9,routers=4,nodes=2 $routing 1
		beside global | within .01 .05 .15
		beside local | within .01 .05 .15
	done
	graph 16 1 3 5 7 10 13 >graph.tsv
	both torus:dims=4x4 valiant 1
	beside local | within .01 .05 .15
}

@test "beside netsim: what ugal leaves on minimal paths where every group sends to the next one" {
	graph 72 8 >graph.tsv
	mapref -t dragonfly:groups=9,routers=4,nodes=2 -g graph.tsv -p in-order --ranks-per-node 1 -o mapping.tsv
	for routing in ugal ugal-g par; do
		evalmetrics -t dragonfly:groups=9,routers=4,nodes=2 -r $routing -g graph.tsv -m detours mapping.tsv >metrics.tsv
		both dragonfly:groups=9,routers=4,nodes=2 $routing \
			"$(mlr --itsv --onidx --pass-comments filter '$metric == "minimal-share"' then cut -f value metrics.tsv | grep -v '^##')"
		beside global | within .1 .2 9
		beside local | within .3 .2 9
	done
	# all on minimal paths would be four times that
	grep -q $'\tminimal-max-congestion\t8388608\t' metrics.tsv
}

@test "a mapping for expected loads has less of them, with the same bytes for any number of threads" {
	jobgen comm:pattern=halo2d,ranks=64 -o graph.tsv
	machine=dragonfly:groups=9,routers=4,nodes=2,cores=2
	most() {
		evalmetrics -t $machine -r valiant --expected 1 -g graph.tsv -m congestion "$1" | mlr --itsv --onidx --pass-comments \
			filter '$metric == "max-congestion"' then cut -f value | grep -v '^##'
	}
	mapref -t $machine -g graph.tsv -r valiant --expected 1 -p in-order -o order.tsv
	mapref -t $machine -g graph.tsv -r valiant --expected 1 --no-provenance -j 1 -o one.tsv
	mapref -t $machine -g graph.tsv -r valiant --expected 1 --no-provenance -j 3 -o three.tsv
	cmp one.tsv three.tsv
	awk -v a="$(most one.tsv)" -v b="$(most order.tsv)" 'BEGIN { exit !(a < b) }'
	run -0 --separate-stderr mapref -t $machine -g graph.tsv --expected 1 -p in-order
	[[ $stderr == *'--expected changed nothing: the routing takes one path for each pair of nodes'* ]]
	run -2 --separate-stderr evalmetrics -t $machine -g graph.tsv -m detours one.tsv
	[ "$stderr" = 'evalmetrics: -m detours: the routing does not choose between minimal paths and detours, expected -r ugal or the like' ]
}
