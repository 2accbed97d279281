#!/usr/bin/env bats
# queues.bats - when jobs start: each queue by hand, and against other programs and slow rules

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# ten nodes, one router each
	export PLACETOOLS_TOPOLOGY=complete:nodes=10
}

# starts QUEUE [OPTION…] FILE: job:start of each, in one line
starts() {
	local queue=$1
	shift
	allocate -q "$queue" --quiet "$@" | mlr --itsv --onidx --pass-comments --ofs : cut -o -f job,start_s | grep -v '^##' | paste -sd' '
}

# Eight nodes run until 100 (planned 120); b needs all, c is long, d short, e short but large, f long and small.
some_jobs() {
	stream jobs "job nodes submit_s runtime_s walltime_s" \
		"a 8 0 100 120" "b 10 1 50 50" "c 2 2 300 300" "d 2 3 90 110" "e 3 4 10 10" "f 1 5 500 500"
}

@test "fcfs: nobody overtakes" {
	some_jobs >jobs.tsv
	[[ $(starts fcfs jobs.tsv) == "a:0 b:100 c:150 d:150 e:150 f:150" ]]
	# rows out of order wait in the order of their submission
	stream jobs "job nodes submit_s runtime_s" "late 10 5 1" "early 10 0 10" >jobs.tsv
	[[ $(starts fcfs jobs.tsv) == "late:10 early:0" ]]
}

@test "easy: overtaking must not delay the first one" {
	some_jobs >jobs.tsv
	# b is planned for 120: d (until 113) may overtake, c and f may not
	[[ $(starts easy jobs.tsv) == "a:0 b:100 c:150 d:3 e:150 f:150" ]]
	# b needs nine: one node is left over at 120, and f gets it when d ended
	sed 's/^b\t10/b\t9/' jobs.tsv >nine.tsv
	[[ $(starts easy nine.tsv) == "a:0 b:100 c:150 d:3 e:150 f:93" ]]
}

# nodes_of QUEUE FILE: job:nodelist
nodes_of() {
	allocate -q "$1" --quiet "$2" | mlr --itsv --onidx --pass-comments --ofs : cut -o -f job,nodelist | grep -v '^##' | paste -sd' '
}

@test "easy: the first one is promised any nodes, or with reserve=nodes those it would get" {
	# 5 of 10 are idle; b gets seven at 100, by label n0 to n6; c outlives that
	stream jobs "job nodes submit_s runtime_s" "a 5 0 100" "b 7 1 10" "c 3 2 500" >jobs.tsv
	[[ $(nodes_of easy jobs.tsv) == "a:n[0-4] b:n[0-4,8-9] c:n[5-7]" ]]
	[[ $(nodes_of easy:reserve=nodes jobs.tsv) == "a:n[0-4] b:n[0-6] c:n[7-9]" ]]
}

@test "conservative: overtaking must not delay anybody" {
	# b is promised 100; c (2 nodes for 30) would end in time for b, but d is promised the 2 idle ones at 50
	stream jobs "job nodes submit_s runtime_s walltime_s" \
		"a 6 0 100 100" "x 2 0 50 50" "b 10 1 10 10" "d 4 2 50 50" "c 2 3 60 60" "e 2 4 40 40" >jobs.tsv
	[[ $(starts conservative jobs.tsv) == "a:0 x:0 b:100 d:50 c:110 e:4" ]]
	# EASY lets c go first: d was promised nothing
	[[ $(starts easy jobs.tsv) == "a:0 x:0 b:100 d:110 c:3 e:50" ]]
}

@test "conservative: what ends early makes the others' reservations better, in the order of the queue" {
	stream jobs "job nodes submit_s runtime_s walltime_s" "a 10 0 10 100" "b 6 1 10 10" "c 6 2 10 10" "d 4 3 30 30" >jobs.tsv
	allocate -q conservative --explain jobs.tsv >out.tsv
	[[ $(starts conservative jobs.tsv) == "a:0 b:10 c:20 d:10" ]]
	grep -P '^c\t.*\twaited: 6 nodes requested, 0 idle, promised for 110 s; ' out.tsv
}

