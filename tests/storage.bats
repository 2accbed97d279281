bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# iotrace [META…] <ROWS: rank op start_s bytes file offset end_s comm target: a trace, columns as many as the first row has
iotrace() {
	echo '##placetools=iotrace/1'
	[ $# -eq 0 ] || printf '##%s\n' "$@"
	echo 'rank op start_s bytes file offset end_s comm target' | tr ' ' '\t'
	awk '{ while (NF < 9) $(NF + 1) = "."; $1 = $1; print }' OFS='\t'
	echo '##end'
}

# jobs "NAME NODELIST NODES PATTERN"…
jobs() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\n'
	printf '%s\n' "$@" | awk '{ print $1, $3, $2, $4 }' OFS='\t'
}

# machine IO-ENTRY…: a line of eight nodes with these
machine() {
	printf 'placetools: topology/1\ntopology: line\nparameters: {nodes: 8}\n'
	printf 'links: {terminal: {bandwidth: 10GB/s, latency: 100ns}, local: {bandwidth: 10GB/s, latency: 100ns}}\n'
	printf 'io:\n'
	printf '  - {%s}\n' "$@"
}

# value METRIC FILE
value() { grep -v '^##' "$2" | awk -F'\t' -v m="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["metric"] == m { print $c["value"] }'; }

# about GOT EXPECTED: within a millionth
about() {
	awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d < 0 ? -d <= b * 1e-6 : d <= b * 1e-6) }' || { echo "$1 is not $2"; return 1; }
}

chunks='-s packet=128KiB -s input-buffer=512KiB'

@test "table 2.4: IOR on the drives of sixteen Summit nodes" {
	topogen @summit-bb --io per:count=18,name=ssd,kind=coupled,storage=@ior-node >m.yaml
	seq 0 95 | awk '{ print $1, "write", 0, 2 ^ 30, "f" $1 }' | iotrace >ior.tsv
	jobs 'ior n[0-15] 16 iotrace:path=ior.tsv' | netsim -t m.yaml --ranks-per-node 6 --storage s.tsv >out.tsv
	# six ranks a node: 6 GiB at 2 100 MiB/s are 2.9257 s; 96 GiB in that time are 33 600 MiB/s
	about "$(column io_phase_s out.tsv)" 2.925714286
	about "$(column io_phase_s out.tsv | awk '{ print 96 * 1024 / $1 }')" 33600
	[ "$(column io_bytes out.tsv)" = $((96 << 30)) ]
	# nothing of it is seen by the network, and the drives have it all
	[ "$(column packets out.tsv) $(column io_hops_mean out.tsv)" = "0 0" ]
	[ "$(column bytes_written s.tsv | awk '{ s += $1 } END { printf "%.0f", s }')" = $((96 << 30)) ]
	about "$(column busy_s s.tsv | head -1)" 2.925714286
}

@test "wait_s of ranks is time in MPI calls, not in I/O" {
	machine 'name: bb, nodes: n7, device: {write: 1GB/s, read: 1GB/s}, stripe: {count: 1, width: 128KiB}' >m.yaml
	printf '%s\n' '0 write 0 1000000000 f' '1 write 0 1000000 g' | iotrace >t.tsv
	jobs 'a n[0-1] 2 iotrace:path=t.tsv' | netsim -t m.yaml --ranks r.tsv >out.tsv
	[ "$(column wait_s r.tsv | paste -sd' ')" = '0 0' ]
	# in the barrier, for the other one's second
	printf '%s\n' '0 write 0 1000000000 f' '0 barrier 0 0' '1 write 0 1000000 g' '1 barrier 0 0' | iotrace >t.tsv
	jobs 'a n[0-1] 2 iotrace:path=t.tsv' | netsim -t m.yaml --ranks r.tsv >out.tsv
	column wait_s r.tsv | awk '{ wait[NR] = $1 } END { exit !(wait[1] < 0.01 && wait[2] > 0.98 && wait[2] < 1.01) }'
}

@test "Konrad: six ranks and one drive, by request and by operation" {
	for charge in request op; do
		machine "name: bb, nodes: n7, device: {write: 1900MiB/s, read: 1900MiB/s, overhead: 15us, charge: $charge}, stripe: {count: 1, width: 128KiB}" >m.yaml
		seq 0 5 | awk '{ print $1, "write", 0, 2 ^ 26, "f" $1 }' | iotrace >ior.tsv
		# shellcheck disable=SC2086
		jobs 'ior n0 1 iotrace:path=ior.tsv' | netsim -t m.yaml --ranks-per-node 6 $chunks --storage s.tsv >out.tsv
		# the drive is slower than its link, so it is busy from the first request's arrival on
		n=$((6 * 512))
		[ $charge = op ] && n=6
		awk -v n=$n 'BEGIN { printf "%.9f\n", 6 * 64 / 1900 + n * 15e-6 }' >expected
		about "$(column busy_s s.tsv)" "$(<expected)"
	done
}

