# The policy nested: the fewest domains, then the fewest idle nodes left in them, as jobs ask; placecheck counts on its own.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	cat >m.yaml <<-'END'
		placetools: topology/1
		topology: fattree
		parameters: {down: 4x4, up: 1x1}
		hierarchies:
		  - {name: power, levels: [row, rack]}
		  - {name: nvlink, levels: [{name: pair, every: 2}, block]}
		tables:
		  domains: |
		    level	domain	within	nodes
		    row	east	.	.
		    row	west	.	.
		    rack	r0	east	n[0-3]
		    rack	r1	east	n[4-7]
		    rack	r2	west	n[8-11]
		    rack	r3	west	n[12-15]
		    block	b0	.	n[0-2]
		    block	b1	.	n[3-5]
		    block	b2	.	n[6-8]
		    block	b3	.	n[9-11]
		    block	b4	.	n[12-14]
	END
}

# place IDLE 'NODES WITHIN SLICES SPREAD BALANCE' [POLICY]
place() {
	stream jobs 'job nodes within slices spread balance' "j $2" | allocate --quiet -t m.yaml -p "${3:-nested}" --idle "$1" >o.tsv
	placecheck -t m.yaml o.tsv
	column nodelist <o.tsv
}

@test "what jobs ask is had, with the fewest domains, outermost first, and the fewest nodes left idle" {
	[ "$(place 'n[0-15]' '4 . . . .')" = 'n[0-3]' ]
	# of the rows east has six idle nodes, west eight: three and two of east, which leaves one
	[ "$(place 'n[0-2,4-6,8-15]' '5 . . . .')" = 'n[0-2,4-5]' ]
	[ "$(place 'n[0-2,4-6,8-10,12]' '6 . rack:3 . .')" = 'n[0-2,4-6]' ]
	[ "$(place 'n[0-15]' '6 . . rack:2 .')" = 'n[0-1,4-5,8-9]' ]
	[ "$(place 'n[0-2,5-6]' '4 rack . . .')" = . ]
	[ "$(place 'n[0-2,5-6,8-9]' '4 rack? . . .')" = 'n[0-2,5]' ]
	[ "$(place 'n[0-1,4-7]' '4 row . . .')" = 'n[4-7]' ]
	[ "$(place 'n[0-2,8-10]' '4 row . . .')" = . ]
	[ "$(place 'n[0-15]' '5 . rack:2 . .')" = . ]
	# two racks either way; balance makes them three and three
	[ "$(place 'n[0-15]' '6 . . . rack')" = 'n[0-2,4-6]' ]
	# another hierarchy: of the pairs the last one has one block, so least is left
	[ "$(place 'n[0-15]' '3 block . . .')" = 'n[12-14]' ]
	[ "$(place 'n[0-15]' '3 block . rack:2 .')" = . ]
	[ "$(place 'n[0-2,5-7]' '4 . . . .' 'nested:slices=[rack:2]')" = 'n[0-1,5-6]' ]
	# the network's own levels, where no hierarchy is named
	[ "$(place 'n[0-2,4-6]' '4 . router:2 . .')" = 'n[0-1,4-5]' ]
}

@test "bad requests are refused with their place" {
	for ask in 'rak . . .' '. rack:x . .' '. rack:2,row:2 . .' '. row:4,rack:3 . .' '. . rack .'; do
		stream jobs 'job nodes within slices spread balance' "j 4 $ask" >j.tsv
		run -2 --separate-stderr allocate -t m.yaml -p nested j.tsv
		[[ $stderr == 'allocate: j.tsv:3: '* && $stderr != *$'\n'* ]]
	done
	run -2 --separate-stderr allocate -t m.yaml -p nested:within=rak j.tsv
	[[ $stderr == *"no level of domains is named 'rak' (did you mean 'rack'?)"* ]]
}

@test "every queue plans with them" {
	for ((i = 0; i < 60; i++)); do
		nodes=$((2 * (1 + i * 7 % 4)))
		ask=('. . .' '. rack:2 .' 'row . .' 'rack? . .' '. . rack:3' '. row:2,rack:1 .')
		echo "j$i $((i / 3)) $nodes $((1 + i * 5 % 7)) ${ask[i % 6]}"
	done >rows
	mapfile -t rows <rows
	stream jobs 'job submit_s nodes runtime_s within slices spread' "${rows[@]}" >j.tsv
	for queue in none fcfs easy conservative level-fit; do
		allocate --quiet -t m.yaml -p nested -q $queue j.tsv >o.tsv
		placecheck -t m.yaml o.tsv
		[ $queue = none ] || [ "$(column nodelist <o.tsv | grep -c '^n')" -eq 60 ]
	done
}
