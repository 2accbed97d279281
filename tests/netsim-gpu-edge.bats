# netsim-gpu-edge.bats - replay of MPI + GPU traces: node types, uneven nodes, limits of protocols, bad input
load helper
load gpu

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "@lassen-N are one machine with N GPUs a node; more ranks than GPUs are refused" {
	for n in 1 2 4 6; do
		topogen @lassen-$n | grep -qx "gpus: {per_node: $n}"
		diff <(topogen @lassen | grep -E '^(topology|parameters|  )') <(topogen @lassen-$n | grep -E '^(topology|parameters|  )')
		jobgen mpi:app=senders,ranks=$((2 * n)),iterations=1,bytes=1000 -o t.tsv
		job 2 'n[0-1]' mpitrace:path=t.tsv "$n" >job.tsv
		netsim -t @lassen-$n --profile tracer --gpu gpudirect job.tsv -o out.tsv
		jobgen mpi:app=senders,ranks=$((2 * n + 2)),iterations=1,bytes=1000 -o t.tsv
		job 2 'n[0-1]' mpitrace:path=t.tsv $((n + 1)) >job.tsv
		for way in hostcopy gpudirect; do
			run -2 --separate-stderr netsim -t @lassen-$n --profile tracer --gpu $way job.tsv
			[ "$stderr" = "netsim: job.tsv:3: job 1: more than $n ranks are on node n0, which has $n GPUs: expected a GPU for each rank" ]
		done
		# ranks without GPUs may be more
		netsim -t @lassen-$n --profile tracer job.tsv -o out.tsv
	done
}

@test "a node that takes the remainder: 32 ranks on nodes of six GPUs are 5 x 6 + 2" {
	jobgen mpi:app=sw4lite,ranks=32,iterations=1 -o t.tsv
	traceconv --from mpitrace --to comm t.tsv -o g.tsv
	mapref --quiet -t @lassen -g g.tsv -p in-order --hosts 'n[0-5]' --ranks-per-node 6 -o block.tsv
	[ "$(column node block.tsv | sort | uniq -c | awk '{ print $1 }' | xargs)" = "6 6 6 6 6 2" ]
	# the author's map puts them on a whole leaf, one after the other: two on 14 of 18 nodes
	mapref --quiet -t @lassen -g g.tsv -p leaf-round-robin --hosts 'n[0-17]' --ranks-per-node 6 -o leaf.tsv
	[ "$(column node leaf.tsv | sort | uniq -c | awk '{ n[$1]++ } END { print n[2], n[1] }')" = "14 4" ]
	job 6 'n[0-5]' mpitrace:path=t.tsv 6 >job.tsv
	for way in hostcopy gpudirect; do
		netsim -t @lassen-6 --profile tracer --gpu $way --mapping block.tsv --ranks $way.tsv job.tsv -o out.tsv
		[ "$(column node $way.tsv | sort | uniq -c | awk '{ print $1 }' | xargs)" = "6 6 6 6 6 2" ]
	done
	# without a mapping the job has 36 ranks, which the trace has not
	run -2 --separate-stderr netsim -t @lassen-6 --profile tracer --gpu hostcopy job.tsv
	[[ $stderr == *"the trace is of 32 ranks, the job has 36"* ]]
}
