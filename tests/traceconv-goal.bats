#!/usr/bin/env bats
# traceconv-goal.bats - GOAL schedules of LogGOPSim: text, binary, and graphs both ways
load helper

GOAL=$ROOT/tests/formats/goal

@test "a schedule becomes what txt2bin writes, byte by byte, and comes back" {
	traceconv --to goal:form=binary "$GOAL/overlap2.goal" | cmp - "$GOAL/overlap2.bin"
	traceconv --to graph "$GOAL/overlap2.bin" >x.graph
	traceconv --to goal:form=binary x.graph | cmp - "$GOAL/overlap2.bin"
	traceconv --to goal "$GOAL/overlap2.bin" >x.goal
	traceconv --to goal:form=binary x.goal | traceconv --from goal --to goal | cmp - x.goal
	traceconv --to graph "$GOAL/overlap4.goal" | traceconv --to goal >y.goal
	traceconv --to graph y.goal | traceconv --to goal | cmp - y.goal
	grep -qx 's2 irequires c2' y.goal
}

@test "overlap takes LogGOPSim's time, for which a calc of another cpu is done when it begins" {
	topogen 'fattree:down=4,up=1,bandwidth=50GB/s,latency=500ns' -o switch.yaml
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\nj\t4\tn[0-3]\n' >x.jobs
	for calc in begun done; do
		traceconv --from goal:tick=20ps,calc=$calc --to graph "$GOAL/overlap4.goal" >x.graph
		netsim -t switch.yaml -p graph:path=x.graph -s packet=4096 -s header=0 -s input-buffer=4MiB -s eager=1GiB -s router-delay=0 x.jobs |
			grep -v '^##' | cut -f 4 | tail -1
	done >times
	# 350 000 ticks; by GOAL's own words the second message leaves at 4 us, comes at 7, and 1 us of work follows
	[[ $(cat times) == $'7e-06\n8e-06' ]]
}

@test "collectives become messages that take as long as they do" {
	topogen 'fattree:down=8,up=1,bandwidth=50GB/s,latency=500ns' -o switch.yaml
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\nj\t8\tn[0-7]\n' >x.jobs
	printf '##%s\n' placetools=graph/1 ranks=8 'group=g:0-3|7,6,5,4' program=a:0-7 >x.graph
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' program id op after time_s bytes group algorithm a 0 compute . 1e-6 . . . \
		a 1 allreduce 0 . 100000 g . a 2 allgather 0 . 65536 g ring a 3 compute ^1 2e-6 . . . a 4 alltoall 1,2,3 . 8000 . . >>x.graph
	for graph in x y; do
		[[ $graph == x ]] || traceconv --to goal:tick=1ps x.graph | traceconv --from goal:tick=1ps --to graph >y.graph
		netsim -t switch.yaml -p graph:path=$graph.graph -s input-buffer=4MiB -s eager=1GiB x.jobs | grep -v '^##' | cut -f 4 | tail -1
	done >times
	[[ $(sort -u times | wc -l) -eq 1 ]]
}

@test "comments, ranks in any order or missing, wildcards, options in any order" {
	printf 'num_ranks 4 // four\nrank 2 {\n l: recv 5b from -1 tag -1 /* any\n of them */\ncalc 7\nl irequires l2 }\n' >x.goal
	run -2 --separate-stderr traceconv --to graph x.goal
	[[ $stderr == "traceconv: x.goal:6: 'l2' is not a label above" ]]
	printf 'num_ranks 4 // four\nrank 2 {\n l: recv 5b from -1 tag -1 /* any\n of them */\nl2: calc 7 cpu 3\nl2 irequires l }\nrank 0 { send 5b to 2 nic 1 tag 9 cpu 2 }\n' >x.goal
	[[ $(traceconv --to graph x.goal | grep '^##program') == $'##program=rank2:2\n##program=rank0:0\n##program=idle:1,3' ]]
	traceconv --to goal x.goal | grep -qx 'l1: send 5b to 2 tag 9 cpu 2 nic 1'
	traceconv --to goal x.goal | grep -qx 'l: recv 5b from -1 tag -1'
}

# refused TEXT MESSAGE: one line, status 2
refused() {
	printf '%b' "$1" >bad.goal
	run -2 --separate-stderr traceconv --from goal --to graph bad.goal
	[[ $stderr == "traceconv: bad.goal$2" ]] || { echo "$stderr" && false; }
	[[ $output != *'##end'* ]]
}

@test "what is no schedule is refused with its line" {
	refused 'num_ranks 2\nrank 2 {}\n' ":2: '2', expected a whole number"
	refused 'num_ranks 2\nrank 0 {\n send 5b to 2\n}\n' ':3: rank 2 is not among the 2'
	refused 'num_ranks 2\nrank 0 {\n send 5 to 1\n}\n' ":3: '5', expected a size such as 1000b"
	refused 'num_ranks 2\nrank 0 {\n a: calc 1\n a: calc 2\n}\n' ":4: the label 'a' was there before"
	refused 'num_ranks 2\nrank 0 {\n a: calc 1\n' ':4: the end, expected }'
	refused 'num_ranks 2\nrank 0 { }\nrank 0 { }\n' ':3: rank 0 was there before'
	refused 'num_ranks 2\n/* x' ':2: a comment without */'
	refused 'ranks 2\n' ":1: 'ranks', expected num_ranks"
	head -c 700 "$GOAL/overlap2.bin" >short.goal
	run -2 --separate-stderr traceconv --from goal --to graph short.goal
	[[ $stderr == "traceconv: short.goal: rank 1: truncated" ]]
	(printf '\x26\x09\0\0\0\0\0\0'; tail -c +9 "$GOAL/overlap2.bin") >destroyed.goal
	run -2 --separate-stderr traceconv --from goal --to graph destroyed.goal
	[[ $stderr == *'save-mem'* ]]
	printf 'num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n' >cycle.goal
	run -2 --separate-stderr traceconv --to goal:form=binary cycle.goal
	[[ $stderr == *'program rank0, id '*': it waits for itself, in a cycle' ]]
}

@test "what is wrong with a whole graph names its file and line" {
	printf '##%s\n' placetools=graph/1 ranks=1 program=a:0 >x.graph
	printf '%s\t%s\t%s\t%s\n' program id op after a 5 mark 1 >>x.graph
	run -2 --separate-stderr traceconv --to goal x.graph
	[[ $stderr == "traceconv: x.graph:5: program a, id 5: after: there is no id 1" ]]
	[[ $output != *rank* ]]
}
