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
	jobs 19-partly-unknown.sacct >s.tsv
	[ "$(number utilization s.tsv)" = 0.125 ]
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
