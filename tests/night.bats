# A night of a site: one window for every number, rows that cannot be read, fabrics as they are.
# The samples are tests/formats/night: made up, each of what a living cluster printed.
bats_require_minimum_version 1.5.0
load helper

N=$BATS_TEST_DIRNAME/formats/night

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	topogen --quiet --from slurm-conf "$N/topology.conf" -o T.yaml
}

# jobs FILE [OPTION…]: sacct's listing as a jobs stream
jobs() { traceconv --quiet --from sacct --to jobs "${@:2}" "$N/$1"; }
# number METRIC OPTION…: of the page in JSON; status 1 of an alarm is no failure here
number() {
	placereport --quiet -t T.yaml --to json "${@:2}" >p.json || [ $? -eq 1 ]
	jq -r --arg metric "$1" '.metrics[] | select(.metric == $metric) | .mean | (. * 1e4 | round) / 1e4' p.json
}
# alarm METRIC>X OPTION…: its value, and whether it is raised
alarm() {
	placereport --quiet -t T.yaml --to json --alarm "$@" >p.json || [ $? -eq 1 ]
	jq -c '.alarms[0] | [.value, .raised]' p.json
}

@test "the window: jobs that run, began before, or share a node count with their part" {
	jobs 07-running-jobs.sacct >s.tsv
	[ "$(number utilization s.tsv)" = 0.8802 ]
	[ "$(jq -c '[.since, .until]' p.json)" = '[1795013600,1795100000]' ]
	[ "$(number utilization --since 1794840800 s.tsv)" = 0.8767 ]
	[ "$(placereport -t T.yaml --to text s.tsv | grep -c '169 node-hours were used')" -eq 1 ]
	jobs 15-jammed.sacct >s.tsv
	[ "$(number utilization s.tsv)" = 1 ]
	[ "$(number utilization --since 1795013600 s.tsv)" = 0.8333 ]
	[ "$(alarm 'wait-longest_s>36000' s.tsv)" = '[54000,true]' ]
	[ "$(placereport -t T.yaml --to text s.tsv | grep -c '160 node-hours were used')" -eq 1 ]
	jobs 17-shared-node.sacct >s.tsv
	[ "$(number utilization s.tsv)" = 1 ]
	jobs 18-last-hour.sacct >s.tsv
	[ "$(alarm 'utilization<0.5' --since 1795013600 --until 1795100000 s.tsv)" = '[0.041666666666666664,true]' ]
	# a job of ten days that ended in the night
	stream jobs 'job submit_s start_s end_s nodes nodelist' '1 0 0 864000 8 n[1-8]' >s.tsv
	[ "$(number utilization --since 820800 --until 907200 s.tsv)" = 0.5 ]
	# one that has run beyond its limit, as squeue prints it
	stream jobs 'job submit_s start_s end_s nodes nodelist state' '1 0 0 50 8 n[1-8] running' '2 0 0 100 1 n1 running' >s.tsv
	[ "$(number utilization --since 0 --until 200 s.tsv)" = 1 ]
}

@test "the window: evalmetrics has it as since= and until=, for the same numbers; without them it is as it was" {
	jobs 15-jammed.sacct >s.tsv
	for metric in utilization work-rate throughput idle-nodes-mean queue-length-mean queue-length-max queue-nodes-mean; do
		placereport --quiet -t T.yaml --to json --since 1795013600 s.tsv |
			jq -r --arg metric $metric '.metrics[] | select(.metric == $metric) | .mean' >expected
		w=since=1795013600,until=1795100000
		evalmetrics -t T.yaml -m "schedule:$w" -m "idle:$w" -m "queue:$w" --by . s.tsv | mlr --itsv --onidx --skip-comments filter "\$metric == \"$metric\"" then cut -f mean | diff expected -
	done
	value() { evalmetrics -t T.yaml -m "$1" s.tsv | mlr --itsv --onidx --skip-comments filter "\$metric == \"$2\"" then cut -f value; }
	[ "$(value "queue:$w" queue-length-mean)" = 0.6666666666666666 ]
	[ "$(value "schedule:$w" utilization)" = 0.8333333333333334 ]
	[ "$(value schedule utilization)" = . ]
	run -2 --separate-stderr evalmetrics -t T.yaml -m schedule:since=1 s.tsv
	[ "$stderr" = "evalmetrics: schedule: expected since and until, or none of them" ]
	run -2 --separate-stderr evalmetrics -t T.yaml -m schedule:since=2,until=1 s.tsv
	[ "$stderr" = "evalmetrics: schedule: until is before since" ]
}

