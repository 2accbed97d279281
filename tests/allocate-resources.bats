# allocate and placecheck count CPUs, GPUs and memory of nodes: parts of nodes, whole nodes, features counted.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
}

lists() { column nodelist < "$1" | tr '\n' ' '; }

# Four nodes of 8 CPUs: n1 has four A100, n2 two V100 and a job of four CPUs that nobody lists.
four_nodes() {
	stream nodes 'node state cpus gpus gpu_type memory_bytes cpus_used memory_used_bytes' 'n0 idle 8 . . 100 0 0' 'n1 idle 8 4 a100 100 0 0' \
		'n2 mixed 8 2 v100 100 4 60' 'n3 idle 8 . . 100 0 0' > nodes.tsv
}

@test "jobs that share get parts of nodes: what is in use first, never more than there is" {
	four_nodes
	stream jobs 'job nodes cpus gpus gpu_type memory_bytes exclusive' 'a 1 4 . . 30 no' 'b 1 4 . . 50 no' 'c 1 4 . . 50 no' 'd 1 1 4 a100 1 no' \
		'e 1 1 1 a100 1 no' 'f 1 1 1 v100 20 no' 'g 2 2 . . 100 no' 'h 1 8 . . . .' 'i 1 9 . . . .' 'k 1 1 1 mi300 . no' > j.tsv
	allocate --quiet -t line:nodes=4 --nodes nodes.tsv --explain j.tsv > o.tsv
	# a fills n2, which has four CPUs left, b and c share n0; f finds no CPU beside the V100 any more
	[ "$(lists o.tsv)" = 'n2 n0 n0 n1 . . n[1,3] . . . ' ]
	[ "$(column reason < o.tsv | sed -n 6p)" = '1 nodes requested, 0 of those it may have offer enough' ]
	[ "$(column reason < o.tsv | sed -n 8p)" = '1 nodes requested, 0 of those it may have are idle' ]
	placecheck --nodes nodes.tsv o.tsv
	# without the nodes' CPUs nothing is counted, and jobs get whole nodes
	stream nodes 'node state' 'n0 idle' 'n1 idle' > plain.tsv
	[ "$(allocate --quiet -t line:nodes=4 --nodes plain.tsv <(head -n 4 j.tsv) | column nodelist | tr '\n' ' ')" = 'n0 n1 ' ]
}

@test "whole nodes must have what a job asks for" {
	four_nodes
	stream jobs 'job nodes cpus gpus gpu_type memory_bytes' 'a 1 . 2 . .' 'b 1 . . . 101' 'c 1 8 . . 100' 'd 1 . 1 v100 .' > j.tsv
	allocate --quiet -t line:nodes=4 --nodes nodes.tsv j.tsv > o.tsv
	[ "$(lists o.tsv)" = 'n1 . n0 . ' ]
	placecheck --nodes nodes.tsv o.tsv
}

@test "queues count parts of nodes over time, and a promise is kept" {
	stream nodes 'node cpus' 'n0 8' 'n1 8' 'n2 8' 'n3 8' > nodes.tsv
	stream jobs 'job submit_s nodes cpus runtime_s exclusive' 'a 0 4 24 10 no' 'b 1 2 16 5 yes' 'c 2 2 8 20 no' 'd 3 1 2 3 no' 'e 4 1 2 30 no' > j.tsv
	for queue in none fcfs easy level-fit conservative; do
		allocate --quiet -t line:nodes=4 --nodes nodes.tsv -q $queue j.tsv > o.tsv
		placecheck --nodes nodes.tsv o.tsv
	done
	# d and e overtake beside a: d ends before it, e leaves the first job of the queue its nodes
	allocate -t line:nodes=4 --nodes nodes.tsv -q easy j.tsv > o.tsv
	[ "$(column start_s < o.tsv | tr '\n' ' ')" = '0 10 10 3 4 ' ]
	[ "$(lists o.tsv)" = 'n[0-3] n[0,2] n[1,3] n0 n1 ' ]
	run -0 --separate-stderr allocate -t line:nodes=4 --nodes nodes.tsv -q conservative j.tsv
	[ "$stderr" = 'allocate: -q conservative plans with whole nodes: jobs that could share nodes get whole ones' ]
	run -2 --separate-stderr allocate -t line:nodes=4 --nodes nodes.tsv -q easy:reserve=nodes j.tsv
	[[ $stderr == *'reserve=nodes does not count parts of nodes'* ]]
}

