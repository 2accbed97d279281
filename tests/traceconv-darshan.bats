bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	D=$ROOT/tests/formats/darshan
}

# same_counters LOG TEXT: every counter, of every record, in order, as darshan-parser printed it.
same_counters() {
	traceconv --from darshan:all --to metrics "$1" 2> /dev/null > m
	body m | awk -F '\t' -v OFS='\t' '{
		for (i = 1; i <= NF; i++) if ($i == ".") $i = ""
		print $1, $7, $8, $3, ($4 == "" ? $6 : $4), $9, $10, $11 }' > got
	grep -v -e '^#' -e '^$' "$2" > want || :
	awk -F '\t' '
		NR == FNR { want[NR] = $0; n = NR; next }
		{
			split(want[FNR], w, "\t")
			for (i = 1; i <= 8; i++)
				if (w[i] != $i && !(i == 5 && sprintf("%.6f", $i) == w[i])) {
					print "wanted " want[FNR] "\ngot    " $0
					exit 1
				}
			seen++
		}
		END { exit seen + 0 != n + 0 }' want got
}

@test "counters of the kept logs (3.00, 3.10 of a big-endian machine, 3.41) as darshan-parser has them" {
	for name in mpi-io-test-x86_64-3.0.0 mpi-io-test-ppc64-3.1.8 mpi-io-test-x86_64-3.5.0; do
		gzip -dc "$D/$name.txt.gz" > text
		same_counters "$D/$name.darshan" text
		[ -s got ]
	done
}

@test "counters of all real logs, all fields, as darshan-parser has them" {
	need_shared
	for log in "$SHARED"/data/darshan/logs/*.darshan; do
		name=${log##*/}
		text=$SHARED/data/darshan/parsed/${name%.darshan}.darshan-parser.txt.xz
		[ -e "$text" ]
		xz -dc "$text" > text
		echo "$name"
		same_counters "$log" text
	done
}

@test "the text of darshan-parser gives the counters that the log gives" {
	for name in mpi-io-test-x86_64-3.0.0 mpi-io-test-ppc64-3.1.8 mpi-io-test-x86_64-3.5.0; do
		traceconv --from darshan:all --to metrics "$D/$name.darshan" > a
		traceconv --from darshan-parser:all --to metrics "$D/$name.txt.gz" > b
		awk -F '\t' '
			NR == FNR { a[FNR] = $0; next }
			/^##/ { next }
			{
				split(a[FNR], w, "\t")
				for (i = 1; i <= 11; i++) {
					d = w[i] - $i
					if (w[i] != $i && !(i == 4 && d < 1e-6 && d > -1e-6)) exit 1
				}
			}' <(grep -v '^##command' a) <(grep -v '^##command' b)
		[ "$(body a | wc -l)" = "$(body b | wc -l)" ]
	done
}

@test "sums, kinds of files and performance are those of darshan-parser --total --file --perf" {
	need_shared
	for log in "$SHARED"/data/darshan/logs/*.darshan; do
		name=${log##*/}
		echo "$name"
		xz -dc "$SHARED/data/darshan/parsed/${name%.darshan}.total-perf.txt.xz" |
			sed -n -e 's/^# \([A-Z-]*\) module data/M \1/p' -e 's/^total_\(.*\): \(.*\)/\1 \2/p' \
				-e 's/^# total_bytes: /total_bytes /p' -e 's/^# \(agg_[a-z_]*\): \([0-9.]*\).*/\1 \2/p' \
				-e 's/^# unique files: slowest_rank_\(io\|meta_only\)_time: /unique_slowest_rank_\1_time /p' \
				-e 's/^# shared files: time_by_slowest: /shared_time_by_slowest /p' \
				-e 's/^# total: \([0-9]*\) .*/files \1/p' \
				-e 's/^# \(read_only\|write_only\|read_write\|unique\|shared\): \([0-9]*\) .*/files_\1 \2/p' > want
		traceconv --from darshan --to metrics "$log" 2> /dev/null | body > got
		awk -F '\t' '
			NR == FNR { split($0, a, " "); if (a[1] == "M") m = a[2]; else want[m "/" a[1]] = a[2]; next }
			$1 == "POSIX" || $1 == "MPI-IO" || $1 == "STDIO" {
				k = $1 "/" $3; w = want[k]; d = w - $4
				if (!(k in want) || (w != $4 && sprintf("%.6f", $4) != w && (d > 1.1e-6 + 1e-6 * w || d < -1.1e-6 - 1e-6 * w))) {
					print k, "wanted", w, "got", $4; bad = 1
				}
				n++
			}
			END { exit bad || (FNR > 2 && n < 20) }' want got
	done
}