@test "the window: traceconv records it, placereport takes it from there, its own options first" {
	jobs 18-last-hour.sacct --since 1795013600 --until 2026-11-19T14:53:20Z >s.tsv
	[ "$(grep -c '^##since=1795013600$' s.tsv)" -eq 1 ]
	[ "$(grep -c '^##until=1795100000$' s.tsv)" -eq 1 ]
	[ "$(number utilization s.tsv)" = 0.0417 ]
	[ "$(number utilization --since 1795096400 s.tsv)" = 1 ]
	sed 's/^##since=.*/##since=noon/' s.tsv >bad.tsv
	run -2 --separate-stderr placereport -t T.yaml bad.tsv
	[[ $stderr == "placereport: bad.tsv:"*": 'noon' is not a time: "* ]]
	run -2 --separate-stderr traceconv --from sacct --to jobs --since noon "$N/18-last-hour.sacct"
	[[ $stderr == "traceconv: --since: 'noon' is not a time: "* ]]
	run -2 placereport -t T.yaml --since 20 --until 10 s.tsv
}

@test "the window: who withdrew does not wait, and who is placed without times neither" {
	stream jobs 'job submit_s start_s end_s nodes nodelist' '1 0 0 100 1 n1' '2 10 . 20 1 .' '3 10 . . 1 .' '4 10 . 90 1 .' '5 70 80 90 2 n[2-3]' >s.tsv
	[ "$(alarm 'jobs-waiting>0' s.tsv)" = '[1,true]' ]
	[ "$(alarm 'wait-longest_s>0' s.tsv)" = '[90,true]' ]
	# in the middle job 4 waits still, and 5 has not come
	[ "$(alarm 'jobs-waiting>0' --until 50 s.tsv)" = '[2,true]' ]
	[ "$(jq -c '[.tables[] | select(.caption == "Longest waits").rows[] | [.[0], .[4]]]' p.json)" = '[["3",40],["4",40]]' ]
	# what ended before and came later is no part of any number
	[ "$(number routers --since 30 --until 50 s.tsv)" = 1 ]
	jq -e '[.metrics[] | select(.metric == "routers").n] == [1]' p.json
	stream jobs 'job nodes nodelist' 'a 2 n[1-2]' 'b 2 n[4-5]' >s.tsv
	placereport -t T.yaml --to text s.tsv >p.txt
	grep -q '^0 jobs wait' p.txt
	grep -q '^2 jobs are placed, with no times\.' p.txt
	grep -q '^1 of 2 placed jobs are on more routers' p.txt
}

@test "a node that the machine lacks: the rest of the job counts, it is named once; --strict refuses" {
	jobs 06-node-not-in-topology.sacct >s.tsv
	run -0 --separate-stderr placereport -t T.yaml --to text s.tsv
	[ "$stderr" = "placereport: 1 job on 1 node that the machine lacks: login1" ]
	[[ $output == *"1 job on 1 node that the machine lacks: login1."* ]]
	run -2 --separate-stderr placereport -t T.yaml --strict s.tsv
	[ "$stderr" = "placereport: s.tsv:5: nodelist: there is no node 'login1' on this machine" ]
	run -0 --separate-stderr placecheck -t T.yaml s.tsv
	[ "$stderr" = "placecheck: 1 job on 1 node that the machine lacks: login1" ]
	run -1 --separate-stderr placecheck -t T.yaml --strict s.tsv
	[ "$stderr" = "placecheck: s.tsv:5: nodelist: 'login1' is not a node of topology" ]
	jobs 19-partly-unknown.sacct >s.tsv
	[ "$(number utilization s.tsv)" = 0.125 ]
	# other rules hold all the same, and a policy that gives out what is not there is wrong
	stream jobs 'job start_s end_s nodes nodelist' '1 0 9 2 n1,new1' '2 5 9 1 new[1-2]' >s.tsv
	run -1 --separate-stderr placecheck -t T.yaml s.tsv
	[[ $stderr == *"s.tsv:4: nodelist: has 2 nodes, nodes is 1"* ]]
	[[ $stderr == *"nodelist: job 2 has new1 while job 1 does"* ]]
	[[ $stderr == *"2 jobs on 2 nodes that the machine lacks: new[1-2]"* ]]
	stream jobs 'job nodes nodelist policy' '1 2 n1,new1 simple' >s.tsv
	run -1 placecheck -t T.yaml s.tsv
}