@test "jobs that came with parts of nodes leave the rest to others; a suspended one keeps its memory" {
	stream nodes 'node state cpus memory_bytes cpus_used memory_used_bytes' 'n0 mixed 8 100 6 70' 'n1 idle 8 100 0 0' > nodes.tsv
	stream jobs 'job submit_s nodes cpus memory_bytes exclusive state runtime_s start_s end_s nodelist' 'a 0 1 4 40 . running . 0 10 n0' 'b 0 1 2 30 . running . 0 20 n0' \
		'c 1 1 3 10 no . 5 . . .' 'd 2 1 2 40 no . 5 . . .' 'e 3 1 6 . no . 4 . . .' 'f 4 2 . . . . 1 . . .' > j.tsv
	allocate --quiet -t line:nodes=2 --nodes nodes.tsv -q fcfs j.tsv > o.tsv
	[ "$(lists o.tsv)" = 'n0 n0 n1 n1 n1 n[0-1] ' ]
	[ "$(column start_s < o.tsv | tr '\n' ' ')" = '0 0 1 2 6 20 ' ]
	placecheck --nodes nodes.tsv o.tsv
	sed -i 's/6\t70/2\t70/' nodes.tsv
	sed -i 's/^\(a.*\)running/\1suspended/; s/^c\t1\t1\t3/c\t1\t1\t6/' j.tsv
	[ "$(allocate --quiet -t line:nodes=2 --nodes nodes.tsv -q fcfs j.tsv | column nodelist | sed -n 3p)" = n0 ]
}

