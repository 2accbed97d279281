# placereport: what the page says is what the other tools print for the same input.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	topogen --no-provenance dragonfly:groups=5,routers=4,nodes=2 -o m.yaml
	jobgen -t m.yaml lublin:jobs=80 -o in.tsv
	for policy in slurm level-spread; do allocate -t m.yaml -q easy -p $policy in.tsv; done > night.tsv
	printf '##placetools=nodes/1\nnode\tstate\treason\nn0\tidle\t.\nn1\tdown\t<b>fan & "psu"\nn2\tdrained\tkernel\nn3\tdown\t<b>fan & "psu"\n' > nodes.tsv
}

# The values of the page's table of measurements: metric policy mean median max, as they stand in <data>.
measured() {
	sed -n '/<caption>Measurements/,/<\/table>/p' "$1" | grep '<th scope="row">' |
		sed 's/<data value="\([^"]*\)">[^<]*<\/data>/\1/g; s/<td[^>]*>/\t/g; s/<[^>]*>//g' | cut -f 1-5,6-
}

# beside_slurm METRIC FILE CAPTION: evalmetrics' rows of the two policies in FILE, job by job, are the table of p.json:
# how many jobs, less, more, the mean difference; into expected
beside_slurm() {
	local policy
	for policy in slurm level-spread; do
		awk -F'\t' -v policy=$policy -v metric="$1" 'NR > 1 && !/^##/ && !at["id"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["policy"] == policy && $at["metric"] == metric && $at["value"] != "." { print $at["id"], $at["value"] }' "$2" | sort >$policy
	done
	join slurm level-spread | awk '{ d = $3 - $2; n++; less += d < 0; more += d > 0; sum += d } END { printf "level-spread %d %d %d %.9g\n", n, less, more, sum / n }' >expected
	jq -r --arg caption "$3" '.tables[] | select(.caption == $caption) | .rows[] | map(tostring) | join(" ")' p.json |
		awk '{ printf "%s %d %d %d %.9g\n", $1, $2, $3, $4, $5 }' | diff expected -
}

@test "placereport: standard input is refused, since inputs are read more than once" {
	run -2 --separate-stderr placereport - <<<'##placetools=jobs/1'
	[[ $stderr == "placereport: standard input: expected files"* ]]
	[ "$output" = "" ]
}

@test "jobs of several runs are refused" {
	stream jobs 'run policy job nodes submit_s start_s end_s nodelist' '1 a j 2 0 0 10 n0,n1' '1 b j 2 0 0 10 n2,n3' > one.tsv
	placereport -t m.yaml -o p.html one.tsv
	{ cat one.tsv; printf '2\ta\tj\t2\t0\t0\t10\tn0,n8\n'; } > two.tsv
	run -2 --separate-stderr placereport -t m.yaml -o q.html two.tsv
	[ "$stderr" = "placereport: two.tsv:5: run 2 beside run 1: expected the jobs of one run" ]
	[ ! -e q.html ]
	{ cat one.tsv; printf '.\ta\tk\t2\t0\t0\t10\tn0,n8\n'; } > two.tsv
	run -2 --separate-stderr placereport -t m.yaml -o q.html two.tsv
	[ "$stderr" = "placereport: two.tsv:5: run . beside run 1: expected the jobs of one run" ]
}

@test "every measured number on the page is what evalmetrics prints" {
	placereport -t m.yaml -o p.html night.tsv
	evalmetrics -t m.yaml -m wait -m queue -m spread -m schedule -m idle --by policy night.tsv | grep -v '^##' |
		awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print $at["metric"], $1, $at["mean"], ($at["n"] == 1 ? "-" : $at["median"]), ($at["n"] == 1 ? "-" : $at["max"]) }' | sort > expected
	measured p.html | awk -F'\t' '{ print $1, $2, $5, $8, $10 }' | sort > got
	[ "$(wc -l < got)" -eq "$(wc -l < expected)" ]
	[ "$(wc -l < got)" -ge 26 ]
	diff expected got
	# given as a stream they are the same
	evalmetrics -t m.yaml -m wait -m queue -m spread -m schedule -m idle --by policy night.tsv -o metrics.tsv
	placereport -t m.yaml -o q.html night.tsv metrics.tsv
	diff got <(measured q.html | awk -F'\t' '{ print $1, $2, $5, $8, $10 }' | sort)
}

