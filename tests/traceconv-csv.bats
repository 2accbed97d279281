# traceconv: any table of separated values by a map of its columns; the maps that come with the tools.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
}

@test "units, constants, quotes, missing cells, patterns of times, joined tables" {
	cat > map.yaml <<- 'EOF'
		placetools: csv-map/1
		time: "%d/%m/%Y %H:%M"
		absent: [none]
		columns:
		  job: id
		  nodes: n
		  cpus: {from: milli, times: 0.001}
		  memory_bytes: {from: mib, times: 1048576, else: 7}
		  exclusive: {value: no}
		  submit_s: queued
		  state: {from: status, as: state}
		  app: name
		  gpus: {from: extra, may: lack}
		join:
		  - key: id
		    columns:
		      nodelist: {from: host, of: list}
		      segment: {of: rows}
		  - key: id
		    columns:
		      priority: {from: p, of: sum}
		      tasks: {from: t, of: most}
	EOF
	printf '%s\n' 'id,name,n,milli,mib,queued,status' '1,"a, ""b""",2,3001,none,21/12/2018 14:30,CANCELLED by 5' '2,c,,1000,4,21/12/2018 14:31,FAILED' '' '3,d,1,4000,4,none,none' > jobs.csv
	printf '%s\r\n' 'host,id' 'x2,1' 'x1,1' 'y,3' > hosts.csv
	printf '%s\n' 'id,p,t' '1,2,3' '1,5,2' > steps.csv
	run -0 --separate-stderr traceconv --zone +01:00 --from csv:map=map.yaml --to jobs jobs.csv hosts.csv steps.csv
	[ "$stderr" = 'traceconv: 1 rows without a name or without nodes were left out' ]
	[ "$(body <<< "$output" | tr '\t' ' ')" = '1 2 4 7340032 no 1545399000 cancelled a, "b" . x2,x1 2 7 3
3 1 4 4194304 no . . d . y 1 . .' ]
	run -2 --separate-stderr traceconv --strict --from csv:map=map.yaml --to jobs jobs.csv hosts.csv steps.csv
	[[ $stderr == *"jobs.csv:2: queued: "*"--zone"* ]]
	run -2 --separate-stderr traceconv --strict --zone Z --from csv:map=map.yaml --to jobs jobs.csv hosts.csv
	[ "$stderr" = 'traceconv: the map joins 3 tables: expected as many files, in its order' ]
	run -2 --separate-stderr traceconv --strict --zone Z --from csv:map=map.yaml --to nodes jobs.csv hosts.csv steps.csv
	[ "$stderr" = 'traceconv: the map makes jobs, not nodes: give --to jobs' ]
	sed -i 's/^3,d,1,4000/3,d,1,4k/' jobs.csv
	run -2 --separate-stderr traceconv --strict --zone Z --from csv:map=map.yaml --to jobs jobs.csv hosts.csv steps.csv
	[[ $stderr == *"jobs.csv:5: milli: '4k' is not a number" ]]
	sed -i 's/status/state/' jobs.csv
	run -2 --separate-stderr traceconv --strict --zone Z --from csv:map=map.yaml --to jobs jobs.csv hosts.csv steps.csv
	[[ $stderr == *"jobs.csv:1: has no column 'status', which the map reads state from" ]]
}

@test "maps that are none are refused with their line" {
	echo a >a.csv
	refused() { # refused MESSAGE LINE...
		printf '%s\n' "${@:2}" > bad.yaml
		run -2 --separate-stderr traceconv --strict --from csv:map=bad.yaml --to jobs a.csv
		[ "$stderr" = "traceconv: bad.yaml:$1" ] || { echo "$stderr"; return 1; }
	}
	refused "1: expected placetools: csv-map/1" 'columns: {job: a}'
	refused "2: columns: expected 'OURS: THEIRS' lines" '' 'placetools: csv-map/1'
	refused "2: 'jab' is not a column of the kind jobs" 'placetools: csv-map/1' 'columns: {jab: a}'
	refused "2: job: expected from: or value:, and not both" 'placetools: csv-map/1' 'columns: {job: {from: a, value: b}}'
	refused "2: 'form' is not a key of job: expected one of from, value, else, times, as, of, may" 'placetools: csv-map/1' 'columns: {job: {form: a}}'
	refused "2: as: 'x' is none of is, state, duration, memory, list, tres-cpus, tres-gpus, tres-gpu-type, tres-memory, count" 'placetools: csv-map/1' 'columns: {job: {from: a, as: x}}'
	refused "3: join: expected key: the column that both tables have" 'placetools: csv-map/1' 'columns: {job: a}' 'join: [{columns: {app: b}}]'
	run -2 --separate-stderr traceconv --strict --from csv:map=@nowhere --to jobs a.csv
	[[ $stderr == *"there is no map @nowhere"* ]]
}

@test "Lassen's three tables become placed jobs" {
	printf '%s\n' 'primary_job_id,allocation_id,hashed_user_id,num_nodes,num_gpus,job_submit_time,begin_time,end_time,time_limit,exit_status,queue' \
		'7,1,u1,2,0,2020-05-01 01:07:31.70215,2020-05-01 01:08:00,2020-05-01 02:08:00.5,3600,0,pbatch' \
		'8,2,u2,1,0,2020-05-01 02:07:31.70215,2020-05-01 02:08:00,2020-05-01 02:08:30,600,1,pdebug' > a.csv
	printf '%s\n' 'allocation_id,node_name,ib_tx,ib_rx' '1,lassen3,5,6' '2,lassen9,5,6' '1,lassen2,5,6' > n.csv
	printf '%s\n' 'allocation_id,step_id,num_gpus' '1,1,4' '1,2,8' > s.csv
	traceconv --zone America/Los_Angeles --from csv:map=@lassen --to jobs a.csv n.csv s.csv > o.tsv
	[ "$(body < o.tsv | tr '\t' ' ')" = '1 u1 2 pbatch 1588320451.70215 1588320480 1588324080.5 3600 lassen3,lassen2 8
2 u2 1 pdebug 1588324051.70215 1588324080 1588324110 600 lassen9 .' ]
	placecheck o.tsv
}

@test "Helios' log" {
	printf '%s\n' 'job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue' \
		'5,u1,vc2,8,32,1,COMPLETED,2020-04-01 00:10:15,2020-04-01 00:10:20,2020-04-01 00:20:20,600,5' \
		'6,u1,vc2,0,4,1,FAILED,2020-04-01 00:10:15,None,2020-04-01 00:20:20,,5' > h.csv
	[ "$(traceconv --zone Asia/Shanghai --from csv:map=@helios --to jobs h.csv | body | tr '\t' ' ')" = \
		'5 u1 vc2 8 32 1 completed 1585671015 1585671020 1585671620 600
6 u1 vc2 0 4 1 failed 1585671015 . 1585671620 .' ]
}

@test "the public logs of Eagle, Alibaba and XDMoD, whole" {
	need_shared
	traceconv --zone America/Denver --from csv:map=@eagle --to jobs "$SHARED/data/logs/nrel-eagle-1000jobs.csv" > eagle.tsv
	[ "$(body < eagle.tsv | wc -l)" -eq 1000 ]
	# what the log says of how long jobs ran is what lies between their times
	[ "$(awk -F'\t' '/^##/ || $1 == "job" { next } $12 != "." && $11 - $10 != $12 { n++ } END { print n + 0 }' eagle.tsv)" -eq 0 ]
	allocate --quiet -t complete:nodes=2600 -q easy eagle.tsv | placecheck
	traceconv --from csv:map=@alibaba --to jobs "$SHARED/data/logs/alibaba-gpu2023-pods-head.csv" > pods.tsv
	traceconv --from csv:map=@alibaba-nodes --to nodes "$SHARED/data/logs/alibaba-gpu2023-nodes.csv" > nodes.tsv
	[ "$(body < nodes.tsv | wc -l)" -eq 1523 ]
	[ "$(body < pods.tsv | wc -l)" -eq 2000 ]
	# a machine of these nodes, and the pods placed anew by their CPUs, GPUs and memory
	{
		echo 'SwitchName=s Nodes=openb-node-[0000-1522]'
	} > t.conf
	topogen --from slurm-conf t.conf -o m.yaml
	allocate --quiet -t m.yaml --nodes nodes.tsv -q easy <(awk -F'\t' -v OFS='\t' '/^##/ || $1 == "job" { print; next } { $11 = "."; $12 = "."; print }' pods.tsv) > placed.tsv
	placecheck -t m.yaml --nodes nodes.tsv placed.tsv
	[ "$(column nodelist < placed.tsv | grep -c '^openb')" -ge 1990 ]
	traceconv --quiet --zone America/New_York --from csv:map=@xdmod --to jobs "$SHARED/data/logs/xdmod-phillips-sacct-head.txt" > xdmod.tsv
	[ "$(body < xdmod.tsv | wc -l)" -eq 560 ]
	# the reader of sacct sees the same jobs
	traceconv --quiet --zone America/New_York --to jobs "$SHARED/data/logs/xdmod-phillips-sacct-head.txt" \
		--from 'sacct:columns=[JobID,JobIDRaw,Cluster,Partition,QOS,Account,Group,GID,User,UID,Submit,Eligible,Start,End,Elapsed,ExitCode,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,NodeList,JobName]' > sacct.tsv
	for name in job nodes cpus gpus start_s end_s nodelist state; do
		diff <(column $name < xdmod.tsv) <(column $name < sacct.tsv)
	done
}

@test "a number that its column can't hold is refused" {
	printf 'sn,cpu_milli,memory_mib,gpu,model\nopenb-node-0000,32000,-1,2,P100\n' >nodes.csv
	run -2 --separate-stderr traceconv --strict --from csv:map=@alibaba-nodes --to nodes nodes.csv
	[ "$stderr" = "traceconv: nodes.csv:2: memory_mib: '-1' is not in the range of its column" ]
	[ -z "$(grep '^##end' <<<"$output")" ]
}

@test "a column holds its greatest number, and none above it" {
	printf '%s\n' 'placetools: csv-map/1' 'columns:' '  job: name' '  nodes: n' '  sensitivity: part' >map.yaml
	printf 'name,n,part\na,2,1\n' >most.csv
	[ "$(traceconv --from csv:map=map.yaml --to jobs most.csv | body | tr '\t' ' ')" = 'a 2 1' ]
	printf 'name,n,part\na,2,1.01\n' >more.csv
	run -2 --separate-stderr traceconv --strict --from csv:map=map.yaml --to jobs more.csv
	[ "$stderr" = "traceconv: more.csv:2: part: '1.01' is not in the range of its column" ]
}

@test "Philly: each attempt of a job is a placement" {
	cp "$ROOT/tests/fuzz/corpus/philly/two" log.json
	run -0 --separate-stderr traceconv --zone America/Los_Angeles --to jobs log.json
	[ "$(body <<< "$output" | tr '\t' ' ')" = 'application_1 u1 vc1 failed 2 3 2,1 no 1507557763 1507558482 1507559000 m401,m12
application_1~2 u1 vc1 pass 1 4 4 no 1507557763 1507559100 1507560000 m7
application_3 u2 vc2 killed 1 1 1 no 1507557800 1507557801 . m7' ]
	[ "$stderr" = 'traceconv: 1 jobs or attempts without nodes were left out
traceconv: 1 rows are of jobs that were there before, as requeued ones are: named JOB~2 and so on' ]
	placecheck <(cat <<< "$output")
	run -2 --separate-stderr traceconv --strict --zone Z --from philly --to jobs <(printf '%s\n' '[' '{"jobid": "a", "attempts": [{"detail": [{"gpus": []}]}]}]')
	[[ $stderr == *":2: detail: a node without its ip" ]]
	run -2 --separate-stderr traceconv --strict --from philly --to jobs log.json
	[[ $stderr == *"log.json:2: submitted_time: "* ]]
}
