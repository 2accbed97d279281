# netsim-gpu-edge.bats - replay of MPI + GPU traces: node types, uneven nodes, limits of protocols, bad input
load helper
load gpu

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

# rows FILE: what was simulated, without the command and the column of the way
rows() {
	grep -v '^##' "$1" | cut -d"$(printf '\t')" -f1-"${2:-12}"
}

@test "trace: half of the ranks on GPUs lies between GPUDirect and HostCopy; all and none are these, byte for byte" {
	local app n mark way
	for app in 'sw4lite 16' 'amgx 16' 'minisweep 16' 'lulesh 27'; do
		n=${app#* } app=${app% *}
		jobgen "mpi:app=$app,ranks=$n,iterations=2,imbalance=.1" -o gpu.tsv
		traceconv --from mpitrace --to mpitrace -f mark:host gpu.tsv -o host.tsv
		awk -F'\t' -v OFS='\t' -v half=$((n / 2)) '
			/^##/ { print; next }
			!at { for (i = 1; i <= NF; i++) if ($i ~ /_location$/) location[i] = at = 1; print; next }
			$1 < half { for (i in location) if ($i == "gpu") $i = "host" }
			{ print }' gpu.tsv >half.tsv
		for mark in gpu half host; do
			job "$n" "n[0-$((n - 1))]" mpitrace:path=$mark.tsv,loop=loop >$mark.job
			netsim -t @lassen --profile tracer --gpu trace --ranks $mark.ranks $mark.job -o $mark.out
		done
		for way in hostcopy gpudirect none; do
			netsim -t @lassen --profile tracer -s gpu=$way --ranks $way.ranks gpu.job -o $way.out
		done
		diff <(rows gpudirect.ranks) <(rows gpu.ranks)
		diff <(rows hostcopy.ranks) <(rows host.ranks)
		for way in gpudirect half hostcopy; do evalmetrics -m comm-time --by gpu $way.ranks | tail -n 2 | head -n 1 | cut -f5; done >times
		sort -g times | diff - times
		[ "$(sort -u times | wc -l)" = 3 ]
		# the host's own buffers are not copied
		netsim -t @lassen --profile tracer --gpu trace -s host-buffers=plain --ranks plain.ranks host.job -o plain.out
		diff <(rows none.ranks) <(rows plain.ranks)
	done
}

@test "buffers that only one side says, or nobody: GPUDirect if either is on a GPU, else a hint" {
	local bytes way
	for bytes in 64001 1000000; do
		for way in "gpu gpu" "gpu ." ". gpu" "host gpu" "gpu host" "host ." ". ."; do
			# the receive was posted long before, and comes late
			for late in 0 1; do
				trace "0 0 0 init" "0 0.001 0.001 isend 1 $bytes . 3 1 ${way% *}" "0 0.002 0.003 wait . . . . 1" \
					"1 0 0 init" "1 0.00$((2 * late)) 0.00$((2 * late)) irecv 0 . $bytes 3 1 . ${way#* }" "1 0.004 0.005 wait . . . . 1" >t.tsv
				job 2 'n[0-1]' mpitrace:path=t.tsv,gaps=records >job.tsv
				for rts in on off; do
					run -0 --separate-stderr netsim -t @lassen --profile tracer --gpu trace -s rts=$rts --ranks ranks.tsv job.tsv -o out.tsv
					[[ $way == *gpu* ]] && [ "$(column copy_s ranks.tsv | head -n 1)" = 0 ]
					[[ $way == *gpu* ]] || [ "$(column copy_s ranks.tsv | head -n 1)" != 0 ]
					if [[ $way == ". ." ]]; then
						[[ $stderr == *"gpu=trace: calls that do not say where their buffers are count as on the host: traceconv -f mark:gpu marks them" ]]
					fi
				done
			done
		done
	done
}

@test "sizes at the limits: 64 000 bytes are eager, 4 096 are one packet, copies in a node of 64 000 wait in line" {
	idle=(-s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s node-bandwidth=16GB/s -s message-gap=0 -s nic-send=0 -s call-enter=0 -s packet-gap=0 -s empty=nothing)
	# a packet of 4 096 bytes twice on the wire; one byte more follows in a packet behind it
	[ "$(one_way 4096 --gpu gpudirect "${idle[@]}")" = 6.121200 ]
	[ "$(one_way 4097 --gpu gpudirect "${idle[@]}")" = 6.121300 ]
	# eager without rdma-delay but with a copy in the host (.64), then the other way round (.5)
	[ "$(awk -v a="$(one_way 64000 --gpu hostcopy "${idle[@]}")" -v b="$(one_way 64001 --gpu hostcopy "${idle[@]}")" 'BEGIN { printf "%.5f", a - b }')" = 0.13983 ]
	# two messages inside a node: below the limit neither waits for the other
	local bytes us
	for bytes in 63999 64000; do
		trace "0 0 0 isend 1 $bytes . 1 1" "0 0 0 isend 1 $bytes . 2 2" "0 0 0 wait . . . . 1" "0 0 0 wait . . . . 2" \
			"1 0 0 irecv 0 . $bytes 1 1" "1 0 0 irecv 0 . $bytes 2 2" "1 0 0 wait . . . . 1" "1 0 0 wait . . . . 2" >t.tsv
		job 1 n0 mpitrace:path=t.tsv 2 >job.tsv
		netsim -t @lassen --profile tracer "${idle[@]}" -s send-setup=0 -s copy-per-byte=0 -s receive-wait=0 --ranks ranks.tsv job.tsv -o out.tsv
		us=$(ps 1)
		echo "$bytes $us"
		# the second leaves at .6 us, takes .1 us and its copy of 4 us, and its wait ends .2 us later; or the copy waits for 3.8 us
		[ "$us" = $((bytes == 64000 ? 8700000 : 4899938)) ]
	done
}

# senders K RANKS_PER_NODE NODES: a trace in which the first K ranks send four messages of 8 MiB to the next node's
senders() {
	{
		trace
		for ((r = 0; r < $1; r++)); do
			for m in 1 2 3 4; do printf '%d\t0\t0\tisend\t%d\t8388608\t.\t%d\t%d\t.\t.\t.\n' $r $((r + $2)) $m $m; done
			for m in 1 2 3 4; do printf '%d\t0\t0\twait\t.\t.\t.\t.\t%d\t.\t.\t.\n' $r $m; done
		done
		for ((r = 0; r < $1; r++)); do
			for m in 1 2 3 4; do printf '%d\t0\t0\tirecv\t%d\t.\t8388608\t%d\t%d\t.\t.\t.\n' $((r + $2)) $r $m $m; done
			for m in 1 2 3 4; do printf '%d\t0\t0\twait\t.\t.\t.\t.\t%d\t.\t.\t.\n' $((r + $2)) $m; done
		done
	} | grep -v '^\.' >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv "$2" >job.tsv
}

@test "two injection queues with an odd number of slots, or one: slot / (slots / 2), modulo 2" {
	local ppn k expected
	while read -r ppn k expected; do
		senders "$k" "$ppn"
		netsim -t @lassen --profile tracer --gpu gpudirect job.tsv -o out.tsv
		awk -v us="$(column runtime_s out.tsv)" -v expected="$expected" 'BEGIN { x = 1e6 * us / expected; exit !(x > .999 && x < 1.001) }' ||
			{ echo "$k of $ppn: $(column runtime_s out.tsv), not $expected us"; return 1; }
	done <<-'END'
		1 1 2702
		3 1 2702
		3 2 2702
		3 3 5399
		5 2 5399
		5 3 5399
		5 4 5399
		5 5 8095
	END
}

@test "copy queues: more than ranks on the node, and fewer" {
	local to us
	# 75 GB/s: 8 MiB take 111.8 us. Slots 0 and 4 share one of four queues, 0 and 1 do not; of eight neither do
	for to in "1 4 1" "4 4 2" "4 8 1" "1 1 2"; do
		set -- $to
		trace "0 0 0 isend 5 8388608 . 1 1" "0 0 0 wait . . . . 1" "$1 0 0 isend 3 8388608 . 1 1" "$1 0 0 wait . . . . 1" \
			"3 0 0 irecv $1 . 8388608 1 1" "3 0 0 wait . . . . 1" "5 0 0 irecv 0 . 8388608 1 1" "5 0 0 wait . . . . 1" | sort -s -k1,1n >t.tsv
		grep '^[#r]' t.tsv >head.tsv
		grep '^[0-9]' t.tsv | sort -s -n -k1,1 | cat head.tsv - >u.tsv
		job 1 n0 mpitrace:path=u.tsv 6 >job.tsv
		netsim -t @lassen --profile tracer --gpu gpudirect -s copy-servers="$2" job.tsv -o out.tsv
		us=$(awk -v t="$(column runtime_s out.tsv)" 'BEGIN { printf "%d", 1e6 * t / 111.848 }')
		[ "$us" = "$3" ] || { echo "$to: $(column runtime_s out.tsv)"; return 1; }
	done
	# two ranks and four queues
	jobgen mpi:app=senders,ranks=2,iterations=1 -o t.tsv
	job 1 n0 mpitrace:path=t.tsv 2 >job.tsv
	netsim -t @lassen-2 --profile tracer --gpu gpudirect job.tsv -o out.tsv
}

# wild SEED: 5 ranks that send each other messages of 1 … 200 000 bytes; receives name nobody, no tag, both or all of it
wild() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		n = 5
		for (m = 0; m < 40; m++) {
			src = int(rand() * n); dst = (src + 1 + int(rand() * (n - 1))) % n
			bytes = rand() < .5 ? 1 + int(rand() * 60000) : 64001 + int(rand() * 140000)
			# tag 1: anybody receives it; tags 2 and 3: who names the sender, tag 3 and any tag after all others
			tag = 1 + int(rand() * 3)
			sends[src] = sends[src] sprintf("isend %d %d . %d\n", dst, bytes, tag)
			if (tag == 1) first[dst] = first[dst] sprintf("irecv . . %s 1\n", rand() < .5 ? 200000 : ".")
			if (tag == 2) first[dst] = first[dst] sprintf("irecv %d . %s 2\n", src, rand() < .5 ? bytes : ".")
			if (tag == 3) last[dst] = last[dst] "irecv . . 200000 .\n"
		}
		for (r = 0; r < n; r++) {
			calls = (rand() < .5 ? first[r] sends[r] : sends[r] first[r]) last[r]
			now = rand() < .5 ? 0 : int(rand() * 100) * 1e-6
			k = split(calls, call, "\n")
			for (i = 1; i < k; i++) printf "%d %.6f %.6f %s %d\n", r, now, now, call[i], i
			for (i = 1; i < k; i++) printf "%d %.6f %.6f wait . . . . %d\n", r, now, now, i
		}
	}'
}