@test "worst placed jobs have the routers that evalmetrics counts" {
	placereport -t m.yaml --to json night.tsv > p.json
	jq -r '.tables[] | select(.caption | startswith("Jobs on the most routers")) | .rows[] | "\(.[0]) \(.[4])"' p.json > got
	[ -s got ]
	evalmetrics -t m.yaml -m spread night.tsv | grep -v '^##' | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["metric"] == "routers" && $at["policy"] == "slurm" { print $at["id"], $at["value"] }' > all
	while read -r line; do grep -qxF "$line" all; done < got
}

@test "the numbers of the recorded placement are sacct's own" {
	zcat "$BATS_TEST_DIRNAME/formats/slurm/site22/sacct-epoch.txt.gz" >sacct.txt
	traceconv --quiet --to jobs sacct.txt -o jobs.tsv
	placereport --to json jobs.tsv >p.json
	# a heterogeneous job, 20+0 to 20+2, is one
	awk -F'|' 'NR > 1 && $3 ~ /^[0-9]+$/ { id = $1; sub(/[+].*/, "", id); if (!seen[id]++) { n++; sum += $3 - $2; if ($3 - $2 > max) max = $3 - $2 } }
		END { printf "%d %.12g %d\n", n, sum / n, max }' sacct.txt >expected
	jq -r '.metrics[] | select(.metric == "wait_s") | "\(.n) \(.mean) \(.max)"' p.json | awk '{ printf "%d %.12g %d\n", $1, $2, $3 }' | diff expected -
	# state by state, and who still ran
	awk -F'|' 'NR > 1 && $6 != "" && $6 !~ /None/ { id = $1; sub(/[+].*/, "", id); if (!seen[id]++) { split($5, word, " "); n[tolower(word[1])]++ } }
		END { for (state in n) print state, n[state] }' sacct.txt | sort >expected
	jq -r '.tables[] | select(.caption == "Jobs by state") | .rows[] | "\(.[0]) \(.[1])"' p.json | sort | diff expected -
}

@test "who waited for what: waits by what jobs asked for are evalmetrics' of those jobs; waiting ones by reason" {
	placereport -t m.yaml --to text night.tsv >p.txt
	run ! grep -q '^Waits$' p.txt # nobody asks for anything
	zcat "$BATS_TEST_DIRNAME/formats/slurm/site22/scontrol-job-d.txt.gz" >jobs.txt
	traceconv --quiet --zone UTC --to jobs jobs.txt -o jobs.tsv
	placereport --to json jobs.tsv >p.json
	rows() { jq -r --arg caption "$1" '.tables[] | select(.caption | startswith($caption)) | .rows[] | map(tostring) | join(" ")' p.json; }
	# each row against evalmetrics of the jobs that have the column; a heterogeneous job is one
	while IFS='|' read -r name filter; do
		mlr --tsv --pass-comments filter "$filter" jobs.tsv >some.tsv
		evalmetrics -m wait --by . some.tsv | mlr --itsv --onidx --skip-comments --ofs ' ' cut -of n,mean,median,max |
			sed '/^0 /d' >expected # nobody who started asked for it: no row
		rows 'Waits by what' | sed -n "s/^$name //p" | awk '{ print $1, $3, $4, $5 }' | diff expected -
	done <<-'END'
		few leaf switches|$leaf_switches != "."
		features|$features != "."
		GPUs|$gpus != "." && $gpus > 0 || $job =~ "^20"
		several components|$het_job != "."
		few tasks at a time|$array_limit != "."
		a later start|$eligible_s != "."
		nothing of these|$leaf_switches == "." && $features == "." && ($gpus == "." || $gpus == 0) && $het_job == "." && $array_limit == "." && $eligible_s == "." && $depends == "." && $reservation == "."
	END
	rows 'Jobs that wait, by reason' | sort | diff <(mlr --itsv --onidx --skip-comments --ofs ' ' filter '$start_s == "."' then stats1 -a count,sum -f nodes -g state_reason then sort -f state_reason jobs.tsv | sort) -
	# the picture has the same rows
	placereport -o p.html jobs.tsv
	[ "$(rows 'Waits by what' | wc -l)" -eq 6 ]
	sed -n '/Waits by what jobs asked for (lower/,/<\/figure>/p' p.html | grep -q 'few tasks at a time'
}

