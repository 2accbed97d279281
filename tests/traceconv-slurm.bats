# Slurm's commands as sites run them: one moment of one cluster (site22), as each of them tells it.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	SITE=$BATS_TEST_DIRNAME/formats/slurm/site22
	JSON=$BATS_TEST_DIRNAME/formats/slurm/json
}

# The named columns, by tabs, sorted: what of two commands must agree.
columns() {
	awk -F'\t' -v OFS='\t' -v want="$*" '/^##/ { next }
		!names { names = 1; for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, w, " "); next }
		{ line = $at[w[1]]; for (i = 2; i <= n; i++) line = line OFS ((w[i] in at) ? $at[w[i]] : "?"); print line }' | LC_ALL=C sort
}
jobs_of() { traceconv --quiet --no-provenance --zone Europe/Berlin --from "$1" --to jobs "$SITE/$2"; }
nodes_of() { traceconv --quiet --no-provenance --from "$1" --to nodes "$SITE/$2"; }
need_zones() { [[ -e /usr/share/zoneinfo/Europe/Berlin ]] || skip "no zone database"; }

@test "site22: every command that tells a node tells the same state, CPUs, GPUs and memory" {
	nodes_of scontrol-node scontrol-node.txt.gz | columns node state cpus cores sockets gpus gpu_type memory_bytes \
		features weight cpus_used gpus_used memory_used_bytes reason > expected
	[ "$(wc -l < expected)" -eq 13 ]
	[ "$(awk -F'\t' '{ cpus += $3; gpus += $6; memory += $8 } END { print cpus, gpus, memory / 2 ^ 20 }' expected)" = "320 16 3536000" ]
	for file in slurm-json=sinfo.json.gz scontrol-node=scontrol-node-o.txt.gz; do
		nodes_of "${file%%=*}" "${file#*=}" | columns node state cpus cores sockets gpus gpu_type memory_bytes \
			features weight cpus_used gpus_used memory_used_bytes reason | diff expected -
	done
	# slurm.conf and gres.conf know what is configured, not how it is used
	traceconv --from slurm-conf --to nodes "$SITE/slurm.conf" "$SITE/gres.conf" | columns node cpus cores sockets gpus gpu_type memory_bytes features weight |
		LC_ALL=C sort | diff <(cut -f1,3-10 expected | LC_ALL=C sort) -
	nodes_of sinfo sinfo-N-o.txt.gz | columns node state cpus cores sockets gpus gpu_type memory_bytes features weight cpus_used reason |
		diff <(cut -f1-11,14 expected) -
	nodes_of sinfo sinfo-N-O.txt.gz | columns node state cpus gpus gpu_type features weight cpus_used gpus_used memory_used_bytes |
		diff <(cut -f1-3,6,7,9-13 expected) -
	nodes_of sinfo sinfo.txt.gz | columns node state | diff <(cut -f1,2 expected) -
	nodes_of sinfo sinfo-N-l.txt.gz | columns node state cpus weight | diff <(cut -f1-3,10 expected) -
	# of a number that fills its field nothing is known: 2000000 is printed as 200000
	[ "$(nodes_of sinfo sinfo-N-l.txt.gz | columns node memory_bytes | grep big01)" = "big01	." ]
	# partitions, in whatever order
	for file in slurm-json=sinfo.json.gz sinfo=sinfo-N-o.txt.gz sinfo=sinfo.txt.gz scontrol-node=scontrol-node.txt.gz; do
		nodes_of "${file%%=*}" "${file#*=}" | columns node partitions | awk -F'[\t,]' '{ for (i = 2; i <= NF; i++) print $1, $i }' |
			LC_ALL=C sort > "partitions.${file#*=}"
		cmp "partitions.${file#*=}" partitions.sinfo.json.gz
	done
}

