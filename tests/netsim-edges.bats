# netsim-edges.bats - the smallest machines, machines in pieces, more threads than routers
load helper

# job NODES PATTERN [NODELIST]: a stream of one job, three iterations of 1 KiB
job() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\n1\t%s\t%s\t%s\t1024\t3\n' \
		"$1" "${3:-n[0-$(($1 - 1))]}" "$2"
}

# simulate ARGUMENTS…: with one thread, and with more threads and partitions than the machine has routers
simulate() {
	netsim --no-provenance -j 1 "$@" -o one.tsv || return 1
	netsim --no-provenance --partitions 8 -j 8 "$@" -o many.tsv || return 1
	cmp one.tsv many.tsv
	cat one.tsv
}
# column NAME: of the only row of one.tsv
column() {
	awk -F'\t' -v name="$1" '/^##/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' one.tsv
}

@test "one node: nothing goes over the network, and no time passes" {
	local pattern
	for pattern in halo3d alltoall allreduce broadcast uniform permutation; do
		job 1 $pattern n0 >job.tsv
		simulate -t dragonfly:groups=1,routers=1,nodes=1 job.tsv
		[ "$(column packets)" = 0 ]
		[ "$(column comm_time_s)" = 0 ]
	done
}

@test "two nodes on one router: each exchange takes two links, a router and the bytes" {
	job 2 alltoall >job.tsv
	# per iteration: 2 · 100 ns, 50 ns, 1024 B at 1 GB/s
	simulate -t dragonfly:groups=1,routers=1,nodes=2 -s latency=100ns -s bandwidth=1GB/s -s router-delay=50ns job.tsv
	[ "$(column packets)" = 6 ]
	[ "$(column hops_mean)" = 2 ]
	[ "$(column comm_time_s)" = 3.822e-06 ]
}

@test "a machine in two pieces: jobs within one run, a job across is refused" {
	local routing
	topogen dragonfly:groups=2,routers=1,nodes=2 --to explicit | grep -v 'r0.*r1' >pieces.yaml
	for routing in minimal ugal valiant; do
		job 2 alltoall 'n[2-3]' >job.tsv
		simulate -t pieces.yaml -r $routing job.tsv
		[ "$(column packets)" = 6 ]
	done
	job 4 alltoall >job.tsv
	run -2 --separate-stderr netsim -t pieces.yaml job.tsv
	[[ $stderr == *'there is no route from n'* ]]
	[[ $output != *'##end'* ]]
}

@test "more threads than routers, and than nodes" {
	local spec
	for spec in dragonfly:groups=3,routers=1,nodes=1 torus:dims=3 fattree:k=2,levels=2 hyperx:dims=2x2,nodes=1; do
		job 2 halo3d+allreduce >job.tsv
		simulate -t $spec job.tsv
	done
}

@test "traces: roots and members of communicators are ranks of the job, each once; a gap may be longer than 39 hours" {
	stream mpitrace 'rank time_s op end_s bytes recv_bytes root' '0 0 gatherv 1 8 8 9' '1 0 gatherv 1 8 8 9' >t.tsv
	stream jobs 'job nodes nodelist pattern' 'j 2 n[0-1] mpitrace:path=t.tsv' >j.tsv
	run -2 --separate-stderr netsim -t complete:nodes=4 j.tsv
	[[ $stderr == *'t.tsv:3: root: rank 9 is not among the 2 of the job' ]]
	members() {
		stream mpitrace 'rank time_s op end_s bytes comm root' "0 0 bcast 1 8 7 $2" "1 0 bcast 1 8 7 $2" | sed "1a ##comm=7:$1" >t.tsv
		run -2 --separate-stderr netsim -t complete:nodes=4 j.tsv
		[[ $stderr == *"t.tsv$3" ]]
	}
	members 0,9000000 0 ': ##comm=7: rank 9000000 is not among the 2 of the job'
	members 0,0,1 0 ': ##comm=7: rank 0 is there twice'
	members 0 1 ':4: root: rank 1 is not in the communicator 7'
	stream mpitrace 'rank time_s op end_s' '0 0 init 1' '0 200000 finalize 200001' >t.tsv
	stream jobs 'job nodes nodelist pattern' 'j 1 n0 mpitrace:path=t.tsv' >j.tsv
	# while nothing happens no time passes
	run -0 timeout 60 netsim -t complete:nodes=4 j.tsv
	[[ $output == *$'\t199999\t'* ]]
}