@test "level-fit: of the jobs that fit the one of the smallest level" {
	# one group of two routers is idle: d needs the group, e and f a router each
	stream jobs "job nodes submit_s runtime_s" "a 8 0 10" "d 5 1 20" "e 4 1 20" "f 4 1 20" "g 16 1 5" >jobs.tsv
	export PLACETOOLS_TOPOLOGY=dragonfly:groups=2,routers=2,nodes=4
	[[ $(starts level-fit jobs.tsv) == "a:0 d:10 e:1 f:1 g:30" ]]
	[[ $(starts easy jobs.tsv) == "a:0 d:1 e:10 f:10 g:30" ]]
}

# batsim KIND QUEUE [POLICY]: prints the share of starts within 1 s of the reference's, and ours over its mean wait
batsim() {
	zcat "$SHARED/data/reference/batsim/lublin256.json.gz" >lublin256.json
	zcat "$SHARED/data/reference/batsim/lublin256_$1_jobs.csv.gz" | tr , '\t' >reference.tsv
	traceconv --from batsim --to jobs lublin256.json |
		allocate -t complete:nodes=256 -p "${3:-simple}" -q "$2" | grep -v '^##' | awk -F'\t' '
		NR == FNR { start[$1] = $7; next }
		FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{
			ours = $column["start_s"]; theirs = start[$1]
			difference = ours > theirs ? ours - theirs : theirs - ours
			same += difference <= 1; n++
			wait += ours - $2; their_wait += theirs - $2
		}
		END { printf "%.4f %.5f\n", same / n, wait / their_wait }' reference.tsv -
}

# agrees SHARE TOLERANCE KIND QUEUE [POLICY]
agrees() {
	local share=$1 tolerance=$2 got
	shift 2
	got=$(batsim "$@")
	echo "# $*: $got (share of starts within 1 s, mean wait over theirs)" >&3
	awk -v share="$share" -v tolerance="$tolerance" \
		'{ exit !($1 >= share && $2 >= 1 - tolerance && $2 <= 1 + tolerance) }' <<<"$got"
}

@test "5 000 jobs under Batsim and batsched: fcfs starts them all when we do, easy and conservative most" {
	need_shared
	agrees 1 .00001 fcfs_basic fcfs
	# that simultaneous ends become separate events there matters to easy
	agrees .85 .01 easy_bf_basic easy:reserve=nodes,margin=5s,start-delay=6us
	agrees .999 .01 conservative_bf_basic conservative:reserve=nodes,margin=5s,start-delay=6us
	# the rest: jobs of one decision start 2 us apart there, and ends 4 us apart share a decision
	agrees .994 .0001 easy_bf_basic easy:reserve=nodes,margin=5s,start-delay=6us,start-step=2us,settle=4us
	agrees .999 .0001 conservative_bf_basic conservative:reserve=nodes,margin=5s,start-delay=6us,start-step=2us,settle=4us
}

@test "the same on contiguous nodes" {
	need_shared
	agrees .85 .01 easy_bf_contiguous easy:reserve=nodes,margin=5s,start-delay=6us contiguous
	agrees .85 .01 conservative_bf_contiguous conservative:reserve=nodes,margin=5s,start-delay=6us contiguous
	agrees 1 .0001 easy_bf_contiguous easy:reserve=nodes,margin=5s,start-delay=6us,start-step=2us,settle=4us contiguous
	agrees 1 .0001 conservative_bf_contiguous conservative:reserve=nodes,margin=5s,start-delay=6us,start-step=2us,settle=4us contiguous
}

@test "the example of every queue starts every job" {
	some_jobs >jobs.tsv
	[ "$(names_of allocate queues | wc -l)" -ge 5 ]
	while read -r queue; do
		[[ $queue == none ]] || [[ $(starts "$queue" jobs.tsv) != *:.* ]]
		allocate -q "$queue" --quiet jobs.tsv | placecheck
	done < <(examples_of allocate queues)
}

