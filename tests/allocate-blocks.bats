# Blocks and segments, as Slurm's topology/block has them: cases computed by hand; placecheck is a referee of others' allocations.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
}

# blocks COUNT NODES [SIZES]: a machine of so many blocks, as topology.conf tells it.
blocks() {
	for ((b = 0; b < $1; b++)); do
		echo "BlockName=b$b Nodes=n[$((b * $2))-$((b * $2 + $2 - 1))]"
	done > topology.conf
	echo "BlockSizes=${3:-$2}" >> topology.conf
	topogen --from slurm-conf topology.conf -o m.yaml
}
place() { # place POLICY IDLE NODES [SEGMENT]
	stream jobs 'job nodes segment' "j $3 ${4:-.}" | allocate --quiet -t m.yaml -p "$1" --idle "$2" | column nodelist
}

@test "segments of 12 in blocks of 17 are 12+12+12, not 17+17+2" {
	blocks 3 17
	for policy in block block:sizes=17 block:sizes=16 simple rdn slurm level-spread; do
		place $policy 'n[0-50]' 36 12 > list
		stream jobs 'job nodes segment nodelist' "j 36 12 $(cat list)" > o.tsv
		placecheck -t m.yaml o.tsv
	done
	[ "$(place block 'n[0-50]' 36 12)" = 'n[0-11,17-28,34-45]' ]
	stream jobs 'job nodes segment nodelist' 'j 36 12 n[0-33,34-35]' > bad.tsv
	run -1 --separate-stderr placecheck -t m.yaml bad.tsv
	[ "$stderr" = 'placecheck: bad.tsv:3: nodelist: 17 nodes in the block of n0 are not segments of 12' ]
	# ignored if larger than the job, refused if the job is no multiple of it
	[ "$(place block 'n[0-50]' 5 6)" = 'n[0-4]' ]
	[ "$(place block 'n[0-50]' 25 12)" = . ]
	[ "$(place simple 'n[0-50]' 25 12)" = . ]
	stream jobs 'job nodes segment nodelist' 'j 5 2 n[0-4]' > bad.tsv
	run -1 --separate-stderr placecheck -t m.yaml bad.tsv
	[ "$stderr" = 'placecheck: bad.tsv:3: segment: 5 nodes are not segments of 2' ]
}

@test "planned by BlockSizes, not by what blocks have" {
	blocks 8 32 30,120
	# 31 nodes are planned as two blocks, so as one of 120: the one of four blocks that has fewer idle nodes, and in it
	# the block that is enough
	[ "$(place block:sizes=[30,120] 'n[0-40,64-127,128-168,224-254]' 31)" = 'n[224-254]' ]
	# of the first four 27 + 2 · 31 + 0, of the others 32 + 9: 60 nodes want two blocks at most
	[ "$(place block:sizes=[30,120] 'n[0-26,32-62,64-94,128-159,160-168]' 60)" = 'n[32-62,64-92]' ]
	[ "$(place block:sizes=[30,120] 'n[0-26,32-62,128-159,160-168]' 60)" = . ]
	# 150 nodes are more than any level: all blocks, of them at most two of 120
	[ "$(place block:sizes=[30,120] 'n[0-99,128-199]' 150)" = 'n[0-99,128-177]' ]
	# by their true size 32 nodes are one block; best fit
	[ "$(place block 'n[0-31,32-63,64-95]' 32)" = 'n[0-31]' ]
	[ "$(place block 'n[0-31,32-60,64-95]' 20)" = 'n[32-51]' ]
}

