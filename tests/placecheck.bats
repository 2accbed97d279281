bats_require_minimum_version 1.5.0
load helper

# finds PATTERN [OPTION…]: the stream in s.tsv is told to break exactly one thing, which is this
finds() {
	local wanted=$1
	shift
	run -1 --separate-stderr placecheck "$@" s.tsv
	[ -z "$output" ]
	# shellcheck disable=SC2154
	[ "${#stderr_lines[@]}" -eq 1 ] || { printf '%s\n' "${stderr_lines[@]}"; false; }
	[[ ${stderr_lines[0]} == "placecheck: $wanted" ]] || { echo "${stderr_lines[0]}"; false; }
}

# passes [OPTION…]: nothing in s.tsv is broken
passes() {
	run -0 --separate-stderr placecheck "$@" s.tsv
	[ -z "$output$stderr" ]
}

@test "all example data hold" {
	for file in jobs placed profiles traffic; do
		run -0 --separate-stderr placecheck -t "$MACHINE" "$DATA/$file.tsv"
		[ -z "$output$stderr" ]
	done
}

@test "every kind that has a check is listed, and the manual says what it checks" {
	names_of placecheck checks > names
	[ "$(wc -l < names)" -ge 6 ]
	while read -r kind; do
		grep -qx "\.It Cm $kind" "$ROOT/man/placecheck.1.in"
	done < names
}

@test "the example of every check is a kind that streams have" {
	examples_of placecheck checks > kinds
	[ "$(wc -l < kinds)" -ge 6 ]
	while read -r kind; do
		printf '##placetools=%s/1\n' "$kind" | placecheck
	done < kinds
}

@test "jobs: nodes that exist, once, as many as asked for" {
	stream jobs 'job nodes nodelist' 'a 2 n[0,24]' > s.tsv
	finds "s.tsv:3: nodelist: 'n24' is not a node of example-24" --strict -t "$MACHINE"
	passes # without a machine they are just names
	stream jobs 'job nodes nodelist' 'a 2 n[0,0]' > s.tsv
	finds 's.tsv:3: nodelist: n0 is there twice'
	stream jobs 'job nodes nodelist' 'a 3 n[0-1]' > s.tsv
	finds 's.tsv:3: nodelist: has 2 nodes, nodes is 3'
	stream jobs 'job nodes nodelist' 'a 3 n[0-' > s.tsv
	finds "s.tsv:3: nodelist: a '[' without its ']'"
	stream jobs 'job nodes io_nodes io_nodelist' 'a 1 2 n5' > s.tsv
	finds 's.tsv:3: io_nodelist: has 1 nodes, io_nodes is 2'
}

@test "jobs: times in order, run times not negative, classes known" {
	stream jobs 'job nodes submit_s start_s end_s' 'a 1 5 4 9' > s.tsv
	finds 's.tsv:3: start_s 4 is before submit_s 5'
	stream jobs 'job nodes start_s end_s' 'a 1 4.000000001 4' > s.tsv
	finds 's.tsv:3: end_s 4 is before start_s 4.000000001'
	stream jobs 'job nodes runtime_s' 'a 1 -1' > s.tsv
	finds 's.tsv:3: runtime_s: -1 is negative'
	stream jobs 'job nodes class' 'a 1 sensitive' > s.tsv
	finds "s.tsv:3: class: 'sensitive' is none of network-sensitive, network-insensitive, unprofiled"
}

@test "jobs: no node in two jobs at one time; one may start when another ends" {
	stream jobs 'job nodes start_s end_s nodelist' 'a 2 0 10 n[0-1]' 'b 1 10 20 n1' > s.tsv
	passes
	stream jobs 'job nodes start_s end_s nodelist' 'b 3 9 20 n[0-2]' 'a 2 0 10 n[0-1]' > s.tsv
	finds 's.tsv:3: nodelist: job b has n0 and 1 more nodes while job a does (line 4, it ends: 10)'
	# no start is from the beginning, no end is for ever
	stream jobs 'job nodes start_s end_s nodelist' 'a 1 . 10 n0' 'b 1 9 . n0' 'c 1 99 100 n0' > s.tsv
	run -1 --separate-stderr placecheck s.tsv
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ ${stderr_lines[0]} == *':4: '*'job b has n0 while job a does (line 3, it ends: 10)' ]]
	[[ ${stderr_lines[1]} == *':5: '*'job c has n0 while job b does (line 4, it ends: never)' ]]
}

