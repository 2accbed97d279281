#!/usr/bin/env bats
# allocate.bats - who gets which nodes, worked out by hand

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# three groups of two routers of four nodes: r0 has n0 … n3, r5 has n20 … n23
	export PLACETOOLS_TOPOLOGY=dragonfly:groups=3,routers=2,nodes=4
}

# traffic ROW…: time window router traffic stall
traffic() {
	echo '##placetools=traffic/1'
	printf '%s\n' "time_s window_s router traffic_flits_per_s stall_per_s" "$@" | tr ' ' '\t'
}

# nodes_of FILE: the nodelists, in one line
nodes_of() {
	grep -v '^##' "$1" | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "nodelist") c = i; next } { print $c }' | paste -sd' '
}

@test "every policy's example places a job, and the same seed the same way" {
	traffic "120 120 r0 5 1" >traffic.tsv
	stream jobs "job nodes nodelist" "a 3 n[4-6]" >placed.tsv
	stream jobs "job nodes" "a 3" >jobs.tsv
	stream comm "src dst bytes" "0 1 9" "1 2 9" >ring.tsv
	while read -r policy; do
		allocate -p "$policy" --traffic traffic.tsv --no-provenance jobs.tsv >one.tsv
		allocate -p "$policy" --traffic traffic.tsv --no-provenance jobs.tsv | cmp - one.tsv
		[[ $(nodes_of one.tsv) != . ]]
		placecheck one.tsv
	done < <(examples_of allocate policies)
}

@test "NeDD: quiet routers for sensitive jobs, busy ones for insensitive ones, worked out by hand" {
	# r2 and r4 tie, r5 has no sample: it is last in both orders
	traffic "120 120 r0 300 0" "120 120 r1 50 0" "120 120 r2 100 0" "120 120 r3 900 0" "120 120 r4 100 0" >traffic.tsv
	stream jobs "job nodes class" "s 6 network-sensitive" "i 6 network-insensitive" "t 7 network-sensitive" >jobs.tsv
	allocate -p nedd --traffic traffic.tsv jobs.tsv >out.tsv
	# quiet: r1 (n4-7), then r2 (n8, n9); busy: r3 (n12-15), r0 (n0, n1); then r2, r4, r0
	[[ $(nodes_of out.tsv) == "n[4-9] n[12-15,0-1] n[10-11,16-19,2]" ]]
	stream jobs "job nodes class" "i 24 network-insensitive" >jobs.tsv
	allocate -p nedd --traffic traffic.tsv jobs.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[12-15,0-3,8-11,16-19,4-7,20-23]" ]]
	allocate -p nedd:unsampled=first --traffic traffic.tsv jobs.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[20-23,12-15,0-3,8-11,16-19,4-7]" ]]
}

@test "low-traffic, high-traffic, low-stall: by what the routers carry, then by label" {
	traffic "120 120 r0 30 1" "120 120 r1 10 9" "120 120 r2 20 0" "120 120 r3 20 0" "120 120 r4 40 5" "120 120 r5 0 7" >traffic.tsv
	stream jobs "job nodes" "a 24" >jobs.tsv
	allocate -p low-traffic --traffic traffic.tsv jobs.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[20-23,4-15,0-3,16-19]" ]]
	allocate -p high-traffic --traffic traffic.tsv jobs.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[16-19,0-3,8-15,4-7,20-23]" ]]
	allocate -p low-stall --traffic traffic.tsv jobs.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[8-15,0-3,16-23,4-7]" ]]
}