# log SEED NODES JOBS: jobs of some size, with walltimes that are never shorter than the runtime
random_log() {
	echo '##placetools=jobs/1'
	awk -v seed="$1" -v nodes="$2" -v njobs="$3" 'BEGIN {
		srand(seed)
		print "job\tnodes\tsubmit_s\truntime_s\twalltime_s"
		for (i = 0; i < njobs; i++) {
			submit += int(rand() * 12)
			runtime = int(rand() * 60)
			printf "j%d\t%d\t%d\t%d\t%d\n", i, 1 + int((nodes - 1) * rand() ^ 3), submit, runtime, runtime + int(rand() * 60)
		}
	}'
}

# keeps_promises FILE: no job starts later than the promise in its reason
keeps_promises() {
	awk -F'\t' '
		/^##/ { next }
		!header++ { for (i = 1; i <= NF; i++) column[$i] = i; next }
		match($column["reason"], /promised for [0-9.]+ s/) {
			n++
			promise = substr($column["reason"], RSTART + 13, RLENGTH - 15)
			if ($column["start_s"] > promise + 0) { print "# " $0; late++ }
		}
		END { exit late > 0 || n == 0 }' "$1"
}

@test "every queue, many policies, several machines: allowed nodes, nobody starves, promises and orders are kept" {
	local seed=0 queue policy machine
	for machine in complete:nodes=24 dragonfly:groups=4,routers=3,nodes=3 torus:dims=4x4x2 tree:arity=3x3x3; do
		random_log $((++seed)) 24 120 >log.tsv
		for queue in fcfs easy easy:reserve=nodes conservative conservative:reserve=nodes level-fit; do
			for policy in simple random level-spread slurm fewer-router; do
				[[ $policy == level-spread && $machine == complete* ]] && continue
				allocate -t "$machine" -q "$queue" -p "$policy" --explain log.tsv >out.tsv 2>err.txt
				[[ ! -s err.txt ]]
				placecheck out.tsv
				case $queue in
				fcfs)
					mlr --itsv --onidx --pass-comments cut -f start_s out.tsv | grep -v '^##' | sort -nc
					;;
				conservative*) keeps_promises out.tsv ;;
				esac
			done
		done
	done
}

# The order of the log decides between jobs of one time, whatever numbers they get.
@test "read ahead: the placements of a run that is read whole, for every queue" {
	local queue more ahead
	random_log 7 24 400 | mlr --tsv --pass-comments sort -nf submit_s >log.tsv
	for queue in none fcfs easy easy:reserve=nodes,settle=20s conservative conservative:reserve=nodes,settle=5s level-fit; do
		for more in '' '-p random' '-c contiguous' '-c connected:wait=60s' --explain; do
			# shellcheck disable=SC2086 # several options
			allocate --quiet -t torus:dims=4x3x2 -q "$queue" $more log.tsv >whole.tsv
			for ahead in 1 7 100; do
				# shellcheck disable=SC2086
				allocate --quiet -t torus:dims=4x3x2 -q "$queue" $more --read-ahead $ahead log.tsv >ahead.tsv
				diff <(grep -v '^##command' whole.tsv) <(grep -v '^##command' ahead.tsv)
			done
		done
	done
}