@test "what is given out twice is on the page: which, when; two jobs on the CPUs of a node share it" {
	traceconv --quiet --from scontrol-node --to nodes "$N/nodes.scontrol" -o n.tsv
	twice() { placereport --quiet -t T.yaml --to json "$@" | jq -c '[.tables[] | select(.caption == "Jobs that share what cannot be shared").rows[]]'; }
	jobs 17-shared-node.sacct >s.tsv
	[ "$(twice s.tsv n.tsv)" = '[]' ]
	stream jobs 'job start_s end_s nodes nodelist cpus exclusive' '1 0 100 1 n1 2 no' '2 10 90 1 n1 2 no' '3 20 80 1 n1 1 no' \
		'4 30 60 1 n2 4 yes' '5 40 50 1 n2 . no' '6 0 10 2 n[3-4] 8 .' '7 5 9 1 n4 1 no' '8 10 20 2 n[3-4] 8 .' >s.tsv
	[ "$(twice s.tsv n.tsv)" = '[["5 s","7","n4","5 of 4 CPUs"],["20 s","3","n1","5 of 4 CPUs"],["40 s","5","n2","beside job 4"]]' ]
	# without the nodes' table nothing is known of CPUs; outside the window nothing counts
	[ "$(twice s.tsv)" = '[["40 s","5","n2","beside job 4"]]' ]
	[ "$(twice --since 0 --until 30 s.tsv n.tsv)" = '[["5 s","7","n4","5 of 4 CPUs"],["20 s","3","n1","5 of 4 CPUs"]]' ]
	placereport --quiet -t T.yaml --to text s.tsv n.tsv | grep -q '^1\. With job 7, 5 of 4 CPUs of n4 were used (and others, below)'
	# many: the first ones, and how many
	for i in {0..99}; do echo "$i $((99 - i)) 200 1 n1 1 no"; done >rows
	mapfile -t rows <rows
	stream jobs 'job start_s end_s nodes nodelist cpus exclusive' "${rows[@]}" >s.tsv
	[ "$(twice s.tsv n.tsv | jq -c '[length, .[0], .[14]]')" = '[15,["4 s","95","n1","5 of 4 CPUs"],["18 s","81","n1","19 of 4 CPUs"]]' ]
	placereport --quiet -t T.yaml --to text s.tsv n.tsv | grep -q '^96 times a job got of a node what another one had'
}

@test "an empty night, an alarm of what was not measured, a spoiled baseline: a page, with the fact on it" {
	head -n 1 "$N/07-running-jobs.sacct" | traceconv --quiet --from sacct --to jobs --since 0 --until 86400 -o s.tsv
	[ "$(alarm 'utilization<0.5' s.tsv)" = '[0,true]' ]
	run -0 --separate-stderr placereport -t T.yaml --to text --alarm 'wait_s>3' s.tsv
	[ "$stderr" = "placereport: --alarm: 'wait_s' was not measured" ]
	grep -q 'wait_s *not measured' <<<"$output"
	: >spoiled.json
	run -0 --separate-stderr placereport -t T.yaml --to text --baseline spoiled.json s.tsv
	[[ $stderr == "placereport: --baseline: spoiled.json:"* ]]
	[[ $output == *"No comparison with an earlier report: spoiled.json:"* ]]
	run -2 placereport -t T.yaml --strict --baseline spoiled.json s.tsv
	run -2 placereport -t T.yaml --baseline none.json s.tsv
}

# replays QUEUE FILE: job:start-end of each under the policy, in one line
replays() {
	allocate --quiet -t T.yaml -q "$1" --replay=simple "$2" |
		mlr --itsv --onidx --skip-comments --ofs : filter '$policy == "simple"' then cut -o -f job,start_s,end_s | paste -sd' '
}

@test "a withdrawn job leaves a replay at its time, in any queue, and never runs" {
	jobs 16-replay-of-withdrawn.sacct >s.tsv
	stream jobs 'job submit_s start_s end_s nodes walltime_s nodelist state' '1 0 0 100 8 100 n[1-8] completed' '2 1 . 50 8 900 . cancelled' \
		'3 60 . 250 2 900 . cancelled' '4 70 100 120 7 20 n[1-7] completed' '5 80 80 80 2 50 . cancelled' '6 300 300 310 1 20 n1 completed' >t.tsv
	for queue in fcfs easy easy:reserve=nodes conservative conservative:reserve=nodes level-fit; do
		[ "$(replays $queue s.tsv)" = "1:1795085600:1795089200 2:.:1795085720 3:1795089200:1795092800" ]
		[ "$(replays $queue t.tsv)" = "1:0:100 2:.:50 3:.:250 4:100:120 5:.:80 6:300:310" ]
	done
	[ "$(replays none s.tsv | cut -d' ' -f2)" = "2:.:1795085720" ]
	# what depends on it waits for its end
	stream jobs 'job submit_s start_s end_s nodes depends nodelist state' '1 0 . 50 1 . . cancelled' '2 0 60 70 1 1 n1 completed' >d.tsv
	[ "$(replays fcfs d.tsv)" = "1:.:50 2:50:60" ]
}