@test "policies that go by traffic never go by the label alone without a word" {
	stream jobs "job nodes class" "a 4 network-sensitive" >jobs.tsv
	printf '##placetools=traffic/1\ntime_s\twindow_s\trouter\ttraffic_flits_per_s\n120\t120\tr0\t5\n' >no-stalls.tsv
	run -2 --separate-stderr allocate -p low-stall --traffic no-stalls.tsv jobs.tsv
	[[ $stderr == "allocate: --traffic: no router has a value of stall_per_s, which the policy low-stall goes by" && $output != *"##end"* ]]
	traffic "120 120 r0 . 1" "120 120 r1 . 2" >no-flits.tsv
	for policy in nedd low-traffic high-traffic; do
		run -2 --separate-stderr allocate -p $policy --traffic no-flits.tsv jobs.tsv
		[[ $stderr == "allocate: --traffic: no router has a value of its traffic, which the policy $policy goes by" ]]
	done
	allocate -p low-stall --traffic no-flits.tsv jobs.tsv >out.tsv
	# only the busy routers were seen
	traffic "120 120 r0 5 1" >one.tsv
	allocate -p nedd --explain --idle 'n[8-23]' --traffic one.tsv jobs.tsv >out.tsv
	grep -q 'sensitive: quiet, no sample' out.tsv
	allocate -p low-traffic --explain --idle 'n[8-23]' --traffic one.tsv jobs.tsv >out.tsv
	grep -q 'no sample' out.tsv
	allocate -p nedd --explain --idle 'n[0-23]' --traffic one.tsv jobs.tsv >out.tsv
	run ! grep -q 'no sample' out.tsv
	# a window of eleven days ago; an hour is the least age that is refused by default
	stream jobs "job nodes class submit_s runtime_s" "a 4 network-sensitive 950520 10" >later.tsv
	for policy in nedd low-traffic low-stall; do
		run -0 --separate-stderr allocate -p $policy -q easy --explain --traffic one.tsv later.tsv
		[[ $output == *"the newest window of traffic is older than max-age"* && $stderr == *"1 of 1 jobs could not be placed"* ]]
	done
	allocate -p nedd:max-age=11d -q easy --traffic one.tsv later.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[0-3]" ]]
	for late in 11999:n[0-3] 12001:n[0-3] 12121:.; do # a hundred windows of 120 s after the end at 120
		stream jobs "job nodes class submit_s runtime_s" "a 4 network-sensitive ${late%%:*} 10" |
			allocate -p nedd -q easy --traffic one.tsv >out.tsv
		[[ $(nodes_of out.tsv) == "${late#*:}" ]]
	done
	# fresh when the job comes, old when nodes are given back: it waits; conservative decides when it promises
	stream jobs "job nodes class submit_s runtime_s" "x 24 network-sensitive 200 20000" "a 4 network-sensitive 300 10" "b 4 network-sensitive 400 10" >late.tsv
	for queue in fcfs easy easy:reserve=nodes; do
		timeout 20 allocate -p nedd -q $queue --traffic one.tsv late.tsv >out.tsv
		[[ $(nodes_of out.tsv) == "n[0-23] . ." ]]
	done
	for queue in conservative conservative:reserve=nodes; do
		timeout 20 allocate -p nedd -q $queue --traffic one.tsv late.tsv >out.tsv
		[[ $(nodes_of out.tsv) == "n[0-23] n[0-3] n[4-7]" ]]
	done
	# a newer window that comes is waited for
	traffic "120 120 r0 5 1" "960000 120 r1 5 1" >two.tsv
	allocate -p nedd -q easy --traffic two.tsv later.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[4-7]" ]]
	allocate -p nedd -q easy --traffic two.tsv later.tsv | mlr --itsv --onidx --skip-comments cut -f start_s | grep -qx 960000
}

@test "nedd:smooth places by the sensitivity along the order from quiet to busy" {
	traffic "1 1 r0 6 0" "1 1 r1 5 0" "1 1 r2 4 0" "1 1 r3 3 0" "1 1 r4 2 0" "1 1 r5 1 0" >traffic.tsv
	# 24 idle, 4 wanted: places 0, round(.5 * 20) = 10, round(.95 * 20) = 19, 20
	for row in "1 n[20-23]" ".5 n[14-15,8-9]" ".05 n[7,0-2]" "0 n[0-3]"; do
		read -r sensitivity wanted <<<"$row"
		stream jobs "job nodes sensitivity" "a 4 $sensitivity" | allocate -p nedd:smooth --traffic traffic.tsv >out.tsv
		[[ $(nodes_of out.tsv) == "$wanted" ]]
	done
}

