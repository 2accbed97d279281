# placecheck-constraints.bats - geometric constraints of placed jobs, with their witnesses
bats_require_minimum_version 1.5.0
load helper

# jobs COLUMNS ROW…: a jobs stream in s.tsv
jobs() { stream jobs "$@" > s.tsv; }

# finds TEXT [OPTION…]: one thing is broken, and this is said
finds() {
	local wanted=$1
	shift
	run -1 --separate-stderr placecheck "$@" s.tsv
	# shellcheck disable=SC2154
	[ "$stderr" = "placecheck: s.tsv:$wanted" ] || { echo "$stderr"; false; }
}
passes() {
	run -0 --separate-stderr placecheck "$@" s.tsv
	[ -z "$output$stderr" ] || { echo "$stderr"; false; }
}

# machine NAME I/O-ROW: a torus of 4 x 4 with I/O nodes, as YAML
machine() {
	printf '%s\n' 'placetools: topology/1' 'name: t' 'topology: torus' 'parameters: {dims: 4x4}' \
		'io:' "  - {name: io, $1}" > m.yaml
}

@test "connected: joined, or through separate I/O nodes, but not through other jobs' nodes" {
	jobs 'job nodes nodelist' 'a 3 n[0,1,6]'
	finds '3: connected: job a: n6 is not joined to n0' -t torus:dims=4x4 -c connected
	machine 'nodes: "n5", kind: separate, access: shared'
	passes -t m.yaml -c connected
	machine 'nodes: "n5", kind: coupled, access: shared'
	finds '3: connected: job a: n6 is not joined to n0' -t m.yaml -c connected
	run -2 --separate-stderr placecheck -t tree:arity=4x2 -c connected s.tsv
	[[ $stderr == *'connected: the nodes of tree-8 are joined through switches only, where it says nothing'* ]]
}

@test "convex: closed and literal, routes of the machine or of -r" {
	jobs 'job nodes nodelist' 'a 3 n[1-3]'
	passes -t line:nodes=5 -c convex
	finds '3: convex: job a: the route from n1 to n2 shares a link with the route from n0 to n4' \
		-t line:nodes=5 -c convex:literal
	jobs 'job nodes nodelist' 'a 3 n[0-1,4]'
	finds '3: convex: job a: the route from n4 to n1 visits r5, where n5 is not the job'"'s" \
		-t mesh:dims=4x4 -c convex -r dor
	# Fig. 2: connected, yet not convex
	passes -t mesh:dims=4x4 -c connected
	# a router is the job's when all its nodes are; a single router always
	jobs 'job nodes nodelist' 'a 2 n[0-1]'
	passes -t tree:arity=4x2x2 -c convex
	jobs 'job nodes nodelist' 'a 8 n[0-7]'
	passes -t tree:arity=4x2x2 -c convex
	# pad, wait and best-effort are allocate's
	passes -t tree:arity=4x2x2 -c convex:pad,wait=5s,best-effort
}

@test "convex under routings that take detours: one router, or the whole machine" {
	jobs 'job nodes nodelist' 'a 4 n[0-3]'
	passes -t dragonfly:groups=5,routers=4,nodes=2 -c convex
	for routing in valiant ugal ugal-g par adaptive-local; do
		finds "3: convex: job a: a message from n0 to n2 may go via r2, where n4 is not the job's" \
			-t dragonfly:groups=5,routers=4,nodes=2 -c convex -r "$routing"
	done
	jobs 'job nodes nodelist' 'a 40 n[0-39]'
	passes -t dragonfly:groups=5,routers=4,nodes=2 -c convex -r ugal
	jobs 'job nodes nodelist' 'a 2 n[0-1]'
	passes -t dragonfly:groups=5,routers=4,nodes=2 -c convex -r ugal
}

