bats_require_minimum_version 1.5.0
load helper

# libotf2 itself loses memory when it refuses an archive
export ASAN_OPTIONS=detect_leaks=0

setup() {
	cd "$BATS_TEST_TMPDIR"
	PING=$ROOT/tests/formats/otf2/ping-pong/traces.otf2
}

need_otf2() {
	if traceconv --from otf2 --to comm "$PING" 2>&1 | grep -q 'built without libotf2'; then
		skip "this build has no libotf2"
	fi
}

# unpack NAME: a large sample's anchor file.
unpack() {
	need_shared
	need_otf2
	tar xzf "$SHARED/data/otf2/$1.tar.gz"
	ANCHOR=$(find . -name traces.otf2)
}

counts() { column op | sort | uniq -c | awk '{ printf "%s %d, ", $2, $1 }'; }

@test "built without libotf2 the reader and the writer say what is missing" {
	if ! traceconv --from otf2 --to comm "$PING" 2>&1 | grep -q 'built without libotf2'; then
		skip "this build has libotf2"
	fi
	run -2 --separate-stderr traceconv --from otf2 --to comm "$PING"
	[[ $stderr == "traceconv: $PING: this program was built without libotf2: install libotf2"* ]]
	run -2 --separate-stderr traceconv --from mpitrace --to otf2 -o new /dev/null
	[[ $stderr == "traceconv: new: this program was built without libotf2: install libotf2"* ]]
	[ ! -e new ]
}

@test "ping-pong: 16 sends, 16 receives, the fraction from MPI_Init's end to MPI_Finalize's start" {
	need_otf2
	[ "$(traceconv --to mpitrace "$PING" | counts)" = \
		"call 4, finalize 2, init 2, recv 16, send 16, " ]
	traceconv --to profile "$PING" > p
	[ "$(column mpi_fraction p | cut -c1-7)" = 0.54562 ]
	[ "$(column app p)" = ping-pong.otf2 ]
	[ "$(column ranks p),$(column nodes p)" = 2,1 ]
	traceconv --from otf2:app=pp --to profile "$PING" | column app | grep -qx pp
	printf '0\t1\t4177920\t8\n1\t0\t4177920\t8\n' > want
	traceconv --to comm "$PING" | body | diff want -
	printf '0\tquartz10\n1\tquartz10\n' > want
	traceconv --to mapping "$PING" | body | diff want -
}

@test "an archive with counters reads as the one without" {
	unpack ping-pong-2ranks-papi-scorep7.1
	[ "$(traceconv --to mpitrace "$ANCHOR" | counts)" = \
		"call 4, finalize 2, init 2, recv 16, send 16, " ]
	[ "$(traceconv --to profile "$ANCHOR" | column mpi_fraction | cut -c1-5)" = 0.558 ]
}

@test "AmgX: every message, collective and buffer location of the real trace" {
	unpack amgx-8ranks-2nodes-gpuattr-scorep4.1
	traceconv --to mpitrace "$ANCHOR" > t
	[ "$(counts < t)" = "allgather 24, allreduce 728, barrier 16, call 436, finalize 8, init 8, irecv 1040, isend 1070, recv 30, wait 2110, " ]
	# 2892 attribute lists: 1070 SRC only, 1070 DST only, 752 both; all in the host's memory
	[ "$(column send_location t | grep -c host)" = $((1070 + 752)) ]
	[ "$(column recv_location t | grep -c host)" = $((1070 + 752)) ]
	[ "$(paste <(column send_location t) <(column recv_location t) | grep -c 'host	host')" = 752 ]
	run ! grep -w gpu t
	# an allreduce of 8 bytes counts 8 × 8 in the archive
	[ "$(paste <(column op t) <(column bytes t) | grep -w allreduce | sort -u)" = "allreduce	8" ]
	traceconv --to profile "$ANCHOR" > p
	[ "$(column mpi_fraction p | cut -c1-6)" = 0.0157 ]
	[ "$(column nodes p)" = 2 ]
	traceconv --to mapping "$ANCHOR" | body | awk '{ n[$2]++ } END { exit !(n["lassen751"] == 4 && n["lassen761"] == 4) }'
	# the groups of Table I add up to the fraction
	paste <(column mpi_fraction p) <(column allreduce_fraction p) <(column sendrecv_fraction p) \
		<(column wait_fraction p) <(column other_fraction p) |
		awk '{ d = $1 - $2 - $3 - $4 - $5; exit !(d < 1e-12 && d > -1e-12) }'
}