@test "a decision sees the newest window that has ended by then, and none before the first" {
	traffic "100 100 r0 9 0" "100 100 r1 1 0" "200 100 r0 1 0" "200 100 r1 9 0" >traffic.tsv
	stream jobs "job nodes submit_s runtime_s" "early 1 99.9 1" "a 1 100 1" "b 1 199.999 1" "c 1 200 1" >jobs.tsv
	run --separate-stderr allocate -p low-traffic --traffic traffic.tsv jobs.tsv
	[[ $status -eq 0 && $stderr == "allocate: 1 of 4 jobs could not be placed" ]]
	echo "$output" >out.tsv
	[[ $(nodes_of out.tsv) == ". n4 n4 n0" ]]
	# without times: the newest of all
	stream jobs "job nodes" "a 1" | allocate -p low-traffic --traffic traffic.tsv >out.tsv
	[[ $(nodes_of out.tsv) == n0 ]]
}

@test "fewer-router: routers with most idle nodes first, counted once, the lowest among equals" {
	stream jobs "job nodes" "a 7" | allocate -p fewer-router --idle 'n[0-1,4-6,9-11,12-15,23]' >out.tsv
	[[ $(nodes_of out.tsv) == "n[12-15,4-6]" ]]
	stream jobs "job nodes" "a 9" | allocate -p fewer-router --idle 'n[0-1,4-6,9-11,12-15,23]' >out.tsv
	[[ $(nodes_of out.tsv) == "n[12-15,4-6,9-10]" ]]
}

@test "Level-Spread: Figure 3 of the paper, and its adverse example on 272 nodes" {
	stream jobs "job nodes" "1 4" "2 8" "3 54" | allocate -t dragonfly:groups=9,routers=4,nodes=4 -p level-spread >out.tsv
	[[ $(nodes_of out.tsv | cut -d' ' -f1-2) == "n[0-3] n[16,20,24,28,17,21,25,29]" ]]
	# the third job has six nodes in each of the nine groups
	nodes_of out.tsv | cut -d' ' -f3 | tr -d 'n[]' | tr ',' '\n' | awk '{ n[int($1 / 16)]++ } END { for (g = 0; g < 9; g++) if (n[g] != 6) exit 1 }'
	stream jobs "job nodes" "1 50" "2 15" | allocate -t @level-spread-272 -p level-spread >out.tsv
	nodes_of out.tsv | cut -d' ' -f2 | grep -x 'n\[3,19,35,51,67,83,99,115,131,147,163,179,195,211,227\]'
}

@test "running jobs are booked as they stand, and give their nodes back when they end" {
	stream jobs "job nodes submit_s runtime_s start_s end_s nodelist" \
		"new 2 10 5 . . ." "run 2 0 . 0 20 n[0-1]" "late 3 20 5 . . ." "for-ever 1 0 . . . n2" >jobs.tsv
	allocate --no-provenance jobs.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[3-4] n[0-1] n[0-1,3] n2" ]]
	grep -P '^new\t2\t10\t5\t10\t15\t' out.tsv
	grep -P '^run\t2\t0\t\.\t0\t20\tn\[0-1\]\t\.$' out.tsv
	# under --idle a booked node is busy because of that job, and idle when it ends
	stream jobs "job nodes submit_s start_s end_s nodelist" "run 2 0 0 20 n[0-1]" "a 3 10 . . ." "b 3 20 . . ." >jobs.tsv
	run --separate-stderr allocate --idle n2 jobs.tsv
	echo "$output" >out.tsv
	[[ $(nodes_of out.tsv) == "n[0-1] . n[0-2]" ]]
}

