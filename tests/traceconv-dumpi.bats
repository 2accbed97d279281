bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	D=$ROOT/tests/formats/dumpi
}

# make RANK [VERSION [WORDS]]: short lines become r-RANK.bin and r-RANK.txt.
make() {
	local rank=$1
	shift
	cat > "short-$rank"
	"$PLACETOOLS_BUILD/tests/tools/dumpimake" binary "$@" < "short-$rank" > "r-$rank.bin"
	"$PLACETOOLS_BUILD/tests/tools/dumpimake" text "$@" < "short-$rank" > "r-$rank.txt"
}

# trace: the rows of all r-*.bin, which those of all r-*.txt must be too; stderr goes to warnings.
trace() {
	traceconv --no-provenance --from dumpi --to mpitrace r-*.bin > bin.tsv 2> warnings
	traceconv --no-provenance --from dumpi-ascii --to mpitrace r-*.txt > txt.tsv 2> /dev/null
	diff bin.tsv txt.tsv >&2
	cat bin.tsv
}

# calls: rank, op, peer, bytes, recv_bytes, tag, comm, request, root, region of each row.
calls() { body | cut -f1,4-11,14 | tr '\t' ' '; }

@test "the ring of four ranks: each sends one integer to the next, and adds up" {
	traceconv --no-provenance --from dumpi --to mpitrace "$D"/testtrace-*.bin > t
	[ "$(body t | wc -l)" -eq 36 ]
	for rank in 0 1 2 3; do
		run -0 bash -c "grep -v '^##' t | awk -F'\t' '\$1 == $rank' | cut -f4-11,14 | tr '\t' ' '"
		[ "${lines[0]}" = "init . . . . . . . ." ]
		[ "${lines[3]}" = "barrier . . . . . . . ." ]
		[ "${lines[4]}" = "isend $(((rank + 1) % 4)) 4 . 1337 . 2 . ." ]
		[ "${lines[5]}" = "recv $(((rank + 3) % 4)) . 4 1337 . . . ." ]
		[ "${lines[6]}" = "wait . . . . . 2 . ." ]
		[ "${lines[7]}" = "allreduce . 4 4 . . . . ." ]
		[ "${lines[8]}" = "finalize . . . . . . . ." ]
	done
	grep -q '^##ranks=4$' t
	grep -q '^##app=mpi$' t
	# the times of rank 0 as dumpi2ascii prints them
	run -0 bash -c "grep -v '^##' t | awk -F'\t' '\$1 == 0 && \$4 == \"recv\"' | cut -f2,3"
	[ "$output" = $'0.00203\t0.002211' ]
}

@test "every call of rank 0 has the times that dumpi2ascii prints" {
	traceconv --from dumpi --to mpitrace "$D"/testtrace-0000.bin 2> /dev/null | body |
		awk -F '\t' '{ printf "%.9f %.9f\n", $2, $3 }' > got
	awk '/ entering at walltime/ { a = substr($5, 1, 20); next }
		/ returning at walltime/ { print a, substr($5, 1, 20) }' "$D/testtrace-0000.txt" |
		awk '{ split($1, a, "."); split($2, b, "."); if (NR == 1) first = a[2]
			printf "%.9f %.9f\n", (a[2] - first) / 1e9, (b[2] - first) / 1e9 }' > want
	diff want got
	[ "$(wc -l < got)" -eq 9 ]
}

@test "binary and printed traces make the same rows" {
	traceconv --no-provenance --to mpitrace "$D/testtrace-0000.bin" > a 2> /dev/null
	traceconv --no-provenance --to mpitrace "$D/testtrace-0000.txt" > b 2> /dev/null
	diff a b
	[ "$(body a | wc -l)" -eq 9 ]
	need_shared # without the header, without sizes
	traceconv --no-provenance --to mpitrace \
		"$SHARED/data/dumpi/sst-dumpi-testtrace/testtrace-0000.bin.dumpi2ascii.txt" > c 2> /dev/null
	diff a c
}

@test "functions are called as often as the footer says" {
	for rank in 0 1 2 3; do
		traceconv --from dumpi --to mpitrace "$D/testtrace-000$rank.bin" 2> /dev/null | body |
			awk -F '\t' '{ print $14 != "." ? $14 : "MPI_" toupper(substr($4, 1, 1)) substr($4, 2) }' |
			sort | uniq -c | awk '{ print $2, $1 }' > got
		sed -n 's/^\(MPI_.*\) called \([1-9][0-9]*\) times .*/\1 \2/p' "$D/testtrace-0000.txt" |
			grep -v MPI_ALL_FUNCTIONS | sort > want
		diff want got
	done
}