@test "wildcards and receiver-driven messages: whatever MPI would match ends, in every mode, with the same bytes" {
	local seed options
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		mapfile -t rows < <(wild "$seed")
		trace "${rows[@]}" >t.tsv
		job 5 'n[0-4]' mpitrace:path=t.tsv >job.tsv
		sent=$(column bytes t.tsv | awk '{ n += $1 } END { printf "%d", n }')
		for options in "" "-s rts=on" "--gpu gpudirect" "--gpu gpudirect -s rts=on" "--gpu hostcopy -s copy=both" "--gpu trace"; do
			# shellcheck disable=SC2086
			netsim --quiet -t @lassen --profile tracer $options --ranks ranks.tsv job.tsv -o out.tsv || { echo "seed $seed, $options"; return 1; }
			[ "$(column received_bytes ranks.tsv | awk '{ n += $1 } END { printf "%d", n }')" = "$sent" ]
		done
	done
}

@test "a trace that was truncated, and one whose messages are missing, are named" {
	jobgen mpi:app=sw4lite,ranks=4,iterations=1 -o t.tsv
	head -n 30 t.tsv >cut.tsv
	job 4 'n[0-3]' mpitrace:path=cut.tsv >job.tsv
	run -2 --separate-stderr netsim -t @lassen --profile tracer --gpu gpudirect job.tsv
	[[ $stderr == *"cut.tsv"*"truncated"* ]]
	# the rest is taken as it is on request, and its receives starve
	run -2 --separate-stderr netsim --partial -t @lassen --profile tracer --gpu gpudirect job.tsv
	[[ $stderr == *"job 1"*"rank"* ]]
}

