# netsim-training.bats - what trainings on GPUs need of netsim: fast links, rings
load helper

# switch NODES BANDWIDTH LATENCY: one switch
switch() {
	topogen "tree:arity=$1" --bandwidth "terminal=$2" --latency "terminal=$3" -o switch.yaml
}
# value NAME: a column of the first job
value() {
	awk -F'\t' -v name="$1" '/^##/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'
}

@test "input buffers below a credit's round trip are reported, with what is enough" {
	switch 2 450GB/s 500ns
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t1000000\n' >one.tsv
	stream jobs 'job nodes nodelist' '1 2 n[0-1]' >job.tsv
	netsim -t switch.yaml -p comm:path=one.tsv -s eager=1GiB job.tsv >slow.tsv 2>said
	[ "$(wc -l <said)" = 1 ]
	[[ $(<said) == 'netsim: input-buffer: 16384 bytes hold terminal links to '*' of 450 GB/s, as a credit is back after '*': -s input-buffer='*'KiB is enough' ]]
	enough=$(sed 's/.*-s \(input-buffer=[0-9]*KiB\) .*/\1/' said)
	netsim -t switch.yaml -p comm:path=one.tsv -s eager=1GiB -s "$enough" job.tsv >fast.tsv 2>said
	[ ! -s said ]
	# what was lost is what the line says: 1 MB at 16 KiB for each round trip; then latencies and 1 MB at 450 GB/s
	awk -v slow="$(value comm_time_s <slow.tsv)" -v fast="$(value comm_time_s <fast.tsv)" 'BEGIN {
		exit !(slow > 50e-6 && fast < 3.6e-6) }'
	netsim -t switch.yaml -s terminal-bandwidth=10GB/s -p comm:path=one.tsv job.tsv 2>said >out.tsv
	[ ! -s said ]
}

@test "collectives=ring: 2 (n - 1) steps of a share for allreduce, n - 1 for allgather and reduce_scatter" {
	local n op steps
	for n in 2 5 8; do
		switch $n 50GB/s 500ns
		stream jobs 'job nodes nodelist' "1 $n n[0-$((n - 1))]" >job.tsv
		for op in allreduce:2 allgather:1 reduce_scatter:1; do
			steps=$((${op#*:} * (n - 1)))
			{
				printf '##placetools=mpitrace/1\n##ranks=%d\nrank\top\tbegin_s\tend_s\tbytes\n' "$n"
				for ((r = 0; r < n; r++)); do printf '%d\t%s\t0\t0\t%d\n' $r ${op%:*} $((n * 100000)); done
			} >trace.tsv
			netsim -t switch.yaml -p mpitrace:path=trace.tsv -s collectives=ring -s eager=1GiB -s input-buffer=1MiB \
				-s packet=1MiB -s router-delay=0 job.tsv |
				value comm_time_s | awk -v steps=$steps '{ print $1; exit !(($1 / (steps * 3e-6)) ^ 2 > .998 && $1 / (steps * 3e-6) < 1.001) }'
		done
	done
	# the rest is mpich's
	netsim -t switch.yaml -p alltoall -s collectives=ring --no-provenance job.tsv >ring.tsv
	netsim -t switch.yaml -p alltoall --no-provenance job.tsv >mpich.tsv
	cmp ring.tsv mpich.tsv
}

@test "nic-order=turns: an all-to-all in the order of destinations takes as long as in shifted order" {
	need_shared
	local reference=$SHARED/data/reference/llm
	topogen fattree:down=4x4x8,up=1x4x4,bandwidth=400Gbit/s,latency=500ns -o tree.yaml
	stream jobs 'job nodes nodelist' '1 128 n[0-127]' >job.tsv
	simulate() {
		netsim -t tree.yaml -p "comm:path=$reference/a2a16.comm.tsv" -s packet=4096 -s header=64 -s input-buffer=400KiB \
			-s eager=1GiB -s router-delay=0 "$@" --no-provenance job.tsv
	}
	# 163.84 us one after the other; htsim's flows share their NIC: 85.6 to 88.6 us with the acknowledgement
	[ "$(simulate | value comm_time_s)" = 0.0001638352 ]
	simulate -s nic-order=turns >turns.tsv
	value comm_time_s <turns.tsv | awk '{ print $1; exit !($1 > 79e-6 && $1 < 86e-6) }'
	simulate -s nic-order=turns --partitions 4 -j 2 >many.tsv
	cmp turns.tsv many.tsv
}

@test "nic-order=turns: two messages share a link, a third that is ready later does not hold it" {
	topogen tree:arity=4,bandwidth=1GB/s,latency=1us -o switch.yaml
	stream jobs 'job nodes nodelist' '1 4 n[0-3]' >job.tsv
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t1000000\n0\t2\t1000\n0\t3\t500000\n' >three.tsv
	for order in message turns; do
		netsim -t switch.yaml -p comm:path=three.tsv -s eager=1GiB -s nic-send=2us -s nic-order=$order --ranks $order.tsv job.tsv >$order
		# the link is never idle
		[ "$(value comm_time_s <$order)" = "$(value comm_time_s <message)" ]
		rows $order.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["rank"] == 2 { print $at["finish_s"] }' >$order.small
	done
	# 1 kB does not wait for 1 MB
	awk -v message="$(<message.small)" -v turns="$(<turns.small)" 'BEGIN { exit !(message > 1e-3 && turns < 20e-6) }'
}
