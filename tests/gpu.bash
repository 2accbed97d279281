# gpu.bash - what the tests of MPI + GPU replays share: jobs, traces, columns of tables
# shellcheck shell=bash

# job NODES NODELIST PATTERN [RANKS_PER_NODE]: a stream of one job of one iteration
job() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\titerations\tranks_per_node\n1\t%s\t%s\t%s\t1\t%s\n' \
		"$1" "$2" "$3" "${4:-1}"
}

# trace ROW…: an mpitrace of rows "rank time_s end_s op peer bytes recv_bytes tag request send_location recv_location region"
trace() {
	printf '##placetools=mpitrace/1\n'
	printf 'rank\ttime_s\tend_s\top\tpeer\tbytes\trecv_bytes\ttag\trequest\tsend_location\trecv_location\tregion\n'
	printf '%s\n' "$@" | awk -v OFS='\t' '{ for (i = NF + 1; i <= 12; i++) $i = "."; $1 = $1; print }'
}

# ps RANK: the rank's time in MPI in ranks.tsv, in picoseconds
ps() {
	grep -v '^#' ranks.tsv | awk -F'\t' -v rank="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["rank"] == rank { printf "%.0f\n", 1e12 * $c["mpi_s"] }'
}

# one_way BYTES OPTION…: microseconds from a send to its receive's end; the receive was posted long before
one_way() {
	local bytes=$1
	shift
	trace "0 0 0 init" "0 0.00001 0.00001 isend 1 $bytes . 3 1" "0 0.00002 0.00003 wait . . . . 1" \
		"1 0 0 irecv 0 . $bytes 3 1" "1 0 0.00005 wait . . . . 1" >t.tsv
	job 2 'n[0-1]' mpitrace:path=t.tsv,gaps=records >job.tsv
	# the author's measurements are without what a receive costs that waits
	netsim -t @lassen --profile tracer -s receive-wait=0 "$@" --ranks ranks.tsv job.tsv -o out.tsv
	grep -v '^#' ranks.tsv | awk -F'\t' '$2 == 1 { printf "%.6f\n", 1e6 * $4 - 10 }'
}