@test "tracer-artefacts: a barrier is an allreduce of GPUs; gathers, scans, reduce_scatters and irregular ones are no calls" {
	times() {
		job 4 'n[0-3]' "mpitrace:path=$1.tsv" >job.tsv
		netsim -t @lassen --profile tracer -s gpu="$2" -s tracer-artefacts="$3" job.tsv -o out.tsv
		column runtime_s out.tsv
	}
	for op in barrier allreduce gather scatter scatterv alltoallw scan exscan reduce_scatter; do
		rows=()
		for r in 0 1 2 3; do rows+=("$r 0 0 $op . 1000 1000"); done
		trace "${rows[@]}" | awk -F'\t' -v OFS='\t' -v op=$op 'NR == 2 { print $0, "root"; next } NR > 2 { if (op == "barrier") $6 = $7 = "."; print $0, op ~ /^gather|^scatter/ ? 0 : "."; next } { print }' >$op.tsv
	done
	sed 's/\t1000\t1000\t/\t0\t0\t/' allreduce.tsv >nothing.tsv
	for gpu in none hostcopy gpudirect; do
		[ "$(times barrier $gpu yes)" = "$(times nothing $gpu no)" ]
		for op in allreduce scatter; do [ "$(times $op $gpu yes)" = "$(times $op $gpu no)" ]; done
		for op in gather scatterv alltoallw scan exscan reduce_scatter; do
			[ "$(times $op $gpu yes)" = 0.000000201 ]
			awk -v t="$(times $op $gpu no)" 'BEGIN { exit !(t > .0000005) }'
		done
	done
	[ "$(times barrier hostcopy no)" = "$(times barrier none no)" ]
	awk -v yes="$(times barrier hostcopy yes)" -v no="$(times barrier hostcopy no)" 'BEGIN { exit !(yes > no + 60e-6) }'
}