@test "segments shared, spread, consolidated" {
	blocks 8 4 4,16
	# best fit puts two segments of two into one block; spread gives each its own; consolidated stays within four blocks
	[ "$(place block:sizes=[4,16] 'n[0-31]' 4 2)" = 'n[0-3]' ]
	[ "$(place block:sizes=[4,16],segments=spread 'n[0-31]' 4 2)" = 'n[0-1,4-5]' ]
	[ "$(place block:sizes=[4,16] 'n[0-3,16-19,20-22]' 9 3)" = 'n[20-22,0-2,16-18]' ]
	[ "$(place block:sizes=[4,16],segments=consolidated 'n[0-3,8-11,16-19,20-22,24-26]' 9 3)" = 'n[20-22,24-26,16-18]' ]
	[ "$(place block:sizes=[4,16],segments=consolidated 'n[0-3,16-19,20-22]' 9 3)" = . ]
	[ "$(place block:sizes=[4,16],segments=spread 'n[0-3,16-19]' 6 2)" = . ]
	# a segment above a block lies in the larger one
	[ "$(place block:sizes=[4,16] 'n[0-9,16-27]' 12 6)" = 'n[0-3,8-9,16-21]' ]
	run -2 --separate-stderr allocate -t m.yaml -p block:sizes=[4,12] <(stream jobs 'job nodes' 'a 1')
	[[ $stderr == *"sizes: 12 is not 4 times a larger power of two" ]]
	stream jobs 'job nodes segment nodelist' 'j 12 6 n[0-5,16-21]' > o.tsv
	placecheck -t m.yaml --block-sizes 4,16 o.tsv
	stream jobs 'job nodes segment nodelist' 'j 12 6 n[0-3,16-23]' > o.tsv
	run -1 --separate-stderr placecheck -t m.yaml --block-sizes 4,16 o.tsv
	[ "$stderr" = 'placecheck: o.tsv:3: nodelist: 4 nodes in the block of n0 are not segments of 6' ]
	run -2 --separate-stderr placecheck -t m.yaml --block-sizes 4,5 o.tsv
	[ "$stderr" = 'placecheck: --block-sizes: 5 is not 4 times a larger power of two' ]
}

@test "every policy and queue keeps segments" {
	blocks 6 5
	stream jobs 'job submit_s nodes segment runtime_s' 'a 0 8 4 5' 'b 0 9 3 4' 'c 1 12 4 3' 'd 2 6 2 9' 'e 3 10 5 2' 'f 3 4 . 2' 'g 3 20 20 1' > j.tsv
	for policy in block simple slurm level-spread compact rdn rdr; do
		for queue in none fcfs easy conservative; do
			allocate --quiet -t m.yaml -p $policy -q $queue j.tsv > o.tsv
			placecheck -t m.yaml o.tsv
			[ $queue = none ] || [ "$(column nodelist < o.tsv | grep -c '^n')" -ge 6 ]
		done
	done
	run -0 --separate-stderr allocate -t m.yaml --explain -c proximate <(stream jobs 'job nodes segment' 'a 4 2')
	[[ $(column reason <<< "$output") == '4 nodes requested: its segments exclude constraints' ]]
}

@test "--exclusive=topo: a job has its blocks alone, and gets only such" {
	blocks 4 4
	stream jobs 'job submit_s nodes runtime_s exclusive_topo' 'a 0 2 10 .' 'b 1 5 5 yes' 'c 2 4 20 .' 'd 3 1 3 yes' > j.tsv
	for policy in block simple slurm rdn; do
		for queue in none fcfs easy conservative level-fit; do
			allocate --quiet -t m.yaml -p $policy -q $queue j.tsv > o.tsv
			placecheck -t m.yaml o.tsv
			[ "$(column nodelist < o.tsv | grep -c '^n')" -ge 3 ]
		done
	done
	allocate --quiet -t m.yaml -q fcfs j.tsv > o.tsv
	# a is in the first block; b has the second and third; c goes beside a, and fills up in the fourth; d finds no block
	# without a job before b has ended
	[ "$(column nodelist < o.tsv | tr '\n' ' ')" = 'n[0-1] n[4-8] n[2-3,12-13] n4 ' ]
	[ "$(column start_s < o.tsv | tr '\n' ' ')" = '0 1 2 6 ' ]
	# one that came with its nodes keeps the rest of its blocks, until it ends; drained nodes do not count
	stream nodes 'node state' 'n0 allocated' 'n1 idle' 'n2 idle' 'n3 drained' 'n4 idle' 'n5 drained' > nodes.tsv
	stream jobs 'job submit_s nodes runtime_s exclusive_topo start_s end_s nodelist' 'a 0 1 . yes 0 9 n0' 'b 1 2 4 . . . .' 'c 2 1 4 yes . . .' > j.tsv
	allocate --quiet -t m.yaml --nodes nodes.tsv -q fcfs j.tsv > o.tsv
	[ "$(column nodelist < o.tsv | tr '\n' ' ')" = 'n0 n[0-1] n4 ' ]
	[ "$(column start_s < o.tsv | tr '\n' ' ')" = '0 9 9 ' ]
	placecheck -t m.yaml --nodes nodes.tsv o.tsv
	stream jobs 'job nodes exclusive_topo nodelist policy start_s end_s' 'a 1 yes n0 x 0 5' 'b 2 . n[3-4] x 4 6' 'c 1 . n1 x 5 9' 'd 1 yes n5 x 6 7' 'e 1 . n6 y 6 7' > b.tsv
	run -1 --separate-stderr placecheck -t m.yaml b.tsv
	[ "$stderr" = 'placecheck: b.tsv:4: nodelist: job b has nodes of b0 while job a does (line 3), and a has its blocks alone' ]
}