@test "stencil: receives know peer, tag and bytes when they are posted; gaps are left out of time" {
	unpack stencil4d-32ranks-scorep3.0
	traceconv --to mpitrace "$ANCHOR" > t
	[ "$(counts < t)" = "barrier 96, enter 35, init 32, irecv 512, leave 33, off 64, send 512, wait 512, " ]
	grep -v '^##' t | sed 1d | awk -F '\t' '$4 == "irecv" && ($5 == "." || $7 != 131072 || $8 == ".") { bad++ } END { exit bad > 0 }'
	# what is sent is what is received: pairs with tags
	diff <(awk -F '\t' '$4 == "send" { print $1, $5, $8 }' t | sort) \
		<(awk -F '\t' '$4 == "irecv" { print $5, $1, $8 }' t | sort)
	[ "$(traceconv --from otf2:gaps=yes --to profile "$ANCHOR" | column mpi_fraction | cut -c1-6)" = 0.8747 ]
	[ "$(traceconv --to profile "$ANCHOR" | column mpi_fraction | cut -c1-6)" = 0.9909 ]
	[ "$(traceconv --from otf2:collectives=none --to comm "$ANCHOR" | body | awk '{ m += $4; b += $3 } END { print m, b }')" = "512 67108864" ]
	# 3 barriers of 32 ranks, 5 steps each
	[ "$(traceconv --to comm "$ANCHOR" | body | awk '{ m += $4; b += $3 } END { print m, b }')" = "992 67108864" ]
	[ "$(traceconv --from otf2:regions=none --to mpitrace "$ANCHOR" | counts)" = "barrier 96, init 32, irecv 512, off 64, send 512, wait 512, " ]
}

@test "a trace by libotf2 itself: GPU buffers by their attributes' names, copies to a GPU are no messages" {
	need_shared
	need_otf2
	traceconv --to mpitrace "$SHARED/data/otf2/written-by-libotf2-test/tr.otf2" > t
	grep -v '^##' t | cut -f1-9,12,13 > rows
	printf '%s\n' "rank time_s end_s op peer bytes recv_bytes tag comm send_location recv_location" \
		"0 0.0000001 0.0000002 send 1 1048576 . 42 . gpu ." \
		"1 0.00000009 0.00000022 recv 0 . 1048576 42 . . host" | tr ' ' '\t' | diff - rows
	traceconv --to comm "$SHARED/data/otf2/written-by-libotf2-test/tr.otf2" | body > c
	printf '0\t1\t1048576\t1\n' | diff - c
}

@test "mpitrace to OTF2 and back loses nothing; comm and profile come out the same either way" {
	need_shared
	need_otf2
	for sample in amgx-8ranks-2nodes-gpuattr-scorep4.1 stencil4d-32ranks-scorep3.0 ping-pong-2ranks-scorep7.1; do
		mkdir "$sample"
		tar xzf "$SHARED/data/otf2/$sample.tar.gz" -C "$sample"
		anchor=$(find "$sample" -name traces.otf2)
		traceconv --no-provenance --to mpitrace "$anchor" > first
		traceconv --from mpitrace --to otf2 -o "$sample/new" first
		traceconv --no-provenance --to mpitrace "$sample/new/traces.otf2" > second
		# communicators are numbered anew, which only their names show
		diff <(sed 's/^##comm=[0-9]*:/##comm=N:/' first) <(sed 's/^##comm=[0-9]*:/##comm=N:/' second)
		for collectives in mpich tracer linear ring openmpi openmpi-4.0 none; do
			traceconv --no-provenance --from "otf2:collectives=$collectives" --to comm "$anchor" > c
			traceconv --no-provenance -f "messages:collectives=$collectives" --from mpitrace --to comm first | diff c -
		done
		traceconv --from mpitrace --to profile first > p1
		traceconv --to profile "$anchor" > p2
		for name in app ranks mpi_fraction allreduce_fraction other_fraction runtime_s; do
			paste <(column $name p1) <(column $name p2) |
				awk '{ exit !($1 == $2 || ($1 - $2) ^ 2 < 1e-10 * $1 ^ 2) }'
		done
	done
}

