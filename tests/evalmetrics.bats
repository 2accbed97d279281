bats_require_minimum_version 1.5.0
load helper

# columns by name, blanks between
cut_out() { mlr --itsv --onidx --ofs ' ' --pass-comments cut -o -f "$1" | rows; }

placed() { # jobs from standard input, blanks become tabs
	echo '##placetools=jobs/1'
	tr ' ' '\t'
}

@test "the example of every metric works" {
	examples_of evalmetrics metrics > list
	[ "$(wc -l < list)" -ge 6 ]
	printf '%s\n' 'n[0-1]' 'n[8-10]' > permitted.txt
	placed > io.tsv <<< $'job nodes nodelist io_nodelist\na 2 n[0-1] n4'
	mapref -t "$MACHINE" -g "$DATA/ring.tsv" --hosts 'n[0-11]' --ranks-per-node 1 -p in-order -o mapping.tsv
	mapref -t "dragonfly:groups=7,routers=1,nodes=2" -g "$DATA/ring.tsv" -p in-order --ranks-per-node 1 -o ring-mapping.tsv
	cosched -d "$DATA/two.yaml" -k "$DATA/kernels.tsv" --timeline timeline.tsv "$DATA/sharing.tsv" > shared.tsv
	netsim -t "$MACHINE" -p alltoall --gpu gpudirect --ranks ranks.tsv "$DATA/placed.tsv" > times.tsv
	topogen "$DATA/machine.yaml" --io nodes:list=n23,storage=@ior-node > stored.yaml
	placed <<< $'job nodes nodelist\na 4 n[0-3]' |
		netsim -t stored.yaml -p "iotrace:path=$DATA/io.tsv" --io ops.io --storage storage.tsv > done.tsv
	while read -r example; do
		case $example in
		detours) evalmetrics -t "dragonfly:groups=7,routers=1,nodes=2" -r ugal -m "$example" -g "$DATA/ring.tsv" ring-mapping.tsv > out.txt ;;
		congestion* | dilation* | hierarchy-cost* | hybrid* | inside*) evalmetrics -m "$example" -g "$DATA/ring.tsv" mapping.tsv > out.txt ;;
		io-phase | io-time | io-bandwidth | io-bytes) evalmetrics -m "$example" ops.io > out.txt ;;
		io-hops) evalmetrics -m "$example" done.tsv > out.txt ;;
		device-busy) evalmetrics -m "$example" storage.tsv > out.txt ;;
		io-*) evalmetrics -t "$MACHINE" -m "$example" io.tsv > out.txt ;;
		comm-time | exposed | gpu-speedup | mfu* | roofline | step-time) evalmetrics -m "$example" ranks.tsv > out.txt ;;
		device-*) evalmetrics -m "$example" timeline.tsv > out.txt ;;
		switches) evalmetrics -m "$example" shared.tsv > out.txt ;;
		*) evalmetrics -t "$MACHINE" -m "$example" --traffic "$DATA/traffic.tsv" "$DATA/placed.tsv" > out.txt ;;
		esac
		[ "$(rows < out.txt | wc -l)" -ge 2 ]
	done < list
}

@test "the manual page names every value of every metric" {
	mapref -t "$MACHINE" -g "$DATA/ring.tsv" --hosts 'n[0-11]' --ranks-per-node 1 -p in-order -o mapping.tsv
	{
		evalmetrics -t "$MACHINE" --traffic "$DATA/traffic.tsv" "$DATA/placed.tsv" | cut_out metric
		evalmetrics -g "$DATA/ring.tsv" mapping.tsv | cut_out metric
		printf '##placetools=jobs/1\njob\tnodes\tsubmit_s\truntime_s\n1\t2\t0\t5\n' |
			allocate -t "$MACHINE" | evalmetrics | cut_out metric
	} | sort -u > names
	[ "$(wc -l < names)" -eq 37 ]
	page=$(mandoc -Tascii -Owidth=500 "$(man_page evalmetrics.1)" | sed 's/.\x08//g')
	while read -r name; do
		grep -qwF -e "$name" <<< "$page"
	done < names
}