@test "a job that ended when it started is placed as others are, and holds nothing" {
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tstart_s\tend_s\tnodelist\na\t0\t2\t5\t9\tn[0-1]\nb\t0\t2\t5\t5\tn[2,8]\nc\t0\t2\t5\t9\tn[2-3]\n' >s.tsv
	placereport -t m.yaml --to json s.tsv >p.json
	jq -e '[.metrics[] | select(.metric == "routers") | .n] == [3]' p.json
	placereport -t m.yaml --to text s.tsv >p.txt
	grep -q '^1 of 3 placed jobs are on more routers' p.txt
	jq -e '.tables[] | select(.caption | startswith("Jobs on the most")) | .rows[0][0:6] == ["b", "-", "-", 2, 2, 1]' p.json
}

@test "tables of jobs and nodes: waits are evalmetrics', states are counted, node-hours are of each user" {
	mlr --tsv --pass-comments put '$submit_s = $submit_s // 200' in.tsv | allocate -t m.yaml -q easy -p slurm | mlr --tsv --pass-comments put '$user = "u".($job % 3); $state = $job % 7 == 0 ? "failed" : "completed"' >one.tsv
	placereport -t m.yaml --to json --since 0 --until 1000000000 one.tsv nodes.tsv >p.json
	rows() { jq -r --arg caption "$1" '.tables[] | select(.caption | startswith($caption)) | .rows[] | '"$2" p.json; }
	rows 'Longest waits' '"\(.[0]) \(.[4])"' >got
	[ "$(wc -l <got)" -ge 3 ]
	evalmetrics -m wait one.tsv | mlr --itsv --onidx --skip-comments filter '$value > 0' then sort -nr value then cut -of id,value | head -n 15 >expected
	diff <(sort expected) <(sort got)
	rows 'Jobs by state' '"\(.[0]) \(.[1])"' | sort | diff - <(mlr --itsv --onidx --skip-comments count -g state then sort -f state one.tsv)
	rows 'Nodes by state' '"\(.[0]) \(.[1])"' | sort | diff - <(mlr --itsv --onidx --skip-comments count -g state then sort -f state nodes.tsv)
	# of all users together: the work rate over the makespan
	hours=$(jq '[.tables[] | select(.caption | startswith("Node-hours by user")) | .rows[][1]] | add' p.json)
	mlr --itsv --onidx --skip-comments put -q '@sum += ($end_s - $start_s) * $nodes / 3600; end { emit @sum }' one.tsv |
		awk -v hours="$hours" '{ exit !(hours / $1 - 1 < 1e-9 && 1 - hours / $1 < 1e-9) }'
	rows 'Nodes out of service' '"\(.[2]) \(.[3])"' | diff - <(printf '%s\n' 'n[1,3] 2' 'n2 1')
}

@test "busy nodes: the mean over the time is evalmetrics' work rate; a shared node is busy once" {
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tstart_s\tend_s\tnodelist\na\t0\t2\t0\t10\tn[0-1]\nb\t0\t1\t5\t10\tn1\n' > s.tsv
	run -0 placereport -t m.yaml --to text s.tsv
	[[ $output == *"2 of 2 jobs started, and 0.005556 node-hours were used"* ]]
	run -0 placereport -t m.yaml --to json --since 0 --until 20 s.tsv
	[ "$(jq -c '.tables[] | select(.caption | startswith("Busy nodes")) | [.rows[][1] * 1000 | round]' <<< "$output")" = "[2000,2000,2000,0,0,0]" ]
}

@test "--at: the machine at a moment is what evalmetrics and traceconv say of it" {
	allocate -t m.yaml -q easy -p slurm in.tsv >one.tsv
	middle=$(mlr --itsv --onidx --skip-comments stats1 -a p50 -f start_s one.tsv)
	placereport -t m.yaml --at "$middle" --to json -o p.json one.tsv
	evalmetrics -t m.yaml -m spread --at "$middle" one.tsv | mlr --itsv --onidx --skip-comments filter '$metric == "routers"' then cut -f id | sort >expected
	[ "$(wc -l <expected)" -gt 1 ]
	jq -r '.tables[] | select(.caption | startswith("Jobs that ran then")).rows[][0]' p.json | sort | diff expected -
	# nodes of those jobs, as the states of the moment have it
	[ "$(jq '[.tables[] | select(.caption | startswith("Jobs that ran then")).rows[][2]] | add' p.json)" -eq \
		"$(traceconv --from jobs --to nodes --at "$middle" one.tsv | awk -F'\t' '$2 == "allocated"' | wc -l)" ]
	# each square: the part of a router's nodes that is busy
	placereport -t m.yaml --at "$middle" -o p.html one.tsv
	traceconv --from jobs --to nodes --at "$middle" one.tsv | awk -F'\t' '$2 == "allocated" { busy["r" int(substr($1, 2) / 2)]++ }
		END { for (r = 0; r < 20; r++) printf "r%d: %.0f %%\n", r, 50 * busy["r" r] }' | sort >expected
	grep -o '<title>r[0-9]*: [0-9]* %' p.html | sed 's/<title>//' | sort | diff expected -
	run -2 --separate-stderr placereport -t m.yaml --at noon one.tsv
	[[ $stderr == *"--at: 'noon' is not a time: seconds"* ]]
}

