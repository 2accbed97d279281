# evalmetrics-geometry.bats - metrics of where jobs lie, computed by hand
bats_require_minimum_version 1.5.0
load helper

# jobs COLUMNS ROW…: a jobs stream in s.tsv
jobs() { stream jobs "$@" > s.tsv; }

# values METRIC [OPTION…]: "ID METRIC VALUE" of each, then the note if there is one
values() {
	local metric=$1
	shift
	evalmetrics -m "$metric" "$@" s.tsv | grep -v '^##' | tail -n +2 |
		mlr --inidx --ifs tab --onidx --ofs ' ' put -q 'n = NF; print $[[[n-4]]] . " " . $[[[n-3]]] . " " . $[[[n-2]]] . ($[[[n]]] == "." ? "" : " " . $[[[n]]])'
}

# is METRIC OPTION… < WANTED
is() {
	values "$@" > got.txt
	diff got.txt -
}

@test "Fig. 5: dispersal, levels and contiguity of the three allocations, and which constraints they keep" {
	jobs 'job nodes nodelist' 'a 5 n[5-9]' 'b 5 n[0-1,4-6]' 'c 5 n[0-3,5]' 'd 1 n0' 'e 1 .'
	is dispersal -t tree:arity=4x2x2 <<- END
		a dispersal 2.2
		a dispersal-sum 22
		a dispersal-max 3
		b dispersal 1.6
		b dispersal-sum 16
		b dispersal-max 2
		c dispersal 1.4
		c dispersal-sum 14
		c dispersal-max 2
		d dispersal . a single node
		d dispersal-sum . a single node
		d dispersal-max . a single node
		e dispersal . not placed
		e dispersal-sum . not placed
		e dispersal-max . not placed
	END
	is levels -t tree:arity=4x2x2 <<- END
		a levels 3 machine
		b levels 2 pod
		c levels 2 pod
		d levels 1 router
		e levels . not placed
	END
	is contiguity -t tree:arity=4x2x2 <<- END
		a contiguity 1
		a contiguity-ranges 1
		a contiguity-span 1
		b contiguity 0.75
		b contiguity-ranges 2
		b contiguity-span 1.4
		c contiguity 0.75
		c contiguity-ranges 2
		c contiguity-span 1.2
		d contiguity 1
		d contiguity-ranges 1
		d contiguity-span 1
		e contiguity . not placed
		e contiguity-ranges . not placed
		e contiguity-span . not placed
	END
	is proximate -t tree:arity=4x2x2 <<- END
		a proximate 0 n5 and n8 are 3 apart, 2 can be had
		b proximate 1
		c proximate 1
		d proximate 1
		e proximate . not placed
	END
	is compact -t tree:arity=4x2x2 <<- END
		a compact 0 its distances sum up to 22, 14 can be had
		b compact 0 its distances sum up to 16, 14 can be had
		c compact 1
		d compact 1
		e compact . not placed
	END
	# the part that keeps it
	evalmetrics -t tree:arity=4x2x2 -m proximate --by . s.tsv | grep -v '^##' | cut -f 4,6 > got.txt
	diff got.txt - <<- END
		value	n
		0.75	4
	END
}

@test "order-quality: all windows of a line by hand, and of a ring of levels" {
	jobs 'job nodes' 'a 3' 'b 1' 'c 9'
	# windows of 3 of 5 on a line: 1 + 1 + 2 each
	is order-quality -t line:nodes=5 <<- END
		a order-quality 1.3333333333333333
		a order-quality-best 1.3333333333333333
		a order-quality-worst 1.3333333333333333
		b order-quality . a single node
		b order-quality-best . a single node
		b order-quality-worst . a single node
		c order-quality . more nodes than the machine has
		c order-quality-best . more nodes than the machine has
		c order-quality-worst . more nodes than the machine has
	END
	# leaves of 2: windows of 2 are 1, 2, 1 levels
	is order-quality:size=2 -t tree:arity=2x2 <<- END
		a order-quality 1.3333333333333333
		a order-quality-best 1
		a order-quality-worst 2
		b order-quality 1.3333333333333333
		b order-quality-best 1
		b order-quality-worst 2
		c order-quality 1.3333333333333333
		c order-quality-best 1
		c order-quality-worst 2
	END
}

