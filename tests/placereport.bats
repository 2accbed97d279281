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

@test "placereport: standard input is refused, since inputs are read more than once" {
	run -2 --separate-stderr placereport - <<<'##placetools=jobs/1'
	[[ $stderr == "placereport: standard input: expected files"* ]]
	[ "$output" = "" ]
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

@test "busy nodes: the mean over the time is evalmetrics' work rate; a shared node is busy once" {
	printf '##placetools=jobs/1\njob\tsubmit_s\tnodes\tstart_s\tend_s\tnodelist\na\t0\t2\t0\t10\tn[0-1]\nb\t0\t1\t5\t10\tn1\n' > s.tsv
	run -0 placereport -t m.yaml --to text s.tsv
	[[ $output == *"2 of 2 jobs started, and 0.005556 node-hours were used"* ]]
	run -0 placereport -t m.yaml --to json --since 0 --until 20 s.tsv
	[ "$(jq -c '.tables[] | select(.caption | startswith("Busy nodes")) | [.rows[][1] * 1000 | round]' <<< "$output")" = "[2000,2000,2000,0,0,0]" ]
}

@test "the page is one file: no script, nothing from outside, every name escaped" {
	placereport -t m.yaml --title 'Site <x> & "y"' -o p.html night.tsv nodes.tsv
	run ! grep -qiE '<script|https?://[^w]|src=|@import|url\(' p.html
	grep -q '&lt;b&gt;fan &amp; ' p.html
	run ! grep -q '<b>fan' p.html
	xmllint --noout p.html # every element is closed
	[ "$(grep -c '<h1>' p.html)" -eq 1 ]
	[ "$(grep -o '<svg ' p.html | wc -l)" -eq "$(grep -o '<desc id=' p.html | wc -l)" ]
	[ "$(grep -o 'id="[^"]*"' p.html | sort | uniq -d | wc -l)" -eq 0 ]
	[ "$(wc -c < p.html)" -lt 200000 ]
	# the same input, the same bytes
	placereport -t m.yaml --title 'Site <x> & "y"' -o again.html night.tsv nodes.tsv
	cmp <(grep -v placereport p.html) <(grep -v placereport again.html)
}

@test "what is broken comes first: nodes by state and reason, folded" {
	run -0 placereport -t m.yaml --to text night.tsv nodes.tsv
	[[ $output == *"3 of 4 nodes are out of service, 1 are idle"* ]]
	[[ $output == *'down     <b>fan & "psu"  n[1,3]      2'* ]]
	[[ $output == *"drained  kernel          n2          1"* ]]
	[ "$(placereport -t m.yaml --to md night.tsv nodes.tsv | grep -c '^## ')" -ge 6 ]
}

@test "alarms: status 1, on the page; of what is not measured, refused" {
	run -1 --separate-stderr placereport -t m.yaml --to json --alarm 'nodes-down>1' --alarm 'wait_s<-1' night.tsv nodes.tsv
	[ "$(jq -c '[.alarms[] | [.alarm, .raised]]' <<< "$output")" = '[["nodes-down>1",true],["wait_s<-1",false]]' ]
	[ -z "$stderr" ]
	run -0 placereport -t m.yaml --to json --alarm 'nodes-down>2' night.tsv nodes.tsv
	run -2 --separate-stderr placereport -t m.yaml --alarm 'speed>2' night.tsv
	[ "$stderr" = "placereport: --alarm: 'speed' was not measured here" ]
	run -2 --separate-stderr placereport -t m.yaml --alarm 'wait_s' night.tsv
	[[ $stderr == *"'wait_s' is not METRIC>NUMBER or METRIC<NUMBER" ]]
}

@test "changes: a report beside yesterday's" {
	placereport -t m.yaml --to json -o yesterday.json night.tsv
	sed 's/"metric": "wait_s", "n": \([0-9]*\), "mean": [0-9.]*/"metric": "wait_s", "n": \1, "mean": 5/' yesterday.json > before.json
	placereport -t m.yaml --to json --baseline before.json night.tsv > p.json
	jq -e '.tables[] | select(.caption | startswith("Means against")) | .rows[] | select(.[0] == "wait_s") | .[2] == 5 and ((.[3] - 5 - .[4]) | fabs < 1e-9)' p.json
	run -2 --separate-stderr placereport -t m.yaml --baseline m.json night.tsv
	echo '{}' > m.json
	run -2 --separate-stderr placereport -t m.yaml --baseline m.json night.tsv
	[ "$stderr" = "placereport: m.json: not a report as placereport --to json writes it" ]
}

@test "an input that was cut gives a page that says so, and status 2" {
	head -n 60 night.tsv > cut.tsv
	run -2 --separate-stderr placereport -t m.yaml -o p.html cut.tsv
	[[ $stderr == *"cut"* ]]
	grep -q 'An input was cut off' p.html
}

@test "the page in a browser: no errors in its console, narrow and wide" {
	command -v chromium > /dev/null || skip "chromium is not here"
	placereport -t m.yaml -o p.html night.tsv nodes.tsv
	for width in 1280 400; do
		timeout 100 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" \
			--window-size=$width,1600 --screenshot=p-$width.png --enable-logging=stderr "file://$PWD/p.html" 2> log || skip "chromium does not start here"
		run ! grep -q 'CONSOLE' log
		[ "$(head -c 8 p-$width.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]
	done
}
