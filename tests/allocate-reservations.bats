#!/usr/bin/env bats
# allocate-reservations.bats - reservations, components, limits: what keeps a job from its nodes, and what does not

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
}

# starts [OPTION…] FILE: job:start:nodes of each, in one line
starts() {
	allocate --quiet "$@" | mlr --itsv --onidx --ofs : --skip-comments cut -o -f job,start_s,nodelist | paste -sd' '
}

@test "reservations: another one keeps a job away, too; an unknown one opens none; one without an end stays" {
	stream reservations 'reservation nodelist start_s end_s' 'A n[0-2] 0 100' 'B n[0-2] 100 200' >res.tsv
	stream jobs 'job nodes submit_s runtime_s walltime_s reservation' 'a 3 50 1000 1000 A' 'b 3 120 30 30 B' >j.tsv
	for queue in fcfs easy conservative; do
		[ "$(starts -t complete:nodes=6 -q $queue --nodes res.tsv j.tsv)" = 'a:.:. b:120:n[0-2]' ]
	done
	# what was booked in its own reservation, over the next one
	stream jobs 'job nodes policy start_s end_s walltime_s reservation nodelist' 'a 3 simple 50 1050 1000 A n[0-2]' >o.tsv
	run -1 placecheck -t complete:nodes=6 --nodes res.tsv o.tsv
	[[ $output == *'held by the reservation B then'* ]]

	stream reservations 'reservation nodelist start_s end_s' 'R n[0-1] 100 200' >res.tsv
	stream jobs 'job nodes submit_s runtime_s walltime_s reservation' 'a 6 0 150 150 Z' 'b 6 0 150 150 .' >j.tsv
	[ "$(starts -t complete:nodes=6 -q fcfs --nodes res.tsv j.tsv)" = 'a:200:n[0-5] b:350:n[0-5]' ]

	stream reservations 'reservation nodelist start_s end_s' 'R n[0-1] 0 .' >res.tsv
	stream jobs 'job nodes submit_s runtime_s' 'a 6 0 10' 'b 1 1 10' >j.tsv
	for queue in fcfs easy conservative level-fit; do
		[ "$(starts -t complete:nodes=6 -q $queue --nodes res.tsv j.tsv)" = 'a:.:. b:1:n2' ]
	done
}

@test "reservations and jobs of several components: nodes are held as long as the longest runs; each one's reservation counts" {
	stream reservations 'reservation nodelist start_s end_s' 'R n[0-2] 100 200' >res.tsv
	stream jobs 'job nodes submit_s runtime_s walltime_s reservation het_job' 'h1 3 0 50 50 . H' 'h2 3 0 500 500 . H' 'r 3 100 30 30 R .' >j.tsv
	[ "$(starts -t complete:nodes=6 -q easy --nodes res.tsv j.tsv)" = 'h1:200:n[0-2] h2:200:n[3-5] r:100:n[0-2]' ]
	stream reservations 'reservation nodelist start_s end_s' 'R n[0-1] 0 50' >res.tsv
	stream jobs 'job nodes submit_s runtime_s walltime_s het_job reservation' 'h1 1 60 10 10 H .' 'h2 1 60 10 10 H R' 'b 1 62 10 10 . .' >j.tsv
	[ "$(starts -t complete:nodes=4 -q fcfs --nodes res.tsv j.tsv)" = 'h1:.:. h2:.:. b:62:n0' ]
}

@test "components without a runtime run as long as their limit says, those without a limit are planned by their runtime" {
	stream jobs 'job nodes submit_s runtime_s walltime_s het_job' 'a 1 0 . 100 H' 'b 1 0 50 . H' 'c 4 0 10 10 .' >j.tsv
	[ "$(starts -t complete:nodes=4 -q fcfs j.tsv)" = 'a:0:n0 b:0:n1 c:100:n[0-3]' ]
	stream jobs 'job nodes submit_s runtime_s walltime_s het_job' 'a 1 0 50 100 H' 'b 1 0 . 60 H' 'c 4 0 10 10 .' >j.tsv
	[ "$(starts -t complete:nodes=4 -q fcfs j.tsv)" = 'a:0:n0 b:0:n1 c:60:n[0-3]' ]
	# the two are planned for 100: d ends before
	stream jobs 'job nodes submit_s runtime_s walltime_s het_job' 'h1 1 0 20 100 H' 'h2 1 0 30 . H' 'c 4 1 10 10 .' 'd 2 2 60 60 .' >j.tsv
	[ "$(starts -t complete:nodes=4 -q easy j.tsv)" = 'h1:0:n0 h2:0:n1 c:62:n[0-3] d:2:n[2-3]' ]
}