@test "placecheck counts with lists, types and totals" {
	four_nodes
	stream jobs 'job nodes cpus gpus gpu_type memory_bytes exclusive nodelist policy start_s end_s' 'a 1 4 . . 60 no n0 x 0 2' 'b 1 5 . . 50 no n0 x 1 2' \
		'c 1 1 3 v100 . no n1 x 0 1' 'd 1 1 3 a100 . no n1 x 0 1' 'e 1 1 . . . no n0 x 2 3' 'f 1 5 . . 41 no n2 x 2 3' 'g 1 4 . . 30 yes n0 x 2 3' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[ "$stderr" = 'placecheck: b.tsv:9: nodelist: job g has n0 while job e does (line 7, it ends: 3)
placecheck: b.tsv:4: nodelist: with job b, 9 of 8 CPUs of n0 are used
placecheck: b.tsv:4: nodelist: with job b, 110 of 100 bytes of memory of n0 are used
placecheck: b.tsv:5: nodelist: with job c, 3 of 0 GPUs of its type of n1 are used
placecheck: b.tsv:6: nodelist: with job d, 6 of 4 GPUs of n1 are used
placecheck: b.tsv:8: nodelist: with job f, 9 of 8 CPUs of n2 are used
placecheck: b.tsv:8: nodelist: with job f, 101 of 100 bytes of memory of n2 are used' ]
	# jobs that came with their nodes may have cores twice (OverSubscribe=FORCE), memory never
	stream jobs 'job nodes cpus memory_per_node_bytes nodelist' 'a 2 16 90,20 n[0,3]' 'b 2 16 10,81 n[0,3]' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[ "$stderr" = 'placecheck: b.tsv:4: nodelist: with job b, 101 of 100 bytes of memory of n3 are used' ]
	# also beside jobs that a policy placed elsewhere; beside one on that node they count
	stream jobs 'job nodes cpus nodelist policy exclusive start_s end_s' 'a 1 8 n0 . . 0 9' 'b 1 8 n0 . . 0 9' 'c 1 8 n3 x no 1 2' > b.tsv
	run -0 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	sed 's/n3/n0/' b.tsv > c.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv c.tsv
	[[ $stderr == *'c.tsv:5: nodelist: with job c, 24 of 8 CPUs of n0 are used' ]]
	stream jobs 'job nodes cpus cpus_per_node nodelist' 'a 2 16 8(x3) n[0,3]' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[ "$stderr" = "placecheck: b.tsv:3: cpus_per_node: '8(x3)' has numbers for more than 2 nodes" ]
	run -2 --separate-stderr allocate -t line:nodes=4 --nodes nodes.tsv <(stream jobs 'job nodes cpus_per_node' 'a 2 8(x')
	[[ $stderr == *":3: cpus_per_node: '8(x' is not a list of numbers like 8(x2),4" ]]
}

@test "features are counted, weights and reservations obeyed" {
	stream nodes 'node features weight reservation state' 'n0 a 2 . idle' 'n1 a,b 1 . idle' 'n2 b 1 . idle' 'n3 b 3 . idle' 'n4 . 1 course reserved' 'n5 . 1 . planned' > nodes.tsv
	stream jobs 'job nodes features reservation' 'a 3 [a*1&b*2] .' 'b 1 . course' 'c 1 . other' > j.tsv
	allocate --quiet -t line:nodes=6 --nodes nodes.tsv j.tsv > o.tsv
	[ "$(lists o.tsv)" = 'n[0-2] n4 . ' ]
	placecheck --nodes nodes.tsv o.tsv
	# light nodes first, before the policy's order; the rest of a count may be any
	stream jobs 'job nodes features' 'a 2 .' 'b 1 .' 'c 2 b*1' > j.tsv
	allocate --quiet -t line:nodes=6 --nodes nodes.tsv j.tsv > o.tsv
	[ "$(lists o.tsv)" = 'n[1-2] n5 n[3,0] ' ]
	placecheck --nodes nodes.tsv o.tsv
	stream jobs 'job nodes features policy nodelist' 'a 3 [a*2&b*2] x n[0,2-3]' 'b 1 . x n4' 'c 2 a|b x n[1-2]' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[ "$stderr" = 'placecheck: b.tsv:3: nodelist: 1 of its nodes have the features a, expected 2
placecheck: b.tsv:4: nodelist: n4 is reserved for course
placecheck: b.tsv:5: nodelist: job c has n2 while job a does (line 3, it ends: never)' ]
	run -0 --separate-stderr allocate -t line:nodes=6 --nodes nodes.tsv --explain <(stream jobs 'job nodes features' 'a 2 [a*2&b*2]' 'b 2 a*x' 'c 6 a*3')
	[ "$(column reason <<< "$output" | tr '\n' ';')" = "features '[a*2&b*2]' count 4 nodes of 2;features 'a*x' are not understood;6 nodes requested, 5 of those it may have are idle;" ]
}

@test "a log replayed with parts of nodes: jobs share as they did" {
	stream nodes 'node cpus' 'n0 8' 'n1 8' > nodes.tsv
	stream jobs 'job submit_s nodes cpus start_s end_s nodelist' 'a 0 1 4 0 10 n0' 'b 0 1 4 0 10 n0' 'c 0 1 4 0 10 n1' > j.tsv
	allocate --quiet -t line:nodes=2 --nodes nodes.tsv -q fcfs --replay j.tsv > o.tsv
	[ "$(lists o.tsv)" = 'n0 n0 n1 n0 n0 n1 ' ]
	[ "$(column exclusive < o.tsv | tr '\n' ' ')" = '. . . no no no ' ]
	placecheck --nodes nodes.tsv o.tsv
}

@test "replayed jobs that still ran end with the log; nodes that were busy in the morning were the log's" {
	stream nodes 'node state cpus cpus_used' 'n0 allocated 8 8' 'n1 mixed 8 3' 'n2 drained 8 0' > nodes.tsv
	stream jobs 'job submit_s nodes start_s end_s state nodelist' 'a 0 1 5 . running n0' 'b 1 1 6 9 completed n1' 'c 2 1 20 30 completed n1' > j.tsv
	run -0 --separate-stderr allocate -t line:nodes=3 --nodes nodes.tsv -q fcfs --replay j.tsv
	[ "$stderr" = 'allocate: 1 jobs have no end: taken as the last time of the log' ]
	cat > o.tsv <<< "$output"
	[ "$(tail -n 4 o.tsv | head -n 3 | cut -f 1,4,5,7 | tr '\t\n' ' ;')" = 'a 0 25 n0;b 1 4 n1;c 4 14 n1;' ]
	placecheck --nodes nodes.tsv o.tsv
}

@test "OverSubscribe: so many jobs have one CPU, memory never; who shares CPUs stands apart" {
	stream nodes 'node partitions oversubscribe cpus memory_bytes' 'n0 f,x force:2,exclusive 4 100' 'n1 f,y force:2,yes:2 4 100' 'n2 y,x yes:2,exclusive 4 100' > nodes.tsv
	stream jobs 'job nodes cpus memory_bytes partition exclusive oversubscribe' 'a 1 4 40 f . .' 'b 1 4 40 f yes .' 'c 1 1 30 f no .' 'd 1 3 10 y no yes' \
		'e 1 3 10 y no yes' 'f 1 1 10 y no no' 'g 1 1 1 y no yes' 'h 1 4 1 y no yes' 'i 1 1 1 x no no' 'k 1 2 1 x,f . .' > j.tsv
	allocate --quiet -t line:nodes=3 --nodes nodes.tsv j.tsv > o.tsv
	# a and b both have the four CPUs of n0; c has one of n1, and d and e the other three, since their partition is another
	# one; f has a CPU of n2 alone, so that neither g nor h come there; k finds rows of f full, and no whole node
	[ "$(lists o.tsv)" = 'n0 n0 n1 n1 n1 n2 . . . . ' ]
	# of two partitions the one that it got its node in
	stream jobs 'job nodes cpus partition exclusive' 'a 1 4 y,f no' 'b 1 4 y,f no' 'c 1 4 x,f no' 'd 1 4 x,f no' > two.tsv
	allocate --quiet -t line:nodes=3 --nodes nodes.tsv two.tsv > two.out
	[ "$(lists two.out)" = 'n1 n2 n0 . ' ]
	[ "$(column partition < two.out | tr '\n' ' ')" = 'y y x x,f ' ]
	placecheck --nodes nodes.tsv two.out
	placecheck --nodes nodes.tsv o.tsv
	# a referee: three of four CPUs by two rows of five and four are one too many, two are not
	stream jobs 'job nodes cpus partition nodelist start_s end_s' 'a 1 4 f n0 0 9' 'b 1 3 f n0 0 9' 'c 1 1 f n0 0 5' 'd 1 1 f n0 4 9' 'e 1 1 f n0 5 9' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[ "$stderr" = 'placecheck: b.tsv:6: nodelist: with job d, 5 of 4 CPUs of n0 are used
placecheck: b.tsv:7: nodelist: with job e, 5 of 4 CPUs of n0 are used' ]
	stream jobs 'job nodes cpus partition exclusive oversubscribe nodelist policy' 'a 1 2 y no yes n2 p' 'b 1 2 y no no n2 p' 'c 1 3 y no yes n2 p' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[ "$stderr" = 'placecheck: b.tsv:5: nodelist: with job c, 5 of 4 CPUs of n2 are used' ]
	# jobs with whole nodes by their partition
	stream jobs 'job nodes cpus partition exclusive nodelist policy' 'a 1 1 x no n0 p' 'b 1 1 x no n0 p' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[[ $stderr == *'job b has n0 while job a does'* ]]
	for word in sometimes force:0 no:2 force:2,yes; do
		stream nodes 'node partitions oversubscribe cpus' "n0 f $word 4" > bad.tsv
		run -2 --separate-stderr allocate -t line:nodes=3 --nodes bad.tsv j.tsv
		[[ $stderr == 'allocate: bad.tsv:3: oversubscribe: '* ]]
	done
	stream nodes 'node partitions oversubscribe cpus' "n0 f no 4" "n1 f force:2 4" > bad.tsv
	run -2 --separate-stderr allocate -t line:nodes=3 --nodes bad.tsv j.tsv
	[[ $stderr == *'bad.tsv:4: oversubscribe: a node before shares the partition f otherwise' ]]
}

@test "jobs want few leaf switches, and wait for them as long as they say" {
	# three leaf switches of four nodes: a holds half of each; b and c want one switch
	stream jobs 'job submit_s nodes runtime_s leaf_switches switch_wait_s nodelist start_s end_s' 'a 0 6 20 . . n[0-1,4-5,8-9] 0 20' 'b 1 4 5 1 . . . .' > j.tsv
	stream jobs header 'c 2 3 50 1 6 . . .' 'd 3 3 9 2 100 . . .' 'f 5 4 4 2 0 . . .' 'e 9 1 9 1 100 . . .' | tail -n +3 >> j.tsv
	for queue in fcfs easy conservative level-fit; do
		allocate --quiet -t tree:arity=4x3 -q $queue j.tsv > o.tsv
		placecheck o.tsv
		awk -F'\t' '$1 == "b" && $8 < 20 { exit 1 }' o.tsv
	done
	allocate --quiet -t tree:arity=4x3 -q level-fit --explain j.tsv > o.tsv
	# b has a whole switch when a, e and f have ended, c takes any nodes from 8 on, d finds two switches at once; f waits for nodes alone
	[ "$(column start_s < o.tsv | tr '\n' ' ')" = '0 24 8 3 20 12 ' ]
	[ "$(lists o.tsv | cut -d ' ' -f 3,4)" = 'n[7,10-11] n[2-3,6]' ]
	[[ $(column reason < o.tsv | sed -n 2p) == 'waited: 4 nodes requested, in no 1 leaf switches; '* ]]
	# without a queue a job that would have to wait gets none; with nothing to wait for it takes any
	stream jobs 'job nodes leaf_switches switch_wait_s' 'a 5 1 60' 'b 5 1 0' 'c 5 2 60' > j.tsv
	allocate --quiet -t tree:arity=4x3 j.tsv > o.tsv
	[ "$(lists o.tsv)" = '. n[0-4] n[5-9] ' ]
	placecheck o.tsv
	# three switches would do for the whole machine, two do not: refused, nobody waits behind it
	stream jobs 'job submit_s nodes runtime_s leaf_switches' 'a 0 12 5 2' 'b 0 8 5 2' > j.tsv
	allocate --quiet -t tree:arity=4x3 -q fcfs j.tsv > o.tsv
	[ "$(lists o.tsv)" = '. n[0-7] ' ]
	stream jobs 'job submit_s nodes leaf_switches switch_wait_s nodelist start_s eligible_s policy' 'a 0 5 1 10 n[0-4] 9 . x' 'b 0 5 1 10 n[4-8] 10 . x' 'c 0 5 1 10 n[4-8] 30 25 y' \
		'd . 5 1 10 n[4-8] . . .' 'e . 5 1 . n[4-8] . . .' > b.tsv
	run -1 --separate-stderr placecheck -t tree:arity=4x3 b.tsv
	[ "$(grep -c leaf <<< "$stderr")" -eq 3 ]
	[[ $stderr == *'b.tsv:3: nodelist: on 2 leaf switches, expected at most 1'*'b.tsv:5: '*'b.tsv:7: '* ]]
	run -2 --separate-stderr allocate -t tree:arity=4x3 --read-ahead 9 <(stream jobs 'job nodes leaf_switches' 'a 1 1')
	[[ $stderr == *'leaf_switches: not counted with --read-ahead' ]]
}

@test "features: a|b may differ by node, [a|b] is one for all, counts are nodes of their own" {
	stream nodes 'node features' 'n0 a' 'n1 b' 'n2 a,b' 'n3 b' 'n4 a,c' 'n5 .' > nodes.tsv
	stream jobs 'job nodes features' 'a 5 a|b' > j.tsv
	[ "$(allocate --quiet -t line:nodes=6 --nodes nodes.tsv j.tsv | column nodelist)" = 'n[0-4]' ]
	for case in '3 [a|b] n[0,2,4]' '4 [a|b] .' '3 [c|b] n[1-3]' '2 a&c .' '1 [a&c|b] n4' '3 [b|a&c] n[1-3]' '2 (a|b)&c .' '1 (a|b)&c n4' '2 [a*1&c*1] n[0,4]' \
		'4 [a*2&b*2] n[0,4,1-2]' '6 [a*3&b*2] n[0,2,4,1,3,5]' '5 [a*3&b*3] .' '2 [b*1&a*1] n[1,0]' '3 a&[b|c] .' '2 a*1&b n[2,1]' '2 a*1&c*1 n[0,4]'; do
		read -r n features expected <<< "$case"
		stream jobs 'job nodes features' "j $n $features" > j.tsv
		allocate --quiet -t line:nodes=6 --nodes nodes.tsv j.tsv > o.tsv
		[ "$(lists o.tsv)" = "$expected " ] || { echo "$case: $(lists o.tsv)"; false; }
		placecheck --nodes nodes.tsv o.tsv
	done
	# what the first count would take has to be left for the second
	stream nodes 'node features' 'n0 a,b' 'n1 a' 'n2 a,b,c' 'n3 b' > nodes.tsv
	for features in '[a*2&b*1&c*1]' '[b*1&a*2&c*1]' '[a*2&b*2]' '[b*2&c*1&a*1]'; do
		stream jobs 'job nodes features' "j 4 $features" > j.tsv
		allocate --quiet -t line:nodes=4 --nodes nodes.tsv j.tsv > o.tsv
		[ "$(column nodelist < o.tsv)" != . ]
		placecheck --nodes nodes.tsv o.tsv
	done
	placecheck --nodes nodes.tsv o.tsv
	stream jobs 'job nodes features nodelist' 'j 2 [a*1&b*1] n[0-1]' 'k 2 [b*1&c*1] n[2-3]' 'l 2 [c*1&b*1&a*1] n[2-3]' 'm 1 [a*1&b*1] n0' > b.tsv
	run -1 --separate-stderr placecheck --nodes nodes.tsv b.tsv
	[ "$(grep -c 'counts for two' <<< "$stderr")" -eq 2 ]
}

@test "jobs that ask for tasks get the fewest nodes with room for them" {
	stream nodes 'node cpus memory_bytes state cpus_used' 'n0 8 100 idle 0' 'n1 4 100 idle 0' 'n2 8 100 mixed 5' 'n3 16 100 idle 0' 'n4 16 100 drained 0' > nodes.tsv
	stream jobs 'job nodes nodes_max tasks cpus_per_task tasks_per_node exclusive' 'a 1 9 8 1 . no' 'b 1 9 20 1 . no' 'c 1 9 3 1 1 no' 'd 1 9 3 1 . yes' 'e 1 9 1 3 . no' > j.tsv
	allocate --quiet -t line:nodes=5 --nodes nodes.tsv --explain j.tsv > o.tsv
	# a fits n0, b two nodes and no one; c wants three nodes, for one task each, of which only n2 has room; d a whole one; e n2
	[ "$(lists o.tsv)" = 'n0 n[1,3] . . n2 ' ]
	[ "$(column nodes < o.tsv | tr '\n' ' ')" = '1 2 1 1 1 ' ]
	[ "$(column nodes_asked < o.tsv | tr '\n' ' ')" = '1 1 1 1 1 ' ]
	[ "$(column cpus_per_node < o.tsv | tr '\n' ' ')" = '8 4,16 . . 3 ' ]
	placecheck --nodes nodes.tsv o.tsv
	# whole nodes: three of 2 tasks of 4 CPUs; at least two nodes, at most three tasks on each, with no more known of them
	stream jobs 'job nodes nodes_max tasks cpus_per_task tasks_per_node' 'a 1 9 5 4 .' > j.tsv
	allocate --quiet -t line:nodes=5 --nodes nodes.tsv j.tsv > o.tsv
	[ "$(lists o.tsv; column cpus_per_node < o.tsv)" = 'n[0,3] 8,12' ]
	stream jobs 'job nodes nodes_max tasks cpus_per_task tasks_per_node' 'a 1 9 5 4 3' 'b 2 9 2 1 4' 'c 1 2 7 1 3' > j.tsv
	allocate --quiet -t line:nodes=5 j.tsv > o.tsv
	[ "$(lists o.tsv)" = 'n[0-1] n[2-3] . ' ]
	[ "$(column cpus_per_node < o.tsv | tr '\n' ' ')" = '12,8 1(x2) . ' ]
	for case in '1 9 . 1 nodes_max: expected tasks, too' '3 2 4 1 nodes_max: 2 is less than nodes, 3' '1 9 5 . nodes_max: how many tasks a node has room for is not known: *'; do
		read -r n most tasks cpus message <<< "$case"
		run -2 --separate-stderr allocate -t line:nodes=5 <(stream jobs 'job nodes nodes_max tasks cpus_per_task' "a $n $most $tasks $cpus")
		[[ $stderr == *": "$message ]]
	done
}
