bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	SAMPLES=$BATS_TEST_DIRNAME/formats/slurm
}

# The named columns of all rows, blanks between: columns COLUMN… < stream
columns() {
	rows | awk -F'\t' -v want="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n = split(want, w, " "); line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[w[i]]; print line }'
}

# ---- sacct ----

@test "sacct: the live listing: steps, arrays, bars in texts, states, times" {
	need_shared
	run -0 --separate-stderr traceconv --from sacct --zone Z --to jobs "$SHARED/data/slurm/sacct-P.txt"
	[ -z "$stderr" ]
	[ "$(echo "$output" | columns job nodes ranks_per_node walltime_s runtime_s state nodelist)" = "\
1 4 4 300 6 completed nid[00001-00004]
2 2 4 93840 4 completed nid[00005-00006]
3 8 4 600 8 completed nid[00009-00016]
4 1 1 60 1 completed nid00007
6 1 . 31536000 0 failed nid00007
7 1 . 60 60 timeout nid00008
8 16 4 1800 5 completed nid[00001-00016]
9 17 . 300 . pending .
10 1 1 31536000 1 completed nid00008
11 3 1 180 3 completed nid[00002,00005-00006]
12 2 . 300 . cancelled .
5_0 1 1 120 2 completed nid00007
5_1 1 1 120 2 completed nid00007
5_2 1 1 120 3 completed nid00007
5_3 1 1 120 3 completed nid00007
15 3 . . 0 completed nid[00001-00003]" ]
	[ "$(echo "$output" | columns app binary | sed -n 4p)" = "name with space sleep" ]
	# 2026-11-20T22:09:46Z, and an hour earlier in the zone an hour to the east
	[ "$(echo "$output" | columns submit_s start_s end_s | head -n 1)" = "1795212586 1795212587 1795212593" ]
	[ "$(traceconv --from sacct --zone +01:00 --to jobs "$SHARED/data/slurm/sacct-P.txt" | columns submit_s | head -n 1)" = 1795208986 ]
}

@test "sacct: times without a zone need --zone; epochs do not" {
	printf 'JobID|Submit|NNodes|State\n1|2026-11-20T22:09:46|2|PENDING\n' > a.txt
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs a.txt
	[[ $stderr == "traceconv: a.txt:2: the time '2026-11-20T22:09:46' has no zone"*"--zone"* ]]
	printf 'JobID|Submit|NNodes|State\n1|1795212586|2|PENDING\n' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns submit_s)" = 1795212586 ]
}

@test "sacct: without a number of nodes it says what to ask for, which is a command that works here" {
	need_shared
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs "$SHARED/data/slurm/sacct-p-trailingpipe.txt"
	[[ $stderr == *"has no column NNodes"* ]]
	printf 'JobID|NodeList\n7|n[1-3]\n' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job nodes)" = "7 3" ]
	feed=$(traceconv --list=readers | sed -n 's/^ *from a live system: \(.*sacct -P .*\)/\1/p')
	names=$(sed 's/.* -o //' <<< "$feed" | tr , '|')
	printf '%s\n1|root|batch|10|20|30|10|5|COMPLETED|2||acc|cpu=4,node=2|cpu=4,node=2|||nid[1-2]|a|b\n' "$names" > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job nodes runtime_s walltime_s app nodelist)" = "1 2 10 300 a|b nid[1-2]" ]
}

@test "sacct: trailing bars, tabs, other columns for the number of nodes" {
	printf 'JobID|JobName|ReqTRES|State|\n1|x|billing=4,cpu=4,node=3|PENDING|\n' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job nodes app)" = "1 3 x" ]
	printf 'JobID\tJobName\tNNodes\n1\ta|b\t2\n' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns app)" = "a|b" ]
	printf 'JobID|NNodes|Elapsed|Timelimit|Start\n1|2|1-00:00:10|00:30:00|5\n2|0|||\n' > a.txt
	run -0 --separate-stderr traceconv --from sacct --to jobs a.txt
	[ "$(echo "$output" | columns runtime_s walltime_s)" = "86410 1800" ]
	[ "$stderr" = "traceconv: 1 jobs without nodes were left out" ]
}

