# allocate-rules.bats - the rules of single policies, of time, runs and roles, and what is refused
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	# Groups of 2 routers of 4 nodes: n0-3 on r0, n4-7 on r1 | n8-11 r2, n12-15 r3 | n16-19 r4, n20-23 r5.
	cp "$DATA"/* .
}

# lists [OPTION…]: allocates jobs from standard input; "JOB NODELIST" of each
lists() {
	allocate --quiet -t "$MACHINE" "$@" | columns job,nodelist
}
columns() { # NAMES: these columns, blanks between, without the line of their names
	mlr --itsv --onidx --ofs ' ' --pass-comments cut -o -f "$1" | grep -v '^##'
}

# ---- NeDD by hand ----

# Flits per second of r0 … r5: order quiet → busy r3 (0), r4 (5), r1 and r5 (6, the lower label first),
# r0 (20), r2 (80).
traffic() {
	stream traffic 'time_s window_s router traffic_flits_per_s stall_per_s' \
		'120 120 r0 20 5' '120 120 r1 6 1' '120 120 r2 80 0' '120 120 r3 0 4' '120 120 r4 5 3' '120 120 r5 6 2'
}

# Idle: n2 n3 (r0), n5 n6 n7 (r1), n11 (r2), n12 n13 (r3), n16 (r4), n20 … n23 (r5): 13 nodes.
IDLE='n[2-3,5-7,11-13,16,20-23]'

@test "nedd:smooth takes n nodes of the quiet → busy order from place round((1 - s)(idle - n))" {
	traffic > t.tsv
	# the order: n12 n13 n16 n5 n6 n7 n20 n21 n22 n23 n2 n3 n11; 13 idle, 3 wanted: (1 - s) * 10
	while read -r s wanted; do
		run -0 lists -p nedd:smooth --idle "$IDLE" --traffic t.tsv < <(stream jobs 'job nodes sensitivity' "a 3 $s")
		[ "$output" = "a $wanted" ] || { echo "$s: $output"; false; }
	done <<- END
		1 n[12-13,16]
		0 n[2-3,11]
		0.5 n[7,20-21]
		0.94 n[13,16,5]
		0.95 n[13,16,5]
		0.96 n[12-13,16]
		. n[20-22]
	END
}

@test "nedd:smooth: what has a sample first, wherever the job stands between quiet and busy" {
	traffic | grep -v 'r[24]' > t.tsv
	# 11 idle nodes with a sample: n12 n13 n5 n6 n7 n20 n21 n22 n23 n2 n3; then n11 and n16
	while read -r unsampled n s wanted; do
		run -0 lists -p "nedd:smooth,unsampled=$unsampled" --idle "$IDLE" --traffic t.tsv < <(stream jobs 'job nodes sensitivity' "a $n $s")
		[ "$output" = "a $wanted" ] || { echo "$unsampled $n $s: $output"; false; }
	done <<- END
		last 3 0 n[23,2-3]
		last 3 1 n[12-13,5]
		last 12 0 n[12-13,5-7,20-23,2-3,11]
		last 13 0.5 n[12-13,5-7,20-23,2-3,11,16]
		first 3 0 n[11,16,3]
		first 3 1 n[11,16,12]
		first 1 0 n11
	END
}

@test "routers without a sample stand last in both orders, or first; those seen in part count" {
	traffic | grep -v 'r4' | sed -e '2s/$/\tincomplete/' -e '3,$s/$/\tyes/' > t.tsv
	for policy in low-traffic high-traffic low-stall; do
		run -0 lists -p "$policy" --idle "$IDLE" --traffic t.tsv < <(stream jobs 'job nodes' 'a 12' 'b 1')
		[ "${lines[1]}" = 'b n16' ]
		run -0 lists -p "$policy:unsampled=first" --idle "$IDLE" --traffic t.tsv < <(stream jobs 'job nodes' 'a 1')
		[ "$output" = 'a n16' ]
	done
	# a router that has a row but no value is one without a sample
	traffic | sed 's/r3\t0\t4/r3\t.\t./' > t.tsv
	run -0 lists -p low-traffic --idle "$IDLE" --traffic t.tsv < <(stream jobs 'job nodes' 'a 11' 'b 2')
	[ "${lines[1]}" = 'b n[12-13]' ]
}

@test "a table per node: a router's traffic is the sum over its nodes" {
	stream traffic 'time_s window_s node traffic_flits_per_s' '9 9 n0 3' '9 9 n1 3' '9 9 n4 5' '9 9 n5 0' > t.tsv
	run -0 lists -p low-traffic --idle 'n[0,4]' --traffic t.tsv < <(stream jobs 'job nodes' 'a 1')
	[ "$output" = 'a n4' ]
}

@test "each run has its own windows where the traffic tells runs apart" {
	stream traffic 'run time_s window_s router traffic_flits_per_s' '1 9 9 r0 1' '1 9 9 r1 2' '2 9 9 r0 2' '2 9 9 r1 1' > t.tsv
	run -0 lists -p low-traffic --idle 'n[0-7]' --traffic t.tsv < <(stream jobs 'run job nodes' '1 a 1' '2 a 1')
	[ "$output" = "a n0
a n4" ]
}

@test "traffic policies need --traffic; the traffic must be of this machine" {
	run -2 --separate-stderr allocate -t "$MACHINE" -p low-traffic jobs.tsv
	[[ $stderr == *'needs --traffic'* ]]
	stream traffic 'time_s window_s router traffic_flits_per_s' '9 9 r77 1' > t.tsv
	run -2 --separate-stderr allocate -t "$MACHINE" -p low-traffic --traffic t.tsv jobs.tsv
	[[ $stderr == "allocate: t.tsv:3: 'r77' is not a router"* ]]
}

# ---- the other policies ----

@test "simple in the order of a file, which names every node once" {
	seq -f 'n%g' 23 -1 4 > order.txt
	echo 'n[2-3] n1,n0' >> order.txt
	run -0 lists -p simple:order=file,order.path=order.txt --idle 'n[0-9,20]' < <(stream jobs 'job nodes' 'a 3' 'b 8')
	[ "$output" = "a n[20,9,8]
b n[7,6,5,4,2-3,1,0]" ]
	# what a job gives back is there again
	run -0 lists -p simple:order=file,order.path=order.txt < <(stream jobs 'job nodes submit_s runtime_s' 'a 3 0 1' 'b 2 0 9' 'c 4 1 1')
	[ "$(sed -n 3p <<< "$output")" = 'c n[23,22,21,18]' ]
	run -0 lists -p simple:order=label < <(stream jobs 'job nodes' 'a 3')
	[ "$output" = 'a n[0-2]' ]
	sed -i '$d' order.txt
	run -2 --separate-stderr allocate -t "$MACHINE" -p simple:order=file,order.path=order.txt jobs.tsv
	[[ $stderr == *'order file: the node n0 is missing' ]]
	echo n4 >> order.txt
	run -2 --separate-stderr allocate -t "$MACHINE" -p simple:order=file,order.path=order.txt jobs.tsv
	[[ $stderr == *'order.txt: '*n4* ]]
	# the example of every order, with its parameters dotted
	seq -f 'n%g' 0 23 > order.txt
	[ "$(examples_of allocate orders | wc -l)" -ge 6 ]
	examples_of allocate orders | sed 's/:/,order./' | while read -r example; do
		allocate -t torus:dims=6x4 -p "simple:order=$example" jobs.tsv > /dev/null
	done
}

@test "orders of dimensions: snake, Z-order, Hilbert's curve, blocks; and only where there are some" {
	while read -r order wanted; do
		run -0 allocate --quiet -t mesh:dims=4x4 -p "simple:order=$order" <(stream jobs 'job nodes' 'a 16')
		[ "$(columns nodelist <<< "$output")" = "$wanted" ] || { echo "$order: $output"; false; }
	done <<- END
		snake n[0-3,7,6,5,4,8-11,15,14,13,12]
		zorder n[0-1,4-5,2-3,6-9,12-13,10-11,14-15]
		hilbert n[0-1,5,4,8,12-13,9-10,14-15,11,7,6,2-3]
		albing n[0-1,5,4,2-3,7,6,10-11,15,14,8-9,13,12]
		albing,order.block=4 n[0-3,7,6,5,4,8-11,15,14,13,12]
	END
	for order in snake zorder hilbert albing; do
		run -2 --separate-stderr allocate -t "$MACHINE" -p "simple:order=$order" jobs.tsv
		[[ $stderr == *"order $order: a network of the kind dragonfly has no dimensions"* ]]
	done
}

@test "slurm: best fit, or the first one that fits; else the routers with fewest idle nodes" {
	idle='n[0-3,4-6,8-9,12]' # r0 4, r1 3, r2 2, r3 1
	run -0 lists -p slurm --idle "$idle" < <(stream jobs 'job nodes' 'a 3' 'b 6')
	[ "$output" = "a n[4-6]
b n[12,8-9,0-2]" ]
	run -0 lists -p slurm:fit=first --idle "$idle" < <(stream jobs 'job nodes' 'a 3')
	[ "$output" = 'a n[0-2]' ]
}

@test "rrn and rrr: round robin over the groups, from the first one for every job" {
	idle='n[1,4-7,8,12-13,23]'
	run -0 lists -p rrn --idle "$idle" < <(stream jobs 'job nodes' 'a 4' 'b 2')
	[ "$output" = "a n[1,8,23,4]
b n[5,12]" ]
	run -0 lists -p rrr --idle "$idle" < <(stream jobs 'job nodes' 'a 6')
	[ "$output" = 'a n[1,8,23,4-6]' ]
	run -2 --separate-stderr allocate -t ring:nodes=8 -p rrn jobs.tsv
	[[ $stderr == *'rrn: the routers of '*' are in no groups' ]]
}

@test "rdr and rdg take all idle nodes of what they draw; rdn each node alike" {
	stream jobs 'job nodes' 'a 8' > jobs.tsv
	for seed in 1 2 3 4 5; do
		run -0 lists -p rdr --seed $seed jobs.tsv
		# two whole routers
		[[ $output =~ ^a\ n\[[0-9]+-[0-9]+(,[0-9]+-[0-9]+)?\]$ ]]
		run -0 lists -p rdg --seed $seed jobs.tsv
		[[ $output == 'a n['@(0-7|8-15|16-23)']' ]]
	done
	# 600 draws of one of 24 nodes: each 25 times, give or take
	for ((i = 0; i < 600; i++)); do echo "$i j 1"; done | { stream jobs 'run job nodes'; tr ' ' '\t'; } |
		lists -p random | sort | uniq -c | awk '{ n++; if ($1 < 8 || $1 > 48) bad = 1 } END { exit bad || n != 24 }'
}

@test "jokanovic: small jobs before a boundary that moves with what was placed, large ones from the end" {
	# groups of 8; the large job reaches down to n15, so the boundary is before group 1; b finds no room
	# before it and moves it behind group 1; c fits no group before it, but the idle nodes there
	stream jobs 'job nodes submit_s runtime_s' 'L 9 0 1' 'a 7 2 9' 'b 7 2 9' 'c 2 2 9' 'd 3 2 9' > jobs.tsv
	run -0 lists -p jokanovic jobs.tsv
	[ "$output" = "L n[23,22,21,20,19,18,17,16,15]
a n[0-6]
b n[8-14]
c n[7,15]
d n[16-18]" ]
	run -0 lists -p jokanovic:boundary=static jobs.tsv
	[ "$(sed -n 4p <<< "$output")" = 'c n[16-17]' ]
	# the next run knows nothing of it
	stream jobs 'run job nodes submit_s runtime_s' '1 L 9 0 1' '1 a 7 2 9' '2 a 7 0 9' '2 b 7 0 9' '2 c 2 0 9' > jobs.tsv
	run -0 lists -p nedd:default=jokanovic --traffic traffic.tsv jobs.tsv
	[ "$(sed -n 5p <<< "$output")" = 'c n[16-17]' ]
	# as many as a group has are large, but not to the authors' code, which also picks beside the group
	run -0 lists -p jokanovic < <(stream jobs 'job nodes' 'a 8')
	[ "$output" = 'a n[23,22,21,20,19,18,17,16]' ]
	run -0 lists -p jokanovic:bug=sst < <(stream jobs 'job nodes' 'a 8')
	[ "$output" = 'a n[8-15]' ]
}

@test "the example of every policy places every job, on idle nodes only, the same at every call" {
	examples_of allocate policies > list
	[ "$(wc -l < list)" -ge 14 ]
	stream jobs 'job nodes class sensitivity' 'b1 2 network-sensitive 0.9' 'b2 2 . .' 'b3 3 network-insensitive 0' \
		'b4 1 unprofiled .' > jobs.tsv
	while read -r example; do
		idle='n[0-1,4,8-10,12,16,20-22]'
		run -0 --separate-stderr allocate --no-provenance -t machine.yaml -p "$example" --idle "$idle" --traffic traffic.tsv jobs.tsv
		[ -z "$(grep -v "^allocate: --traffic changed nothing: " <<<"$stderr")" ]
		first=$output
		[[ $(columns nodelist <<< "$output") != *.* ]]
		placecheck --idle "$idle" <<< "$output"
		run -0 --separate-stderr allocate --no-provenance -t machine.yaml -p "$example" --idle "$idle" --traffic traffic.tsv jobs.tsv
		[ "$output" = "$first" ]
	done < list
}

# ---- time, runs, bookings ----

@test "a job that ends gives its nodes back, just in time for one that starts then" {
	stream jobs 'job nodes submit_s runtime_s walltime_s' 'a 20 0 10 99' 'b 4 5 . 5' 'c 20 9 1 .' 'd 24 10 1 .' 'e 24 12 . .' 'f 1 99 1 .' > jobs.tsv
	run -0 allocate --quiet -t "$MACHINE" jobs.tsv
	[ "$(columns job,start_s,end_s,nodelist <<< "$output")" = "a 0 10 n[0-19]
b 5 10 n[20-23]
c . . .
d 10 11 n[0-23]
e 12 . n[0-23]
f . . ." ]
	placecheck -t "$MACHINE" <<< "$output"
}

@test "the stream's order is the order of decisions: never before the job ahead" {
	stream jobs 'job nodes submit_s runtime_s' 'late 1 50 5' 'early 1 10 5' 'none 1 . 5' > jobs.tsv
	run -0 allocate -t "$MACHINE" jobs.tsv
	[ "$(columns job,start_s,end_s <<< "$output")" = "late 50 55
early 50 55
none 50 55" ]
}

@test "rows that have nodes are booked before the others of their run, and stay as they are" {
	stream jobs 'job nodes submit_s runtime_s start_s end_s nodelist policy' 'a 2 0 9 . . . .' \
		'x 3 0 . 0 5 n[2,0,1] .' 'b 2 5 9 . . . .' > jobs.tsv
	run -0 allocate -t "$MACHINE" jobs.tsv
	[ "$(columns job,start_s,end_s,nodelist,policy <<< "$output")" = "a 0 9 n[3-4] simple
x 0 5 n[2,0,1] .
b 5 14 n[0-1] simple" ]
	placecheck -t "$MACHINE" <<< "$output"
	# what was placed passes through as it is
	allocate --no-provenance -t "$MACHINE" jobs.tsv > once.tsv
	allocate --no-provenance -p rdn once.tsv | cmp - once.tsv
}

@test "each run starts on the machine as it was given; its rows stand together" {
	stream jobs 'run job nodes nodelist' '1 x 1 n0' '1 a 2 .' '2 a 2 .' '3 a 2 .' '3 x 1 n1' > jobs.tsv
	run -0 lists --idle 'n[1-4]' jobs.tsv
	[ "$output" = "x n0
a n[1-2]
a n[1-2]
a n[2-3]
x n1" ]
	stream jobs 'run job nodes' '1 a 1' '2 a 1' '1 b 1' > jobs.tsv
	run -2 --separate-stderr allocate -t "$MACHINE" jobs.tsv
	[[ $stderr == "allocate: jobs.tsv:5: run: '1' was there before: the rows of a run must be consecutive" ]]
}

@test "a busy node that a booked job gives back is busy again when the next run begins" {
	stream jobs 'run job nodes submit_s runtime_s start_s end_s nodelist' '1 x 1 0 . 0 5 n9' '1 a 1 6 1 . . .' \
		'2 a 1 6 1 . . .' > jobs.tsv
	run -0 lists --idle n3 jobs.tsv
	[ "$output" = "x n9
a n3
a n3" ]
	stream jobs 'job nodes submit_s runtime_s start_s end_s nodelist' 'x 1 0 . 0 5 n1' 'a 2 6 1 . . .' > jobs.tsv
	run -0 lists --idle n3 jobs.tsv
	[ "$output" = "x n1
a n[1,3]" ]
}

@test "--nodes: idle ones with role compute or both; drained ones never come back" {
	stream nodes 'node state role' 'n0 idle io' 'n1 drained compute' 'n2 idle both' 'n3 idle compute' 'n4 . .' 'n5 allocated .' > nodes.tsv
	stream jobs 'job nodes submit_s runtime_s start_s end_s nodelist' 'x 1 0 . 0 5 n1' 'y 1 0 . 0 5 n5' 'a 3 1 1 . . .' 'b 4 6 1 . . .' > jobs.tsv
	run -0 allocate --nodes nodes.tsv -t "$MACHINE" jobs.tsv
	[ "$(columns job,nodelist <<< "$output")" = "x n1
y n5
a n[2-4]
b n[2-5]" ]
	placecheck --nodes nodes.tsv <<< "$output"
	# of both, --idle says which of the usable ones are idle
	stream jobs 'job nodes' 'c 2' > two.tsv
	[ "$(allocate --nodes nodes.tsv -t "$MACHINE" --idle n3,n5 two.tsv | columns nodelist)" = 'n[3,5]' ]
	run -2 --separate-stderr allocate -t "$MACHINE" --nodes nodes.tsv --idle n1 jobs.tsv
	[[ $stderr == 'allocate: --idle: n1: --nodes says that no job can have it' ]]
	run -2 --separate-stderr allocate -t "$MACHINE" --idle n99 jobs.tsv
	[[ $stderr == *'--idle: '*n99* ]]
}

@test "columns that allocate does not know stay, its own come after them" {
	stream jobs 'mine job nodes' 'hello a 1' > jobs.tsv
	run -0 allocate -t "$MACHINE" jobs.tsv
	[ "$(grep -v '^##' <<< "$output")" = "$(printf 'mine\tjob\tnodes\tstart_s\tend_s\tnodelist\tpolicy\nhello\ta\t1\t.\t.\tn0\tsimple')" ]
}

@test "bad jobs are refused with their place" {
	while IFS='|' read -r columns row wanted; do
		stream jobs "$columns" "$row" > jobs.tsv
		run -2 --separate-stderr allocate -t "$MACHINE" jobs.tsv
		[[ $stderr == "allocate: jobs.tsv:3: "*"$wanted"* ]] || { echo "$row: $stderr"; false; }
	done <<- 'END'
		job nodes|a 0|nodes
		job nodes|a 1.5|nodes
		job nodes runtime_s|a 1 -5|runtime_s
		job nodes start_s end_s|a 1 5 4|end_s
		job nodes nodelist|a 2 n0|asks for 2
		job nodes nodelist|a 2 n[0,0]|n0
		job nodes sensitivity|a 2 1.5|sensitivity
	END
	stream jobs 'job nodes' 'a 1' 'a 1' > jobs.tsv
	run -2 --separate-stderr allocate -t "$MACHINE" jobs.tsv
	[[ $stderr == "allocate: jobs.tsv:4: 'a' is there twice"* ]]
	run -2 --separate-stderr allocate -t "$MACHINE" -p rnd jobs.tsv
	[[ $stderr == *"'rnd'"* ]]
}