@test "the ten minutes of examples/nightly/README.md, line by line: from sacct, scontrol and topology.conf to the page" {
	site=$ROOT/tests/formats/slurm/site22
	mkdir -p bin
	printf '#!/bin/sh\nzcat %q\n' "$site/sacct-epoch.txt.gz" >bin/sacct
	printf '#!/bin/sh\ncase "$*" in *topology*) zcat %q ;; *) zcat %q ;; esac\n' "$site/scontrol-topology.txt.gz" "$site/scontrol-node-o.txt.gz" >bin/scontrol
	chmod +x bin/*
	sed -n '/^## From nothing/,/^| it says/s/^       //p' "$ROOT/examples/nightly/README.md" | sed "s|/etc/slurm/topology.conf|$site/topology.conf|" >lines
	[ "$(grep -c '^ *[a-zA-Z_=%]' lines)" -ge 8 ]
	PATH=$PWD/bin:$PATH bash -euo pipefail lines 2>said
	# what is said is in the README's table, or of this cluster's log
	grep -v 'Slurm says neither how many cables\|jobs have no end\|could not be placed\|jobs without nodes were left out' said >more || :
	[ ! -s more ]
	grep -q '<svg' machine.svg
	[ "$(grep -c '<h1' page.html)" -eq 1 ]
	placereport -t machine.yaml --to json both.tsv nodes.tsv | jq -r '.metrics[].policy' | sort -u | paste -sd ' ' | grep -qx 'level-spread recorded'
}

@test "the page is one file: no script, nothing from outside, every name escaped" {
	placereport -t m.yaml --title 'Site <x> & "y"' -o p.html night.tsv nodes.tsv
	run ! grep -qiE '<script|https?://[^w]|src=|@import|url\(' p.html
	grep -q '&lt;b&gt;fan &amp; ' p.html
	run ! grep -q '<b>fan' p.html
	xmllint --noout p.html # every element is closed
	[ "$(grep -c '<h1>' p.html)" -eq 1 ]
	[ "$(grep -o '<svg role="img"' p.html | wc -l)" -eq "$(grep -o '<desc id=' p.html | wc -l)" ]
	[ "$(grep -o 'id="[^"]*"' p.html | sort | uniq -d | wc -l)" -eq 0 ]
	[ "$(wc -c < p.html)" -lt 200000 ]
	# the same input, the same bytes
	placereport -t m.yaml --title 'Site <x> & "y"' -o again.html night.tsv nodes.tsv
	cmp <(grep -v placereport p.html) <(grep -v placereport again.html)
}

@test "what is broken comes first: nodes by state and reason, folded" {
	run -0 placereport -t m.yaml --to text night.tsv nodes.tsv
	[[ $output == *"3 of 4 nodes are out of service, 1 is idle"* ]]
	[[ $output == *'down     <b>fan & "psu"  n[1,3]      2'* ]]
	[[ $output == *"drained  kernel          n2          1"* ]]
	[ "$(placereport -t m.yaml --to md night.tsv nodes.tsv | grep -c '^## ')" -ge 6 ]
}

@test "alarms: status 1, on the page; of what no page has, refused" {
	run -1 --separate-stderr placereport -t m.yaml --to json --alarm 'nodes-down>1' --alarm 'wait_s<-1' night.tsv nodes.tsv
	[ "$(jq -c '[.alarms[] | [.alarm, .raised]]' <<< "$output")" = '[["nodes-down>1",true],["wait_s<-1",false]]' ]
	[ -z "$stderr" ]
	run -0 placereport -t m.yaml --to json --alarm 'nodes-down>2' night.tsv nodes.tsv
	run -2 --separate-stderr placereport -t m.yaml --alarm 'speed>2' night.tsv
	[[ $stderr == "placereport: --alarm: 'speed' is not a number of a page, expected one that evalmetrics measures, "* ]]
	run -2 --separate-stderr placereport -t m.yaml --alarm 'wait_s' night.tsv
	[[ $stderr == *"'wait_s' is not METRIC>NUMBER or METRIC<NUMBER, "* ]]
}

@test "changes: a report beside yesterday's" {
	placereport -t m.yaml --to json -o yesterday.json night.tsv
	sed 's/"metric": "wait_s", "n": \([0-9]*\), "mean": [0-9.]*/"metric": "wait_s", "n": \1, "mean": 5/' yesterday.json > before.json
	placereport -t m.yaml --to json --baseline before.json night.tsv > p.json
	jq -e '.tables[] | select(.caption | startswith("Means against")) | .rows[] | select(.[0] == "wait_s") | .[2] == 5 and ((.[3] - 5 - .[4]) | fabs < 1e-9)' p.json
	run -2 --separate-stderr placereport -t m.yaml --baseline m.json night.tsv
	echo '{}' > m.json
	run -2 --separate-stderr placereport -t m.yaml --strict --baseline m.json night.tsv
	[ "$stderr" = "placereport: m.json: not a report as placereport --to json writes it" ]
}

