# allocate and placecheck on a site's machine: islands, partitions, features, nodes that jobs share.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	SITE=$BATS_TEST_DIRNAME/formats/slurm/site22
}

two_islands() {
	printf '%s\n' 'SwitchName=a Switches=l[0-1]' 'SwitchName=b Switches=l[2-3]' 'SwitchName=l0 Nodes=n[0-3]' 'SwitchName=l1 Nodes=n[4-7]' \
		'SwitchName=l2 Nodes=n[8-11]' 'SwitchName=l3 Nodes=n[12-15]' > t.conf
	topogen --from slurm-conf t.conf -o two.yaml
}

@test "no job spans two islands, whatever the policy and the queue" {
	two_islands
	stream jobs 'job submit_s nodes runtime_s' 'a 0 10 5' 'b 0 6 5' 'c 0 6 5' 'd 0 4 5' 'e 1 8 5' > j.tsv
	for policy in simple random slurm level-spread contiguous compact proximate fewer-router grow rdg rrr; do
		for queue in none fcfs easy conservative; do
			allocate --quiet -t two.yaml -p $policy -q $queue j.tsv > o.tsv
			placecheck -t two.yaml o.tsv
			# 10 nodes are on no island; 6 + 6 fill what two islands have, and 4 more must wait
			[ "$(column nodelist < o.tsv | head -n 1)" = . ]
			[ "$(column nodelist < o.tsv | sed -n '2,3p' | grep -c '^n')" -eq 2 ]
		done
	done
	# placecheck is not told so: it looks at the links
	stream jobs 'job nodes nodelist' 'x 2 n[7-8]' > x.tsv
	run -1 --separate-stderr placecheck -t two.yaml x.tsv
	[ "$stderr" = "placecheck: x.tsv:3: nodelist: no route joins n7 and n8" ]
	run -1 placecheck --machine -t two.yaml
}

@test "the island with the fewest idle nodes that are enough" {
	two_islands
	stream jobs 'job nodes' 'a 3' 'b 5' 'c 5' > j.tsv
	[ "$(allocate -t two.yaml --idle 'n[0-7,8-12]' j.tsv 2> /dev/null | column nodelist | tr '\n' ' ')" = "n[8-10] n[0-4] . " ]
}