@test "traces beside another pattern keep their messages; products of times are not too large for a simulation" {
	stream mpitrace 'rank time_s op end_s peer bytes recv_bytes tag' '0 0 recv 1 . . 8 .' '2 0 init 0 . . . .' '2 0.001 send 1 0 8 . 77' >t.tsv
	for pattern in halo2d+mpitrace:path=t.tsv mpitrace:path=t.tsv+halo2d; do
		stream jobs 'job nodes nodelist bytes iterations pattern' "j 4 n[0-3] 1024 3 $pattern" >j.tsv
		run -0 netsim -t complete:nodes=4 --quiet --no-provenance j.tsv
		[ "$(mlr --itsv --onidx --skip-comments put -q 'print $comm_time_s > .003 && $comm_time_s < .004' <<<"$output")" = true ]
	done
	stream mpitrace 'rank time_s op end_s' '0 0 init 1' '0 30000 finalize 30001' >t.tsv
	stream jobs 'job nodes nodelist pattern' 'j 1 n0 mpitrace:path=t.tsv,compute=1000000' >j.tsv
	run -2 --separate-stderr netsim -t complete:nodes=4 j.tsv
	[[ $stderr == *'job j: rank 0 would compute beyond 53 days of simulated time, the most that there can be' ]]
	stream jobs 'job nodes nodelist pattern iterations' 'j 1 n0 mpitrace:path=t.tsv 200' >j.tsv
	run -2 --separate-stderr netsim -t complete:nodes=4 j.tsv
	[[ $stderr == *'job j: rank 0 would compute beyond 53 days'* ]]
	stream jobs 'job nodes nodelist pattern compute_s iterations' 'j 1 n0 halo2d 4000000 3' >j.tsv
	run -2 --separate-stderr netsim -t complete:nodes=4 j.tsv
	[[ $stderr == *'job j: rank 0 would compute beyond 53 days'* ]]
	stream jobs 'job nodes nodelist pattern compute_s iterations' 'j 1 n0 imbalance:spread=9+halo2d 2300000 2' >j.tsv
	run -2 --separate-stderr netsim -t complete:nodes=4 j.tsv
	[[ $stderr == *'job j: rank 0 would compute beyond 53 days'* ]]
}

@test "two traces in one sum keep their messages apart" {
	stream mpitrace 'rank time_s op end_s peer bytes recv_bytes tag' '0 0 recv 1 . . 8 .' '2 0 init 0 . . . .' '2 0.001 send 1 0 8 . 77' >a.tsv
	stream mpitrace 'rank time_s op end_s peer bytes recv_bytes tag' '0 0 recv 1 1 . 8 5' '1 0 send 1 0 8 . 5' >b.tsv
	for pattern in mpitrace:path=a.tsv+mpitrace:path=b.tsv mpitrace:path=b.tsv+mpitrace:path=a.tsv; do
		stream jobs 'job nodes nodelist pattern' "j 4 n[0-3] $pattern" >j.tsv
		run -0 netsim -t complete:nodes=4 --quiet j.tsv
	done
}

@test "each cost of a call counts alone: it is the same beside another one of a picosecond" {
	stream jobs 'job nodes nodelist bytes iterations pattern' 'a 16 n[0-15] 1024 3 alltoall' >j.tsv
	seconds() { netsim --quiet -t dragonfly:groups=9,routers=4,nodes=2 "$@" j.tsv | mlr --itsv --onidx --skip-comments cut -f comm_time_s; }
	for cost in send-setup receive-setup receive-wait match send-delay; do
		awk -v free="$(seconds)" -v alone="$(seconds -s $cost=1us)" -v beside="$(seconds -s $cost=1us -s call-enter=0.001ns)" \
			'BEGIN { exit !(alone > free + 1e-6 && beside >= alone && beside < alone + 1e-9) }'
	done
}