@test "functions have the numbers that DUMPI gives them" {
	# the footer lists them in order; here each is called by its number
	sed -n 's/^\(MPIO*_.*\) called .*/\1/p' "$D/testtrace-0000.txt" > names
	[ "$(wc -l < names)" -eq 291 ]
	n=0
	while read -r name; do
		# a record of this number, then nothing: it is named in the message, or is a row
		{
			printf '\377\252\335DUMPI\0\0\0\0\0\0\0\0'
			printf "$(printf '\\%03o\\%03o' $((n / 256)) $((n % 256)))\0"
		} > calls
		{
			cat calls
			printf '\1\0\0' # the header: version
			printf '\377\252\335DUMPI'
			printf '\0\0\0\0\0\0\0\0%.0s' 1 2 3
			printf "\\0\\0\\0\\0\\0\\0\\0\\$(printf '%03o' "$(stat -c %s calls)")"
			printf '\0\0\0\0\0\0\0\10'
			printf '\0\0\0\0\0\0\0\0%.0s' 1 2
		} > x.bin
		# an argument that is not there is missed under the function's name
		run --separate-stderr traceconv --from dumpi --to mpitrace x.bin
		if [ "$status" -eq 0 ]; then
			[[ $(echo "$output" | body | cut -f4,14) == *"${name#MPI_}"* || $name == MPI_Finalize ]]
		else
			[[ $stderr == *" $name"[:,]* ]]
		fi
		n=$((n + 1))
	done < names
}

@test "the .meta file names all ranks' files; one that is missing is refused" {
	cp "$D"/testtrace* .
	traceconv --no-provenance --from dumpi --to mpitrace testtrace.meta > a
	traceconv --no-provenance --from dumpi --to mpitrace testtrace-000[3210].bin > b
	diff a b
	rm testtrace-0002.bin
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace testtrace.meta
	[[ $stderr == *testtrace-0002.bin* ]]
	sed 's/numprocs=4/numprocs=16777216/' testtrace.meta > many.meta
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace many.meta
	[[ $stderr == *testtrace-0002.bin* ]]
	echo hello > no.meta
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace no.meta
	[[ $stderr == *'no.meta: expected numprocs= and fileprefix='* ]]
}

@test "to comm and to profile" {
	traceconv --from dumpi --to comm -f messages:collectives=none "$D"/testtrace-*.bin | body > c
	[ "$(cat c)" = "$(printf '%s\t%s\t4\t1\n' 0 1 1 2 2 3 3 0)" ]
	# time in MPI by hand, from the end of MPI_Init to the start of MPI_Finalize
	traceconv --from dumpi --to mpitrace "$D"/testtrace-*.bin | body | awk -F '\t' '
		$4 == "init" { begin = $3; next }
		$4 == "finalize" { all += $2 - begin; next }
		{ mpi += $3 - $2 }
		END { printf "%.6f %.9f\n", mpi / all, all / 4 }' > want
	traceconv --from dumpi --to profile "$D"/testtrace-*.bin | body |
		awk -F '\t' '{ printf "%.6f %.9f\n", $7, $5 }' > got
	diff want got
	[ "$(cut -d' ' -f1 got)" = 0.948615 ]
}

@test "and back: an OTF2 archive of it has the same rows" {
	traceconv --from dumpi --to mpitrace "$D"/testtrace-*.bin > t
	run traceconv --from mpitrace --to otf2 -o archive t
	[[ $output != *'built without libotf2'* ]] || skip "this build has no libotf2"
	[ "$status" -eq 0 ]
	traceconv --from otf2 --to mpitrace archive/traces.otf2 > u
	diff <(body t | cut -f1-8,10-11) <(body u | cut -f1-8,10-11)
}

@test "ranks: from MPI_Comm_rank, else from the name; two files of one are refused" {
	make 5 <<- EOF
		MPI_Init 0 1 argv=./a
		MPI_Comm_rank 2 3 comm=2 rank=1
		MPI_Finalize 4 5
	EOF
	[ "$(trace | column rank | sort -u)" = 1 ]
	grep -q "1 of the run's 2 ranks are there" warnings
	make 5 <<- EOF
		MPI_Init 0 1 argv=./a
		MPI_Finalize 4 5
	EOF
	[ "$(trace | column rank | sort -u)" = 5 ]
	cp r-5.bin x-5.bin
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace r-5.bin x-5.bin
	[[ $stderr == *'r-5.bin and x-5.bin are both of rank 5'* ]]
	cp r-5.bin x.bin
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace r-5.bin x.bin
	[[ $stderr == *'x.bin: of which rank?'* ]]
	[ "$(traceconv --from dumpi --to mpitrace - < x.bin | column rank | sort -u)" = 0 ]
	[ "$(traceconv --from dumpi-ascii --to mpitrace - < r-5.txt | column rank | sort -u)" = 0 ]
	[ "$(gzip -c r-5.bin | traceconv --from dumpi --to mpitrace | column rank | sort -u)" = 0 ]
	make 6 <<- EOF
		MPI_Comm_size 2 3 comm=2 size=6
	EOF
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace r-6.bin
	[[ $stderr == *'r-6.bin: is of rank 6, and the run had 6 ranks'* ]]
	make 5 <<- EOF
		MPI_Comm_size 2 3 comm=2 size=7
	EOF
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace r-5.bin r-6.bin
	[[ $stderr == *'is of a run of 6 ranks, others are of one of 7'* ]]
}