@test "read ahead: several runs, jobs a few rows late, no times at all; what is refused" {
	stream jobs "run job nodes submit_s runtime_s" "x a 9 5 10" "x b 9 3 10" "x c 9 4 10" "y a 9 1 2" "z a 2 9 9" "z b 9 9 9" >runs.tsv
	allocate -q fcfs runs.tsv >whole.tsv
	allocate -q fcfs --read-ahead 2 runs.tsv >ahead.tsv
	diff <(grep -v '^##command' whole.tsv) <(grep -v '^##command' ahead.tsv)
	stream jobs "job nodes" "a 3" "b 4" "c 5" "d 2" >timeless.tsv
	run -0 --separate-stderr allocate timeless.tsv
	local whole=$output
	run -0 --separate-stderr allocate --read-ahead 1 timeless.tsv
	[ "$(grep -v '^##command' <<<"$output")" = "$(grep -v '^##command' <<<"$whole")" ]
	stream jobs "job nodes submit_s runtime_s" "a 1 0 1" "b 1 10 1" "c 1 20 1" "d 1 30 1" "e 1 5 1" >late.tsv
	run -2 --separate-stderr allocate -q easy --read-ahead 1 late.tsv
	[[ "$stderr" == *"late.tsv:7: submit_s: was passed more than 1 jobs before: expected the order of submission, or a greater --read-ahead" ]]
	[[ "$output" != *'##end'* ]]
	allocate -q easy --read-ahead 4 late.tsv | placecheck
	stream jobs "job nodes nodelist" "a 1 ." "b 1 n1" >booked.tsv
	allocate --quiet booked.tsv >whole.tsv
	allocate --quiet --read-ahead 1 booked.tsv >ahead.tsv
	diff <(grep -v '^##command' whole.tsv) <(grep -v '^##command' ahead.tsv)
	stream jobs "job nodes nodelist" "a 1 ." "b 1 ." "c 1 ." "d 1 n1" >booked.tsv
	run -2 --separate-stderr allocate --read-ahead 1 booked.tsv
	[[ "$stderr" == *"booked.tsv:6: nodelist: the job came with its nodes: expected such jobs before the others, or a greater --read-ahead" ]]
	stream jobs "job nodes start_s nodelist" "a 1 5 n1" >open.tsv
	run -2 --separate-stderr allocate --read-ahead 1 --replay open.tsv
	[[ "$stderr" == *"open.tsv:3: end_s: the job has not ended, and when the log ends is not known with --read-ahead" ]]
	stream jobs "job nodes leaf_switches" "a 1 1" >switches.tsv
	run -2 --separate-stderr allocate --read-ahead 1 switches.tsv
	[[ "$stderr" == *"switches.tsv:3: leaf_switches: not counted with --read-ahead" ]]
	stream jobs "job nodes" "a 1" "b 1" "c 1" "a 1" >twice.tsv
	run -2 --separate-stderr allocate --read-ahead 1 twice.tsv
	[[ "$stderr" == *"twice.tsv:6: 'a' is there twice (first in line 3)" ]]
}

# same_rows A B: the same but for the commands
same_rows() {
	diff <(grep -v '^##command' "$1") <(grep -v '^##command' "$2")
}

@test "read ahead: jobs that run already, that share nodes, that have segments, replays, candidates" {
	local t=dragonfly:groups=9,routers=4,nodes=2 queue ahead
	jobgen -t "$t" lublin:load=.9,jobs=200 -o log.tsv
	allocate --quiet -t "$t" -q fcfs log.tsv >placed.tsv
	# the first twenty run already
	awk -F'\t' -v OFS='\t' '/^##end/ || /^##command/ { next } /^##/ { print; next } ++n == 1 { print; next }
		n > 21 { for (i = 1; i <= NF; i++) if (i >= 7) $i = "." } n <= 21 { $3 = 0 } { print } END { print "##end" }' placed.tsv >running.tsv
	[[ $(grep -v '^##' running.tsv | head -1 | cut -f 7-10) == $'start_s\tend_s\tnodelist\tpolicy' ]]
	{
		printf '##placetools=nodes/1\nnode\tcpus\tgpus\n'
		for ((i = 0; i < 72; i++)); do printf 'n%d\t%d\t%d\n' $i $((4 + i % 3 * 4)) $((i % 2 * 4)); done
	} >nodes.tsv
	awk 'BEGIN { OFS = "\t"; print "##placetools=jobs/1"; print "job", "nodes", "submit_s", "runtime_s", "walltime_s", "exclusive", "cpus", "gpus"
		srand(3); for (i = 0; i < 300; i++) print i, 1 + int(rand() * 4), i * 7, 20 + int(rand() * 300), 400, rand() < .6 ? "no" : "yes", 1 + int(rand() * 8), rand() < .3 ? 1 : "." }' >share.tsv
	awk 'BEGIN { OFS = "\t"; print "##placetools=jobs/1"; print "job", "nodes", "submit_s", "runtime_s", "segment"
		srand(3); for (i = 0; i < 300; i++) print i, 4 * (1 + int(rand() * 4)), i * 7, 20 + int(rand() * 300), rand() < .6 ? 4 : "." }' >segments.tsv
	for queue in none fcfs easy conservative; do
		allocate --quiet -t "$t" -q "$queue" running.tsv >running-whole.tsv
		allocate --quiet -t "$t" -q "$queue" --nodes nodes.tsv share.tsv >share-whole.tsv
		allocate --quiet -t "$t" -q "$queue" segments.tsv >segments-whole.tsv
		for ahead in 1 40; do
			allocate --quiet -t "$t" -q "$queue" --read-ahead $ahead running.tsv >ahead.tsv
			same_rows running-whole.tsv ahead.tsv
			allocate --quiet -t "$t" -q "$queue" --read-ahead $ahead --nodes nodes.tsv share.tsv >ahead.tsv
			same_rows share-whole.tsv ahead.tsv
			allocate --quiet -t "$t" -q "$queue" --read-ahead $ahead segments.tsv >ahead.tsv
			same_rows segments-whole.tsv ahead.tsv
		done
	done
	# a replay has the same rows: those recorded leave as they are read
	allocate --quiet -t "$t" -q easy --replay placed.tsv >whole.tsv
	allocate --quiet -t "$t" -q easy --replay --read-ahead 9 placed.tsv >ahead.tsv
	diff <(grep -v '^##' whole.tsv | sort) <(grep -v '^##' ahead.tsv | sort)
	stream jobs "run job nodes" "x a 1" "x b 2" "x c 3" "x d 1" "y a 2" >sets.tsv
	allocate --quiet -t ring:nodes=5 -c connected --candidates sets.tsv >whole.tsv
	allocate --quiet -t ring:nodes=5 -c connected --candidates --read-ahead 1 sets.tsv >ahead.tsv
	same_rows whole.tsv ahead.tsv
}

