# netsim-partitions.bats - one simulation in partitions: the same bytes for any number of them and of threads
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$DATA"/* .
}

# same DIVISION… -- ARGUMENTS…: all of netsim's outputs are those of one partition
same() {
	local divisions=() division
	while [[ $1 != -- ]]; do divisions+=("$1"); shift; done
	shift
	netsim --no-provenance -j 1 "$@" --links links1 --ranks ranks1 -o out1 2>said1 || return 1
	for division in "${divisions[@]}"; do
		# shellcheck disable=SC2086 # two options each
		netsim --no-provenance $division "$@" --links links2 --ranks ranks2 -o out2 2>said2 &&
			cmp out1 out2 && cmp links1 links2 && cmp ranks1 ranks2 && cmp said1 said2 ||
			{ echo "^ netsim $division $*"; return 1; }
	done
}

@test "every pattern, by the example of each, in every profile's protocols" {
	local n=0 pattern nodes
	topogen machine.yaml --io nodes:list=n23,kind=coupled,storage=@ior-node >stored.yaml
	while IFS= read -r pattern; do
		nodes=12
		[[ $pattern == *trace:* ]] && nodes=4
		job $nodes "n[0-$((nodes - 1))]" "$pattern" >job.tsv
		same '--partitions 3 -j 1' '--partitions 2 -j 2' -- -t stored.yaml job.tsv
		same '--partitions 3 -j 2' -- -t stored.yaml --profile sst job.tsv
		same '--partitions 3 -j 1' -- -t stored.yaml --profile tracer job.tsv
		n=$((n + 1))
	done < <(examples_of netsim patterns)
	[ "$n" -ge 20 ]
}

@test "every routing on every kind of machine that it is for" {
	local n=0 spec nodes routing
	topogen dragonfly:groups=5,routers=3,nodes=2 --to explicit -o explicit.yaml
	while IFS=$'\t' read -r spec nodes; do
		job "$nodes" "n[0-$((nodes - 1))]" halo3d+uniform 6000 2 >job.tsv
		while IFS= read -r routing; do
			# a routing that the machine does not have is refused
			netsim -t "$spec" -r "$routing" job.tsv >out 2>&1 || continue
			same '--partitions 3 -j 1' '--partitions 2 -j 2' -- -t "$spec" -r "$routing" job.tsv
			n=$((n + 1))
		done < <(examples_of netsim routings; printf 'ugal:queue=credits\nminimal:ties=hash,entropy=2\nminimal:ties=random\nminimal:ties=adaptive\n')
	done <<-'END'
		dragonfly:groups=5,routers=3,nodes=2	30
		dragonfly:groups=4,routers=4x3,nodes=1,links=5	48
		dragonfly-plus:groups=3,leaves=2,spines=2,nodes=3	18
		fattree:k=3,levels=3	27
		hyperx:dims=3x3,nodes=2	18
		hypercube:dims=4	16
		slimfly:q=3	27
		torus:dims=4x3x2	24
		tree:arity=3x3x3	27
		explicit.yaml	30
	END
	[ "$n" -ge 60 ]
}

@test "networks that need something special: buffers, planes, NICs, requests, links of different speed" {
	local setting
	job 30 'n[0-29]' alltoall 9000 1 2 >job.tsv
	for setting in output-buffer=14kB nic-requests=2 global-bandwidth=30e9 message-header=20; do
		same '--partitions 3 -j 2' -- -t dragonfly:groups=5,routers=3,nodes=2 -r ugal -s "$setting" job.tsv
	done
	printf 'placetools: topology/1\ntopology: dragonfly\nparameters: {groups: 5, routers: 3, nodes: 2}\nnodes: {nics: {count: 2, select: adaptive}, planes: 2}\n' >planes.yaml
	same '--partitions 3 -j 2' -- -t planes.yaml -r valiant job.tsv
}