@test "messages: all kinds of sends, receives from anybody, what no status says" {
	make 0 <<- EOF
		MPI_Comm_size 0 1 comm=2 size=4
		MPI_Send 10 11 count=3 datatype=14 dest=1 tag=7 comm=2
		MPI_Bsend 12 13 count=1 datatype=2 dest=2 tag=0 comm=2
		MPI_Ssend 14 15 count=2 datatype=9 dest=3 tag=1 comm=2
		MPI_Rsend 16 17 count=0 datatype=9 dest=3 tag=1 comm=2
		MPI_Send 18 19 count=5 datatype=9 dest=-3 tag=1 comm=2
		MPI_Recv 20 21 count=100 datatype=5 source=-1 tag=-1 comm=2 status=40/2/9/0
		MPI_Recv 22 23 count=100 datatype=5 source=1 tag=5 comm=2 status=
		MPI_Recv 24 25 count=100 datatype=5 source=1 tag=5 comm=2 status=1606419960/9/9/0
		MPI_Recv 26 27 count=10 datatype=5 source=-1 tag=-1 comm=2 status=11/9/9/0
		MPI_Sendrecv 30 31 sendcount=2 sendtype=14 dest=1 sendtag=3 recvcount=9 recvtype=14 source=3 recvtag=4 comm=2 status=8/3/4/0
		MPI_Sendrecv_replace 32 33 count=2 datatype=14 dest=-3 sendtag=3 source=3 recvtag=4 comm=2 status=
		MPI_Sendrecv_replace 34 35 count=2 datatype=14 dest=2 sendtag=3 source=-3 recvtag=4 comm=2 status=
		MPI_Probe 36 37 source=-1 tag=-1 comm=2 status=8/3/4/0
		MPI_Send 38 39 count=7 datatype=16 dest=1 tag=0 comm=3
	EOF
	run -2 --separate-stderr traceconv --from dumpi --to mpitrace r-0.bin
	[[ $stderr == *'r-0.bin: rank 0: MPI_Send of rank 1 in a communicator of 1'* ]]
	sed 's/dest=1 tag=0 comm=3/dest=0 tag=0 comm=3/' short-0 > mended
	make 0 < mended
	trace | calls > got
	cat > want <<- EOF
		0 call . . . . . . . MPI_Comm_size
		0 send 1 24 . 7 . . . .
		0 send 2 1 . 0 . . . MPI_Bsend
		0 send 3 8 . 1 . . . MPI_Ssend
		0 send 3 0 . 1 . . . MPI_Rsend
		0 call . . . . . . . MPI_Send
		0 recv 2 . 40 9 . . . .
		0 recv 1 . 100 5 . . . .
		0 recv 1 . 100 5 . . . .
		0 recv . . 10 . . . . .
		0 isend 1 16 . 3 . 0 . MPI_Sendrecv
		0 recv 3 . 8 4 . . . MPI_Sendrecv
		0 wait . . . . . 0 . MPI_Sendrecv
		0 recv 3 . 16 4 . . . MPI_Sendrecv_replace
		0 send 2 16 . 3 . . . MPI_Sendrecv_replace
		0 call . . . . . . . MPI_Probe
		0 send 0 56 . 0 self . . .
	EOF
	diff want got
}

@test "requests: what a receive lacks is filled in from its completion" {
	make 0 <<- EOF
		MPI_Comm_size 0 1 comm=2 size=4
		MPI_Irecv 10 11 count=100 datatype=5 source=-1 tag=-1 comm=2 request=2
		MPI_Irecv 12 13 count=100 datatype=5 source=3 tag=8 comm=2 request=3
		MPI_Isend 14 15 count=1 datatype=5 dest=1 tag=8 comm=2 request=4
		MPI_Test 16 17 request=2 flag=0 status=
		MPI_Waitall 18 19 count=4 requests=[3,1,2,4] statuses=77/3/8/0,0/0/0/0,50/2/6/0,1606419960/9/96/0
		MPI_Issend 20 21 count=1 datatype=5 dest=1 tag=8 comm=2 request=2
		MPI_Irecv 22 23 count=9 datatype=5 source=1 tag=8 comm=2 request=3
		MPI_Waitany 24 25 count=2 requests=[2,3] index=1 status=5/1/8/0
		MPI_Waitany 26 27 count=2 requests=[2,1] index=-32766 status=
		MPI_Irecv 28 29 count=9 datatype=5 source=1 tag=8 comm=2 request=3
		MPI_Irecv 30 31 count=9 datatype=5 source=1 tag=8 comm=2 request=5
		MPI_Waitsome 32 33 count=3 requests=[2,3,5] outcount=2 indices=[2,0] statuses=6/1/8/0,0/0/0/0
		MPI_Testall 34 35 count=1 requests=[3] flag=0 statuses=
		MPI_Cancel 36 37 request=3
		MPI_Wait 38 39 request=3 status=0/0/0/1
		MPI_Wait 40 41 request=3 status=
		MPI_Isend 42 43 count=1 datatype=5 dest=1 tag=8 comm=2 request=2
		MPI_Request_free 44 45 request=2
		MPI_Irecv 46 47 count=9 datatype=5 source=1 tag=8 comm=2 request=6
	EOF
	trace | calls | sed 1d > got
	cat > want <<- EOF
		0 irecv 2 . 50 6 . 2 . .
		0 irecv 3 . 77 8 . 3 . .
		0 isend 1 1 . 8 . 4 . .
		0 call . . . . . . . MPI_Test
		0 wait . . . . . 3 . MPI_Waitall
		0 wait . . . . . 2 . MPI_Waitall
		0 wait . . . . . 4 . MPI_Waitall
		0 isend 1 1 . 8 . 2 . MPI_Issend
		0 irecv 1 . 5 8 . 3 . .
		0 wait . . . . . 3 . MPI_Waitany
		0 call . . . . . . . MPI_Waitany
		0 irecv 1 . 9 8 . 3 . .
		0 irecv 1 . 6 8 . 5 . .
		0 wait . . . . . 5 . MPI_Waitsome
		0 wait . . . . . 2 . MPI_Waitsome
		0 call . . . . . . . MPI_Testall
		0 call . . . . . . . MPI_Cancel
		0 cancel . . . . . 3 . MPI_Wait
		0 call . . . . . . . MPI_Wait
		0 isend 1 1 . 8 . 2 . .
		0 cancel . . . . . 2 . MPI_Request_free
		0 irecv 1 . 9 8 . 6 . .
	EOF
	diff want got
}