@test "site22: every command that tells a job tells the same nodes, CPUs, GPUs and memory" {
	need_zones
	jobs_of slurm-json squeue.json.gz > queue.tsv
	[ "$(columns job < queue.tsv | wc -l)" -eq 36 ]
	columns job nodes partition state cpus memory_bytes submit_s start_s nodelist exclusive features account user app < queue.tsv > expected
	jobs_of scontrol-job scontrol-job-d.txt.gz | columns job nodes partition state cpus memory_bytes submit_s start_s nodelist exclusive features \
		account user app | diff expected -
	jobs_of slurm-json squeue.json.gz | columns job cpus_per_node memory_per_node_bytes gpus_per_node > shares
	jobs_of scontrol-job scontrol-job-d.txt.gz | columns job cpus_per_node memory_per_node_bytes gpus_per_node | diff shares -
	grep -q '^3	6(x2)	12582912000(x2)	\.$' shares
	grep -q '^8	32(x2)	67108864000(x2)	4(x2)$' shares
	# accounting: what ended or runs has the same nodes and resources (10 was requeued: a new row, and a new submit)
	jobs_of sacct sacct-X-P.txt.gz > sacct.tsv
	columns job nodes partition cpus gpus memory_bytes submit_s start_s nodelist features app state < sacct.tsv > expected
	jobs_of slurm-json sacct.json.gz | columns job nodes partition cpus gpus memory_bytes submit_s start_s nodelist features app state > got
	# the JSON lists the first row of a job that waits again; text and JSON were taken a second apart
	diff <(grep -v '^16	' expected) <(grep -v '^16	' got)
	jobs_of sacct sacct-semicolon.txt.gz | columns job nodes partition cpus gpus memory_bytes submit_s start_s nodelist features app state | diff expected -
	jobs_of sacct sacct-P-steps.txt.gz | columns job nodes nodelist submit_s start_s state |
		diff <(awk -F'\t' -v OFS='\t' '{ print $1, $2, $9, $7, $8, $12 }' expected) -
	# fewer columns, other times: NNodes is counted from NodeList; the one that waits has none
	columns job nodes nodelist state start_s <sacct.tsv | grep -v '^9	' >expected
	for file in sacct-zone sacct-D sacct-epoch; do
		jobs_of sacct $file.txt.gz | columns job nodes nodelist state start_s | diff expected -
	done
	# what waits or runs has the same nodes, whoever lists it; squeue alone has completing ones no more
	columns job nodes nodelist state partition <queue.tsv | grep -E '	(pending|running)	' >expected
	for file in squeue.txt.gz squeue-o.txt.gz; do
		jobs_of squeue $file | columns job nodes nodelist state partition | diff expected -
	done
	# every job of both has the same CPUs, GPUs and memory where both are on nodes
	join -t '	' <(columns job nodelist cpus memory_bytes < queue.tsv | grep -v '	\.	' | LC_ALL=C sort -t '	' -k1,1) \
		<(columns job nodelist cpus memory_bytes < sacct.tsv | LC_ALL=C sort -t '	' -k1,1) > both
	[ "$(wc -l < both)" -ge 30 ]
	[ -z "$(awk -F'\t' '$2 != $5 || $3 != $6 || $4 != $7' both)" ]
	[ "$(jobs_of jobcomp jobcomp.txt.gz | columns job nodelist cpus | grep '^24	\|^4_9	\|^19	')" = "19	cn[03,06]	20
24	cn04	1
4_9	cn03	2" ]
}

@test "site22: begin times, dependencies and limits of arrays: since when a job may start" {
	need_zones
	jobs_of scontrol-job scontrol-job-d.txt.gz | columns job eligible_s | awk '$2 != "."' >all
	[ "$(wc -l <all)" -eq 17 ]
	jobs_of sacct sacct-X-P.txt.gz | columns job eligible_s | awk '$2 != "."' >sacct
	[ "$(wc -l <sacct)" -eq 15 ] # two wait, and have no nodes there
	[ -z "$(comm -13 all sacct)" ]
	traceconv --quiet --from slurm-json --to jobs "$SITE/sacct.json.gz" | columns job eligible_s | awk '$2 != "."' | diff sacct -
	zcat "$SITE/scontrol-job-d.txt.gz" | awk -v RS= '/JobState=PENDING/ && !n++' |
		sed 's/Dependency=(null)/Dependency=afterok:12:13_4+5(unfulfilled),after:9(unfulfilled),singleton/' >record
	traceconv --quiet --zone UTC --from scontrol-job --to jobs record | columns depends | diff - <(echo 12,13_4)
}

@test "what jobs ask for: leaf switches, limits of arrays, sharing, dependencies, as each command prints them" {
	local asks='job nodes exclusive exclusive_topo oversubscribe leaf_switches switch_wait_s array_limit'
	printf '%s\n' 'JobId=2 JobName=sw one' '   JobState=PENDING' '   NumNodes=6-6' '   OverSubscribe=NO' '   Switches=1@00:02:00' \
		'' 'JobId=3 ArrayJobId=3 ArrayTaskId=4-5%2 ArrayTaskThrottle=2 JobName=sw2' '   JobState=PENDING' '   NumNodes=2-2' \
		'   OverSubscribe=OK' '   Switches=1@00:05:00' '' 'JobId=4 JobName=os' '   NumNodes=2' '   OverSubscribe=YES' \
		'' 'JobId=5 JobName=topo' '   NumNodes=4' '   OverSubscribe=TOPO' >record
	traceconv --from scontrol-job --to jobs record | columns $asks >expected
	diff expected - <<-'END'
		2	6	yes	.	.	1	120	.
		3_4	2	.	.	.	1	300	2
		3_5	2	.	.	.	1	300	2
		4	2	.	.	yes	.	.	.
		5	4	yes	yes	.	.	.	.
	END
	printf '%s\n' 'JOBID|NODES|OVER_SUBSCRIBE|REQ_SWITCH|WAIT4SWITCH' '2|6|NO|1|2:00' '3_[4-5%2]|2|OK|1|5:00' '4|2|YES|0|0:00' \
		'5|4|TOPO|0|0:00' >queue
	traceconv --from squeue --to jobs queue | columns $asks | diff expected -
	# codes have up to three letters; a longer word is a state
	printf '%s\n' 'JOBID|NODES|ST' '2|6|OOM' '3|2|PD' '4|2|HELD' |
		traceconv --from squeue --to jobs | columns state | diff <(printf '%s\n' held out_of_memory pending) -
	cat >new.json <<-'END'
		{"jobs": [{"job_id": 2, "node_count": {"set": true, "number": 6}, "shared": ["none"], "required_switches": 1, "maximum_switch_wait_time": 120},
		{"job_id": 3, "array_job_id": {"set": true, "number": 3}, "array_task_string": "4-5%2", "array_max_tasks": {"set": true, "number": 2},
		 "node_count": {"set": true, "number": 2}, "shared": [], "minimum_switches": 1, "maximum_switch_wait_time": 300},
		{"job_id": 4, "node_count": 2, "shared": "shared", "required_switches": 0, "maximum_switch_wait_time": 0},
		{"job_id": 5, "node_count": 4, "shared": [], "exclusive": ["topo"]}]}
	END
	traceconv --from slurm-json --to jobs new.json | columns $asks | diff expected -
	# accounting has it in the line that submitted the job; what is behind the script, or quoted away, is not the job's
	cat >sacct.txt <<-'END'
		JobID|NNodes|JobName|SubmitLine
		2|6|sw one|sbatch -Q -o /dev/null -N 6 --switches=1@02:00 --exclusive -J sw one job.sh --switches=7 --oversubscribe
		3_[4-5%2]|2|sw2|/usr/bin/sbatch -N2 --switches 1 -a 0-7 job.sh
		4|2|os|sbatch -QsN2 --dependency=afterok:2:3_4,after:1 --parsable job.sh
		5|4|topo|salloc --job-name topo -N 4 --exclusive=topo
	END
	traceconv --from sacct --to jobs sacct.txt | columns $asks | diff expected -
	[ "$(traceconv --from sacct --to jobs sacct.txt | columns job depends | tr '\t\n' ' ;')" = '2 .;3_4 .;3_5 .;4 2,3_4;5 .;' ]
	# each component has its own options; a wrapper's options, and those behind a value with blanks, are unknown
	cat >sacct.txt <<-'END'
		JobID|NNodes|JobName|SubmitLine
		20+0|2|het|srun --switches=1 -N 2 : --segment=2 --exclusive -N 4 : -s -N 1 --array=1-9%3 ./a : --switches=9
		20+1|4|het|srun --switches=1 -N 2 : --segment=2 --exclusive -N 4 : -s -N 1 --array=1-9%3 ./a : --switches=9
		20+2|1|het|srun --switches=1 -N 2 : --segment=2 --exclusive -N 4 : -s -N 1 --array=1-9%3 ./a : --switches=9
		21|1|a|/opt/site/submit --switches=1
		22|1|a|sbatch --comment two words --switches=1 job.sh
		23|1|a|sbatch --hold --switches=0 --nice=5 job.sh
		24|1|two words|sbatch --job-name=two words --switches=3 job.sh
		25|1|a|
	END
	traceconv --from sacct --to jobs sacct.txt | columns job segment exclusive oversubscribe leaf_switches array_limit | diff - <(cat <<-'END'
		20+0	.	.	.	1	.
		20+1	2	yes	.	.	.
		20+2	.	.	yes	.	3
		21	.	.	.	.	.
		22	.	.	.	.	.
		23	.	.	.	.	.
		24	.	.	.	3	.
		25	.	.	.	.	.
	END
	)
	sed 's/.*/{"jobs": [{"job_id": 7, "name": "a b", "allocation_nodes": 2, "submit_line": "sbatch -J a b --switches=2@1-0 x"}]}/' <<<'' |
		traceconv --from slurm-json --to jobs | columns job leaf_switches switch_wait_s | diff - <(printf '7\t2\t86400\n')
}

@test "site22: what sacct does not escape is mended, or refused" {
	need_zones
	jobs_of sacct sacct-X-P.txt.gz | columns job app features reservation > got
	grep -q '^24	bar|name	\.	\.$' got
	grep -q '^11	excl	hdr100|hdr200	\.$' got
	grep -q '^3	two nodes	\.	\.$' got
	# two texts side by side, of which each could hold the bar
	printf '%s\n' 'JobID|NNodes|JobName|Comment' '1|2|a|b|c' > a.txt
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs a.txt
	[[ $stderr == "traceconv: a.txt:2: has 5 fields, expected 4, and more than one way to read JobName"* ]]
	run -2 --separate-stderr traceconv --strict --from sacct --zone Z --to jobs "$SITE/sacct-relative.txt"
	[[ $stderr == *":2: '10:26:58' is not a time"* ]]
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs "$SITE/sacct-plain.txt"
	[[ $stderr == *"sacct-plain.txt:1: has no column NNodes, and no other with the number of a job's nodes"* ]]
	run -2 --separate-stderr traceconv --strict --from squeue --zone Z --to jobs "$SITE/squeue-O.txt.gz"
	[[ $stderr == *"the fields touch, or were cut"* ]]
}

@test "sacct without -P: dashes below the names say where columns are; what was cut is refused, or missing" {
	cat >plain.txt <<-'END'
		JobID           JobName  Partition   NNodes        NodeList      Start        End      State  AllocTRES
		------------ ---------- ---------- -------- --------------- ---------- ---------- ---------- ----------
		3             two nodes        cpu        2       cn[02-03] 1700000000    Unknown    RUNNING billing=1+
		123456.bat+       batch                   2       cn[02-03] 1700000000 1700000100    RUNNING cpu=1,mem+
		19           nodes-ran+        cpu        3       cn[01-03] 1700000000 1700000100 CANCELLED+      cpu=6

		JobID           JobName  Partition   NNodes        NodeList      Start        End      State  AllocTRES
		------------ ---------- ---------- -------- --------------- ---------- ---------- ---------- ----------
		20                              a        1            cn01+ 1700000000 1700000050  COMPLETED
	END
	traceconv --to jobs plain.txt | columns job app partition nodes nodelist start_s end_s state cpus | diff - <(cat <<-'END'
		19	nodes-ran+	cpu	3	cn[01-03]	1700000000	1700000100	cancelled	6
		20	.	a	1	cn01+	1700000000	1700000050	completed	.
		3	two nodes	cpu	2	cn[02-03]	1700000000	.	running	.
	END
	)
	sed '3s/      cn\[02-03\]/cn[01,03,05-06+/' plain.txt >cut.txt
	run -2 --separate-stderr traceconv --strict --to jobs cut.txt
	[[ $stderr == "traceconv: cut.txt:3: NodeList: 'cn[01,03,05-06+' was cut to the width of its column: expected sacct -P, or -o NodeList%40" ]]
	sed '3s/two nodes/too wide to be true/' plain.txt >cut.txt
	run -2 --separate-stderr traceconv --strict --to jobs cut.txt
	[[ $stderr == "traceconv: cut.txt:3: JobName is wider than its column: expected sacct -P" ]]
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs <(sed 2d plain.txt)
	[[ $stderr == *"has no separator between its fields, and no dashes below their names: expected sacct -P" ]]
}

@test "sacct: lines of submission of several lines, in the middle of a row or at its end" {
	printf '%s\n' 'JobID|NNodes|SubmitLine|JobName' '1|2|sbatch --switches=1 --wrap a' 'b | c' '4|d|x' '2|3||y' >a.txt
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs a.txt # "b | c" could be JobName
	sed -i 's/ | c//; s/4|d/4 d/' a.txt
	traceconv --from sacct --to jobs a.txt | columns job nodes leaf_switches app | diff - <(printf '1\t2\t1\tx\n2\t3\t.\ty\n')
	printf '%s\n' 'JobID|NNodes|SubmitLine' '1|2|sbatch --switches=1 --wrap a' 'b' '' 'c | d' '2|3|sbatch --exclusive x' >a.txt
	traceconv --from sacct --to jobs a.txt | columns job nodes leaf_switches exclusive | diff - <(printf '1\t2\t1\t.\n2\t3\t.\tyes\n')
	# a truncated row stays one
	printf '%s\n' 'JobID|NNodes|SubmitLine' '1|2|sbatch x' '2|' >a.txt
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs a.txt
	[[ $stderr == 'traceconv: a.txt:3: has 2 fields, expected 3' ]]
}

@test "sacct: no line of names, and any delimiter" {
	printf '%s\n' '5☃a b☃2☃cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=4G,node=2☃n[1-2]' > a.txt
	[ "$(traceconv --from 'sacct:columns=[JobID,JobName%30,NNodes,AllocTRES,NodeList],delimiter=☃' --to jobs a.txt |
		columns job app nodes cpus gpus gpu_type memory_bytes)" = "5	a b	2	8	2	a100	4294967296" ]
	printf '%s\n' 'JobID☃NNodes☃JobName' '5☃2☃x|y' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job nodes app)" = "5	2	x|y" ]
	printf '%s\n' 'JobID;NNodes;JobName;' '5;2;x;y;' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job nodes app)" = "5	2	x;y" ]
	run -2 --separate-stderr traceconv --strict --from 'sacct:columns=[NNodes]' --to jobs a.txt
	[[ $stderr == *"columns: 'JobID' is not among them"* ]]
	# no GPUs is a number
	printf '%s\n' 'JobID|NNodes|AllocTRES' '5|2|cpu=8,gres/gpu=0' '6|2|cpu=8' '7|2|gres/gpu:a100=3' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job gpus)" = $'5\t0\n6\t.\n7\t3' ]
	# memory for each node or CPU, as before 21.08, and what cannot be
	printf '%s\n' 'JobID|NNodes|NCPUS|ReqMem' '1|2|8|3000Mc' '2|2|8|31000Mn' '3|2|8|2147486448Mn' '4|2|8|62.50G' > a.txt
	[ "$(traceconv --from sacct --to jobs a.txt | columns job memory_bytes | tr '\t\n' ' ;')" = "1 25165824000;2 65011712000;3 .;4 67108864000;" ]
}

