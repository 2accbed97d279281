bats_require_minimum_version 1.5.0
load helper

# refuses FORMAT MESSAGE: bad.txt, which standard input becomes, is refused so
refuses() {
	cat > bad.txt
	run -2 --separate-stderr traceconv --from "$1" --to counters bad.txt
	[ "$stderr" = "traceconv: bad.txt:$2" ] || { echo "got $stderr"; false; }
}

# ---- LDMS ----

@test "ldms-csv: columns by name, in any order; names with # keep what they were" {
	printf '%s\n' '#Time,Time_usec,ProducerName,component_id,traffic_000 (B),reads#sda' \
		'10.000250,250,nid00062,62,5,7' '11.5,500000,nid00063,63,,8' > a.csv
	run -0 --separate-stderr traceconv --no-provenance --to counters a.csv
	[ "$output" = "$(printf '##placetools=counters/1 end=yes\n##column=reads_sda reads#sda\ntime_s\tcomponent\tcomponent_id\ttraffic_000 (B)\treads_sda\n10.00025\tnid00062\t62\t5\t7\n11.5\tnid00063\t63\t.\t8\n##end')" ]
	[ -z "$stderr" ]
	# and back, byte for byte
	printf '%s\n' '#Time,Time_usec,ProducerName,component_id,traffic_000 (B),reads#sda' \
		'10.000250,250,nid00062,62,5,7' '11.500000,500000,nid00063,63,,8' > b.csv
	traceconv --to counters a.csv | traceconv --to ldms-csv | cmp - b.csv
}

@test "ldms-csv: the real samples, and back" {
	need_shared
	cd "$SHARED/data/ldms"
	run -0 --separate-stderr traceconv --to counters store_csv-time-drops-test.csv
	[ "$(echo "$output" | words | wc -l)" -eq "$(grep -vc '^#' store_csv-time-drops-test.csv)" ]
	traceconv --to counters cray_aries_r-nid00062-converted.csv > "$BATS_TEST_TMPDIR/a.tsv"
	cd "$BATS_TEST_TMPDIR"
	traceconv --to ldms-csv a.tsv | cmp - "$SHARED/data/ldms/cray_aries_r-nid00062-converted.csv"
	[ "$(words < a.tsv | cut -d' ' -f1,2)" = "1421355373.002293 nid00062" ]
}

@test "ldms-csv: all three ways to write a time, quoted headers" {
	printf '%s\n' '#"Time","Time_usec","ProducerName","a"' '10,250,n1,5' '10.00025,250,n1,5' > a.csv
	[ "$(traceconv --from ldms-csv --to counters a.csv | words)" = "$(printf '10.00025 n1 5\n10.00025 n1 5')" ]
	printf '%s\n' '#Time_msec,Time_usec,ProducerName,a' '10001,250,"n,1",5' > a.csv
	[ "$(traceconv --to counters a.csv | words)" = "10.00125 n,1 5" ]
}

@test "ldms-csv: a header beside the file, named, or amid it again in another order" {
	printf '1,0,n1,5\n' > set.1545400200
	run -2 --separate-stderr traceconv --from ldms-csv --to counters set.1545400200
	[[ $stderr == "traceconv: set.1545400200:1: expected a header"* ]]
	echo '#Time,Time_usec,ProducerName,a' > set.HEADER.1545400200
	[ "$(traceconv --from ldms-csv --to counters set.1545400200 | words)" = "1 n1 5" ]
	mv set.HEADER.1545400200 other
	[ "$(traceconv --from ldms-csv:header=other --to counters set.1545400200 | words)" = "1 n1 5" ]
	printf '%s\n' '#Time,Time_usec,ProducerName,a,b' '1.5,0,n1,5,6' '#Time,Time_usec,ProducerName,a,b' '2.5,0,n1,7,8' \
		'#Time,Time_usec,b,ProducerName' '3.5,0,9,n1' > a.csv
	[ "$(traceconv --to counters a.csv | words)" = "$(printf '1.5 n1 5 6\n2.5 n1 7 8\n3.5 n1 . 9')" ]
	printf '%s\n' '#Time,Time_usec,ProducerName,a' '1.5,0,n1,5' '#Time,Time_usec,ProducerName,c' > a.csv
	run -2 --separate-stderr traceconv --to counters a.csv
	[ "$stderr" = "traceconv: a.csv:3: another header with a new column 'c': convert such files one by one" ]
}