@test "an input that was cut gives a page that says so, and status 2" {
	head -n 60 night.tsv > cut.tsv
	run -2 --separate-stderr placereport -t m.yaml -o p.html cut.tsv
	[[ $stderr == *"cut"* ]]
	grep -q 'An input was truncated' p.html
}

@test "worst placed jobs, beside what the nodes idle at their start would have given: evalmetrics of both" {
	# b: nodes of three routers, where two would have held it; a has a whole router until 10
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tstart_s\tend_s\tnodelist\na\t0\t2\t0\t10\tn[0-1]\nb\t0\t4\t5\t20\tn[2,4-6]\nc\t0\t2\t10\t20\tn[1,8]\n' > s.tsv
	placereport -t m.yaml --to json s.tsv > p.json
	jq -r '.tables[] | select(.caption | startswith("Jobs on the most routers")) | .rows[] | map(tostring) | join(" ")' p.json > got
	# hops: node and router, a link within the group, router and node
	evalmetrics -t m.yaml -m hops s.tsv | awk -F'\t' '$3 == "hops-mean" { print $2, $4 }' > hops
	[ "$(cut -d' ' -f1,5-7 got | paste -sd' ')" = "b 3 2 2 c 2 1 1" ]
	while read -r job _ _ _ _ _ _ hops _; do grep -qxF "$job $hops" hops; done < got
	[ "$(placereport -t m.yaml --to text s.tsv | grep -c '2 of 3 placed jobs are on more routers than an empty machine would need, 2 of them')" -eq 1 ]
	# nodes out of service were not possible
	printf '##placetools=nodes/1\nnode\tstate\n%s' "$(for n in 3 7 9 11 13; do printf 'n%s\tdown\n' $n; done)" > down.tsv
	placereport -t m.yaml --to json --possible compact s.tsv down.tsv | jq -e '.tables[] | select(.caption | startswith("Jobs on the most")) | .rows[0][4] == 3'
}

@test "free nodes over time: those of the largest group, the longest run" {
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tstart_s\tend_s\tnodelist\na\t0\t2\t0\t60\tn[0-1]\nb\t0\t30\t30\t60\tn[4-20,27-39]\n' > s.tsv
	placereport -t m.yaml --to json s.tsv > p.json
	[ "$(jq -c '.tables[] | select(.caption | startswith("Free nodes")) | [.rows[] | .[1:]]' p.json)" = \
		'[[38,38,8],[38,38,8],[38,38,8],[8,6,3],[8,6,3],[8,6,3]]' ]
	# the mean of the time is evalmetrics' idle-nodes-mean
	[ "$(evalmetrics -t m.yaml -m idle --by . s.tsv | traceconv -f where:metric=idle-nodes-mean --to csv:columns=mean | tail -1)" = 23 ]
}

