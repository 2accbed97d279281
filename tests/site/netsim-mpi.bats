#!/usr/bin/env bats
# netsim-mpi.bats - processes of an MPI launcher simulate what one alone simulates, to the byte

bats_require_minimum_version 1.5.0
load ../helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	command -v mpirun >/dev/null || skip "mpirun is not installed"
	[ -e "$PLACETOOLS_BIN/../lib/placetools/mpi.so" ] || skip "there is no MPI plug-in"
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	export OMPI_MCA_mpi_yield_when_idle=1
	DRAGONFLY=dragonfly:groups=9,routers=4,nodes=2
	# two runs; a job without end, large and small messages, collective operations
	cat >jobs.tsv <<-'EOF'
		##placetools=jobs/1
		run	job	nodes	ranks_per_node	pattern	bytes	iterations
		1	a	12	2	halo3d	20000	2
		1	b	20	1	alltoall	1000	1
		1	c	10	1	uniform	3000	0
		2	d	30	1	allreduce	8	4
		2	e	6	1	uniform	100KB	10
	EOF
}

# place MACHINE: placed.tsv, scattered, so that jobs have nodes in every part
place() {
	allocate -t "$1" -p rdn jobs.tsv -o placed.tsv
}

# same PROCESSES NETSIM-ARGUMENT…: one process and several write the same tables
same() {
	local n=$1 table
	shift
	netsim "$@" --no-provenance --links links.1 --ranks ranks.1 -o jobs.1 placed.tsv
	mpirun -n "$n" netsim "$@" --no-provenance --links links.n --ranks ranks.n -o jobs.n placed.tsv
	for table in jobs links ranks; do
		cmp "$table.1" "$table.n" || { echo "$n processes: $*"; return 1; }
	done
}

@test "2, 3 and 4 processes, with threads too, give the bytes of one process" {
	local machine
	place "$DRAGONFLY"
	same 2 -t "$DRAGONFLY"
	same 4 -t "$DRAGONFLY" -r ugal
	same 3 -t "$DRAGONFLY" -r ugal-g # loads of other routers are published
	same 2 -t "$DRAGONFLY" -r valiant --profile sst
	same 2 -t "$DRAGONFLY" -j 2 --partitions 5 -r par
	same 2 -t "$DRAGONFLY" --profile tracer --gpu hostcopy
	for machine in fattree:down=4x4x4,up=1x4x4 torus:dims=4x4x4 hyperx:dims=4x4,nodes=4; do
		place "$machine"
		same 3 -t "$machine"
	done
}

@test "what is reported of the work is that of all processes" {
	place "$DRAGONFLY"
	netsim -v -j 1 --partitions 3 -t "$DRAGONFLY" placed.tsv -o /dev/null 2>&1 | grep -o 'windows=.*' >one
	mpirun -n 3 netsim -v -j 1 --partitions 3 -t "$DRAGONFLY" placed.tsv -o /dev/null 2>&1 | grep -o 'windows=.*' >three
	cmp one three
	grep -q balance= one
}

@test "what is counted, and what is cut off" {
	place "$DRAGONFLY"
	sed -i '/^2/d' placed.tsv
	same 3 -t "$DRAGONFLY" --until 20us
	netsim -t "$DRAGONFLY" -o /dev/null placed.tsv --counters counters.1 --counters-every 10us
	mpirun -n 2 netsim -t "$DRAGONFLY" -o /dev/null placed.tsv --counters counters.n --counters-every 10us
	cmp counters.1 counters.n
	[ "$(wc -l <counters.1)" -gt 100 ]
}

@test "more processes than routers, and a machine that can't be divided" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\na\t2\tn[0-1]\talltoall\t99999\n' >placed.tsv
	same 4 -t line:nodes=3
	same 2 -t complete:nodes=2
	same 2 -t ring:nodes=2 -s latency=0
}

# all_of MACHINE NODES: a job on all of its nodes
all_of() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\titerations\na\t%d\tn[0-%d]\thalo3d\t1\n' "$1" $(($1 - 1)) >placed.tsv
}

# peak_of PROCESSES NODES MACHINE: KiB of the process that takes most, in a run that has hardly begun
peak_of() {
	all_of "$2"
	mpirun -n "$1" "$PLACETOOLS_BUILD/tests/tools/peak" netsim -t "$3" --until 2us placed.tsv -o out.tsv 2>&1 | sort -n | tail -1
}

@test "a process has memory for its own routers, nodes and ranks" {
	local small=dragonfly:groups=3,routers=2,nodes=2 large=dragonfly:groups=250,routers=20,nodes=20 n
	for n in 1 2 4; do
		echo $(($(peak_of $n 100000 $large) - $(peak_of $n 12 $small)))
	done >kib
	# the tables of the machine, more than a fifth, are each process's
	awk '{ kib[NR] = $1 } END { exit kib[2] > .7 * kib[1] || kib[3] > .55 * kib[1] }' kib || { cat kib; return 1; }
}

# said TEXT: once, and nothing was written
said() {
	[ "$status" -ne 0 ]
	[ "$(grep -c '^netsim: ' <<<"$stderr")" -eq 1 ] || { echo "$stderr"; return 1; }
	grep -qF "netsim: $1" <<<"$stderr" || { echo "$stderr"; return 1; }
	[ ! -e out.tsv ]
}

@test "what is wrong is said once, wherever it is, and nobody waits" {
	place "$DRAGONFLY"
	run --separate-stderr mpirun -n 3 netsim -t "$DRAGONFLY" absent.tsv -o out.tsv
	said "absent.tsv: "
	# of one process alone
	cp placed.tsv in.0
	cp placed.tsv in.2
	run --separate-stderr mpirun -n 3 sh -c "exec netsim -t $DRAGONFLY in.\$OMPI_COMM_WORLD_RANK -o out.tsv"
	said "in.1: No such file or directory"
	{ head -8 placed.tsv; echo short; } >in.1
	run --separate-stderr mpirun -n 3 sh -c "exec netsim -t $DRAGONFLY in.\$OMPI_COMM_WORLD_RANK -o out.tsv"
	said "in.1:9: "
	run --separate-stderr mpirun -n 2 netsim -t "$DRAGONFLY" -o out.tsv <placed.tsv
	said "-: only one of the processes has standard input"
	run --separate-stderr mpirun -n 2 netsim -t "$DRAGONFLY" --open-loop uniform -o out.tsv
	said "--open-loop: expected one process"
	# ranks that wait for ever, in different processes
	printf '##placetools=mpitrace/1\n##ranks=4\nrank\ttime_s\top\tend_s\tpeer\tbytes\trecv_bytes\ttag\trequest\troot\n' >stuck.tsv
	printf '%s\t0\tinit\t0.001\t.\t.\t.\t.\t.\t.\n' 0 3 >>stuck.tsv
	printf '0\t0.002\trecv\t0.003\t3\t.\t8\t7\t.\t.\n' >>stuck.tsv
	sort -s -k1,1n -o rows <(sed 1,3d stuck.tsv)
	{ head -3 stuck.tsv; cat rows; } >trace.tsv
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\na\t4\tn[0,20,40,60]\tmpitrace:path=trace.tsv\n' >stuck-jobs.tsv
	run --separate-stderr mpirun -n 3 netsim -t "$DRAGONFLY" stuck-jobs.tsv -o out.tsv
	said "run .: job a: ranks wait for each other: rank 0 waits in iteration 1"
}
