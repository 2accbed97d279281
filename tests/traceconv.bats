bats_require_minimum_version 1.5.0
load helper

# The lines of --list that are pairs: FROM TO through …
pairs() { traceconv --list | sed -n '/^conversions/,$p' | sed 1d; }

@test "every reader and writer is in a pair, and every pair's words are registered names" {
	pairs > pairs
	[ "$(wc -l < pairs)" -gt 20 ]
	[ "$(awk '{print $1}' pairs | sort -u)" = "$(names_of traceconv readers | sort -u)" ]
	[ "$(awk '{print $2}' pairs | sort -u)" = "$(names_of traceconv writers | sort -u)" ]
	run ! grep -v ' through ' pairs
}

@test "each of our kinds passes through unchanged but for the recorded command" {
	for kind in comm counters iotrace jobs kernels links loadcurve mapping metrics mpitrace nodes partitions profile ranks reservations sharing slices timeline traffic; do
		case $kind in
		comm) head='src dst bytes' row='0 1 1024' ;;
		counters) head='time_s component flits' row='1.5 n0 77' ;;
		iotrace) head='rank op start_s bytes' row='0 write 0.25 4096' ;;
		jobs) head='job nodes nodelist extra' row='j_1 2 n[3,1] kept' ;;
		kernels) head='app size device time_s' row='gemm 4096 gpu 4' ;;
		links) head='link from to level' row='0 n0 r0 terminal' ;;
		loadcurve) head='pattern routing offered accepted latency_s' row='uniform minimal 0.1 0.1 1e-06' ;;
		mapping) head='rank node' row='0 n0' ;;
		metrics) head='scope metric value' row='job hops 1.5' ;;
		mpitrace) head='rank time_s op' row='0 0.000000001 send' ;;
		nodes) head='node state' row='n0 idle' ;;
		partitions) head='partition nodelist walltime_max_s' row='debug n[0-3] 3600' ;;
		profile) head='app ranks mpi_fraction' row='a 4 0.25' ;;
		ranks) head='job rank node' row='1 0 n0' ;;
		reservations) head='reservation nodelist start_s end_s' row='maint n[0-3] 10 20' ;;
		sharing) head='app size devices slices time_s' row='gemm 4096 gpu+fpga 16 0.25' ;;
		slices) head='job device slice first count start_s end_s' row='a gpu 0 0 1 0 5' ;;
		timeline) head='job device start_s end_s state' row='a gpu 0 5 run' ;;
		traffic) head='time_s window_s router traffic_Bps' row='120 120 r0 5e9' ;;
		esac
		printf '##placetools=%s/1 end=yes\n##topology=x.yaml 5f3a91c2\n%s\n%s\n##end\n' $kind "$head" "$row" |
			sed '3,4y/ /\t/' > in.tsv
		run -0 --separate-stderr traceconv --no-provenance --to $kind in.tsv
		[ "$output" = "$(cat in.tsv)" ]
		traceconv --to $kind < in.tsv | sed 2q | sed 1d | grep -qx '##topology=x.yaml 5f3a91c2'
		traceconv --to $kind < in.tsv | grep -qx "##command=traceconv --to $kind"
	done
}

@test "without --from the content must prove its format; -v says which" {
	printf 'job nodes\n1 2\n' | table jobs > j.tsv
	gzip -c j.tsv > j.gz
	for f in j.tsv j.gz; do
		run -0 --separate-stderr traceconv -v --to jobs $f
		[ "$stderr" = "traceconv: $f: jobs -> jobs -> jobs" ]
	done
	run -0 --separate-stderr traceconv -v --to jobs < j.gz
	[ "$stderr" = "traceconv: -: jobs -> jobs -> jobs" ]
	# ## lines may stand before the one that tells the kind
	{ echo '##note=x'; cat j.tsv; } | traceconv --to jobs | rows | grep -qx "1	2"
	echo '1 2 3' > swf
	run -2 --separate-stderr traceconv --strict --to jobs swf
	[ "$stderr" = "traceconv: swf: the content does not prove its format: say it with --from" ]
	run -2 --separate-stderr traceconv --strict --to jobs < /dev/null
	[ "$stderr" = "traceconv: standard input: is empty" ]
}