@test "ranks wait for planned starts, think times and barriers; iterations begin anew" {
	machine 'name: d, nodes: "n[0-7]", kind: coupled, device: {write: 1MB/s, read: 2MB/s}' >m.yaml
	iotrace <<-END >t.tsv
		0 write 1 1000000 f
		0 write 1.5 1000000 f
		0 read 10 1000000 f 0
		1 barrier 0 0
		1 write 0 500000 g
		0 barrier 10 0
	END
	jobs 'a n[0-1] 2 iotrace:path=t.tsv' | netsim -t m.yaml --iterations 2 --io io.tsv >out.tsv
	# the second write waits for the first; the read for its start; the barrier for the read
	column start_s io.tsv | sed -n 1,3p >starts
	diff - starts <<-END
		1
		2
		10
	END
	column end_s io.tsv | sed -n 1,3p | diff <(printf '2\n3\n10.5\n') -
	# the second iteration counts from where the first one ended
	[ "$(column start_s io.tsv | sed -n 4p)" = 11.5 ]
	column op io.tsv | sort | uniq -c | awk '{ print $2, $1 }' | diff <(printf 'read 2\nwrite 6\n') -
	sed 's/^##placetools.*/&\n##timing=think/' t.tsv >think.tsv
	jobs 'a n[0-1] 2 iotrace:path=think.tsv' | netsim -t m.yaml --io io.tsv >out.tsv
	column start_s io.tsv | sed -n 1,3p | diff <(printf '1\n3.5\n14.5\n') -
	jobs 'a n[0-1] 2 iotrace:path=t.tsv,time=0' | netsim -t m.yaml --io io.tsv >out.tsv
	column start_s io.tsv | sed -n 1,3p | diff <(printf '0\n1\n2\n') -
}

@test "what is read and written is what the devices say, whoever holds it" {
	machine 'name: bb, nodes: "n[1,3,5,7]", device: {write: 1GB/s, read: 2GB/s}, stripe: {count: 3, width: 64KiB, home: list}' >m.yaml
	seq 0 23 | awk '{ print $1, "write", 0, 1000000 + $1, "f" $1 % 5, $1 * 1000000; print $1, "read", 1, 500000, "f0", 17 }' | iotrace >t.tsv
	for home in proportional hash list adjacent; do
		sed "s/home: list/home: $home/" m.yaml >h.yaml
		# nodes that hold devices may run jobs, too; chunks and packets are the same bytes
		for grain in '' "$chunks" '-s io-control=64'; do
			# shellcheck disable=SC2086
			jobs 'a n[0-3] 4 iotrace:path=t.tsv' | netsim -t h.yaml --ranks-per-node 6 $grain --storage s.tsv --io io.tsv >out.tsv
			[ "$(column bytes_written s.tsv | awk '{ s += $1 } END { print s }')" = 24000276 ]
			[ "$(column bytes_read s.tsv | awk '{ s += $1 } END { print s }')" = 12000000 ]
			[ "$(column io_bytes out.tsv)" = 36000276 ]
			[ "$(column bytes io.tsv | awk '{ s += $1 } END { print s }')" = 36000276 ]
			for table in s io out; do placecheck $table.tsv; done
		done
		column bytes_written s.tsv | tr '\n' ' ' >"$home"
	done
	run ! cmp proportional list
	run ! cmp hash adjacent
	# more stripes than devices: all of them
	sed "s/count: 3/count: 400/" m.yaml >all.yaml
	jobs 'a n0 1 iotrace:path=t.tsv,idle' | netsim -t all.yaml --ranks-per-node 24 --storage s.tsv >out.tsv
	[ "$(column bytes_written s.tsv | awk '{ s += $1 } END { print s }')" = 24000276 ]
	# the same bytes for any number of threads
	jobs 'a n[0-3] 4 iotrace:path=t.tsv' >j.tsv
	for policy in x y z; do sed "s/\$/\t$policy/; s/pattern\t$policy/pattern\tpolicy/; s/^##.*/##placetools=jobs\/1/" j.tsv | sed "$([ $policy = x ] || echo 1,2d)"; done >many.tsv
	for j in 1 3; do netsim --no-provenance -j $j -t m.yaml --ranks-per-node 6 --storage s$j --io io$j many.tsv >out$j; done
	cmp out1 out3
	cmp s1 s3
	cmp io1 io3
	[ "$(grep -c '^a' out1)" = 3 ]
}

@test "a replay of --io is the same again" {
	machine 'name: bb, nodes: "n[5-7]", device: {write: 1GB/s, read: 2GB/s, seek: 20us}, stripe: {count: 3, width: 64KiB}' >m.yaml
	seq 0 5 | awk '{ print $1, "write", $1 / 1000, 3000000, "f" $1; print $1, "read", 0.02, 500000, "f0", 0 }' | iotrace >t.tsv
	jobs 'a n[0-2] 3 iotrace:path=t.tsv' | netsim --no-provenance -t m.yaml --ranks-per-node 2 --io one.tsv >out.tsv
	jobs 'a n[0-2] 3 iotrace:path=one.tsv' | netsim --no-provenance -t m.yaml --ranks-per-node 2 --io two.tsv >out.tsv
	cmp one.tsv two.tsv
}