@test "persistent requests are a message each time they are started" {
	make 0 <<- EOF
		MPI_Comm_size 0 1 comm=2 size=4
		MPI_Send_init 10 11 count=3 datatype=9 dest=1 tag=2 comm=2 request=2
		MPI_Recv_init 12 13 count=3 datatype=9 source=-1 tag=-1 comm=2 request=3
		MPI_Start 14 15 request=2
		MPI_Wait 16 17 request=2 status=
		MPI_Startall 18 19 count=2 requests=[2,3]
		MPI_Waitall 20 21 count=2 requests=[2,3] statuses=0/0/0/0,4/3/1/0
		MPI_Startall 22 23 count=2 requests=[2,3]
		MPI_Waitall 24 25 count=2 requests=[2,3] statuses=
		MPI_Request_free 26 27 request=2
		MPI_Start 28 29 request=2
	EOF
	trace | calls | sed 1d > got
	cat > want <<- EOF
		0 call . . . . . . . MPI_Send_init
		0 call . . . . . . . MPI_Recv_init
		0 isend 1 12 . 2 . 2 . MPI_Start
		0 wait . . . . . 2 . .
		0 isend 1 12 . 2 . 2 . MPI_Startall
		0 irecv 3 . 4 1 . 3 . MPI_Startall
		0 wait . . . . . 2 . MPI_Waitall
		0 wait . . . . . 3 . MPI_Waitall
		0 isend 1 12 . 2 . 2 . MPI_Startall
		0 irecv . . 12 . . 3 . MPI_Startall
		0 wait . . . . . 2 . MPI_Waitall
		0 wait . . . . . 3 . MPI_Waitall
		0 call . . . . . . . MPI_Request_free
		0 call . . . . . . . MPI_Start
	EOF
	diff want got
}

@test "datatypes: sizes from the calls that make them, and from the trace's list" {
	make 0 <<- EOF
		sizes=0,0,1,1,1,1,4,2,2,4,4,8,8,4,8,16,0,8,8,1,0,0,8,12,12,6,8,20,0,0,0,0,0,0,0,0,0,0,0,0,0,1234
		MPI_Comm_size 0 1 comm=2 size=2
		MPI_Type_contiguous 1 2 count=3 oldtype=14 newtype=28
		MPI_Type_vector 1 2 count=2 blocklength=5 stride=100 oldtype=28 newtype=29
		MPI_Type_indexed 1 2 count=3 lengths=[1,2,4] indices=[0,8,16] oldtype=9 newtype=30
		MPI_Type_struct 1 2 count=2 lengths=[3,1] indices=[0,8] oldtypes=[2,28] newtype=31
		MPI_Type_create_struct 1 2 count=2 blocklengths=[3,1] displacements=[0,8] oldtypes=[2,28] newtype=32
		MPI_Type_create_indexed_block 1 2 count=3 blocklength=7 displacments=[1,2,3] oldtype=7 newtype=33
		MPI_Type_create_subarray 1 2 ndims=2 sizes=[9,9] subsizes=[3,4] starts=[0,0] order=1 oldtype=14 newtype=34
		MPI_Type_dup 1 2 oldtype=34 newtype=35
		MPI_Type_create_resized 1 2 oldtype=35 lb=0 extent=1000 newtype=36
		MPI_Type_hvector 1 2 count=2 blocklength=2 stride=100 oldtype=9 newtype=37
		MPI_Type_size 1 2 datatype=38 size=99
		MPI_Type_contiguous 1 2 count=2 oldtype=40 newtype=39
		$(for t in 28 29 30 31 32 33 34 35 36 37 38 41; do
			echo "MPI_Send 10 11 count=2 datatype=$t dest=1 tag=0 comm=2"
		done)
	EOF
	[ "$(trace | awk -F '\t' '$4 == "send" { print $6 / 2 }' | xargs)" = '24 240 28 27 27 42 96 96 96 16 99 1234' ]
	run ! grep -q datatypes warnings
	(cat short-0; echo 'MPI_Send 10 11 count=2 datatype=39 dest=1 tag=0 comm=2') > more
	make 0 < more
	[ "$(trace | awk -F '\t' '$4 == "send" { print $6 }' | tail -1)" = 0 ]
	grep -q "r-0.bin: 1 buffers of datatypes whose size the trace doesn't contain count as empty" warnings
}