@test "a hand-computed job: routers, groups, fragments, hops, traffic and stall" {
	# n0 and n1 on r0, n4 on r1 in the same group, n20 on r5 in another, whose link is r1 to r4:
	# n0-n1 2 hops, n0-n4 and n1-n4 3, n4-n20 4, n0-n20 and n1-n20 5
	placed > j.tsv <<-'END'
		job nodes submit_s nodelist
		a 4 120 n[1,20,0,4]
	END
	evalmetrics -t "$MACHINE" --traffic "$DATA/traffic.tsv" j.tsv | cut_out metric,value,unit > got
	diff got - <<-END
		fragments 3 1
		fragmentation 0.6666666666666666 1
		hops-mean $(mlr -n put 'end { print (2 + 3 + 3 + 4 + 5 + 5) / 6 }') 1
		hops-max 5 1
		routers 3 1
		groups 2 1
		stall-mean 600000 1/s
		stall-max 900000 1/s
		traffic-mean $(mlr -n put 'end { print (2000000 + 600000 + 600000) / 3 }') flits/s
		traffic-max 2000000 flits/s
	END
}

@test "the window is the newest that ended by the start, else by the submission" {
	sed 's/^120\t/240\t/; s/2000000/7000000/; /^##/d; /^time_s/d' "$DATA/traffic.tsv" | cat "$DATA/traffic.tsv" - > t.tsv
	placed > j.tsv <<-'END'
		job nodes submit_s start_s nodelist
		a 1 0 119.999999999 n0
		b 1 0 120 n0
		c 1 130 . n0
		d 1 0 240 n0
		e 1 . . n0
	END
	evalmetrics -t "$MACHINE" -m traffic --traffic t.tsv j.tsv | grep traffic-max | cut -f4 > got
	[ "$(tr '\n' ' ' < got)" = ". 2000000 2000000 7000000 7000000 " ]
}

@test "routers without a sample are left out of the mean, and the note says so" {
	grep -v 'r5' "$DATA/traffic.tsv" > t.tsv
	placed > j.tsv <<-'END'
		job nodes start_s nodelist
		a 2 120 n[0,20]
		b 1 120 n20
	END
	evalmetrics -t "$MACHINE" -m traffic --traffic t.tsv j.tsv | grep traffic-mean > got
	[ "$(cut -f4,6 got)" = "$(printf '2000000\t1 of 2 routers without a sample\n.\t1 of 1 routers without a sample')" ]
}

@test "a job that is not placed, and one of a single node" {
	placed > j.tsv <<-'END'
		job nodes nodelist
		a 4 .
		b 1 n3
	END
	evalmetrics -t "$MACHINE" j.tsv | cut_out id,metric,value > got
	diff got - <<-'END'
		a fragments .
		a fragmentation .
		a hops-mean .
		a hops-max .
		a routers .
		a groups .
		b fragments 1
		b fragmentation 0
		b hops-mean .
		b hops-max .
		b routers 1
		b groups 1
	END
}

# runs, policies and values to be summarised
some() {
	placed <<-'END'
		run policy job nodes start_s
		1 a x 1 10
		1 a y 1 20
		1 b x 1 100
		1 b y 1 50
		2 a x 1 30
		2 a y 1 40
		2 b x 1 .
		2 b y 1 60
	END
}

@test "schedules: wait, flow, stretch, and each run as a whole, by hand" {
	placed > j.tsv <<-'END'
		run job nodes submit_s start_s end_s
		1 a 4 0 0 100
		1 b 2 10 100 104
		1 c 8 20 . .
		2 a 12 50 60 110
	END
	evalmetrics -t "$MACHINE" -m wait -m stretch -m schedule j.tsv | cut_out run,scope,id,metric,value > got
	diff got - <<-'END'
		1 job a wait_s 0
		1 job a flow_s 100
		1 job a stretch 1
		1 job a bounded-slowdown 1
		1 job b wait_s 90
		1 job b flow_s 94
		1 job b stretch 23.5
		1 job b bounded-slowdown 9.4
		1 job c wait_s .
		1 job c flow_s .
		1 job c stretch .
		1 job c bounded-slowdown .
		2 job a wait_s 10
		2 job a flow_s 60
		2 job a stretch 1.2
		2 job a bounded-slowdown 1.2
		1 run . makespan_s 104
		1 run . throughput 0.019230769230769232
		1 run . work-rate 3.923076923076923
		1 run . utilization 0.16346153846153846
		2 run . makespan_s 60
		2 run . throughput 0.016666666666666666
		2 run . work-rate 10
		2 run . utilization 0.4166666666666667
	END
	# what needs no machine is there without one
	[ "$(evalmetrics -m schedule j.tsv | cut_out metric | paste -sd' ')" = "makespan_s throughput work-rate makespan_s throughput work-rate" ]
	# what is of runs is summarised over runs, which stay apart
	[ "$(evalmetrics -t "$MACHINE" -m schedule --by . j.tsv | cut_out scope,metric,n,min,max | head -1)" = "runs makespan_s 2 60 104" ]
	sed 's/\t104$/\t99/' j.tsv > bad.tsv
	run -2 --separate-stderr evalmetrics -m wait bad.tsv
	[[ $stderr == "evalmetrics: bad.tsv:4: end_s is before start_s" ]]
}