@test "a bad row costs a row: left out, counted, warned about once; --strict ends" {
	head=$(head -n 1 "$N/07-running-jobs.sacct")
	{ echo "$head"; sed -n 2,3p "$N/07-running-jobs.sacct"; echo 'x|y'; sed 's/1795100000/never/; s/^9/10/' "$N/07-running-jobs.sacct" | tail -n 1; tail -n 1 "$N/07-running-jobs.sacct"; } >bad.txt
	run -0 --separate-stderr traceconv --from sacct --to jobs bad.txt
	[[ $stderr == *"traceconv: bad.txt:5: 'never' is not a time; 1 row was left out"* ]]
	[ "$(grep -c '^##skipped=1$' <<<"$output")" -eq 1 ]
	[ "$(tail -n 1 <<<"$output")" = '##end' ]
	[ "$(body <<<"$output" | cut -f 1 | paste -sd' ')" = '1 2 9' ]
	echo "$output" >s.tsv
	placereport -t T.yaml --to text s.tsv | grep -q '^1 row of the inputs could not be read and was left out\.'
	[ "$(placereport -t T.yaml --to json s.tsv | jq .skipped)" = 1 ]
	run -2 --separate-stderr traceconv --strict --from sacct --to jobs bad.txt
	[[ $stderr == "traceconv: bad.txt:5: 'never' is not a time" ]]
	[[ $output != *'##end'* ]]
	# of other programs
	printf '1 0 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n2 0\n3 5 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n' >l.swf
	run -0 --separate-stderr traceconv --from swf:cores=1 --to jobs l.swf
	[[ $stderr == *"l.swf:2: has 2 fields, expected at least 18; 1 row was left out" ]]
	printf '1 2\n3 4\n' >l.swf
	run -2 traceconv --from swf:cores=1 --to jobs l.swf
	printf 'JobId=1 JobName=a UserId=u(1) JobState=RUNNING StartTime=soon NodeList=n1 NumNodes=1\nJobId=2 JobName=b UserId=u(1) JobState=PENDING NumNodes=1\n' >j.txt
	run -0 --separate-stderr traceconv --from scontrol-job --to jobs j.txt
	[[ $stderr == *"j.txt:1: StartTime: 'soon' is not a time; 1 row was left out" ]]
	[ "$(body <<<"$output" | cut -f 1)" = 2 ]
}

@test "sacct: bars and line ends in texts by the types of all columns; a row that contradicts itself is left out" {
	cells() { traceconv --quiet --from "$1" --to "csv:columns=[$3]" "$N/$2" | tail -n +2 | paste -sd' '; }
	[ "$(cells sacct 01-constraint-or.sacct job,features,nodelist,app)" = '100,,n[1-2],ok 101,rome|milan,n3,ab' ]
	[ "$(cells sacct 03-name-of-two-lines.sacct job,nodelist,app)" = '100,n[1-2],ok 101,n3,two lines' ]
	[ "$(cells sacct 04-submitline-before-suspended.sacct job,nodes,nodelist,submit_s,start_s,end_s)" = '7,1,n3,1795000000,1795000010,1795003610' ]
	[ "$(cells sacct 12-reason.sacct job,state_reason)" = 5,QOSMaxNodePerUserLimit ]
	[ "$(cells squeue 21-name-of-two-lines.squeue job,app)" = '3,two lines 5,com' ]
	[ "$(cells scontrol-job 11-het.scontrol job,app)" = 8+0,het ]
	[ "$(cells slurm-json 20-withdrawn.slurm-json job,start_s,end_s)" = 20,,1795886326 ]
	[ "$(traceconv --quiet --zone UTC --from jobcomp --to 'csv:columns=[submit_s,eligible_s,start_s,end_s]' "$N/05-eligible-unknown.jobcomp" | tail -n 1)" = 1795343319,,,1795343441 ]
	{ head -n 2 "$N/01-constraint-or.sacct"; sed -n 2p "$N/01-constraint-or.sacct" | sed 's/^100/104/; s/|2||/|16||/'; } >forged.txt
	run -0 --separate-stderr traceconv --from sacct --to jobs forged.txt
	[[ $stderr == *"forged.txt:3: the row contradicts itself: 16 nodes, and a list of 2; 1 row was left out" ]]
	echo 'No jobs in the system' | traceconv --from scontrol-job --to jobs | grep -q '^##end'
}

@test "records that no name can forge: a random delimiter, and JobIDRaw closes the row" {
	D=@qzKfTwPvLhRmXcNbYdGs@
	{
		echo "JobID|User|State|NNodes|NodeList|Start|End|Submit|JobName|JobIDRaw"
		echo "1|a|COMPLETED|1|n1|10|20|5|plain|1"
		printf '2|mallory|COMPLETED|1|n2|10|20|5|x\n3@root@COMPLETED@1@n9@10@20@5@y@3\n\n4|z|2\n'
		printf '5|b|RUNNING|1|n3|10|Unknown|5|a\x1fb|5\n'
	} | sed "s/4|z|2/4!z|2/; s/|/$D/g; s/4!z/4|z/" >framed.txt
	traceconv --quiet --from "sacct:delimiter=$D" --to 'csv:columns=[job,user,nodelist,app]' framed.txt >got
	diff got <(printf '%s\n' job,user,nodelist,app 1,a,n1,plain '2,mallory,n2,x 3@root@COMPLETED@1@n9@10@20@5@y@3 4|z' '5,b,n3,a b')
	run -0 --separate-stderr traceconv --from "sacct:delimiter=$D" --to jobs framed.txt
	[[ $stderr != *doubt* ]]
}