@test "sensitive jobs: the traffic they met is evalmetrics', and nedd's nodes carry less" {
	printf '##placetools=traffic/1\ntime_s\twindow_s\trouter\ttraffic_flits_per_s\n' > t.tsv
	for r in {0..19}; do printf '0\t10\tr%d\t%d\n' $r $((r < 4 ? 1000 : r)); done >> t.tsv
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tclass\tstart_s\tend_s\tnodelist\na\t0\t2\tnetwork-sensitive\t0\t10\tn[0-1]\nb\t0\t4\tnetwork-insensitive\t5\t20\tn[2-5]\nc\t0\t2\tnetwork-sensitive\t10\t20\tn[38-39]\n' > s.tsv
	placereport -t m.yaml --to json s.tsv t.tsv > p.json
	jq -r '.tables[] | select(.caption | startswith("Sensitive jobs")) | .rows[] | "\(.[0]) \(.[4]) \(.[5])"' p.json > got
	# the quietest routers are r4 and r5; c, on r19, is shown too: 19 against 4
	[ "$(cat got)" = $'a 1000 4\nc 19 4' ]
	evalmetrics -t m.yaml -m traffic --traffic t.tsv s.tsv | awk -F'\t' '$3 == "traffic-mean" { print $2, $4 }' > all
	grep -qx 'a 1000' all
	grep -qx 'c 19' all
	run -0 placereport -t m.yaml --to text s.tsv t.tsv
	[[ $output == *"Of 2 network-sensitive jobs 2 started while traffic was known, 1 of these on routers with more of it"* ]]
	[[ $output == *"nedd would have put 2 of them, each among the nodes idle at its start, on routers with 99.2 % less traffic in the mean."* ]]
	# another rule
	run -0 placereport -t m.yaml --to text --rule high-traffic s.tsv t.tsv
	[[ $output == *"high-traffic would have put 2 of them"* ]]
	run -2 --separate-stderr placereport -t m.yaml --rule ned s.tsv t.tsv
	[[ $stderr == "placereport: --rule: 'ned' is not an allocation policy (did you mean 'nedd'?)"* ]]
}

@test "traffic that jobs met, by policy: evalmetrics' quantiles, a picture and a table" {
	end=$(traceconv --quiet --to jobs night.tsv | mlr --itsv --onidx --skip-comments stats1 -a max -f end_s)
	awk -v end="$end" 'BEGIN { print "##placetools=traffic/1\ntime_s\twindow_s\trouter\ttraffic_flits_per_s"
		for (w = 0; w < 9; w++) for (r = 0; r < 20; r++) printf "%d\t%d\tr%d\t%d\n", w * end / 9, end / 9, r, (r * 37 + w * 11) % 97 * 10 }' >t.tsv
	placereport -t m.yaml --to json night.tsv t.tsv >p.json
	evalmetrics -t m.yaml -m traffic --traffic t.tsv --by policy night.tsv |
		mlr --itsv --ojson --skip-comments cut -o -f metric,policy,n,mean,q1,median,q3,max then sort -f metric,policy >expected
	[ "$(jq length expected)" -eq 4 ]
	jq '[.metrics[] | select(.metric | startswith("traffic")) | {metric, policy, n, mean, q1, median, q3, max}] | sort_by(.metric, .policy)' p.json |
		jq -e --slurpfile e expected '. == $e[0]'
	placereport -t m.yaml -o p.html night.tsv t.tsv
	grep -q 'Traffic that jobs met at their start, by policy (lower is better)' p.html
	# job by job, from evalmetrics' rows of the two policies; jobs before the first window have none
	evalmetrics -t m.yaml -m traffic --traffic t.tsv night.tsv >each.tsv
	beside_slurm traffic-mean each.tsv 'Traffic met beside slurm, job by job, flits/s'
	awk '{ exit !($2 > 40 && $3 > 0 && $4 > 0) }' expected
	# without node lists there is none, and no complaint
	traceconv --quiet --to jobs night.tsv | mlr --tsv --pass-comments cut -x -f nodelist >unplaced.tsv
	run -0 --separate-stderr placereport -t m.yaml --to text unplaced.tsv t.tsv
	[[ $stderr != *traffic* ]]
}