@test "two adjacent I/O nodes: a link between them is nobody's" {
	printf '%s\n' 'placetools: topology/1' 'name: m' 'topology: mesh' 'parameters: {dims: 4x3}' \
		'io: [{name: io, nodes: "n[5-6]", kind: separate, access: shared}]' > m.yaml
	jobs 'job nodes nodelist' 'a 2 n[4,7]'
	finds '3: convex: job a: the route from n4 to n7 takes the link of the I/O nodes at r5 and r6' -t m.yaml -c convex
	jobs 'job nodes nodelist' 'a 2 n[4,9]'
	run -1 --separate-stderr placecheck -t m.yaml -c convex s.tsv
}

@test "contiguous: in any order, without separate I/O nodes, closed on rings only" {
	jobs 'job nodes nodelist' 'a 3 n[3,0,1]'
	finds '3: contiguous: job a: it ends at n3 and again at n1' -t line:nodes=8 -c contiguous
	jobs 'job nodes nodelist' 'a 3 n[7,0,1]'
	passes -t ring:nodes=8 -c contiguous
	finds '3: contiguous: job a: it ends at n7 and again at n1' -t line:nodes=8 -c contiguous
	jobs 'job nodes nodelist' 'a 4 n[0-1,4-5]'
	passes -t mesh:dims=4x4 -c contiguous:order=hilbert
	finds '3: contiguous: job a: it ends at n1 and again at n5' -t mesh:dims=4x4 -c contiguous
	machine 'nodes: "n[5-6]", kind: separate, access: shared'
	jobs 'job nodes nodelist' 'a 3 n[3-4,7]'
	passes -t m.yaml -c contiguous
}

@test "local: I/O nodes beside the job's, or switches above one of them" {
	machine 'nodes: "n[5,10]", kind: separate, access: shared'
	jobs 'job nodes nodelist io_nodes io_nodelist' 'a 2 n[0-1] 1 n5'
	passes -t m.yaml -c local
	jobs 'job nodes nodelist io_nodes io_nodelist' 'a 2 n[0-1] 1 n10'
	finds "3: local: job a: n10, where it does its I/O, is not beside any of its nodes" -t m.yaml -c local
	jobs 'job nodes nodelist' 'a 2 n[0,8]'
	finds '3: local: job a: n8 is not joined to n0' -t m.yaml -c local
}