@test "ldms-csv: lines that were truncated or are no samples are counted" {
	printf '%s\n' '#Time,Time_usec,ProducerName,a' '1.5,0,n1,5' '2.5,0,n1' 'x,0,n1,5' '3.5,0,,5' '4.5,0,n1,5,6' '' '5.5,0,n1,7' > a.csv
	printf '6.5,0,n1,8' >> a.csv
	run -0 --separate-stderr traceconv --to counters a.csv
	[ "$(echo "$output" | words)" = "$(printf '1.5 n1 5\n5.5 n1 7')" ]
	[ "$stderr" = "traceconv: 2 truncated lines were left out
traceconv: 3 lines are no samples and were left out; the first: a.csv:4: no time, or no component" ]
}

@test "ldms-csv: flags of store_function_csv" {
	printf '%s\n' '#Time,Time_usec,DT,DT_usec,ProducerName,component_id,a,a.Flag,b,b.Flag,TimeFlag' \
		'1.5,500000,1.0,0,n1,1,5,0,6,1,0' '2.5,500000,1.0,0,n1,1,7,0,8,0,1' '3.5,500000,1.0,0,n1,1,9,0,10,0,0' > a.csv
	run -0 --separate-stderr traceconv --to counters a.csv
	[ "$(echo "$output" | rows | tr '\t' ' ')" = "time_s component dt_s component_id a b
1.5 n1 1.0 1 5 .
3.5 n1 1.0 1 9 10" ]
	[ "$stderr" = "traceconv: 1 lines whose TimeFlag is set were left out" ]
}

@test "ldms-csv: another component, missing columns" {
	printf '%s\n' '#Time,Time_usec,ProducerName,component_id,a' '1.5,0,n1,62,5' > a.csv
	[ "$(traceconv --from ldms-csv:component=component_id --to counters a.csv | rows | tr '\t' ' ')" = "$(printf 'time_s component ProducerName a\n1.5 62 n1 5')" ]
	refuses ldms-csv:component=x "1: the header has no column 'x': component= names the one that says what was sampled" < a.csv
	refuses ldms-csv "1: the header has no column Time or Time_msec" <<< '#Timer,ProducerName,a'
	refuses ldms-csv "1: the column 'a' is there twice" <<< '#Time,ProducerName,a,a'
	refuses ldms-csv "1: the column 'a#b' is there twice" <<< '#Time,ProducerName,a_b,a#b'
	refuses ldms-csv "1: column 3 has no name, or too long a one" <<< '#Time,ProducerName,,a'
}

@test "ldms-csv: what trafficagg makes of the file and of the converted counters is the same" {
	{
		echo '#Time,Time_usec,ProducerName,component_id,port_xmit_data,port_rcv_data'
		for t in 0 1 2 3; do
			for n in 0 1; do
				echo "$t.000000,0,n$n,$n,$((t * 1000 * (n + 1))),$((t * 500))"
			done
		done
	} > a.csv
	traceconv --to counters a.csv > a.tsv
	run -0 --separate-stderr trafficagg --no-provenance --source infiniband --per node --window 4 a.csv
	[ "$(echo "$output" | rows | wc -l)" -gt 1 ]
	[ "$(trafficagg --no-provenance --source infiniband --per node --window 4 a.tsv | rows)" = "$(echo "$output" | rows)" ]
}

# ---- perfquery, cxi ----

perfquery_record() { # LID PORT XMIT
	printf '# Port extended counters: Lid %s port %s (CapMask: 0x5300 CapMask2: 0x0000002)\n' "$1" "$2"
	printf 'PortSelect:......................%s\nCounterSelect:...................0x0000\n' "$2"
	printf 'PortXmitData:....................%s\nPortRcvData:.....................18446744073709551615\n' "$3"
}

@test "perfquery: records with times before them, names for LIDs" {
	{
		echo 100
		perfquery_record 19 1 7
		perfquery_record 6 3 8
		echo 2018-12-21T14:30:00Z
		perfquery_record 19 1 9
		echo 'PortXmitWait:....................4'
		echo 'ibwarn: [21453] main: something'
	} > a.txt
	run -0 --separate-stderr traceconv --from perfquery --to counters a.txt
	[ "$(echo "$output" | rows | tr '\t' ' ')" = "time_s component port PortXmitData PortRcvData PortXmitWait
100 lid19 1 7 18446744073709551615 .
100 lid6 3 8 18446744073709551615 .
1545402600 lid19 1 9 18446744073709551615 4" ]
	printf '6 leaf3 # a switch\n' > names
	[ "$(traceconv --from perfquery:names=names --to counters a.txt | words | cut -d' ' -f2 | tr '\n' ' ')" = "lid19 leaf3 lid19 " ]
	perfquery_record 19 1 7 > a.txt
	[ "$(traceconv --from perfquery:time=5 --to counters a.txt | words | cut -d' ' -f1)" = 5 ]
	refuses perfquery "1: no time is known: perfquery:time= says it, or a line with seconds since the epoch (date +%s) before the record" < a.txt
	refuses perfquery:time=5 "2: PortXmitData: 'foo' is not a count" < <(printf '# Port counters: Lid 1 port 1\nPortXmitData:....foo\n')
	refuses perfquery:time=5 "3: PortXmitData is there twice" < <(printf '# Port counters: Lid 1 port 1\nPortXmitData:....1\nPortXmitData:....1\n')
	refuses perfquery:time=5 "1: a counter before '# Port counters: Lid N port M'" <<< 'PortXmitData:....1'
}

@test "cxi: one row a device and sample, stamps kept, hosts before the lines" {
	p=/sys/class/cxi/cxi0/device/telemetry
	{
		echo "nid1: $p/hni_sts_tx_ok_octets:100@10.5"
		echo "nid1: $p/hni_sts_rx_ok_octets:200@10.6"
		echo "nid1: ${p/cxi0/cxi1}/hni_sts_tx_ok_octets:7@10.7"
		echo "nid1: $p/hni_sts_tx_ok_octets:101@11.5"
	} > a.txt
	run -0 --separate-stderr traceconv --from cxi --to counters a.txt
	[ "$(echo "$output" | rows | tr '\t' ' ')" = "time_s component device hni_sts_tx_ok_octets hni_sts_rx_ok_octets
10.6 nid1 cxi0 100@10.5 200@10.6
10.7 nid1 cxi1 7@10.7 .
11.5 nid1 cxi0 101@11.5 ." ]
	sed 's/^nid1: //' a.txt > b.txt
	[ "$(traceconv --from cxi:component=nid1 --to counters b.txt | rows)" = "$(echo "$output" | rows)" ]
	refuses cxi "1: the host is not known: cxi:component= says it, or clush before each line" < b.txt
	refuses cxi "1: expected '/sys/class/cxi/cxiN/device/telemetry/NAME:VALUE'" <<< 'hello'
	refuses cxi "1: x: '5' is not VALUE@SECONDS" <<< "n: $p/x:5"
}