@test "zones by name: summer time, and the hour that comes twice" {
	need_zones
	printf '%s\n' 'JobID|NNodes|Submit' '1|1|2026-01-15T12:00:00' '2|1|2026-07-15T12:00:00' > a.txt
	[ "$(traceconv --zone Europe/Berlin --from sacct --to jobs a.txt | columns job submit_s)" = "1	1768474800
2	1784109600" ]
	echo '3|1|2026-10-25T02:30:00' >> a.txt
	run -0 --separate-stderr traceconv --zone Europe/Berlin --from sacct --to jobs a.txt
	[[ $stderr == *"comes twice"* ]]
	[ "$(echo "$output" | columns job submit_s | tail -n 1)" = "3	1792888200" ]
	printf '%s\n' 'JobID|NNodes|Submit' '1|1|2026-03-29T02:30:00' > a.txt
	run -2 --separate-stderr traceconv --strict --zone Europe/Berlin --from sacct --to jobs a.txt
	[[ $stderr == *"'2026-03-29T02:30:00' is not a time"* ]]
	run -2 --separate-stderr traceconv --strict --zone Europe/Nowhere --from sacct --to jobs a.txt
	[[ $stderr == *"is not a zone such as Z, +01:00 or Europe/Berlin" ]]
}

@test "JSON of six versions: GPUs of every job, nodes that are down or drained" {
	for file in "$JSON"/job-gpus-*.gz; do
		[ "$(traceconv --to jobs "$file" | columns nodes gpus gpus_per_node cpus_per_node state)" = "2	8	4(x2)	1(x2)	running" ] ||
			[ "$(traceconv --to jobs "$file" | columns gpus state | cut -f1)" -gt 0 ]
	done
	[ "$(traceconv --to jobs "$JSON/job-gpus-25.11-v0.0.44.json.gz" | columns job gpu_type memory_per_node_bytes)" = "5679	h100	536870912(x2)" ]
	# of one that has just started sacct knows no number of nodes, but their names
	[ "$(traceconv --to jobs "$JSON/sacct-gpus-24.05-v0.0.41.json.gz" | columns job nodes nodelist)" = "11	1	gpu1" ]
	[ "$(traceconv --to nodes "$JSON/nodes-25.11-v0.0.44.json.gz" | columns node state | head -n 4 | tr '\t\n' ' ;')" = "cn1 drained;cn2 down;cn3 allocated;cn4 mixed;" ]
	[ "$(traceconv --to nodes "$JSON/sinfo-21.08-v0.0.37.json.gz" | columns cpus state | tr '\t\n' ' ;')" = "64 allocated;64 down;64 idle;64 mixed;" ]
	# sinfo --json of 23.02 and later groups nodes; a plain number, a number object and null are numbers
	cat > g.json <<- 'END'
		{"sinfo": [{"node": {"state": ["IDLE", "DRAIN"]}, "nodes": {"nodes": ["n[1-2]"]}, "cpus": {"minimum": 8, "maximum": 8},
		  "memory": {"minimum": 1024, "maximum": 2048}, "gres": {"total": "gpu:a100:4(S:0-1)"}, "partition": {"name": "p"}},
		 {"node": {"state": ["IDLE", "DRAIN"]}, "nodes": {"nodes": ["n1"]}}], "meta": {}}
	END
	[ "$(traceconv --from slurm-json --to nodes g.json | columns node state cpus memory_bytes gpus | tr '\t\n' ' ;')" = "n1 drained 8 . 4;n2 drained 8 . 4;" ]
	echo '{"jobs": [{"job_id": 7, "node_count": {"set": true, "infinite": false, "number": 3}, "cpus": null, "tasks": 6, "time_limit": {"set": false, "infinite": true, "number": 0}, "array_job_id": 9, "array_task_string": "4-7%2"}]}' > j.json
	[ "$(traceconv --from slurm-json --to jobs j.json | columns job nodes tasks cpus walltime_s | tr '\t\n' ' ;')" = "9_4 3 6 . .;9_5 3 6 . .;9_6 3 6 . .;9_7 3 6 . .;" ]
}

@test "JSON: what is broken or holds something else is refused with its line" {
	printf '{"jobs": [\n{"job_id": 1, "node_count": 1},\n{"job_id": 2,, "x": 1}\n]}\n' > a.json
	run -2 --separate-stderr traceconv --strict --from slurm-json --to jobs a.json
	[[ $stderr == "traceconv: a.json:3: "* ]]
	[[ $output != *"##end" ]]
	printf '{"jobs": [\n{"job_id": 1, "node_count": 1},\n' > a.json
	run -2 --separate-stderr traceconv --strict --from slurm-json --to jobs a.json
	[[ $stderr == "traceconv: a.json:3: the document ends too early" ]]
	run -2 --separate-stderr traceconv --strict --to jobs "$SITE/sinfo.json.gz"
	[[ $stderr == *"holds nodes, but jobs were asked for (--to)" ]]
	for bad in '{"jobs": [1 2]}' '{"jobs": [1,]}' '{"jobs" [1]}' '{"jobs": []} x' '{jobs: []}' '[{"a":1}' '{"a": tru}'; do
		echo "$bad" > a.json
		run -2 --separate-stderr traceconv --strict --from slurm-json --to jobs a.json
		[[ $stderr == "traceconv: a.json:"* ]]
	done
}

@test "JSON is streamed: 60 000 jobs take no more memory than a few" {
	{
		echo '{"jobs": ['
		for ((i = 1; i <= 60; i++)); do
			zcat "$SITE/squeue.json.gz" | sed -n '/^  "jobs": \[/,/^  \]/p' | sed '1d;$d'
			echo ,
		done
		echo '{"job_id": 1, "node_count": 1}]}'
	} > big.json
	(
		bounded_memory 100000
		[ "$(traceconv --quiet --from slurm-json --to jobs big.json | grep -cv '^##')" -eq $((60 * 36 + 2)) ]
	)
}

@test "arrays that wait come task by task from every command; lists that squeue cut are counted" {
	printf '%s\n' 'JOBID|NODES|STATE' '102_[4-7%2]|3|PENDING' > a.txt
	[ "$(traceconv --from squeue --to jobs a.txt | columns job nodes | tr '\t\n' ' ;')" = "102_4 3;102_5 3;102_6 3;102_7 3;" ]
	printf '%s\n' 'JOBID|NODES|STATE' '102_[4-7,...]|3|PENDING' > a.txt
	run -0 --separate-stderr traceconv --from squeue --to jobs a.txt
	[[ $stderr == *"1 lists of array tasks were cut"* ]]
	printf '%s\n' 'JobId=9 ArrayJobId=8 ArrayTaskId=1,3 JobName=a b UserId=u(1)' '   JobState=PENDING NumNodes=2-4' > a.txt
	[ "$(traceconv --from scontrol-job --to jobs a.txt | columns job nodes app user | tr '\t\n' ' ;')" = "8_1 2 a b u;8_3 2 a b u;" ]
}

@test "a requeued job, which sacct -D prints again, is two placements" {
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' 'JobID|State|Submit|Start|End|NNodes|NodeList' '7|NODE_FAIL|100|110|120|1|n1' '8|COMPLETED|100|110|130|1|n2' '7|COMPLETED|121|125|140|1|n3' > log
	run -0 --separate-stderr traceconv --from sacct --to jobs log
	[ "$stderr" = 'traceconv: 1 rows are of jobs that were there before, as requeued ones are: named JOB~2 and so on' ]
	[ "$(grep -c '^7~2	' <<< "$output")" -eq 1 ]
	allocate --quiet -t line:nodes=4 -q fcfs --replay <(cat <<< "$output") | placecheck
	# tasks of arrays and other names likewise, each name for itself
	printf '%s\n' 'JobID|State|Submit|Start|End|NNodes' > log
	printf '%s|COMPLETED|100|110|120|1\n' 9 9_0 9_1 9 9_1 9_01 9_01 09 9_1 9 >> log
	run -0 --separate-stderr traceconv --from sacct --to jobs log
	[ "$(grep -v '^#' <<< "$output" | cut -f 1 | tail -n +2 | tr '\n' ' ')" = "9 9_0 9_1 9~2 9_1~2 9_01 9_01~2 09 9_1~3 9~3 " ]
}

@test "slurm.conf: DEFAULT, Include, NodeSet, joined lines; gres.conf" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p etc
	printf '%s\n' 'ClusterName=x # a comment' 'NodeName=DEFAULT CPUs=8 RealMemory=1000 Weight=5' 'Include more.conf' 'NodeName=b-[1-2] CPUs=4 \' ' Feature=fast,new Reason="bad fan" State=DRAIN' \
		'NodeName=DEFAULT Weight=7' 'NodeName=c State=CLOUD Gres=gpu:2' 'NodeSet=set Feature=fast' 'NodeSet=both Nodes=set,c' 'PartitionName=DEFAULT Nodes=ALL' \
		'PartitionName=all MaxTime=INFINITE' 'PartitionName=p Nodes=set,a1' 'PartitionName=q Nodes=both' > etc/slurm.conf
	echo 'NodeName=a[1-2] Sockets=2 CoresPerSocket=3 ThreadsPerCore=2 CPUs=12' > etc/more.conf
	printf '%s\n' 'AutoDetect=off' 'Name=gpu Type=h100 File=/dev/nvidia[0-1]' 'NodeName=a2 Name=gpu Type=t4 Count=3' 'NodeName=elsewhere Name=gpu' > etc/gres.conf
	traceconv --from slurm-conf --to nodes etc/slurm.conf etc/gres.conf | columns node state partitions features cores cpus gpus gpu_type memory_bytes weight reason > o
	diff - o <<- 'EOF'
		a1	idle	all,p	.	6	12	0	.	1048576000	5	.
		a2	idle	all	.	6	12	3	t4	1048576000	5	.
		b-1	drained	all,p,q	fast,new	.	4	0	.	1048576000	5	bad fan
		b-2	drained	all,p,q	fast,new	.	4	0	.	1048576000	5	bad fan
		c	powered-down	all,q	.	.	8	2	h100	1048576000	7	.
	EOF
	run -2 --separate-stderr traceconv --strict --from slurm-conf --to nodes <(echo 'NodeName=a,a')
	[[ $stderr == *":1: NodeName=: the node a is there twice" ]]
	run -2 --separate-stderr traceconv --strict --from slurm-conf --to nodes <(printf '%s\n' 'NodeName=a' 'PartitionName=p Nodes=b')
	[[ $stderr == *"PartitionName=p: there is no node b" ]]
	echo 'Include slurm.conf' > etc/more.conf
	run -2 --separate-stderr traceconv --strict --from slurm-conf --to nodes etc/slurm.conf
	[[ $stderr == *"Include: files include each other 8 deep" ]]
}