@test "what is fetched ahead on machines of more than 8 000 nodes: of eager and of large messages" {
	local bytes
	for bytes in 8 20000; do
		job 8320 'n[0-8319]' halo2d $bytes 1 >job.tsv
		same '--partitions 3 -j 2' -- -t dragonfly:groups=65,routers=16,nodes=8 -r ugal job.tsv
		same '--partitions 2 -j 2' -- -t torus:dims=16x20x26 -r ugal job.tsv
	done
}

@test "windows are longer while no short packet's credit goes to another partition" {
	local setting machine=dragonfly:groups=5,routers=3,nodes=2
	# windows BYTES OPTION…: how many, and how many of them longer
	windows() {
		job 30 'n[0-29]' halo3d "$1" 3 >job.tsv
		netsim -v -t $machine "${@:2}" --partitions 3 job.tsv 2>&1 >/dev/null |
			sed -n 's/.* windows=\([0-9]*\) long=\([0-9]*\).*/\1 \2/p'
	}
	read -r all long < <(windows 4096)
	[ "$all" -eq "$long" ]
	read -r all long < <(windows 8)
	[ "$long" -lt "$all" ]
	read -r all long < <(windows 4096 -s router-delay=0)
	[ "$long" -eq 0 ]
	read -r all long < <(windows 4096 -s router-delay=50ns -s credit-delay=50ns)
	[ "$long" -eq 0 ]
	# little room: credits are waited for all the time
	job 30 'n[0-29]' alltoall 8 8 >job.tsv
	same '--partitions 3 -j 2' -- -t $machine -r ugal -s input-buffer=8B -s packet=8B job.tsv
	same '--partitions 3 -j 2' -- -t $machine -r ugal -s input-buffer=16B -s packet=16B -s credit-delay=20ns job.tsv
	for setting in vcs=0 output-buffer=14kB nic-requests=2 global-bandwidth=30e9 terminal-bandwidth=100e9 router-delay=300ns; do
		for bytes in 8 2048 5000; do
			job 30 'n[0-29]' alltoall $bytes 2 2 >job.tsv
			same '--partitions 3 -j 2' '--partitions 5 -j 1' -- -t $machine -r ugal -s input-buffer=2kB -s packet=1024B -s "$setting" job.tsv
		done
	done
	for setting in 2 16; do
		same '--partitions 3 -j 2' -- -t $machine -r ugal -s input-buffer=2kB -s output-buffer=2kB -s crossbar=$setting -s packet=1024B job.tsv
	done
}

@test "data of GPUs: copies, words to them, receivers that clear" {
	local way
	job 30 'n[0-29]' halo3d+allreduce 60000 2 2 >job.tsv
	for way in hostcopy gpudirect; do
		same '--partitions 3 -j 2' -- -t dragonfly:groups=5,routers=3,nodes=2 --profile tracer --gpu $way job.tsv
		same '--partitions 2 -j 1' -- -t dragonfly:groups=5,routers=3,nodes=2 --gpu $way job.tsv
	done
}

@test "more partitions than routers, more threads than partitions, one router, one node" {
	job 2 'n[0-1]' alltoall >job.tsv
	same '--partitions 64 -j 8' '-j 8' -- -t line:nodes=2 job.tsv
	same '--partitions 4 -j 2' -- -t complete:nodes=4,per-router=4 job.tsv
	job 1 'n[0]' alltoall 100 2 4 >job.tsv
	same '--partitions 4 -j 2' -- -t line:nodes=2 job.tsv
	job 7 'n[0-6]' alltoall >job.tsv
	same '--partitions 3 -j 3' '--partitions 7 -j 2' '--partitions 8 -j 8' -- -t line:nodes=7 job.tsv
	# nothing without latency is cut
	netsim -v -t line:nodes=7 -s latency=0 --partitions 7 job.tsv -o out 2>said
	run ! grep partitions= said
	netsim -v -t line:nodes=7 --partitions 7 job.tsv -o out 2>said
	grep -q 'partitions=7' said
}