@test "BlockSizes come from the machine; without them Slurm's own; blocks without nodes count" {
	blocks 8 32 30,120
	[ "$(place block 'n[0-40,64-127,128-168,224-254]' 31)" = 'n[224-254]' ]
	[ "$(place block 'n[0-26,32-62,128-159,160-168]' 60)" = . ]
	# none said: four blocks of four are planned by four, and pairs of them, and so on: b2+b3 are no pair
	blocks 4 4 && sed -i /BlockSizes/d topology.conf
	topogen --from slurm-conf topology.conf -o m.yaml
	[ "$(place block 'n[4-11]' 8)" = . ]
	[ "$(place block 'n[8-15]' 8)" = 'n[8-15]' ]
	topogen --to explicit m.yaml | sed '/^hierarchies/,+1d; /^  domains/,/^  routers/{/^  routers/!d}' >plain.yaml
	[ "$(stream jobs 'job nodes' 'j 8' | allocate --quiet -t plain.yaml -p block --idle 'n[4-11]' | column nodelist)" = . ]
	# the first block that has nodes has two; eight of them are planned as four blocks
	printf 'BlockName=x\nBlockName=a Nodes=n[0-1]\nBlockName=b Nodes=n[2-9]\nBlockName=c Nodes=n[10-17]\n' >topology.conf
	topogen --from slurm-conf topology.conf -o m.yaml
	[ "$(place block 'n[2-17]' 2)" = 'n[2-3]' ]
	[ "$(place block 'n[0-17]' 4)" = 'n[2-5]' ] # of b + c: x + a has not four
	# with two placeholders c and d are a pair, without them b and c
	printf 'BlockName=a Nodes=n[0-3]\nBlockName=b Nodes=n[4-7]\nBlockName=p\nBlockName=q\nBlockName=c Nodes=n[8-11]\nBlockName=d Nodes=n[12-15]\nBlockSizes=4,8\n' >topology.conf
	topogen --from slurm-conf topology.conf -o m.yaml
	[ "$(place block 'n[4-11]' 8)" = . ]
	[ "$(place block 'n[8-15]' 8)" = 'n[8-15]' ]
	for policy in block simple level-spread; do
		stream jobs 'job nodes segment nodelist' "j 12 6 $(place $policy 'n[0-1,4-15]' 12 6)" >o.tsv
		[ $policy = block ] || placecheck -t m.yaml o.tsv
	done
	[ "$(place simple 'n[4-11]' 8 8)" = . ]
	stream jobs 'job nodes segment nodelist' 'j 8 8 n[4-11]' >o.tsv
	run -1 --separate-stderr placecheck -t m.yaml o.tsv
	[ "$stderr" = 'placecheck: o.tsv:3: nodelist: 4 nodes in the block of n4 are not segments of 8' ]
}

@test "block:ties=slurm: the last of equal blocks, and one try" {
	blocks 4 4 4,8
	[ "$(place block 'n[0-15]' 2)" = 'n[0-1]' ]
	[ "$(place block:ties=slurm 'n[0-15]' 2)" = 'n[12-13]' ]
	# three segments of two in one pair of blocks: the pair with fewer idle nodes has no room for them
	[ "$(place block:segments=consolidated 'n[0-2,4-6,8-15]' 6 3)" = 'n[0-2,4-6]' ]
	blocks 8 4 4,16
	[ "$(place block:segments=consolidated 'n[0-3,8-9,12-14,16-27]' 9 3)" = 'n[16-18,20-22,24-26]' ]
	[ "$(place block:segments=consolidated,ties=slurm 'n[0-3,8-9,12-14,16-27]' 9 3)" = . ]
}

@test "blocks that are no routers" {
	cat >m.yaml <<-'END'
		placetools: topology/1
		topology: fattree
		parameters: {down: 4x4, up: 1x1}
		hierarchies: [{name: nvl, levels: [{name: block, size: 3}]}]
		tables:
		  domains: |
		    level	domain	within	nodes
		    block	b0	.	n[0,4,8]
		    block	b1	.	n[1-3]
		    block	b2	.	n[5-7]
	END
	[ "$(place block 'n[0-15]' 3)" = 'n[0,4,8]' ]
	[ "$(place block 'n[0-15]' 6 3)" = 'n[0,4,8,1-3]' ]
	[ "$(place simple 'n[0-15]' 6 3)" = 'n[0,4,8,1-3]' ]
	[ "$(place block 'n[9-15]' 1)" = . ]
}
