bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	SAMPLES=$BATS_TEST_DIRNAME/formats/profiles
}

# The named columns of the last row: field COLUMN… < stream
field() {
	rows | awk -F'\t' -v want="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n = split(want, w, " "); line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[w[i]] }
		END { print line }'
}

# near WANT DIGITS: the number on standard input, rounded
near() { awk -v want="$1" -v digits="$2" '{ exit sprintf("%." digits "f", $1) != want }'; }

# ---- CrayPat ----

@test "craypat: the fractions of all real reports, tracing and sampling" {
	need_shared
	cd "$SHARED/data/mpiprof"
	fraction() { traceconv --from craypat:app=x,ranks=4 --to profile "$1" | field mpi_fraction; }
	# ARCHER2's example: MPI 25.9 % and MPI_SYNC 29.2 %; sampling of the same program says 56.7 %
	fraction craypat-tracing-jacobi-archer2.txt | near 0.551 3
	fraction craypat-sampling-jacobi-archer2.txt | near 0.567 3
	fraction craypat-lite-sampling-nyx-amrex.txt | near 0.168 3
	fraction craypat-full-VASP-ARCHER-CdTe_32*.pat | near 0.335 3
	fraction craypat-full-VASP-ARCHER2-CdTe_1*.report | near 0.594 3
}

@test "craypat: program, ranks and nodes from the preamble; only Table 1 is read" {
	need_shared
	cd "$SHARED/data/mpiprof"
	[ "$(traceconv --to profile craypat-full-VASP-ARCHER-CdTe_32*.pat | field app ranks nodes runtime_s)" = "vasp_ncl 768 32 ." ]
	[ "$(traceconv --to profile craypat-full-VASP-ARCHER2-CdTe_1*.report | field app binary ranks nodes)" = "vasp_ncl vasp_ncl 128 1" ]
	# MPI_ALLREDUCE is at 100 % in Table 2 and at 38.4 % in Table 1
	traceconv --to profile craypat-full-VASP-ARCHER2-CdTe_1*.report | field allreduce_fraction | near 0.384 3
}

@test "craypat: MPI and MPI_SYNC add up, (sync) belongs to its operation, the hidden rest is other" {
	run -0 --separate-stderr traceconv --no-provenance --to profile "$SAMPLES/craypat-tracing.txt"
	[ -z "$stderr" ]
	[ "$(echo "$output" | field app ranks nodes runtime_s mpi_s mpi_fraction)" = "solve 1024 64 100 60 0.6" ]
	[ "$(echo "$output" | field allreduce_fraction sendrecv_fraction wait_fraction)" = "0.35 0.05 0.1" ]
	echo "$output" | field other_fraction | near 0.1000 4
}

@test "craypat: sampling has no time, CrayPat-lite has one" {
	sed 's/^ *Time% | *Time /  Samp% | Samp /' "$SAMPLES/craypat-tracing.txt" > s.txt
	[ "$(traceconv --to profile s.txt | field runtime_s mpi_s mpi_fraction)" = ". . 0.6" ]
	sed 's/^Execution start.*/Avg Process Time:     2,100 secs/' s.txt > lite.txt
	[ "$(traceconv --to profile lite.txt | field runtime_s mpi_s)" = "2100 1260" ]
}

@test "craypat: what the report does not say must be given" {
	sed '/Number of PEs/d;/PEs on each/d' "$SAMPLES/craypat-tracing.txt" > r.txt
	run -2 --separate-stderr traceconv --to profile r.txt
	[ "$stderr" = "traceconv: r.txt: the report does not say its number of MPI ranks: give craypat:ranks=N" ]
	[ "$(traceconv --from craypat:ranks=8,nodes=2,app=me --to profile r.txt | field app binary ranks nodes)" = "me solve 8 2" ]
	sed '/data file/,+1d' "$SAMPLES/craypat-tracing.txt" > r.txt
	run -2 --separate-stderr traceconv --to profile r.txt
	[[ $stderr == *"does not say its program: give craypat:app=NAME" ]]
}