@test "scontrol: a name ends with its line, and no line of it makes a job" {
	printf 'JobId=11 JobName=evil UserId=mallory(7) JobState=COMPLETED NumNodes=9\n   UserId=root(0) GroupId=root(0)\n   JobState=RUNNING Reason=None\n   NodeList=n6\n   NumNodes=1 NumCPUs=1\n' >a.txt
	[ "$(traceconv --quiet --from scontrol-job --to 'csv:columns=[job,user,nodes,state]' a.txt | tail -n 1)" = 11,root,1,running ]
	printf 'JobId=5 JobName=evil\nJobId=6 JobName=forged UserId=root(0) JobState=RUNNING NumNodes=1 NodeList=n3\n   UserId=mallory(1) JobState=PENDING NumNodes=1\n' >b.txt
	[ "$(traceconv --quiet --from scontrol-job --to 'csv:columns=[job,user,state]' b.txt | tail -n +2)" = 5,mallory,pending ]
	printf 'JobId=5 JobName=evil\n   UserId=root(0) JobState=RUNNING NumNodes=9\n   UserId=mallory(1) JobState=PENDING NumNodes=1\n' >c.txt
	run -0 --separate-stderr traceconv --from scontrol-job --to jobs c.txt
	[[ $stderr == *"c.txt:1: UserId= is there 2 times, a name may hold line ends; 1 row was left out" ]]
	# requeued jobs, in one listing, have names of their own
	for i in 1 2; do echo "JobId=7 UserId=a(1) Name=x JobState=COMPLETED StartTime=${i}0 EndTime=${i}5 NodeList=n$i NodeCnt=1 SubmitTime=5"; done >d.txt
	traceconv --quiet --from jobcomp --to jobs d.txt >s.tsv
	[ "$(body s.tsv | cut -f 1 | paste -sd' ')" = '7 7~2' ]
	placecheck -t T.yaml s.tsv
}

@test "readers: lists of other programs, rows without nodes, new names of old things" {
	printf 'placetools: csv-map/1\nkind: jobs\ncolumns:\n  job: id\n  nodes: {from: nodes, as: count}\n  nodelist: {from: nodes, as: list}\n' >m.yaml
	printf 'id,nodes\n1,"[12, 34]"\n2,[7]\n3,"['"'n1', 'n2'"']"\n4,n[1-3]\n' >l.csv
	[ "$(traceconv --quiet --from csv:map=m.yaml --to 'csv:columns=[job,nodes,nodelist]' l.csv | tail -n +2 | paste -sd' ')" = '1,2,"12,34" 2,1,7 3,2,"n1,n2" 4,3,n[1-3]' ]
	printf 'placetools: csv-map/1\nkind: jobs\ncolumns:\n  job: id\n  nodes: n\n' >m.yaml
	printf 'id,n\n11,2\n12,0\n13,1\n14,many\n' >z.csv
	run -0 --separate-stderr traceconv --from csv:map=m.yaml --to jobs z.csv
	[[ $stderr == *"1 rows without a name or without nodes were left out"* ]]
	[[ $stderr == *"z.csv:5: n: 'many' is not a number; 1 row was left out"* ]]
	[ "$(body <<<"$output" | cut -f 1 | paste -sd' ')" = '11 13' ]
	echo '{"jobs": [{"id": "a", "subtime": 0, "res": 4, "profile": "p"}, {"id": "b", "subtime": 0, "res": 4, "profile": "q"}], "profiles": {"p": {"type": "DelayProfile", "delay": 10}, "q": {"type": "Novel", "delay": 3}}}' >b.json
	run -0 --separate-stderr traceconv --from batsim --to 'csv:columns=[job,runtime_s]' b.json
	[ "$(tail -n +2 <<<"$output" | paste -sd' ')" = 'a,10 b,' ]
	[ "$stderr" = "traceconv: unknown types of profiles: Novel (1)" ]
	printf 'job_id,requested_number_of_resources,submission_time,success\n0,1,0,1\n1,2,4,0\n' >r.csv
	[ "$(traceconv --quiet --from batsim --to 'csv:columns=[job,state]' r.csv | tail -n +2 | paste -sd' ')" = '0,completed 1,failed' ]
}