@test "jobs: a short job inside a long one does not hide it" {
	stream jobs 'job nodes start_s end_s nodelist' 'long 1 0 100 n0' 'short 1 200 201 n0' \
		'c 1 50 60 n7' > s.tsv
	passes
	stream jobs 'job nodes start_s end_s nodelist' 'long 2 0 100 n[0-1]' 'in 1 10 20 n0' 'after 1 30 40 n0' > s.tsv
	run -1 --separate-stderr placecheck s.tsv
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ ${stderr_lines[1]} == *':5: '*'job after has n0 while job long does'* ]]
}

@test "jobs: runs are apart, and policies, but not from jobs that came with their nodes" {
	stream jobs 'run job nodes policy nodelist' '1 a 1 simple n0' '2 a 1 simple n0' '1 b 1 rdn n0' > s.tsv
	passes
	stream jobs 'run job nodes policy nodelist' '1 a 1 simple n0' '1 x 1 . n0' '2 x 1 . n0' '1 b 1 rdn n0' > s.tsv
	run -1 --separate-stderr placecheck s.tsv
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ ${stderr_lines[0]} == *'job a has n0 while job x does (line 4,'* ]]
	[[ ${stderr_lines[1]} == *'job b has n0 while job x does (line 4,'* ]]
	# two that came with their nodes are told once, whatever the policies
	stream jobs 'run job nodes policy nodelist' '1 x 1 . n0' '1 y 1 . n0' '1 a 1 simple n1' '1 b 1 rdn n2' > s.tsv
	finds 's.tsv:4: nodelist: job y has n0 while job x does (line 3, it ends: never)'
}

@test "jobs: only idle nodes are given, or those that a job came with and gave back" {
	stream jobs 'job nodes start_s end_s policy nodelist' 'x 1 0 10 . n4' 'a 1 10 20 simple n4' > s.tsv
	passes --idle 'n[0-3]'
	stream jobs 'job nodes start_s end_s policy nodelist' 'x 1 0 10 . n5' 'a 1 10 20 simple n4' > s.tsv
	finds 's.tsv:4: nodelist: n4 is not idle but not listed as idle' --idle 'n[0-3]'
	stream nodes 'node state role' 'n4 allocated compute' 'n5 drained compute' 'n6 idle io' 'n7 idle both' > nodes.tsv
	stream jobs 'job nodes start_s end_s policy nodelist' 'x 1 0 10 . n4' 'a 2 10 20 simple n[4,7]' > s.tsv
	passes --nodes nodes.tsv
	stream jobs 'job nodes start_s end_s policy nodelist' 'x 1 0 10 . n5' 'a 1 10 20 simple n5' > s.tsv
	finds 's.tsv:4: nodelist: n5 is not idle but drained' --nodes nodes.tsv
	stream jobs 'job nodes policy nodelist' 'a 1 simple n6' > s.tsv
	finds 's.tsv:3: nodelist: the role of n6 is not compute or both' --nodes nodes.tsv
	stream jobs 'job nodes policy nodelist' 'a 1 simple n8' > s.tsv
	finds 's.tsv:3: nodelist: n8 is not idle but not listed' --nodes nodes.tsv
}

@test "jobs: a separate I/O node of the machine runs no job" {
	sed '$a io:\n  - {name: io, nodes: "n[3]", kind: separate, access: shared}' "$MACHINE" > io.yaml
	stream jobs 'job nodes nodelist' 'a 2 n[2-3]' > s.tsv
	finds 's.tsv:3: nodelist: n3 is an I/O node' -t io.yaml
}

@test "nodes: they exist, hang where they should, have a known role; no job has an idle one" {
	stream nodes 'node router' 'n4 r1' 'n5 r0' > s.tsv
	finds 's.tsv:4: router: the node hangs on r1' -t "$MACHINE"
	stream nodes 'node role' 'n4 compute' 'n5 spare' > s.tsv
	finds "s.tsv:4: role: 'spare' is none of compute, io, both"
	stream nodes 'node state job' 'n4 allocated 1' 'n5 idle 1' > s.tsv
	finds 's.tsv:4: job: the node is idle and yet job 1 has it'
	stream nodes 'node' 'n24' > s.tsv
	finds "s.tsv:3: node: 'n24' is not a node of example-24" -t "$MACHINE"
	stream nodes 'node' 'n4' 'n4' > s.tsv
	finds "s.tsv:4: 'n4' is there twice (first in line 3)"
}

@test "counters: numbers, each component in the order of time" {
	stream counters 'time_s component flits' '1 n0 5' '1 n1 7' '2 n0 3' > s.tsv
	passes # a counter that was reset breaks nothing
	stream counters 'time_s component flits' '2 n0 5' '1 n1 7' '1 n0 3' > s.tsv
	finds 's.tsv:5: time_s: 1 comes after a later row of n0'
	stream counters 'time_s component flits' '2 n0 -5' > s.tsv
	finds "s.tsv:3: flits: '-5' is not a number of at least 0"
	stream counters 'time_s component' '2 n0' > s.tsv
	finds 'the stream has no column of a counter'
}