@test "collectives: what the rank's own buffers hold, at the root and elsewhere" {
	for rank in 0 2; do
		# ?: at the root only
		at_root() { [ $rank -eq 2 ] && echo "$@"; true; }
		make $rank <<- EOF
			MPI_Comm_rank 0 1 comm=2 rank=$rank
			MPI_Comm_size 0 1 comm=2 size=4
			MPI_Barrier 1 2 comm=2
			MPI_Bcast 1 2 count=3 datatype=9 root=2 comm=2
			MPI_Gather 1 2 commrank=$rank sendcount=1 sendtype=9 root=2 comm=2 $(at_root recvcount=1 recvtype=9)
			MPI_Gatherv 1 2 commrank=$rank commsize=4 sendcount=1 sendtype=9 root=2 comm=2 $(at_root 'recvcounts=[1,2,3,4] displs=[0,1,2,3]') recvtype=9
			MPI_Scatter 1 2 commrank=$rank recvcount=2 recvtype=9 root=2 comm=2 $(at_root sendcount=2 sendtype=9)
			MPI_Scatterv 1 2 commrank=$rank commsize=4 sendtype=9 recvcount=2 recvtype=9 root=2 comm=2 $(at_root 'sendcounts=[1,2,3,4] displs=[0,1,2,3]')
			MPI_Allgather 1 2 sendcount=1 sendtype=9 recvcount=1 recvtype=9 comm=2
			MPI_Allgatherv 1 2 commsize=4 sendcount=1 sendtype=9 recvcounts=[1,2,3,4] displs=[0,1,2,3] recvtype=9 comm=2
			MPI_Alltoall 1 2 sendcount=1 sendtype=14 recvcount=2 recvtype=9 comm=2
			MPI_Alltoallv 1 2 commsize=4 sendcounts=[1,2,3,4] senddispls=[0,0,0,0] sendtype=9 recvcounts=[5,6,7,8] recvdispls=[0,0,0,0] recvtype=2 comm=2
			MPI_Alltoallw 1 2 commsize=4 sendcounts=[1,2,3,4] senddispls=[0,0,0,0] sendtypes=[2,7,9,14] recvcounts=[1,1,1,1] recvdispls=[0,0,0,0] recvtypes=[2,7,9,14] comm=2
			MPI_Reduce 1 2 count=3 datatype=9 op=3 root=2 comm=2
			MPI_Allreduce 1 2 count=3 datatype=9 op=3 comm=2
			MPI_Reduce_scatter 1 2 commsize=4 recvcounts=[1,2,3,4] datatype=9 op=3 comm=2
			MPI_Scan 1 2 count=3 datatype=9 op=3 comm=2
			MPI_Exscan 1 2 count=3 datatype=9 op=3 comm=2
		EOF
	done
	trace | calls | awk '$2 != "call" { print $1, $2, $4, $5, $9 }' > got
	cat > want <<- EOF
		0 barrier . . .
		0 bcast . 12 2
		0 gather 4 . 2
		0 gatherv 4 . 2
		0 scatter . 8 2
		0 scatterv . 8 2
		0 allgather 4 16 .
		0 allgatherv 4 40 .
		0 alltoall 32 32 .
		0 alltoallv 40 26 .
		0 alltoallw 49 15 .
		0 reduce 12 . 2
		0 allreduce 12 12 .
		0 reduce_scatter 40 4 .
		0 scan 12 12 .
		0 exscan 12 12 .
		2 barrier . . .
		2 bcast 12 . 2
		2 gather 4 16 2
		2 gatherv 4 40 2
		2 scatter 32 8 2
		2 scatterv 40 8 2
		2 allgather 4 16 .
		2 allgatherv 4 40 .
		2 alltoall 32 32 .
		2 alltoallv 40 26 .
		2 alltoallw 49 15 .
		2 reduce 12 12 2
		2 allreduce 12 12 .
		2 reduce_scatter 40 12 .
		2 scan 12 12 .
		2 exscan 12 12 .
	EOF
	diff want got
}