@test "sacct: pending tasks of an array come one by one" {
	printf 'JobID|NNodes|State\n5_[0-1,7,10-14:2%%2]|3|PENDING\n' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job nodes | tr '\n' ';')" = "5_0 3;5_1 3;5_7 3;5_10 3;5_12 3;5_14 3;" ]
	printf 'JobID|NNodes|State\n5|3|PENDING\n6_[x]|1|PENDING\n7|1|PENDING\n' > a.txt
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs a.txt
	[[ $stderr == "traceconv: a.txt:3: '6_[x]' is not a list of array tasks"* ]]
}

@test "sacct: a row that no text explains is refused" {
	printf 'JobID|NNodes|State|Partition\n1|2|COMPLETED|a|b\n' > a.txt
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs a.txt
	[[ $stderr == "traceconv: a.txt:2: has 5 fields, expected 4"*"--delimiter"* ]]
	printf 'JobID|NNodes|State\n1|2\n' > a.txt
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs a.txt
	[ "$stderr" = "traceconv: a.txt:2: has 2 fields, expected 3" ]
	# the name holds the bars, although a comment follows
	printf 'JobID|JobName|NNodes|State|Comment|Start\n1|a|b|c|2|FAILED|x|7\n' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns nodes app start_s state)" = "2 a|b|c 7 failed" ]
}

@test "sacct: the application by name, program or map file" {
	printf '%s\n' 'JobID|JobName|NNodes' '1|md_run7|2' '1.batch|batch|1' '1.0|lmp|2' '2|other|2' '2.0|xhpcg|2' > a.txt
	printf '# pattern application\nmd_*  miniMD\n\nxhpcg HPCG # by program\n' > map
	[ "$(traceconv --from sacct --to jobs a.txt | columns app binary | tr '\n' ';')" = "md_run7 lmp;other xhpcg;" ]
	[ "$(traceconv --from sacct:app=binary --to jobs a.txt | columns app | tr '\n' ';')" = "lmp;xhpcg;" ]
	[ "$(traceconv --from sacct:app=none,map=map --to jobs a.txt | columns app | tr '\n' ';')" = "miniMD;HPCG;" ]
	echo 'one' > map
	run -2 --separate-stderr traceconv --strict --from sacct:map=map --to jobs a.txt
	[ "$stderr" = "traceconv: map:1: expected a pattern and an application" ]
}

# ---- squeue, sinfo, scontrol ----

