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