@test "traffic: known routers, windows with a length in order, values from samples" {
	local columns='time_s window_s router traffic_flits_per_s samples'
	stream traffic "$columns" '120 120 r9 1 1' > s.tsv
	finds "s.tsv:3: router: 'r9' is not a router of example-24" -t "$MACHINE"
	stream traffic "$columns" '120 0 r1 1 1' > s.tsv
	finds 's.tsv:3: window_s: 0 is not above 0'
	stream traffic "$columns" '240 120 r1 1 1' '120 120 r2 1 1' '120 120 r1 1 1' > s.tsv
	finds 's.tsv:5: time_s: 120 comes after a later row of r1'
	stream traffic "$columns" '120 120 r1 0 0' > s.tsv
	finds 's.tsv:3: traffic without a single sample'
	stream traffic "$columns" '120 120 r1 . 3' > s.tsv
	finds 's.tsv:3: samples: 3, but no traffic'
	stream traffic "$columns" '120 120 . 1 3' > s.tsv
	finds 's.tsv:3: names no router, node, link or region'
}

@test "profile: ranges, parts and the whole" {
	stream profile 'app ranks mpi_fraction nodes_min nodes_max' 'a 1 0.5 1 4' 'a 1 0.5 5 8' 'b 1 0.5 1 8' > s.tsv
	passes
	stream profile 'app ranks mpi_fraction nodes_min nodes_max' 'a 1 0.5 1 4' 'a 1 0.5 4 8' > s.tsv
	finds 's.tsv:4: a has a profile for some of these node counts in line 3'
	stream profile 'app ranks mpi_fraction nodes nodes_min nodes_max' 'a 1 0.5 9 1 8' > s.tsv
	finds 's.tsv:3: nodes_max 8 is less than nodes 9'
	stream profile 'app ranks mpi_fraction wait_fraction other_fraction' 'a 1 0.5 0.4 0.2' > s.tsv
	finds 's.tsv:3: mpi_fraction: its parts add up to 0.6, more than the whole, 0.5'
	stream profile 'app ranks mpi_fraction runtime_s mpi_s' 'a 1 0.5 10 11' > s.tsv
	finds 's.tsv:3: runtime_s 10 is less than mpi_s 11'
}

@test "metrics: quantiles, means, ratios, and nothing twice" {
	stream metrics 'policy scope id metric value' 'a job 1 hops 2' 'b job 1 hops 3' > s.tsv
	passes
	stream metrics 'policy scope id metric value' 'a job 1 hops 2' 'a job 1 hops 3' > s.tsv
	finds 's.tsv:4: metric: hops of the same things is in line 3 already'
	stream metrics 'scope id metric value q1 median' 'job 1 hops 2 4 3' > s.tsv
	finds 's.tsv:3: median 3 is less than q1 4'
	stream metrics 'scope id metric value mean min max' 'job 1 hops 2 4 1 3' > s.tsv
	finds 's.tsv:3: mean: 4 is outside 1 to 3'
	stream metrics 'scope id metric value baseline ratio' 'job 1 hops 2 4 2' > s.tsv
	finds 's.tsv:3: ratio: 2 is not 2 over 4'
}

@test "metrics: the ratio of pairs is that of value and baseline together to the baseline" {
	stream metrics 'scope metric value baseline ratio p_sign' 'jobs wait_s 2 4 1.5 0.25' > s.tsv
	passes
	stream metrics 'scope metric value baseline ratio p_sign' 'jobs wait_s 2 4 0.5 0.25' > s.tsv
	finds "s.tsv:3: ratio: 0.5 is not 6 over 4"
	# in a stream of both kinds, rows without a test have a plain ratio
	stream metrics 'scope metric value baseline ratio p_sign' 'jobs wait_s 2 4 0.5 .' > s.tsv
	passes
	stream jobs 'policy job nodes submit_s start_s end_s' 'a 1 2 0 1 5' 'a 2 2 0 3 6' 'b 1 2 0 2 5' 'b 2 2 0 7 9' > jobs.tsv
	evalmetrics -m wait --baseline policy=a --paired jobs.tsv > s.tsv
	passes
}

