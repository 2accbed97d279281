bats_require_minimum_version 1.5.0
load helper

# allocate -c, --candidates, I/O nodes, topogen --io. What the constraints mean is tested over all
# subsets of small machines by tests/unit/constraint.c; with all policies, judged by placecheck's
# checkers, by tests/unit/constraint_policies.c.

# column NAME…: these columns, rows with blanks between
columns() {
	mlr --itsv --onidx --ofs ' ' --pass-comments cut -o -f "$1" | grep -v '^##'
}

placed() { # placed COLUMNS ARGUMENTS…
	set -o pipefail
	allocate --quiet "${@:2}" | columns "$1"
}

@test "burst buffers of the study: 270 and 720 of them, on every (second) router or on whole ones" {
	[ "$(topogen @summit-bb --io per:tier=router | grep -o 'n\[.*\]' | tr ',' '\n' | wc -l)" -eq 270 ]
	[ "$(topogen @edison-bb --io per:tier=router,every=2 | grep -o 'n\[.*\]' | tr ',' '\n' | wc -l)" -eq 720 ]
	topogen @summit-bb --io whole:tier=router,count=15 | grep -q 'nodes: "n\[4590-4859\]"'
	topogen @edison-bb --io whole:tier=router,count=180 | grep -q 'nodes: "n\[5040-5759\]"'
}

@test "every constraint is tried from its example, and placecheck agrees" {
	printf '%s\n' '# lists' '' 'n[0-3]' 'n[4-7]' 'n[1,5,9]' > permitted.txt
	stream jobs 'job nodes' 'a 4' 'b 4' 'c 3' > jobs.tsv
	[ "$(examples_of allocate constraints | wc -l)" -ge 9 ]
	for example in $(examples_of allocate constraints); do
		run -0 placed nodelist -t mesh:dims=4x3 -c "$example" jobs.tsv
		[ "$(sed -n 1p <<< "$output")" != . ]
		allocate -t mesh:dims=4x3 -c "$example" --quiet jobs.tsv | placecheck -c "$example" -
	done
}

@test "every placement of I/O nodes is tried from its example" {
	[ "$(examples_of topogen io-placements | wc -l)" -ge 5 ]
	for example in $(examples_of topogen io-placements); do
		topogen torus:dims=4x4 --io "$example" -o io.yaml
		grep -q 'name: io, ' io.yaml
		topogen io.yaml > again.yaml
		diff <(grep -v '^#' io.yaml) <(grep -v '^#' again.yaml)
	done
	topogen dragonfly:groups=3,routers=2,nodes=2 --io per:tier=group | grep -q 'nodes: "n\[3,7,11\]"'
	topogen dragonfly:groups=5,routers=2,nodes=2 --io per:tier=group,every=2,count=2 | grep -q 'nodes: "n\[6-7,14-15\]"'
	topogen dragonfly:groups=3,routers=2,nodes=2 --io whole:tier=router,count=3 | grep -q 'nodes: "n\[6-11\]"'
	topogen fattree:k=2,levels=3 --io whole:tier=router,count=4 | grep -q 'nodes: "n\[0-7\]"'
	topogen mesh:dims=4x3 --io plane:dim=1,at=2 | grep -q 'nodes: "n\[8-11\]"'
	topogen mesh:dims=4x3 --io plane:dim=0,at=3,kind=coupled --io nodes:list=n1,name=b,access=exclusive > two.yaml
	grep -q 'n\[3,7,11\]", kind: coupled, access: shared' two.yaml
	grep -q 'n1, kind: separate, access: exclusive' two.yaml
	topogen tree:arity=4x2 --io switches:level=2 | grep -q 'at: level=2'
}

@test "I/O placements that can't be are refused" {
	bad() { # bad MESSAGE ARGUMENTS…
		run -2 --separate-stderr topogen "${@:2}"
		[[ $stderr == *"$1"* ]]
	}
	bad "n5 is an I/O node already" mesh:dims=4x3 --io nodes:list=n5 --io every:stride=5,name=b
	bad "'io' is there already" mesh:dims=4x3 --io nodes:list=n5 --io nodes:list=n6
	bad "level 1 have I/O already" tree:arity=4x2 --io switches --io switches:name=b
	bad 'no node is where it says' mesh:dims=4x3 --io every:stride=5,offset=12
	bad 'dimension 1 has 3 places' mesh:dims=4x3 --io plane:dim=1,at=3
	bad 'there are 2 dimensions' mesh:dims=4x3 --io plane:dim=2
	bad 'has no dimensions' tree:arity=4x2 --io plane
	bad "no tier 'pod'" mesh:dims=4x3 --io per:tier=pod
	bad "no tier 'pod'" mesh:dims=4x3 --io whole:tier=pod
	bad 'has 2 fewer domains' fattree:k=2,levels=3 --io whole:tier=router,count=6
	bad 'no node is where it says' mesh:dims=4x3 --io per:tier=router,every=13
	bad 'n99' mesh:dims=4x3 --io nodes:list=n99
	bad 'not an I/O placement' mesh:dims=4x3 --io everywhere
}