@test "partitions without nodes have limits, too; what tables cannot mean is refused" {
	stream partitions 'partition state nodes_max walltime_max_s default' 'a down 2 100 yes' >parts.tsv
	stream jobs 'job nodes submit_s runtime_s walltime_s partition' 'a 4 0 10 500 a' 'b 4 0 10 . .' >j.tsv
	[ "$(starts -t complete:nodes=6 -q fcfs --nodes parts.tsv j.tsv)" = 'a:.:. b:.:.' ]
	stream nodes 'node partitions' 'n0 a' 'n1 a' 'n2 a' 'n3 a' >nodes.tsv
	stream partitions 'partition state nodes_max default' 'a up 4 yes' >parts.tsv
	stream jobs 'job nodes submit_s runtime_s walltime_s partition' 'a 4 0 10 500 a' 'b 4 0 10 . .' >jobs.tsv
	allocate --quiet -t complete:nodes=6 -q fcfs --nodes nodes.tsv --nodes parts.tsv jobs.tsv >o.tsv
	[ "$(grep -c 'n\[0-3\]' o.tsv)" = 2 ]
	placecheck -t complete:nodes=6 --nodes nodes.tsv --nodes parts.tsv o.tsv
	stream partitions 'partition nodelist walltime_default_s' 'A n0 -7' >parts.tsv
	run -2 --separate-stderr allocate -t complete:nodes=6 --nodes parts.tsv j.tsv
	[ "$stderr" = 'allocate: parts.tsv:3: walltime_default_s: is negative' ]
	stream partitions 'partition nodelist default' 'A n0 yes' 'B n1 yes' >parts.tsv
	run -2 --separate-stderr allocate -t complete:nodes=6 --nodes parts.tsv j.tsv
	[ "$stderr" = 'allocate: parts.tsv:4: default: A is the default, too' ]
	stream reservations 'reservation nodelist start_s end_s' 'R n0 10 5' >res.tsv
	run -2 --separate-stderr allocate -t complete:nodes=6 --nodes res.tsv j.tsv
	[ "$stderr" = 'allocate: res.tsv:3: end_s: is not after start_s' ]
}

@test "placecheck knows default limits, and the least number of nodes of a job that asks for tasks" {
	stream partitions 'partition nodelist walltime_default_s nodes_min default' 'A n[0-5] 5 2 yes' >parts.tsv
	stream reservations 'reservation nodelist start_s end_s' 'R n[0-5] 7 20' >res.tsv
	stream jobs 'job nodes nodes_max tasks tasks_per_node submit_s runtime_s' 'a 1 4 2 2 0 10' >j.tsv
	allocate --quiet -t complete:nodes=6 -q fcfs --nodes parts.tsv --nodes res.tsv j.tsv >o.tsv
	grep -q $'^a\t.*\tn\[0-1\]\t' o.tsv
	placecheck -t complete:nodes=6 --nodes parts.tsv --nodes res.tsv o.tsv
}

@test "--idle: listed nodes are idle whatever jobs the nodes' table says they have" {
	stream nodes 'node state cpus' 'n0 allocated 4' 'n1 idle 4' >n.tsv
	stream jobs 'job nodes submit_s runtime_s cpus exclusive' 'a 2 0 10 2 no' 'b 2 20 10 . yes' 'c 2 40 10 2 no' >j.tsv
	[ "$(starts -t complete:nodes=2 -q fcfs --idle 'n[0-1]' --nodes n.tsv j.tsv)" = 'a:0:n[0-1] b:20:n[0-1] c:40:n[0-1]' ]
	# nothing of what is not listed is given out
	stream nodes 'node state cpus cpus_used' 'n0 idle 4 0' 'n1 mixed 4 1' >n.tsv
	stream jobs 'job nodes submit_s runtime_s cpus exclusive' 'a 1 0 10 4 no' 'b 1 1 10 2 no' >j.tsv
	[ "$(starts -t complete:nodes=2 -q fcfs --idle n0 --nodes n.tsv j.tsv)" = 'a:0:n0 b:10:n0' ]
}