@test "every operation survives the way through an archive" {
	need_otf2
	table mpitrace app=all ranks=4 comm=7:0-1,3 comm=8:self comm=9:0-1\|2-3 > first <<-'END'
	rank time_s end_s op peer bytes recv_bytes tag comm request root send_location recv_location region
	0 0 1 init . . . . . . . . . MPI_Init_thread
	0 1 . enter . . . . . . . . . solver
	0 1 1.1 isend 3 64 . 5 7 1 . gpu . .
	0 1.1 1.2 irecv 1 . 32 6 . 2 . . host .
	0 1.2 1.3 wait . . . . . 1 . . . MPI_Waitall
	0 1.2 1.3 wait . . . . . 2 . . . MPI_Waitall
	0 1.3 1.4 send 1 8 . 0 . . . . . MPI_Ssend
	0 1.4 1.5 isend 1 8 . 1 . 0 . . . MPI_Sendrecv
	0 1.4 1.5 recv 1 . 8 1 . . . . . MPI_Sendrecv
	0 1.4 1.5 wait . . . . . 0 . . . MPI_Sendrecv
	0 1.5 1.6 barrier . . . . 7 . . . . .
	0 1.6 1.7 bcast . 100 . . . . 0 gpu . .
	0 1.7 1.8 gather . 10 40 . . . 0 . . .
	0 1.8 1.9 scatterv . . 33 . . . 2 . . .
	0 1.9 2 allreduce . 24 24 . 7 . . host gpu .
	0 2 2.1 iallgather . 5 20 . . 4 . . . .
	0 2.1 2.2 off . . . . . . . . . .
	0 2.2 2.3 wait . . . . . 4 . . . .
	0 2.3 2.4 scan . 7 7 . . . . . . .
	0 2.4 2.5 reduce_scatter_block . 40 10 . . . . . . .
	0 2.5 2.6 create . . . . . . . . . MPI_Comm_split
	0 2.6 2.7 put 2 512 . . . . . . . .
	0 2.7 2.8 get 3 . 256 . . . . . . MPI_Rget
	0 2.8 2.9 irecv . . . . . 5 . . . .
	0 2.9 3 cancel . . . . . 5 . . . .
	0 3 3.1 send 0 1 . 1 8 . . . . .
	0 3.1 3.2 send 3 1 . 1 9 . . . . .
	0 3.2 . leave . . . . . . . . . solver
	0 3.3 3.4 call . . . . . . . . . MPI_Comm_rank
	0 4 5 finalize . . . . . . . . . .
	3 0 1 recv 0 . 64 5 7 . . . . .
	END
		traceconv --from mpitrace --to otf2 -o new first
	otf2_reads_it new/traces.otf2
	traceconv --no-provenance --from otf2 --to mpitrace new/traces.otf2 > second
	sed 's/^##comm=1:/##comm=7:/; s/^##comm=2:/##comm=8:/; s/^##comm=3:/##comm=9:/' second |
		awk -F '\t' -v OFS='\t' '!/^#/ && NR > 6 && $9 ~ /^[0-9]/ { $9 += 6 } { print }' |
		grep -v -e '^##placetools' -e '^##end' > rows
	diff <(grep -v '^##placetools' first) rows
}

# Where otf2-print is installed it reads what we wrote, without a word on stderr.
otf2_reads_it() {
	command -v otf2-print > /dev/null || return 0
	otf2-print "$1" > /dev/null 2> words
	[ ! -s words ]
}

@test "mark sets the location flag, and the archive carries it" {
	need_otf2
	traceconv --to mpitrace -f mark:gpu "$PING" > t
	[ "$(column send_location t | grep -c gpu)" = 16 ]
	[ "$(column recv_location t | grep -c gpu)" = 16 ]
	traceconv --from otf2 --to otf2 -f mark:gpu,side=send,least=65536 -o gpu "$PING"
	traceconv --to mpitrace gpu/traces.otf2 > t
	[ "$(awk -F '\t' '$12 == "gpu" && $6 >= 65536' t | wc -l)" = \
		"$(awk -F '\t' '$6 != "." && $6 >= 65536' t | grep -vc op)" ]
	run ! grep -q . <(awk -F '\t' '$13 == "gpu" || ($12 == "gpu" && $6 < 65536)' t)
	traceconv --from otf2 --to mpitrace -f mark:host,which=unknown gpu/traces.otf2 > t
	[ "$(column send_location t | sort | uniq -c | awk '$2 == "gpu" || $2 == "host" { n += $1 } END { print n }')" = 16 ]
	run -2 --separate-stderr traceconv --to mpitrace -f mark "$PING"
	[[ $stderr == *"expected either gpu or host"* ]]
}