@test "communicators are followed through splits, groups and grids, by all ranks together" {
	# 6 ranks: odd and even ones by falling rank; a group of two of the odd; a 3 x 2 grid and its columns
	for rank in 0 1 2 3 4 5; do
		if [ $((rank % 2)) -eq 1 ]; then pair=$((rank == 3 ? 1 : 6)); else pair=1; fi
		make $rank <<- EOF
			MPI_Comm_rank 0 1 comm=2 rank=$rank
			MPI_Comm_size 0 1 comm=2 size=6
			MPI_Comm_split 1 2 oldcomm=2 color=$((rank % 2)) key=$((-rank)) newcomm=4
			MPI_Comm_group 1 2 comm=4 group=3
			MPI_Group_incl 1 2 group=3 count=2 ranks=[2,0] newgroup=4
			$([ $((rank % 2)) -eq 0 ] || echo "MPI_Comm_create 3 4 oldcomm=4 group=4 newcomm=$pair")
			MPI_Comm_dup 5 6 oldcomm=2 newcomm=7
			MPI_Cart_create 5 6 oldcomm=7 ndim=2 dims=[3,2] periods=[0,0] reorder=0 newcomm=8
			MPI_Cart_sub 5 6 ndim=2 oldcomm=8 remain_dims=[1,0] newcomm=9
			MPI_Comm_free 6 7 comm=4
			MPI_Comm_split 6 7 oldcomm=9 color=$((rank < 2 ? -32766 : 0)) key=0 newcomm=$((rank < 2 ? 1 : 4))
			MPI_Send 8 9 count=1 datatype=2 dest=0 tag=0 comm=9
			$([ $rank -lt 2 ] || echo "MPI_Send 8 9 count=2 datatype=2 dest=1 tag=0 comm=4")
			$([ $rank != 1 ] || echo "MPI_Send 8 9 count=3 datatype=2 dest=1 tag=0 comm=6")
			MPI_Bcast 9 10 count=1 datatype=2 root=2 comm=9
		EOF
	done
	trace > t
	[ ! -s warnings ]
	members() { sed -n "s/^##comm=$1://p" t; }
	awk -F '\t' '$4 == "send" { print $1, $5, $6, $9 }' t > sends
	# to the first of its column
	[ "$(awk '$3 == 1 { print $1 $2 }' sends | xargs)" = '00 11 20 31 40 51' ]
	# of the split column: ranks 2, 4 and 3, 5
	[ "$(awk '$3 == 2 { print $1 $2 }' sends | xargs)" = '24 35 44 55' ]
	# of the pair: odd ranks are 5 3 1, places 2 and 0 are 1 and 5
	[ "$(awk '$3 == 3 { print $1 $2 }' sends)" = 15 ]
	[ "$(members "$(awk '$3 == 3 { print $4 }' sends)")" = 1,5 ]
	[ "$(members "$(awk '$3 == 1 && $1 == 0 { print $4 }' sends)")" = 0,2,4 ]
	[ "$(members "$(awk '$3 == 2 && $1 == 3 { print $4 }' sends)")" = 3,5 ]
	[ "$(sed -n 's/^##comm=[0-9]*://p' t | sort | xargs)" = '0,2,4 0-5 0-5 1,3,5 1,5 2,4 3,5 4,2,0 5,3,1' ]
	# roots are ranks of the world; making and freeing are collectives
	[ "$(awk -F '\t' '$4 == "bcast" { print $11 }' t | xargs)" = '4 5 4 5 4 5' ]
	[ "$(awk -F '\t' '$4 == "create" { n++ } $4 == "destroy" { m++ } END { print n, m }' t)" = '33 6' ]
	traceconv --from mpitrace --to comm -f messages:collectives=none t | body | cut -f1-3 | tr '\t' ' ' > c
	sed 's/^/rank /' c | grep -qx 'rank 1 5 3'
}

@test "groups: union, intersection, difference, exclusion, ranges" {
	for rank in 0 1 2 3 4 5 6 7; do
		make $rank <<- EOF
			MPI_Comm_rank 0 1 comm=2 rank=$rank
			MPI_Comm_size 0 1 comm=2 size=8
			MPI_Comm_group 1 2 comm=2 group=3
			MPI_Group_range_incl 1 2 group=3 count=2 ranges=[0,6,2][7,5,-2] newgroup=4
			MPI_Group_range_excl 1 2 group=3 count=1 ranges=[0,6,3] newgroup=5
			MPI_Group_union 1 2 group1=4 group2=5 newgroup=6
			MPI_Group_intersection 1 2 group1=4 group2=5 newgroup=7
			MPI_Group_difference 1 2 group1=4 group2=5 newgroup=8
			MPI_Group_excl 1 2 group=3 count=2 ranks=[0,7] newgroup=9
			$(for group in 4 5 6 7 8 9; do echo "MPI_Comm_create 3 4 oldcomm=2 group=$group newcomm=$group"; done)
		EOF
	done
	# a rank that is not a member has no communicator, which a trace tells by its number: all say that they have one here
	trace > t
	[ "$(sed -n 's/^##comm=[0-9]*://p' t | xargs)" = '0,2,4,6-7,5 1-2,4-5,7 0,2,4,6-7,5,1 2,4,7,5 0,6 1-6' ]
}