@test "hops of each operation: links on the path of its packets, whatever the number of threads" {
	machine 'name: bb, nodes: n7, device: {write: 1GB/s, read: 2GB/s}, stripe: {count: 1, width: 64KiB}' \
		'name: d, nodes: "n[0-7]", kind: coupled, device: {write: 1GB/s, read: 2GB/s}' >m.yaml
	iotrace <<-END >t.tsv
		0 write 0 1000000 f 0 . . bb
		0 read 0 1000000 f 0 . . bb
		1 write 0 1000000 g 0 . . d
		1 read 0 0 g 0 . . bb
		2 write 0 1000000 h 0 . . bb
		2 sync 0 0 h . . . bb
	END
	for control in 0 64; do
		jobs 'a n[2-4] 3 iotrace:path=t.tsv' >j.tsv
		netsim -t m.yaml -s io-control=$control --io io.tsv j.tsv >out.tsv
		# from node 2 to node 7 there are five links between routers and two to nodes; n3 has its own drive
		[ "$(column hops io.tsv | tr '\n' ' ')" = '7 7 0 0 5 0 ' ]
		placecheck io.tsv
		netsim --no-provenance -t m.yaml -s io-control=$control -j 3 --partitions 3 --io parts.tsv j.tsv | placecheck
		netsim --no-provenance -t m.yaml -s io-control=$control --io one.tsv j.tsv >out.tsv
		cmp one.tsv parts.tsv
	done
	# packets of one size: the mean over operations is that of the job's packets, detours and all
	topogen dragonfly:groups=5,routers=4,nodes=2 --io per:every=2,name=bb,storage=@edison-bb >df.yaml
	seq 0 19 | awk '{ print $1, "write", 0, 2 ^ 20, "f" $1 }' | iotrace >w.tsv
	jobgen job:nodes=20,pattern=iotrace:path=w.tsv | allocate -t df.yaml -p random -o placed.tsv
	netsim -t df.yaml -r ugal --io io.tsv -o out.tsv placed.tsv
	about "$(column hops io.tsv | awk '{ s += $1 } END { printf "%.9f", s / NR }')" "$(column io_hops_mean out.tsv)"
	column io_nonminimal_fraction out.tsv | awk '{ exit !($1 > 0) }'
}

@test "memory answers writes until it is full; a sync waits for it" {
	machine 'name: d, nodes: n0, kind: coupled, device: {write: 1MB/s, read: 1MB/s, memory: 1500kB}' >m.yaml
	iotrace <<-END >t.tsv
		0 write 0 1000000 f
		0 write 0 1000000 f
		0 sync 0 0 f
		0 write 5 2000000 f
	END
	jobs 'a n0 1 iotrace:path=t.tsv' | netsim -t m.yaml --io io.tsv >out.tsv
	# at once; when the first is on the drive; when the second is; past the memory, which is too small
	column end_s io.tsv | diff <(printf '0\n1\n2\n7\n') -
}

@test "a drain brings everything behind, makes room, and competes with jobs" {
	drain() { # CAPACITY WHEN
		machine "name: bb, nodes: n6, device: {write: 1GB/s, read: 1GB/s, capacity: $1}, stripe: {count: 1, width: 64KiB}, drain: {to: fs, when: $2, bandwidth: 100MB/s}" \
			'name: fs, nodes: n1, device: {write: 10GB/s, read: 1GB/s}, stripe: {count: 4, width: 1kB}' >m.yaml
	}
	echo 0 write 0 10000000 f | iotrace >t.tsv
	for when in always idle; do
		drain 0 $when
		jobs 'a n2 1 iotrace:path=t.tsv' | netsim -t m.yaml --storage s.tsv >out.tsv
		[ "$(column bytes_drained s.tsv | tr '\n' ' ')" = '10000000 0 ' ]
		[ "$(column bytes_written s.tsv | tr '\n' ' ')" = '10000000 10000000 ' ]
		# 10 MB at 100 MB/s, but for the first piece's start
		column elapsed_s s.tsv | awk '$1 < .1 || $1 > .111 { bad = 1; print } END { exit bad }'
		# the job does not wait for it: 10 MB at 1 GB/s
		column io_phase_s out.tsv | awk '$1 < .01 || $1 > .0125 { bad = 1; print } END { exit bad }'
	done
	drain 1MB always
	jobs 'a n2 1 iotrace:path=t.tsv' | netsim -t m.yaml --storage s.tsv >out.tsv
	# 9 MB wait until the drain has made room
	column io_phase_s out.tsv | awk '$1 < .09 || $1 > .1 { bad = 1; print } END { exit bad }'
	[ "$(column bytes_drained s.tsv | head -1)" = 10000000 ]
	# a halo on the nodes between is slower while the drain sends
	halo() {
		jobs 'a n2 1 iotrace:path=t.tsv' 'h n[3-4] 2 halo2d' |
			netsim -t m.yaml --bytes 1MB --iterations "$1" >out.tsv
		column comm_time_s out.tsv | tail -1
	}
	drain 0 always
	sed -i 's/, bandwidth: 100MB\/s//; s/local: {bandwidth: 10GB/local: {bandwidth: 1GB/' m.yaml
	with=$(halo 20)
	sed -i 's/, drain: {[^}]*}//' m.yaml
	without=$(halo 20)
	awk -v a="$with" -v b="$without" 'BEGIN { exit !(a > 1.001 * b) }' || { echo "$with $without"; return 1; }
}