@test "readers: lists as DuckDB, Python, numpy and PostgreSQL write them, in cells of several lines" {
	printf 'placetools: csv-map/1\nkind: jobs\ncolumns:\n  job: id\n  nodes: {from: nodes, as: count}\n  nodelist: {from: nodes, as: list}\n' >m.yaml
	cat >l.csv <<-'END'
		id,nodes
		1,"{12,34}"
		2,"['n1' 'n2']"
		3,"(1, 2)"
		4,"[12 34
		 56]"
		5,"array(['n1', 'n2'], dtype=object)"
		6,"[12.0, 34.0]"
		7,"('n1',)"
		8,"[None, 'n1']"
		9,[]
		10,"n[1-2],m[4,6]"
		11,"[x(5)]"
		12,"[""n1"", ""n2""]"
		13,"[1
	END
	run -0 --separate-stderr traceconv --from csv:map=m.yaml --to 'csv:columns=[job,nodes,nodelist]' l.csv
	[ "$(tail -n +2 <<<"$output" | tr -d '"' | paste -sd' ')" = '1,2,12,34 2,2,n1,n2 3,2,1,2 4,3,12,34,56 5,2,n1,n2 6,2,12,34 7,1,n1 8,1,n1 10,4,n[1-2],m[4,6] 12,2,n1,n2' ]
	[[ $stderr == *"1 rows without a name or without nodes were left out"* ]]
	[[ $stderr == *"l.csv:13: nodes: '[x(5)]' is not a list; 2 rows were left out" ]]
}

@test "readers: states and flags that they don't know are counted and named" {
	{
		echo 'JobID|State|NNodes|NodeList|Submit|Start|End'
		printf '%s|%s|1|n1|0|1|2\n' 1 COMPLETED 2 MELTED 3 MELTED 4 'CANCELLED by 7' 5 OUT_OF_MEMORY 6 COLD
	} >a.txt
	run -0 --separate-stderr traceconv --from sacct --to 'csv:columns=[job,state]' a.txt
	[ "$stderr" = "traceconv: unknown states of jobs: melted (2), cold (1)" ]
	printf 'NodeName=%s State=%s CPUTot=4\n' n1 IDLE+SHINY n2 ODD n3 IDLE+CLOUD n4 DOWN*+NOT_RESPONDING n5 ALLOCATED+RESERVED n6 MIXED+PLANNED >n.txt
	run -0 --separate-stderr traceconv --from scontrol-node --to 'csv:columns=[node,state]' n.txt
	[ "$stderr" = "$(printf 'traceconv: unknown flags of nodes: shiny (1)\ntraceconv: unknown states of nodes: odd (1)')" ]
}

@test "InfiniBand: SHARP's adapters are in switches, rails are chosen, Slurm gets no empty switch" {
	topogen --quiet --from ibnetdiscover "$N/10-sharp-aggregation.ibnetdiscover" -o m.yaml
	[ "$(topogen --to summary m.yaml | awk -F'\t' '$3 == "nodes" { print $4 }')" = 2 ]
	topogen --quiet --from ibnetdiscover "$N/09-storage-rail.ibnetdiscover" -o m.yaml
	[ "$(topogen --to slurm-conf m.yaml | grep -c '=$')" -eq 0 ]
	[ "$(topogen --to slurm-yaml m.yaml | grep -c sto1)" -eq 0 ]
	topogen --quiet --from 'ibnetdiscover:adapters=mlx5_0' "$N/09-storage-rail.ibnetdiscover" -o m.yaml
	[ "$(topogen --to summary m.yaml | awk -F'\t' '$3 == "routers" { print $4 }')" = 3 ]
	# two nodes of unlike leaves: up, across, down
	stream jobs 'job nodes nodelist' '1 2 A,D' | evalmetrics -t m.yaml -m hops --by . | mlr --itsv --onidx --skip-comments filter '$metric == "hops-mean"' then cut -f mean >got
	[ "$(cat got)" = 4 ]
	run -2 --separate-stderr topogen --from 'ibnetdiscover:adapters=hfi*' "$N/09-storage-rail.ibnetdiscover"
	[ "$stderr" = "topogen: adapters=hfi*: no adapter has such a name" ]
	{ echo 'src/query_smp.c:195; umad (DR path slid 0; dlid 0) bad status 110; Connection timed out'; cat "$N/10-sharp-aggregation.ibnetdiscover"; } >w.txt
	run -0 --separate-stderr topogen --from ibnetdiscover --to edges w.txt
	[[ $stderr == *"w.txt:1: src/query_smp.c:195;"*"; 1 line not ibnetdiscover's was passed over: parts may be missing" ]]
	# of any other program, too; but a cable that cannot be read is an error, and so is a file without any
	{ echo 'Warning: Permanently added host'; sed '/4xNDR/a libibmad: warn: something' "$N/10-sharp-aggregation.ibnetdiscover"; } >w.txt
	run -0 --separate-stderr topogen --from ibnetdiscover --to edges w.txt
	[[ $stderr == *"w.txt:1: Warning: Permanently added host; 7 lines not ibnetdiscover's were passed over"* ]]
	[ "$output" = "$(topogen --quiet --from ibnetdiscover --to edges "$N/10-sharp-aggregation.ibnetdiscover")" ]
	sed 's/^\[1\]/[x]/' "$N/10-sharp-aggregation.ibnetdiscover" >w.txt
	run -2 topogen --from ibnetdiscover --to edges w.txt
	echo 'connect: refused' >w.txt
	run -2 --separate-stderr topogen --from ibnetdiscover --to edges w.txt
	[ "$stderr" = "topogen: w.txt:1: connect: refused: is not a line of ibnetdiscover, and there is no cable" ]
	# a speed of tomorrow
	sed 's/4xNDR/4xGDR/' "$N/10-sharp-aggregation.ibnetdiscover" >w.txt
	run -0 --separate-stderr topogen --from ibnetdiscover --to edges w.txt
	[[ $stderr == *"ends of cables at a speed that is not known (4xGDR)"* ]]
}