@test "policies are compared job by job: waits shorter, longer, and the mean difference" {
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tpolicy\tstart_s\tend_s\tnodelist\n' > s.tsv
	printf '%s\t0\t1\t%s\t%d\t%d\tn%d\n' a p 5 9 0  b p 0 9 1  c p 7 9 2  a q 1 9 0  b q 3 9 1  c q 7 9 2  d q 1 9 3 >> s.tsv
	placereport -t m.yaml --to json s.tsv > p.json
	jq -e '.tables[] | select(.caption == "Waits beside p, job by job") | (.rows[0][4] + 1 / 3 | fabs) < 1e-9 and .rows[0][0:4] == ["q", 3, 1, 1]' p.json
	# the same as the difference of evalmetrics' means, where all jobs are in both
	grep -v '^d' s.tsv > same.tsv
	evalmetrics -m wait --by policy same.tsv | traceconv --to csv:columns=mean > means
	placereport -t m.yaml --to json same.tsv |
		jq -e --argjson p "$(sed -n 2p means)" --argjson q "$(sed -n 3p means)" '.tables[] | select(.caption == "Waits beside p, job by job") | (.rows[0][4] - ($q - $p) | fabs) < 1e-9'
}

@test "a heterogeneous job is one job for waits: in the tables, sentences, alarms and measurements" {
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\thet_job\tpolicy\tstart_s\tend_s\tnodelist\tstate\n' >s.tsv
	printf '%s\t0\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n' a 1 . p 5 9 n0 completed  20+0 2 20 p 7 9 'n[1-2]' completed  20+1 3 20 p 7 12 'n[3-5]' completed \
		30+0 1 30 p . . . pending  30+1 1 30 p . . . pending  a 1 . q 4 9 n0 completed  20+0 2 20 q 1 9 'n[1-2]' completed  20+1 3 20 q 1 9 'n[3-5]' completed >>s.tsv
	placereport -t m.yaml --to json s.tsv >p.json
	table() { jq -c --arg caption "$1" '[.tables[] | select(.caption == $caption) | .rows[]'"${2:-}]" p.json; }
	[ "$(table 'Longest waits' '| [.[0], .[3], .[4]]')" = '[["30",2,12],["20",5,7],["a",1,5]]' ]
	[ "$(table 'Jobs by state')" = '[["completed",2],["pending",1]]' ]
	[ "$(table 'Waits beside p, job by job')" = '[["q",2,2,0,-3.5]]' ]
	placereport -t m.yaml --to text --alarm 'jobs-waiting>0' s.tsv >p.txt || [ $? -eq 1 ]
	grep -q '1 job waits\.' p.txt
	grep -q '2 of 3 jobs started' p.txt
	grep -q 'jobs-waiting *raised *1 ' p.txt
	# evalmetrics counts so, too
	[ "$(jq -c '[.metrics[] | select(.metric == "wait_s") | [.policy, .n, .mean]]' p.json)" = '[["p",2,6],["q",2,2.5]]' ]
	evalmetrics -m wait --by policy s.tsv | mlr --itsv --onidx --skip-comments cut -of n,mean | diff - <(printf '2 6\n2 2.5\n')
}

@test "routers are compared job by job: on fewer, on more, and the mean difference is that of evalmetrics' means" {
	placereport -t m.yaml --to json night.tsv >p.json
	evalmetrics -t m.yaml -m spread night.tsv >spread.tsv
	# job by job, from evalmetrics' rows of the two policies
	beside_slurm routers spread.tsv 'Routers beside slurm, job by job'
	awk '{ exit !($2 == 80 && $3 + $4 > 0) }' expected
}

@test "communication times that netsim estimated stand beside the jobs, which are counted once" {
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tpattern\tstart_s\tend_s\tnodelist\na\t0\t2\thalo2d\t0\t10\tn[0-1]\nb\t0\t4\talltoall\t5\t20\tn[2,8,16,24]\n' > s.tsv
	netsim -t m.yaml s.tsv -o sim.tsv
	placereport -t m.yaml --to json s.tsv sim.tsv > p.json
	jq -e '[.metrics[] | select(.metric == "routers") | .n] == [2]' p.json
	expected=$(mlr --itsv --onidx --skip-comments filter '$job == "b"' then cut -f comm_time_s sim.tsv)
	jq -e --argjson t "$expected" '.tables[] | select(.caption | startswith("Jobs on the most")) | .rows[0] | .[0] == "b" and .[10] == $t' p.json
	evalmetrics -m column:name=comm_time_s --by . sim.tsv | mlr --itsv --ojson --skip-comments cut -f mean > mean
	jq -e --slurpfile m mean '[.metrics[] | select(.metric == "comm_time_s") | .mean] == [$m[0][0].mean]' p.json
	# alone it is the jobs
	placereport -t m.yaml --to json sim.tsv | jq -e '[.metrics[] | select(.metric == "routers" or .metric == "comm_time_s") | .n] == [2, 2]'
}