@test "a communicator that nobody can know of leaves calls, and a warning" {
	make 1 <<- EOF
		MPI_Comm_rank 0 1 comm=2 rank=1
		MPI_Comm_size 0 1 comm=2 size=4
		MPI_Comm_split 1 2 oldcomm=2 color=0 key=0 newcomm=4
		MPI_Send 8 9 count=1 datatype=2 dest=0 tag=0 comm=4
		MPI_Allreduce 8 9 count=1 datatype=9 op=3 comm=4
		MPI_Intercomm_create 8 9 localcomm=2 localleader=0 remotecomm=2 remoteleader=1 tag=0 newcomm=5
		MPI_Barrier 8 9 comm=5
		MPI_Comm_dup 8 9 oldcomm=2 newcomm=6
		MPI_Send 8 9 count=1 datatype=2 dest=3 tag=0 comm=6
	EOF
	trace | calls | sed 1,2d > got
	[ "$(cut -d' ' -f2,3,10 got | xargs)" = 'create . MPI_Comm_split call . MPI_Send call . MPI_Allreduce create . MPI_Intercomm_create call . MPI_Barrier create . . send 3 .' ]
	grep -q "r-1.bin: 3 calls on communicators whose members the traces don't contain are kept as calls only" warnings
}

@test "one-sided calls, windows and files" {
	make 0 <<- EOF
		MPI_Comm_size 0 1 comm=2 size=4
		MPI_Comm_dup 1 2 oldcomm=2 newcomm=4
		MPI_Win_create 1 2 size=100 dispunit=8 info=0 comm=4 win=1
		MPI_Put 3 4 origincount=2 origintype=14 targetrank=3 targetdisp=0 targetcount=2 targettype=14 win=1
		MPI_Get 5 6 origincount=3 origintype=14 targetrank=1 targetdisp=0 targetcount=3 targettype=14 win=1
		MPI_Accumulate 7 8 origincount=1 origintype=9 targetrank=2 targetdisp=0 targetcount=1 targettype=9 op=3 win=1
		MPI_Win_fence 9 10 assertion=0 win=1
		MPI_Win_free 11 12 win=1
		MPI_Put 13 14 origincount=2 origintype=14 targetrank=3 targetdisp=0 targetcount=2 targettype=14 win=1
		MPI_File_close 15 16 file=1
	EOF
	trace | calls | sed 1,2d > got
	cat > want <<- EOF
		0 create . . . . 1 . . MPI_Win_create
		0 put 3 16 . . 1 . . .
		0 get 1 . 24 . 1 . . .
		0 put 2 4 . . 1 . . MPI_Accumulate
		0 call . . . . . . . MPI_Win_fence
		0 destroy . . . . 1 . . MPI_Win_free
		0 call . . . . . . . MPI_Put
		0 call . . . . . . . MPI_File_close
	EOF
	diff want got
}

@test "traced functions are regions, by their names or addresses" {
	make 0 <<- EOF
		names=4096:main,8192:work
		Function_enter 0 1 fn=4096
		MPI_Init 2 3 argv=./a
		Function_enter 4 5 fn=8192
		MPI_Barrier 6 7 comm=2
		Function_exit 8 9 fn=8192
		Function_enter 10 11 fn=12288
		Function_exit 12 13 fn=12288
		MPI_Finalize 14 15
		Function_exit 16 17 fn=4096
	EOF
	trace | body | cut -f2-4,14 | tr '\t' ' ' > got
	cat > want <<- EOF
		0 . enter main
		0.000002 0.000003 init .
		0.000004 . enter work
		0.000006 0.000007 barrier .
		0.000008 . leave work
		0.00001 . enter 0x3000
		0.000012 . leave 0x3000
		0.000014 0.000015 finalize .
		0.000016 . leave main
	EOF
	diff want got
	traceconv --from dumpi --to profile r-0.bin | grep -q '^a'
}

@test "older versions: their index, statuses without tags, counts that were wrong" {
	for version in '1 5' '2 6' '5 7' '8 7' '9 8'; do
		make 0 $version <<- EOF
			MPI_Init 0 1 argv=./old,-x,y
			MPI_Comm_size 0 1 comm=2 size=4
			MPI_Type_struct 1 2 count=2 lengths=[3,1] indices=[0,8] oldtypes=[2,14] newtype=28
			MPI_Recv 20 21 count=10 datatype=28 source=-1 tag=-1 comm=2 status=40/2/9/0
			MPI_Finalize 30 40
		EOF
		trace > t
		grep -q '^##app=old$' t
		run -0 bash -c "grep recv t | tail -1 | cut -f4-8 | tr '\t' ' '"
		if [ "${version% *}" -lt 3 ]; then
			[ "$output" = 'recv 2 . 40 .' ]
		else
			[ "$output" = 'recv 2 . 40 9' ]
		fi
	done
}

