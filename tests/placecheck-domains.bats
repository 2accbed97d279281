# What jobs ask of domains (within, slices, spread, together) and whether they have it; jobs that wait though there is room.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	# 16 nodes; four racks of four in two rows, and blocks of three that cross them; n15 is in none
	cat >m.yaml <<-'END'
		placetools: topology/1
		topology: fattree
		parameters: {down: 4x4, up: 1x1}
		gpus: {per_node: 2}
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

# finds WHAT… : the messages, without "placecheck: ", are exactly these
finds() {
	printf '%s\n' "$@" >want
	run -1 --separate-stderr placecheck -t m.yaml ${waiting:-} jobs.tsv
	echo "$stderr" | sed 's/^placecheck: //' | diff want -
}
holds() { placecheck -t m.yaml ${waiting:-} jobs.tsv; }

@test "the reports of others, judged in the words of the page" {
	cases=$SHARED/data/cases/domains
	[ -n "$SHARED" ] && [ -d "$cases" ] || skip "the cases are not here"
	n=0
	for wanted in "$cases"/*/expected.txt; do
		cd "$(dirname "$wanted")"
		placecheck -t topology.yaml jobs.tsv 2>"$BATS_TEST_TMPDIR/told" || [ $? -eq 1 ]
		sed 's/^placecheck: //' "$BATS_TEST_TMPDIR/told" | diff "$wanted" -
		n=$((n + 1))
	done
	[ $n -ge 13 ]
}

@test "within, slices and spread are counted in the domains of their levels" {
	stream jobs 'job nodes within nodelist' 'a 4 rack n[0-3]' 'b 4 row n[2-5]' 'c 3 rack? n[2-4]' 'd 3 block,row n[9-11]' 'e 2 pair n[12-13]' >jobs.tsv
	sed -i 's/n\[2-5\]/n[4-7]/; s/n\[2-4\]/n[8],n[14-15]/' jobs.tsv
	holds
	stream jobs 'job nodes within nodelist' 'a 3 rack,block n[2-4]' >jobs.tsv
	finds 'jobs.tsv:3: within: the nodes are in 2 domains of the level rack: r0, r1' 'jobs.tsv:3: within: the nodes are in 2 domains of the level block: b0, b1'
	stream jobs 'job nodes within nodelist' 'a 2 router n[3-4]' >jobs.tsv
	finds 'jobs.tsv:3: within: the nodes are in 2 domains of the level router: r0, r1'
	stream jobs 'job nodes slices nodelist' 'a 6 row:6,rack:3 n[0-2,4-6]' 'b 4 row:4,rack:2 n[8-9,12-13]' >jobs.tsv
	holds
	stream jobs 'job nodes slices nodelist' 'a 6 row:3,rack:3 n[0-3,8-9]' >jobs.tsv
	finds 'jobs.tsv:3: slices: 4 in row east are not slices of 3' 'jobs.tsv:3: slices: 2 in row west are not slices of 3' \
		'jobs.tsv:3: slices: 4 in rack r0 are not slices of 3' 'jobs.tsv:3: slices: 2 in rack r2 are not slices of 3'
	stream jobs 'job nodes slices nodelist' 'a 4 block:2 n[12-15]' >jobs.tsv
	finds 'jobs.tsv:3: slices: n15 is in no block'
	stream jobs 'job nodes spread nodelist' 'a 5 rack:2,row:3 n[0-2,8-9]' >jobs.tsv
	finds 'jobs.tsv:3: spread: 3 in rack r0, 2 are allowed'
}

@test "GPUs are the units of jobs that share; a group shares a domain" {
	stream jobs 'job nodes gpus gpus_per_node exclusive slices nodelist' 'a 2 3 2,1 no rack:3 n[0-1]' 'b 2 3 . no rack:3 n[4-5]' >jobs.tsv
	holds
	stream jobs 'job nodes gpus gpus_per_node exclusive slices nodelist' 'a 2 3 2,1 no rack:3 n[0,4]' >jobs.tsv
	finds 'jobs.tsv:3: slices: 2 in rack r0 are not slices of 3' 'jobs.tsv:3: slices: 1 in rack r1 are not slices of 3'
	stream jobs 'job nodes together nodelist' 'prefill 2 svc-0:block n[0-1]' 'x 2 svc-1:block n[9-10]' 'decode 1 svc-0:block n5' 'y 1 svc-1:block n11' >jobs.tsv
	finds 'jobs.tsv:5: together: prefill and decode are in 2 domains of the level block: b0, b1'
	stream jobs 'job nodes together nodelist' 'a 2 g:rack n[3-4]' 'b 1 g:rack n5' >jobs.tsv
	finds 'jobs.tsv:3: together: a is in 2 domains of the level rack: r0, r1'
}

@test "what cannot be asked is found in one line" {
	refused() { # COLUMN VALUE MESSAGE
		stream jobs "job nodes $1 nodelist" "a 2 $2 n[0-1]" >jobs.tsv
		finds "jobs.tsv:3: $3"
	}
	refused within rak "within: no level of domains is named 'rak' (did you mean 'rack'?)"
	refused slices rack "slices: 'rack': expected LEVEL:N"
	refused slices rack:0 "slices: 'rack:0': '0' is not a positive number"
	refused slices rack:2,row:2 "slices: rack is not outside row: expected levels outermost first"
	refused slices row:4,rack:3 "slices: 3 does not divide the size before it, 4"
	refused slices row:4,block:2 "slices: row and block are levels of two hierarchies"
	refused spread rack:2,rack:3 "spread: the level 'rack' is there twice"
	refused together rack "together: 'rack': expected GROUP:LEVEL"
	refused balance racks "balance: no level of domains is named 'racks' (did you mean 'rack'?)"
	# a wrong number of nodes is reported alone
	stream jobs 'job nodes slices nodelist' 'a 3 rack:3 n[0-1]' >jobs.tsv
	finds 'jobs.tsv:3: nodelist: has 2 nodes, nodes is 3'
}

@test "--waiting: jobs that have room as they ask for it" {
	waiting=--waiting
	stream jobs 'job nodes within nodelist' 'a 3 . n[0-2]' 'b 2 . n[4-5]' 'c 4 . n[12-15]' 'big 4 rack .' >jobs.tsv
	finds 'jobs.tsv:6: reason: big waits, though rack r2 has room for 4'
	waiting='' holds
	stream jobs 'job nodes within nodelist' 'a 3 . n[0-2]' 'b 2 . n[4-5]' 'c 1 . n10' 'd 4 . n[12-15]' 'big 4 rack .' >jobs.tsv
	holds
	# slices and limits count: three in a rack are one slice of two
	stream jobs 'job nodes slices spread nodelist' 'a 1 . . n0' 'b 1 . . n4' 'c 8 . . n[8-15]' 'w 6 rack:2 . .' 'v 4 rack:2 . .' 'u 4 . rack:1 .' >jobs.tsv
	finds 'jobs.tsv:7: reason: v waits, though the machine has room for 4'
	# nodes that were given back when the stream was written, and what may be waited for instead
	stream jobs 'job nodes submit_s start_s end_s within features nodelist' 'a 4 0 0 5 . . n[0-3]' 'b 12 0 6 . . . n[4-15]' 'w 4 1 . . rack . .' 'x 4 1 . . rack big .' >jobs.tsv
	finds 'jobs.tsv:5: reason: w waits, though rack r0 has room for 4'
	stream jobs 'job nodes gpus exclusive within nodelist' 'a 1 1 no . n0' 'b 15 . . . n[1-15]' 'w 1 1 no rack .' 'x 1 2 no rack .' >jobs.tsv
	finds 'jobs.tsv:5: reason: w waits, though rack r0 has room for 1'
}