@test "a pair that does not work is refused with what there is" {
	printf 'job nodes\n1 2\n' | table jobs > j.tsv
	run -2 --separate-stderr traceconv --strict --to comm j.tsv
	[ "$stderr" = "traceconv: no conversion from jobs (which makes jobs) to comm (which takes comm); see --list" ]
	run -2 --separate-stderr traceconv --strict --to nonesuch j.tsv
	[[ $stderr == "traceconv: --to: 'nonesuch' is not a format to write; expected one of: "* ]]
	run -2 --separate-stderr traceconv --strict --from nonesuch --to jobs j.tsv
	[[ $stderr == "traceconv: --from: 'nonesuch' is not a format to read; expected one of: "* ]]
	run -2 --separate-stderr traceconv --strict j.tsv
	[[ $stderr == *"--to is missing"* ]]
	run -2 --separate-stderr traceconv --strict --from comm --to comm j.tsv
	[ "$stderr" = "traceconv: j.tsv:1: holds 'jobs', expected a stream of comm" ]
}

@test "input that was truncated: what there is, no ##end, no file, status 2" {
	printf '##placetools=jobs/1 end=yes\njob\tnodes\n1\t2\n' > cut.tsv
	run -2 --separate-stderr traceconv --strict --no-provenance --to jobs cut.tsv
	[ "$output" = "$(cat cut.tsv)" ]
	[[ $stderr == *"input was truncated"* ]]
	run -2 --separate-stderr traceconv --strict --to jobs -o out.tsv cut.tsv
	[ ! -e out.tsv ]
	run -0 --separate-stderr traceconv --partial --to jobs -o out.tsv cut.tsv
	[ -e out.tsv ]
}

@test "a full disk is seen, a closed pipe is quiet" {
	[ -c /dev/full ] || skip
	yes '1 2' | head -n 100000 | cat <(echo 'job nodes') - | table jobs > j.tsv
	run -2 --separate-stderr traceconv --strict --to jobs -o /dev/full j.tsv
	[ "$stderr" = "traceconv: /dev/full: No space left on device" ]
	set +o pipefail
	{ traceconv --to jobs j.tsv 2> err || echo trouble > status; } | head -n 1 > /dev/null
	[ "$(cat status)" = trouble ]
	[ ! -s err ]
}

# ---- node lists ----

@test "hostlist keeps the order of picking, slurm-nodelist sorts, jobs without nodes are counted" {
	printf '%s\n' 'job nodes nodelist' '1 5 nid[00010,00008-00009],login1,nid2' '2 1 .' '3 1 nid00001' |
		table jobs > j.tsv
	run -0 --separate-stderr traceconv --to hostlist j.tsv
	[ "$output" = "$(printf 'nid[00010,00008-00009],login1,nid2\nnid00001')" ]
	[ "$stderr" = "traceconv: 1 jobs have no nodelist and were left out" ]
	run -0 --separate-stderr traceconv --quiet --to slurm-nodelist j.tsv
	[ "$output" = "$(printf 'login1,nid[2,00008-00010]\nnid00001')" ]
	[ "$(traceconv --to hostlist:job=3 j.tsv)" = nid00001 ]
}

@test "slurm-nodelist folds what scontrol folds" {
	printf '%s\n' 'job nodes nodelist' '1 6 n10,n2,n1,n9,n11,n3' | table jobs |
		traceconv --to slurm-nodelist > got
	[ "$(cat got)" = 'n[1-3,9-11]' ] || [ "$(cat got)" = 'n[1-3,9,10-11]' ]
}

@test "hostlist and slurm-nodelist: ranges that lie among each other, suffixes, and a node that is there twice" {
	printf '%s\n' 'job nodes nodelist' '1 7 n[9-11],n[08-09,3],n7-ib0' '2 2 n[3-4]' '3 3 n[4-5,3]' |
		table jobs > j.tsv
	[ "$(traceconv --to hostlist j.tsv)" = "$(printf 'n[9-11,08-09,3],n7-ib0\nn[3-4]\nn[4-5,3]')" ]
	[ "$(traceconv --to slurm-nodelist j.tsv)" = "$(printf 'n[3,9,08-11],n7-ib0\nn[3-4]\nn[3-5]')" ]
	printf '%s\n' 'job nodes nodelist' '1 3 n[1-2],n02,n[2-3]' | table jobs > twice.tsv
	run -2 --separate-stderr traceconv --strict --to slurm-nodelist twice.tsv
	[ "$stderr" = "traceconv: twice.tsv:3: nodelist: the node 'n2' is there twice" ]
}