@test "craypat: another layout is refused, no MPI group is 0 with a warning" {
	sed 's/^ *Time% |.*Group$/  Group \/ Function \/ PE=HIDE/' "$SAMPLES/craypat-tracing.txt" > r.txt
	run -2 --separate-stderr traceconv --to profile r.txt
	[[ $stderr == "traceconv: r.txt:"*": Table 1 has another layout"* ]]
	sed 's/Profile by Function Group and Function/Load Balance with MPI Message Stats/' "$SAMPLES/craypat-tracing.txt" > r.txt
	run -2 --separate-stderr traceconv --to profile r.txt
	[[ $stderr == *"expected a profile by function"* ]]
	sed 's/| *MPI/| XYZ/' "$SAMPLES/craypat-tracing.txt" > r.txt
	run -0 --separate-stderr traceconv --to profile r.txt
	[ "$(echo "$output" | field mpi_fraction)" = 0 ]
	[[ $stderr == *"Table 1 has no group MPI"* ]]
	head -n 5 "$SAMPLES/craypat-tracing.txt" > r.txt
	run -2 --separate-stderr traceconv --to profile r.txt
	[[ $stderr == "traceconv: r.txt:5: has no Table 1"* ]]
}

# ---- IPM ----

@test "ipm: %comm of all real banners" {
	need_shared
	cd "$SHARED/data/mpiprof"
	fraction() { traceconv --to profile "$1" | field mpi_fraction ranks nodes; }
	[ "$(fraction ipm-2.0.5-cellmg-128ranks-cori-amrex.txt)" = "0.3251 128 32" ]
	[ "$(fraction ipm-2.0.6-TwoDMPIPFC-csc.txt)" = "0.1272 40 1" ]
	[ "$(fraction ipm-2.0.6-kernel-a2a-4ranks-local.txt)" = "0.4525 4 1" ]
	[ "$(fraction ipm-2.0.6-kernel-ep-4ranks-local.txt)" = "0.019 4 1" ]
	[ "$(fraction ipm-2.0.6-lammps-lj-2ranks-local.txt)" = "0.79 2 1" ]
	# cell-MG: Allreduce 225.72 s, Isend and Send 25.10 s, Waitall 92.84 s of 1188.42 s
	cd "$BATS_TEST_TMPDIR"
	traceconv --to profile "$SHARED"/data/mpiprof/ipm-2.0.5*.txt > p.tsv
	field allreduce_fraction < p.tsv | near 0.1899 4
	field sendrecv_fraction < p.tsv | near 0.0211 4
	field wait_fraction < p.tsv | near 0.0781 4
}

@test "ipm: banners amid output, several in a file, and that of version 0.98" {
	run -0 --separate-stderr traceconv --from ipm --to profile "$SAMPLES/ipm-0.98.txt" "$SAMPLES/ipm-twice.txt"
	[ "$(echo "$output" | rows | cut -f1,3,4,5,7 | tail -n +2)" = "$(printf '%s\t%s\t%s\t%s\t%s\n' \
		a.out 32 16 10 0.2772 first 2 1 5 0.2 second 4 2 5 0.4)" ]
	[ "$(traceconv --to profile "$SAMPLES/ipm-0.98.txt" | field allreduce_fraction wait_fraction)" = "0.1 0.15" ]
}

@test "ipm: what is wrong is refused" {
	echo 'no banner' > bad.txt
	run -2 --separate-stderr traceconv --from ipm --to profile bad.txt
	[[ $stderr == "traceconv: bad.txt:1: has no line that begins with ##IPMv"* ]]
	printf '##IPMv2.0.6###\n# mpi_tasks : many on 1 nodes  %%comm : 3\n' > bad.txt
	run -2 --separate-stderr traceconv --to profile bad.txt
	[[ $stderr == "traceconv: bad.txt:2: expected 'mpi_tasks : N on M nodes'" ]]
	printf '##IPMv2.0.6###\n# mpi_tasks : 1 on 1 nodes  %%comm : -3\n' > bad.txt
	run -2 --separate-stderr traceconv --to profile bad.txt
	[[ $stderr == "traceconv: bad.txt:2: '%comm' is not a percentage" ]]
	printf '##IPMv2.0.6###\n# command : x\n' > bad.txt
	run -2 --separate-stderr traceconv --to profile bad.txt
	[[ $stderr == *"has no 'mpi_tasks :' and '%comm :' lines" ]]
}