@test "two bookings of a node at one time are refused, one after the other are not" {
	stream jobs "job nodes start_s end_s nodelist" "a 1 0 10 n3" "b 1 9.5 20 n3" >jobs.tsv
	run -2 --separate-stderr allocate jobs.tsv
	[[ $stderr == "allocate: jobs.tsv:4: jobs a and b have the node n3 at the same time" ]]
	[[ $output != *'##end'* ]]
	stream jobs "job nodes start_s end_s nodelist" "a 1 0 10 n3" "b 1 10 20 n3" | allocate >out.tsv
	[[ $(nodes_of out.tsv) == "n3 n3" ]]
}

@test "jobs that end make room; what finds none keeps its row" {
	stream jobs "job nodes submit_s runtime_s" "a 20 0 10" "b 5 5 10" "c 5 10 10" "d 25 11 1" >jobs.tsv
	run --separate-stderr allocate --explain jobs.tsv
	[[ $status -eq 0 && $stderr == "allocate: 2 of 4 jobs could not be placed" ]]
	echo "$output" >out.tsv
	[[ $(nodes_of out.tsv) == "n[0-19] . n[0-4] ." ]]
	grep -P '^b\t.*\t5 nodes requested, 4 idle$' out.tsv
	grep -P '^d\t.*\t25 nodes requested, 19 idle$' out.tsv
}

@test "each run starts on the machine as it was given" {
	stream jobs "run job nodes" "1 a 20" "1 b 4" "2 a 20" "2 b 4" | allocate >out.tsv
	[[ $(nodes_of out.tsv) == "n[0-19] n[20-23] n[0-19] n[20-23]" ]]
	stream jobs "run job nodes start_s end_s nodelist" "1 a 2 0 9 n[0-1]" "1 b 1 . . ." "2 b 1 . . ." | allocate --idle 'n[2-5]' >out.tsv
	[[ $(nodes_of out.tsv) == "n[0-1] n2 n2" ]]
}

@test "random draws are keyed by seed, run and job: another job moves no other draw" {
	stream jobs "job nodes" "a 5" "b 5" | allocate -p random >ab.tsv
	stream jobs "run job nodes" "1 b 5" "2 b 5" | allocate -p random >runs.tsv
	stream jobs "job nodes" "b 5" | allocate -p random >b.tsv
	stream jobs "job nodes" "b 5" | allocate -p random --seed 2 >b2.tsv
	[[ $(nodes_of b.tsv) != "$(nodes_of b2.tsv)" ]]
	read -r one two <<<"$(nodes_of runs.tsv)"
	[[ $one != "$two" ]]
	stream jobs "job nodes" "a 5" | allocate -p random >a.tsv
	[[ $(nodes_of ab.tsv | cut -d' ' -f1) == "$(nodes_of a.tsv)" ]]
}

@test "random nodes are evenly spread: 2 400 draws of one node of 24" {
	for ((i = 0; i < 2400; i++)); do echo "$i j 1"; done | tr ' ' '\t' >rows
	{ printf '##placetools=jobs/1\nrun\tjob\tnodes\n' && cat rows; } | allocate -p random >out.tsv
	# chi-square with 23 degrees of freedom: 49.7 is passed once in a thousand
	grep -v '^##' out.tsv | tail -n +2 | cut -f 6 | sort | uniq -c |
		awk '{ x += ($1 - 100) ^ 2 / 100; n++ } END { exit n != 24 || x > 49.7 }'
}

@test "--nodes: only idle ones with role compute or both are given out" {
	printf '##placetools=nodes/1\nnode\tstate\trole\nn1\tidle\tcompute\nn2\tdown\t.\nn3\tidle\tio\nn4\t.\tboth\nn5\tallocated\t.\nn6\tidle\t.\n' >nodes.tsv
	stream jobs "job nodes" "a 3" | allocate --nodes nodes.tsv >out.tsv
	[[ $(nodes_of out.tsv) == "n[1,4,6]" ]]
	printf '##placetools=nodes/1\nnode\nn99\n' >nodes.tsv
	run -2 --separate-stderr allocate --strict --nodes nodes.tsv out.tsv
	[[ $stderr == "allocate: nodes.tsv:3: node: 'n99' is not a node of "* ]]
}

