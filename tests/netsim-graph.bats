#!/usr/bin/env bats
# netsim-graph.bats - graphs of computation and messages, replayed: times of LogGOPSim, matching, refusals
load helper

# A switch whose links LogGOPSim's parameters describe: L = 1 us, G = 1/(50 GB/s), o = g = 0, every message eager.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	topogen 'fattree:down=16,up=1,bandwidth=50GB/s,latency=500ns' -o switch.yaml
}

# replay RANKS [ARGUMENT…]: x.graph on that many nodes, the job's line
replay() {
	local ranks=$1
	shift
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\nj\t%d\tn[0-%d]\n' "$ranks" $((ranks - 1)) >x.jobs
	netsim -t switch.yaml -p graph:path=x.graph -s packet=4096 -s header=0 -s input-buffer=4MiB -s eager="${eager:-1GiB}" -s router-delay=0 "$@" x.jobs
}

# ps <JOBS: the communication time in picoseconds
ps_of() {
	awk -F '\t' '/^##/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") at = i; next } { printf "%.0f\n", $at * 1e12 }'
}

# graph SCHEDULE RANKS BYTES: as LogGOPSim's schedules of the reference
graph() {
	awk -v schedule="$1" -v p="$2" -v bytes="$3" '
		function row(r, op, after, size, peer, tag) {
			printf "rank%d\t%d\t%s\t%s\tcpu0\t%d\t%d\t%d\n", r, id[r]++, op, after, size, peer, tag
		}
		BEGIN {
			printf "##placetools=graph/1\n##ranks=%d\n", p
			for (r = 0; r < p; r++) printf "##program=rank%d:%d\n", r, r
			print "program\tid\top\tafter\tstream\tbytes\tpeer\ttag"
			for (r = 0; r < p; r++) {
				if (schedule == "incast") {
					if (r > 0) row(r, "send", ".", bytes, 0, 0)
					else for (q = 1; q < p; q++) row(0, "recv", ".", bytes, q, 0)
					continue
				}
				last = "."
				steps = schedule == "ring" ? 2 * (p - 1) : p - 1
				for (s = 1; s <= steps; s++) {
					far = schedule == "ring" ? 1 : s
					size = schedule == "ring" ? bytes / p : bytes
					row(r, "send", last, size, (r + far) % p, s)
					row(r, "recv", last, size, (r - far + p) % p, s)
					last = id[r] - 1
				}
			}
		}'
}

@test "graphs of messages take LogGOPSim's times, to 1 ns" {
	# spcl/LogGOPSim @ 76451de1, -L 50000 -o 0 -g 0 -G 1 -O 0 -S 100000000, ticks of 20 ps
	while read -r schedule ranks bytes ticks; do
		graph "$schedule" "$ranks" "$bytes" >x.graph
		got=$(replay "$ranks" | ps_of)
		echo "$schedule $ranks $bytes: $((ticks * 20)) ps, got $got"
		[[ $((got - ticks * 20)) -le 1000 && $((ticks * 20 - got)) -le 1000 ]]
	done <<-END
		ring 2 65536 165534
		ring 4 65536 398298
		ring 8 65536 814674
		ring 8 8388608 15380050
		ring 16 262144 1991490
		ring 16 16777216 32957250
		pair 8 65536 808745
		incast 8 1000000 7049993
	END
}

# two COLUMNS ROW…: a graph of two ranks, programs a and b
two() {
	stream graph "$@" | sed '1a ##ranks=2\n##program=a:0\n##program=b:1' >x.graph
}

@test "a collective goes on while its rank computes, and takes an own ring's time" {
	graph ring 8 1048576 >x.graph
	alone=$(replay 8 | ps_of)
	printf '##%s\n' placetools=graph/1 ranks=8 program=all:0-7 >x.graph
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' program id op time_s bytes algorithm all 0 allreduce . 1048576 ring all 1 compute 1e-5 . . >>x.graph
	[[ $(replay 8 | ps_of) == "$alone" ]]
	sed -i s/1e-5/1e-2/ x.graph
	[[ $(replay 8 | ps_of) == 10000000000 ]]
	replay 8 --ranks ranks >/dev/null
	[[ $(grep -v '^##' ranks | cut -f 4-7 | sed 1d | sort -u) == $(printf '0.01\t0.01\t0\t0') ]]
}

@test "nodes of a stream take turns by priority, others run beside them" {
	two 'program id op stream time_s priority after' 'a 0 compute . 1e-6 . .' 'a 1 compute . 2e-6 . .' 'a 2 compute x 5e-6 . 3' \
		'a 3 compute . 4e-6 7 0' 'b 0 mark . . . .'
	# 0, then 3 before 1 by its priority, and 2 beside 1: 1 + 4 + 5 us
	[[ $(replay 2 | ps_of) == 10000000 ]]
	sed -i 's/\t7\t/\t-7\t/' x.graph
	[[ $(replay 2 | ps_of) == 12000000 ]]
	# ^3: 2 begins with 3
	sed -i 's/\t3$/\t^3/' x.graph
	[[ $(replay 2 | ps_of) == 8000000 ]]
}

@test "messages of one tag match in the order in which they begin, whatever their sizes" {
	two 'program id op bytes peer tag after' 'a 0 send 1000000 1 3 .' 'a 1 send 10 1 3 0' 'b 0 recv . 0 3 .' 'b 1 recv . 0 3 0' \
		'b 2 send 10 0 9 1' 'a 2 recv . 1 9 .'
	large=$(replay 2 | ps_of)
	replay 2 --iterations 3 | ps_of
	[[ $large -gt 22000000 ]]
}