@test "collectives whose ranks lie partly on GPUs take one algorithm, that of GPUs" {
	for op in allgather alltoall allreduce bcast; do
		for r in 0 1 2 3 4; do printf '%d 0 0 %s . 100 100 . . %s %s\n' $r $op "$([ $r -lt 2 ] && echo gpu gpu || echo host host)"; done >rows
		mapfile -t rows <rows
		trace "${rows[@]}" | awk -F'\t' -v OFS='\t' -v op=$op 'NR == 2 { print $0, "root"; next } NR > 2 { print $0, op == "bcast" ? 0 : "."; next } { print }' >mixed.tsv
		sed 's/host/gpu/g' mixed.tsv >gpu.tsv
		for which in mixed gpu; do
			job 5 'n[0-4]' mpitrace:path=$which.tsv >job.tsv
			netsim -t @lassen --profile tracer --gpu trace --ranks $which.ranks job.tsv -o out.tsv
		done
		diff <(rows mixed.ranks) <(rows gpu.ranks)
	done
}

# A message that waits until its NIC's turn has its record until then, whatever its rank sends meanwhile.
@test "one simulation in partitions: requests to clear that go elsewhere arrive as they were sent" {
	jobgen mpi:app=amgx,ranks=64,iterations=1 -o t.tsv
	job 64 'n[0-63]' mpitrace:path=t.tsv >1.tsv
	for parts in 1 15; do
		timeout -s KILL 300 netsim -t @lassen-1 --profile tracer --gpu gpudirect --partitions $parts --ranks ranks$parts.tsv 1.tsv -o out.tsv
		grep -hv "^##" ranks$parts.tsv out.tsv >rows$parts
	done
	cmp rows1 rows15
}

@test "inter-communicators: messages go both ways of a GPU, collective operations send nothing and are reported" {
	inter() {
		printf '##placetools=mpitrace/1\n##ranks=4\n##comm=1:0-1|2-3\nrank\ttime_s\tend_s\top\tpeer\tbytes\trecv_bytes\ttag\trequest\tcomm\n'
		for r in 0 1; do
			printf '%d 0 0 isend %d 200000 . 1 1 1\n%d 0 0 wait . . . . 1 .\n' $r $((r + 2)) $r
			[ "$1" = 0 ] || printf '%d 0 0 allreduce . 8 8 . . 1\n' $r
		done | tr ' ' '\t'
		for r in 2 3; do
			printf '%d 0 0 irecv %d . 200000 1 1 1\n%d 0 0 wait . . . . 1 .\n' $r $((r - 2)) $r
			[ "$1" = 0 ] || printf '%d 0 0 allreduce . 8 8 . . 1\n' $r
		done | tr ' ' '\t'
	}
	job 4 'n[0-3]' mpitrace:path=t.tsv >job.tsv
	for way in hostcopy gpudirect trace; do
		inter 0 >t.tsv
		run -0 --separate-stderr netsim --quiet -t @lassen --profile tracer --gpu $way job.tsv -o messages.tsv
		[ -z "$stderr" ]
		# 49 packets each
		[ "$(column packets messages.tsv)" -ge 98 ]
		inter 1 >t.tsv
		run -0 --separate-stderr netsim -t @lassen --profile tracer --gpu $way job.tsv -o both.tsv
		[[ $stderr == *"t.tsv: 4 calls of collectives send nothing: those of inter-communicators"* ]]
		[ "$(column packets both.tsv)" = "$(column packets messages.tsv)" ]
	done
}
