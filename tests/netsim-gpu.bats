# netsim-gpu.bats - replay of MPI + GPU traces: Khetawat 2022, chapter 3
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# job NODES NODELIST PATTERN [RANKS_PER_NODE]: a stream of one job of one iteration
job() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\titerations\tranks_per_node\n1\t%s\t%s\t%s\t1\t%s\n' \
		"$1" "$2" "$3" "${4:-1}"
}

# column NAME FILE: its values
column() {
	grep -v '^##' "$2" | awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

# trace ROW…: an mpitrace of rows "rank time_s end_s op peer bytes recv_bytes tag request send_location recv_location region"
trace() {
	printf '##placetools=mpitrace/1\n'
	printf 'rank\ttime_s\tend_s\top\tpeer\tbytes\trecv_bytes\ttag\trequest\tsend_location\trecv_location\tregion\n'
	printf '%s\n' "$@" | awk -v OFS='\t' '{ for (i = NF + 1; i <= 12; i++) $i = "."; $1 = $1; print }'
}

@test "gaps=records: computation ends at every record, and what lies around MPI_Init and MPI_Finalize counts" {
	trace "0 0 . enter . . . . . . . start" "0 1 . leave . . . . . . . start" "0 3 4 init" "0 6 . enter . . . . . . . f" \
		"0 7 . enter . . . . . . . g" "0 9 . leave . . . . . . . g" "0 9.5 . leave . . . . . . . f" "0 12 13 finalize" \
		"0 15 . enter . . . . . . . end" "0 18 . leave . . . . . . . end" >t.tsv
	job 1 'n0' mpitrace:path=t.tsv,gaps=records >job.tsv
	netsim -t line:nodes=2 --ranks ranks.tsv job.tsv -o out.tsv
	# 2 up to MPI_Init, 2 to f, 1 to g, 2.5 to MPI_Finalize, 2 behind it
	[ "$(column runtime_s out.tsv)" = 9.5 ]
	job 1 'n0' mpitrace:path=t.tsv >job.tsv
	netsim -t line:nodes=2 job.tsv -o out.tsv
	[ "$(column runtime_s out.tsv)" = 8 ]
	job 1 'n0' mpitrace:path=t.tsv,gaps=records,compute=.5 >job.tsv
	netsim -t line:nodes=2 job.tsv -o out.tsv
	[ "$(column runtime_s out.tsv)" = 4.75 ]
}

# us RANK: the rank's time in MPI in ranks.tsv, in picoseconds
ps() {
	grep -v '^#' ranks.tsv | awk -F'\t' -v rank="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["rank"] == rank { printf "%.0f\n", 1e12 * $c["mpi_s"] }'
}

# Two nodes at one switch, 10 GB/s, and nothing but the software's costs: 1.6 ns for 8 bytes.
bare=(-s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s message-gap=0 -s nic-send=0 -s call-enter=0 -s packet-gap=0 -s empty=nothing)

@test "TraceR's costs of messages, receives and trees" {
	topogen fattree:down=4x4,up=1x4 -o m.yaml
	trace "0 0 1 isend 1 8 . 3 1" "0 1 2 wait . . . . 1" "1 0 1 irecv 0 . 8 3 1" "1 1 2 wait . . . . 1" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv,gaps=records >job.tsv
	netsim -t m.yaml --profile tracer "${bare[@]}" --ranks ranks.tsv job.tsv -o out.tsv
	# the sender: two software delays and the copy, one for the completion
	[ "$(ps 0)" = 600080 ]
	# the receiver waited: .2 + .00008 + .4 + .0016 of the message, .4 + .00008 + .2 of its own
	[ "$(ps 1)" = 1201760 ]
	trace "0 0 1 allreduce . 8 8" "1 0 1 allreduce . 8 8" >t.tsv
	netsim -t m.yaml --profile tracer "${bare[@]}" --ranks ranks.tsv job.tsv -o out.tsv
	# up: .01 + .0016; a software delay between; down: .0016; two after; the root's one child costs it .01008
	[ "$(ps 0)" = 621760 ]
	[ "$(ps 1)" = 613280 ]
}

@test "the gap between packets, the node's turn, a message of nothing as a packet" {
	topogen fattree:down=4x4,up=1x4 -o m.yaml
	trace "0 0 1 isend 1 8192 . 3 1" "0 0 1 isend 1 0 . 3 2" "0 1 2 wait . . . . 1" "0 1 2 wait . . . . 2" \
		"1 0 1 irecv 0 . 8192 3 1" "1 0 1 irecv 0 . 0 3 2" "1 1 2 wait . . . . 1" "1 1 2 wait . . . . 2" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv >job.tsv
	run_bare() {
		netsim -t m.yaml -s switching=store-and-forward -s router-delay=0 -s latency=0 -s bandwidth=10GB/s -s packet=4096 -s eager=1MiB "$@" --ranks ranks.tsv job.tsv -o out.tsv
	}
	run_bare
	[ "$(ps 1)" = $((3 * 409600)) ]
	run_bare -s packet-gap=1ns
	# the second packet, and behind it the empty message, which takes no bytes
	[ "$(ps 1)" = $((3 * 409600 + 1000)) ]
	run_bare -s message-gap=1us
	[ "$(ps 1)" = 2228800 ]
	run_bare -s empty=packet
	[ "$(ps 1)" = $((4 * 409600)) ]
}

@test "the author's replay of AmgX: times within 10 us, packets and bytes of each NIC" {
	need_shared
	tar xzf "$SHARED/data/otf2/amgx-8ranks-2nodes-gpuattr-scorep4.1.tar.gz"
	traceconv --from otf2:regions=all --to mpitrace traces-8/traces.otf2 >t.tsv
	topogen fattree:down=4x4x4,up=1x4x4 -o m.yaml
	job 8 'n[0-7]' mpitrace:path=t.tsv,gaps=records >1.tsv
	job 4 'n[0-3]' mpitrace:path=t.tsv,gaps=records 2 >2.tsv
	{ printf '##placetools=mapping/1\njob\trank\tnode\n'; for r in {0..7}; do printf '1\t%d\tn%d\n' "$r" $((r % 4)); done; } >map.tsv
	his=(-s packet=8192 -s bandwidth=11.9GB/s -s terminal-bandwidth=24GB/s -s node-bandwidth=30GB/s -s latency=1.5ns
		-s node-latency=0 -s router-delay=60ns -s rdma-delay=1us -s packet-gap=0)
	within() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x - y < 10e-6 && y - x < 10e-6) }'; }
	end() { grep -v '^#' ranks.tsv | awk -F'\t' -v rank="$1" '$2 == rank { print $4 }'; }
	netsim -t m.yaml --profile tracer "${his[@]}" --ranks ranks.tsv 1.tsv -o out.tsv
	within "$(column runtime_s out.tsv)" 1.758532
	within "$(end 5)" 1.758041
	[ "$(column packets out.tsv)" = 2444 ]
	awk -v x="$(column hops_mean out.tsv)" 'BEGIN { exit !(x > 3.072 && x < 3.0721) }'
	netsim -t m.yaml --profile tracer "${his[@]}" --mapping map.tsv --ranks ranks.tsv 2.tsv -o out.tsv
	within "$(column runtime_s out.tsv)" 1.758509
	within "$(end 0)" 1.756683
	[ "$(column packets out.tsv)" = 1934 ]
	for k in 1 2; do
		mapping=()
		[ $k = 1 ] || mapping=(--mapping map.tsv)
		netsim -t m.yaml --profile tracer "${his[@]}" -s empty=nothing "${mapping[@]}" --links links.tsv $k.tsv -o out.tsv
		grep -v '^#' links.tsv | awk -F'\t' '$3 ~ /^n/ && $7 > 0 { print substr($3, 2), $6, $7 }' >ours
		awk '!/^#/ && $6 > 0 { print $2, $4, $6 }' "$SHARED/data/reference/tracer/amgx-$k-fattree-msg-stats" >his
		diff his ours
		[ "$(awk '{ n += $2 } END { print n }' ours)" = $((k == 1 ? 20172 : 16164)) ]
	done
}