@test "ipm-xml: the real log's profile and communication graph" {
	need_shared
	log=$SHARED/data/mpiprof/ipm-2.0.6-lammps-lj-2ranks-local.xml
	traceconv --to profile "$log" > p.tsv
	[ "$(field app ranks nodes < p.tsv)" = "lmp 2 1" ]
	field mpi_fraction < p.tsv | near 0.7884 4 # 10.13011 s of 12.84829 s
	run -0 --separate-stderr traceconv --no-provenance --to comm "$log"
	[ "$output" = "$(printf '##placetools=comm/1 end=yes\nsrc\tdst\tbytes\tmessages\n0\t1\t54354172\t1688\n1\t0\t54353660\t1688\n##end')" ]
}

@test "ipm-xml: only sends count, by destination, in order" {
	run -0 --separate-stderr traceconv --no-provenance --to comm "$SAMPLES/ipm.xml"
	[ "$(echo "$output" | rows | tail -n +2 | tr '\t' ' ')" = "$(printf '0 0 8 1\n0 1 700 8\n0 2 5 1\n2 0 30 3')" ]
	[ "$(traceconv --to profile "$SAMPLES/ipm.xml" | field app ranks nodes runtime_s mpi_s mpi_fraction)" = "a&b 3 2 10 4 0.4" ]
}

@test "ipm-xml: what is wrong is refused with file and line" {
	check() { # MESSAGE SED…
		local want=$1
		shift
		sed "$@" "$SAMPLES/ipm.xml" > bad.xml
		run -2 --separate-stderr traceconv --from ipm-xml --to comm bad.xml
		[ "$stderr" = "traceconv: bad.xml:$want" ]
	}
	check "5: <hent>: orank 3 of 3 ranks" '5s/orank="1"/orank="3"/'
	check "5: <hent>: bytes='-1' is not a whole number of at least 0" '5s/bytes="100"/bytes="-1"/'
	check "5: </hint> closes nothing" '5s/<.hent>/<\/hint>/'
	check "3: <task>: rank 9 of 3" '3s/mpi_rank="0"/mpi_rank="9"/'
	check "17: has 2 tasks of 3" '/mpi_rank="1"/,/<.task>/d'
	check "21: ends before its </ipm_job_profile>" '$d'
	echo '<a/>' > bad.xml
	run -2 --separate-stderr traceconv --from ipm-xml --to profile bad.xml
	[ "$stderr" = "traceconv: bad.xml:2: has no <task>: expected an IPM log" ]
	run -2 --separate-stderr traceconv --to comm "$SAMPLES/ipm.xml" "$SAMPLES/ipm.xml"
	[[ $stderr == *"one log is one communication graph"* ]]
}

# ---- LAMMPS ----

@test "lammps: the real log's row Comm" {
	need_shared
	traceconv --from lammps:nodes=1 --to profile "$SHARED/data/mpiprof/lammps-stdout-timing-breakdown-local.txt" > p.tsv
	[ "$(field app ranks nodes runtime_s mpi_fraction allreduce_fraction < p.tsv)" = "lammps 2 1 16.8226 0.7998 ." ]
}

@test "lammps: several runs are weighted by time, threads are no ranks, old logs are read" {
	cat > log <<-'END'
		Loop time of 10 on 8 procs for 400 steps with 6912 atoms
		99.8% CPU use with 4 MPI tasks x 2 OpenMP threads
		Section |  min time  |  avg time  |  max time  |%varavg| %total
		Comm    | 1          | 2          | 3          |   0.8 | 20.00
		Loop time of 30 on 8 procs for 400 steps with 6912 atoms
		99.8% CPU use with 4 MPI tasks x 2 OpenMP threads
		Comm    | 1          | 2          | 3          |   0.8 | 40.00
	END
	[ "$(traceconv --from lammps --to profile log | field ranks runtime_s mpi_s mpi_fraction)" = "4 40 14 0.35" ]
	printf 'Loop time of 2 on 16 procs for 1 steps with 1 atoms\nPair  time (%%) = 1 (50)\nComm  time (%%) = 0.5 (25.5)\n' > log
	[ "$(traceconv --from lammps:app=md --to profile log | field app ranks mpi_fraction)" = "md 16 0.255" ]
	printf 'Comm    | 1          | 2          | 3          |   0.8 | 20.00\n' > log
	run -2 --separate-stderr traceconv --from lammps --to profile log
	[ "$stderr" = "traceconv: log:1: 'Comm' before 'Loop time of'" ]
	echo hello > log
	run -2 --separate-stderr traceconv --from lammps --to profile log
	[[ $stderr == "traceconv: log:1: has no run with a timing breakdown"* ]]
}

