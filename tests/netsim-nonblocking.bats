# netsim-nonblocking.bats - collective operations with a request, in replays: what they overlap with
load helper
load gpu

setup() {
	cd "$BATS_TEST_TMPDIR"
	topogen fattree:down=4x4,up=1x4 -o m.yaml
}

# job NODES NODELIST PATTERN RANKS ITERATIONS: a stream of one job
job() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tranks_per_node\titerations\n1\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${4:-1}" "${5:-1}"
}

# Nodes at one switch whose packet of 1000 bytes is 100 ns on each of two links.
bare=(-s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s switching=store-and-forward -s packet=1000)

# ends RANKS ROW…: when each rank ends, in nanoseconds, with the rows of a trace; ITERATIONS from the environment
ends() {
	local n=$1
	shift
	trace "$@" >t.tsv
	job "$n" "n[0-$((n - 1))]" mpitrace:path=t.tsv 1 "${ITERATIONS:-1}" >job.tsv
	netsim -t m.yaml "${bare[@]}" "${options[@]}" --ranks ranks.tsv job.tsv -o out.tsv || return 1
	grep -v '^#' ranks.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ printf "%s%.0f", sep, 1e9 * ($c["compute_s"] + $c["mpi_s"]); sep = " " } END { print "" }'
}

# each RANKS ROW…: the rows for each of the ranks, whose number they leave out
each() {
	local n=$1 rank row
	shift
	for ((rank = 0; rank < n; rank++)); do
		for row in "$@"; do echo "$rank $row"; done
	done
}

@test "an iallreduce beside computation: a step at the call, further ones in calls" {
	local rows
	# two ranks, one step of 200 ns; two steps among four
	mapfile -t rows < <(each 2 "0 0 allreduce . 1000 1000" "0.000001 0.000001 call . . . . . . . x")
	[ "$(ends 2 "${rows[@]}")" = "1200 1200" ]
	mapfile -t rows < <(each 2 "0 0 iallreduce . 1000 1000 . 1" "0.000001 0.000001 wait . . . . 1")
	[ "$(ends 2 "${rows[@]}")" = "1000 1000" ]
	mapfile -t rows < <(each 2 "0 0 iallreduce . 1000 1000 . 1" "0.00000015 0.00000015 wait . . . . 1")
	[ "$(ends 2 "${rows[@]}")" = "200 200" ]
	mapfile -t rows < <(each 4 "0 0 iallreduce . 1000 1000 . 1" "0 0 wait . . . . 1")
	[ "$(ends 4 "${rows[@]}")" = "400 400 400 400" ]
	# nobody looks before the wait: the second step begins there
	mapfile -t rows < <(each 4 "0 0 iallreduce . 1000 1000 . 1" "0.000001 0.000001 wait . . . . 1")
	[ "$(ends 4 "${rows[@]}")" = "1200 1200 1200 1200" ]
	# an MPI_Test on the way begins it
	mapfile -t rows < <(each 4 "0 0 iallreduce . 1000 1000 . 1" "0.0000005 0.0000005 call . . . . . . . MPI_Test" "0.000001 0.000001 wait . . . . 1")
	[ "$(ends 4 "${rows[@]}")" = "1000 1000 1000 1000" ]
	# a request that nobody waits for ends with the rank, which the others need
	mapfile -t rows < <(each 4 "0 0 iallreduce . 1000 1000 . 1")
	[ "$(ends 4 "${rows[@]}")" = "400 400 400 400" ]
	# in every pass
	mapfile -t rows < <(each 4 "0 0 iallreduce . 1000 1000 . 1" "0.000001 0.000001 wait . . . . 1")
	[ "$(ITERATIONS=3 ends 4 "${rows[@]}")" = "3600 3600 3600 3600" ]
}

@test "it goes on while a rank waits for another message, or is in a blocking operation" {
	local rows
	# rank 3 looks at 250 ns, and computes until it sends at 1 us; the others wait for its messages
	mapfile -t rows < <(each 3 "0 0 iallreduce . 1000 1000 . 1" "0 0 recv 3 . 1000 7" "0 0 wait . . . . 1")
	rows+=("3 0 0 iallreduce . 1000 1000 . 1" "3 0.00000025 0.00000025 call . . . . . . . MPI_Test"
		"3 0.000001 0.000001 send 0 1000 . 7" "3 0 0 send 1 1000 . 7" "3 0 0 send 2 1000 . 7" "3 0 0 wait . . . . 1")
	[ "$(ends 4 "${rows[@]}")" = "1200 1300 1400 1300" ]
	# two steps of either share links: four turns of 100 ns and the last switch
	mapfile -t rows < <(each 4 "0 0 iallreduce . 1000 1000 . 1" "0 0 allreduce . 1000 1000" "0 0 wait . . . . 1")
	[ "$(ends 4 "${rows[@]}")" = "500 500 500 500" ]
}