@test "the page is clean without a browser: headings in order, names of pictures and regions, a table's scopes" {
	placereport -t m.yaml -o p.html night.tsv nodes.tsv
	[ "$(grep -oE '<h[1-6]' p.html | tr -d '<h\n' | sed 's/2[3]*/2/g')" = "1$(printf '2%.0s' $(seq "$(grep -c '<h2' p.html)"))" ]
	[ "$(grep -o '<html lang="en">' p.html | wc -l)" -eq 1 ]
	[ "$(grep -oE '<(main|header|nav) ?' p.html | wc -l)" -eq 3 ]
	# every picture has a name or stands beside its number; what scrolls can be reached and has a name
	[ "$(grep -o '<svg [^>]*' p.html | grep -cvE 'aria-hidden="true"|role="img" aria-labelledby=')" -eq 0 ]
	[ "$(grep -o 'class="wide[^>]*' p.html | grep -cvE 'tabindex="0" aria-label(ledby)?="[^"]')" -eq 0 ]
	for id in $(grep -oE 'aria-labelledby="[^"]*"' p.html | cut -d'"' -f2); do grep -q "id=\"$id\"" p.html; done
	[ "$(grep -o '<th[ >][^>]*' p.html | grep -cv 'scope="')" -eq 0 ]
	[ "$(grep -o '<table>' p.html | wc -l)" -eq "$(grep -o '<caption>' p.html | wc -l)" ]
	run ! grep -qE ' (on[a-z]+|style)=' p.html
	# colours: 4.5:1 for texts, 3:1 for marks, in both schemes
	awk -v RS='[;{}]' -F: '
		function lin(c) { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ^ 2.4 }
		function hex(s) { return index("123456789abcdef", s) }
		function part(s, i) { return length(s) == 4 ? 17 * hex(substr(s, i + 2, 1)) : 16 * hex(substr(s, 2 * i + 2, 1)) + hex(substr(s, 2 * i + 3, 1)) }
		function light(s) { return .2126 * lin(part(s, 0)) + .7152 * lin(part(s, 1)) + .0722 * lin(part(s, 2)) }
		function ratio(a, b) { a = light(a); b = light(b); return (a > b ? a + .05 : b + .05) / (a > b ? b + .05 : a + .05) }
		function check(k) {
			for (k in need) { r = ratio(colour[k], colour["--bg"]); if (r < need[k]) { print k, colour[k], r; bad = 1 } }
			n++
		}
		BEGIN { need["--fg"] = need["--dim"] = need["--a"] = 4.5; need["--b"] = need["--line"] = need["--h3"] = 3 }
		/--[a-z0-9]+$/ || $1 ~ /--/ { gsub(/[[:space:]]/, "", $1); colour[$1] = $2; if ($1 == "--h4") check() }
		END { exit bad || n != 2 }' p.html
}

@test "the page in a browser: axe-core, console, keyboard, widths, schemes and three printed pages" {
	command -v chromium > /dev/null || skip "chromium is not here"
	placereport -t m.yaml -o p.html night.tsv nodes.tsv
	run "$ROOT/tests/browser" p.html out
	[ "$status" -ne 77 ] || skip "chromium does not start here"
	echo "$output"
	[ "$status" -eq 0 ]
	for picture in out/{1280,400}-{light,dark}.png; do
		[ "$(head -c 8 "$picture" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]
	done
	# beside the kept pictures, with a box for each word: whatever fonts are here
	command -v python3 >/dev/null || skip "no python3 to compare pictures"
	for picture in {1280,400}-{light,dark}; do
		[[ -z ${UPDATE:-} ]] || "$ROOT/tests/picture.py" "out/boxes-$picture.png" "$ROOT/tests/golden/report/$picture.png" --keep
		"$ROOT/tests/picture.py" "out/boxes-$picture.png" "$ROOT/tests/golden/report/$picture.png"
	done
	# what differs is found: another scheme, and one picture less
	run -1 "$ROOT/tests/picture.py" out/boxes-1280-dark.png "$ROOT/tests/golden/report/1280-light.png"
	sed '0,/<figure>/s/<figure>/<figure hidden>/' p.html >less.html
	run "$ROOT/tests/browser" less.html less
	[ "$status" -ne 77 ] || skip "chromium does not start here"
	run -1 "$ROOT/tests/picture.py" less/boxes-400-light.png "$ROOT/tests/golden/report/400-light.png"
	[[ $output == *"cells differ, such as"* ]]
}