@test "--paired: differences to the baseline, their tests and interval, by hand" {
	placed > j.tsv <<-'END'
		run policy job nodes submit_s start_s end_s
		1 old a 1 0 10 20
		2 old a 1 0 10 30
		3 old a 1 0 10 40
		4 old a 1 0 10 50
		5 old a 1 0 10 60
		1 new a 1 0 10 19
		2 new a 1 0 10 28
		3 new a 1 0 10 37
		4 new a 1 0 10 46
		5 new a 1 0 10 70
		6 new a 1 0 10 70
	END
	# 19-20, 28-30, 37-40, 46-50, 70-60: ranks 1 to 4 against 5; 1 of 5 positive: (1 + 5) / 32 on each side. Sums of ranks of
	# at most 5: {} 1 2 3 4 12 13 5 14 23: 10 of 32 on each side.
	evalmetrics -m schedule --baseline policy=old --paired --ci 0.9 j.tsv |
		cut_out policy,scope,metric,value,n,min,max,baseline,ratio,p_sign,p_wilcoxon,note | grep makespan > got
	[ "$(cut -d' ' -f 1-9 got)" = "new runs makespan_s 0 5 -4 10 40 1" ] || { cat got; false; }
	[ "$(awk '{ printf "%.6f %.6f", $10, $11 }' got)" = "0.375000 0.625000" ]
	[[ $(< got) == *" 1 more without a pair" ]]
	evalmetrics -m schedule --baseline policy=old --paired --ci 0.9 j.tsv | cut_out metric,ci_low,ci_high | grep makespan |
		awk '{ exit !($2 >= -4 && $2 < -1 && $3 > 1 && $3 <= 10) }'
	# summaries have intervals, too, the same for the same seed
	evalmetrics -m schedule --by policy --ci 0.95 j.tsv | cut_out policy,metric,mean,ci_low,ci_high | grep makespan > once
	awk '!($4 < $3 && $3 < $5) { exit 1 }' once
	evalmetrics --seed 1 -m schedule --by policy --ci 0.95 j.tsv | cut_out policy,metric,mean,ci_low,ci_high | grep makespan | diff once -
	run -2 --separate-stderr evalmetrics -m schedule --paired j.tsv
	[[ $stderr == "evalmetrics: --paired: expected --baseline COLUMN=VALUE beside it" ]]
	run -2 --separate-stderr evalmetrics -m schedule --paired --baseline policy=olf j.tsv
	[[ $stderr == "evalmetrics: --paired: no row has a partner with 'olf' in column policy" ]]
	[[ $output != *"##end"* ]]
	run -2 --separate-stderr evalmetrics -m schedule --ci 0.95 j.tsv
	[[ $stderr == "evalmetrics: --ci goes with --by or --paired"* ]]
	sed 's/^6\tnew/5\tnew/' j.tsv > twice.tsv
	run -2 --separate-stderr evalmetrics -m wait --paired --baseline policy=old twice.tsv
	[[ $stderr == "evalmetrics: --paired: wait_s of a is there twice"* ]]
}

@test "--paired --ci: the interval does not depend on the order of the rows" {
	placed > j.tsv < <(echo policy job nodes v; for i in {1..40}; do echo "a j$i 1 .$((i * i * 7919 % 10007))"; echo "b j$i 1 .$((i * i * i * 31 % 10007))"; done)
	{ head -2 j.tsv; tail -n +3 j.tsv | tac; } > back.tsv
	evalmetrics -m column:name=v --paired --baseline policy=a --ci 0.95 j.tsv | body > once
	evalmetrics -m column:name=v --paired --baseline policy=a --ci 0.95 back.tsv | body | diff once -
}