@test "site22: partitions and reservations: nodes, limits, who shares, from when until when" {
	need_zones
	traceconv --from scontrol-part --to partitions "$SITE/scontrol-part.txt.gz" >parts.tsv
	columns partition nodelist state default oversubscribe nodes_max walltime_max_s priority <parts.tsv | diff - <(
		printf '%s\t%s\tup\t%s\t%s\t.\t%s\t%s\n' cpu 'cn[01-08]' yes no 172800 1 fat big01 no no . 1 gpu 'gpu[01-04]' no no 172800 1 \
			shared 'cn[05-08]' no force:2 14400 2 whole 'cn[01-08],gpu[01-04]' no exclusive 172800 1
	)
	# each node is in the partitions that the commands about nodes have it in
	nodes_of slurm-json sinfo.json.gz | columns node partitions | awk -F'[\t,]' '{ for (i = 2; i <= NF; i++) print $i, $1 }' | LC_ALL=C sort >expected
	columns partition nodelist <parts.tsv | while read -r partition list; do
		printf '##placetools=jobs/1\njob\tnodes\tstart_s\tnodelist\nx\t1\t0\t%s\n' "$list" | traceconv --from jobs --to nodes --at 0 | columns node | sed "s/^/$partition /"
	done | LC_ALL=C sort | diff expected -
	traceconv --zone Europe/Berlin --from scontrol-res --to reservations "$SITE/scontrol-res.txt.gz" | columns reservation nodelist start_s end_s state flags cores partition users |
		diff - <(
			printf 'course\tcn01\t%s\t%s\tactive\t.\t16\tcpu\troot\n' "$(TZ=Europe/Berlin date -d 2026-11-22T10:26:59 +%s)" "$(TZ=Europe/Berlin date -d 2026-11-22T11:26:59 +%s)"
			printf 'maint_11\tcn[05-08]\t%s\t%s\tinactive\tmaint,ignore-jobs,spec-nodes\t64\t.\troot\n' "$(TZ=Europe/Berlin date -d 2026-11-22T13:26:59 +%s)" \
				"$(TZ=Europe/Berlin date -d 2026-11-22T17:26:59 +%s)"
		)
	run -2 --separate-stderr traceconv --strict --from scontrol-res --to reservations "$SITE/scontrol-res.txt.gz"
	[[ $stderr == *":1: the time '2026-11-22T13:26:59' has no zone"* ]]
	# no reservation at all is an empty table
	echo 'No reservations in the system' | traceconv --from scontrol-res --to reservations | tail -n 1 | grep -qx '##end'
	# one line per record, as -o prints it
	zcat "$SITE/scontrol-part.txt.gz" | awk -v RS= '{ gsub(/\n */, " "); print }' | traceconv --from scontrol-part --to partitions | diff <(grep -v '^##command' parts.tsv) <(grep -v '^##command')
}