@test "order-quality is the mean over every window, one after the other" {
	jobs 'job nodes' 'a 5'
	got=$(values order-quality:order=hilbert -t mesh:dims=6x5 | head -n 1 | cut -d ' ' -f 3)
	jobs 'job nodes nodelist' "x 30 $(allocate -t mesh:dims=6x5 -p simple:order=hilbert <(printf '##placetools=jobs/1\njob\tnodes\nx\t30\n') | grep -v '^##' | cut -f 5 | tail -n 1)"
	order=$(traceconv --from jobs --to hostlist s.tsv | nodes_of)
	want=$(for n in $order; do echo "${n#n}"; done | awk '{ x[NR] = $1 % 6; y[NR] = int($1 / 6) }
		function abs(v) { return v < 0 ? -v : v }
		END { for (s = 1; s + 4 <= NR; s++) for (i = s; i <= s + 4; i++) for (k = s; k < i; k++) { sum += abs(x[i] - x[k]) + abs(y[i] - y[k]); n++ }
			printf "%.12g\n", sum / n }')
	[ "$(printf '%.12g' "$got")" = "$want" ] || { echo "$got $want"; false; }
}

# nodes_of: the names of a hostlist, one a line
nodes_of() {
	tr ',' '\n' | sed 's/^n\[//; s/\]$//; s/^n//' | awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print "n" i }'
}

@test "compute-escape: routes that leave the job; Fig. 3: foreign nodes that I/O passes by" {
	printf '%s\n' 'placetools: topology/1' 'name: ring' 'topology: ring' 'parameters: {nodes: 7}' \
		'io: [{name: io, nodes: "n4", kind: separate, access: shared}]' > m.yaml
	# half way round the ring of 7: from 0 to 4 the route is 0 6 5 4, from 3 to 0 it is 3 2 1 0
	jobs 'job nodes nodelist io_nodelist' 'a 4 n[0-3] n4' 'b 2 n[0,2] .' 'c 1 n3 n4'
	is io-foreign-nodes -t m.yaml <<- END
		a io-foreign-nodes 2
		b io-foreign-nodes . no I/O nodes
		c io-foreign-nodes 0
	END
	# of 8 routes those of n0 go by n5 and n6, there and back
	is io-escape -t m.yaml <<- END
		a io-escape 0.25
		b io-escape . no I/O nodes
		c io-escape 0
	END
	is compute-escape -t m.yaml <<- END
		a compute-escape 0
		b compute-escape 1
		c compute-escape . a single node
	END
	# two nodes of one leaf switch talk there; the third is two levels up
	jobs 'job nodes nodelist' 'a 3 n[0-1,4]'
	is compute-escape -t tree:arity=4x2x2 <<< 'a compute-escape 0.6666666666666666'
}

@test "io-jobs: the most at one time, and the bound of Prop. 2" {
	printf '%s\n' 'placetools: topology/1' 'name: line' 'topology: line' 'parameters: {nodes: 5}' \
		'io: [{name: io, nodes: "n2", kind: separate, access: shared}]' > m.yaml
	jobs 'run job nodes nodelist io_nodelist start_s end_s' '1 a 1 n1 n2 0 10' '1 b 1 n3 n2 5 20' '1 c 1 n4 n2 10 20' \
		'2 a 1 n1 n2 0 10' '2 b 1 n3 n2 5 20' '2 c 1 n4 n2 9.5 20'
	is io-jobs -t m.yaml <<- END
		. io-jobs 2 n2, bound 2
		. io-jobs-over 0
		. io-jobs 3 n2, bound 2
		. io-jobs-over 1
	END
	sed -i 's/separate/coupled/' m.yaml
	[[ $(values io-jobs -t m.yaml | head -n 1) == '. io-jobs 2 n2, bound 3' ]]
	# at a switch: those below it
	jobs 'job nodes nodelist io_nodelist' 'a 2 n[0-1] r0' 'b 2 n[4,8] r4'
	is io-jobs -t tree:arity=4x2x2 <<- END
		. io-jobs 1 r0, bound 4
		. io-jobs-over 0
	END
	jobs 'job nodes nodelist io_nodelist' 'a 2 n[0-1] r4' 'b 2 n[4,7] r4'
	[[ $(values io-jobs -t tree:arity=4x2x2 | head -n 1) == '. io-jobs 2 r4, bound 8' ]]
}

@test "linkdisjoint of a run, with the pairs that share" {
	jobs 'job nodes nodelist start_s end_s' 'a 2 n[0,2] 0 10' 'b 2 n[1,3] 5 20' 'c 2 n[4-5] 0 30' 'd 2 n[0,2] 10 12'
	is linkdisjoint -t line:nodes=6 <<- END
		. linkdisjoint 0 jobs a and b: the route from n1 to n3 shares a link with the route from n0 to n2
		. link-sharing-pairs 2
	END
}

@test "evalmetrics: every constraint that allocate keeps is checked by placecheck and measured" {
	names_of allocate constraints >constraints
	[ -s constraints ]
	names_of placecheck constraints | diff constraints -
	names_of evalmetrics metrics >metrics
	run ! grep -vxFf metrics constraints
}
