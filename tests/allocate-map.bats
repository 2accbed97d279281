# allocate-map.bats - nodes that suit the job's own graph, and its ranks on them
load helper

nodelists() { # of the jobs on standard input, in turn
	mlr --itsv --onidx --pass-comments cut -f nodelist | grep -v '^##' | paste -sd ' '
}

@test "a job gets nodes that are near each other, the middle of the graph in the middle of them" {
	# a chain of three ranks, of which the second talks most; three nodes in a row are idle, and two others
	stream comm 'src dst bytes' '0 1 30' '1 2 50' >chain.tsv
	stream jobs 'job nodes' 'a 3' >jobs.tsv
	allocate -t line:nodes=9 --idle 'n[0-1,4,6-8]' -p map:graph=chain.tsv,partition=block --mapping m.tsv jobs.tsv >out.tsv
	mlr --itsv --onidx --ofs ' ' --pass-comments cut -o -f rank,node,job m.tsv | grep -v '^##' >got
	case $(paste -sd, got) in # one and its mirror image
	'0 n6 a,1 n7 a,2 n8 a' | '0 n8 a,1 n7 a,2 n6 a') ;;
	*) cat got && false ;;
	esac
	placecheck -t line:nodes=9 out.tsv
	[ "$(allocate -t line:nodes=9 --idle 'n[0-1,4,6-8]' -p simple jobs.tsv | nodelists)" = 'n[0-1,4]' ]
}

@test "the chosen nodes are as good as the best of all sets, on a small machine" {
	# a heavy ring of four: all 1 680 orders of 4 of 8 idle nodes of a 3x4 torus
	stream comm 'src dst bytes' '0 1 10' '1 2 10' '2 3 10' '3 0 10' '0 2 1' >ring.tsv
	stream jobs 'job nodes' 'a 4' >jobs.tsv
	idle=n0,n2,n3,n5,n6,n7,n9,n10
	allocate -t torus:dims=3x4 --idle $idle -p map:graph=ring.tsv --mapping m.tsv jobs.tsv >out.tsv
	evalmetrics -t torus:dims=3x4 -g ring.tsv -m congestion -m dilation m.tsv >found.tsv
	{
		stream mapping 'run rank node'
		tr , '\n' <<<$idle | awk '{ node[NR] = $1 } END {
			for (a = 1; a <= NR; a++) for (b = 1; b <= NR; b++) for (c = 1; c <= NR; c++) for (d = 1; d <= NR; d++)
				if (a != b && a != c && a != d && b != c && b != d && c != d) {
					run++
					printf "%d\t0\t%s\n%d\t1\t%s\n%d\t2\t%s\n%d\t3\t%s\n", run, node[a], run, node[b], run, node[c], run, node[d]
				} }'
	} >all.tsv
	evalmetrics -t torus:dims=3x4 -g ring.tsv -m congestion -m dilation all.tsv >each.tsv
	least() { # least METRIC FILE
		mlr --itsv --onidx --pass-comments filter "\$metric == \"$1\"" then stats1 -a min -f value "$2" | grep -v '^##'
	}
	[ "$(least max-congestion found.tsv)" = "$(least max-congestion each.tsv)" ]
	[ "$(least hop-bytes found.tsv)" = "$(least hop-bytes each.tsv)" ]
}

@test "each job has its own graph, and one without gets near nodes" {
	stream comm 'src dst bytes job' '0 1 5 a' '0 3 9 b' '1 2 9 b' >two.tsv
	stream jobs 'job nodes ranks_per_node runtime_s' 'a 2 1 5' 'b 2 2 5' 'c 2 1 5' >jobs.tsv
	allocate -t line:nodes=8 -p map:graph=two.tsv --mapping m.tsv --explain jobs.tsv >out.tsv
	placecheck -t line:nodes=8 out.tsv
	grep -q $'^c\t.*the graph does not have the job$' out.tsv
	[ "$(grep -c $'\ta$' m.tsv) $(grep -c $'\tb$' m.tsv) $(grep -c $'\tc$' m.tsv)" = '2 4 0' ]
	# the pairs of b are on one node each
	mlr --itsv --onidx --ofs ' ' --pass-comments filter '$job == "b"' then sort -nf rank then cut -f node m.tsv | grep -v '^##' >b
	[ "$(sed -n 1p b)" = "$(sed -n 4p b)" ]
	[ "$(sed -n 2p b)" = "$(sed -n 3p b)" ]
	# what netsim takes
	stream jobs 'job nodes ranks_per_node runtime_s pattern iterations' 'a 2 1 5 halo2d 1' 'b 2 2 5 halo2d 1' 'c 2 1 5 halo2d 1' >jobs.tsv
	allocate -t line:nodes=8 -p map:graph=two.tsv --mapping m.tsv jobs.tsv >out.tsv
	netsim --quiet -t line:nodes=8 --mapping m.tsv --bytes 1KiB out.tsv >/dev/null
}

@test "constraints hold, queues run, and the same input gives the same bytes" {
	jobgen comm:pattern=halo2d,ranks=6 -o halo.tsv
	stream jobs 'job nodes submit_s runtime_s' 'a 6 0 50' 'b 12 1 20' 'c 30 2 30' 'd 24 3 10' 'e 7 4 9' >jobs.tsv
	for queue in none easy; do
		allocate -t dragonfly:groups=5,routers=4,nodes=2 -q $queue -p map:graph=halo.tsv,mapper=greedy -c local:wait=0 --mapping m1.tsv jobs.tsv >o1.tsv
		allocate -t dragonfly:groups=5,routers=4,nodes=2 -q $queue -p map:graph=halo.tsv,mapper=greedy -c local:wait=0 --mapping m2.tsv jobs.tsv >o2.tsv
		placecheck o1.tsv
		cmp <(grep -v '^##command' o1.tsv) <(grep -v '^##command' o2.tsv)
		cmp <(grep -v '^##command' m1.tsv) <(grep -v '^##command' m2.tsv)
	done
	allocate -t mesh:dims=6x6 -p map:graph=halo.tsv -c contiguous --idle 'n[0-4,6-9,12-30]' jobs.tsv 2>/dev/null >out.tsv
	placecheck -c contiguous -t mesh:dims=6x6 out.tsv
}

@test "refused: a graph that does not fit, a mapping that nobody makes" {
	stream comm 'src dst bytes' '0 9 5' >g.tsv
	stream jobs 'job nodes ranks_per_node' 'a 3 2' >jobs.tsv
	run -2 --separate-stderr allocate -t line:nodes=8 -p map:graph=g.tsv jobs.tsv
	[ "$stderr" = 'allocate: jobs.tsv:3: g.tsv has 10 ranks, the job has 3 nodes of 2' ]
	[[ $output != *'##end'* ]]
	run -2 --separate-stderr allocate -t line:nodes=8 -p simple --mapping m.tsv jobs.tsv
	[ "$stderr" = 'allocate: --mapping: the policy simple does not map ranks' ]
	[ ! -e m.tsv ]
	run -2 --separate-stderr allocate -t line:nodes=8 -p map:graph=absent.tsv jobs.tsv
	[[ $stderr == 'allocate: map: absent.tsv'* ]]
	run -2 --separate-stderr allocate -t line:nodes=8 -p map:graph=g.tsv --candidates --mapping m.tsv jobs.tsv
	[ "$stderr" = 'allocate: --candidates places no job: --mapping has no ranks to write' ]
}