@test "JSON of partitions and reservations, from 23.11 to 25.11" {
	for file in partitions-24.05-v0.0.41 partitions-25.11-v0.0.44 reservations-24.05-v0.0.41; do
		traceconv --to "${file%%-*}" "$JSON/$file.json.gz" >"$file"
	done
	[ "$(columns partition nodelist oversubscribe nodes_min nodes_max walltime_max_s priority <partitions-24.05-v0.0.41 | tr '\t\n' ' ;')" = \
		'batch cn[001-080,101-532] no 0 . . 1;debug cn[081-099] no 0 . 3600 1;ia gn[01-40] no 0 . 600 1;interactive cn100 no 0 . 600 1;' ]
	[ "$(columns partition nodelist walltime_default_s walltime_max_s <partitions-25.11-v0.0.44 | tr '\t\n' ' ;')" = 'gpu gpu[1-2] . 7200;normal cn[1-4] . 7200;' ]
	[ "$(columns reservation nodelist start_s end_s flags cores partition users accounts <reservations-24.05-v0.0.41)" = \
		'training	cn[001-080,101-532]	1748250553	1748336953	ignore-jobs,any-nodes,part-nodes,spec-nodes,flex	25856	batch	bparks,bparks	optic' ]
	run -2 --separate-stderr traceconv --strict --from slurm-json --to nodes "$JSON/reservations-24.05-v0.0.41.json.gz"
	[[ $stderr == *': holds reservations, but nodes were asked for (--to)' ]]
	if [[ -n $SHARED ]]; then
		traceconv --to partitions "$SHARED/data/slurm/partitions-23.11-v0.0.40-talapas.json" | columns partition nodes_min nodes_max walltime_default_s walltime_max_s priority |
			grep -qx 'preempt	1	48	604800	604800	1'
	fi
	# Slurm's max_share: 0 is EXCLUSIVE, 1 NO; a flag makes it FORCE
	for share in '0,"flags":[] exclusive' '1,"flags":[] no' '4,"flags":[] yes:4' '2,"flags":["force"] force:2'; do
		echo '{"partitions":[{"name":"p","allowed_allocation":"","nodes":{"configured":"a1"},"maximums":{"oversubscribe":{"jobs":'"${share% *}"'}}}]}' | tr -d '\n' >one.json
		[ "$(traceconv --from slurm-json --to partitions one.json | columns oversubscribe)" = "${share#* }" ]
	done
}