@test "a device without room and without a drain is named" {
	machine 'name: bb, nodes: n6, device: {write: 1GB/s, read: 1GB/s, capacity: 1MB}, stripe: {count: 1, width: 64KiB}' >m.yaml
	printf '0 write 0 10000000 f\n0 barrier 0 0\n1 barrier 0 0\n' | iotrace >t.tsv
	jobs 'a n2 1 iotrace:path=t.tsv' >j.tsv
	run -2 --separate-stderr netsim -t m.yaml --ranks-per-node 2 j.tsv
	[ "$stderr" = 'netsim: run .: job a: rank 0 waits for its I/O: bb on n6 is full (capacity: 1000000 bytes), and there is no drain' ]
	run ! grep -x '##end' <<<"$output"
}

@test "a target of its own: from the file system into the burst buffer, before the job" {
	machine 'name: bb, nodes: n6, device: {write: 1GB/s, read: 1GB/s}' 'name: fs, nodes: n1, device: {write: 1GB/s, read: 100MB/s}' >m.yaml
	printf '0 read 0 1000000 f . . . fs\n0 write 0 1000000 f . . . bb\n' | iotrace >t.tsv
	jobs 'a n2 1 iotrace:path=t.tsv' | netsim -t m.yaml --storage s.tsv --io io.tsv >out.tsv
	[ "$(column bytes_read s.tsv | tr '\n' ' ')$(column bytes_written s.tsv | tr '\n' ' ')" = '0 1000000 1000000 0 ' ]
	column target io.tsv | diff <(printf 'fs\nbb\n') -
}

@test "I/O schedules: none, at most so many writers, one after the other" {
	machine 'name: d, nodes: "n[0-7]", kind: coupled, device: {write: 1MB/s, read: 1MB/s}' >m.yaml
	seq 0 3 | awk '{ print $1, "write", 0, 1000000, "f"; print $1, "write", 0, 1000000, "f" }' | iotrace >t.tsv
	jobs 'a n[0-3] 4 iotrace:path=t.tsv' >j.tsv
	netsim -t m.yaml --io none.tsv --io-schedule none j.tsv | column io_phase_s /dev/stdin | diff <(echo 2) -
	netsim -t m.yaml --io io.tsv --io-schedule token:writers=1 j.tsv >out.tsv
	about "$(column io_phase_s out.tsv)" 8.00000165
	netsim -t m.yaml --io io.tsv --io-schedule token:writers=4 j.tsv >out.tsv
	about "$(column io_phase_s out.tsv)" 2
	netsim -t m.yaml --io io.tsv --io-schedule stagger:window=4s j.tsv >out.tsv
	# the last rank begins after 3 s; the second write follows the first
	about "$(column io_phase_s out.tsv)" 5
	column end_s io.tsv | diff <(printf '1\n2\n2\n3\n3\n4\n4\n5\n') -
}

@test "every schedule runs from its example" {
	machine 'name: bb, nodes: "n[6-7]", device: {write: 1GB/s, read: 1GB/s}' >m.yaml
	cp "$ROOT/share/examples-data/io.tsv" .
	jobs 'a n[0-3] 4 iotrace:path=io.tsv' >j.tsv
	for schedule in $(examples_of netsim io-schedules); do
		netsim -t m.yaml --io-schedule "$schedule" j.tsv | grep -x '##end'
	done
}

# refuse MESSAGE [OPTION…] <ROWS: on a machine with storage
refuse() {
	local message=$1
	iotrace >t.tsv
	run -2 --separate-stderr netsim -t m.yaml --ranks-per-node 2 "${@:2}" j.tsv
	[ "$stderr" = "netsim: j.tsv:3: job a: iotrace: $message" ] || { echo "$stderr"; return 1; }
	run ! grep -x '##end' <<<"$output"
}