@test "partitions and features are obeyed; placecheck sees who is where not allowed" {
	topogen --from slurm-conf "$SITE/topology.conf" -o m.yaml
	traceconv --from scontrol-node --to nodes "$SITE/scontrol-node.txt.gz" | awk -F'\t' -v OFS='\t' '/^##/ || $1 == "node" { print; next } { $2 = "idle"; print }' > nodes.tsv
	stream jobs 'job nodes partition features' 'g 2 gpu .' 'w 3 gpu,whole .' 'f 1 fat .' 'h 2 cpu hdr100' 'i 1 cpu hdr200' 'k 1 whole [hdr200|hdr100]' \
		'u 1 nowhere .' 'b 9 cpu .' 'v 1 whole rome&ib|a100' 'z 2 cpu rome*x' > j.tsv
	allocate --quiet -t m.yaml --nodes nodes.tsv --explain j.tsv > o.tsv 2> /dev/null
	placecheck -t m.yaml --nodes nodes.tsv o.tsv
	column nodelist < o.tsv > lists
	[ "$(sed -n 1p lists)" = 'gpu[01-02]' ]
	[ "$(sed -n 2p lists)" = 'cn[01-03]' ] # gpu has not three left: the next partition of the list
	[ "$(sed -n 3p lists)" = 'big01' ]
	[ "$(sed -n 4p lists)" = 'cn[04-05]' ]
	[ "$(sed -n 5p lists)" = . ]
	[ "$(sed -n 6p lists)" = 'gpu03' ]
	[ "$(sed -n 7,8p lists | tr '\n' ' ')" = '. . ' ]
	[ "$(column reason < o.tsv | sed -n 7p)" = 'no node is in the partition nowhere' ]
	[ "$(column reason < o.tsv | sed -n 8p)" = '9 nodes requested, 3 of those it may have are idle' ]
	[ "$(sed -n 9p lists)" = 'cn06' ]
	[[ $(column reason < o.tsv | sed -n 10p) == "features 'rome*x' are not understood" ]]
	# a referee of what others placed
	stream jobs 'job nodes partition features nodelist' 'a 1 gpu . cn01' 'b 1 cpu hdr200 cn02' 'c 2 whole [hdr100|hdr200] cn03,gpu01' \
		'd 2 whole hdr100|hdr200 cn04,gpu02' > x.tsv
	run -1 --separate-stderr placecheck -t m.yaml --nodes nodes.tsv x.tsv
	[ "$stderr" = "placecheck: x.tsv:3: nodelist: cn01 is not in the partition gpu
placecheck: x.tsv:4: nodelist: cn02 has not the features hdr200
placecheck: x.tsv:5: nodelist: cn03 has not the features [hdr100|hdr200]" ] ||
		[ "$stderr" = "placecheck: x.tsv:3: nodelist: cn01 is not in the partition gpu
placecheck: x.tsv:4: nodelist: cn02 has not the features hdr200
placecheck: x.tsv:5: nodelist: gpu01 has not the features [hdr100|hdr200]" ]
}

@test "queues obey partitions too: a full one holds up nobody else's nodes for ever" {
	topogen --from slurm-conf "$SITE/topology.conf" -o m.yaml
	traceconv --from scontrol-node --to nodes "$SITE/scontrol-node.txt.gz" | awk -F'\t' -v OFS='\t' '/^##/ || $1 == "node" { print; next } { $2 = "idle"; print }' > nodes.tsv
	{
		stream jobs 'job submit_s nodes runtime_s walltime_s partition'
		for ((i = 0; i < 60; i++)); do
			echo "$i $i $((i % 4 + 1)) $((i * 7 % 30 + 1)) 40 $( ((i % 3)) && echo cpu || echo gpu)" | tr ' ' '\t'
		done
	} > j.tsv
	for queue in fcfs easy conservative; do
		allocate --quiet -t m.yaml --nodes nodes.tsv -q $queue j.tsv > o.tsv
		placecheck -t m.yaml --nodes nodes.tsv o.tsv
		[ "$(column nodelist < o.tsv | grep -c '^\.$')" -eq 0 ]
	done
}

@test "running jobs that share nodes are booked, and free them when the last one ends" {
	topogen --from slurm-conf "$SITE/topology.conf" -o m.yaml
	traceconv --quiet --zone Z --from sacct --to jobs "$SITE/sacct-X-P.txt.gz" > night.tsv
	allocate --quiet -t m.yaml night.tsv > o.tsv
	placecheck -t m.yaml o.tsv
	stream jobs 'job submit_s nodes runtime_s cpus start_s end_s nodelist' 'a 0 1 10 4 0 10 cn01' 'b 0 1 20 4 5 25 cn01' 'c 0 1 2 1 8 9 cn01' 'd 1 12 5 12 . . .' > j.tsv
	[ "$(allocate -t m.yaml -q fcfs j.tsv | column start_s | tail -n 1)" = 1 ]
	sed -i 's/^d\t1\t12/d\t1\t13/' j.tsv
	allocate -t m.yaml -q fcfs j.tsv > o.tsv
	[ "$(column start_s < o.tsv | tail -n 1)" = 25 ]
	placecheck -t m.yaml o.tsv
	# a job with a whole node shares it with nobody
	stream jobs 'job nodes cpus exclusive start_s end_s nodelist' 'a 1 4 . 0 10 cn01' 'b 1 4 yes 5 25 cn01' > j.tsv
	run -2 --separate-stderr allocate -t m.yaml j.tsv
	[[ $stderr == *"jobs a and b have the node cn01 at the same time" ]]
	run -1 placecheck -t m.yaml j.tsv
}

@test "eligible_s and depends: no job starts before its time, nor before those that it waits for end" {
	{
		printf '##placetools=jobs/1\njob\tnodes\tsubmit_s\truntime_s\tdepends\teligible_s\n'
		printf 'a\t2\t0\t10\t.\t.\nb\t2\t1\t5\ta\t.\nc\t4\t2\t5\t.\t.\n'
		printf 'd_1\t1\t2\t7\t.\t30\nd_2\t1\t2\t9\t.\t30\ne\t4\t3\t1\td,b\t.\n' # an array and a job
		printf 'f\t1\t3\t1\tg\t.\ng\t1\t3\t1\tf,gone\t.\nh\t1\t3\t1\tgone\t50\n' # a circle; one that ended before
	} >jobs.tsv
	for queue in fcfs easy conservative level-fit; do
		allocate --quiet -t mesh:dims=4 -q "$queue" -p simple --explain jobs.tsv >placed.tsv
		[ "$(grep -v '^##' placed.tsv | cut -f 7 | paste -sd ' ')" = 'start_s 0 15 10 30 30 39 . . 50' ]
		grep -q $'^f\t.*waits forever: depends on job g, which gets no nodes$' placed.tsv
		placecheck placed.tsv
	done
	sed 's/^b\(.*\)15\t20/b\19\t14/; s/^h\(.*\)50\t51/h\149\t50/' placed.tsv >early.tsv
	run -1 --separate-stderr placecheck early.tsv
	grep -q 'job b started before the end of a, on which it depends' <<<"$output$stderr"
	grep -q 'start_s 49 .* before eligible_s 50' <<<"$output$stderr"
	allocate --quiet -t mesh:dims=4 -q none -p simple --explain jobs.tsv >none.tsv
	grep -q $'^b\t.*depends on job a, which has not ended$' none.tsv
	run -2 --separate-stderr allocate --read-ahead 4 -t mesh:dims=4 -q fcfs -p simple jobs.tsv
	[[ $stderr == 'allocate: jobs.tsv:4: depends: '* ]]
}

@test "array_limit: no more tasks of an array run at once; the others come when one ends; placecheck sees who does not wait" {
	stream jobs 'job submit_s nodes runtime_s array_limit eligible_s' '4_1 0 1 10 2 .' '4_2 0 1 5 2 .' '4_3 0 1 5 2 .' '4_4 0 1 7 2 .' '4_5 0 1 1 2 30' \
		'b 1 2 4 . .' '5_1 1 9 1 1 .' '5_2 1 1 1 1 .' >j.tsv # 5_1 is too large, and keeps nobody
	for queue in fcfs easy conservative level-fit; do
		allocate --quiet -t line:nodes=8 -q $queue --explain j.tsv >o.tsv
		[ "$(mlr --itsv --onidx --skip-comments cut -of job,start_s o.tsv | paste -sd ';')" = '4_1 0;4_2 0;4_3 5;4_4 10;4_5 30;b 1;5_1 .;5_2 1' ]
		placecheck -t line:nodes=8 o.tsv
	done
	sed 's/^\(4_4.*\)10\t17/\17\t14/' o.tsv >early.tsv
	run -1 --separate-stderr placecheck -t line:nodes=8 early.tsv
	[[ $stderr == *': array_limit: 4_4 started while 2 tasks of its array ran, of at most 2 at a time' ]]
	allocate --quiet -t line:nodes=8 -q none --explain j.tsv >o.tsv
	grep -q $'^4_3\t.*\t2 tasks of its array run, as many as may$' o.tsv
	# a running task counts; one that never ends keeps the others
	stream jobs 'job submit_s nodes runtime_s array_limit nodelist start_s' '4_1 . 1 . 1 n3 0' '4_2 5 1 5 1 . .' >j.tsv
	allocate --quiet -t line:nodes=8 -q easy --explain j.tsv >o.tsv
	grep -q $'^4_2\t.*waits forever: as many tasks of its array as may, 1, wait or run and do not end$' o.tsv
	run -2 --separate-stderr allocate --read-ahead 4 -t line:nodes=8 -q fcfs j.tsv
	[[ $stderr == 'allocate: j.tsv:3: array_limit: not counted with --read-ahead' ]]
}

@test "easy: before a reservation the first start may be earlier than one that is refused" {
	stream reservations 'reservation nodelist start_s end_s' 'maint n[0-4] 200 300' >res.tsv
	# b could start at 100, at 150 no longer; c must not have nodes that delay it until 300
	stream jobs 'job nodes submit_s runtime_s' 'a 2 0 100' 'x 1 0 160' 'y 1 0 170' 'b 3 1 50' 'c 1 2 190' >j.tsv
	for queue in fcfs easy conservative; do
		run -0 bash -c "allocate --quiet -t complete:nodes=5 --nodes res.tsv -q $queue j.tsv | mlr --itsv --onidx --skip-comments cut -o -f job,start_s"
		[ "$output" = 'a 0
x 0
y 0
b 100
c 300' ]
	done
}

@test "partitions and reservations: limits, states, times; each queue obeys them, placecheck sees who does not" {
	stream partitions 'partition nodelist state default nodes_min nodes_max walltime_max_s' 'main n[0-7] up yes . 4 100' 'old n[0-7] down no . . .' 'big n[0-7] up no 3 . .' >parts.tsv
	stream reservations 'reservation nodelist start_s end_s' 'maint n[0-5] 50 80' 'course n[6-7] 0 1000' >res.tsv
	stream jobs 'job submit_s nodes runtime_s walltime_s partition reservation' 'a 0 4 10 50 . .' 'b 0 4 10 51 . .' 'c 0 5 10 20 . .' 'd 0 1 10 101 main .' \
		'e 0 1 10 20 old .' 'f 0 2 10 . . course' 'g 1 4 9 9 old,main .' 'h 2 3 5 5 main maint' 'i 3 2 5 5 big .' 'k 3 6 5 5 big,main .' >j.tsv
	for queue in fcfs easy conservative level-fit; do
		allocate --quiet -t line:nodes=8 --nodes parts.tsv --nodes res.tsv -q $queue -p simple --explain j.tsv >o.tsv
		placecheck -t line:nodes=8 --nodes parts.tsv --nodes res.tsv o.tsv
		# a has ended, by its limit, when maint begins; b must wait for its end
		[ "$(awk -F'\t' '$1 ~ /^[ab]$/ { print $8 >= ($1 == "a" ? 0 : 80) && ($1 == "b" || $8 == 0) }' o.tsv | paste -sd ' ')" = '1 1' ]
		[ "$(awk -F'\t' '$1 ~ /^[cdei]$/ { sub(/waits forever: /, "", $NF); print $1, $NF }' o.tsv)" = 'c the partition main takes jobs of at most 4 nodes
d the partition main takes jobs of at most 100 s
e the partition old is down
i the partition big takes jobs of at least 3 nodes' ]
		[ "$(awk -F'\t' '$1 == "g" { print $6 }' o.tsv)" = main ]
		[ "$(awk -F'\t' '$1 == "f" { print $10 }' o.tsv)" = 'n[6-7]' ]
	done
	# one whose reservation has ended holds up nobody
	allocate --quiet -t line:nodes=8 --nodes parts.tsv --nodes res.tsv -q fcfs -p simple --explain j.tsv >o.tsv
	grep -q '^h.*the reservation maint has ended$' o.tsv
	[ "$(awk -F'\t' '$1 == "k" { print $6, $8 }' o.tsv)" = 'big 99' ]
	allocate --quiet -t line:nodes=8 --nodes parts.tsv --nodes res.tsv -q easy -p simple j.tsv >o.tsv
	[ "$(awk -F'\t' '$1 == "h" { print $8, $10 }' o.tsv)" = '50 n[0-2]' ] # in its reservation, when that begins
	awk -F'\t' -v OFS='\t' '$1 == "a" { $6 = "old" } $1 == "b" { $8 = 40; $9 = 50 } $1 == "f" { $10 = "n[5-6]" } $1 == "g" { $5 = 200 } $1 == "h" { $8 = 20; $9 = 25 } { print }' o.tsv >bad.tsv
	run -1 --separate-stderr placecheck -t line:nodes=8 --nodes parts.tsv --nodes res.tsv bad.tsv
	[ "$(sed 's/^placecheck: bad.tsv:[0-9]*: //' <<<"$stderr" | grep -v ' while job ')" = 'partition: old is down
nodelist: n0 is held by the reservation maint then
nodelist: n5 is held by the reservation maint then
nodelist: n5 is not of the reservation course
walltime_s: the partition main has at most 100
nodelist: n0 is held by the reservation maint then
start_s: the reservation maint does not hold then' ]
	# a job of no partition is one of the default one; no time: each reservation holds
	stream partitions 'partition nodelist default' 'p n[2-3] yes' >two.tsv
	stream jobs 'job nodes' 'x 2' 'y 1' >k.tsv
	[ "$(allocate --quiet -t line:nodes=8 --nodes two.tsv k.tsv | column nodelist | paste -sd ' ')" = 'n[2-3] .' ]
	[ "$(allocate --quiet -t line:nodes=8 --nodes res.tsv k.tsv | column nodelist | paste -sd ' ')" = '. .' ]
	stream reservations 'reservation nodelist' 'r n9' >bad.tsv
	run -2 --separate-stderr allocate --strict -t line:nodes=8 --nodes bad.tsv k.tsv
	[[ $stderr == "allocate: bad.tsv:3: nodelist: there is no node 'n9' on this machine" ]]
}

@test "nodes that the machine lacks: named once, the others are given out; --strict refuses" {
	stream nodes 'node state cpus' 'n0 idle 4' 'n1 allocated 4' 'n2 idle 4' 'n3 mixed 4' 'new1 idle 4' 'login1 idle 4' >n.tsv
	stream partitions 'partition nodelist default' 'p n[0-3],new1 yes' >p.tsv
	stream reservations 'reservation nodelist' 'r n2,new2' >r.tsv
	stream jobs 'job nodes nodelist start_s cpus cpus_per_node exclusive' 'a 2 n1,new1 0 . . .' 'b 1 login1 0 . . .' 'c 2 new3,n3 0 5 1,4 no' 'd 1 . . 1 . no' 'e 1 . . . . .' >j.tsv
	run -0 --separate-stderr allocate -t line:nodes=8 --nodes n.tsv --nodes p.tsv --nodes r.tsv j.tsv
	# n3 has a part of c, which part is not said: no other job has the rest
	[ "$(column nodelist <<<"$output" | paste -sd ' ')" = 'n1,new1 login1 new3,n3 n0 .' ]
	[[ $stderr == *"allocate: 3 jobs on 4 nodes that the machine lacks: "*"login1"* ]]
	allocate --quiet -t line:nodes=8 --nodes n.tsv --nodes p.tsv --nodes r.tsv j.tsv | placecheck --quiet -t line:nodes=8 --nodes n.tsv --nodes p.tsv --nodes r.tsv
	for table in n.tsv p.tsv r.tsv; do
		stream jobs 'job nodes' 'e 1' | allocate --quiet -t line:nodes=8 --nodes $table >out
		stream jobs 'job nodes' 'e 1' | run -2 allocate --strict -t line:nodes=8 --nodes $table
	done
	run -2 --separate-stderr allocate --strict -t line:nodes=8 j.tsv
	[[ $stderr == "allocate: j.tsv:3: nodelist: there is no node 'new1' on this machine" ]]
	# a list that is not as long as the job is an error all the same
	stream jobs 'job nodes nodelist' 'a 3 n1,new1' >j.tsv
	run -2 --separate-stderr allocate -t line:nodes=8 j.tsv
	[ "$stderr" = "allocate: j.tsv:3: nodelist: has 2 nodes, the job asks for 3" ]
}

@test "a site's own words: nodes, partitions and reservations of Slurm, as text, keep jobs where they may be" {
	need_zones() { [[ -e /usr/share/zoneinfo/Europe/Berlin ]] || skip "no zone database"; }
	need_zones
	topogen --from slurm-conf "$SITE/topology.conf" -o m.yaml
	traceconv --from scontrol-node --to nodes "$SITE/scontrol-node.txt.gz" |
		awk -F'\t' -v OFS='\t' '/^##/ || $1 == "node" { print; next } { $2 = "idle"; $11 = $12 = $13 = "."; print }' >nodes.tsv
	traceconv --from scontrol-part --to partitions "$SITE/scontrol-part.txt.gz" -o parts.tsv
	traceconv --zone Europe/Berlin --from scontrol-res --to reservations "$SITE/scontrol-res.txt.gz" -o res.tsv
	t=$(TZ=Europe/Berlin date -d 2026-11-22T10:30:00 +%s)
	# shared is FORCE:2: two jobs of 16 CPUs on the 16 of a node, not three
	stream jobs 'job submit_s nodes runtime_s walltime_s partition cpus exclusive reservation' "s1 $t 1 600 600 shared 16 no ." "s2 $t 1 600 600 shared 16 no ." \
		"long $t 1 90000 90000 shared 1 no ." "c1 $t 7 600 600 cpu 112 . ." "c2 $t 1 600 600 cpu 16 . course" "maint $t 4 14400 14400 cpu 64 . ." "g $t 5 600 600 gpu 1 . ." >j.tsv
	allocate --quiet -t m.yaml --nodes nodes.tsv --nodes parts.tsv --nodes res.tsv -q fcfs --explain j.tsv >o.tsv
	placecheck -t m.yaml --nodes nodes.tsv --nodes parts.tsv --nodes res.tsv o.tsv
	awk -F'\t' '$1 ~ /^s[12]$/ { print $12 }' o.tsv | uniq | wc -l | grep -qx 1
	grep -q '^long.*the partition shared takes jobs of at most 14400 s' o.tsv
	[ "$(awk -F'\t' '$1 == "c2" { print $12 }' o.tsv)" = cn01 ]
	# four hours before the maintenance of cn[05-08] begins are too few; cn01 is the course's for an hour more
	awk -F'\t' '$1 == "maint" { print $12 }' o.tsv | grep -v 'cn0[5-8]\|cn\[0[1-8]-0[5-8]'
	grep -q '^g.*5 nodes requested' o.tsv
}

@test "--hosts: only these nodes, as a list or as the host files of Slurm, PBS, Open MPI and MPICH" {
	stream jobs 'job nodes' 'a 2' >j.tsv
	stream comm 'src dst bytes' '0 1 5' '2 3 6' >c.tsv
	printf 'n3\nn3\nn1\nn3\n' >pbs
	printf 'n0 slots=2 max_slots=4 # the first\n\n# none\nn[4-5]:1\n' >mpi
	echo 'n[3,1]*2' >slurm
	for hosts in pbs ./slurm 'n[1,3]'; do
		[ "$(allocate -t line:nodes=8 --hosts "$hosts" j.tsv | column nodelist)" = 'n[1,3]' ]
		allocate -t line:nodes=8 --hosts "$hosts" j.tsv | placecheck --hosts "$hosts"
	done
	# what is idle, and of that only these
	[ "$(allocate -t line:nodes=8 --hosts 'n[5-7]' --idle ./mpi --explain j.tsv 2>/dev/null | column reason)" = '2 nodes requested, 1 idle' ]
	[ "$(allocate -t line:nodes=8 --hosts 'n[4-7]' --idle mpi j.tsv | column nodelist)" = 'n[4-5]' ]
	allocate -t line:nodes=8 --hosts 'n[4-5]' j.tsv >o.tsv
	run -1 --separate-stderr placecheck --hosts pbs o.tsv
	[ "${stderr_lines[0]}" = 'placecheck: o.tsv:6: nodelist: n4 is not idle but not among --hosts' ]
	run -1 --separate-stderr placecheck --idle n4 --hosts 'n[4-5]' o.tsv
	[ "$stderr" = 'placecheck: o.tsv:6: nodelist: n5 is not idle but not listed as idle' ]
	# mapref: in the order of the file, with its slots
	nodes() { mapref -t line:nodes=8,cores=2 -g c.tsv -p in-order --hosts "$@" | column node | paste -sd ' '; }
	[ "$(nodes pbs)" = 'n3 n3 n3 n1' ]
	[ "$(nodes mpi)" = 'n0 n0 n4 n5' ]
	[ "$(nodes slurm)" = 'n3 n3 n1 n1' ]
	[ "$(nodes mpi --ranks-per-node 3)" = 'n0 n0 n0 n4' ]
	printf 'n2\nn1\n' >plain # no slots: one rank per core
	[ "$(nodes plain)" = 'n2 n2 n1 n1' ]
	[ "$(traceconv --from jobs --to nodes -f at:time=0,nodes=./plain j.tsv | column node | paste -sd ' ')" = 'n2 n1' ]
	while IFS='|' read -r line why; do
		echo "$line" >bad
		run -2 --separate-stderr allocate -t line:nodes=8 --hosts bad j.tsv
		[ "$stderr" = "allocate: --hosts: bad:1: $why" ]
	done <<-'END'
		n1 n2|'n2' behind a host: expected slots=N, and one host or host list per line
		n1 slots=x|'x' is not a number of slots
		n1:0|'0' is not a number of slots
		m1|there is no node 'm1' on this machine
	END
	echo '# none' >bad
	run -2 --separate-stderr allocate -t line:nodes=8 --hosts bad j.tsv
	[ "$stderr" = 'allocate: --hosts: bad: names no hosts' ]
	run -2 --separate-stderr allocate -t line:nodes=8 --hosts ./absent j.tsv
	[[ $stderr == 'allocate: --hosts: ./absent: No such file'* ]]
}

@test "--at: the state of a moment: who ran keeps its nodes, who waited is placed, others are left out" {
	stream jobs 'job submit_s nodes start_s end_s nodelist' 'over 0 2 0 10 n[0-1]' 'runs 0 2 5 30 n[2-3]' 'still 1 1 8 . n4' 'waits 9 2 25 40 n[0-1]' \
		'came 21 1 22 23 n5' 'held 2 1 . . .' >log.tsv
	allocate -t line:nodes=8 -p simple --at 20 log.tsv >o.tsv
	[ "$(grep -v '^##' o.tsv | cut -f 1,4-7 | tail -n +2 | tr '\t\n' ' ;')" = 'runs 5 30 n[2-3] .;still 8 . n4 .;waits 20 35 n[0-1] simple;held 20 . n5 simple;' ]
	placecheck -t line:nodes=8 o.tsv
	# the moment of a start is the job's, that of its end is not
	[ "$(allocate -t line:nodes=8 --at 10 log.tsv | column job | paste -sd ' ')" = 'runs still waits held' ]
	[ "$(allocate -t line:nodes=8 --at 1970-01-01T00:00:05Z log.tsv | awk -F'\t' '$1 == "runs" { print $6 }')" = 'n[2-3]' ]
	# the same nodes are busy then, whoever says so
	traceconv --from jobs --to nodes --at 20 log.tsv | awk -F'\t' '$2 == "allocated" { print $1 }' | paste -sd ' ' >busy
	[ "$(cat busy)" = 'n2 n3 n4' ]
	[ "$(evalmetrics -t line:nodes=8 -m spread --at 20 log.tsv | awk -F'\t' '$1 == "job" { print $2 }' | sort -u | paste -sd ' ')" = 'runs still' ]
	run -2 --separate-stderr allocate -t line:nodes=8 --at noon log.tsv
	[[ $stderr == *"--at: 'noon' is not a time: seconds since the epoch, or ISO 8601 as 2018-12-21T14:30:00Z" ]]
	run -2 --separate-stderr allocate -t line:nodes=8 --at 2026-11-22T10:00:00 log.tsv
	[[ $stderr == *"is not a time with its zone"* ]]
	run -2 --separate-stderr allocate -t line:nodes=8 --at 20 --replay log.tsv
	[[ $stderr == *"--at goes with neither --replay nor --read-ahead" ]]
	run -2 --separate-stderr evalmetrics --at 20 <(stream nodes 'node' 'n0')
	[[ $stderr == *"--at: a nodes stream has no jobs that run" ]]
}

@test "a log replayed: what was recorded beside what the policy would have done" {
	stream jobs 'job submit_s nodes start_s end_s nodelist' 'a 0 2 5 15 n0,n4' 'b 1 2 20 30 n1,n5' 'c 2 1 . . .' > log.tsv
	allocate -t line:nodes=8 -q fcfs --replay log.tsv > o.tsv
	[ "$(grep -v '^##' o.tsv | cut -f 1,4-7 | tail -n +2 | tr '\t\n' ' ;')" = \
		"a 5 15 n0,n4 recorded;b 20 30 n1,n5 recorded;c . . . recorded;a 0 10 n[0-1] simple;b 1 11 n[2-3] simple;c 2 . n4 simple;" ]
	placecheck -t line:nodes=8 o.tsv
	# one policy after the other, each beside what was recorded; the queue is easy where none is given
	allocate -t line:nodes=8 --replay=slurm log.tsv | allocate -t line:nodes=8 --replay=rdn --seed 2 >both.tsv
	placecheck -t line:nodes=8 both.tsv
	[ "$(column policy <both.tsv | sort | uniq -c | awk '{ print $2, $1 }' | paste -sd ,)" = 'rdn 3,recorded 3,slurm 3' ]
	[ "$(column scheduler <both.tsv | sort -u | paste -sd ' ')" = '. easy' ]
	for one in --replay=slurm '--replay -p slurm -q easy'; do
		# shellcheck disable=SC2086 # words
		allocate -t line:nodes=8 $one log.tsv | grep -v '^##' | sort | diff - <(grep -v '^##\|	rdn	' both.tsv | sort)
	done
	# what a policy placed is no record
	allocate -t line:nodes=8 -q easy -p simple <(mlr --tsv --pass-comments cut -x -f start_s,end_s,nodelist log.tsv) >placed.tsv
	run -0 --separate-stderr allocate -t line:nodes=8 --replay=slurm placed.tsv
	[ "$stderr" = 'allocate: --replay changed nothing: a policy placed every job, and none is recorded' ]
	run -2 --separate-stderr allocate -t line:nodes=8 -p rdn --replay=slurm log.tsv
	[[ $stderr == *"-p and --replay=POLICY say the same thing: give one" ]]
	run -2 --separate-stderr allocate -t line:nodes=8 --replay=slrm log.tsv
	[[ $stderr == *"slrm"* ]]
	run -0 --separate-stderr allocate -t line:nodes=8 <(head -n 4 log.tsv)
	[[ $stderr == *"all 2 jobs came with their nodes and keep them: none was placed (--replay places them anew)" ]]
	run -2 --separate-stderr allocate -t line:nodes=8 --replay --candidates log.tsv
	[[ $stderr == *"exclude each other" ]]
}

@test "a heterogeneous job: components start together, wait as one and count as one" {
	stream nodes 'node partitions state' 'n0 cpu idle' 'n1 cpu idle' 'n2 cpu idle' 'n3 gpu,cpu idle' 'n4 gpu idle' 'n5 gpu drained' > nodes.tsv
	{
		stream jobs 'job submit_s nodes runtime_s partition het_job depends' 'a 0 1 10 gpu . .' '20+0 1 2 5 cpu 20 .' 'b 1 1 3 cpu . .' '20+1 1 2 7 gpu 20 .' 'c 2 1 4 gpu . 20'
		stream jobs header '30+0 3 2 5 gpu 30 20+1' '30+1 3 4 5 cpu 30 .' '40+0 4 1 1 cpu 40 .' | tail -n +3
	} > j.tsv
	for queue in fcfs easy conservative level-fit; do
		allocate --quiet -t line:nodes=6 --nodes nodes.tsv -q $queue --explain j.tsv > o.tsv
		placecheck --nodes nodes.tsv o.tsv
	done
	allocate --quiet -t line:nodes=6 --nodes nodes.tsv -q level-fit j.tsv > o.tsv
	# 20 wants both gpu nodes, of which a has one until 10; it ends with its longer component, and c comes then; 30 wants six
	# nodes of five: never; one component alone is a job as others are
	[ "$(column start_s < o.tsv | tr '\n' ' ')" = '0 10 1 10 17 . . 4 ' ]
	[ "$(column end_s < o.tsv | tr '\n' ' ')" = '10 15 4 17 21 . . 5 ' ]
	[ "$(column nodelist < o.tsv | tr '\n' ' ')" = 'n3 n[0-1] n0 n[3-4] n3 . . n0 ' ]
	# without a queue: all or none; cpu finds n3 first, and gives it to the component that has no other
	stream jobs 'job nodes partition het_job' 'x 2 cpu 1' 'y 2 gpu 1' 'z 2 cpu 2' 'w 1 gpu 2' > j.tsv
	allocate --quiet -t line:nodes=6 --nodes nodes.tsv -p random --explain j.tsv > o.tsv
	[ "$(column nodelist < o.tsv | sed -n '3,4p' | tr '\n' ' ')" = '. . ' ]
	[ "$(column nodelist < o.tsv | sed -n '2p' | tr -d 'n[,]-')" -ge 0 ]
	for seed in 1 2 3 4 5 6; do
		allocate --quiet --seed $seed -t line:nodes=6 --nodes nodes.tsv -p random j.tsv > o.tsv
		[ "$(column nodelist < o.tsv | head -n 2 | grep -c '^n')" -eq 2 ]
	done
	# two components with parts of one node, which count together
	stream nodes 'node cpus' 'n0 8' 'n1 8' > shared.tsv
	stream jobs 'job submit_s nodes cpus runtime_s exclusive het_job' '1+0 0 1 5 9 no 1' '1+1 0 1 3 9 no 1' '2+0 1 1 5 9 no 2' '2+1 1 1 5 9 no 2' > j.tsv
	for queue in fcfs easy; do
		allocate --quiet -t line:nodes=2 --nodes shared.tsv -q $queue j.tsv > o.tsv
		[ "$(column nodelist < o.tsv | tr '\n' ' ')" = 'n0 n0 n0 n1 ' ]
		[ "$(column start_s < o.tsv | tr '\n' ' ')" = '0 0 9 9 ' ]
		placecheck --nodes shared.tsv o.tsv
	done
	# what any component waits for, the job waits for
	stream jobs 'job submit_s nodes runtime_s het_job depends' 'x 0 1 10 . .' 'y 0 1 20 . .' '5+0 0 1 5 5 x' '5+1 0 1 5 5 y' > d.tsv
	[ "$(allocate --quiet -t line:nodes=8 -q easy d.tsv | column start_s | tr '\n' ' ')" = '0 0 20 20 ' ]
	# one job for waits, queues and throughput
	evalmetrics -t line:nodes=2 -m wait -m queue -m schedule -m stretch o.tsv | grep -v '^##' | cut -f 3-5 > e.tsv
	[ "$(grep wait_s e.tsv | tr '\t\n' ' ;')" = '1+0 wait_s 0;2+0 wait_s 8;' ]
	[ "$(grep flow_s e.tsv | tr '\t\n' ' ;')" = '1+0 flow_s 9;2+0 flow_s 17;' ]
	[ "$(grep -E 'length-max|nodes-max|work-rate|throughput' e.tsv | cut -f 3 | tr '\n' ' ')" = '1 2 0.1111111111111111 2 ' ]
	stream jobs 'job nodes het_job nodelist policy start_s end_s' 'a 1 7 n0 x 0 5' 'b 1 7 n1 x 1 6' > b.tsv
	run -1 --separate-stderr placecheck -t line:nodes=6 b.tsv
	[ "$stderr" = 'placecheck: b.tsv:4: start_s: a and b are components of job 7 and start apart' ]
	stream jobs 'job nodes het_job nodelist policy start_s end_s depends' 'a 1 7 n0 x 0 5 .' 'b 1 7 n1 x 0 6 .' 'c 1 . n2 x 5 9 7' > b.tsv
	run -1 --separate-stderr placecheck -t line:nodes=6 b.tsv
	[ "$stderr" = 'placecheck: b.tsv:5: job c started before the end of b, on which it depends' ]
	run -2 --separate-stderr allocate -t line:nodes=6 <(stream jobs 'job nodes het_job io_nodes' 'a 1 7 1')
	[[ $stderr == *'io_nodes: components of a heterogeneous job get no I/O nodes' ]]
}