@test "proximate and compact: Fig. 5, and nodes that are out of service" {
	jobs 'run job nodes nodelist' '1 a 5 n[5-9]' '2 b 5 n[0-1,4-6]' '3 c 5 n[0-3,5]'
	finds '3: proximate: job a: n5 and n8 are 3 apart, 2 can be had' -t tree:arity=4x2x2 -c proximate
	run -1 --separate-stderr placecheck -t tree:arity=4x2x2 -c compact s.tsv
	[ "$stderr" = 'placecheck: s.tsv:3: compact: job a: its distances sum up to 22, 14 can be had
placecheck: s.tsv:4: compact: job b: its distances sum up to 16, 14 can be had' ]
	# with one node down nobody can be closer
	jobs 'job nodes nodelist policy' 'a 4 n[0-2,4] x'
	finds '3: proximate: job a: n0 and n4 are 2 apart, 1 can be had' -t tree:arity=4x2 -c proximate
	printf '%s\n' '##placetools=nodes/1' 'node state' 'n3 drained' 'n7 down' n{0,1,2,4,5,6}' idle' | tr ' ' '\t' > n.tsv
	passes -t tree:arity=4x2 -c proximate -c compact --nodes n.tsv
}

@test "what a bounded search did not decide is said, and is no finding" {
	jobs 'job nodes nodelist' 'a 12 n[0-2,7-9,49-51,56-58]'
	run -0 --separate-stderr placecheck -t torus:dims=7x7x5 -c compact s.tsv
	[[ $stderr == 'placecheck: placements that a constraint was not decided for: 1; the first: s.tsv:3: compact: job a: its distances sum up to '* ]] || { echo "$stderr"; false; }
}

@test "clusters: blocks of nodes, or routers" {
	jobs 'job nodes nodelist' 'a 5 n[2-6]'
	passes -t tree:arity=4x2x2 -c clusters
	finds '3: clusters: job a: it is in 3 blocks, 2 can hold it' -t tree:arity=4x2x2 -c clusters:size=3
}

@test "clusters: blocks of different sizes" {
	# the routers have one, two, one, two, one and two compute nodes
	topogen mesh:dims=3x2,per-router=2 --io nodes:list='n[1,5,9]' > m.yaml
	for nodes in 1 2 3 6 7 8 9; do
		jobs 'job nodes' "a $nodes"
		allocate --quiet -t m.yaml -c clusters s.tsv > placed.tsv
		mv placed.tsv s.tsv
		passes -t m.yaml -c clusters
		[ "$(evalmetrics -t m.yaml -m spread --by . s.tsv | awk '$3 == "routers" { print $4 }')" = $((nodes < 7 ? (nodes + 1) / 2 : nodes - 3)) ]
	done
	jobs 'job nodes nodelist' 'a 6 n[0,2-4,6-7]'
	finds '3: clusters: job a: it is in 4 blocks, 3 can hold it' -t m.yaml -c clusters
}

@test "proximate and compact: the fewest links, or those of routes" {
	# from n1 to n3 two links lead over a third group, the minimal route has three
	jobs 'job nodes nodelist' 'a 2 n[1,3]' 'b 3 n[0,2,4]'
	for distance in hops=2 routes=3; do
		run -1 --separate-stderr placecheck -t dragonfly:groups=5,routers=2,nodes=1 \
			-c "proximate:distance=${distance%=*}" s.tsv
		[ "$stderr" = "placecheck: s.tsv:3: proximate: job a: n1 and n3 are ${distance#*=} apart, 1 can be had" ]
	done
}

@test "linkdisjoint: jobs that run at one time" {
	jobs 'job nodes nodelist start_s end_s' 'a 2 n[0,2] 0 10' 'b 2 n[1,3] 5 20'
	finds '4: linkdisjoint: job b: the route from n1 to n3 shares a link with the route from n0 to n2 of job a' \
		-t line:nodes=4 -c linkdisjoint
	jobs 'job nodes nodelist start_s end_s' 'a 2 n[0,2] 0 10' 'b 2 n[1,3] 10 20'
	passes -t line:nodes=4 -c linkdisjoint
	jobs 'job nodes nodelist start_s end_s policy' 'a 2 n[0,2] 0 10 .' 'b 2 n[1,3] 5 20 .'
	passes -t line:nodes=4 -c linkdisjoint
}

@test "file: the lines of a file; a broken one is refused with its place" {
	printf '%s\n' '# two sets' 'n[0-3]' '' 'n7,n5' > permitted.txt
	jobs 'job nodes nodelist' 'a 2 n[5,7]'
	passes -t line:nodes=9 -c file:path=permitted.txt
	jobs 'job nodes nodelist' 'a 3 n[0-2]'
	finds '3: file: job a: these 3 nodes are no line of permitted.txt' -t line:nodes=9 -c file:path=permitted.txt
	echo 'n4,,n5' >> permitted.txt
	run -2 --separate-stderr placecheck -t line:nodes=9 -c file:path=permitted.txt s.tsv
	[[ $stderr == 'placecheck: --constraint: file: permitted.txt:5: a node list has a comma'* ]] || { echo "$stderr"; false; }
}

@test "the example of every constraint; several at once; what is refused" {
	jobs 'job nodes nodelist' 'a 2 n[0-1]'
	echo 'n[0-1]' > permitted.txt
	[ "$(examples_of placecheck constraints | wc -l)" -eq 9 ]
	examples_of placecheck constraints > list
	while read -r example; do
		passes -t torus:dims=4x4 -c "$example"
	done < list
	passes -t torus:dims=4x4 -c connected -c convex
	run -2 --separate-stderr placecheck -t torus:dims=4x4 -c round s.tsv
	[[ $stderr == *"--constraint: "*"'round'"* ]]
	run -2 --separate-stderr placecheck -c convex s.tsv
	[[ $stderr == *'-t'* ]]
	run -2 --separate-stderr placecheck -t torus:dims=4x4 -c convex "$ROOT/share/examples-data/traffic.tsv"
	[[ $stderr == *'a traffic stream has no placed jobs' ]]
}