@test "jobs that came with their nodes count among those that a policy placed" {
	stream jobs 'job nodes policy start_s end_s depends nodelist' '5 1 . 0 100 . n0' '7 1 p 10 20 5 n2' > s.tsv
	finds "s.tsv:4: job 7 started before the end of 5, on which it depends"
	stream jobs 'job nodes policy start_s end_s depends nodelist' '5_1 1 . 0 100 . n0' '7 1 p 10 20 5 n2' > s.tsv
	finds "s.tsv:4: job 7 started before the end of 5_1, on which it depends"
	# another run's do not
	stream jobs 'run job nodes policy start_s end_s depends nodelist' '1 5 1 . 0 100 . n0' '2 7 1 p 10 20 5 n2' > s.tsv
	passes
	stream jobs 'job nodes policy start_s end_s array_limit nodelist' '5_1 1 . 0 100 1 n0' '5_2 1 p 10 20 1 n1' '5_3 1 q 100 120 1 n1' > s.tsv
	finds "s.tsv:4: array_limit: 5_2 started while 1 tasks of its array ran, of at most 1 at a time"
	# one that came with its nodes and starts while a placed one runs
	stream jobs 'job nodes policy start_s end_s array_limit nodelist' '5_1 1 . 50 100 1 n0' '5_2 1 p 10 200 1 n1' '5_3 1 . 200 300 1 n1' > s.tsv
	finds "s.tsv:3: array_limit: 5_1 started while 1 tasks of its array ran, of at most 1 at a time"
	# those that came with nodes are found once, under whatever policies the others are
	stream jobs 'job nodes policy start_s end_s array_limit nodelist' '5_1 1 . 0 9 1 n0' '5_4 1 . 5 9 1 n2' '5_2 1 p 10 20 1 n1' '5_3 1 q 100 120 1 n1' > s.tsv
	finds "s.tsv:4: array_limit: 5_4 started while 1 tasks of its array ran, of at most 1 at a time"
}

@test "what evalmetrics and allocate write holds" {
	allocate -t "$MACHINE" -p level-spread "$DATA/jobs.tsv" > s.tsv
	passes
	evalmetrics --by policy s.tsv > m.tsv
	mv m.tsv s.tsv
	passes
}

@test "every broken cell and row is told, in the other files too" {
	stream jobs 'job nodes submit_s' 'a x y' 'b 1' 'c 1 .' > one.tsv
	stream jobs 'job nodes submit_s' 'c 1 .' 'd  1' > two.tsv
	run -1 --separate-stderr placecheck one.tsv two.tsv
	[ "${#stderr_lines[@]}" -eq 5 ]
	[[ ${stderr_lines[0]} == "placecheck: one.tsv:3: nodes: 'x' is not a whole number"* ]]
	[[ ${stderr_lines[1]} == "placecheck: one.tsv:3: submit_s: 'y' is not a time"* ]]
	[[ ${stderr_lines[2]} == 'placecheck: one.tsv:4: has 2 cells, expected 3 columns' ]]
	[[ ${stderr_lines[3]} == "placecheck: two.tsv:3: 'c' is there twice (first in line 5)" ]]
	[[ ${stderr_lines[4]} == 'placecheck: two.tsv:4: nodes: an empty cell'* ]]
}

@test "kinds without a check of their own: types and keys" {
	stream comm 'src dst bytes' '0 1 5' '0 1 6' > s.tsv
	finds "s.tsv:4: '0 1' is there twice (first in line 3)"
}

@test "--limit ends the list and says how much is left" {
	stream jobs 'job nodes' 'a 1' 'a 1' 'a 1' 'a 1' > s.tsv
	run -1 --separate-stderr placecheck --limit 1 s.tsv
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ "${stderr_lines[1]}" = 'placecheck: 2 more broken invariants are not shown (--limit)' ]
	run -1 --separate-stderr placecheck --limit 0 s.tsv
	[ "${#stderr_lines[@]}" -eq 3 ]
	run -1 --separate-stderr placecheck --quiet s.tsv
	[ -z "$output$stderr" ]
}

@test "trouble is no verdict: cut input, another machine, no stream" {
	{ echo '##placetools=jobs/1 end=yes'; printf 'job\tnodes\na\t1\n'; } > s.tsv
	run -2 --separate-stderr placecheck s.tsv
	[[ $stderr == *'input was truncated'* ]]
	run -0 placecheck --partial s.tsv
	allocate -t "$MACHINE" "$DATA/jobs.tsv" > s.tsv
	run -2 --separate-stderr placecheck -t ring:nodes=24 s.tsv
	run -2 --separate-stderr placecheck /dev/null
	run -2 --separate-stderr placecheck absent.tsv
	run -2 --separate-stderr placecheck --nodes s.tsv --idle n0 s.tsv
	run -2 --separate-stderr placecheck --machine -t "$MACHINE" s.tsv
}