@test "--paired: differences of decimals that are alike are ties" {
	# 0.3 - 0.1, 0.4 - 0.2, … differ in their last bits; two of six are negative: mean ranks of 3.5, a sum of 7 or less
	placed > j.tsv < <(printf '%s\n' 'policy job nodes v' {a\ 1\ 1\ 0.1,b\ 1\ 1\ 0.3,a\ 2\ 1\ 0.2,b\ 2\ 1\ 0.4} \
		{a\ 3\ 1\ 0.7,b\ 3\ 1\ 0.5,a\ 4\ 1\ 1.1,b\ 4\ 1\ 1.3,a\ 5\ 1\ 0.3,b\ 5\ 1\ 0.5,a\ 6\ 1\ 2.1,b\ 6\ 1\ 1.9})
	[ "$(evalmetrics -m column:name=v --paired --baseline policy=a j.tsv | cut_out p_wilcoxon)" = 0.6875 ]
}

@test "schedules: how many wait, what is idle and in how many pieces, by hand" {
	# c does not wait, e never started; ends come before starts of the same time
	placed > j.tsv <<-'END'
		job nodes submit_s start_s end_s nodelist
		a 2 0 0 10 n[0-1]
		b 3 2 10 20 n[4-6]
		c 1 4 4 20 n8
		d 6 6 20 30 n[0-5]
		e 1 7 . . .
	END
	evalmetrics -t complete:nodes=10 -m queue -m idle j.tsv | cut_out scope,metric,value > got
	# waiting: b from 2 to 10, d from 6 to 20. Idle: 2-9 in [0,4), 2-7 and 9 in [4,10), 0-3, 7 and 9
	# in [10,20), 6-9 in [20,30)
	diff got - <<-END
		run queue-length-mean $(mlr -n put 'end { print (8 + 14) / 20.0 }')
		run queue-length-max 2
		run queue-nodes-mean $(mlr -n put 'end { print (8 * 3 + 14 * 6) / 20.0 }')
		run queue-nodes-max 9
		run idle-nodes-mean $(mlr -n put 'end { print (4 * 8 + 6 * 7 + 10 * 6 + 10 * 4) / 30.0 }')
		run idle-fragments-mean $(mlr -n put 'end { print (4 * 1 + 6 * 2 + 10 * 3 + 10 * 1) / 30.0 }')
		run idle-fragmentation-mean $(mlr -n put 'end { print (6 * (1 / 6.0) + 10 * (2 / 5.0)) / 30.0 }')
		run idle-fragmentation-max 0.4
	END
}

@test "idle: up to the last end, though a job without one starts later; a job that takes no time counts" {
	placed > j.tsv <<-'END'
		job nodes start_s end_s nodelist
		a 2 0 10 n[0-1]
		b 2 30 . n[2-3]
	END
	[ "$(evalmetrics -t line:nodes=8 -m idle j.tsv | cut_out metric,value | head -1)" = "idle-nodes-mean 6" ]
	# 10 s with 6 nodes, 20 s with 8, 10 s with 6
	printf 'c\t1\t40\t40\tn7\n' >> j.tsv
	[ "$(evalmetrics -t line:nodes=8 -m idle j.tsv | cut_out metric,value | head -1)" = "idle-nodes-mean 7" ]
}

@test "a metric that is given twice is measured once, and the machine is recorded" {
	evalmetrics -t "$MACHINE" -m hops -m hops "$DATA/placed.tsv" > got
	[ "$(grep -c hops-mean got)" -eq 4 ]
	grep -q "^##topology=$MACHINE [0-9a-f]*$" got
	evalmetrics -t "$MACHINE" -m column:name=nodes "$DATA/jobs.tsv" | grep -q '^##topology='
}

@test "--by: number, mean, deviation, quartiles as R computes them; what is missing is counted apart" {
	some | evalmetrics -m column:name=start_s --by policy > got
	[ "$(rows < got | head -1)" = "$(printf 'policy\tscope\tid\tmetric\tvalue\tunit\tn\tmean\tsd\tmin\tq1\tmedian\tq3\tmax\tnote')" ]
	[ "$(rows < got | sed -n 2p)" = "$(printf 'a\tjobs\t.\tstart_s\t25\ts\t4\t25\t12.909944487358056\t10\t17.5\t25\t32.5\t40\t.')" ]
	[ "$(rows < got | sed -n 3p)" = "$(printf 'b\tjobs\t.\tstart_s\t70\ts\t3\t70\t26.457513110645905\t50\t55\t60\t80\t100\t1 more without a value')" ]
	[ "$(rows < got | wc -l)" -eq 3 ]
}