@test "hostfile: slots from the ranks of a node, three styles, one job only" {
	printf '%s\n' 'job nodes ranks_per_node nodelist' '1 2 4 n[2,1]' '2 1 . n7' | table jobs > j.tsv
	[ "$(traceconv --to hostfile:job=1 j.tsv)" = "$(printf 'n2 slots=4\nn1 slots=4')" ]
	[ "$(traceconv --to hostfile:job=1,style=mpich j.tsv)" = "$(printf 'n2:4\nn1:4')" ]
	[ "$(traceconv --to hostfile:job=1,style=plain j.tsv)" = "$(printf 'n2\nn1')" ]
	[ "$(traceconv --to hostfile:job=2 j.tsv)" = "n7 slots=1" ]
	run -2 --separate-stderr traceconv --strict --to hostfile j.tsv
	[ "$stderr" = "traceconv: j.tsv:4: a second placed job: name the one that is meant (job=)" ]
}

@test "a mapping's nodes come by rank, with their number of ranks" {
	printf '%s\n' 'rank node' '2 n5' '0 n9' '1 n5' '3 n1' | table mapping > m.tsv
	[ "$(traceconv --to hostlist m.tsv)" = 'n[9,5,1]' ]
	[ "$(traceconv --to hostfile m.tsv)" = "$(printf 'n9 slots=1\nn5 slots=2\nn1 slots=1')" ]
	printf '%s\n' 'job rank node' '1 0 n5' '2 0 n9' | table mapping > m.tsv
	run -2 --separate-stderr traceconv --strict --to hostlist m.tsv
	[[ $stderr == *"rank 0 twice"*"job="* ]]
	[ "$(traceconv --to hostlist:job=2 m.tsv)" = n9 ]
}

@test "a node list that is wrong is refused with its line" {
	printf '%s\n' 'job nodes nodelist' '1 2 n[1-' | table jobs > j.tsv
	run -2 --separate-stderr traceconv --strict --to hostlist j.tsv
	[ "$stderr" = "traceconv: j.tsv:3: nodelist: a '[' without its ']'" ]
	printf '%s\n' 'job nodes nodelist' '1 2 n1,n1' | table jobs > j.tsv
	run -2 --separate-stderr traceconv --strict --to hostlist j.tsv
	[ "$stderr" = "traceconv: j.tsv:3: nodelist: the node 'n1' is there twice" ]
}

# ---- jobs at a time ----

@test "at: the states of nodes from what ran then; a job has its start, not its end" {
	printf '%s\n' 'job nodes start_s end_s nodelist' '1 2 5 10 n[3,1]' '2 1 10 . n7' '3 1 10 20.5 n1' \
		'4 1 . . n8' '5 1 . . .' | table jobs > j.tsv
	states() { traceconv "$@" j.tsv | rows | awk -F'\t' 'NR > 1 {print $1, $2, $3}' | tr '\n' ';'; }
	[ "$(states --to nodes --at 9.999)" = "n3 allocated 1;n1 allocated 1;n7 idle .;n8 idle .;" ]
	[ "$(states --to nodes --at 10)" = "n3 idle .;n1 allocated 3;n7 allocated 2;n8 idle .;" ]
	[ "$(states --to nodes --at 1970-01-01T00:00:20.5Z)" = "n3 idle .;n1 idle .;n7 allocated 2;n8 idle .;" ]
	[ "$(traceconv --to hostlist:state=idle -f at:time=9,nodes=n[0-8] j.tsv)" = 'n[0,2,4-8]' ]
	run -2 --separate-stderr traceconv --strict --to nodes --at 2018-12-21T14:30:00 j.tsv
	[[ $stderr == *"not a time with its zone"* ]]
}

@test "at: runs stay apart, and each begins with the nodes that are known" {
	printf '%s\n' 'run job nodes start_s end_s nodelist' 'a 1 1 0 10 n1' 'b 1 1 0 10 n2' | table jobs |
		traceconv --to nodes -f at:time=1,nodes=n[1-2] | rows | tail -n +2 > got
	[ "$(tr '\t' ' ' < got | tr '\n' ';')" = "n1 a allocated 1;n2 a idle .;n1 b idle .;n2 b allocated 1;" ]
}

# ---- mpiP ----