@test "jobs without an end stop at the same time; --until and --counters see the same" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\n' >two.tsv
	printf 'a\t12\tn[0-11]\talltoall\t2000\t0\nb\t9\tn[12-20]\thalo2d\t30000\t5\nc\t9\tn[21-29]\tallreduce\t8\t2\n' >>two.tsv
	same '--partitions 2 -j 1' '--partitions 5 -j 2' -- -t dragonfly:groups=5,routers=3,nodes=2 -r ugal two.tsv
	same '--partitions 2 -j 2' -- -t dragonfly:groups=5,routers=3,nodes=2 --until 7us two.tsv
	netsim --no-provenance -t dragonfly:groups=5,routers=3,nodes=2 --counters one --counters-every 2us two.tsv -o out
	netsim --no-provenance -t dragonfly:groups=5,routers=3,nodes=2 --counters two --counters-every 2us --partitions 3 -j 2 two.tsv -o out
	cmp one two
}

@test "storage: devices, drains and schedules see the same, and so do their tables" {
	local schedule
	{
		printf 'placetools: topology/1\ntopology: line\nparameters: {nodes: 8}\n'
		printf 'links: {terminal: {bandwidth: 10GB/s, latency: 100ns}, local: {bandwidth: 10GB/s, latency: 100ns}}\nio:\n'
		printf '  - {%s}\n' 'name: bb, nodes: "n[2,5]", device: {write: 1900MiB/s, read: 1900MiB/s, overhead: 15us}, stripe: {count: 2, width: 128KiB}, drain: {to: pfs}' \
			'name: pfs, nodes: n7, device: {write: 500MiB/s, read: 500MiB/s}'
	} >m.yaml
	{
		printf '##placetools=iotrace/1\nrank\top\tstart_s\tbytes\tfile\toffset\tend_s\tcomm\ttarget\n'
		for rank in 0 1 2 3; do
			printf '%d\t%s\t0\t%d\tf\t.\t.\t.\t.\n' $rank write 3000000 $rank read 900000
		done
		echo '##end'
	} >io.tsv
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\na\t4\tn[0-1,4,6]\tiotrace:path=io.tsv\nb\t2\tn[3,5]\thalo2d\n' >two.tsv
	for schedule in none stagger:window=1ms token:writers=1; do
		for n in 1 3; do
			netsim --no-provenance -t m.yaml --io-schedule $schedule --partitions $n -j 2 --io io$n --storage storage$n two.tsv -o out$n
		done
		cmp io1 io3
		cmp storage1 storage3
		cmp out1 out3
		[ -s storage3 ]
	done
}

@test "errors are those of one partition: ranks that wait for each other, no route" {
	printf '##placetools=mpitrace/1\nrank\ttime_s\top\tpeer\trecv_bytes\n0\t0\trecv\t1\t8\n1\t0\trecv\t0\t8\n' >stuck.tsv
	job 2 'n[0,29]' mpitrace:path=stuck.tsv >job.tsv
	run -2 --separate-stderr netsim -t dragonfly:groups=5,routers=3,nodes=2 job.tsv
	one=$stderr
	run -2 --separate-stderr netsim -t dragonfly:groups=5,routers=3,nodes=2 --partitions 3 -j 2 job.tsv
	[ "$stderr" = "$one" ]
	[[ $output != *"##end"* ]]
}

@test "SIGTERM in the middle of a window: a clean end" {
	job 30 'n[0-29]' alltoall 1024 100000000 >long.tsv
	netsim -t dragonfly:groups=5,routers=3,nodes=2 --partitions 3 -j 2 long.tsv -o out.tsv 2>said &
	pid=$!
	until compgen -G 'out.tsv.*' >names; do kill -0 $pid; done
	until [[ -s said ]]; do kill -USR1 $pid; done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 2 ]
	grep -q '^netsim: 0 runs simulated; interrupted at .* s of run \.$' said
	[ ! -e out.tsv ]
}