@test "strict, for so long, and as a best effort" {
	stream jobs 'job nodes submit_s runtime_s' 'a 5 0 10' 'b 4 1 10' > jobs.tsv
	# five nodes of an 8x8 torus are never convex
	run -0 placed job,nodelist -t torus:dims=8x8 -q fcfs -c convex jobs.tsv
	[ "$output" = 'a .
b n[0-3]' ]
	run -0 placed job,start_s,nodelist -t torus:dims=8x8 -q fcfs -c convex:wait=7s jobs.tsv
	[ "$output" = 'a 7 n[0-4]
b 7 n[5-6,13-14]' ]
	run -0 placed job,start_s,nodelist,reason -t torus:dims=8x8 -c convex:best-effort --explain jobs.tsv
	[ "${lines[0]}" = 'a 0 n[0-4] convex: no region, let go' ]
	# a constraint that can hold is kept, though it is a best effort only
	run -0 placed job,nodelist -t ring:nodes=8 -c contiguous:best-effort --idle 'n[0,2,4-7]' \
		<(stream jobs 'job nodes' 'a 3' 'b 3')
	[ "$output" = 'a n[4-6]
b n[0,2,7]' ]
	# on a ring the first node follows the last
	run -0 placed job,nodelist -t ring:nodes=8 -c contiguous --idle 'n[0-1,3,6-7]' <(stream jobs 'job nodes' 'a 4' 'b 2')
	[ "$output" = 'a n[0-1,6-7]
b .' ]
	run -0 placed job,nodelist -t line:nodes=8 -c contiguous --idle 'n[0-1,3,6-7]' <(stream jobs 'job nodes' 'a 4' 'b 2')
	[ "$output" = 'a .
b n[0-1]' ]
}

@test "several constraints: all are kept, and each is named" {
	run -0 placed job,nodelist,reason -t tree:arity=4x2x2 -c contiguous -c proximate --explain --idle 'n[2-5,8-15]' \
		<(stream jobs 'job nodes' 'a 4' 'b 4' 'c 5')
	[ "$output" = 'a n[8-11] kept contiguous, proximate
b n[12-15] kept contiguous, proximate
c . 5 nodes requested, 4 idle' ]
	# a set of exactly as many blocks as the job needs is kept, one of more is not
	run -0 placed job,nodelist -t tree:arity=4x4 -c contiguous -c clusters --idle 'n[1-7,10-13]' \
		<(stream jobs 'job nodes' 'a 4' 'b 3' 'c 4')
	[ "$output" = 'a n[4-7]
b n[1-3]
c .' ]
	run -0 placed job,nodelist,reason -t tree:arity=4x2x2 -c contiguous:best-effort -c proximate --explain --idle 'n[0-1,3,5,9]' \
		<(stream jobs 'job nodes' 'a 3')
	[ "$output" = 'a n[0-1,3] contiguous, proximate: no region, let go; kept proximate' ]
}

@test "the policy chooses among the allowed regions, and inside them" {
	printf '##placetools=traffic/1\ntime_s\twindow_s\trouter\ttraffic_flits_per_s\n' > traffic.tsv
	for r in {0..11}; do printf '1\t1\tr%d\t%d\n' "$r" $((r == 5 || r == 6 || r == 9 || r == 10 ? 1 : 9)); done >> traffic.tsv
	run -0 placed nodelist -t mesh:dims=4x3 -p low-traffic --traffic traffic.tsv -c convex <(stream jobs 'job nodes' 'a 4' 'b 4')
	[ "$output" = 'n[5-6,9-10]
n[0-3]' ]
	run -0 placed nodelist -t mesh:dims=4x3 -p high-traffic --traffic traffic.tsv -c convex <(stream jobs 'job nodes' 'a 3')
	[ "$output" = 'n[0-2]' ]
	# in a leaf switch any nodes will do: the policy takes those that it likes
	run -0 placed nodelist -t tree:arity=4x2 -p rdn -c proximate --seed 3 <(stream jobs 'job nodes' 'a 2' 'b 2')
	first=$output
	run -0 placed nodelist -t tree:arity=4x2 -p rdn -c proximate --seed 3 <(stream jobs 'job nodes' 'a 2' 'b 2')
	[ "$output" = "$first" ]
	# level-spread's order of picking
	run -0 placed nodelist -t dragonfly:groups=3,routers=2,nodes=2 -p level-spread -c convex <(stream jobs 'job nodes' 'a 4')
	[ "$output" = 'n[0,2,1,3]' ]
}

@test "padding: the next size that has a box, with all its nodes" {
	run -0 placed job,nodes,nodes_asked,nodelist -t torus:dims=8x8 -c convex:pad <(stream jobs 'job nodes' 'a 5' 'b 11' 'c 4')
	[ "$output" = 'a 6 5 n[0-2,8-10]
b 12 11 n[3-6,11-14,19-22]
c 4 4 n[16-18,23]' ]
	allocate -t torus:dims=8x8 -c convex:pad <(stream jobs 'job nodes' 'a 5' 'b 11' 'c 4') | placecheck -c convex -
	# also where another constraint comes first; and among all node lists
	run -0 placed nodes,nodelist -t torus:dims=8x8 -c contiguous:best-effort -c convex:pad <(stream jobs 'job nodes' 'a 5')
	[ "$output" = '6 n[0-2,8-10]' ]
	run -0 placed nodes,nodes_asked,nodelist -t ring:nodes=7 -c convex:pad --candidates --idle 'n[0-6]' <(stream jobs 'job nodes' 'a 5')
	[ "$output" = '7 5 n[0-6]' ]
	# in queues, too, where the whole box is held
	for queue in fcfs easy conservative; do
		allocate -t torus:dims=8x8 -c convex:pad -q $queue <(stream jobs 'job nodes submit_s runtime_s' 'a 59 0 9' 'b 5 1 3' 'c 3 2 4') |
			placecheck -c convex -
	done
}

@test "constraints in queues: what starts keeps them, and nobody starts on busy nodes" {
	awk 'BEGIN { print "##placetools=jobs/1"; print "job\tnodes\tsubmit_s\truntime_s\twalltime_s"
		for (i = 0; i < 60; i++) printf "%d\t%d\t%d\t%d\t%d\n", i, 1 + i * 7 % 12, i * 2, 5 + i * 13 % 30, 40 }' > jobs.tsv
	for queue in fcfs easy conservative level-fit; do
		for constraint in contiguous clusters proximate compact convex:pad; do
			allocate -t fattree:k=3,levels=3 -q $queue -c $constraint --quiet jobs.tsv -o out.tsv
			placecheck -c "${constraint%:pad}" out.tsv
			[ "$(grep -v '^##' out.tsv | cut -f 8 | grep -c '^\.$')" = 0 ]
		done
	done
}

@test "convex goes by the routes: those of the topology, or of -r" {
	stream jobs 'job nodes' 'a 4' 'b 2' 'c 1' > jobs.tsv
	for routing in minimal updown valiant ugal; do
		allocate --quiet -t dragonfly:groups=5,routers=4,nodes=2 -r $routing -c convex jobs.tsv -o out.tsv
		placecheck -r $routing -c convex out.tsv
	done
	# four nodes are two routers of a group; where messages may go anywhere, no set of theirs is safe
	run -0 placed nodelist -t dragonfly:groups=5,routers=4,nodes=2 -r minimal -c convex jobs.tsv
	[ "${lines[0]}" = 'n[0-3]' ]
	run -0 placed nodelist -t dragonfly:groups=5,routers=4,nodes=2 -r ugal -c convex jobs.tsv
	[ "$output" = '.
n[0-1]
n2' ]
	run -0 placed nodelist -t dragonfly:groups=5,routers=4,nodes=2 -r ugal -c convex <(stream jobs 'job nodes' 'a 40')
	[ "$output" = 'n[0-39]' ]
	# without dimension order boxes are nothing special
	allocate --quiet -t torus:dims=4x4 -r updown -c convex <(stream jobs 'job nodes' 'a 5' 'b 4') | placecheck -r updown -c convex -
	for q in 2 3 4 5; do
		allocate --quiet -t mesh:dims=4x3 -r updown -c convex --candidates <(stream jobs 'job nodes' "a $q") -o out.tsv
		placecheck -r updown -c convex out.tsv
	done
}

@test "candidates: every node list, once, as runs that other tools take" {
	set -o pipefail
	count() { allocate "$@" --candidates | grep -v '^##' | sed 1d | wc -l; }
	n=0
	for q in {1..16}; do
		n=$((n + $(count -t mesh:dims=4x4 -c convex <(stream jobs 'job nodes' "a $q"))))
	done
	[ "$n" = 100 ]
	[ "$(count -t mesh:dims=4x4 <(stream jobs 'job nodes' 'a 3'))" = 560 ]
	[ "$(count -t mesh:dims=4x4 -c connected -c contiguous <(stream jobs 'job nodes' 'a 4'))" = 4 ]
	[ "$(count -t mesh:dims=4x4 -c contiguous <(stream jobs 'job nodes' 'a 4'))" = 13 ]
	stream jobs 'run job nodes nodelist' 'x r 2 n[0-1]' 'x a 2 .' > jobs.tsv
	run -0 placed run,job,nodelist -t line:nodes=6 -c contiguous --candidates jobs.tsv
	[ "$output" = 'x/a/1 a n[2-3]
x/a/2 a n[3-4]
x/a/3 a n[4-5]' ]
	allocate -t mesh:dims=4x4 -c connected --candidates <(stream jobs 'job nodes' 'a 4') | placecheck -c connected -
	run -2 --separate-stderr allocate -t mesh:dims=8x8 --candidates <(stream jobs 'job nodes' 'a 9')
	[[ $stderr == *':3: more than 1000000 node lists are possible'* ]]
}

@test "I/O nodes: separate ones do not compute; jobs get the nearest, or those they name" {
	topogen mesh:dims=4x3 --io nodes:list='n[5-6]' -o io.yaml
	run -0 placed nodelist -t io.yaml <(stream jobs 'job nodes' 'a 10')
	[ "$output" = 'n[0-4,7-11]' ]
	run -0 placed job,nodelist,io_nodelist -t io.yaml <(stream jobs 'job nodes io_nodes' 'a 2 1' 'b 3 2' 'c 1 .' 'd 1 3')
	[ "$output" = 'a n[0-1] n5
b n[2-4] n[5-6]
c n7 .
d . .' ]
	run -0 placed job,nodelist,io_nodelist -t io.yaml -c local <(stream jobs 'job nodes io_pinned' 'a 2 n6' 'b 3 n[5-6]' 'c 1 n6')
	[ "$output" = 'a n[1-2] n6
b n[0,4,7] n[5-6]
c n10 n6' ]
	allocate --quiet -t io.yaml -c local <(stream jobs 'job nodes io_pinned' 'a 2 n6' 'b 3 n[5-6]' 'c 1 n6') | placecheck -c local -
	run -2 --separate-stderr allocate -t io.yaml <(stream jobs 'job nodes io_pinned' 'a 2 n7')
	[[ $stderr == *":3: io_pinned: 'n7' is not an I/O node of mesh-12" ]]
	run -2 --separate-stderr allocate -t io.yaml <(stream jobs 'job nodes io_nodes io_pinned' 'a 2 2 n5')
	[[ $stderr == *'io_pinned: names 1 I/O nodes, io_nodes says 2'* ]]
}

@test "I/O at switches goes by the switch's name, and is local to what lies below" {
	topogen tree:arity=4x2x2 --io switches:level=1 -o leaf.yaml
	run -0 placed job,nodelist,io_nodelist -t leaf.yaml -c local <(stream jobs 'job nodes io_pinned' 'a 2 r2' 'b 3 .' 'c 2 r[1-2]')
	[ "$output" = 'a n[0,8] r2
b n[1-3] .
c n[4,9] r[1-2]' ]
	allocate --quiet -t leaf.yaml -c local -c proximate:best-effort <(stream jobs 'job nodes io_nodes' 'a 2 1' 'b 6 2') | placecheck -c local -
}

@test "exclusive I/O nodes are one job's until it ends; in EASY's plans, too" {
	topogen ring:nodes=12 --io 'nodes:list=n[3,9],access=exclusive' -o io.yaml
	stream jobs 'job nodes io_nodes submit_s runtime_s' 'a 2 2 0 10' 'b 2 1 1 10' 'c 2 . 2 3' 'd 2 1 3 5' > jobs.tsv
	run -0 placed job,start_s,io_nodelist -t io.yaml -q fcfs jobs.tsv
	[ "$output" = 'a 0 n[3,9]
b 10 n3
c 10 .
d 10 n9' ]
	run -0 placed job,start_s,io_nodelist -t io.yaml -q easy jobs.tsv
	[ "$output" = 'a 0 n[3,9]
b 10 n3
c 2 .
d 10 n9' ]
	# a job that runs already has its own
	stream jobs 'job nodes io_nodes submit_s runtime_s start_s nodelist io_nodelist' 'r 1 1 . 10 0 n0 n3' 'a 2 2 0 5 . . .' 'b 2 1 0 5 . . .' > running.tsv
	run -0 placed job,start_s,io_nodelist -t io.yaml -q easy running.tsv
	[ "$output" = 'r 0 n3
a 10 n[3,9]
b 0 n9' ]
	# a reservation holds its I/O nodes: d would delay b if it took n3 before it starts
	stream jobs 'job nodes io_nodes submit_s runtime_s' 'a 2 1 0 10' 'b 4 2 1 10' 'c 2 1 2 3' 'd 2 1 3 30' 'e 2 2 4 5' > jobs.tsv
	run -0 placed job,start_s,io_nodelist -t io.yaml -q conservative jobs.tsv
	[ "$output" = 'a 0 n3
b 10 n[3,9]
c 2 n9
d 20 n3
e 50 n[3,9]' ]
	run -0 placed job,start_s,io_nodelist -t io.yaml -q conservative running.tsv
	[ "$output" = 'r 0 n3
a 10 n[3,9]
b 0 n9' ]
}

@test "linkdisjoint under conservative: reservations share no links with those beside them" {
	jobgen -t torus:dims=6x6 lublin:load=1,jobs=80 >jobs.tsv
	allocate --quiet -t torus:dims=6x6 -q conservative -c linkdisjoint jobs.tsv -o out.tsv
	placecheck -c linkdisjoint out.tsv
	run -0 mlr --itsv --onidx --skip-comments filter '$nodelist == "."' then count out.tsv
	[ "$output" = 0 ]
	# a long job on the way of a reservation would delay it; beside it, it starts at once
	stream jobs 'job nodes submit_s runtime_s' 'a 5 0 10' 'b 6 1 10' 'c 2 2 30' > jobs.tsv
	run -0 placed job,start_s,nodelist -t line:nodes=9 -q conservative -c linkdisjoint jobs.tsv
	[ "$output" = 'a 0 n[0-4]
b 10 n[0-5]
c 2 n[6-7]' ]
	run -0 --separate-stderr allocate -v -t torus:dims=6x6 -q easy -c linkdisjoint:effort=50 <(jobgen -t torus:dims=6x6 lublin:load=1,jobs=80)
	[[ "$stderr" =~ 'searches for nodes that gave up (effort=): '[1-9] ]]
}

@test "linkdisjoint under easy: a job whose messages would cross those of the first one waits for it" {
	stream jobs 'job nodes submit_s runtime_s' 'a 5 0 100' 'b 6 1 10' 'c 2 2 1000' > jobs.tsv
	run -0 placed job,start_s,nodelist -t line:nodes=9 -q easy -c linkdisjoint jobs.tsv
	[ "$output" = 'a 0 n[0-4]
b 100 n[0-5]
c 100 n[6-7]' ]
}

@test "linkdisjoint under easy:reserve=nodes: the links to the reserved nodes stay free, too" {
	printf 'n%s\n' 2 3 4 5 6 7 0 1 8 >order
	stream jobs 'job nodes submit_s runtime_s' 'r1 1 0 100' 'r2 1 0 100' 'r3 1 0 100' 'r4 1 0 100' 'r5 1 0 100' 'r6 1 0 100' \
		'b 6 1 10' 'c 3 2 1000' >jobs.tsv
	for queue in easy easy:reserve=nodes conservative; do
		placed job,start_s -t line:nodes=9 -q $queue -c linkdisjoint -p simple:order=file,order.path=order jobs.tsv | tail -2 >out
		# c on n[0-1,8] would cross what b is going to get
		diff out <(printf '%s\n' 'b 100' 'c 110')
	done
}

@test "linkdisjoint: no link of those who run" {
	stream jobs 'job nodes nodelist' 'r 2 n[3,5]' 'a 4 .' 'b 3 .' > jobs.tsv
	run -0 placed job,nodelist -t line:nodes=9 -c linkdisjoint jobs.tsv
	[ "$output" = 'r n[3,5]
a .
b n[0-2]' ]
	allocate --quiet -t line:nodes=9 -c linkdisjoint jobs.tsv | placecheck -c linkdisjoint -
}

@test "what can't be is refused with a reason" {
	stream jobs 'job nodes' 'a 2' > jobs.tsv
	bad() { # bad MESSAGE ARGUMENTS…
		run -2 --separate-stderr allocate "${@:2}" jobs.tsv
		[[ $stderr == *"$1"* ]]
	}
	bad 'connected: the nodes of tree-16 are joined through switches only' -t tree:arity=4x4 -c connected
	bad "'round' is not a constraint" -t ring:nodes=4 -c round
	bad 'literal' -t ring:nodes=4 -c convex:literal,pad
	bad 'no.such' -t ring:nodes=4 -c file:path=no.such
	echo 'n[0-9]' > permitted.txt
	bad 'permitted.txt:1: ' -t ring:nodes=4 -c file:path=permitted.txt
	bad 'contiguous: ' -t ring:nodes=4 -c contiguous:order=file,order.path=permitted.txt
	# a machine without I/O nodes
	run -0 placed reason -t ring:nodes=4 --explain <(stream jobs 'job nodes io_nodes' 'a 1 1')
	[ "$output" = '1 I/O nodes requested, 0 of all free' ]
	# bound reached: says that it does not know
	run -0 placed reason -t torus:dims=16x16 -c convex:literal --explain <(stream jobs 'job nodes' 'a 100')
	[ "$output" = 'convex: unknown: bound reached' ]
}

@test "convex sets over several groups of a dragonfly, under queues" {
	jobgen -t dragonfly:groups=9,routers=8,nodes=4 lublin:load=.9,jobs=120 >jobs.tsv
	for queue in easy conservative; do
		allocate --quiet -t dragonfly:groups=9,routers=8,nodes=4 -q $queue -c convex jobs.tsv -o out.tsv
		placecheck -c convex out.tsv
		# every whole number of routers has its place on the empty machine, and waits for it
		run -0 mlr --itsv --onidx --skip-comments filter '$nodelist == "." && ($nodes < 4 || $nodes % 4 == 0)' then count out.tsv
		[ "$output" = 0 ]
		run -0 mlr --itsv --onidx --skip-comments filter '$nodelist != "." && $nodes > 32' then count out.tsv
		[ "$output" -gt 0 ]
	done
}

@test "a reservation starts with the reason of its own choice" {
	stream jobs 'job nodes submit_s runtime_s' 'a 6 0 10' 'b 8 1 10' 'c 2 2 30' 'd 3 2 40' 'e 4 3 8' > jobs.tsv
	run -0 placed job,start_s,reason -t line:nodes=8 -q conservative -c contiguous --explain jobs.tsv
	[ "$output" = 'a 0 no reservation is delayed; kept contiguous
b 10 waited: 8 nodes requested, 2 idle, promised for 10 s; no reservation is delayed; kept contiguous
c 20 waited: would delay reservations, promised for 20 s; its reservation; kept contiguous
d 20 waited: 3 nodes requested, 2 idle, promised for 20 s; its reservation; kept contiguous
e 60 waited: 4 nodes requested, 2 idle, promised for 60 s; its reservation; kept contiguous' ]
}

@test "searches that give up or are left out are counted, and always reported" {
	jobgen -t torus:dims=6x6x6 lublin:load=.9,jobs=60 >j.tsv
	run -0 --separate-stderr allocate -t torus:dims=6x6x6 -q easy -c compact:effort=100 j.tsv
	[[ "$stderr" =~ 'searches for nodes that gave up (effort=): '[1-9] ]]
	[[ "$stderr" != *'left out'* ]]
	run -0 --separate-stderr allocate -t torus:dims=6x6x6 -q easy -c contiguous j.tsv
	[[ "$stderr" != *'gave up'* ]]
	# after eight, others are left out on a large machine
	stream jobs 'job nodes submit_s runtime_s' 'a 2400 0 100' "$(for i in {1..12}; do echo "b$i $((1499 + i)) $i 10"; done)" >j.tsv
	run -0 --separate-stderr allocate -t torus:dims=17x17x17 -q easy -c compact j.tsv
	[ "$stderr" = 'allocate: searches for nodes that gave up (effort=): 18, for 12 jobs
allocate: searches for nodes left out (large machine): 24, for 8 jobs' ]
	run -0 --separate-stderr allocate --quiet -t torus:dims=17x17x17 -q easy -c compact j.tsv
	[ -z "$stderr" ]
}

@test "compact on a large torus knows cubes" {
	stream jobs 'job nodes submit_s runtime_s' 'a 8 0 10' 'b 27 10 10' 'c 2 20 10' >j.tsv
	run -0 placed nodelist -t torus:dims=12x12x12 -q easy -c compact j.tsv
	[ "$output" = 'n[0-1,12-13,144-145,156-157]
n[0-2,12-14,24-26,144-146,156-158,168-170,288-290,300-302,312-314]
n[0-1]' ]
}

@test "compact moves its set, whichever nodes of a router are idle, on meshes and beside others" {
	printf '##placetools=jobs/1\njob\tnodes\tsubmit_s\truntime_s\n' | tee nodes.tsv >sets.tsv
	for i in {1..1729}; do printf '%d\t1\t0\t10\n' "$i"; done >>nodes.tsv
	for i in {1..20}; do printf '%d\t100\t0\t10\n' "$i"; done >>sets.tsv
	# the second node of a router where the first is taken
	[ "$(placed start_s -t torus:dims=12x12x12,per-router=2 -q fcfs -c compact nodes.tsv | sort | uniq -c | xargs)" = '1729 0' ]
	for machine in mesh:dims=22x22x22 mesh:dims=50x50 hypercube:dims=11 torus:dims=22x22x22; do
		[ "$(placed start_s -t "$machine" -q fcfs -c compact sets.tsv | grep -cx 0)" -ge 10 ]
	done
	# all of its sets are never listed on so large a machine: one is looked at
	stream jobs 'job nodes' 'a 8' 'b 8' >j.tsv
	run -0 placed nodelist -t fattree:down=16x16x8,up=1x16x16 -c compact -c linkdisjoint j.tsv
	[ "$output" = 'n[0-7]
n[8-15]' ]
}

@test "EASY delays no head for want of an exclusive I/O node" {
	topogen line:nodes=10 --io nodes:list='n[8-9]',kind=separate,access=exclusive >m.yaml
	# b would keep n8 beyond the time at which h gets both; c ends before
	stream jobs 'job nodes submit_s runtime_s io_nodes' 'r 4 0 100 0' 'h 6 1 10 2' 'b 2 2 1000 1' 'c 2 3 50 1' >j.tsv
	for queue in easy easy:reserve=nodes conservative; do
		for constraint in '' connected; do
			run -0 placed job,start_s,io_nodelist -t m.yaml -q $queue ${constraint:+-c $constraint} j.tsv
			[ "$output" = 'r 0 .
h 100 n[8-9]
b 110 n8
c 3 n8' ]
		done
	done
}

@test "conservative: I/O nodes that are free when another job takes the nodes at once are promised from then on" {
	topogen complete:nodes=4 --io nodes:list=n3,access=exclusive -o m.yaml
	stream jobs 'job nodes io_nodes submit_s runtime_s' 'a 2 1 0 100' 'h 1 . 0 30' 'b 2 . 1 100' 'c 1 1 2 30' >j.tsv
	for queue in easy conservative; do
		run -0 placed job,start_s,io_nodelist -t m.yaml -q $queue j.tsv
		[ "$output" = 'a 0 n3
h 0 .
b 100 .
c 100 n3' ]
	done
}

@test "clusters beside I/O nodes: a job gets nodes whatever the policy ranked before" {
	topogen complete:nodes=6 --io nodes:list=n5 -o m.yaml
	stream jobs 'job nodes submit_s runtime_s io_nodes' 'a 2 0 10 .' 'b 1 5 10 .' 'c 5 30 10 1' >j.tsv
	for queue in fcfs easy conservative; do
		run -0 placed job,start_s -t m.yaml -q $queue -c clusters j.tsv
		[ "$output" = 'a 0
b 5
c 30' ]
	done
}

@test "compact as best effort takes the set with which it found the least" {
	for seed in 1 3 5; do
		idle=$(awk -v seed=$seed 'BEGIN { srand(seed); for (i = 0; i < 1024; i++) if (rand() < .3) printf "%sn%d", (k++ ? "," : ""), i }')
		stream jobs 'job nodes' 'j 40' | allocate --quiet -t torus:dims=32x32 --idle "$idle" -c compact:best-effort --explain >o.tsv
		grep -q 'kept compact$' o.tsv
	done
}

@test "best effort of one constraint leaves the others hard" {
	stream jobs 'job nodes submit_s runtime_s' 'a 4 0 10' >j.tsv
	for constraint in compact proximate; do
		# of n0 to n3 the least there can be is not had, whatever another constraint is
		run -0 placed start_s,nodelist -t mesh:dims=4x4 --idle 'n[0-3]' -c contiguous:best-effort -c $constraint j.tsv
		[ "$output" = '. .' ]
		run -0 placed start_s,nodelist -t mesh:dims=4x4 --idle 'n[0-3]' -c $constraint:best-effort -c contiguous j.tsv
		[ "$output" = '0 n[0-3]' ]
	done
}

@test "conservative on a large machine tries start times ever more widely" {
	# one start after the other would be 468 searches
	stream jobs 'job nodes submit_s runtime_s' "$(for i in {1..70}; do echo "s$i 70 0 $((100 + i))"; done)" 'big 1200 1 10' >j.tsv
	run -0 --separate-stderr allocate -v -t torus:dims=17x17x17 -q conservative -c linkdisjoint -o placed.tsv j.tsv
	[ "$stderr" = 'allocate: searches for nodes that gave up (effort=): 366, for 29 jobs' ]
	placecheck placed.tsv
}

@test "conservative on a large machine: where no search gave up, each start time is tried" {
	# the I/O node is another job's until 140
	topogen torus:dims=17x17x17 --io nodes:list=n0,access=exclusive -o io.yaml
	stream jobs 'job nodes submit_s runtime_s io_nodes' "$(for i in {1..60}; do echo "s$i 2 0 $((100 + i)) $((i == 40))"; done)" 'big 4 1 10 1' >j.tsv
	run -0 --separate-stderr allocate -v -t io.yaml -q conservative -c linkdisjoint -o placed.tsv j.tsv
	[ "$stderr" = '' ]
	run -0 mlr --itsv --onidx --skip-comments filter '$job == "big"' then cut -f start_s placed.tsv
	[ "$output" = 140 ]
	placecheck placed.tsv
}

@test "conservative on a large machine: the same rules with wait=, and none when it is over" {
	stream jobs 'job nodes submit_s runtime_s' "$(for i in {1..70}; do echo "s$i 70 0 $((100 + i))"; done)" 'big 1200 1 10' >j.tsv
	run -0 --separate-stderr allocate -v -t torus:dims=17x17x17 -q conservative -c linkdisjoint:wait=1d -o placed.tsv j.tsv
	[ "$stderr" = 'allocate: searches for nodes that gave up (effort=): 366, for 29 jobs' ]
	allocate --quiet -t torus:dims=17x17x17 -q conservative -c linkdisjoint -o strict.tsv j.tsv
	cmp <(body placed.tsv) <(body strict.tsv)
	run -0 --separate-stderr allocate -v -t torus:dims=17x17x17 -q conservative -c linkdisjoint:wait=200 -o placed.tsv j.tsv
	[ "$stderr" = 'allocate: searches for nodes that gave up (effort=): 368, for 29 jobs' ]
	run -0 mlr --itsv --onidx --skip-comments filter '$job == "big"' then cut -f start_s placed.tsv
	[ "$output" = 201 ]
	placecheck placed.tsv
}

@test "easy: a start that is refused for sure is no search that gave up" {
	# at 2500 there is a run of 70 nodes; what ends at 3502 would delay it
	stream jobs 'job nodes submit_s runtime_s io_nodes partition' "$(for i in {40..1}; do echo "r$i 2 0 ${i}00 $((i == 25)) p"; done)" 'head 70 1 10 IO p' 'late 4 2 3500 0 p' 'short 4 3 2000 0 p' >j.tsv
	sed 's/IO/0/' j.tsv >plain.tsv
	sed 's/IO/1/' j.tsv >io.tsv
	topogen line:nodes=101 --io nodes:list=n100,access=exclusive -o io.yaml
	stream nodes 'node partitions' "$(for i in {0..99}; do echo "n$i p"; done)" >nodes.tsv
	for arguments in '-c contiguous plain.tsv' '-c contiguous:wait=1d plain.tsv' '-c contiguous io.tsv' '-c contiguous --nodes nodes.tsv plain.tsv' \
		'-p contiguous -c contiguous plain.tsv' '-c contiguous -c linkdisjoint:best-effort plain.tsv'; do
		# shellcheck disable=SC2086
		allocate --quiet -t io.yaml -q easy -o placed.tsv $arguments
		run -0 mlr --itsv --onidx --skip-comments filter '$job =~ "^[hls]"' then cut -f job,start_s placed.tsv
		[ "$output" = 'head 2500
late 2510
short 3' ]
		placecheck placed.tsv
	done
}

@test "several constraints: their order on the command line does not matter" {
	topogen torus:dims=8x8 --io nodes:list='n[0,9,18,27]' > m.yaml
	printf '%s\n' '##placetools=jobs/1' 'job nodes submit_s runtime_s' 'a 8 0 10' 'b 4 0 20' 'c 9 1 10' 'd 6 2 5' \
		'e 16 2 10' 'f 2 3 3' | tr ' ' '\t' > jobs.tsv
	for pair in 'local convex' 'contiguous local' 'connected clusters:size=8' 'compact contiguous'; do
		read -r a b <<<"$pair"
		allocate --quiet -t m.yaml -q easy -c "$a" -c "$b" jobs.tsv | grep -v '^##' > one.tsv
		allocate --quiet -t m.yaml -q easy -c "$b" -c "$a" jobs.tsv | grep -v '^##' > other.tsv
		cmp one.tsv other.tsv
	done
}