@test "--order end: the same rows by their ends, whether a run is read whole or ahead; -v has the window" {
	local t=dragonfly:groups=9,routers=4,nodes=2 queue
	jobgen -t "$t" lublin:load=.9,jobs=300 -o log.tsv
	for queue in none fcfs easy conservative level-fit; do
		allocate --quiet -t "$t" -q "$queue" log.tsv >input.tsv
		allocate --quiet -t "$t" -q "$queue" --order end log.tsv >end.tsv
		diff <(grep -v '^##' input.tsv | sort) <(grep -v '^##' end.tsv | sort)
		awk -F'\t' '/^##/ { next } !c { for (i = 1; i <= NF; i++) if ($i == "end_s") c = i; next }
			$c != "." { if ($c + 0 < last) exit 1; last = $c + 0; n++ } END { exit n < 200 }' end.tsv
		placecheck end.tsv
		allocate --quiet -t "$t" -q "$queue" --order end --read-ahead 5 log.tsv >ahead.tsv
		same_rows end.tsv ahead.tsv
	done
	# by hand: b overtakes a; c never fits, and leaves when that is known; d has no end
	stream jobs "job nodes submit_s runtime_s walltime_s" "z 2 0 10 10" "a 4 1 5 5" "b 1 2 3 3" "c 9 3 1 1" "d 1 4 . ." >few.tsv
	[[ $(allocate --quiet -t complete:nodes=4 -q easy --order end few.tsv | grep -v '^##' | tail -n +2 | cut -f 1 | paste -sd' ') == "c b z a d" ]]
	run -0 --separate-stderr allocate -v -t "$t" -q easy --read-ahead 5 log.tsv
	[[ "$stderr" =~ "jobs kept at one time: at most "[0-9]+ ]]
	run -2 --separate-stderr allocate -t ring:nodes=5 -c connected --candidates --order end few.tsv
	[[ "$stderr" == *"--candidates places no job: --order has no ends to go by" ]]
}

@test "a piece of a real log through all queues: waits, stretch and utilization, beside fcfs" {
	need_shared
	{ head -500 "$SHARED/data/swf/alea_wagap-2013.swf"; } >piece.swf
	traceconv --from swf --to jobs piece.swf >log.tsv
	for queue in fcfs easy conservative level-fit; do
		allocate -t complete:nodes=200 -q "$queue" log.tsv >"$queue.tsv"
		placecheck "$queue.tsv"
	done
	cat fcfs.tsv easy.tsv conservative.tsv level-fit.tsv |
		evalmetrics -t complete:nodes=200 -m wait -m stretch -m schedule -m queue --by scheduler --baseline scheduler=fcfs >metrics.tsv
	mlr --itsv --onidx --pass-comments filter '$metric == "wait_s"' then cut -o -f scheduler,n,ratio metrics.tsv | grep -v '^##' >waits
	[[ $(cut -d' ' -f1 waits | paste -sd' ') == "fcfs easy conservative level-fit" ]]
	# the same jobs wait, and overtaking shortens that
	[[ $(cut -d' ' -f2 waits | sort -u | wc -l) -eq 1 ]]
	awk '$1 != "fcfs" && $3 >= 1 { exit 1 }' waits
}

