# gpu.bash - what the tests of MPI + GPU replays share: jobs, traces, columns of tables
# shellcheck shell=bash

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

# ps RANK: the rank's time in MPI in ranks.tsv, in picoseconds
ps() {
	grep -v '^#' ranks.tsv | awk -F'\t' -v rank="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["rank"] == rank { printf "%.0f\n", 1e12 * $c["mpi_s"] }'
}