# log SEED: a random log of 8 nodes in a window of 300 to 900 s, as it was at 900: jobs that ran, run, wait or withdrew, began before
# or end after, arrays, heterogeneous ones; some share nodes. Standard output: a jobs stream. expected: what an
# oracle counts second by second, node by node.
log() {
	awk -v seed="$1" '
	function pick(n) { return int(rand() * n) }
	function nodes_of(n, shared,    list, k, node) { # n different ones
		split("", taken); list = ""
		for (k = 0; k < n; k++) {
			do node = 1 + pick(8); while (node in taken)
			taken[node] = 1
			list = list (k ? "," : "") "n" node
		}
		return list
	}
	function inside(from, to) { from = from < 300 ? 300 : from; to = to > 900 ? 900 : to; return to > from ? to - from : 0 }
	function emit(name, het, counted, submit, kind,    start, end, n, gpus, part, list, state, a, k, t, wait) {
		n = 1 + pick(4); gpus = pick(3); part = "p" pick(3)
		start = submit + pick(200); end = start + 1 + pick(400); list = nodes_of(n)
		if (kind == "long") { start = pick(100); submit = pick(start + 1); end = 850 + pick(200) }
		if (kind == "het") { start = hetstart; end = hetstart + 50 }
		state = "completed"
		if (kind == "waits") { start = "."; end = "."; list = "."; state = "pending" }
		if (kind == "withdrawn") { end = submit + pick(100); start = "."; list = "."; state = "cancelled" }
		if (start != "." && start > 900) start = 900
		if (end != "." && end > 900 && state == "completed") { end = "."; state = "running" }
		if (start != "." && end != "." && end < start) end = start
		print name, submit, start, end, n, gpus, part, list, het, state, (submit < 900 ? 900 - submit : 0), "no"
		if (submit > 900 || (end != "." && end < 300)) return
		seen[part]
		if (start != ".") {
			to = end == "." ? 900 : end
			gpu[part] += gpus * inside(start, to)
			split(list, a, ",")
			for (k in a) for (t = start < 300 ? 300 : start; t < to; t++) { busy[a[k], t]; of[part, a[k], t] }
		}
		if (counted || state == "cancelled") return
		if (start == ".") waiting++
		wait = start == "." ? 900 - submit : start - submit
		if (start != "." && start < 300) return
		if (wait > longest) longest = wait
		if (start != ".") { waited += wait; nwaited++ }
	}
	BEGIN {
		OFS = "\t"; srand(seed); split("ran ran ran long waits withdrawn", kinds, " ")
		print "##placetools=jobs/1 end=yes\n##since=300\n##until=900"
		print "job", "submit_s", "start_s", "end_s", "nodes", "gpus", "partition", "nodelist", "het_job", "state", "runtime_s", "exclusive"
		for (i = 1; i <= 12; i++) emit(i, ".", 0, pick(900), kinds[1 + pick(6)])
		for (i = 1; i <= 3; i++) emit("90_" i, ".", 0, 400, kinds[1 + pick(6)])
		hetstart = 500 + pick(300)
		for (i = 0; i < 3; i++) emit("70+" i, 70, i > 0, 450, "het")
		print "##end"
		for (key in busy) nbusy++
		for (key in of) { split(key, a, SUBSEP); hours[a[1]]++ }
		printf "utilization %.6g\njobs-waiting %d\nwait-longest_s %d\nnode-hours %.6g\n", nbusy / (8 * 600), waiting, longest, nbusy / 3600 >"expected"
		if (nwaited) printf "wait-mean_s %.6g\n", waited / nwaited >"expected"
		for (part in seen) printf "%s %.6g %.6g\n", part, hours[part] / 3600, gpu[part] / 3600 >"expected"
	}'
}