@test "an archive is whole or not there, and never replaces anything" {
	need_otf2
	mkdir old
	run -2 --separate-stderr traceconv --from otf2 --to otf2 -o old "$PING"
	[ "$stderr" = "traceconv: old: is there already: a folder with an archive is made new" ]
	printf 'rank time_s op\n0 1 barrier\n0 0.5 barrier\n' | table mpitrace ranks=1 > back
	run -2 --separate-stderr traceconv --to otf2 -o new back
	[ "$stderr" = "traceconv: back:5: rank 0: time_s is less than in the row before" ]
	printf 'rank time_s op\n0 1 barrier\n1 1 barrier\n0 2 barrier\n' | table mpitrace ranks=2 > mixed
	run -2 --separate-stderr traceconv --to otf2 -o new mixed
	[ "$stderr" = "traceconv: new: rank 0 comes a second time: expected rows rank by rank" ]
	printf 'rank time_s end_s op\n0 1 3 barrier\n0 2 4 barrier\n' | table mpitrace ranks=1 > over
	run -2 --separate-stderr traceconv --to otf2 -o new over
	[[ $stderr == "traceconv: over:5: calls of rank 0 overlap"* ]]
	[ -z "$(find . -name 'new*')" ]
	run -2 --separate-stderr traceconv --from otf2 --to otf2 "$PING"
	[[ $stderr == *"it needs -o PATH"* ]]
}

@test "rows that make no sense are refused with their line" {
	bad() { # WHAT LINE...: a table of these lines
		what=$1
		shift
		printf '%s\n' "$@" | table mpitrace ranks=4 > bad
		run -2 --separate-stderr traceconv --from mpitrace --to comm bad
		[ "$stderr" = "traceconv: $what" ]
	}
	bad "bad:4: op: 'sned' is not an operation; placetools-mpitrace(5) lists them" 'rank time_s op' '0 0 sned'
	bad 'bad:4: send: expected peer and bytes' 'rank time_s op' '0 0 send'
	bad 'bad:4: peer: there are 4 ranks, and this is rank 4' 'rank time_s op peer bytes' '0 0 send 4 1'
	bad 'bad:4: wait: expected a request' 'rank time_s op' '0 0 wait'
	bad 'bad:4: end_s is before time_s' 'rank time_s end_s op' '0 1 0.5 barrier'
	bad 'bad:4: comm: no line ##comm=3:RANKS before' 'rank time_s op comm' '0 1 barrier 3'
	bad "bad:4: send_location: 'fpga' is not host or gpu" 'rank time_s op send_location' '0 1 barrier fpga'
	printf 'rank time_s op\n0 1 barrier\n' | table mpitrace > bad
	run -2 --separate-stderr traceconv --from mpitrace --to comm bad
	[[ $stderr == *'no line ##ranks=N before it says how many those are' ]]
	for comm in 3 : 3: 3:a 3:5-2 3:1,, '3:1|' 3:0-99999999; do
		printf 'rank time_s op\n0 1 barrier\n' | table mpitrace ranks=4 "comm=$comm" > bad
		run -2 --separate-stderr traceconv --from mpitrace --to comm bad
		[[ $stderr == "traceconv: ##comm="* ]]
	done
	printf 'rank time_s op\n0 1 barrier\n' | table mpitrace ranks=4 comm=1:0-1 comm=1:0-2 > bad
	run -2 --separate-stderr traceconv --from mpitrace --to comm bad
	[ "$stderr" = 'traceconv: ##comm=1: was another communicator before' ]
}

@test "what libotf2 can't open, and archives that are truncated or damaged, end in a message" {
	need_otf2
	run -2 --separate-stderr traceconv --from otf2 --to comm - <<<junk
	[[ $stderr == *"an OTF2 archive is a folder of files"* ]]
	echo junk > junk.otf2
	run -2 --separate-stderr traceconv --from otf2 --to comm junk.otf2
	[[ $stderr == "traceconv: junk.otf2: libotf2 can't open it: "*"expected the anchor file of an OTF2 archive (traces.otf2)" ]]
	for cut in traces.def traces/0.evt traces/1.def traces.otf2; do
		rm -rf a
		cp -r "${PING%/*}" a
		chmod -R u+w a
		truncate -s 100 "a/$cut"
		for to in comm profile mpitrace; do
			run -2 --separate-stderr traceconv --from otf2 --to $to a/traces.otf2
			[[ $stderr == "traceconv: a/traces.otf2: "* ]]
			[ "${#stderr_lines[@]}" = 1 ]
			run ! grep -q '##end' <<< "$output"
		done
	done
}

