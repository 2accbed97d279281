# allocate-networks.bats - every policy on every kind of network
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$DATA"/* .
	printf '%s\n' '##placetools=jobs/1' 'job nodes class submit_s runtime_s' 'a 3 network-sensitive 0 5' \
		'b 9 network-insensitive 1 5' 'c 1 unprofiled 2 5' 'd 20 network-sensitive 3 9' 'e 12 unprofiled 6 9' | tr ' ' '\t' > j.tsv
}

# traffic TOPOLOGY: some for each of its routers
traffic() {
	echo '##placetools=traffic/1'
	printf 'time_s\twindow_s\trouter\ttraffic_flits_per_s\tstall_per_s\n'
	seq 0 "$(($(topogen --to summary "$1" | awk '$3 == "routers" && $1 == "machine" { print $4 }') - 1))" |
		awk 'BEGIN { OFS = "\t" } { print 0, 120, "r" $1, ($1 * 7919) % 101, ($1 * 31) % 17 }'
}

# works POLICY TOPOLOGY: all jobs are placed, each on as many idle nodes, which placecheck finds good
works() {
	run -0 --separate-stderr allocate --no-provenance -t "$2" -p "$1" --traffic t.tsv j.tsv
	[ -z "$stderr" ]
	[[ $(mlr --itsv --onidx --pass-comments cut -f nodelist <<< "$output" | grep -cvx '\.') -ge 5 ]]
	placecheck <<< "$output"
	first=$output
	run -0 --separate-stderr allocate --no-provenance -t "$2" -p "$1" --traffic t.tsv j.tsv
	[ "$output" = "$first" ]
}

@test "every policy works on a dragonfly, a fat tree, a tree and a torus, or says what it lacks" {
	allocate --no-provenance -t tree:arity=4x4x4 -p simple j.tsv > placed.tsv
	examples_of allocate policies > list
	printf '%s\n' slurm:fit=first contiguous:fit=best level-spread:machine=routers nedd:smooth jokanovic:boundary=static \
		simple:order=label congestor-neighbours:end=busy >> list
	[ "$(wc -l < list)" -ge 28 ]
	for topology in dragonfly:groups=9,routers=4,nodes=4 fattree:k=4,levels=3 tree:arity=4x4x4 torus:dims=6x4x3; do
		traffic "$topology" > t.tsv
		while read -r policy; do
			if [[ $topology == torus* && $policy =~ ^(rdg|rrn|rrr|jokanovic) ]]; then
				# a torus has no groups
				run -2 --separate-stderr allocate -t "$topology" -p "$policy" j.tsv
				[[ $stderr == *": the routers of torus-72 are in no groups" ]]
				continue
			fi
			[[ $policy != file* ]] || allocate --no-provenance -t "$topology" -p simple j.tsv > placed.tsv
			works "$policy" "$topology" || { echo "$policy on $topology: $output $stderr"; false; }
		done < list
	done
}

@test "every policy of the papers is there by its name" {
	names_of allocate policies > names
	for name in level-spread slurm rdn rdr rdg rrn rrr jokanovic proximate compact contiguous line-greedy grow \
		congestor-neighbours simple fewer-router low-traffic high-traffic low-stall nedd file; do
		grep -qx -e "$name" -e "$name .*" names
	done
}

@test "level-spread names its levels: the tiers of the machine" {
	while read -r topology wanted; do
		for n in 1 4 16 60; do
			printf '##placetools=jobs/1\njob\tnodes\na\t%s\n' "$n" |
				allocate -t "$topology" -p level-spread --explain | grep -v '^##' | cut -f 7 | tail -n 1
		done | cut -d ' ' -f 2 | uniq | paste -sd ' ' > got
		[ "$(< got)" = "$wanted" ] || { echo "$topology: $(< got)"; false; }
	done <<- END
		dragonfly:groups=9,routers=4,nodes=4 router group machine
		fattree:k=4,levels=3 router pod machine
		tree:arity=2x2x4x4 router pod level3 machine
		torus:dims=4x4x4 router machine
	END
}

@test "a job waits for a run of nodes, and is told how long the longest is" {
	printf '##placetools=jobs/1\njob\tnodes\na\t4\nb\t3\n' > w.tsv
	for policy in contiguous line-greedy contiguous:fit=best; do
		run -0 --separate-stderr allocate -t line:nodes=12 -p "$policy" --idle 'n[0-2,4-6,8-10]' --explain w.tsv
		[[ $output == *$'a\t4\t.\t.\t.\t'"$policy"$'\tno run of 4 nodes is idle, the longest has 3'* ]] || { echo "$output"; false; }
		[[ $output == *$'b\t3\t.\t.\tn[0-2]'* ]]
	done
}

@test "compact on a tree explains itself by the levels, computed by hand" {
	# two on a switch are 1 apart, two of neighbouring switches 2, others 3
	printf '##placetools=jobs/1\njob\tnodes\na\t3\nb\t5\n' >levels.tsv
	run -0 allocate -t tree:arity=2x2x2 -p compact --explain levels.tsv
	grep -qx "a	3	.	.	n\[0-2\]	compact	sum of levels 5" <<<"$output"
	# n3 is 3 from the four others, which are 1, 1 and four times 2 apart
	grep -qx "b	5	.	.	n\[3-7\]	compact	sum of levels 22" <<<"$output"
}