@test "random logs: utilization, waits, node-hours and GPU-hours by partition are those of a slow oracle, and no one who withdrew runs" {
	for seed in {1..12}; do
		log $seed >s.tsv
		placereport --quiet -t T.yaml --to json s.tsv >p.json
		{
			jq -r '.numbers[] | select(.name | IN("utilization", "jobs-waiting", "wait-longest_s", "node-hours", "wait-mean_s")) | select(.value != null) | "\(.name) \(.value)"' p.json
			jq -r '.tables[] | select(.caption == "By partition").rows[] | "\(.[0]) \(.[1]) \(.[2])"' p.json
		} | awk '{ for (i = 2; i <= NF; i++) $i = sprintf("%.6g", $i) } 1' | sort >got
		sort expected | diff - got || { cat s.tsv; return 1; }
		for queue in fcfs easy conservative level-fit; do
			allocate --quiet -t T.yaml -q $queue --replay=simple s.tsv >r.tsv
			[ -z "$(awk -F '\t' '$10 == "cancelled" && ($3 != "." || $8 != ".")' r.tsv)" ]
		done
	done
}

@test "what limits of the network cost: waits of two replays, who held up others most" {
	awk 'BEGIN { OFS = "\t"; srand(7); print "##placetools=jobs/1 end=yes"; print "job", "submit_s", "runtime_s", "walltime_s", "nodes", "leaf_switches", "switch_wait_s"
		for (i = 0; i < 80; i++) print i, 20 * i, 20 + int(90 * rand()), 200, 1 + int(4 * rand()), rand() < .4 ? 1 : ".", "."; print "##end" }' >asked.tsv
	allocate --quiet -t T.yaml -p simple -q easy asked.tsv | mlr --tsv --pass-comments cut -x -f policy,scheduler | grep -v '^##topology=' >s.tsv
	allocate --quiet -t T.yaml -q easy --replay=slurm s.tsv >with.tsv
	mlr --tsv --pass-comments cut -x -f leaf_switches,switch_wait_s s.tsv | allocate --quiet -t T.yaml -q easy --replay=slurm >without.tsv
	placereport --quiet -t T.yaml --to json --replay slurm --since 0 --until 100000 s.tsv >p.json
	# job, submission, start with and without, whether it asked
	join -t $'\t' <(mlr --tsv --skip-comments filter '$policy == "slurm"' then cut -o -f job,submit_s,start_s,leaf_switches with.tsv | tail -n +2 | sort) \
		<(mlr --tsv --skip-comments filter '$policy == "slurm"' then cut -o -f job,start_s without.tsv | tail -n +2 | sort) >both
	awk -F '\t' '{ job[NR] = $1; a[NR] = $3; asks[NR] = $4 != "."; b[NR] = $5; cost += $3 - $5 }
		END { for (i = 1; i <= NR; i++) if (asks[i] && a[i] > b[i]) { others = 0
				for (k = 1; k <= NR; k++) { from = b[i] > b[k] ? b[i] : b[k]; to = a[i] < a[k] ? a[i] : a[k]; if (k != i && to > from) others += to - from }
				print others, a[i] - b[i], job[i] } }' both | sort -k 1,1nr -k 2,2nr -k 3,3n | head >expected
	[ -s expected ]
	jq -r '.tables[] | select(.caption == "Jobs whose limits held up others most").rows[] | "\(.[5]) \(.[4]) \(.[0])"' p.json | diff expected -
	placereport --quiet -t T.yaml --to text --replay slurm --since 0 --until 100000 s.tsv >p.txt
	asked=$(awk -F '\t' '$4 != "."' both | wc -l)
	grep -q "^$asked jobs asked for something of the network\. In a replay under slurm with EASY backfilling jobs waited " p.txt
	# nobody asked: nothing is replayed; a replay that fails leaves a page
	mlr --tsv --pass-comments cut -x -f leaf_switches s.tsv >t.tsv
	[ "$(placereport --quiet -t T.yaml --to text --replay slurm t.tsv | grep -c 'limits')" -eq 0 ]
	printf '##placetools=nodes/1\nnode\tstate\tweight\nn1\tidle\t1\nn1\tidle\t1\n' >n.tsv
	run -0 --separate-stderr placereport -t T.yaml --to text --replay slurm s.tsv n.tsv
	[[ $output == *"The night could not be replayed: n.tsv:4: "* ]]
	run -2 placereport --strict -t T.yaml --to text --replay slurm s.tsv n.tsv
}