@test "work becomes time at the rates of a GPU" {
	two 'program id op flops memory_bytes' 'a 0 compute 3e9 1e6' 'b 0 compute 1e9 6e6'
	[[ $(replay 2 -s gpu-flops=1e12 -s gpu-memory=2GB/s | ps_of) == 3000000000 ]]
	run -2 --separate-stderr replay 2 -s gpu-flops=1e12
	[[ ${stderr##*$'\n'} == *"x.graph:6: memory_bytes: "*"-s gpu-memory=BANDWIDTH" ]]
}

@test "ranks that wait for ever, and messages that nobody receives, are named by program and id" {
	two 'program id op bytes peer tag' 'a 3 send 8 1 5' 'b 7 mark . . .'
	run -2 --separate-stderr replay 2
	[[ ${stderr##*$'\n'} == "netsim: run .: job j: program a, id 3: rank 0 sends to rank 1, with tag 5, what that never receives" ]]
	[[ $output != *"##end"* ]]
	two 'program id op bytes peer tag' 'a 3 mark . . .' 'b 7 recv . 0 5'
	run -2 --separate-stderr replay 2
	[[ ${stderr##*$'\n'} == *"rank 1 waits in program b, id 7, for its message from rank 0, tag 5, which nobody sends" ]]
	two 'program id op bytes peer tag' 'a 3 mark . . .' 'b 7 recv . . .'
	run -2 --separate-stderr replay 2
	[[ ${stderr##*$'\n'} == *"id 7, for its message from any rank, any tag, which nobody sends" ]]
	two 'program id op bytes peer tag' 'a 3 send 2000 1 5' 'b 7 mark . . .'
	eager=1KiB run -2 --separate-stderr replay 2
	[[ ${stderr##*$'\n'} == *"rank 0 waits in program a, id 3, for its message to rank 1, tag 5, which nobody receives" ]]
	two 'program id op bytes peer tag after' 'a 0 recv . 1 1 .' 'a 1 barrier . . . 0' 'b 0 barrier . . . .' 'b 1 send 8 0 1 0'
	run -2 --separate-stderr replay 2
	[[ ${stderr##*$'\n'} == *"waits in program a, id 0, for its message from rank 1"* ]]
}

@test "a graph of other ranks than the job's, and an algorithm that does not do the operation, are refused" {
	two 'program id op' 'a 0 barrier' 'b 0 barrier'
	run -2 --separate-stderr replay 3
	[[ ${stderr##*$'\n'} == *"x.graph: the graph is of 2 ranks, the job has 3" ]]
	two 'program id op algorithm' 'a 0 barrier ring' 'b 0 barrier ring'
	run -2 --separate-stderr replay 2
	[[ ${stderr##*$'\n'} == *"x.graph: program a, id 0: algorithm: ring does no barrier" ]]
	two 'program id op algorithm' 'a 0 barrier rings' 'b 0 barrier rings'
	run -2 --separate-stderr replay 2
	[[ ${stderr##*$'\n'} == *"algorithm: "*"rings"* ]]
}

@test "receives of any rank and any tag take what comes first" {
	printf '##%s\n' placetools=graph/1 ranks=3 program=a:0 program=b:1-2 >x.graph
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' program id op bytes peer tag after a 0 recv . . . . a 1 recv . . . 0 b 0 send 50000 0 4 . >>x.graph
	[[ $(replay 3 | ps_of) -gt 2900000 ]]
}

@test "the same bytes with threads and partitions" {
	printf '##%s\n' placetools=graph/1 ranks=16 'group=t:0-7|8-15' 'group=d:0,8|1,9|2,10|3,11|4,12|5,13|6,14|7,15' program=s:0-15 >x.graph
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' program id op after time_s bytes group peer s 0 compute . 1e-5 . . . \
		s 1 allgather 0 . 20971520 t . s 2 reduce_scatter 1 . 5242880 d . s 3 compute 1 2e-4 . . . s 4 send 3 . 70000 t +1 \
		s 5 recv . . . t -1 s 6 allreduce 2,4,5 . 8 . . >>x.graph
	replay 16 --iterations 2 --ranks one >/dev/null
	replay 16 --iterations 2 --ranks many -j 2 --partitions 4 >/dev/null
	diff <(grep -v '^##command' one) <(grep -v '^##command' many)
}

@test "step-time, exposed and mfu of a replayed step, by hand" {
	two 'program id op after time_s' 'a 0 compute . 3e-3' 'a 1 barrier 0 .' 'b 0 compute . 1e-3' 'b 1 barrier 0 .'
	replay 2 --iterations 2 --ranks ranks >/dev/null
	evalmetrics -m step-time:steps=2 -m exposed:steps=2 -m mfu:flops=6e9,peak=4e12,steps=2 ranks | traceconv --to pretty:columns=[metric,value] >metrics
	# both end with the slower one, 3 ms a step; the second rank waits 2 of them; 6e9 / (3e-3 x 2 x 4e12) = 0.25
	awk 'function near(a, b) { return a > b * .998 && a < b * 1.002 } { v[$1] = $2 }
		END { exit !(near(v["step-time"], .003) && near(v["exposed"], .002) && near(v["mfu"], .25)) }' metrics
	run -2 --separate-stderr evalmetrics -m mfu:flops=6e9,peak=0 ranks
	[[ $stderr == *"mfu: peak: expected more than 0" ]]
}