@test "several in flight: any order of waits, and each step goes to its own operation" {
	local rows i waits=()
	# eight of a communicator, waited for backwards by odd ranks
	for ((i = 0; i < 4; i++)); do
		rows=()
		for k in 1 2 3 4 5 6 7 8; do rows+=("$i 0 0 iallreduce . $((k * 100)) $((k * 100)) . $k"); done
		for k in 1 2 3 4 5 6 7 8; do rows+=("$i 0 0 wait . . . . $((i % 2 ? 9 - k : k))"); done
		waits+=("${rows[@]}")
	done
	# 7200 bytes leave each node without a pause, and the last 800 take the second link
	[ "$(ends 4 "${waits[@]}")" = "800 800 800 800" ]
	# the first, of 1000 bytes, asks before it sends: rank 1 answers when its computation is over, at 1 us. The
	# second's last step comes to rank 2 long before the first's, which rank 2 waits for as well.
	local options=(-s eager=100 -s bandwidth=100MB/s)
	rows=("0 0 0 iallreduce . 1000 1000 . 1" "0 0.00001 0.00001 iallreduce . 10 10 . 2" "0 0.00001 0.00001 wait . . . . 2" "0 0 0 wait . . . . 1")
	rows+=("1 0 0 iallreduce . 1000 1000 . 1" "1 0.0001 0.0001 iallreduce . 10 10 . 2" "1 0.0001 0.0001 wait . . . . 2" "1 0 0 wait . . . . 1")
	for i in 2 3; do
		rows+=("$i 0 0 iallreduce . 1000 1000 . 1" "$i 0.00005 0.00005 call . . . . . . . MPI_Test" "$i 0.0001 0.0001 iallreduce . 10 10 . 2" "$i 0.0001 0.0001 wait . . . . 2" "$i 0.0002 0.0002 wait . . . . 1")
	done
	[ "$(ends 4 "${rows[@]}")" = "210400 210300 220400 220300" ]
}

@test "operations of every kind, on communicators: the same for any number of partitions and threads" {
	local op rows=() rank profile division
	topogen dragonfly:groups=4,routers=3,nodes=2 -o machine.yaml
	for ((rank = 0; rank < 12; rank++)); do
		for op in ibarrier ibcast iallreduce ireduce iallgather ialltoall ireduce_scatter iscan igather iscatter; do
			rows+=("$rank 0 0 $op . $((op == ibarrier ? 0 : 3000)) 3000 . ${#op}${#rows[@]}" "$rank 0.0000005 0.0000005 call . . . . . . . x")
			[[ $op == i*r* ]] || rows+=("$rank 0 0 wait . . . . ${#op}$((${#rows[@]} - 2))")
		done
	done
	trace "${rows[@]}" | awk -F'\t' -v OFS='\t' '/^##/ { print; print "##comm=even:0,2,4,6,8,10"; print "##comm=odd:1,3,5,7,9,11"; next }
		$1 == "rank" { print $0, "comm", "root"; next }
		$4 !~ /^i/ { print $0, ".", "."; next } # halves of the ranks have the operations with names of even lengths
		{ print $0, length($4) % 2 ? "." : $1 % 2 ? "odd" : "even", length($4) % 2 ? 0 : $1 % 2 }' >t.tsv
	job 12 'n[0-11]' mpitrace:path=t.tsv 1 3 >job.tsv
	for profile in aries sst tracer; do
		netsim --no-provenance -t machine.yaml --profile $profile -j 1 job.tsv --ranks ranks1 -o out1
		for division in "-j 1 --partitions 3" "-j 2 --partitions 2" "-j 3 --partitions 4"; do
			# shellcheck disable=SC2086 # two options
			netsim --no-provenance -t machine.yaml --profile $profile $division job.tsv --ranks ranks2 -o out2
			cmp out1 out2
			cmp ranks1 ranks2
		done
	done
}

# skewed US [BYTES]: a trace of two ranks that exchange large messages, rank 1 so much later
skewed() {
	local start
	stream mpitrace 'rank time_s end_s op peer bytes recv_bytes tag request'
	for rank in 0 1; do
		start=$(awk -v us="$1" -v rank=$rank 'BEGIN { printf "%.9f", rank * us / 1e6 }')
		printf '%d\t0\t0\tinit\t.\t.\t.\t.\t.\n' $rank
		printf "%d\t$start\t$start\t%s\n" $rank "irecv	$((1 - rank))	.	${2:-1048576}	1	1" \
			$rank "isend	$((1 - rank))	${2:-1048576}	.	1	2" $rank "wait	.	.	.	.	1" $rank "wait	.	.	.	.	2"
	done
}
# within SHARE A B: A differs from B by no more than that share of it
within() { awk -v share="$1" -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !((d < 0 ? -d : d) <= share * b) }' || { echo "$2, expected $3"; return 1; }; }
# exchange US [OPTION…]: the time of that, us
exchange() {
	skewed "$1" >skewed.tsv
	stream jobs 'job nodes nodelist pattern' '1 2 n[0-1] mpitrace:path=skewed.tsv' >exchange.tsv
	netsim -t complete:nodes=2,per-router=2,bandwidth=12.5GB/s "${@:2}" exchange.tsv | column comm_time_s | awk '{ print $1 * 1e6 }'
}

@test "a link carries both ways at once: an answer does not wait behind its node's own data" {
	local plain
	for profile in default codes aries tracer; do
		plain=$(exchange 0 --profile $profile)
		for us in 0.5 1 5 20 50 200; do
			within .02 "$(exchange $us --profile $profile)" "$(awk -v a="$plain" -v b=$us 'BEGIN { print a + b }')"
		done
	done
	within .005 "$(exchange 0)" 84.6
	within .005 "$(exchange 20)" 104.7
	# as SST has it: the data first, then the other way
	within .01 "$(exchange 20 -s answers=in-turn)" 188.5
}