@test "an anchor that asks for chunks larger than any takes no memory" {
	need_otf2
	cp -r "${PING%/*}" a
	chmod -R u+w a
	printf '\xff' | dd of=a/traces.otf2 bs=1 seek=17 conv=notrunc status=none # of the size of the events' chunks
	run -2 --separate-stderr traceconv --from otf2 --to mpitrace a/traces.otf2
	[[ $stderr == "traceconv: a/traces.otf2: its chunks have "*" bytes, expected at most 16777216" ]]
}

@test "flipped bits: a message or a result, never a crash, in bounded memory" {
	need_otf2
	RANDOM=7
	for _ in {1..40}; do
		rm -rf a
		cp -r "${PING%/*}" a
		chmod -R u+w a
		files=(a/traces.def a/traces.otf2 a/traces/*)
		file=${files[RANDOM % ${#files[@]}]}
		size=$(stat -c %s "$file")
		printf "\\x$(printf %x $((RANDOM % 256)))" |
			dd of="$file" bs=1 seek=$(((RANDOM * 32768 + RANDOM) % size)) conv=notrunc status=none
		status=0
		(bounded_memory 1000000; traceconv --from otf2 --to mpitrace a/traces.otf2 > out 2> words) || status=$?
		[ $status = 0 ] || { [ $status = 2 ] && grep -q '^traceconv: ' words; }
	done
}

@test "memory follows what is outstanding, not the length of the trace" {
	need_otf2
	for rounds in 2000 200000; do
		awk -v rounds=$rounds 'BEGIN {
			OFS = "\t"; print "##placetools=mpitrace/1"; print "##ranks=2"
			print "rank", "time_s", "end_s", "op", "peer", "recv_bytes", "tag", "request"
			for (i = 0; i < rounds; i++) {
				print 0, 2 * i, 2 * i + 1, "irecv", 1, 8, 3, i
				print 0, 2 * i + 1, 2 * i + 2, "wait", ".", ".", ".", i
			}
		}' | traceconv --from mpitrace --to otf2 -o archive$rounds
	done
	peak() { "$PLACETOOLS_BUILD/tests/tools/peak" traceconv --from otf2 --to mpitrace -o out "$1/traces.otf2" 2>&1; }
	small=$(peak archive2000)
	large=$(peak archive200000)
	[ "$(body out | wc -l)" = 400000 ]
	[ "$large" -lt $((small + 3000)) ]
}

@test "the examples of the reader, the filters and the writer work" {
	need_otf2
	for pick in $(examples_of traceconv readers | grep '^otf2'); do
		traceconv --from "$pick" --to comm "$PING" > /dev/null
	done
	traceconv --to mpitrace "$PING" > t
	for pick in $(examples_of traceconv filters | grep -E '^(mark|messages|mpi-time)'); do
		run -0 --separate-stderr traceconv -f "$pick" --from mpitrace --to "$(case $pick in mark*) echo mpitrace ;; messages*) echo comm ;; *) echo profile ;; esac)" t
	done
}

@test "a collective without its root is left out of the graph; an empty trace stays one when it is marked" {
	printf '%s\n' 'rank time_s op bytes comm' '0 1 bcast 8 3' '1 1 bcast . 3' | table mpitrace ranks=2 comm=3:0-1 > t
	run -0 --separate-stderr traceconv --from mpitrace --to comm t
	[[ $stderr == *'2 calls of collectives were left out'* ]]
	printf '##placetools=mpitrace/1\n' > empty
	traceconv --from mpitrace --to mpitrace -f mark:gpu empty > marked
	[ "$(traceconv --from mpitrace --to mpitrace marked | grep -vc '^##')" = 0 ]
}

@test "two archives of one input have the same bytes" {
	need_otf2
	jobgen mpi:app=lulesh,ranks=8 >m.tsv
	traceconv -T otf2 -o a m.tsv
	traceconv -T otf2 -o b m.tsv
	diff -r a b
}

@test "a signal leaves nothing of an archive" {
	need_otf2
	jobgen mpi:app=lulesh,ranks=8 >m.tsv
	mkfifo rows
	traceconv -T otf2 -o ot <rows &
	pid=$!
	exec 8>rows
	head -n 200 m.tsv >&8
	until compgen -G 'ot.*' >/dev/null || ! kill -0 $pid; do :; done
	kill -TERM $pid
	wait $pid || true
	exec 8>&-
	[[ -z $(compgen -G 'ot*') ]]
}