@test "squeue: the default layout, long, and with bars" {
	need_shared
	[ "$(traceconv --from squeue --to jobs "$SHARED/data/slurm/squeue_end.txt" | columns job nodes app user state state_reason nodelist)" = \
		"9 17 never root pending PartitionNodeLimit ." ]
	[ "$(traceconv --from squeue --to jobs "$SAMPLES/squeue-l.txt" | columns job nodes app state walltime_s state_reason nodelist)" = "\
9_[2 17 my app 1 pending 300 ReqNodeNotAvail, UnavailableNodes:nid[00001-00002] .
8 16 big running . . nid[00001-00016]" ]
	[ "$(traceconv --from squeue --to jobs "$SAMPLES/squeue-o.txt" | columns job submit_s start_s end_s walltime_s nodes nodelist state_reason app)" = "\
5_3 1000 1010 1610 600 2 nid[00001-00002] . arr
9 1001 . . 86400 4 . Resources big job" ]
}

@test "squeue: what is wrong is refused" {
	echo hello > a.txt
	run -2 --separate-stderr traceconv --strict --from squeue --to jobs a.txt
	[[ $stderr == "traceconv: a.txt:1: has no line of names with 'JOBID'"* ]]
	printf 'JOBID|NAME|NODES\n1|a|b|2\n' > a.txt
	run -2 --separate-stderr traceconv --strict --from squeue --to jobs a.txt
	[[ $stderr == "traceconv: a.txt:2: has 4 fields, expected 3"* ]]
	printf 'JOBID|NODES|TIME_LIMIT\n1|2|soon\n' > a.txt
	run -2 --separate-stderr traceconv --strict --from squeue --to jobs a.txt
	[ "$stderr" = "traceconv: a.txt:2: 'soon' is not a time such as 1-02:03:04" ]
}

@test "sinfo: a node of several partitions comes once, signs and codes are states" {
	need_shared
	[ "$(traceconv --from sinfo --to hostlist "$SHARED/data/slurm/sinfo-N.txt")" = "nid[00001-00016]" ]
	[ "$(traceconv --from sinfo --to nodes "$SAMPLES/sinfo.txt" | columns node state)" = "\
nid00001 allocated
nid00002 allocated
nid00003 idle
nid00004 idle
nid00005 idle
nid00006 not-responding
nid00007 draining" ]
	[ "$(traceconv --from sinfo --to hostlist:state=idle "$SAMPLES/sinfo.txt")" = "nid[00003-00005]" ]
}

@test "sinfo: every sign and flag that keeps an idle node from being given out" {
	i=0
	{
		echo 'NODELIST|STATE'
		for state in idle 'idle*' 'idle~' 'idle#' 'idle!' 'idle%' 'idle$' 'idle@' 'idle^' 'idle-' \
			idle+drain idle+cloud idle+planned mix- mixed+drain 'down*' drained unk; do
			echo "n$((i++))|$state"
		done
	} > s.txt
	[ "$(traceconv --from sinfo --to nodes s.txt | columns state | tr '\n' ' ')" = "idle not-responding \
powered-down powering-up powering-down powering-down maintenance reboot reboot planned drained idle planned \
mixed draining down drained unknown " ]
}

@test "scontrol show node: one line a node, or several" {
	need_shared
	run -0 --separate-stderr traceconv -v --to nodes "$SHARED/data/slurm/scontrol_show_node_oneline.txt"
	[ "$(echo "$output" | columns state | sort | uniq -c | tr -s ' ')" = " 16 idle" ]
	[[ $stderr == *": scontrol-node -> nodes -> nodes" ]]
	[ "$(traceconv --from scontrol-node --to nodes "$SAMPLES/scontrol.txt" | columns node state | tr '\n' ';')" = "n1 drained;n2 draining;n3 idle;" ]
	echo 'NodeName=n1 Arch=x' > a.txt
	run -2 --separate-stderr traceconv --strict --from scontrol-node --to nodes a.txt
	[ "$stderr" = "traceconv: a.txt:1: the node 'n1' has no State=" ]
}

# ---- SWF out ----

@test "jobs through swf and back: nothing is lost that both sides can say" {
	need_shared
	for log in lublin-aaroh evalys_easy_mediumWL_smallPF evalys_filler_mediumWL_smallPF alea_wagap-2013; do
		traceconv --quiet --no-provenance --from swf:all --to jobs "$SHARED/data/swf/$log.swf" > a.tsv
		traceconv --to swf a.tsv > a.swf
		traceconv --no-provenance --from swf:all --to jobs a.swf > b.tsv
		cmp a.tsv b.tsv
		[ "$(awk '!/^;/ && NF != 18' a.swf | wc -l)" -eq 0 ]
	done
}

@test "jobs through swf and back: names, of which some are numbers, and arrays" {
	printf '%s\n' 'job submit_s nodes ranks_per_node runtime_s walltime_s app user queue state start_s end_s' \
		'5_0 0 2 4 10 60 lammps alice q completed 5 15' '1 0.5 1 4 . . 1 2 . . . .' \
		'2 1 1 4 1 1 miniMD 1 q cancelled 1 2' '5_1 1 1 4 1 1 2 alice 1 failed 1 2' | table jobs > a.tsv
	traceconv --to swf a.tsv > a.swf
	traceconv --from swf:cores=4 --to jobs a.swf > b.tsv
	c='job submit_s nodes ranks_per_node runtime_s walltime_s app user queue state start_s end_s'
	# shellcheck disable=SC2086
	[ "$(columns $c < a.tsv)" = "$(columns $c < b.tsv)" ]
	# numbers that are free stay themselves
	grep -qx '2 0.5 .*' a.swf || grep -q '^; Job: [0-9]* 1$' a.swf
}

@test "jobs to swf: times that are out of order are refused" {
	printf '%s\n' 'job submit_s nodes start_s' '1 10 1 5' | table jobs > a.tsv
	run -2 --separate-stderr traceconv --strict --to swf a.tsv
	[ "$stderr" = "traceconv: a.tsv:3: the job starts before it was submitted" ]
}

# ---- Batsim ----

@test "batsim: workload and results of the reference runs" {
	need_shared
	cd "$SHARED/data/reference/batsim"
	traceconv --from batsim --to jobs lublin256.json.gz > "$BATS_TEST_TMPDIR/w.tsv"
	traceconv --to jobs lublin256_easy_bf_basic_jobs.csv.gz > "$BATS_TEST_TMPDIR/r.tsv"
	cd "$BATS_TEST_TMPDIR"
	[ "$(body < w.tsv | wc -l)" -eq 5000 ]
	[ "$(columns job submit_s nodes runtime_s walltime_s < w.tsv | sed -n 3p)" = "3 1648 1 24089 36193.5" ]
	[ "$(body < r.tsv | wc -l)" -eq 5000 ]
	[ "$(columns job start_s end_s nodes nodelist state < r.tsv | head -n 1)" = "2 76.000008 78.000008 1 n[16] completed" ]
	# the same jobs, and each ran as long as its delay says
	columns job nodes submit_s runtime_s < w.tsv | sort > w
	columns job nodes submit_s runtime_s < r.tsv | sort > r
	join w r | awk '$2 != $5 || $3 != $6 || $4 - $7 > .001 || $7 - $4 > .001 { print; bad = 1 } END { exit bad }'
	[ "$(join w r | wc -l)" -eq 5000 ]
}

@test "batsim: jobs.csv and the workload come back as they were" {
	need_shared
	traceconv --no-provenance --to jobs "$SHARED"/data/reference/batsim/lublin256_fcfs_basic_jobs.csv.gz > a.tsv
	traceconv --to batsim a.tsv | traceconv --no-provenance --to jobs > b.tsv
	diff <(columns job submit_s nodes walltime_s runtime_s state start_s end_s < a.tsv) \
		<(columns job submit_s nodes walltime_s runtime_s state start_s end_s < b.tsv)
	# the nodes too, whatever their order in the list
	diff <(traceconv --to slurm-nodelist a.tsv) <(traceconv --to slurm-nodelist b.tsv)
	traceconv --no-provenance --from batsim --to jobs "$SHARED"/data/reference/batsim/lublin256.json.gz > a.tsv
	traceconv --to batsim:file=workload,resources=256 a.tsv > w.json
	traceconv --no-provenance --from batsim --to jobs w.json | cmp - a.tsv
	grep -q '"nb_res": 256}' w.json
}

@test "batsim: jobs.csv and schedule.csv of a small schedule, by hand" {
	printf '%s\n' 'job submit_s nodes walltime_s app start_s end_s nodelist state' \
		'a 0 3 20 x,y 0 10 n[4-5,1] completed' 'b 0 1 . . 10 15 n0 timeout' 'c 3 1 . . . . . .' | table jobs > a.tsv
	run -0 --separate-stderr traceconv --to batsim a.tsv
	[ "$(echo "$output" | sed 1d)" = 'a,w0,"x,y",0,3,20,1,COMPLETED_SUCCESSFULLY,0,10,10,0,10,1,1 4-5,-1,""
b,w0,unknown,0,1,-1,0,COMPLETED_WALLTIME_REACHED,10,5,15,10,15,3,0,-1,""' ]
	[ "$stderr" = "traceconv: 1 jobs that have not started and ended were left out" ]
	run -0 --separate-stderr traceconv --quiet --to batsim:file=schedule a.tsv
	[ "${lines[1]}" = "15,3,15,10,2,12.5,5,3,2,1,1,0.333333" ]
	printf '%s\n' 'job nodes start_s end_s nodelist' '1 1 0 1 login' | table jobs > a.tsv
	run -2 --separate-stderr traceconv --strict --to batsim a.tsv
	[[ $stderr == "traceconv: a.tsv:3: nodelist: the node 'login' has no number"* ]]
}

@test "batsim: a rejected job has no nodes" {
	printf '%s\n' 'job_id,submission_time,requested_number_of_resources,requested_time,final_state,starting_time,finish_time,allocated_resources' \
		'7,0,300,20,REJECTED,-1,-1,' '8,0,3,20,COMPLETED_SUCCESSFULLY,0,10,1 4-5' >results.csv
	traceconv --from batsim --to jobs results.csv | columns job state nodelist | diff <(printf '%s\n' '7 rejected .' '8 completed n[1,4-5]') -
}

@test "batsim: what is wrong is refused with its line" {
	printf '{"jobs": [\n{"id": 1, "res": 0}]}' > a.json
	run -2 --separate-stderr traceconv --strict --from batsim --to jobs a.json
	[ "$stderr" = "traceconv: a.json:2: '0' is not a number of resources of at least 1" ]
	printf '{"profiles": {}}' > a.json
	run -2 --separate-stderr traceconv --strict --from batsim --to jobs a.json
	[ "$stderr" = "traceconv: a.json:1: has no list 'jobs'" ]
	printf '{"jobs": [' > a.json
	run -2 --separate-stderr traceconv --strict --from batsim --to jobs a.json
	[ "$stderr" = "traceconv: a.json:1: the document ends too early" ]
	printf 'job_id,x,requested_number_of_resources,\n1,2\n' > a.csv
	run -2 --separate-stderr traceconv --strict --from batsim --to jobs a.csv
	[ "$stderr" = "traceconv: a.csv:2: expected 4 fields" ]
}

# ---- Flux ----

@test "flux: the use cases of RFC 14 and 25, and a resource set" {
	need_shared
	cd "$SHARED/data/jobspec/flux-rfc/data"
	case14() { traceconv --from flux:cores=48 --to jobs "spec_14/$1.yaml" | columns nodes ranks_per_node walltime_s app; }
	[ "$(case14 example1)" = "4 1 3600 app" ]
	[ "$(case14 use_case_1.2)" = "3 1 3600 flux" ]  # a moldable count: the least
	[ "$(case14 use_case_1.5)" = "4 . 14400 flux" ] # two kinds of slots, two tasks
	[ "$(case14 use_case_1.6)" = "2 1 3600 flux" ]  # two clusters, one node each
	[ "$(case14 use_case_1.8)" = "4 1 3600 flux" ]  # "4,9,16,25"
	[ "$(case14 use_case_2.1)" = "4 5 3600 hostname" ]
	[ "$(case14 use_case_2.2)" = "4 . 3600 hostname" ] # five tasks on four nodes
	[ "$(case14 use_case_2.3)" = "1 10 3600 myapp" ] # ten slots of two cores
	run -0 traceconv --from flux --to jobs spec_25/use_case_2.4.yaml spec_20/example1.json
	[ "$(echo "$output" | columns job nodes ranks_per_node start_s end_s nodelist)" = "\
use_case_2.4 4 4 . . .
example1 4 . 1676560542 1676562342 node[186-189]" ]
	run -2 --separate-stderr traceconv --strict --from flux --to jobs spec_14/use_case_2.3.yaml
	[[ $stderr == *"spec_14/use_case_2.3.yaml:3: asks for slots, not nodes"*"cores=N"* ]]
}

@test "flux: what is wrong is refused with its line" {
	check() { # MESSAGE TEXT
		printf '%s' "$2" > a.yaml
		run -2 --separate-stderr traceconv --strict --from flux --to jobs a.yaml
		[ "$stderr" = "traceconv: a.yaml:$1" ]
	}
	check "1: has no version: expected a jobspec (RFC 14) or resource set (RFC 20)" 'a: 1'
	check "2: expected a list of resources" $'version: 1\nresources: x'
	check "2: a resource's count is not a whole number of at least 1 (nor a map with min, nor a range)" \
		$'version: 1\nresources: [{type: node, count: -1}]'
	check "2: the counts multiply to more than 2^31" \
		$'version: 1\nresources: [{type: node, count: 99999, with: [{type: slot, count: 99999}]}]'
	check "3: duration is not a time in seconds" \
		$'version: 1\nresources: [{type: node, count: 1}]\nattributes: {system: {duration: -4}}'
}

# ---- sbatch ----

@test "sbatch: what a job asks for, as parts of its nodes" {
	printf '##placetools=jobs/1\njob\tnodes\tcpus\tgpus\tgpu_type\tmemory_bytes\texclusive\tpartition\taccount\tfeatures\treservation\tranks_per_node\n' >a.tsv
	printf '%s\n' $'a\t2\t16\t4\ta100\t3000000000\tno\tgpu\tphys\thdr100|hdr200\tcourse\t4' $'b\t3\t7\t1\t.\t.\tyes\t.\t.\t.\t.\t.' >>a.tsv
	[ "$(traceconv --to sbatch:style=command a.tsv)" = "sbatch --job-name=a --partition=gpu --account=phys --reservation=course --constraint='hdr100|hdr200' --nodes=2 --ntasks-per-node=4 --cpus-per-task=2 --gres=gpu:a100:2 --mem=1431M
sbatch --job-name=b --nodes=3 --cpus-per-task=3 --gres=gpu:1 --exclusive" ]
	traceconv --to sbatch:job=b a.tsv | grep -qx '#SBATCH --exclusive'
}

@test "sbatch: the head of a script, or commands" {
	printf '%s\n' 'job nodes ranks_per_node walltime_s partition nodelist' '7 3 4 61 batch nid[00001-00003]' \
		'8 1 . . . .' | table jobs > a.tsv
	[ "$(traceconv --to sbatch:job=7 a.tsv)" = '#!/bin/sh
#SBATCH --job-name=7
#SBATCH --partition=batch
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=4
#SBATCH --time=2
#SBATCH --nodelist=nid[00001-00003]' ]
	printf '%s\n' 'job nodes' '7 3' '8 1' | table jobs > requests.tsv
	[ "$(traceconv --to sbatch:style=command requests.tsv)" = "$(printf 'sbatch --job-name=%d --nodes=%d\n' 7 3 8 1)" ]
	run -0 --separate-stderr traceconv --to sbatch:style=command a.tsv
	[ "$output" = "sbatch --job-name=7 --partition=batch --nodes=3 --ntasks-per-node=4 --time=2 --nodelist='nid[00001-00003]'" ]
	[ "$stderr" = 'traceconv: 1 jobs have no nodelist and were left out' ]
	run -2 --separate-stderr traceconv --strict --to sbatch requests.tsv
	[[ $stderr == "traceconv: requests.tsv:4: a second job"* ]]
}

@test "a job that waits: nothing is printed, and the status is 1" {
	printf '%s\n' 'job nodes nodelist' '7 3 nid[00001-00003]' '8 1 .' | table jobs > a.tsv
	for format in hostlist hostfile slurm-nodelist sbatch; do
		run -0 traceconv --quiet --to "$format:job=7" a.tsv
		[ -n "$output" ]
		for job in 8 9; do
			run -1 --separate-stderr traceconv --quiet --to "$format:job=$job" a.tsv
			[ -z "$output$stderr" ]
		done
		echo before > list
		run -1 traceconv --quiet --to "$format:job=8" -o list a.tsv
		[ "$(cat list)" = before ]
	done
	printf '%s\n' 'node state' 'n1 drained' | table nodes > nodes.tsv
	run -1 --separate-stderr traceconv --to hostlist:state=idle nodes.tsv
	[ -z "$output$stderr" ]
}

@test "squeue: a job without a time limit has no end" {
	printf '%s\n' 'JOBID|STATE|START_TIME|END_TIME|TIME_LIMIT|NODES|NODELIST' \
		'1|RUNNING|1795244879|NONE|UNLIMITED|2|nid[00003,00007]' >queue
	[ "$(traceconv --from squeue --to jobs queue | grep -v '^##' | mlr --tsv cut -o -f start_s,end_s,walltime_s | tail -n 1)" = $'1795244879\t.\t.' ]
}

@test "sacct: bars in a job's command line are the command line's" {
	printf '%s\n' 'JobID|JobName|Submit|Start|End|NNodes|SubmitLine|State|Partition' \
		'1|a|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T01:00:00|2|sbatch --wrap=a | b || c|FAILED|long' \
		'2|a|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T01:00:00|2|sbatch x|COMPLETED|short' >sacct.txt
	traceconv --from sacct --to jobs --zone Z sacct.txt |
		awk -F'\t' '!/^##/ { if (!n++) { for (i = 1; i <= NF; i++) at[$i] = i } else print $at["state"], $at["partition"] }' >got
	diff -u - got <<-'END'
		failed long
		completed short
	END
}

@test "sbatch: minutes are rounded up, and whole ones stay" {
	i=0
	{
		echo 'job nodes walltime_s'
		for seconds in 0 0.000000001 59.999999999 60 60.000000001 61 119 120 121 3600 86400; do echo "$((i++)) 1 $seconds"; done
	} | table jobs >a.tsv
	[ "$(traceconv --to sbatch:style=command a.tsv | sed 's/.*--time=//' | paste -sd' ')" = '1 1 1 1 2 2 2 2 3 60 1440' ]
}

@test "--between: jobs that waited or ran some time between two times" {
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' '##placetools=jobs/1' 'job nodes submit_s start_s end_s' 'a 1 0 5 10' 'b 1 5 20 30' 'c 1 12 12 .' 'd 1 20 21 22' 'e 1 . 9 11' 'f 1 . . .' | tr ' ' '\t' > j.tsv
	names() { grep -v '^##' | tail -n +2 | cut -f 1 | tr '\n' ' '; }
	[ "$(traceconv --from jobs --to jobs --between 10,20 j.tsv | names)" = 'b c e f ' ]
	[ "$(traceconv --from jobs --to jobs --between 10, j.tsv | names)" = 'b c d e f ' ]
	[ "$(traceconv --from jobs --to jobs --between ,5 j.tsv | names)" = 'a f ' ]
	[ "$(traceconv --from jobs --to jobs -f between:from=1970-01-01T00:00:11Z,to=12 j.tsv | names)" = 'b f ' ]
	# with --at: the nodes as they stood
	run -2 --separate-stderr traceconv --strict --from jobs --to jobs --between 20,10 j.tsv
	[[ $stderr == *'between: to is before from' ]]
	run -2 --separate-stderr traceconv --strict --from jobs --to jobs --between noon, j.tsv
	[[ $stderr == *"between: from: 'noon' is not a time"* ]]
}