@test "--by several columns, the whole stream, and with --each the rows beside" {
	[ "$(some | evalmetrics -m column:name=start_s --by run,policy | cut_out run,policy,value,n | tr '\n' ';')" = "1 a 15 2;1 b 75 2;2 a 35 2;2 b 60 1;" ]
	[ "$(some | evalmetrics -m column:name=start_s --by . | cut_out value,n)" = "44.285714285714285 7" ]
	some | evalmetrics -m column:name=start_s --by policy --each | cut_out policy,run,scope,id,value > got
	[ "$(head -3 got | tr '\n' ';')" = "a 1 job x 10;a 1 job y 20;b 1 job x 100;" ]
	[ "$(tail -2 got | tr '\n' ';')" = "a . jobs . 25;b . jobs . 70;" ]
	run -2 --separate-stderr evalmetrics -m column:name=nodes --each "$DATA/jobs.tsv"
	[[ $stderr == *"--each goes with --by"* ]]
}

@test "--baseline COLUMN=VALUE: ratios of summaries and of single rows" {
	[ "$(some | evalmetrics -m column:name=start_s --by policy --baseline policy=a | cut_out policy,value,baseline,ratio | tr '\n' ';')" = "a 25 25 1;b 70 25 2.8;" ]
	[ "$(some | evalmetrics -m column:name=start_s --baseline policy=a | cut_out run,policy,id,baseline,ratio | tr '\n' ';')" = "1 a x 10 1;1 a y 20 1;1 b x 10 10;1 b y 20 2.5;2 a x 30 1;2 a y 40 1;2 b x 30 .;2 b y 40 1.5;" ]
	some > j.tsv
	run -2 --separate-stderr evalmetrics -m column:name=start_s --by run --baseline policy=a j.tsv
	[[ $stderr == *"'policy' is not one of the columns"* ]]
	run -2 --separate-stderr evalmetrics -m column:name=start_s --by policy --baseline policy=zebra j.tsv
	[[ $stderr == *"no row has 'zebra' in column policy"* ]]
}

@test "--baseline FILE: an earlier metrics table" {
	some | evalmetrics -m column:name=start_s --by policy -o before.tsv
	some | sed 's/\t100$/\t400/' | evalmetrics -m column:name=start_s --by policy --baseline before.tsv | cut_out policy,value,baseline,ratio | tr '\n' ';' > got
	[ "$(cat got)" = "a 25 25 1;b 170 70 2.4285714285714284;" ]
	# a table without the column: the same value for all
	some | evalmetrics -m column:name=start_s --by . -o all.tsv
	[ "$(some | evalmetrics -m column:name=start_s --by policy --baseline all.tsv | cut_out baseline | sort -u | wc -l)" -eq 1 ]
	run -2 --separate-stderr evalmetrics -m column:name=nodes --baseline nowhere.tsv "$DATA/jobs.tsv"
	[[ $stderr == *nowhere.tsv* ]]
}

@test "device-busy: what is missing is left out of the means, not taken for 0" {
	stream storage 'node device busy_s elapsed_s bytes_read bytes_written' 'n0 0 5 10 100 0' 'n1 0 . 10 50 25' 'n2 0 1 4 0 50' > storage.tsv
	[ "$(evalmetrics -m device-busy storage.tsv | cut_out metric,value)" = $'device-busy 0.375\ndevice-busy-max 0.5\ndevice-balance 0.75' ]
}

@test "any column of any stream, with the unit of its name" {
	[ "$(evalmetrics -m column:name=traffic_flits_per_s --by . "$DATA/traffic.tsv" | cut_out scope,metric,unit,n,max)" = "rows traffic_flits_per_s flits/s 6 8000000" ]
	[ "$(evalmetrics -m column:name=stall_per_s "$DATA/traffic.tsv" | cut_out scope,id,unit,value | sed -n 2p)" = "row 120:r1 1/s 900000" ]
	[ "$(evalmetrics -m column:name=mpi_fraction "$DATA/profiles.tsv" | cut_out scope,id,value | head -1)" = "row miniMD:miniMD_intel:2176:1:64 0.689" ]
}

