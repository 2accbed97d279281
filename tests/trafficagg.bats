bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	MACHINE=dragonfly:groups=3,routers=2,nodes=4
	NIC0=AR_NL_PRF_REQ_NIC_0_TO_PTILES_FLITS,AR_NL_PRF_REQ_PTILES_TO_NIC_0_FLITS,AR_NL_PRF_RSP_NIC_0_TO_PTILES_FLITS,AR_NL_PRF_RSP_PTILES_TO_NIC_0_FLITS
	TILE=AR_RTR_0_0_INQ_PRF_ROWBUS_STALL_CNT
}

# LDMS CSV of NIC 0 and one tile: lines of "TIME NID FLITS STALLS", the other counters stay 7.
nic_csv() {
	echo "#Time,Time_usec,ProducerName,component_id,job_id,app_id,$NIC0,$TILE"
	awk '{printf "%s,0,nid%05d,%d,0,0,%s,7,7,7,%s\n", $1, $2, $2, $3, $4}'
}

# What trafficagg makes of such lines: time, router, traffic, stalls, samples, resets.
agg() {
	nic_csv | trafficagg "$@" | body | cut -f1,3-7 | tr '\t' ' '
}

@test "a window: the rate is what was counted over the time between the samples" {
	[ "$(printf '%s\n' '100.5 4 1000 50' '101.5 4 1300 50' '103.5 4 2500 90' | agg)" = "220 r1 500 13.333333333333334 2 0" ]
}

@test "windows are (start, end]: an interval belongs to the one that its middle lies in" {
	# middles 5, 15, 20, 24; windows (0,10] (10,20] (20,30]
	run -0 agg --window 10 --since 0 --max-gap 100 <<< $'0 4 0 0\n10 4 100 0\n20 4 300 0\n20.000 4 9 9\n20.5 4 310 0\n28.5 4 390 0'
	[ "$output" = $'10 r1 10 0 1 0\n20 r1 20 0 1 0\n30 r1 10.588235294117647 0 2 0' ]
	# a middle on the edge is in the window that ends there
	run -0 agg --window 10 --since 0 --max-gap 100 <<< $'5 4 0 0\n15 4 100 0'
	[ "$output" = "10 r1 10 0 1 0" ]
}

@test "windows begin on the whole second of the first sample, short ones on the sample" {
	[ "$(printf '%s\n' '100.75 4 0 0' '101.75 4 10 0' | agg --window 2)" = "102 r1 10 0 1 0" ]
	[ "$(printf '%s\n' '100.75 4 0 0' '100.85 4 10 0' | agg --window .5)" = "101.25 r1 100 0 1 0" ]
}

@test "a counter that goes backwards was reset: the interval is left out and counted" {
	[ "$(printf '%s\n' '0 4 5000 0' '1 4 6000 10' '2 4 3 20' '3 4 1003 30' | agg)" = "120 r1 1000 10 2 1" ]
	# only the tile: the NIC's rate is not touched
	[ "$(printf '%s\n' '0 4 0 500' '1 4 10 510' '2 4 20 5' '3 4 30 15' | agg)" = "120 r1 10 10 3 0" ]
}

@test "--wrap: a short way around is a wrap, a long one a reset" {
	wrapped() { printf '%s\n' "0 4 $1 0" "1 4 $2 0" "2 4 $(($2 + 100)) 0" | agg --wrap "$3"; }
	[ "$(wrapped 4294967290 94 32)" = "120 r1 100 0 2 0" ]
	[ "$(wrapped 4294967290 94 48)" = "120 r1 100 0 1 1" ]
	[ "$(wrapped 100000 94 32)" = "120 r1 100 0 1 1" ]
	[ "$(wrapped 5000000000 94 32)" = "120 r1 100 0 1 1" ]
	[ "$(printf '%s\n' '0 4 18446744073709551600 0' '1 4 84 0' | agg --wrap 64)" = "120 r1 100 0 1 0" ]
	printf '%s\n' '0 4 18446744073709551600 0' '1 4 84 0' | nic_csv > a.csv
	trafficagg -v --wrap 64 a.csv 2>&1 >/dev/null | grep -q ' wraps=1 '
}

@test "holes: true times count, and what is longer than --max-gap is left out" {
	printf '%s\n' '0 4 0 0' '1 4 10 0' '2 4 20 0' '7 4 70 0' '8 4 80 0' '300 4 99999 0' '301 4 100009 0' > samples
	nic_csv < samples > a.csv
	trafficagg -v a.csv 2>log | body | cut -f1,4,6 > out
	[ "$(cat out)" = $'120\t10\t4\n360\t10\t1' ]
	grep -q ' holes=1 gaps=1 ' log
	[ "$(trafficagg --max-gap 2 a.csv | body | head -1 | cut -f4,6)" = $'10\t3' ]
	[ "$(trafficagg --max-gap 400 --window 400 a.csv | body | cut -f4,6)" = $'332.25581395348837\t6' ]
}