@test "what can't be is refused with its reason" {
	stream jobs "job nodes" "a 3" >jobs.tsv
	run -2 --separate-stderr allocate -p nedd jobs.tsv
	[[ $stderr == "allocate: the policy nedd needs --traffic" ]]
	run -2 --separate-stderr allocate -t ring:nodes=8 -p rrn jobs.tsv
	[[ $stderr == *"are in no groups" ]]
	run -2 --separate-stderr allocate --nodes jobs.tsv jobs.tsv
	[[ $stderr == "allocate: jobs.tsv:"*"expected"* ]]
	stream jobs "job nodes nodelist" "a 3 n[0-1]" >jobs.tsv
	run -2 --separate-stderr allocate jobs.tsv
	[[ $stderr == "allocate: jobs.tsv:3: nodelist: has 2 nodes, the job asks for 3" ]]
	stream jobs "job nodes nodelist" "a 2 n[0-99]" >jobs.tsv
	run -2 --separate-stderr allocate jobs.tsv
	[[ $stderr == "allocate: jobs.tsv:3: nodelist: "* ]]
}

@test "file: the answer of another program, where its nodes are idle" {
	stream jobs "job nodes nodelist" "a 2 n[7,3]" "b 1 n3" >answers.tsv
	stream jobs "job nodes" "a 2" "b 1" "c 1" >jobs.tsv
	run --separate-stderr allocate -p file:path=answers.tsv --explain jobs.tsv
	[[ $status -eq 0 && $stderr == "allocate: 2 of 3 jobs could not be placed" ]]
	echo "$output" >out.tsv
	[[ $(nodes_of out.tsv) == "n[7,3] . ." ]]
	[[ $output == *"n3 is not idle"* && $output == *"the file places no such job"* ]]
}

@test "a machine that is found wrong late is refused by every tool" {
	printf '%s\n' 'placetools: topology/1' 'topology: mesh' 'parameters: {dims: 2x2}' 'io: [x]' >late.yaml
	stream jobs "job nodes nodelist" "a 1 n0" >jobs.tsv
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t5\n' >comm.tsv
	refused() {
		run -2 --separate-stderr "$@"
		[[ $stderr == *": late.yaml:4: "* ]]
		[ -z "$output" ]
	}
	refused allocate -t late.yaml jobs.tsv
	refused netsim -t late.yaml jobs.tsv
	refused mapref -t late.yaml -g comm.tsv
	refused placecheck -t late.yaml jobs.tsv
	refused evalmetrics -t late.yaml -m hops jobs.tsv
	refused topogen late.yaml
	refused jobgen -t late.yaml level-spread
}

@test "the machine that a stream names is a regular file, and what else it is is not shown" {
	unset PLACETOOLS_TOPOLOGY
	mkdir here elsewhere
	mkfifo here/pipe
	echo 'secret: 1' | tee here/secret.yaml >elsewhere/secret.yaml
	try() {
		printf '##placetools=jobs/1\n##topology=%s 5f3a91c20c6e77b1\njob\tnodes\na\t1\n' "$1" >here/jobs.tsv
		run -2 --separate-stderr allocate here/jobs.tsv
	}
	for path in pipe /dev/null /dev/zero .; do
		try "$path"
		[[ $stderr == "allocate: here/jobs.tsv:2: ##topology: "*": is not a regular file"* ]]
	done
	try secret.yaml
	[[ $stderr == *"here/secret.yaml:1: "* ]]
	try ../elsewhere/secret.yaml
	[[ $stderr == "allocate: here/jobs.tsv:2: ##topology: here/../elsewhere/secret.yaml: is not a topology: -t says which machine it is" ]]
	# a machine elsewhere is taken, as its hash says which it is
	topogen ring:nodes=4 -o elsewhere/m.yaml
	(cd here && printf '##placetools=jobs/1\njob\tnodes\na\t1\n' | allocate -t ../elsewhere/m.yaml | placecheck)
}