@test "what cannot be measured is refused, with what is lacking" {
	run -2 --separate-stderr evalmetrics -m traffic -t "$MACHINE" "$DATA/placed.tsv"
	[[ $stderr == "evalmetrics: -m traffic: it needs --traffic" ]]
	run -2 --separate-stderr evalmetrics -m hops -t "$MACHINE" "$DATA/traffic.tsv"
	[[ $stderr == "evalmetrics: -m hops: it does not measure a traffic stream, but: "* ]]
	run -2 --separate-stderr evalmetrics "$DATA/traffic.tsv"
	[[ $stderr == *"column:name=COLUMN"* ]]
	run -2 --separate-stderr evalmetrics -m column:name=zebra "$DATA/traffic.tsv"
	[[ $stderr == *"no column 'zebra'"* ]]
	run -2 --separate-stderr evalmetrics -m column:name=app "$DATA/jobs.tsv"
	[[ $stderr == *"jobs.tsv:3: "* ]]
	run -2 --separate-stderr evalmetrics --by zebra -m column:name=nodes "$DATA/jobs.tsv"
	[[ $stderr == *"--by: the stream has no column 'zebra'"* ]]
	run -2 --separate-stderr evalmetrics -m hops "$DATA/placed.tsv"
	[ "$status" -eq 2 ]
	run -2 --separate-stderr evalmetrics -m wait "$DATA/jobs.tsv"
	[[ $stderr == "evalmetrics: -m wait: the stream has no column 'start_s'" ]]
	run -2 --separate-stderr evalmetrics -m zebra "$DATA/jobs.tsv"
	[[ $stderr == "evalmetrics: 'zebra' is not a metric"* ]]
	placed > j.tsv <<-'END'
		job nodes nodelist
		a 2 n[0,99]
	END
	run -2 --separate-stderr evalmetrics -t "$MACHINE" j.tsv
	[[ $stderr == "evalmetrics: j.tsv:3: nodelist: "* ]]
}

@test "an empty stream is an empty table; one that was cut is said to be" {
	printf '##placetools=jobs/1 end=yes\n##end\n' > empty.tsv
	evalmetrics -t "$MACHINE" empty.tsv > out.tsv
	[ "$(tail -1 out.tsv)" = "##end" ]
	sed '1s/$/ end=yes/' "$DATA/placed.tsv" > cut.tsv
	run -2 --separate-stderr evalmetrics -t "$MACHINE" -m spread -o out2.tsv cut.tsv
	[[ $stderr == *truncated* ]]
	[ ! -e out2.tsv ]
	evalmetrics --partial -t "$MACHINE" -m spread cut.tsv > out3.tsv
	[ "$(tail -1 out3.tsv)" = "##end" ]
}

@test "a job of 1000 nodes on 100 000: exact hops in a blink" {
	list=$(awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%sn%d", i ? "," : "", i * 97 % 100000 }')
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\na\t1000\t%s\n' "$list" > j.tsv
	timeout 5 evalmetrics -t dragonfly:groups=100,routers=50,nodes=20 j.tsv > out.tsv
	grep -q hops-mean out.tsv
}

@test "hops on a large network without a structure: one search a destination" {
	awk 'BEGIN { n = 6000; for (i = 0; i < n; i++) {
		print "n" i, "r" i, "terminal"; print "r" i, "r" (i + 1) % n; print "r" i, "r" (i * 7 + 3) % n } }' |
		awk '$1 != $2' | topogen --from edges - -o big.yaml
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\n1\t1500\tn[0-1499]\n' >big.tsv
	timeout 120 evalmetrics -t big.yaml -m hops big.tsv >hops.tsv
	[ "$(awk '$3 == "hops-max" { print ($4 > 2) }' hops.tsv)" = 1 ]
}

@test "hops:sample= is near the mean of all pairs, says how near, and is exact where there are no more" {
	printf '##placetools=jobs/1\njob\tnodes\na\t600\nb\t3\n' |
		allocate -t torus:dims=10x10x10 -p random >placed.tsv
	evalmetrics -m hops placed.tsv | mlr --itsv --onidx --skip-comments cut -f id,metric,value,note >all.txt
	evalmetrics -m hops:sample=4000 placed.tsv | mlr --itsv --onidx --ofs tab --skip-comments cut -f id,metric,value,note >some.txt
	grep -q $'^a\thops-mean\t.*\t4000 sampled pairs, mean ± 0.[0-9]* (95 %)$' some.txt
	# three times the bound is passed once in 10^8 times; draws are the same each time
	awk 'NR == FNR { all[$1 $2] = $3; next }
		$1 == "a" && $2 == "hops-mean" { if (($3 - all["ahops-mean"]) ^ 2 > (3 * $9) ^ 2 || $9 == 0) exit 1; n++ }
		$1 == "b" { if ($3 != all[$1 $2]) exit 1; n++ }
		END { exit n != 3 }' all.txt some.txt
	run -2 --separate-stderr evalmetrics -m hops:sample=1 placed.tsv
	[[ "$stderr" == *sample* ]]
}