@test "duplicates and rows out of order: the LDMS test of time drops" {
	# store/test/test.csv of LDMS: missing rows, a row out of order that repeats an older one
	for row in 1.1,1 1.1,2 1.1,3 2.1,1 2.1,2 3.1,1 3.1,2 3.1,3 4.1,1 4.1,3 5.1,1 2.1,1 5.1,2 5.1,3 5.1,3; do
		t=${row%.*} host=${row#*,}
		echo "$t.1 $((4 * host)) $((t * 1000 * host)) 0"
	done | nic_csv > a.csv
	trafficagg -v a.csv 2>log | body | cut -f3,4,6 > out
	[ "$(cat out)" = $'r1\t1000\t4\nr2\t2000\t3\nr3\t3000\t3' ]
	grep -q ' holes=1 gaps=0 duplicates=1 out-of-order=1 ' log
	# rows of one producer are what counts: another order of the producers gives the same
	{ head -1 a.csv; tail -n +2 a.csv | sort -t, -s -k4,4n; } > b.csv
	trafficagg b.csv | body | cut -f3,4,6 | cmp - out
}

@test "a clock that was wrong once does not silence its producer" {
	printf '%s\n' '0 4 0 0' '1 4 10 0' '2000000000 4 20 0' '3 4 30 0' '4 4 40 0' | nic_csv > a.csv
	trafficagg -v a.csv 2>log | body | cut -f1,4,6 > out
	[ "$(cat out)" = $'120\t10\t2' ]
	grep -q ' gaps=1 duplicates=0 out-of-order=1 ' log
}

@test "redundant producers: a NIC counts once, by whoever has most of the window" {
	both=$'0 4 0 0\n0 5 0 0\n1 4 10 1\n1 5 10 1\n2 4 20 2\n2 5 20 2'
	[ "$(agg <<< "$both")" = "120 r1 10 1 2 0" ]
	# nid00004 stops, nid00005 goes on
	[ "$(agg <<< "$both"$'\n3 5 50 3')" = "120 r1 16.666666666666668 1 3 0" ]
	# equals: the lowest component_id
	[ "$(agg <<< $'0 5 0 0\n0 4 0 0\n1 5 99 1\n1 4 10 1')" = "120 r1 10 1 1 0" ]
}

# Four files, one for each NIC of router 0, of two samples: quad RATE0 RATE1 RATE2 RATE3
quad() {
	for n in 0 1 2 3; do
		{
			echo "#Time,Time_usec,ProducerName,component_id,${NIC0//NIC_0/NIC_$n}"
			echo "10.0,0,nid0000$n,$n,0,0,0,0"
			echo "11.0,0,nid0000$n,$n,${1},0,0,0"
		} > set_$n.csv
		shift
	done
}

@test "a router is complete when all four NICs were seen; else its sum is flagged" {
	quad 1 20 300 4000
	[ "$(trafficagg set_?.csv | body)" = $'130\t120\tr0\t4321\t.\t4\t0\tno' ]
	[ "$(trafficagg set_[023].csv | body)" = $'130\t120\tr0\t4301\t.\t3\t0\tyes' ]
	# the others' siblings carry NIC 1: complete, though its producer is silent
	sed "s/nid00001,1,/nid00002,2,/" set_1.csv > sibling.csv
	[ "$(trafficagg set_[023].csv sibling.csv | body)" = $'130\t120\tr0\t4321\t.\t4\t0\tno' ]
	# NIC 1 was there, and its only interval was a reset
	sed '3s/20,0,0,0/20,0,0,0/; 2s/,0,0,0,0$/,90,0,0,0/' set_1.csv > reset.csv
	[ "$(trafficagg set_[023].csv reset.csv | body)" = $'130\t120\tr0\t4301\t.\t3\t1\tyes' ]
	# nothing but resets: no number is invented
	sed '2s/,0,0,0,0$/,90,0,0,0/; 3s/,[0-9]*,0,0,0$/,1,0,0,0/' set_0.csv > only.csv
	[ "$(trafficagg only.csv | body)" = $'130\t120\tr0\t.\t.\t0\t1\tyes' ]
	# the topology says how many there are
	[ "$(trafficagg -t dragonfly:groups=1,routers=1,nodes=3 set_[012].csv | body)" = $'130\t120\tr0\t321\t.\t3\t0\tno' ]
}

@test "many files are one stream in order of time, whatever their order; gzip by content" {
	printf '%s\n' '0 4 0 0' '1 4 10 1' '2 4 20 2' '3 4 30 3' '200 4 2000 200' '201 4 2100 201' | nic_csv > all.csv
	trafficagg all.csv | body > want
	{ head -1 all.csv; sed -n '2,3p' all.csv; } > hour1
	{ head -1 all.csv; sed -n '4,5p' all.csv; } > hour2
	{ head -1 all.csv; sed -n '6,7p' all.csv; } | gzip > hour3
	trafficagg hour3 hour1 hour2 | body | cmp - want
	trafficagg hour2 - hour1 < hour3 | body | cmp - want
	cat hour1 hour2 <(gzip -dc hour3) | trafficagg | body | cmp - want
	# more files than are kept open at once
	mkdir many
	for i in {001..150}; do
		printf '%s\n' "$((10#$i)) 4 $((10#$i * 10)) 0" "$((10#$i)).5 4 $((10#$i * 10 + 5)) 0" | nic_csv > many/$i
	done
	trafficagg -v --window 300 many/* 2>log | body | cut -f4,6 > out
	[ "$(cat out)" = $'10\t299' ]
	grep -q 'samples=300 producers=1 windows=1' log
}

@test "files of the four nodes of each router give what one file of all gives" {
	jobgen -t $MACHINE -o all.csv counters:seconds=20,columns=few,redundancy=2 "$DATA/placed.tsv"
	for k in 0 1 2 3; do
		jobgen -t $MACHINE -o slice$k.csv counters:seconds=20,columns=few,redundancy=2,slice=$k "$DATA/placed.tsv"
	done
	trafficagg --window 5 all.csv | body > want
	[ "$(wc -l < want)" -ge 24 ]
	[ "$(cut -f8 want | sort -u)" = no ]
	trafficagg --window 5 slice?.csv | body | cmp - want
	trafficagg --window 5 slice[13].csv | body | cmp - want
	[ "$(trafficagg --window 5 slice[12].csv | body | cut -f8 | sort -u)" = yes ]
}

@test "columns are found by name: any order, again in mid-file, quoted, with userdata" {
	printf '%s\n' '0 4 0 0' '1 4 10 1' '2 4 20 2' '3 4 30 3' | nic_csv > a.csv
	trafficagg a.csv | body > want
	shuffled() { awk -F, '{printf "%s%s,%s,%s,%s,%s,x,%s,%s,%s\n", NR == 1 ? "#" : "", $11, $7, $8, $4, $3, $10, $9, substr($1, NR == 1 ? 2 : 1)}' a.csv; }
	shuffled | sed '1s/^#/#Time_usec,/; 2,$s/^/0,/' > b.csv
	trafficagg b.csv | body | cmp - want
	{ sed -n 1,3p a.csv; sed -n '1p;4,5p' b.csv; } > c.csv
	trafficagg c.csv | body | cmp - want
	sed '1s/^#//; 1s/[A-Za-z_0-9]*/"&"/g; 1s/^/#/' a.csv > d.csv
	grep -q '^#"Time","Time_usec",' d.csv
	trafficagg d.csv | body | cmp - want
	sed '1s/^#"/"#/' d.csv > e.csv
	trafficagg e.csv | body | cmp - want
	sed 's/,\(AR_[A-Z_0-9]*\)/,\1.userdata,\1.value/g' a.csv |
		awk -F, -v OFS=, 'NR > 1 {for (i = 7; i <= NF; i++) $i = "5," $i} 1' > f.csv
	trafficagg f.csv | body | cmp - want
	sed '2,$s/nid00004/"nid00004"/' a.csv > g.csv
	trafficagg g.csv | body | cmp - want
	sed 's/$/\r/' a.csv > h.csv
	trafficagg h.csv | body | cmp - want
}

@test "a header in a file of its own" {
	printf '%s\n' '0 4 0 0' '1 4 10 1' '2 4 20 2' | nic_csv > a.csv
	trafficagg a.csv | body > want
	head -1 a.csv > rtr.HEADER
	tail -n +2 a.csv > rtr
	trafficagg rtr | body | cmp - want
	trafficagg rtr* | body | cmp - want
	mkdir epoch
	cp rtr epoch/rtr.1545400200
	cp rtr.HEADER epoch/rtr.HEADER.1545400200
	trafficagg epoch/rtr.1545400200 | body | cmp - want
	gzip epoch/*
	trafficagg epoch/rtr.1545400200.gz | body | cmp - want
	trafficagg --header rtr.HEADER < rtr | body | cmp - want
	mkdir none
	cp rtr none
	run -2 --separate-stderr trafficagg none/rtr
	[ "$stderr" = "trafficagg: none/rtr:1: expected a header: a line that begins with #Time, or a file NAME.HEADER beside it" ]
}

@test "a cut last line is left out, and so are lines cut in the middle" {
	printf '%s\n' '0 4 0 0' '1 4 10 1' '2 4 20 2' '3 4 30 3' | nic_csv > a.csv
	trafficagg a.csv | body > want
	size=$(($(wc -c < a.csv) - $(tail -1 a.csv | wc -c)))
	head -c $size a.csv > whole.csv
	trafficagg whole.csv | body > three
	for cut in 1 12 20 28; do
		head -c $((size + cut)) a.csv > cut.csv
		trafficagg cut.csv | body | cmp - three
	done
	# without its newline, the last number may be longer than it seems
	head -c -1 a.csv > cut.csv
	trafficagg cut.csv | body | cmp - three
	trafficagg -v cut.csv 2>&1 >/dev/null | grep -q ' cut=1 '
	# a cut line in the middle, and one that the next was written onto
	{ sed -n 1,3p a.csv; sed -n 4p a.csv | head -c 20; echo; sed -n 5p a.csv; } > b.csv
	[ "$(trafficagg b.csv | body | cut -f4,6)" = $'10\t2' ]
	{ sed -n 1,3p a.csv; sed -n 4p a.csv | head -c 20; sed -n 5p a.csv; } > b.csv
	run -0 --separate-stderr trafficagg b.csv
	[ "$stderr" = "trafficagg: b.csv:4: more columns than the header has; 1 such lines are left out" ]
	[ "$(body <<< "$output" | cut -f4,6)" = $'10\t1' ]
}

@test "time_format=1: milliseconds, and the microseconds that are left" {
	echo "#Time_msec,Time_usec,ProducerName,component_id,$NIC0" > a.csv
	printf '%s\n' 1558387831001,731,nid00004,4,0,0,0,0 1558387832501,731,nid00004,4,30,0,0,0 >> a.csv
	[ "$(trafficagg a.csv | body)" = $'1558387951\t120\tr1\t20\t.\t1\t0\tyes' ]
}

@test "store_function_csv: deltas and rates, flagged values are dropped" {
	header="#Time,Time_usec,DT,DT_usec,ProducerName,component_id,job_id"
	for c in ${NIC0//,/ } $TILE; do header+=,$c,$c.Flag; done
	echo "$header,TimeFlag" > d.csv
	row() { echo "$1,0,$2,0,nid00004,4,0,$3,$4,0,0,0,0,0,0,$5,0,$6"; }
	{
		row 10.0 1.0 100 0 8 0
		row 11.0 1.0 300 0 8 0
		row 12.0 1.0 0 1 8 0
		row 13.0 0.0 7777 0 7777 1
		row 14.0 2.0 800 0 16 0
	} >> d.csv
	run -2 --separate-stderr trafficagg d.csv
	[ "$stderr" = "trafficagg: d.csv:1: DT and TimeFlag: this is store_function_csv, whose values are deltas or rates: say which, --source aries:values=delta or rate" ]
	# 1200 in 4 s; 40 in 5 s
	[ "$(trafficagg --source aries:values=delta d.csv | body)" = $'129\t120\tr1\t300\t8\t3\t0\tyes' ]
	trafficagg -v --source aries:values=delta d.csv 2>&1 >/dev/null | grep -q ' missing=1 flagged=1 '
	# means of 100, 300 and 800 over 1, 1 and 2 s; 8, 8, 8, 16 over 1, 1, 1, 2
	[ "$(trafficagg --source aries:values=rate d.csv | body)" = $'129\t120\tr1\t500\t11.2\t3\t0\tyes' ]
}

@test "routers: nid/4, aries_rtr_id, the name's number, or the topology" {
	head="#Time,Time_usec,ProducerName"
	two() { echo "$head,$1,$NIC0"; echo "1.0,0,$2,0,0,0,0"; echo "2.0,0,$2,5,0,0,0"; }
	router() {
		two "$1" "$2" > two.csv
		trafficagg "${@:3}" two.csv > two.out && body < two.out | cut -f3,4
	}
	[ "$(router component_id nid00062,62)" = $'r15\t5' ]
	[ "$(router component_id nid00062,0)" = $'r15\t5' ]
	[ "$(router component_id anything,62)" = $'r15\t5' ]
	[ "$(router component_id,aries_rtr_id nid00062,62,c1-0c2s3a0)" = $'c1-0c2s3a0\t5' ]
	[ "$(router component_id n6,900 -t $MACHINE)" = $'r1\t5' ]
	[ "$(router component_id elsewhere,6 -t $MACHINE)" = $'r1\t5' ]
	run -2 --separate-stderr router component_id login,0
	[ "$stderr" = "trafficagg: two.csv:2: 'login' has no number (nid%05d, component_id) that its router follows from: give -t" ]
	run -2 --separate-stderr router component_id nid00900,900 -t $MACHINE
	[[ $stderr == "trafficagg: none of the producers is in the topology: 'nid00900'"* ]]
	{ two component_id n6,6; echo '3.0,0,n99,99,5,0,0,0'; } > a.csv
	run -0 --separate-stderr trafficagg -t $MACHINE a.csv
	[ "$stderr" = "trafficagg: 1 samples of producers that are not in the topology are left out, the first of 'n99'" ]
}

@test "--per node: NICs have their nodes' names" {
	quad 1 20 300 4000
	sed -i 's/nid00002,2,/nid00001,1,/' set_2.csv # reported by a sibling
	[ "$(trafficagg --per node set_?.csv | body | cut -f3,4,8 | tr '\t\n' ': ')" = "nid00000:1:no nid00001:20:no nid00002:300:no nid00003:4000:no " ]
	[ "$(trafficagg -t $MACHINE --per node set_?.csv | body | cut -f3,4,8 | tr '\t\n' ': ')" = "n0:1:no n1:20:no n2:300:no n3:4000:no " ]
	sed 's/^\(#Time.*\),component_id/\1,aries_rtr_id/; s/^\(1[01].0.*\),nid0000.,.,/\1,x,c0-0c0s0a0,/' set_2.csv > c.csv
	[ "$(trafficagg --per node c.csv | body | cut -f3,4)" = $'c0-0c0s0n2\t300' ]
	# stalls of a node are its NIC's
	echo "#Time,Time_usec,ProducerName,component_id,$NIC0,${NIC0//FLITS/STALLED},$TILE" > s.csv
	printf '%s\n' 1.0,0,nid00000,0,0,0,0,0,0,0,0,0,0 2.0,0,nid00000,0,1,2,3,4,10,20,30,40,9999 >> s.csv
	[ "$(trafficagg --per node s.csv | body | cut -f3-5)" = $'nid00000\t10\t100' ]
	[ "$(trafficagg --per router s.csv | body | cut -f3-5)" = $'r0\t10\t9999' ]
	[ "$(trafficagg --source aries:direction=out s.csv | body | cut -f4)" = 4 ]
	[ "$(trafficagg --source aries:direction=in s.csv | body | cut -f4)" = 6 ]
}

@test "--per link: flits and stalls of the tiles" {
	echo "#Time,Time_usec,ProducerName,component_id,AR_RTR_2_4_INQ_PRF_INCOMING_FLIT_VC0,AR_RTR_2_4_INQ_PRF_INCOMING_FLIT_VC4,AR_RTR_2_4_INQ_PRF_ROWBUS_STALL_CNT" > a.csv
	printf '%s\n' 1.0,0,nid00006,6,0,0,0 2.0,0,nid00006,6,10,5,70 >> a.csv
	[ "$(trafficagg --per link a.csv | body)" = $'121\t120\tr1l24\t15\t70\t1\t0\tno' ]
}

@test "--per region: adjacent routers of one class of stalled time" {
	# a ring of six routers; one tile each, stalled 0, 10, 10, 30, 0, 20 percent of the time
	ticks=(0 80000000 80000000 240000000 0 160000000)
	for r in 0 1 2 3 4 5; do echo "0 $((4 * r)) 0 0"; done > samples
	for r in 0 1 2 3 4 5; do echo "1 $((4 * r)) $((r + 1)) ${ticks[r]}"; done >> samples
	nic_csv < samples > a.csv
	grow() { trafficagg -t ring:nodes=24,per-router=4 --per region "$@" a.csv | body | cut -f3,4,9-12 | tr '\t\n' ' ;'; }
	[ "$(grow)" = "0 1 0 0 1 r0;1 5 1 0.1 2 r[1-2];2 4 3 0.3 1 r3;3 5 0 0 1 r4;4 6 2 0.2 1 r5;" ]
	[ "$(grow --classes 5,40,50)" = "0 1 0 0 1 r0;1 9 1 0.16666666666666666 3 r[1-3];2 5 0 0 1 r4;3 6 1 0.2 1 r5;" ]
	[ "$(grow --classes 40,50,60)" = "0 21 0 0.11666666666666665 6 r[0-5];" ]
	run -2 --separate-stderr trafficagg --per region a.csv
	[ "$stderr" = "trafficagg: --per region needs to know which routers are adjacent: -t" ]
	for bad in 5,15 5,15,25,35 15,5,25 5,x,25 5,15,101; do
		run -2 --separate-stderr trafficagg -t ring:nodes=24,per-router=4 --per region --classes $bad a.csv
		[ "$stderr" = "trafficagg: --classes '$bad': expected three ascending percentages, as 5,15,25" ]
	done
}

@test "--since, --until: epoch, ISO 8601 with its zone, before the last sample" {
	for i in {0..20}; do echo "$((1545400200 + i)) 4 $((i * i)) 0"; done | nic_csv > a.csv
	[ "$(trafficagg --window 5 --since 1545400210 a.csv | body | cut -f1,4)" = $'1545400215\t25\n1545400220\t35' ]
	[ "$(trafficagg --window 5 --since 2018-12-21T13:50:10Z a.csv | body | cut -f1,4)" = $'1545400215\t25\n1545400220\t35' ]
	[ "$(trafficagg --window 5 --since 2018-12-21T14:50:15.0+01:00 a.csv | body | cut -f1,4)" = $'1545400220\t35' ]
	[ "$(trafficagg --window 5 --since -5 a.csv | body | cut -f1,4)" = $'1545400220\t35' ]
	[ "$(trafficagg --since -7 --until -2 --window 5 a.csv | body | cut -f1,2,4,6)" = $'1545400218\t5\t31\t5' ]
	# the last window is as long as there is time until --until
	[ "$(trafficagg --since -7 --until -3 --window 120 a.csv | body | cut -f1,2,4,6)" = $'1545400217\t4\t30\t4' ]
	gzip -k a.csv
	[ "$(trafficagg --since -7 --until -2 --window 5 a.csv.gz | body | cut -f4)" = 31 ]
	run -2 --separate-stderr trafficagg --since -5 < a.csv
	[ "$stderr" = "trafficagg: --since -5: a time before the last sample needs files: a pipe is read only once" ]
	run -2 --separate-stderr trafficagg --since 2018-12-21T13:50:10 a.csv
	[ "$stderr" = "trafficagg: --since '2018-12-21T13:50:10': a time needs its zone: Z, or +01:00" ]
	run -2 --separate-stderr trafficagg --until yesterday a.csv
	[[ $stderr == "trafficagg: --until 'yesterday': expected seconds since the epoch"* ]]
	run -2 --separate-stderr trafficagg --since -5 --until -5 a.csv
	[ "$stderr" = "trafficagg: --since is not before --until" ]
}

@test "a row that comes after its window was written is counted and dropped" {
	{ for i in {0..50}; do echo "$i 4 $((i * 10)) 0"; done; printf '%s\n' '0 8 0 0' '1 8 5 0' '49 8 50 0' '50 8 60 0'; } | nic_csv > a.csv
	run -0 --separate-stderr trafficagg --window 10 a.csv
	[ "$stderr" = "trafficagg: 1 intervals came after their window was written, and are left out" ]
	[ "$(body <<< "$output" | grep -c r1)" = 5 ]
	[ "$(body <<< "$output" | grep r2 | cut -f1,4,6)" = $'50\t10\t1' ]
	# within two windows all is well, with --late only that long
	{ for i in {0..19}; do echo "$i 4 $((i * 10)) 0"; done; for i in {0..19}; do echo "$i 8 $((i * 10)) 0"; done; } | nic_csv > b.csv
	run -0 --separate-stderr trafficagg --window 10 b.csv
	[ "$(body <<< "$output" | cut -f1,3,6)" = $'10\tr1\t10\n10\tr2\t10\n20\tr1\t9\n20\tr2\t9' ]
	[ "$stderr" = "" ]
	run -0 --separate-stderr trafficagg --window 10 --late 2 b.csv
	[ "$stderr" = "trafficagg: 10 intervals came after their window was written, and are left out" ]
	[ "$(body <<< "$output" | cut -f1,3,6)" = $'10\tr1\t10\n20\tr1\t9\n20\tr2\t9' ]
}

@test "cray_aries_r: the real row of nid00062, names with blanks, and without them" {
	need_shared
	row=$SHARED/data/ldms/cray_aries_r-nid00062-converted.csv
	# one second later: every counter a thousand more; 40 tiles are real, 48 are columns
	{
		cat "$row"
		tail -1 "$row" | awk -F, -v OFS=, '{$1 = "1421355374.002293"; for (i = 7; i <= NF; i++) $i += 1000; print}'
	} > a.csv
	[ "$(trafficagg a.csv | body)" = $'1421355493\t120\tr15\t2000\t32000\t1\t0\tyes' ]
	[ "$(trafficagg --source cray-aries-r:traffic=tiles a.csv | body | cut -f4-7)" = $'40000\t32000\t40\t0' ]
	[ "$(trafficagg --per node a.csv | body | cut -f3-5,8)" = $'nid00062\t2000\t.\tno' ]
	[ "$(trafficagg --per link a.csv | body | wc -l)" = 40 ]
	[ "$(trafficagg --per link a.csv | body | tail -1 | cut -f3-5)" = $'r15l47\t1000\t800' ]
	trafficagg a.csv | body > want
	sed '1s/ (/_(/g' a.csv > spaceless.csv
	trafficagg spaceless.csv | body | cmp - want
	# rates of the sampler: 0 in the first row and 1000 in the second
	[ "$(trafficagg --source cray-aries-r:values=rate a.csv | body | cut -f4-6)" = $'2000\t32000\t1' ]
}

@test "cray_aries_r: four nodes report the router's tiles, which count once" {
	jobgen -t $MACHINE -o g.csv counters:seconds=10,source=cray_aries_r "$DATA/placed.tsv"
	jobgen -t $MACHINE -o a.csv counters:seconds=10,source=aries "$DATA/placed.tsv"
	trafficagg -v g.csv 2>log | body > gpcdr
	grep -q 'source=cray-aries-r ' log
	trafficagg -v a.csv 2>log | body > aries
	grep -q 'source=aries ' log
	[ "$(cut -f5 aries | grep -vc '^0$')" -ge 1 ]
	# ns are whole numbers: as many stalls but for their rounding
	paste aries gpcdr | awk -F'\t' '$5 - $13 > 2 || $13 - $5 > 2 || $6 != $14 {print; bad = 1} END {exit bad}'
	trafficagg a.csv | head -1 | grep -q '##placetools=traffic/1'
}

@test "Aries processor tiles: the router sums of a real record (Cori, AutoPerf)" {
	need_shared
	awk -F, -v OFS=, '
		NR == 1 {$1 = "#Time,Time_usec,ProducerName,component_id"; print}
		NR == 2 {
			zero = "0.0,0,nid00003,3"; $1 = "1.0,0,nid00003,3"; one = $0
			for (i = 2; i <= NF; i++) zero = zero ",0"
			print zero; print one
		}' "$SHARED/data/ldms/aries-cori-apxc-1router.csv" > a.csv
	trafficagg -v a.csv 2>log | body > out
	grep -q 'source=aries-ptile ' log
	[ "$(cat out)" = $'120\t120\tr0\t12471833\t709002857\t8\t0\tno' ]
	# 454 M flits on the network tiles: the noise of others
	[ "$(trafficagg --per link a.csv | body | awk -F'\t' '$3 !~ /l5/ {n++; s += $4} END {printf "%d %d", n, s}')" = "40 453970346" ]
	run -2 --separate-stderr trafficagg --per node a.csv
	[[ $stderr == *"processor tiles are shared by the nodes of a router"* ]]
}

@test "the real lists of Aries metrics: sets of two and of four nodes, and of the NIC" {
	need_shared
	for set in metric_set_rtr_0_2_c metric_set_rtr_0_2_s; do
		{
			echo "#Time,Time_usec,ProducerName,component_id,job_id,app_id,$(paste -sd, "$SHARED/data/ldms/$set")"
			for t in 1 2 3; do
				echo "$t.0,0,nid00004,4,0,0,$(awk -v t=$t '{printf "%s%d", (NR > 1 ? "," : ""), t * ($0 ~ "FLITS$" ? 10 : $0 ~ "ROWBUS" ? 1000 : 7)}' "$SHARED/data/ldms/$set")"
			done
		} > $set.csv
	done
	[ "$(trafficagg metric_set_rtr_0_2_c.csv | body)" = $'121\t120\tr1\t80\t20000\t4\t0\tyes' ]
	[ "$(trafficagg metric_set_rtr_0_2_s.csv | body)" = $'121\t120\tr1\t160\t40000\t8\t0\tno' ]
	{
		echo "#Time,Time_usec,ProducerName,component_id,$(paste -sd, "$SHARED/data/ldms/metric_set_nic")"
		for t in 1 2; do for n in 4 5 6 7; do
			echo "$t.0,0,nid0000$n,$n,$(awk -v t=$t '{printf "%s%d", (NR > 1 ? "," : ""), t * ($0 ~ "FLITS$" ? 10 : 3)}' "$SHARED/data/ldms/metric_set_nic")"
		done; done
	} > nic.csv
	trafficagg -v nic.csv 2>log | body > out
	[ "$(cat out)" = $'121\t120\tr1\t240\t72\t4\t0\tno' ]
	grep -q 'source=aries-nic ' log
}

@test "grouped rows: instances of one producer are told apart" {
	{
		echo '#Time,Time_usec,ProducerName,component_id,ca_name,port,port_xmit_data,port_rcv_data,port_xmit_wait'
		for t in 0 1 2; do for p in 1 2; do echo "$t.0,0,n1,1,mlx5_0,$p,$((t * 100 * p)),$((t * 10 * p)),$t"; done; done
	} > a.csv
	# 4 × (100 + 10 + 200 + 20)
	[ "$(trafficagg --per node a.csv | body)" = $'120\t120\tn1\t1320\t2\t4\t0\tno' ]
	[ "$(trafficagg --per link a.csv | body | cut -f3-5)" = $'n1:mlx5_0.1\t440\t1\nn1:mlx5_0.2\t880\t1' ]
	[ "$(trafficagg -t $MACHINE a.csv | body | cut -f3-5,8)" = $'r0\t1320\t.\tyes' ]
	# the real grouped sample has other metrics: refused, with a hint
	need_shared
	run -2 --separate-stderr trafficagg "$SHARED/data/ldms/store_csv-procdiskstats-grouped-example.csv"
	[[ $stderr == *"csv:1: no source knows these columns"* ]]
	# and is read when it is said what to read
	run -0 --separate-stderr trafficagg --source counters:traffic=disk.byte_read,unit=bytes --per node <(head -10 "$SHARED/data/ldms/store_csv-procdiskstats-grouped-example.csv")
	[ "$(body <<< "$output" | cut -f3,4,6)" = $'s0\t0\t4\ns1\t0\t3' ]
}

@test "InfiniBand: sysclassib columns, rates, 32-bit counters that are full" {
	{
		echo '#Time,Time_usec,ProducerName,component_id,ib.port_xmit_data#mlx5_0.1,ib.port_rcv_data#mlx5_0.1,ib.port_xmit_wait#mlx5_0.1,ib.port_xmit_data.rate#mlx5_0.1,ib.port_rcv_data.rate#mlx5_0.1'
		echo '1.0,0,node7.site,0,100,100,5,0,0'
		echo '2.0,0,node7.site,0,350,200,6,250,100'
		echo '3.0,0,node7.site,0,4294967295,300,6,250.5,100'
	} > a.csv
	[ "$(trafficagg --per node a.csv | body | cut -f3-6)" = $'node7.site\t1400\t0.5\t1' ]
	[ "$(trafficagg --source infiniband:values=rate --per node a.csv | body | cut -f3-6)" = $'node7.site\t1401\t6\t2' ]
	[ "$(trafficagg --source ib:direction=out --per node a.csv | body | cut -f4)" = 1000 ]
	printf 'placetools: topology/1\nname: x\ntopology: tree\nparameters: {arity: 2x4}\nnodes: {names: "node%%d"}\n' > m.yaml
	[ "$(trafficagg -t m.yaml a.csv | body | cut -f3,4)" = $'r1\t1400' ] ||
		[ "$(trafficagg -t m.yaml a.csv | body | cut -f4)" = 1400 ]
	run -2 --separate-stderr trafficagg a.csv
	[ "$stderr" = "trafficagg: a.csv:2: which router 'node7.site' hangs on is known from the topology only: give -t, or --per node" ]
}

@test "InfiniBand: stalls are those of the ports between switches" {
	jobgen -t $MACHINE -o ib.csv counters:seconds=10,source=infiniband "$DATA/placed.tsv"
	jobgen -t $MACHINE -o a.csv counters:seconds=10,source=aries "$DATA/placed.tsv"
	trafficagg -t $MACHINE ib.csv | body > ib
	# a flit is taken as 16 bytes
	trafficagg a.csv | body | awk -F'\t' -v OFS='\t' '{$4 *= 16; print}' | cut -f3,4,6,8 | diff - <(cut -f3,4,6,8 ib)
	[ "$(cut -f5 ib | grep -vc '^0$')" -ge 1 ]
	# switches alone: ports 1 and 2 face nodes
	{
		echo '#Time,Time_usec,ProducerName,component_id,ca_name,port,port_xmit_data,port_rcv_data,port_xmit_wait'
		for t in 0 1; do for p in 1 2 3; do echo "$t.0,0,r0,0,switch,$p,$((t * p * 100)),$((t * p)),$((t * p * 7))"; done; done
	} > s.csv
	[ "$(trafficagg -t dragonfly:groups=2,routers=1,nodes=2 --source infiniband:node-ports=1-2 s.csv | body | cut -f3-8)" = $'r0\t1212\t21\t2\t0\tno' ]
	[ "$(trafficagg -t $MACHINE --source infiniband:node-ports=1+2 s.csv | body | cut -f3-8)" = $'r0\t1212\t21\t2\t0\tyes' ]
	for bad in x 3-1 1+ 1,2; do
		run -2 --separate-stderr trafficagg -t $MACHINE --source "infiniband:node-ports=${bad/,/\\,}" s.csv
		[ "$stderr" = "trafficagg: s.csv:1: source infiniband: '$bad' is not a list of ports, as 1-18+20" ]
	done
}

@test "Slingshot: each value has its own time" {
	{
		echo '#Time,Time_usec,ProducerName,component_id,device,hni_sts_tx_ok_octets,hni_sts_rx_ok_octets,hni_pause'
		echo '100.0,0,n1,1,cxi0,1000@99.900000000,500@99.900000000,7@99.9'
		echo '101.0,0,n1,1,cxi0,1000@99.900000000,500@99.900000000,8@100.9'
		echo '102.0,0,n1,1,cxi0,5000@101.900000000,900@101.900000000,9@101.9'
		echo '100.0,0,n1,1,cxi1,0@99.9,0@99.9,0@99.9'
		echo '102.0,0,n1,1,cxi1,10@101.9,20@101.9,0@101.9'
	} > a.csv
	trafficagg -v --per node a.csv 2>log | body > out
	grep -q 'source=cxi ' log
	# 4000 and 400 in 2 s, 10 and 20 in 2 s
	[ "$(cat out)" = $'220\t120\tn1\t2215\t.\t4\t0\tno' ]
	[ "$(trafficagg --per node --source cxi:traffic=hni_sts_tx_ok_octets,stall=hni_pause a.csv | body | cut -f4-6)" = $'2005\t1\t2' ]
	run -2 --separate-stderr trafficagg --per node --source cxi:traffic=nothing a.csv
	[ "$stderr" = "trafficagg: a.csv:1: source cxi: there is no column nothing" ]
	[ "$(trafficagg -t $MACHINE a.csv | body | cut -f3,4,8)" = $'r0\t2215\tyes' ]
}

@test "our own tables of counters: routers, nodes, links, runs, rates" {
	topology=$(trafficagg -t $MACHINE < /dev/null | grep '^##topology=')
	printf '##placetools=counters/1 end=yes\n%s\nrun\ttime_s\tcomponent\ttraffic_flits\tstalls\tstall_per_s\n' "$topology" > head
	{
		cat head
		printf '%s\t%s\t%s\t%s\t%s\t5\n' 1 0 r0 0 0 1 0 r1 0 0 1 0.001 r0 20 10 1 0.001 r1 30 . 2 0 r0 0 0 2 0.001 r0 40 1
		echo '##end'
	} > a.tsv
	run -0 --separate-stderr trafficagg --window .001 a.tsv
	[ "$(body <<< "$output" | cut -f1-6)" = $'1\t0.001\t0.001\tr0\t20000\t10000\n1\t0.001\t0.001\tr1\t30000\t.\n2\t0.001\t0.001\tr0\t40000\t1000' ]
	[ "$(body <<< "$output" | cut -f9 | sort -u)" = no ]
	grep -qxF "$topology" <<< "$output"
	[ "$(trafficagg --window .001 --source counters:traffic=stall_per_s+stalls a.tsv | body | head -1 | cut -f5)" = 10005 ]
	# nodes, summed over their router
	sed 's/\tr0\t/\tn1\t/; s/\tr1\t/\tn2\t/' a.tsv > n.tsv
	[ "$(trafficagg --window .001 n.tsv | body | cut -f4,5,9)" = $'r0\t50000\tyes\nr0\t40000\tyes' ]
	[ "$(trafficagg --window .001 --per node n.tsv | body | cut -f4,5,9)" = $'n1\t20000\tno\nn2\t30000\tno\nn1\t40000\tno' ]
	sed 's/\tr\([01]\)\t/\tlink\1\t/' a.tsv > l.tsv
	[ "$(trafficagg --window .001 --per link l.tsv | body | cut -f4,5)" = $'link0\t20000\nlink1\t30000\nlink0\t40000' ]
	# Aries names in a table
	printf '##placetools=counters/1\ntime_s\tcomponent\t%s\n0\tnid00004\t0\t0\t0\t0\n1\tnid00004\t1\t2\t3\t4\n' "${NIC0//,/$'\t'}" > b.tsv
	[ "$(trafficagg b.tsv | body | cut -f3,4)" = $'r1\t10' ]
	[ "$(trafficagg - < b.tsv | body | cut -f3,4)" = $'r1\t10' ]
	# cut off: seen, and accepted only when asked
	head -n -1 a.tsv > cut.tsv
	run -2 --separate-stderr trafficagg --window .001 cut.tsv
	[[ $stderr == "trafficagg: cut.tsv: input was truncated"* ]]
	[[ $output != *"##end"* ]]
	run -0 --separate-stderr trafficagg --partial --window .001 cut.tsv
}

@test "no rate is huge or negative, whatever the counters do" {
	for seed in 1 2 3; do
		awk -v seed=$seed 'BEGIN {
			srand(seed)
			for (t = 0; t < 300; t++) for (n = 0; n < 12; n++) {
				c[n] = rand() < .05 ? int(rand() * 100) : c[n] + int(rand() * 1000)
				if (rand() < .9) print t + int(rand() * 1000) / 10000, n, c[n] % 65536, c[n] % 256
			}
		}' | nic_csv > a.csv
		for wrap in "" "--wrap 16" "--wrap 8" "--wrap 48"; do
			# shellcheck disable=SC2086
			trafficagg --window 30 $wrap a.csv | body | awk -F'\t' '$4 < 0 || $4 > 20000 || $5 < 0 || $5 > 20000 {print; bad = 1} END {exit bad || NR < 30}'
		done
		trafficagg --window 30 --wrap 16 a.csv | body | sed 's/\t\.\t/\t.\t/g' > out
		as_oracle out > got
		awk -v window=30 -v wrap=16 -f "$ROOT/tests/trafficagg-oracle.awk" a.csv | diff - got
	done
}

# Rows as the oracle prints them.
as_oracle() {
	awk -F'\t' '{printf "%d %s %s %s %d %d %s\n", $1, $3, $4 == "." ? "." : sprintf("%.6f", $4), $5 == "." ? "." : sprintf("%.6f", $5), $6, $7, $8}' "$1"
}

@test "random streams give what the definition gives" {
	for seed in {1..12}; do
		jobgen -t $MACHINE --seed $seed -o p.csv "counters:seconds=$((20 + seed * 5)),columns=few,redundancy=$((seed % 4 + 1)),jitter=.2,holes=.1,duplicates=.05,disorder=.1,resets=$seed,cut=yes" "$DATA/placed.tsv"
		trafficagg --window $((5 + seed)) p.csv | body > rows
		as_oracle rows > got
		[ "$(wc -l < got)" -ge 12 ]
		awk -v window=$((5 + seed)) -f "$ROOT/tests/trafficagg-oracle.awk" p.csv | diff - got
	done
}

@test "memory does not grow with the input" {
	[[ $PLACETOOLS_BIN != */san/* ]] || skip "the sanitizer takes terabytes of addresses"
	jobgen -t $MACHINE -o a.csv counters:seconds=1200 "$DATA/placed.tsv"
	[ "$(stat -c %s a.csv)" -gt 100000000 ]
	(
		ulimit -v 40000
		trafficagg a.csv > out
		cat a.csv | trafficagg > piped
	)
	cmp <(body < out) <(body < piped)
	[ "$(body < out | wc -l)" = 60 ]
}

@test "the example of every source works" {
	n=0
	while read -r example; do
		case $example in
		aries-nic*) header=AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS$(printf ',AR_NIC_RSPMON_PARB_EVENT_CNTR_%s_FLITS' PI AMO WC BTE_RD IOMMU) ;;
		aries-ptile*) header=AR_RTR_PT_5_0_INQ_PRF_INCOMING_FLIT_VC0,AR_RTR_PT_5_0_INQ_PRF_INCOMING_FLIT_VC4 ;;
		aries*) header=$NIC0 ;;
		counters*) header=traffic_flits ;;
		cray*) header="traffic_000 (B)" ;;
		cxi*) header=hni_sts_tx_ok_octets,hni_sts_rx_ok_octets ;;
		infiniband*) header=port_xmit_data,port_rcv_data ;;
		*) false ;;
		esac
		one=${header//[^,]/}
		{
			echo "#Time,Time_usec,ProducerName,component_id,$header"
			echo "1.0,0,n5,5,0${one//,/,0}"
			echo "2.0,0,n5,5,9${one//,/,9}"
		} > a.csv
		[ "$(trafficagg -t $MACHINE --source "$example" a.csv | body | cut -f3)" = r1 ]
		n=$((n + 1))
	done < <(examples_of trafficagg sources)
	[ $n = "$(names_of trafficagg sources | wc -l)" ]
	[ $n = 7 ]
}

@test "files with a run each are taken one after the other; a run that goes on after another one is refused" {
	printf '##placetools=counters/1\nrun\ttime_s\tcomponent\ttraffic_flits\n' > head
	{ cat head; printf '%s\t%s\tr0\t%s\n' 1 0 0 1 10 100 1 20 200 3 0 7 3 10 57; } > a.tsv
	{ cat head; printf '%s\t%s\tr0\t%s\n' 2 0 0 2 10 300 2 20 600; } > b.tsv
	run -0 --separate-stderr trafficagg --window 10 a.tsv b.tsv
	[ -z "$stderr" ]
	[ "$(body <<< "$output" | cut -f1-5)" = $'1\t10\t10\tr0\t10\n1\t20\t10\tr0\t10\n2\t10\t10\tr0\t30\n2\t20\t10\tr0\t30\n3\t10\t10\tr0\t5' ]
	# two files of one run are still merged by time
	{ cat head; printf '%s\t%s\tr1\t%s\n' 1 0 0 1 10 40 1 20 80; } > c.tsv
	[ "$(trafficagg --window 10 c.tsv b.tsv a.tsv | body | cut -f1,2,4,5)" = "$(trafficagg --window 10 a.tsv b.tsv c.tsv | body | cut -f1,2,4,5 |
		awk '{ print ($1 == 2) + 3 * ($1 == 3) "\t" $0 }' | sort -s -n -k1,1 | cut -f2-)" ]
	{ cat head; printf '%s\t%s\tr0\t%s\n' 1 0 0 2 0 0 1 10 100 2 10 300; } > mixed.tsv
	run -2 --separate-stderr trafficagg --window 10 mixed.tsv
	[ "$stderr" = "trafficagg: mixed.tsv:5: run 1 goes on after another one: expected the samples of a run together" ]
	printf '##placetools=counters/1\ntime_s\tcomponent\ttraffic_flits\n0\tr0\t0\n10\tr0\t100\n' > none.tsv
	for files in 'a.tsv none.tsv' 'none.tsv a.tsv'; do
		run -2 --separate-stderr trafficagg --window 10 $files
		[[ $stderr == *': no column run beside files with one' || $stderr == *': a column run beside files without one' ]]
	done
}

@test "no sample is no answer, unless that is allowed" {
	echo kept > kept
	for input in nothing header ours; do
		case $input in
		nothing) : > in ;;
		header) nic_csv < /dev/null > in ;;
		ours) printf '##placetools=counters/1 end=yes\n##end\n' > in ;;
		esac
		run -1 --separate-stderr trafficagg in
		[[ $stderr == *"there is no sample"* && $output != *"##end"* ]]
		run -1 trafficagg in -o kept
		[ "$(cat kept)" = kept ]
		trafficagg --allow-empty in > out
		[ "$(tail -1 out)" = "##end" ]
	done
	echo '5 4 1 1' | nic_csv | trafficagg > one
	[ "$(body < one)" = "" ]
	allocate --list=policies > /dev/null
}

@test "what is wrong is said, with its place" {
	printf '%s\n' '0 4 0 0' '1 4 10 1' | nic_csv > a.csv
	sed '2,$s/,7,/,junk,/' a.csv > junk.csv
	run -2 --separate-stderr trafficagg junk.csv
	[ "$stderr" = "trafficagg: junk.csv:2: a counter is not a number" ]
	sed '3s/^1,/1x,/' a.csv > time.csv
	run -0 --separate-stderr trafficagg time.csv
	[ "$stderr" = "trafficagg: time.csv:3: its Time is not a time in seconds; 1 such lines are left out" ]
	sed 's/,AR_NL_PRF_RSP_NIC_0_TO_PTILES_FLITS//; s/,7,/,/' a.csv > lacks.csv
	run -2 --separate-stderr trafficagg lacks.csv
	[ "$stderr" = "trafficagg: lacks.csv:1: read as source aries: there is a column AR_NL_PRF_RSP_PTILES_TO_NIC_0_FLITS, but none AR_NL_PRF_RSP_NIC_0_TO_PTILES_FLITS" ]
	run -2 --separate-stderr trafficagg --source infiniband a.csv
	[ "$stderr" = "trafficagg: a.csv:1: the source infiniband finds none of its counters in the columns" ]
	run -2 --separate-stderr trafficagg --source nothing a.csv
	[[ $stderr == "trafficagg: "*"nothing"* ]]
	run -2 --separate-stderr trafficagg "$DATA/jobs.tsv"
	[[ $stderr == "trafficagg: $DATA/jobs.tsv:1:"* ]]
	echo '#Time,Time_usec,x' > nobody.csv
	run -2 --separate-stderr trafficagg nobody.csv
	[ "$stderr" = "trafficagg: nobody.csv:1: the header has no column ProducerName, component_id or aries_rtr_id" ]
	gzip -c a.csv | head -c 60 > cut.gz
	run -2 --separate-stderr trafficagg cut.gz
	[[ $stderr == "trafficagg: cut.gz"*truncated* ]]
	[[ $output != *"##end"* ]]
	run -2 --separate-stderr trafficagg -o out.tsv a.csv absent.csv
	[ "$stderr" = "trafficagg: absent.csv: No such file or directory" ]
	[ ! -e out.tsv ]
}

@test "a window without samples is said" {
	printf '#Time,Time_usec,ProducerName,component_id,job_id,app_id,c\n1,0,n0,0,0,0,1\n2,0,n0,0,0,0,2\n' > c.csv
	run -0 --separate-stderr trafficagg --source counters:traffic=c --per node --since 100 c.csv
	[[ $stderr == *"--since"* ]]
}