@test "what can never start holds nobody up: arrays under level-fit, a delay beyond all times; the reason is its own" {
	stream nodes 'node features' 'n0 a' 'n1 a' >n.tsv
	stream jobs 'job nodes submit_s runtime_s array_limit features' '1_1 1 0 10 1 gpu' '1_2 1 0 10 1 .' '1_3 1 0 10 1 .' >j.tsv
	for queue in fcfs level-fit; do
		[ "$(starts -t complete:nodes=2 --nodes n.tsv -q $queue j.tsv)" = '1_1:.:. 1_2:0:n0 1_3:10:n0' ]
	done
	stream jobs 'job nodes submit_s runtime_s depends depends_delay_s' 'a 1 1000000000 10 . .' 'b 1 0 10 a 9000000000' >j.tsv
	run -0 allocate --quiet -t complete:nodes=2 -q fcfs --explain j.tsv
	[[ $output == *'waits forever: depends_delay_s ends beyond the times that can be told'* ]]
	stream jobs 'job nodes nodes_max tasks tasks_per_node submit_s runtime_s' 'a 9 9 90 10 0 10' 'b 2 4 1 1 0 10' >j.tsv
	run -0 allocate --quiet -t complete:nodes=6 -q fcfs --explain j.tsv
	[[ $output == *'2 nodes requested for 1 tasks'* ]]
}

@test "reservations go by the time at which a job starts, not by the decision's" {
	stream reservations 'reservation nodelist start_s end_s' 'R n[0-5] 100 200' >res.tsv
	stream jobs 'job nodes submit_s runtime_s walltime_s reservation' 'a 6 0 95 95 .' 'r 6 80 30 30 R' >j.tsv
	for queue in easy conservative; do
		allocate --quiet -t complete:nodes=6 -q $queue:start-delay=10s --nodes res.tsv j.tsv >o.tsv
		placecheck -t complete:nodes=6 --nodes res.tsv o.tsv
		[ "$(mlr --itsv --onidx --ofs : --skip-comments cut -o -f job,start_s o.tsv | paste -sd' ')" = 'a:200 r:100' ]
	done
}

@test "of several partitions the reason is that of one which may have the job" {
	stream partitions 'partition nodelist state' 'A n[0-1] up' 'B n[2-3] down' >parts.tsv
	stream jobs 'job nodes submit_s runtime_s partition' 'x 2 0 10 A' 'y 2 1 10 A,B' >j.tsv
	run -0 allocate --quiet -t complete:nodes=4 -q fcfs --nodes parts.tsv --explain j.tsv
	[[ $output == *'waited: 2 nodes requested, 0 of those it may have are idle'* ]]
	# a partition that nobody knows is not one that may have it
	stream jobs 'job nodes submit_s runtime_s partition' 'x 2 0 10 A' 'y 2 1 10 A,zz' >j.tsv
	run -0 allocate --quiet -t complete:nodes=4 -q fcfs --nodes parts.tsv --explain j.tsv
	[[ $output == *'waited: 2 nodes requested, 0 of those it may have are idle'* ]]
}