@test "a real log in one pipe: SWF, EASY, metrics" {
	set -o pipefail
	traceconv --from swf "$ROOT/share/demo/metacentrum-2013-02.swf.gz" --to jobs |
		allocate -t complete:nodes=64 -q easy --quiet | evalmetrics -m wait -m stretch -m schedule -m queue --by . >metrics.tsv
	mlr --itsv --onidx --pass-comments cut -o -f metric,n metrics.tsv | grep -v '^##' >counts
	[[ $(grep -c . counts) -eq 12 ]]
	# every job that fits has a wait, and all of them are in the schedule
	awk '$1 == "wait_s" && $2 > 100 { good = 1 } END { exit !good }' counts
	[[ $(tail -1 metrics.tsv) == "##end" ]]
}

@test "two queues, five ways to keep jobs together: allowed nodes, and best effort delays no first job" {
	random_log 7 16 60 >log.tsv
	export PLACETOOLS_TOPOLOGY=torus:dims=16
	for queue in easy conservative; do
		allocate -q "$queue" log.tsv >basic.tsv
		for constraint in contiguous: clusters:size=4,; do
			allocate -q "$queue" -c "${constraint%?}" log.tsv >strict.tsv
			placecheck -c "${constraint%?}" strict.tsv
			allocate -q "$queue" -c "${constraint}best-effort" log.tsv >best.tsv
			placecheck best.tsv
			# any nodes do: the same times as without
			cmp <(mlr --itsv --onidx --pass-comments cut -f start_s basic.tsv | grep -v '^##') \
				<(mlr --itsv --onidx --pass-comments cut -f start_s best.tsv | grep -v '^##')
			# but more of the jobs keep together
			[[ $(kept "${constraint%%:*}" best.tsv) > $(kept "${constraint%%:*}" basic.tsv) ]]
		done
	done
}

# kept CONSTRAINT FILE: the part of the jobs that keep it
kept() {
	evalmetrics -m "$1$([[ $1 == clusters ]] && echo :size=4)" --by . "$2" | grep -v '^##' | cut -f 4 | tail -1
}

@test "what can't be: larger than the machine, without end, late, not a queue" {
	stream jobs "job nodes submit_s runtime_s" "a 11 0 1" "b 10 0 5" >jobs.tsv
	run --separate-stderr allocate -q fcfs --explain jobs.tsv
	[[ $status -eq 0 && $stderr == "allocate: 1 of 2 jobs could not be placed" ]]
	[[ $output == *"11 nodes requested, the machine has 10"* ]]
	[[ $(starts fcfs jobs.tsv) == "a:. b:0" ]]
	# x never ends: who wants its nodes waits forever, the others go on
	stream jobs "job nodes submit_s runtime_s" "x 4 0 ." "y 8 1 5" "z 6 2 5" >jobs.tsv
	[[ $(starts easy jobs.tsv) == "x:0 y:. z:2" ]]
	[[ $(starts conservative jobs.tsv) == "x:0 y:. z:2" ]]
	[[ $(starts fcfs jobs.tsv) == "x:0 y:. z:." ]]
	allocate -q fcfs --quiet --explain jobs.tsv | grep -P '^z\t.*waits forever: behind job y$'
	# runs 100 s beyond its plan
	stream jobs "job nodes submit_s runtime_s walltime_s" "a 10 0 110 10" "b 10 1 5 5" "c 1 2 5 5" >jobs.tsv
	for queue in fcfs easy conservative conservative:reserve=nodes; do
		[[ $(starts "$queue" jobs.tsv) == "a:0 b:110 c:115" ]]
	done
	run -2 --separate-stderr allocate -q sjf jobs.tsv
	[[ $stderr == *"queue"*"fcfs"* ]]
	run -2 --separate-stderr allocate -q easy:reserve=all jobs.tsv
	[[ $stderr == *"reserve"* ]]
}