@test "a machine: machines that are whole, and one that is in two parts" {
	for machine in "$MACHINE" torus:dims=4x4x4 fattree:k=4,levels=3 @avakas; do
		run -0 --separate-stderr placecheck --machine -t "$machine"
	done
	printf 'n0 s0\nn1 s0\nn2 s1\nn3 s1\n' > parts.edges
	topogen --from edges parts.edges -o parts.yaml
	run -1 --separate-stderr placecheck --machine -t parts.yaml
	[[ $stderr == *'n2 cannot be reached from the first node' ]]
}

@test "mappings: every rank has a core of its own, none is missing" {
	export PLACETOOLS_TOPOLOGY=line:nodes=4,cores=2
	stream mapping 'mapper rank node core' 'a 0 n0 0' 'a 1 n0 1' 'a 2 n3 0' 'b 0 n0 0' 'b 1 n1 0' > s.tsv
	passes
	stream mapping 'rank node core' '0 n0 0' '1 n1 0' '2 n0 0' > s.tsv
	finds 's.tsv:5: core: core 0 of n0 has the rank of line 3'
	stream mapping 'rank node core' '0 n0 0' '1 n0 2' > s.tsv
	finds 's.tsv:4: core: there is no core 2: the node has 2'
	stream mapping 'rank node' '0 n0' '2 n0' > s.tsv
	finds 's.tsv:4: rank: the greatest is 2, but there are 2 rows: ranks are missing'
	stream mapping 'mapper job rank node' 'a x 1 n0' 'a y 0 n0' > s.tsv
	finds 's.tsv:3: rank: the greatest is 1, but there are 1 rows of mapper a, job x: ranks are missing'
	stream mapping 'rank node' '0 n0' '0 n1' > s.tsv
	run -1 --separate-stderr placecheck s.tsv
	[[ $stderr == *"s.tsv:4: "* ]]
	stream mapping 'rank node' '0 n9' > s.tsv
	finds "s.tsv:3: node: 'n9' is not a node of line-4"
}

@test "a machine's own routes: pairs that have no way are counted, and the first of them named" {
	sed '/Lid 7 guid/,/dumped/d' "$ROOT/tests/formats/ib/ft-ftree.opensm-lfts" >missing
	topogen --quiet --from ibnetdiscover --routes opensm-lfts:missing \
		"$ROOT/tests/formats/ib/ft.ibnetdiscover" -o m.yaml
	run -1 --separate-stderr placecheck --machine -t m.yaml
	[[ $stderr == "placecheck: ft: routes: 96 of 240 pairs of nodes have no route: from node04 to node0"?" router spine0 has no entry" ]]
	run -1 --separate-stderr placecheck -v --machine -t m.yaml
	[ "$(grep -c '^placecheck: ft: routes: from node.. to node.. router spine0 has no entry$' <<<"$stderr")" -eq 9 ]
	placecheck --machine -t @avakas
}

@test "what a short list names is bounded by the machine" {
	for list in 'n[0-99999][0-99999]' 'n[1,1,1,1,1,1,1,1,1,1][1,1,1,1,1,1,1,1,1,1][1-9999]' 'n[0-999999999999999999]'; do
		printf '##placetools=jobs/1\njob\tnodes\tnodelist\na\t2\t%s\n' "$list" >jobs.tsv
		for tool in placecheck allocate "netsim -p alltoall" "evalmetrics -m hops"; do
			run ! bash -c "ulimit -t 2; $tool -t dragonfly:groups=3,routers=2,nodes=4 jobs.tsv" # 2 CPU-seconds
			[[ $status -le 2 && $output == *"jobs.tsv:3: "* ]]
		done
	done
	run -1 placecheck -t dragonfly:groups=3,routers=2,nodes=4 jobs.tsv
	[[ $output == *"nodelist: has 1000000000000000000 nodes, the machine 24"* ]]
}

@test "a hundred thousand columns take no more than their length" {
	{
		echo '##placetools=jobs/1'
		awk 'BEGIN { printf "job\tnodes"; for (i = 0; i < 100000; i++) printf "\tc%d", i; print ""
			printf "a\t2"; for (i = 0; i < 100000; i++) printf "\t1"; print ""; print "##end" }'
	} >wide.tsv
	for tool in placecheck "allocate -t ring:nodes=4" "traceconv --to jobs"; do
		bash -c "ulimit -t 5; $tool wide.tsv" >out.tsv
	done
	cmp <(grep -v '^##' out.tsv) <(grep -v '^##' wide.tsv)
}