@test "profile: the time of AutoPerf's MPI module over the run time" {
	need_shared
	log=$SHARED/data/darshan/logs/darshan-apmpi-2nodes-64mpi.darshan
	traceconv --to profile "$log" > p
	# MILC: a mean of 367.402 s of 592 s
	[ "$(column mpi_s p | cut -c1-7)" = 367.401 ]
	[ "$(column mpi_fraction p | cut -c1-6)" = 0.6206 ]
	[ "$(column app p),$(column ranks p),$(column nodes p)" = su3_rhmd_hisq,128,2 ]
	paste <(column mpi_fraction p) <(column allreduce_fraction p) <(column sendrecv_fraction p) \
		<(column wait_fraction p) <(column other_fraction p) |
		awk '{ d = $1 - $2 - $3 - $4 - $5; exit !(d < 1e-9 && d > -1e-9) }'
	xz -dc "$SHARED/data/darshan/parsed/darshan-apmpi-2nodes-64mpi.darshan-parser.txt.xz" |
		traceconv --to profile | column mpi_fraction | grep -q '^0.62061137'
	run -2 --separate-stderr traceconv --to profile "$D/mpi-io-test-x86_64-3.5.0.darshan"
	[[ $stderr == "traceconv: $D/mpi-io-test-x86_64-3.5.0.darshan: has no data of module APMPI"* ]]
}

@test "iotrace of a shared file: open, the sizes that were most common, dealt to the ranks, close" {
	traceconv --to iotrace "$D/mpi-io-test-x86_64-3.5.0.darshan" > t
	grep -qx '##timing=start' t
	grep -qx '##ranks=4' t
	body t | grep -v STDOUT | awk -F '\t' '
		{ n[$2]++; bytes[$2] += $5; seen[$1 $2]++ }
		$2 == "write" && ($5 != 16777216 || $7 != $1 * 16777216) { bad = 1 }
		END { exit bad || n["open"] != 4 || n["close"] != 4 || n["write"] != 4 || n["read"] != 4 ||
			bytes["write"] != 67108864 || bytes["read"] != 67108864 }'
	# the first write starts when the counters say, the last ends then
	[ "$(body t | awk -F '\t' '$2 == "write" { print $3; exit }')" = "$(body t | awk -F '\t' '$2 == "write" && $1 == 3 { print $3 }')" ]
	traceconv --from darshan:timing=think --to iotrace "$D/mpi-io-test-x86_64-3.5.0.darshan" > k
	grep -qx '##timing=think' k
	[ "$(body k | awk -F '\t' '$1 == 1 { s += $3 } END { printf "%.3f", s }')" != 0.000 ]
	run -0 --separate-stderr traceconv --from darshan:mixed=no --to iotrace "$D/mpi-io-test-x86_64-3.5.0.darshan"
	[[ $stderr == *"1 records of files both read and written were left out" ]]
	run ! grep -q test.tmp.dat <<< "$output"
}

