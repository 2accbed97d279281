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