# ---- jobs of the simulator ----

@test "jobs that say their time in MPI become profiles" {
	{
		echo '##placetools=jobs/1'
		printf '%s\n' 'job nodes ranks_per_node app binary mpi_s comm_time_s' '1 4 2 a x 2.5 10' '2 4 . b . 5 10' \
			'3 4 2 c . . 10' '4 4 2 . . 1 2' | tr ' ' '\t'
	} > j.tsv
	run -0 --separate-stderr traceconv -v --to profile j.tsv
	[ "$(echo "$output" | rows | cut -f1-7 | tail -n +2 | tr '\t' ' ')" = "$(printf 'a x 8 4 10 2.5 0.25\nb . 4 4 10 5 0.5')" ]
	[[ $stderr == *"j.tsv: jobs -> jobs -> profile -> profile -> profile"* ]]
	[[ $stderr == *"2 jobs without app, mpi_s and a running time were left out"* ]]
}

@test "what netsim says of jobs becomes profiles, which classify takes" {
	{
		echo '##placetools=jobs/1'
		printf '%s\n' 'job nodes app nodelist pattern iterations' '1 4 halo n[0-3] halo2d 3' '2 2 silent n[4-5] . .' \
			'3 4 halo n[8-11] halo2d 3' | tr ' ' '\t'
	} > j.tsv
	netsim -t dragonfly:groups=3,routers=2,nodes=4 j.tsv > done.tsv
	traceconv --quiet --to profile done.tsv > p
	[ "$(rows < p | cut -f1,3,4 | grep -c 'halo	4	4')" = 2 ]
	# the fraction is time in MPI over the time from the start to the last rank's finish
	join -t '	' <(rows < done.tsv | mlr --tsv --headerless-csv-output filter '$app == "halo"' then put -q 'print $job . "\t" . fmtnum($mpi_s / $comm_time_s, "%.9f")' | sort) \
		<(rows < p | mlr --tsv --headerless-csv-output filter '$app == "halo"' then put -q 'print (2 * NR - 1) . "\t" . fmtnum($mpi_fraction, "%.9f")' | sort) |
		awk -F '\t' '$2 != $3 { bad = 1 } { n++ } END { exit bad || n != 2 }'
	traceconv --quiet --to profile -f profile:per=app done.tsv | classify --threshold .3 | rows | grep -q '^halo	.*network-sensitive'
}

@test "jobs of an application together: times of all ranks, the range of their nodes" {
	{
		echo '##placetools=jobs/1'
		printf '%s\n' 'job nodes ranks_per_node app binary mpi_s comm_time_s runtime_s' '1 4 2 a x 2 10 99' '2 4 . b . 5 . 10' \
			'3 2 1 a x 4 5 .' '4 4 2 b y 1 4 .' '5 8 1 c z 1 2 .' '6 8 1 c z 0 2 .' | tr ' ' '\t'
	} > j.tsv
	traceconv --to profile -f profile:per=app j.tsv > p
	# a: (8 x 2 + 2 x 4) / (8 x 10 + 2 x 5)
	# column NAME…: of all rows
	column() { rows | mlr --tsv --headerless-csv-output cut -o -f "$1" | tr '\t' ' '; }
	[ "$(column app,binary,ranks,nodes,nodes_min,nodes_max,runtime_s,mpi_s < p)" = "$(printf '%s\n' 'a x 8 . 2 4 9 2.4' \
		'b . 8 4 4 4 6 2.3333333333333335' 'c z 8 8 8 8 2 0.5')" ]
	[ "$(column mpi_fraction < p | cut -c1-7 | xargs)" = '0.26666 0.38888 0.25' ]
	classify --threshold .3 p | column app,class > got
	[ "$(cat got)" = "$(printf '%s network-%s\n' a insensitive b sensitive c insensitive)" ]
}