@test "running jobs are booked, hold their nodes until their end, and keep their rows" {
	stream jobs "job nodes submit_s runtime_s walltime_s start_s end_s nodelist" \
		"r 6 . . 50 0 . n[0-5]" "a 8 5 10 10 . . ." "b 4 6 40 40 . . ." "c 4 7 100 100 . . ." >jobs.tsv
	[[ $(starts easy jobs.tsv) == "r:0 a:50 b:6 c:60" ]]
	allocate -q easy jobs.tsv | grep -P '^r\t6\t\.\t\.\t50\t0\t50\tn\[0-5\]\t\.\t\.$'
	# nodes that are busy with nothing that is known never come back
	[[ $(starts easy --idle 'n[6-9]' jobs.tsv) == "r:0 a:50 b:6 c:60" ]]
	grep -v '^r' jobs.tsv >others.tsv
	[[ $(starts easy --idle 'n[6-9]' others.tsv) == "a:. b:6 c:46" ]]
}

@test "conservative: a start that was planned between ends that settle together is made at the last of them" {
	stream jobs 'job nodes submit_s runtime_s' 'a 2 0 98' 'd 2 0 100' 'b 2 10 10' 'e 4 20 5' >j.tsv
	run -0 bash -c 'allocate --quiet -t complete:nodes=4 -q conservative:settle=5s j.tsv | mlr --itsv --onidx --skip-comments cut -f start_s | paste -sd" "'
	[ "$output" = '0 0 100 110' ]
}

@test "conservative: while a job is late, what is planned for the time after its end is no event" {
	# b is planned to take an instant, c comes after it: the plan moves with each instant that a is late
	stream jobs "job nodes submit_s runtime_s walltime_s" "a 1 0 1000000 1" "b 1 0 0 ." "c 1 0 5 5" >jobs.tsv
	for queue in conservative conservative:reserve=nodes conservative:depth=1 conservative:depth=2; do
		run -0 bash -c "ulimit -t 5; allocate --quiet -t complete:nodes=1 -q $queue jobs.tsv | mlr --itsv --onidx --skip-comments cut -f start_s | paste -sd' '"
		[ "$output" = "0 1000000 1000000" ]
	done
	need_shared
	run -0 bash -c "ulimit -t 5; allocate --quiet -t dragonfly:groups=5,routers=4,nodes=3 -q conservative '$SHARED/data/cases/queue/loop.tsv' | tail -1"
	[ "$output" = "##end" ]
}

@test "conservative: depth= is how many jobs have reservations, and a long queue gets one by itself" {
	# a leaves 2 nodes until 10; b takes all then; c would delay d alone
	stream jobs "job nodes submit_s runtime_s" "a 2 0 10" "b 4 0 10" "d 2 0 10" "c 2 0 10" "e 2 0 12" >jobs.tsv
	starts_of() { allocate --quiet -t complete:nodes=4 -q "$1" jobs.tsv | mlr --itsv --onidx --skip-comments put -q 'print $job.":".$start_s' | paste -sd' '; }
	[ "$(starts_of conservative:depth=1)" = "$(starts_of easy)" ]
	[ "$(starts_of conservative:depth=5)" = "$(starts_of conservative)" ]
	[ "$(starts_of conservative:depth=1,reserve=nodes)" = "$(starts_of easy:reserve=nodes)" ]
	(
		printf '##placetools=jobs/1\njob\tnodes\tsubmit_s\truntime_s\n'
		seq 2200 | awk '{ print $1 "\t" 1 + $1 % 3 "\t0\t" 1 + $1 % 7 }'
	) >jobs.tsv
	run -0 --separate-stderr allocate -t complete:nodes=4 -q conservative jobs.tsv
	[ "$stderr" = "allocate: -q conservative: 2200 jobs wait: while there are more than 2000, only the first 100 have reservations (depth=)" ]
	placecheck <<<"$output"
	run -0 --separate-stderr allocate -t complete:nodes=4 -q conservative:depth=10000 jobs.tsv
	[ "$stderr" = "" ]
}