@test "mpiP: the fractions of all real reports" {
	need_shared
	declare -A want=([kernel-a2a-4ranks-local]=0.9995 [kernel-ep-4ranks-local]=0.0005
		[kernel-halo-4ranks-local]=0.0769 [lammps-lj-2ranks-local-concise]=0.8064
		[lammps-lj-2ranks-local-hist]=0.8462 [lammps-lj-2ranks-local]=0.8087)
	for name in "${!want[@]}"; do
		run -0 --separate-stderr traceconv --to profile "$SHARED/data/mpiprof/mpip-3.5.0-$name.mpiP"
		[ "$(echo "$output" | rows | cut -f7 | tail -n 1)" = "${want[$name]}" ]
		[ -z "$stderr" ]
	done
	[ ${#want[@]} -eq "$(find "$SHARED/data/mpiprof" -name '*.mpiP' | wc -l)" ]
}

@test "mpiP: the groups of operations add up to the fraction; ranks and nodes" {
	need_shared
	traceconv --to profile "$SHARED"/data/mpiprof/*.mpiP | rows > got
	awk -F'\t' 'NR > 1 { d = $8 + $9 + $10 + $11 - $7; if (d > .002 || d < -.002) { print; bad = 1 } } END { exit bad }' got
	[ "$(cut -f1,3,4 got | sed 1d | tr '\t\n' ' ;')" = "k 4 1;k 4 1;k 4 1;lmp 2 .;lmp 2 1;lmp 2 1;" ]
	# LAMMPS: nearly all of it is MPI_Send, as the report's first rows say
	awk -F'\t' '$1 == "lmp" && ($9 < .77 || $8 > .02) { bad = 1 } END { exit bad }' got
}

@test "mpiP: the same run as a verbose and as a concise report" {
	cd "$BATS_TEST_DIRNAME/formats/mpip"
	for f in v3.1-verbose v3.5-verbose v3.4-concise; do
		run -0 --separate-stderr traceconv --no-provenance --to profile $f.mpiP
		[ "$(echo "$output" | rows | sed 1d)" = "$(printf 'app.x\tapp.x\t2\t%s\t10\t4\t0.4\t0.1\t0.12\t0.08\t0.1' \
			"$([[ $f == *concise ]] && echo . || echo 2)")" ]
		[ -z "$stderr" ]
	done
}

@test "mpiP: a report that was truncated still tells its fraction, but status 2" {
	cd "$BATS_TEST_DIRNAME/formats/mpip"
	sed '/^@--- Callsites/,$d' v3.5-verbose.mpiP > "$BATS_TEST_TMPDIR/cut.mpiP"
	cd "$BATS_TEST_TMPDIR"
	run -2 --separate-stderr traceconv --strict --to profile cut.mpiP
	[ "$(echo "$output" | rows | tail -n 1 | cut -f3,7-)" = "$(printf '2\t0.4\t.\t.\t.\t.')" ]
	[[ $stderr == *truncated* ]]
	run ! grep -q '##end' <<< "$output"
}

@test "mpiP: what is wrong is refused with file and line" {
	printf '@ mpiP\n@ Command : ./a.out\n@--- MPI Time (seconds) ---\n   *  10 x 40\n' > bad.mpiP
	run -2 --separate-stderr traceconv --strict --to profile bad.mpiP
	[ "$stderr" = "traceconv: bad.mpiP:4: 'x' is not a time or a count" ]
	printf '@ mpiP\n@ Command : ./a.out\n' > bad.mpiP
	run -2 --separate-stderr traceconv --strict --to profile bad.mpiP
	[[ $stderr == "traceconv: bad.mpiP:2: has no total of the MPI time"* ]]
	printf '@ mpiP\n@ Command : ./a.out\n@--- MPI Time (seconds) ---\n  0 5 2 40\n * 5 6 120\n@--- End of Report\n' > bad.mpiP
	run -2 --separate-stderr traceconv --strict --to profile bad.mpiP
	[ "$stderr" = "traceconv: bad.mpiP: time in MPI over execution time is 1.2, expected 0 to 1" ]
	run -2 --separate-stderr traceconv --strict --from mpip --to profile /etc/passwd
	[[ $stderr == "traceconv: /etc/passwd:1: is not an mpiP report"* ]]
}

# ---- SWF ----

swf_row() { # 18 fields: those not given are -1
	local f=(-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1) pair
	for pair; do f[${pair%%=*} - 1]=${pair#*=}; done
	echo "${f[*]}"
}

@test "swf: fields become columns, -1 is missing, start and end are computed" {
	{
		echo '; Version: 2.2'
		swf_row 1=7 2=100 3=20 4=30.5 5=64 9=600 11=1 12=3 13=4 14=5 15=6 16=2
		swf_row 1=8 2=200 8=2 11=5
		swf_row 1=9 2=0 3=0 4=0 5=1 11=0
	} > log.swf
	traceconv --from swf --to jobs log.swf | rows | tail -n +2 | tr '\t' ' ' > got
	[ "$(cat got)" = "\
7 100 64 . 30.5 600 5 3 4 6 2 completed 120 150.5
8 200 2 . . . . . . . . cancelled . .
9 0 1 . 0 . . . . . . failed 0 0" ]
}

@test "swf: processors become nodes by the parameter, or by the header" {
	row=$(swf_row 1=1 2=0 5=10)
	echo "$row" > a.swf
	{ printf '; MaxNodes: 100\n; MaxProcs: 400\n'; echo "$row"; } > b.swf
	size() { traceconv --from "$1" --to jobs "$2" | rows | tail -n 1 | cut -f3,4 | tr '\t' ' '; }
	[ "$(size swf a.swf)" = "10 ." ]
	[ "$(size swf:cores=5 a.swf)" = "2 5" ]
	[ "$(size swf:cores=4 a.swf)" = "3 ." ]
	[ "$(size swf b.swf)" = "3 ." ]
	[ "$(size swf:cores=1 b.swf)" = "10 ." ]
}

@test "swf: the preceding job and the think time become depends; jobs placed anew arrive that long after its end" {
	{
		echo '; Version: 2.2'
		echo '; Job: 4 four'
		swf_row 1=1 2=0 3=0 4=100 5=4
		swf_row 1=2 2=110 3=0 4=50 5=4 17=1 18=10
		swf_row 1=3 2=170 3=0 4=5 5=4 17='1&2'
		swf_row 1=4 2=0 3=0 4=5 5=8 17=0 18=7
		swf_row 1=5 2=0 3=0 4=5 5=4 17=4 18=20
	} > log.swf
	traceconv --from swf:after --to jobs log.swf > j.tsv
	[ "$(rows < j.tsv | cut -f 1,15,16 | tail -n +2 | tr '\t\n' ' ;')" = '1 . .;2 1 10;3 1,2 .;four . .;5 four 20;' ]
	# without it, and the columns of before
	[ "$(traceconv --from swf --to jobs log.swf | rows | head -n 1 | grep -c depends)" -eq 0 ]
	traceconv --to swf j.tsv > back.swf
	[ "$(grep -v '^;' back.swf | awk '{ print $17, $18 }' | tr '\n' ';')" = '-1 -1;1 10;-1 -1;-1 -1;4 20;' ]
	# job 1 takes a machine half as large twice as long: those behind it come later, with the same time to think
	sed 's/\t100\t/\t200\t/' j.tsv > slow.tsv
	for queue in fcfs easy conservative level-fit; do
		allocate --quiet -t line:nodes=8 -q $queue slow.tsv > o.tsv
		placecheck o.tsv
		awk -F'\t' '/^##/ { next } !n { for (i = 1; i <= NF; i++) at[$i] = i; n = 1; next } { start[$1] = $at["start_s"]; end[$1] = $at["end_s"] }
			END { exit !(start[2] >= end[1] + 10 && start[3] >= end[2] && start[5] >= end["four"] + 20) }' o.tsv
	done
	allocate --quiet -t line:nodes=8 -q easy slow.tsv > o.tsv
	sed 's/^2\t\(.*\)\t210\t260\t/2\t\1\t205\t255\t/' o.tsv > early.tsv
	run -1 --separate-stderr placecheck early.tsv
	[[ $stderr == *'job 2 started before the end of 1, on which it depends' ]]
	# without a queue nobody waits
	sed 's/\t1\t10$/\t1\t20/' j.tsv | allocate --quiet -t line:nodes=8 --explain > o.tsv
	grep -q $'^2\t.*depends on jobs that ended less than depends_delay_s ago$' o.tsv
}

@test "swf: labels of queues and partitions, absolute times" {
	{
		printf '; UnixStartTime: 1000000\n; Queue: 3 batch (a note)\n; Partition: 1 fat\n'
		swf_row 1=1 2=5 3=1 4=2 5=1 15=3 16=1
	} > log.swf
	[ "$(traceconv --from swf --to jobs log.swf | rows | tail -n 1 | cut -f2,10,11,13)" = "$(printf '5\tbatch\tfat\t6')" ]
	[ "$(traceconv --from swf:absolute --to jobs log.swf | rows | tail -n 1 | cut -f2,13,14)" = "$(printf '1000005\t1000006\t1000008')" ]
}

@test "swf: the irregularities of real logs" {
	need_shared
	cd "$SHARED/data/swf"
	count() { traceconv --quiet --from "$1" --to jobs "$2" | rows | tail -n +2 | wc -l; }
	[ "$(count swf lublin-aaroh.swf)" -eq 10000 ]      # header lines, aligned columns
	[ "$(count swf evalys_easy_mediumWL_smallPF.swf)" -eq 800 ] # decimals, -0.0, no header
	[ "$(count swf alea_FIT_jaros2.swf)" -eq 12 ]      # a first line of names, 20 fields, 1&2&3
	[ "$(count swf alea_FIT_jaros3.swf)" -eq 16 ]
	[ "$(count swf alea_wagap-2013.swf)" -eq 17900 ]   # 21 fields, {…} lists, negative runtimes
	run -0 --separate-stderr traceconv --from swf --to jobs alea_wagap-2013.swf
	[ "$stderr" = "traceconv: 2 negative times that are not -1 were taken as unknown; the first is in line 4186" ]
	[ "$(traceconv --from swf:all --to jobs alea_FIT_jaros2.swf | rows | sed -n 7p | cut -f15)" = "1,2,3,4,5" ]
}

@test "swf: the hosts of Alea's logs are nodelists" {
	need_shared
	traceconv --quiet --from swf:hosts=n --to jobs "$SHARED/data/swf/alea_wagap-2013.swf" | rows > got
	[ "$(sed -n 8p got | cut -f1,3,4,15)" = "$(printf '6\t8\t8\tn[1273,1255,1264,1274,1286,1262,1259,1256]')" ]
	# the number of nodes is that of the list in every row
	[ "$(cut -f15 got | tail -n +2 | sed 's/,n/\nn/g' | grep -c .)" -ge 17900 ]
	traceconv --quiet --from swf:hosts=n --to hostlist "$SHARED/data/swf/alea_wagap-2013.swf" | wc -l | grep -qx 17900
}

@test "swf: what is wrong is refused with file and line" {
	check() { # MESSAGE FIELDS…
		local want=$1
		shift
		{ echo '; header'; swf_row 1=1 2=0 5=1 "$@"; } > bad.swf
		run -2 --separate-stderr traceconv --strict --from swf:hosts=n,all --to jobs bad.swf
		[ "$stderr" = "traceconv: bad.swf:2: $want" ]
	}
	check "field 2: 'x' is not a time in seconds" 2=x
	check "field 5: '1.5' is not a whole number, or -1 for unknown" 5=1.5
	check "field 5: '99999999999' is not a whole number, or -1 for unknown" 5=99999999999
	check "field 11: '7' is not a status from -1 to 5" 11=7
	check "field 10: 'many' is not a size in kilobytes" 10=many
	check "'{1,2…' is not a list of hosts such as {1,1,2}" 18='-1 {1,2'
	printf '1 2 3\n' > bad.swf
	run -2 --separate-stderr traceconv --strict --from swf --to jobs bad.swf
	[ "$stderr" = "traceconv: bad.swf:1: has 3 fields, expected at least 18" ]
	swf_row 1=1 2=0 > bad.swf
	run -0 --separate-stderr traceconv --from swf --to jobs bad.swf
	[ "$stderr" = "traceconv: 1 jobs whose number of processors is not known were left out" ]
}

# ---- every entry, from its example ----

# A stream of the kind with rows that every writer of it can write.
sample_of() {
	case $1 in
	comm) printf '%s\n' 'src dst bytes messages' '0 1 10 2' '1 0 10 2' ;;
	counters) printf '%s\n' 'time_s component flits' '1.5 n0 77' ;;
	events) printf '%s\n' 'node state start_s end_s' 'n0 down 10 20' ;;
	graph) printf '%s\n' 'program id op time_s' 'a 0 compute 0.001' | table graph ranks=1 program=a:0; return ;;
	iotrace) printf '%s\n' 'rank op start_s bytes' '0 write 0.25 4096' ;;
	jobs) printf '%s\n' 'job submit_s nodes ranks_per_node runtime_s walltime_s start_s end_s nodelist state' \
		'1 0 2 4 10 60 5 15 n[0-1] completed' ;;
	kernels) printf '%s\n' 'app size device time_s' 'gemm 4096 gpu 4' ;;
	links) printf '%s\n' 'link from to level' '0 n0 r0 terminal' ;;
	loadcurve) printf '%s\n' 'pattern routing offered accepted latency_s' 'uniform minimal 0.1 0.1 1e-06' ;;
	mapping) printf '%s\n' 'rank node core' '0 n0 0' '1 n0 1' '2 n1 0' '3 n1 1' ;;
	metrics) printf '%s\n' 'scope metric value' 'job hops 1.5' ;;
	mpitrace) printf '%s\n' 'rank time_s op' '0 0.000000001 send' ;;
	nights) printf '%s\n' 'night until_s number value' 'd1 -99999 jobs-started 9' ;;
	nodes) printf '%s\n' 'node state' 'n0 idle' ;;
	partitions) printf '%s\n' 'partition nodelist walltime_max_s' 'debug n[0-3] 3600' ;;
	profile) printf '%s\n' 'app ranks mpi_fraction' 'a 4 0.25' ;;
	ranks) printf '%s\n' 'job rank node' '1 0 n0' ;;
	reservations) printf '%s\n' 'reservation nodelist start_s end_s' 'maint n[0-3] 10 20' ;;
	sharing) printf '%s\n' 'app size devices slices time_s' 'gemm 4096 gpu+fpga 16 0.25' ;;
	slices) printf '%s\n' 'job device slice first count start_s end_s' 'a gpu 0 0 1 0 5' ;;
	timeline) printf '%s\n' 'job device start_s end_s state' 'a gpu 0 5 run' ;;
	traffic) printf '%s\n' 'time_s window_s router traffic_Bps' '120 120 r0 5e9' ;;
	*) false ;;
	esac | table "$1"
}

@test "the example of each writer of ours works on a stream it takes" {
	n=0
	for pick in $(examples_of traceconv writers); do
		name=${pick%%:*}
		[ "$name" = otf2 ] && continue # its own tests need an archive's rows
		# the kind that --list shows before the writer, from our own streams
		kind=$(pairs | awk -v to="$name" '$2 == to && $1 == $4 { print $1; exit }')
		sample_of "$kind" > in.tsv
		run -0 --separate-stderr traceconv --from "$kind" --to "$pick" in.tsv
		[ -n "$output" ]
		n=$((n + 1))
	done
	[ "$n" -eq $(($(names_of traceconv writers | wc -l) - 1)) ]
}

# sample_file READER: in.tsv is a file of its format; 1: it has tests of its own.
sample_file() {
	local file
	case $1 in
	otf2 | darshan* | dumpi*) return 1 ;;
	batsim) file=batsim/workload ;;
	craypat) file=craypat/tracing ;;
	cxi) file=cxi/two ;;
	chakra) file=chakra/all_gather ;;
	flux) file=flux/example1.yaml ;;
	goal) file=goal/overlap2 ;;
	ipm) file=ipm/twice ;;
	ipm-xml) file=ipm_xml/small ;;
	lammps) file=lammps/new ;;
	ldms-csv) file=ldms_csv/plain ;;
	matrixmarket) file=matrixmarket/pattern ;;
	metis) file=metis/plain ;;
	osu) file=osu/several ;;
	mpich-rank-order) file=mpich_rank_order/grid ;;
	mpip) file=mpip/verbose ;;
	netloc-matrix) file=netloc_matrix/three ;;
	perfquery) file=perfquery/one ;;
	philly) file=philly/zoned ;;
	rankfile) file=rankfile/all ;;
	sacct) file=sacct/array ;;
	sacctmgr-event) file=sacctmgr_event/events ;;
	jobcomp) file=jobcomp/lines ;;
	scontrol-job) file=scontrol_job/detail ;;
	scontrol-node) file=scontrol_node/several ;;
	scontrol-part) file=scontrol_part/several ;;
	scontrol-res) file=scontrol_res/seconds ;;
	slurm-json) file=slurm_json/squeue ;;
	scotch) file=scotch/loads ;;
	sinfo) file=sinfo/partitions ;;
	slurm-conf) file=slurm_conf/site22 ;;
	slurm-hostfile) file=slurm_hostfile/all ;;
	squeue) file=squeue/squeue-o.txt ;;
	swf) file=swf/lublin ;;
	csv) # its first byte chooses the map
		tail -c +2 "$ROOT/tests/fuzz/corpus/csv/alibaba" > in.tsv
		return 0
		;;
	*) # one of our kinds
		sample_of "$1" > in.tsv
		return 0
		;;
	esac
	cp "$ROOT/tests/fuzz/corpus/$file" in.tsv
}

# first_way READER: what it is converted to without anything between.
first_way() { pairs | awk -v from="$1" '$1 == from && $2 == $4 { print $2; exit }'; }

@test "the example of each reader of ours works on a file of its format" {
	n=0
	for pick in $(examples_of traceconv readers); do
		name=${pick%%:*}
		sample_file "$name" || continue
		run -0 --separate-stderr traceconv --from "$pick" --to "$(first_way "$name")" in.tsv
		[ "$(echo "$output" | rows | wc -l)" -ge 2 ] || { echo "$pick: $output"; return 1; }
		n=$((n + 1))
	done
	[ "$n" -ge 35 ]
}

@test "each format cut anywhere, or with any bit changed: a message or a table, in bounded memory" {
	n=0
	for pick in $(examples_of traceconv readers); do
		name=${pick%%:*}
		sample_file "$name" || continue
		to=$(first_way "$name")
		size=$(stat -c %s in.tsv)
		(
			bounded_memory 400000
			for ((i = 0; i < 12; i++)); do
				# places all over the file, the same each time
				at=$((size * (2 * i + 1) / 24))
				if ((i % 2)); then
					head -c "$at" in.tsv >hurt
				else
					byte=$(od -An -tu1 -j "$at" -N 1 in.tsv)
					{
						head -c "$at" in.tsv
						printf '%b' "$(printf '\\%04o' $((byte ^ 1 << i / 2 % 8)))"
						tail -c +$((at + 2)) in.tsv
					} >hurt
				fi
				status=0
				traceconv --zone UTC --from "$pick" --to "$to" hurt >/dev/null 2>said || status=$?
				[[ $status -eq 0 || $status -eq 2 && $(<said) == *traceconv:* ]] || { echo "$pick, $i: status $status"; cat said; exit 1; }
			done
		)
		n=$((n + 1))
	done
	[ "$n" -ge 35 ]
}

@test "the example of each filter of ours works" {
	sample_of jobs > in.tsv
	traceconv --to nodes -f at:time=7 in.tsv | rows | grep -qx "n0	allocated	1"
	[ "$(examples_of traceconv filters | grep -cE '^(at:time=1545400200|profile:per=app)$')" -eq 2 ]
	traceconv --to nodes -f at:time=1545400200 in.tsv | rows | grep -qx "n0	idle	."
	traceconv --to profile -f profile:per=app in.tsv | grep -q '##end'
}

@test "counts beyond the file, negative sizes, nesting without end: a message, in bounded memory" {
	refuses() {
		(
			bounded_memory 400000
			run -2 --separate-stderr traceconv --strict --from "$1" --to "$2" hostile
			[[ $stderr == *"hostile:"*"$3"* ]]
		)
	}
	many() { head -c "$1" /dev/zero | sed "s/\x0/$2/g"; }
	{ printf '{"nb_res": 4, "jobs": '; many 1000000 '['; } > hostile
	refuses batsim jobs 'nested too deeply'
	{ printf 'version: 1\nresources: '; many 100000 '['; } > hostile
	refuses flux jobs 'nested too deeply'
	{ printf '<?xml version="1.0"?>\n<ipm>'; many 300000 '<a>'; } > hostile
	refuses ipm-xml profile 'nested too deeply'
	printf '0\n-5\t10\n0\t000\n' > hostile
	refuses scotch comm "'-5': expected the number of vertices"
	printf '0\n2000000000\t2000000000\n0\t000\n' > hostile
	refuses scotch comm "ends where a vertex's degree was expected"
	printf '%%%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 2000000000\n1 1 1\n' > hostile
	refuses matrixmarket comm 'ends where a row was expected'
	printf '2000000000 1000000000\n' > hostile
	refuses metis comm 'ends after 0 of 2000000000 vertices'
	printf 'rank 0=n[0-999999999] slot=0\n' > hostile
	run --separate-stderr traceconv --from rankfile --to mapping hostile
	[[ $status -eq 0 || $status -eq 2 ]]
	printf 'n[0-99999999999999999999]\n' > hostile
	refuses slurm-hostfile mapping ''
}

@test "swf: nodes are processors over cores, rounded up" {
	for processors in 1 3 4 5 8 9; do
		echo "$processors 0 0 10 $processors -1 -1 $processors 20 -1 1 1 1 -1 -1 -1 -1 -1"
	done >log.swf
	[ "$(traceconv --from swf:cores=4 --to jobs log.swf | awk -F'\t' '!/^##/ { if (!n++) { for (i = 1; i <= NF; i++) at[$i] = i } else printf "%s:%s ", $at["nodes"], $at["ranks_per_node"] }')" = '1:1 1:3 1:4 2:. 2:4 3:3 ' ]
}