@test "iotrace: all bytes of all files, whatever their sizes; operations beyond most= are joined" {
	need_shared
	for log in "$SHARED"/data/darshan/logs/*.darshan; do
		for layer in posix mpiio; do
			traceconv --from darshan --to metrics "$log" 2> /dev/null | body | awk -F '\t' -v layer=$layer '
				$3 ~ (layer == "posix" ? "^(POSIX|STDIO)_BYTES_(READ|WRITTEN)$" : "^MPIIO_BYTES_(READ|WRITTEN)$") { s += $4 }
				END { printf "%d\n", s }' > want
			for most in 1 7 10000; do
				traceconv --from "darshan:dxt=no,layer=$layer,most=$most" --to iotrace "$log" 2> /dev/null |
					body | awk -F '\t' '{ s += $5; if ($4 < $3) exit 1 } END { printf "%d\n", s }' | diff want -
			done
		done
	done
}

@test "extended traces: the operations as they were, from the log and from darshan-dxt-parser" {
	need_shared
	log=$(echo "$SHARED"/data/darshan/logs/treddy*.darshan)
	xz -dc "$SHARED"/data/darshan/parsed/treddy*.dxt.txt.xz > dxt
	for layer in posix mpiio; do
		x=X_$(echo "$layer" | tr a-z A-Z)
		traceconv --from "darshan:layer=$layer" --to iotrace "$log" | body | grep -v -e STDOUT |
			awk -F '\t' '$2 == "read" || $2 == "write" { printf "%d %s %d %d %.4f %.4f\n", $1, $2, $7, $5, $3, $4 }' | sort > got
		awk -v x="$x" '$1 == x { printf "%d %s %d %d %.4f %.4f\n", $2, $3, $5, $6, $7, $8 }' dxt | sort > want
		[ "$(wc -l < want)" -gt 200 ]
		# times are printed to 0.1 ms
		paste -d ' ' want got | awk '{
			if ($1 != $7 || $2 != $8 || $3 != $9 || $4 != $10) exit 1
			for (i = 5; i <= 6; i++) if ($i - $(i + 6) > 1.01e-4 || $i - $(i + 6) < -1.01e-4) exit 1 }'
		traceconv --from "darshan-dxt:layer=$layer" --to iotrace dxt > t
		[ "$(body t | wc -l)" = "$(wc -l < want)" ]
		body t | awk -F '\t' '$1 < last || ($1 == last && $3 < start) { exit 1 } { last = $1; start = $3 }'
	done
	# files that DXT did not trace come from counters, and opens and closes of all
	traceconv --to iotrace "$log" > t
	[ "$(body t | grep -c STDOUT)" -gt 0 ]
	[ "$(body t | cut -f2 | sort -u | tr '\n' ' ')" = "close open read write " ]
}

@test "a log is known by its content, compressed or not, from standard input too" {
	log=$D/mpi-io-test-ppc64-3.1.8.darshan
	traceconv --no-provenance --to metrics "$log" > want
	gzip -c "$log" > log.gz
	traceconv --no-provenance --to metrics log.gz | diff want -
	traceconv --no-provenance --to metrics < "$log" | diff want -
	gzip -dc "$D/mpi-io-test-ppc64-3.1.8.txt.gz" | traceconv -v --to metrics 2>&1 > /dev/null | grep -q 'darshan-parser -> metrics'
}

@test "partial logs are read and said to be partial; modules that nobody knows are left out" {
	need_shared
	run -0 --separate-stderr traceconv --to metrics "$SHARED/data/darshan/logs/partial_data_stdio.darshan"
	[[ $stderr == *"the data of module STDIO is not complete"* ]]
	[[ $output == *"##end" ]]
	run -0 --separate-stderr traceconv --to metrics "$SHARED/data/darshan/logs/mpi-io-test.darshan"
	[[ $stderr == *"module APXC, version 1, is not understood: it is left out" ]]
	run -0 --separate-stderr traceconv --to iotrace "$SHARED/data/darshan/logs/empty_log.darshan"
	[ "$(body <<< "$output" | wc -l)" = 0 ]
}

# poke FILE OFFSET BYTES...: writes bytes (hexadecimal) into a file.
poke() {
	file=$1 at=$2
	shift 2
	# shellcheck disable=SC2059 # the format is the bytes
	printf "$(printf '\\x%s' "$@")" | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
}

@test "what is no log, or damaged, or of bzip2, ends in a message and status 2" {
	log=$D/mpi-io-test-x86_64-3.5.0.darshan
	fresh() { cp "$log" bad && chmod u+w bad; }
	says() { # WHAT: bad is refused so
		run -2 --separate-stderr traceconv --from darshan --to metrics bad
		# shellcheck disable=SC2053 # the text may end in a pattern
		[[ $stderr == "traceconv: bad: "$1 ]]
		[ "${#stderr_lines[@]}" = 1 ]
	}
	fresh && poke bad 16 01 && says "its regions are compressed by bzip2, which is not read here: convert it first, darshan-convert IN OUT"
	fresh && poke bad 16 07 && says "compression method 7 is not known"
	fresh && poke bad 8 ff && says "is not a Darshan log of version 3: expected the number 6567223*"
	fresh && poke bad 0 34 && says "log version '4.41': expected 3.00 to 3.41"
	fresh && truncate -s 1000 bad && says "the header is truncated"
	fresh && truncate -s 1400 bad && says "the job record can't be decompressed: the log is damaged"
	fresh && truncate -s 2000 bad && says "the data of module POSIX would be beyond the end of the file, which was truncated"
	fresh && poke bad 64 ff ff ff ff ff ff ff 7f && says "*"
	: > bad && says "is empty"
	# counts beyond all measure, in regions that are not compressed
	cp "$ROOT/tests/fuzz/corpus/darshan/plain-3.41" bad
	run -0 traceconv --from darshan --to metrics bad
	for text in 'a row' $'POSIX\t0\t1\tPOSIX_OPENS'; do
		printf '# nprocs: 1\n%s\n' "$text" > bad
		run -2 --separate-stderr traceconv --from darshan-parser --to metrics bad
		[[ $stderr == "traceconv: bad:2: expected a row of darshan-parser"* ]]
	done
	echo 'POSIX	0	1	POSIX_OPENS	1	f	/	ext4' > bad
	run -2 --separate-stderr traceconv --from darshan-parser --to metrics bad
	[[ $stderr == "traceconv: bad:1: no line '# nprocs:' before"* ]]
}

@test "logs cut anywhere, or with any byte changed: a message or a result, in bounded memory" {
	for name in mpi-io-test-x86_64-3.0.0 mpi-io-test-ppc64-3.1.8; do
		log=$D/$name.darshan
		size=$(stat -c %s "$log")
		for ((at = 0; at < size; at += 31)); do
			head -c "$at" "$log" > bad
			run -2 traceconv --from darshan --to iotrace bad
			cp "$log" bad
			chmod u+w bad
			poke bad "$at" ff ff ff ff ff ff ff ff
			status=0
			(bounded_memory 2000000; traceconv --from darshan:all --to metrics bad > out 2> words) || status=$?
			[ $status = 0 ] || { [ $status = 2 ] && grep -q '^traceconv: ' words; }
		done
	done
}

# ---- augmentation ----

sample() {
	table iotrace timing=start <<-'END'
	rank op start_s bytes file offset end_s
	0 open 0 0 own.0 . 0.5
	0 write 1 100 own.0 0 1.5
	0 write 2 100 own.0 100 2.5
	0 write 3 100 shared 0 3.5
	1 write 1 100 own.1 0 1.5
	1 write 2 100 own.1 100 2.5
	1 read 4 100 own.1 200 4.5
	1 write 5 100 shared 100 5.5
	END
}

@test "ranks: clones have files of their own where the original had, and their part of shared ones" {
	sample > s
	traceconv --to iotrace -f ranks:n=5 s > t
	grep -qx '##ranks=5' t
	[ "$(body t | cut -f1 | sort | uniq -c | awk '{ printf "%d ", $1 }')" = "4 4 4 4 4 " ]
	body t | awk -F '\t' '$6 == "shared" { print $1, $7 }' | sort > got
	printf '%s\n' "0 0" "1 100" "2 200" "3 300" "4 400" | diff - got
	[ "$(body t | awk -F '\t' '$1 == 4 && $2 == "open" { print $6, $3 }')" = "own.0.4 0" ]
	traceconv --to iotrace -f ranks:n=1 s > t
	[ "$(body t | cut -f1 | sort -u)" = 0 ]
}

@test "bytes: sizes and offsets are multiplied, neighbours stay neighbours" {
	sample > s
	traceconv --to iotrace -f bytes:factor=2.5 s > t
	body t | awk -F '\t' '$2 != "open" && $5 != 250 { exit 1 }'
	[ "$(body t | awk -F '\t' '$1 == 1 && $6 == "own.1" { printf "%d ", $7 }')" = "0 250 500 " ]
	traceconv --to iotrace -f bytes:factor=0.001 s | body | awk -F '\t' '$2 != "open" && $5 < 1 { exit 1 }'
	traceconv --to iotrace -f bytes:factor=3,op=read s | body | awk -F '\t' '$5 != 0 && $5 != ($2 == "read" ? 300 : 100) { exit 1 }'
}

@test "repeat: at an interval, on the same files or new ones; think times wait in between" {
	sample > s
	traceconv --to iotrace -f repeat:count=3,every=40 s > t
	[ "$(body t | wc -l)" = 24 ]
	[ "$(body t | awk -F '\t' '$1 == 0 && $2 == "open" { printf "%s ", $3 }')" = "0 40 80 " ]
	[ "$(body t | awk -F '\t' '$1 == 1 && $2 == "read" { printf "%s-%s ", $3, $4 }')" = "4-4.5 44-44.5 84-84.5 " ]
	traceconv --to iotrace -f repeat:count=2,every=1ms,files=new s | body | cut -f6 | sort -u > files
	printf '%s\n' own.0 own.0.1 own.1 own.1.1 shared shared.1 | diff - files
	sed -e 's/timing=start/timing=think/' s > k
	traceconv --to iotrace -f repeat:count=2,every=10 k | body |
		awk -F '\t' '$1 == 1 { printf "%s ", $3 }' > starts
	[ "$(cat starts)" = "1 2 4 5 11 2 4 5 " ]
}

@test "coalesce: consecutive writes on one file, up to a size, never across anything else" {
	sample > s
	traceconv --to iotrace -f coalesce:size=200 s > t
	body t | awk -F '\t' '{ print $1, $2, $5, $6, $7, $3, $4 }' > got
	printf '%s\n' "0 open 0 own.0 . 0 0.5" "0 write 200 own.0 0 1 2.5" "0 write 100 shared 0 3 3.5" \
		"1 write 200 own.1 0 1 2.5" "1 read 100 own.1 200 4 4.5" "1 write 100 shared 100 5 5.5" | diff - got
	[ "$(traceconv --to iotrace -f coalesce:size=199 s | body | wc -l)" = 8 ]
	[ "$(traceconv --to iotrace -f coalesce:size=1KiB -f coalesce:size=1KiB s | body | wc -l)" = 6 ]
}

@test "barrier: of all ranks or groups, as many as the rank with the fewest operations allows" {
	sample > s
	traceconv --to iotrace -f barrier:every=1 s > t
	[ "$(body t | awk -F '\t' '$2 == "barrier" { n[$1]++ } END { print n[0], n[1] }')" = "3 3" ]
	[ "$(body t | awk -F '\t' '$2 == "barrier" { print $8; exit }')" = . ]
	traceconv --to iotrace -f barrier:every=2 s | body | awk -F '\t' '{ printf "%s%s ", $1, substr($2, 1, 1) }' > order
	[ "$(cat order)" = "0o 0w 0w 0b 0w 1w 1w 1b 1r 1w " ]
}

@test "barrier: groups are communicators" {
	sample > s
	traceconv --to iotrace -f ranks:n=6 -f 'barrier:groups=0-1+3-5,where=begin' s > t
	grep -qx '##comm=0:0-1' t
	grep -qx '##comm=1:3-5' t
	[ "$(body t | awk -F '\t' '$2 == "barrier" { printf "%s:%s ", $1, $8 }')" = "0:0 1:0 3:1 4:1 5:1 " ]
	traceconv --to iotrace -f barrier:size=1,where=end s > t
	[ "$(body t | awk -F '\t' '$2 == "barrier" { printf "%s:%s:%s ", $1, $8, $3 }')" = "0:0:3.5 1:1:5.5 " ]
	run -2 --separate-stderr traceconv --to iotrace -f 'barrier:groups=0-1+1' s
	[ "$stderr" = "traceconv: barrier: rank 1 is in two groups" ]
	run -2 --separate-stderr traceconv --to iotrace -f 'barrier:groups=0-9' s
	[ "$stderr" = "traceconv: barrier: group 0-9: there are 2 ranks" ]
	run -2 --separate-stderr traceconv --to iotrace -f barrier:size=1 -f ranks:n=4 s
	[[ $stderr == *"barriers of sub-communicators can't be cloned"* ]]
}

@test "rows of iotrace that make no sense are refused with their line; each filter's example works" {
	bad() { # WHAT LINE
		printf 'rank op start_s bytes\n%s\n' "$2" | table iotrace > bad
		run -2 --separate-stderr traceconv --to iotrace -f ranks:n=4 bad
		[ "$stderr" = "traceconv: bad:3: $1" ]
	}
	bad "op: 'delete' is not open, close, read, write, sync or barrier" '0 delete 0 0'
	printf 'rank op start_s bytes comm\n0 barrier 0 0 7\n' | table iotrace > bad
	run -2 --separate-stderr traceconv --to iotrace -f ranks:n=4 bad
	[ "$stderr" = "traceconv: bad:3: comm: no line ##comm=7:RANKS before" ]
	printf 'rank op start_s bytes\n2000000000 write 0 0\n' | table iotrace > bad
	run -2 --separate-stderr traceconv --to iotrace -f barrier bad
	[[ $stderr == "traceconv: "*"rank 2000000000: that can't be meant"* ]]
	printf 'rank op start_s bytes\n0 write 0 0\n' | table iotrace timing=never > bad
	run -2 --separate-stderr traceconv --to iotrace -f barrier bad
	[[ $stderr == *"##timing=never: expected start or think" ]]
	sample > s
	for pick in $(examples_of traceconv filters | grep -E '^(barrier|bytes|coalesce|ranks|repeat)'); do
		[ "$(traceconv -f "$pick" --to iotrace s | tail -1)" = '##end' ]
	done
	for pick in $(examples_of traceconv readers | grep '^darshan:'); do
		[ "$(traceconv --from "$pick" --to iotrace "$D/mpi-io-test-x86_64-3.5.0.darshan" | tail -1)" = '##end' ]
	done
	for pick in $(examples_of traceconv readers | grep '^darshan-'); do
		[ "$(traceconv --from "$pick" --to iotrace "$D/mpi-io-test-x86_64-3.5.0.txt.gz" | tail -1)" = '##end' ]
	done
}

# le NUMBER…: 64-bit numbers as a little-endian log has them
le() {
	local hex
	for number in "$@"; do
		printf -v hex '%016x' "$number"
		# shellcheck disable=SC2059 # the format is the bytes
		printf "$(sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\\x\8\\x\7\\x\6\\x\5\\x\4\\x\3\\x\2\\x\1/' <<<"$hex")"
	done
}

# with_pnetcdf LENGTH: an uncompressed log of 3.41 to which a record of PNETCDF_FILE is added: id and rank, nine counters
# 1 … 9, eight times 0.5 … 4 s; LENGTH is what the header says of the module.
with_pnetcdf() {
	cp "$ROOT/tests/fuzz/corpus/darshan/plain-3.41" log
	chmod u+w log
	at=$(stat -c %s log)
	le 77 0 1 2 3 4 5 6 7 8 9 0x3fe0000000000000 0x3ff0000000000000 0x3ff8000000000000 0x4000000000000000 \
		0x4004000000000000 0x4008000000000000 0x400c000000000000 0x4010000000000000 >>log
	le "$at" "$1" | dd of=log bs=1 seek=128 conv=notrunc status=none
	poke log 1092 03 00 00 00
}

@test "PnetCDF's files as Darshan 3.4.1 has them: 17 counters" {
	with_pnetcdf 152
	traceconv --from darshan:all --to metrics log | awk -F'\t' '/PNETCDF_FILE/ { sub(/.*PNETCDF_FILE_/, "", $0); print $1, $2 }' >got
	diff -u - got <<-'END'
		CREATES 1
		OPENS 2
		REDEFS 3
		INDEP_WAITS 4
		COLL_WAITS 5
		SYNCS 6
		BYTES_READ 7
		BYTES_WRITTEN 8
		WAIT_FAILURES 9
		F_OPEN_START_TIMESTAMP 0.5
		F_CLOSE_START_TIMESTAMP 1
		F_WAIT_START_TIMESTAMP 1.5
		F_OPEN_END_TIMESTAMP 2
		F_CLOSE_END_TIMESTAMP 2.5
		F_WAIT_END_TIMESTAMP 3
		F_META_TIME 3.5
		F_WAIT_TIME 4
	END
}

@test "a module that is damaged is named, and the others are read" {
	cp "$ROOT/tests/fuzz/corpus/darshan/plain-3.41" whole
	traceconv --from darshan:all --to metrics --no-provenance whole 2>/dev/null | sed '/^##source/d' >wanted
	with_pnetcdf 100
	run -0 --separate-stderr traceconv --from darshan:all --to metrics --no-provenance log
	diff -u wanted <(sed '/^##source/d' <<<"$output")
	[[ $stderr == *"log: the data of module PNETCDF_FILE ends in the middle of a record"* ]]
	[[ $stderr == *"log: the rest of module PNETCDF_FILE is left out"* ]]
}

@test "sizes at the ends of Darshan's bins are in the lower one" {
	record() { # BIN SIZE: one read of SIZE bytes in a bin; its size is known as the most common
		printf '# nprocs: 1\n# run time: 10\n'
		counter() { printf 'POSIX\t0\t1\t%s\t%s\t/f\t/\text4\n' "$1" "$2"; }
		counter POSIX_OPENS 1
		counter POSIX_READS 2
		counter POSIX_BYTES_READ "$(($2 + $2))"
		counter "POSIX_SIZE_READ_$1" 2
		counter POSIX_ACCESS1_ACCESS "$2"
		counter POSIX_ACCESS1_COUNT 1
		counter POSIX_ACCESS2_ACCESS "$(($2 + 1))"
		counter POSIX_ACCESS2_COUNT 1
	}
	# SIZE is of the bin, SIZE + 1 is not: the other operation's size is what is left
	for edge in 0_100:100 100_1K:1024 1K_10K:10240 10K_100K:102400 100K_1M:1048576 1M_4M:4194304 4M_10M:10485760; do
		record "${edge%:*}" "${edge#*:}" >log.txt
		sizes=$(traceconv --from darshan-parser --to iotrace log.txt | awk -F'\t' '!/^##/ { if (!n++) { for (i = 1; i <= NF; i++) at[$i] = i } else if ($at["op"] == "read") print $at["bytes"] }' | sort -n | paste -sd' ')
		[ "$sizes" = "${edge#*:} ${edge#*:}" ]
	done
}