@test "traces that cannot be are refused" {
	machine 'name: bb, nodes: "n[6-7]", device: {write: 1GB/s, read: 1GB/s}' >m.yaml
	jobs 'a n0 1 iotrace:path=t.tsv' >j.tsv
	refuse 't.tsv: the trace is of 3 ranks, the job has 2' <<<'2 write 0 1 f'
	refuse 't.tsv: the trace is of 1 ranks, the job has 2: idle lets the others do nothing' <<<'0 write 0 1 f'
	refuse "t.tsv: rank 1 closes 'f', which it has not opened" < <(printf '0 open 0 0 f\n1 close 0 0 f\n')
	refuse 't.tsv:3: offset: the operation ends beyond 2^63 bytes' < <(printf '1 write 0 9e18 f 9e18\n')
	refuse 't.tsv: rank 1: an operation ends beyond 2^63 bytes' < <(printf '1 write 0 9e18 f\n1 write 0 9e18 f\n')
	refuse "t.tsv:3: offset: '9223372036854775808' is not a number from 0 to 9e+18" < <(printf '1 write 0 1 f 9223372036854775808\n')
	refuse 't.tsv:3: end_s: the operation ends before it starts' < <(printf '1 write 1 1 f 0 0.5\n')
	refuse "t.tsv: target: 'tape' is not storage of the machine" < <(printf '1 write 0 1 f . . . tape\n')
	iotrace <<<'1 write 0 1 f' | head -3 >t.tsv
	sed -i '1s/$/ end=yes/' t.tsv
	run -2 --separate-stderr netsim -t m.yaml --ranks-per-node 2 j.tsv
	[[ $stderr == *'netsim: j.tsv:3: job a: iotrace: t.tsv: truncated' ]]
	iotrace <<<'1 write 0 1 f' >t.tsv
	run -2 --separate-stderr netsim -t line:nodes=8 --ranks-per-node 2 j.tsv
	[ "$stderr" = 'netsim: j.tsv:3: job a: iotrace: the machine has no storage: expected io: with a device (topogen --io)' ]
	run -2 --separate-stderr netsim -t m.yaml --io-schedule token:writers=0 j.tsv
	[[ $stderr == 'netsim: --io-schedule: token: writers: '* ]]
}

@test "barriers of ranks that have ended, zero bytes, reads of what nobody wrote" {
	machine 'name: bb, nodes: "n[6-7]", device: {write: 1GB/s, read: 1GB/s}' >m.yaml
	jobs 'a n0 1 iotrace:path=t.tsv' >j.tsv
	iotrace < <(printf '0 barrier 0 0\n1 write 0 0 f\n') >t.tsv
	run -2 --separate-stderr netsim -t m.yaml --ranks-per-node 2 j.tsv
	[ "$stderr" = 'netsim: run .: job a: ranks wait for each other: rank 0 waits in iteration 1 for the messages of a collective operation, which nobody sends' ]
	iotrace < <(printf '0 write 0 0 f\n0 read 0 0 f\n1 read 0 1000 g 5\n0 sync 0 0\n') >t.tsv
	netsim -t m.yaml --ranks-per-node 2 --io io.tsv j.tsv >out.tsv
	[ "$(column io_bytes out.tsv)" = 1000 ]
	column end_s io.tsv | head -3 | diff <(printf '0\n0\n0\n') -
}

# ---- the study's workloads ----

# sums FILE: ranks that do I/O, bytes, first and last start
sums() {
	grep -v '^##' "$1" | awk -F'\t' 'NR > 1 { s += $4; r[$1]; if (NR == 2 || $3 < a) a = $3; if (NR == 2 || $3 > b) b = $3 }
		END { for (i in r) n++; printf "%d %.0f %.2f %.2f\n", n, s, a, b }'
}

@test "table 2.2: ranks and bytes of the study's applications, and when they write" {
	# mean bytes per rank, of all ranks, in MB of 2^20: a ten-thousandth is the table's own rounding
	while read -r app writers ranks mean first last; do
		jobgen io:app="$app" >"$app.io"
		read -r n bytes a b < <(sums "$app.io")
		[ "$n $(grep '^##ranks=' "$app.io")" = "$writers ##ranks=$ranks" ]
		awk -v m="$mean" -v b="$bytes" -v n="$ranks" 'BEGIN { x = b / n / 1048576; exit !(x > m * .9999 && x < m * 1.0001) }' || { echo "$app: $bytes"; return 1; }
		awk -v a="$a" -v b="$b" -v x="$first" -v y="$last" 'BEGIN { exit !(a >= x && b <= y) }' || { echo "$app: $a $b"; return 1; }
		placecheck "$app.io"
	done <<-END
		gtc 7679 7680 669.41 100 100.05
		hacc 8192 8192 386.39 1 40
		ior 768 768 1024 0 0
		lammps 21600 21600 19.78 0 0
		s3d 5999 6000 154.49 11 115
	END
	# S3D: never more than 400 ranks begin in a second, in 15 waves of each of three phases
	grep -v '^##' s3d.io | awk -F'\t' 'NR > 1 { n[$3]++ } END { for (t in n) { k++; if (n[t] > m) m = n[t] } print k, m }' | diff <(echo 45 400) -
	jobgen io:app=hacc,ranks=3,bytes=10,file=shared,jitter=0 | grep -v '^##' | cut -f 1,4-6 | diff - <(printf 'rank\tbytes\tfile\toffset\n0\t5\thacc.0\t0\n0\t5\thacc.0\t5\n1\t5\thacc.0\t10\n1\t5\thacc.0\t15\n2\t5\thacc.0\t20\n2\t5\thacc.0\t25\n')
	jobgen io:app=ior,ranks=1,count=3,every=8,bytes=7 | grep -v '^##' | cut -f 3-5 | diff - <(printf 'start_s\tbytes\tfile\n0\t7\tior.0.0.0\n8\t7\tior.0.1.0\n16\t7\tior.0.2.0\n')
	run -2 --separate-stderr jobgen io:app=gtc,ranks=1
	[ "$stderr" = 'jobgen: io: rank 0 of gtc writes nothing: expected ranks=2 or more' ]
}