@test "--from auto: the content decides, and what was found is told" {
	cd "$BATS_TEST_TMPDIR"
	for file in sacct=sacct-X-P.txt.gz sacct=sacct-semicolon.txt.gz squeue=squeue.txt.gz squeue=squeue-o.txt.gz sinfo=sinfo.txt.gz sinfo=sinfo-N-o.txt.gz \
		sinfo=sinfo-N-l.txt.gz scontrol-job=scontrol-job-d.txt.gz scontrol-node=scontrol-node-o.txt.gz jobcomp=jobcomp.txt.gz slurm-json=sacct.json.gz slurm-conf=slurm.conf scontrol-part=scontrol-part.txt.gz scontrol-res=scontrol-res.txt.gz; do
		case $file in scontrol-part*) to=partitions ;; scontrol-res*) to=reservations ;; scontrol-node* | sinfo* | *conf) to='nodes' ;; *) to='jobs' ;; esac
		run -0 --separate-stderr traceconv --zone Z --from auto --to $to "$SITE/${file#*=}"
		[ "${stderr_lines[0]}" = "traceconv: $SITE/${file#*=}: read as ${file%%=*}" ]
	done
	run -2 --separate-stderr traceconv --strict --from auto --to jobs <(echo a,b)
	[[ $stderr == *'does not prove its format: say it with --from' ]]
}