@test "newer versions have the same records" {
	cp "$D/testtrace-0000.bin" new.bin
	[ "$(od -An -tu1 -j 377 -N 3 new.bin | xargs)" = '1 0 0' ]
	for version in 7 8; do
		printf '%b' "$(printf '\\%04o' "$version")" | dd of=new.bin bs=1 seek=377 conv=notrunc status=none
		[ "$(od -An -tu1 -j 377 -N 3 new.bin | xargs)" = "$version 0 0" ]
		diff <(traceconv --quiet --no-provenance --to mpitrace new.bin) \
			<(traceconv --quiet --no-provenance --to mpitrace "$D/testtrace-0000.bin")
	done
	printf '\377' | dd of=new.bin bs=1 seek=377 conv=notrunc status=none
	run -2 --separate-stderr traceconv --to mpitrace new.bin
	[[ $stderr == *'-1.0.0 is not a version of DUMPI' ]]
}

@test "a run of more than 65536 s: seconds begin anew" {
	make 0 <<- EOF
		MPI_Init 0 1 argv=./long
		MPI_Barrier 65535000000 65535500000 comm=2
		MPI_Barrier 65535900000 65536100000 comm=2
		MPI_Finalize 131073000000 131073000001
	EOF
	# as a binary keeps them; printed, they would be whole
	traceconv --from dumpi --to mpitrace r-0.bin | body | cut -f2,3 | tr '\t' ' ' > got
	printf '%s\n' '0 0.000001' '65535 65535.5' '65535.9 65536.1' '131073 131073.000001' > want
	diff want <(sed 's/^65537 /131073 /; s/ 65537\.000001$/ 131073.000001/' got)
	[ "$(tail -1 got)" = '65537 65537.000001' ] # less than a wrap's half behind the last call can't be told
}

@test "what was truncated, or is no trace, is refused" {
	need() { run -2 --separate-stderr traceconv --from "$1" --to mpitrace "$2"; [[ $stderr == *"$3"* ]]; }
	cp "$D/testtrace-0000.bin" whole.bin
	for n in 7 8 100 2000 2900 2959; do
		head -c $n whole.bin > cut.bin
		need dumpi cut.bin cut.bin:
	done
	need dumpi cut.bin 'no index at its end'
	head -n 24 "$D/testtrace-0000.txt" > cut.txt
	need dumpi-ascii cut.txt 'ends within'
	need dumpi-ascii /dev/null 'is empty'
	need dumpi /dev/null 'is empty'
	need dumpi "$D/testtrace-0000.txt" 'no DUMPI trace'
	sed 's/^int dest=.*/int dest=x/' "$D/testtrace-0000.txt" > bad.txt
	need dumpi-ascii bad.txt "bad.txt:26: 'x' is not a value of dest"
	sed 's/^MPI_Isend/MPI_Jsend/' "$D/testtrace-0000.txt" > bad.txt
	need dumpi-ascii bad.txt "'MPI_Jsend' is not a function that DUMPI knows"
	sed '/^MPI_Isend returning/d' "$D/testtrace-0000.txt" > bad.txt
	need dumpi-ascii bad.txt 'MPI_Recv begins before MPI_Isend returned'
}

@test "hostile binaries: flipped bits and huge counts end in a message or a table, in bounded memory" {
	# a count of 2^31 - 1 statuses, of requests
	make 0 <<< 'MPI_Waitall 18 19 count=1 requests=[3] statuses=77/3/8/0'
	hex=$(od -An -v -tx1 r-0.bin | tr -d ' \n')
	[[ $hex == *0000000100000003* ]]
	printf '%b' "$(sed 's/../\\x&/g' <<< "${hex/0000000100000003/7fffffff00000003}")" > huge.bin
	(
		bounded_memory 200000
		run -2 --separate-stderr traceconv --from dumpi --to mpitrace huge.bin
		[[ $stderr == *'MPI_Waitall: 2147483647 elements are more than the file holds'* ]]
	)
	size=$(stat -c %s "$D/testtrace-0001.bin")
	for ((i = 0; i < 377 * 8; i += 13)); do
		cp "$D/testtrace-0001.bin" flip.bin
		byte=$(od -An -tu1 -j $((i / 8)) -N 1 flip.bin)
		printf "$(printf '\\%03o' $((byte ^ (1 << (i % 8)))))" |
			dd of=flip.bin bs=1 seek=$((i / 8)) conv=notrunc status=none
		(
			bounded_memory 400000
			run --separate-stderr traceconv --from dumpi --to mpitrace flip.bin
			[ "$status" -eq 0 ] || [ "$status" -eq 2 ]
			[ "$status" -eq 0 ] || [[ $stderr == traceconv:* ]]
		)
	done
	[ "$size" -eq 2960 ]
}

@test "the examples of the readers" {
	traceconv --from dumpi:app=lammps --to mpitrace "$D/testtrace.meta" | grep -q '^##app=lammps$'
	traceconv --from dumpi-ascii:app=lammps --to profile "$D/testtrace-0000.txt" 2> /dev/null | body | grep -q '^lammps'
}