@test "table 2.3: nodes of the study's workloads, six ranks on each" {
	while read -r apps expected; do
		total=0
		for app in ${apps//,/ }; do
			ranks=$(jobgen io:app="$app" | sed -n 's/^##ranks=//p;/^rank/q')
			total=$((total + (ranks + 5) / 6))
		done
		[ "$total" = "$expected" ] || { echo "$apps: $total"; return 1; }
	done <<-END
		gtc 1280
		gtc,ior 1408
		gtc,s3d 2280
		gtc,s3d,hacc 3646
		hacc 1366
		hacc,ior 1494
		lammps 3600
		lammps,ior 3728
		s3d 1000
		s3d,ior 1128
		s3d,lammps 4600
	END
}

@test "more ranks in waves: the clones are the next waves, not more ranks of the same" {
	jobgen io:app=s3d,ranks=9,wave=4,bytes=3kB >s.io
	traceconv --to iotrace -f ranks:n=25,waves=4 s.io >more.io
	# of rank 0 of each nine nothing is there; a phase has two waves more for each nine ranks
	grep -v '^##' more.io | awk -F'\t' 'NR > 1 { n[$3]++ } END { for (t in n) if (n[t] > 4) print t, n[t] }' | diff /dev/null -
	[ "$(grep -v '^##' more.io | awk -F'\t' 'NR > 1 { r[$1] } END { for (i in r) n++; print n }')" = 22 ]
	traceconv --to iotrace -f ranks:n=25 s.io | grep -v '^##' | awk -F'\t' 'NR > 1 { n[$3]++ } END { for (t in n) if (n[t] > m) m = n[t]; print m }' | diff <(echo 12) -
	jobgen io:app=ior,ranks=4 >i.io
	run -2 --separate-stderr traceconv --to iotrace -f ranks:n=25,waves=4 i.io
	[[ $stderr == *'ranks: waves: expected a trace of planned starts with two waves or more, one after the other' ]]
}

@test "fragments: runs of idle nodes at random, the job's nodes in label order" {
	jobgen job:nodes=400,count=2 >j.tsv
	allocate -t line:nodes=4096 -p fragment:mean=20 j.tsv >placed.tsv
	placecheck -t line:nodes=4096 placed.tsv
	# about 400 / 20 runs; a mean of a whole job is one run, or few; of next to nothing single nodes
	runs() { grep -v '^##' "$1" | awk -F'\t' 'NR > 1 { print gsub(/,/, ",", $5) + 1; exit }'; }
	n=$(runs placed.tsv)
	[ "$n" -ge 8 ] && [ "$n" -le 40 ] || { echo "$n"; return 1; }
	allocate -t line:nodes=4096 -p fragment:mean=1e9 j.tsv >one.tsv
	[ "$(runs one.tsv)" -le 2 ]
	allocate -t line:nodes=4096 -p fragment:mean=1e-9 j.tsv >single.tsv
	[ "$(runs single.tsv)" -gt 300 ]
	allocate -t line:nodes=4096 --seed 2 -p fragment:mean=20 j.tsv | run ! cmp -s - placed.tsv
	# the machine's last nodes, too
	jobgen job:nodes=4096 | allocate -t line:nodes=4096 -p fragment | grep -F 'n[0-4095]'
}

@test "a real Darshan log, on more ranks, replayed on burst buffers: its sums again, file by file" {
	machine 'name: bb, nodes: "n[5-7]", device: {write: 1GB/s, read: 2GB/s}, stripe: {count: 2, width: 128KiB}' >m.yaml
	for log in x86_64-3.5.0 ppc64-3.1.8; do
		traceconv --from darshan:dxt=no --to iotrace "$ROOT/tests/formats/darshan/mpi-io-test-$log.darshan" >log.io 2>said
		ranks=$(sed -n 's/^##ranks=//p' log.io)
		traceconv --from darshan --to metrics "$ROOT/tests/formats/darshan/mpi-io-test-$log.darshan" 2>said >counters.tsv
		for clones in 1 3; do
			n=$((clones * ranks))
			traceconv --to iotrace -f ranks:n=$n log.io >more.io
			jobs "a n[0-3] 4 iotrace:path=more.io,idle" >j.tsv
			netsim -t m.yaml --ranks-per-node $(((n + 3) / 4)) --io replayed.io --storage devices.tsv j.tsv >out.tsv
			evalmetrics -m io-bytes replayed.io >sums.tsv
			# the log's own counters, times what ranks: made of them
			for way in read written; do
				counter=$(awk -F'\t' -v n="^(POSIX|STDIO)_BYTES_$(tr a-z A-Z <<<$way)\$" '$3 ~ n { s += $4 } END { printf "%.0f", s }' counters.tsv)
				[ "$(value io-bytes-$way sums.tsv)" = $((clones * counter)) ]
				[ "$(column bytes_$way devices.tsv | awk '{ s += $1 } END { printf "%.0f", s }')" = $((clones * counter)) ]
			done
			[ $((clones * counter)) -gt 1000000 ]
			# and of each file, and each number of operations
			of_files() { grep -v '^##' "$1" | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["op"] == "read" || $c["op"] == "write" { s[$c["file"] " " $c["op"]] += $c["bytes"]; n[$c["file"] " " $c["op"]]++ } END { for (f in s) print f, s[f], n[f] }' | sort; }
			of_files more.io >expected
			of_files replayed.io | diff expected -
		done
	done
}

# ---- measures ----

@test "io-phase, io-time, io-bandwidth: a worked example" {
	# two phases: ranks 0 and 1 from 1 to 4 (rank 1's operations 5 s apart are one phase), rank 0 alone from 20 to 21
	iotrace <<-END >t.tsv
		0 open 0 0 f
		0 write 1 100 f 0 2
		0 write 20 50 f 100 21
		1 write 2 30 g 0 3
		1 write 8 30 g 30 8.5
		1 barrier 9 0
	END
	evalmetrics t.tsv >m.tsv
	[ "$(value io-phase m.tsv)" = 8.5 ]
	[ "$(value io-time m.tsv)" = 1.75 ]
	about "$(value io-bandwidth m.tsv)" 24.705882353
	evalmetrics -m io-phase:gap=4s t.tsv >m.tsv
	# now rank 1 has two as well: 1 to 3, and 8 to 21
	[ "$(value io-phase m.tsv)" = 15 ]
	sed 's/\t8.5\t/\t.\t/' t.tsv >missing.tsv
	run -2 --separate-stderr evalmetrics missing.tsv
	[[ $stderr == *'missing.tsv:7: end_s is missing; expected operations with an end, as netsim --io writes them' ]]
}

@test "io-phase of netsim's rows and of its operations is the same; two jobs have two; a slowdown is a ratio" {
	machine 'name: bb, nodes: "n[6-7]", device: {write: 1GB/s, read: 1GB/s}, stripe: {count: 2, width: 64KiB}' >m.yaml
	seq 0 3 | awk '{ print $1, "write", 0, 10485760, "f" $1 }' | iotrace >t.tsv
	jobs 'a n[0-3] 4 iotrace:path=t.tsv' | netsim -t m.yaml --io alone.io >alone.tsv
	jobs 'a n[0-3] 4 iotrace:path=t.tsv' 'b n[4-5] 2 iotrace:path=t.tsv,idle' >j.tsv
	sed -i 's/\t2\tn\[4-5\].*/\t2\tn[4-5]\tiotrace:path=u.tsv/' j.tsv
	head -2 <(grep -v '^##\|^rank' t.tsv) | cut -f 1-5 | tr '\t' ' ' | iotrace >u.tsv
	netsim -t m.yaml --io both.io --storage both.st j.tsv >both.tsv
	evalmetrics both.io >m.tsv
	placecheck m.tsv
	about "$(value io-phase-a m.tsv)" "$(column io_phase_s both.tsv | head -1)"
	about "$(value io-time-b m.tsv)" "$(column io_time_s both.tsv | tail -1)"
	# six ranks in place of four
	evalmetrics -m column:name=io_phase_s alone.tsv >base.tsv
	evalmetrics -m column:name=io_phase_s --baseline base.tsv both.tsv >ratio.tsv
	column ratio ratio.tsv | awk 'NR == 1 { exit !($1 > 1.2 && $1 < 1.6) }' || { cat ratio.tsv; return 1; }
	evalmetrics -m device-busy both.st >m.tsv
	awk -v b="$(value device-busy m.tsv)" 'BEGIN { exit !(b > .9 && b <= 1) }' || { cat m.tsv; return 1; }
	about "$(value device-balance m.tsv)" 1
}

@test "table 2.5: what burst buffers cost to buy and to run" {
	echo '##placetools=storage/1' >row
	printf 'device\tnode\tbytes_read\tbytes_written\nbb\tn0\t0\t0\n' >>row
	printf '1\n' >nothing
	topogen complete:nodes=4608 --io per:kind=coupled,storage=@summit-node >local.yaml
	printf 'placetools: storage/1\ndevice: {write: 1GB/s, read: 1GB/s, count: 16}\n' >server.yaml
	topogen complete:nodes=5000 --io nodes:list='n[0-301]',storage=server.yaml >servers.yaml
	evalmetrics -t local.yaml -m capex -m opex row >local.tsv
	evalmetrics -t servers.yaml -m capex -m opex row >servers.tsv
	# the table: 4 608 000 and 11 415 600 $; 115 and 302 kW; 1.0 and 2.6 M$
	[ "$(value capex local.tsv) $(value capex servers.tsv)" = '4608000 11415600' ]
	[ "$(value storage-power local.tsv) $(value storage-power servers.tsv)" = '115200 302000' ]
	about "$(value opex local.tsv)" 1009152
	about "$(value opex servers.tsv)" 2645520
	awk 'BEGIN { printf "%.3f\n", 11415600 / 4608000 }' | diff - <(echo 2.477)
	# the table buys 302 servers and powers 604: both with 302, both with 604
	sed 's/, powered: 2//' "$ROOT/share/costs/summit.yaml" >all.yaml
	evalmetrics -t servers.yaml -m opex:costs=all.yaml row >servers.tsv
	[ "$(value storage-power servers.tsv)" = 211400 ]
	sed 's/powered: 2/powered: 2, bought: 2/' "$ROOT/share/costs/summit.yaml" >all.yaml
	evalmetrics -t servers.yaml -m capex:costs=all.yaml row >servers.tsv
	about "$(value capex servers.tsv)" 18965600
	# 5 and 2 minutes; seven tenths of it are 1.72 by Amdahl, where the text has 1.8
	evalmetrics -m io-acceleration row >m.tsv
	[ "$(value io-acceleration m.tsv)" = 2.5 ]
	evalmetrics -m io-acceleration:share=.7 row >m.tsv
	about "$(value io-acceleration m.tsv)" 1.7241379
	echo 'placetools: costs/1' >bad.yaml
	run -2 --separate-stderr evalmetrics -t local.yaml -m capex:costs=bad.yaml row
	[[ $stderr == *'bad.yaml:1: coupled: expected a mapping of keys to values' ]] || { echo "$stderr"; return 1; }
	run -2 --separate-stderr evalmetrics -t local.yaml -m capex:costs=@none row
	[[ $stderr == *"costs: '@none': there is no share/costs/none.yaml" ]]
}

@test "placecheck: operations and devices that cannot be" {
	iotrace <<<'0 wrote 0 1 f' >t.tsv
	run -1 --separate-stderr placecheck t.tsv
	[[ $stderr$output == *"t.tsv:3: op: 'wrote' is none of open, close, read, write, sync, barrier"* ]]
	iotrace <<<'0 write 1 1 f 0 0.5' >t.tsv
	run -1 --separate-stderr placecheck t.tsv
	[[ $stderr$output == *'t.tsv:3: '*end_s* ]]
	iotrace timing=think <<<'0 write 1 1 f 0 0.5' | placecheck
	for bad in '2 1 0 0' '1 2 5 4'; do
		printf '##placetools=storage/1\ndevice\tnode\tbytes_read\tbytes_written\tbusy_s\telapsed_s\tbytes_drained\n' >s.tsv
		read -r busy elapsed drained written <<<"$bad"
		printf 'bb\tn0\t0\t%s\t%s\t%s\t%s\n' "$written" "$busy" "$elapsed" "$drained" >>s.tsv
		run -1 --separate-stderr placecheck s.tsv
		[[ $stderr$output == *'s.tsv:3: '* ]]
	done
}

@test "the same bytes for any number of partitions, with drains and tokens" {
	printf 'placetools: storage/1\ndevice: {write: 1GB/s, read: 1GB/s, seek: 1us}\nstripe: {count: 3, width: 64KiB}\ndrain: {to: fs}\n' >bb.yaml
	topogen dragonfly:groups=9,routers=4,nodes=2,bandwidth=5GB/s,latency=100ns --io per:every=2,name=bb,storage=bb.yaml \
		--io 'nodes:list=n0,name=fs,storage=@ior-node' >m.yaml
	jobgen io:app=gtc,ranks=80,bytes=300kB,at=0,jitter=1us -o t.io
	jobgen job:nodes=40 | allocate -t m.yaml -p rdn -o placed.tsv
	for schedule in none token:writers=7 stagger:window=1ms; do
		for n in 1 2 5; do
			netsim --no-provenance --quiet -j 2 --partitions $n -t m.yaml -r ugal -p iotrace:path=t.io+alltoall \
				--io-schedule "$schedule" --ranks-per-node 2 --io io$n --storage s$n placed.tsv >out$n
			cmp io1 io$n
			cmp s1 s$n
			cmp out1 out$n
		done
	done
	[ "$(column bytes_drained s1 | awk '{ s += $1 } END { print s }')" -gt 23000000 ]
}