@test "reservations without an end beside others: only what they hold when a job would start is gone" {
	stream reservations 'reservation nodelist start_s end_s' 'R n[0-2] 100 200' 'E n5 0 .' >res.tsv
	stream jobs 'job nodes submit_s runtime_s reservation' 'r 3 0 10 R' >j.tsv
	for queue in fcfs easy conservative level-fit; do
		[ "$(starts -t complete:nodes=6 -q $queue --nodes res.tsv j.tsv)" = 'r:100:n[0-2]' ]
	done
	stream reservations 'reservation nodelist start_s end_s' 'E1 n0 0 .' 'E2 n[1-5] 1000 .' >res.tsv
	stream jobs 'job nodes submit_s runtime_s' 'z 5 0 50' 'a 3 1 10' >j.tsv
	for queue in fcfs easy conservative level-fit; do
		[ "$(starts -t complete:nodes=6 -q $queue --nodes res.tsv j.tsv)" = 'z:0:n[1-5] a:50:n[1-3]' ]
	done
	# a component that has one to itself, wherever it stands in its job
	stream reservations 'reservation nodelist start_s end_s' 'E n[0-1] 0 .' >res.tsv
	for rows in 'h1 1 0 10 H E,h2 5 0 10 H .' 'h2 5 0 10 H .,h1 1 0 10 H E'; do
		IFS=, read -ra components <<<"$rows"
		stream jobs 'job nodes submit_s runtime_s het_job reservation' "${components[@]}" 'b 1 1 10 . .' >j.tsv
		[[ "$(starts -t complete:nodes=6 -q fcfs --nodes res.tsv j.tsv)" == *' b:1:n2' ]]
	done
	# what becomes impossible while another job runs holds up nobody
	stream reservations 'reservation nodelist start_s end_s' 'E n[0-4] 100 .' >res.tsv
	stream jobs 'job nodes submit_s runtime_s array_limit' 'z 6 0 60 .' '1_1 6 1 50 1' '1_2 1 2 20 1' >j.tsv
	for queue in fcfs easy conservative level-fit; do
		[ "$(starts -t complete:nodes=6 -q $queue --nodes res.tsv j.tsv)" = 'z:0:n[0-5] 1_1:.:. 1_2:60:n0' ]
	done
}

@test "reservations: a job that takes no time does not run inside; start-step is refused beside them" {
	stream reservations 'reservation nodelist start_s end_s' 'R n[0-5] 100 200' >res.tsv
	stream jobs 'job nodes submit_s runtime_s' 'a 1 100 0' >j.tsv
	[ "$(starts -t complete:nodes=6 -q fcfs --nodes res.tsv j.tsv)" = 'a:200:n0' ]
	run -2 --separate-stderr allocate -t complete:nodes=6 -q easy:start-step=10s --nodes res.tsv j.tsv
	[[ $stderr == *'start-step: does not go with reservations'* ]]
}

@test "easy:reserve=nodes: who leaves the head's nodes, links and I/O nodes alone still overtakes" {
	stream jobs 'job nodes submit_s runtime_s' 'a 1 0 65' 'b 3 5 65' 'h 3 25 90' 'c 1 65 15' >j.tsv
	[ "$(allocate --quiet -t line:nodes=5 -c linkdisjoint -q easy:reserve=nodes j.tsv | mlr --itsv --onidx --skip-comments cut -f start_s | paste -sd' ')" = '0 5 70 65' ]
	topogen complete:nodes=6 --io nodes:list=n5,access=exclusive -o m.yaml
	stream jobs 'job nodes io_nodes submit_s runtime_s nodelist start_s end_s io_nodelist' 'a 2 1 0 100 n[3-4] 0 100 n5' \
		'h 1 1 1 10 . . . .' 'c 1 . 2 500 . . . .' >j.tsv
	[ "$(allocate --quiet -t m.yaml -q easy:reserve=nodes j.tsv | mlr --itsv --onidx --skip-comments cut -f start_s | paste -sd' ')" = '0 100 2' ]
}

@test "jobs that come before the first traffic wait for it, under every queue" {
	stream jobs 'job nodes submit_s runtime_s' 'a 6 0 10' >j.tsv
	for queue in fcfs easy conservative level-fit; do
		run -0 allocate --quiet -t "$BATS_TEST_DIRNAME/../share/examples-data/machine.yaml" -p low-traffic \
			--traffic "$BATS_TEST_DIRNAME/../share/examples-data/traffic.tsv" -q $queue j.tsv
		[ "$(mlr --itsv --onidx --skip-comments cut -f start_s <<<"$output")" = 120 ]
	done
}