@test "mpip: a report from which lines were left out is one that was truncated" {
	need_shared
	for report in "$SHARED"/data/mpiprof/*.mpiP; do
		run ! grep -q '^[ .…]*$' <(grep -v '^ *$' "$report")
		for dots in ... '[…]' '  . . .'; do
			awk -v dots="$dots" '{ print } NR == 20 { print dots }' "$report" >cut.mpiP
			run -2 --separate-stderr traceconv --from mpip --to profile cut.mpiP
			[[ $stderr == "traceconv: cut.mpiP:21: input was truncated: '$dots' replaces lines that are missing" ]]
			[[ $output != *"##end"* ]]
		done
	done
}

@test "osu: latency, bandwidth and collectives as measurements; foreign lines are left out and counted" {
	cat >osu.txt <<-'END'
		salloc: Granted job allocation 7
		# OSU MPI Latency Test v5.6.3
		# Size          Latency (us)
		0                       0.98
		8                       0.97
		1048576               109.71

		# OSU MPI Multiple Bandwidth / Message Rate Test v5.6.3
		# [ pairs: 4 ] [ window size: 64 ]
		# Size                  MB/s        Messages/s
		8                      44.40        5550431.87
		[node1:123] a warning of the network

		# OSU MPI Allreduce Latency Test v7.5
		# Datatype: MPI_INT.
		# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
		4                       2.71              2.50              2.91        1000
		# OSU MPI Barrier Latency Test v7.5
		# Avg Latency(us)
		             5.24
		# OSU MPI-CUDA Bandwidth Test v7.5
		# Size      Bandwidth (MB/s)
		8 7.47
		# OSU MPI Fancy Latency Test v9
		# Size x
		8 1
	END
	traceconv --to metrics osu.txt >m.tsv 2>said
	diff <(mlr --itsv --onidx --skip-comments cut -o -f scope,id,metric,value,unit,bytes,nodes,ranks_per_node,role m.tsv) - <<-'END'
		osu_latency 2x1:0 half_round_trip 0.98 us 0 2 1 fit
		osu_latency 2x1:8 half_round_trip 0.97 us 8 2 1 fit
		osu_latency 2x1:1048576 half_round_trip 109.71 us 1048576 2 1 fit
		osu_mbw_mr 2x4:8 bandwidth 44.4 MB/s 8 2 4 predict
		osu_allreduce 2x1:4 time 2.71 us 4 2 1 predict
		osu_barrier 2x1:0 time 5.24 us 0 2 1 predict
		osu_bw 2x1:8 bandwidth 7.47 MB/s 8 2 1 fit
	END
	grep -qx 'traceconv: osu.txt:12: expected a size and a time or a bandwidth; 1 row was left out' said
	grep -qx 'traceconv: unknown tests: Fancy Latency (1)' said
	grep -qx '##skipped=1' m.tsv
	placecheck m.tsv
	[ "$(traceconv --from osu:nodes=16,ranks-per-node=32 --to metrics osu.txt 2>/dev/null | mlr --itsv --onidx --skip-comments cut -f id | sed -n "1p;4p" | paste -sd' ')" = "16x32:0 16x32:8" ]
	run -2 --separate-stderr traceconv --strict --to metrics osu.txt
	[ "$stderr" = "traceconv: osu.txt:12: expected a size and a time or a bandwidth" ]
	echo '8 1.2' >bare.txt
	run -2 --separate-stderr traceconv --from osu --to metrics bare.txt
	[ "$stderr" = "traceconv: bare.txt: has no title of a test, expected '# OSU MPI … Test'" ]
	# what a profile is fitted with
	awk -v roles=fit -f "$ROOT/examples/measured/jobs.awk" m.tsv | body | awk -F'\t' '{ print $1, $5 }' |
		diff - <(printf '%s\n' '1|osu_latency|8|1|fit|0.97|10 osu-latency' '2|osu_latency|1048576|1|fit|109.71|10 osu-latency' '3|osu_bw|8|1|fit|7.47|3 osu-bw')
}
