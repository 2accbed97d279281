# firsthour.bats - mistakes that people make on the first day, and what the tools say to them
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	topogen dragonfly:groups=4,routers=3,nodes=3 -o m.yaml
	jobgen -t m.yaml job:nodes=4,count=3 -o jobs.tsv
	allocate -t m.yaml -p random jobs.tsv -o random.tsv
	allocate -t m.yaml jobs.tsv -o simple.tsv
}

@test "an alias of a policy serves wherever the policy is a value of a column" {
	run -0 --separate-stderr traceconv -f where:policy=random --to jobs random.tsv simple.tsv
	[[ $(words <<<"$output" | wc -l) == 3 && -z $stderr ]]
	run -0 --separate-stderr traceconv -f 'where:policy=[random,simple]' --to jobs random.tsv simple.tsv
	[[ $(words <<<"$output" | wc -l) == 6 ]]
	diff <(evalmetrics --by policy --baseline policy=random random.tsv simple.tsv | body) \
		<(evalmetrics --by policy --baseline policy=rdn random.tsv simple.tsv | body)
	diff <(evalmetrics --by policy --paired --baseline policy=random random.tsv simple.tsv | body) \
		<(evalmetrics --by policy --paired --baseline policy=rdn random.tsv simple.tsv | body)
}

@test "a policy under the name that it was called by: its rows are found, too" {
	sed 's/\trdn\>/\trandom/' random.tsv >called.tsv
	run -0 --separate-stderr traceconv -f where:policy=random --to jobs called.tsv simple.tsv
	[[ $(words <<<"$output" | wc -l) == 3 && -z $stderr ]]
	diff <(evalmetrics --by policy --baseline policy=random called.tsv simple.tsv | body | sed 's/^random/rdn/') \
		<(evalmetrics --by policy --baseline policy=rdn random.tsv simple.tsv | body)
	diff <(evalmetrics --by policy --paired --baseline policy=random called.tsv simple.tsv | body) \
		<(evalmetrics --by policy --paired --baseline policy=rdn random.tsv simple.tsv | body)
}

@test "a value that is nowhere: the values that are there" {
	run -0 --separate-stderr traceconv -f where:policy=rnd,nodes=4 --to jobs random.tsv simple.tsv
	[ "$stderr" = "traceconv: where: no row is left; of those that came to it column policy has: rdn, simple" ]
	run -2 --separate-stderr evalmetrics --by policy --baseline policy=rnd random.tsv simple.tsv
	[ "$stderr" = "evalmetrics: --baseline: no row has 'rnd' in column policy, which has: rdn, simple" ]
	jobgen -t m.yaml job:nodes=1,count=30 -o many.tsv
	run -0 --separate-stderr traceconv -f where:job=x --to jobs many.tsv
	[[ $stderr == *"column job has: 1, 2, 3, 4, 5, 6, 7, 8, …" ]]
}

@test "an empty file, as a pipe that failed leaves it, is called empty by all readers but those of logs" {
	local name to n=0
	run -2 --separate-stderr traceconv --to pretty </dev/null
	[ "$stderr" = 'traceconv: standard input: is empty' ]
	: >empty
	for pick in $(examples_of traceconv readers); do
		name=${pick%%:*}
		to=$(traceconv --list | awk -v from="$name" '$1 == from && $3 == "through" { print $2; exit }')
		[ -n "$to" ] || continue
		run --separate-stderr traceconv --from "$pick" --to "$to" empty
		case $name in
		jobcomp | scontrol-job | scontrol-res) [ "$status" -eq 0 ] ;;
		*) [[ $status == 2 && $stderr == "traceconv: empty: is empty"* ]] ;;
		esac
		n=$((n + 1))
	done
	[ "$n" -ge 40 ]
}

@test "a byte order mark at the head is no part of the text" {
	for file in jobs.tsv m.yaml; do
		{ printf '\xef\xbb\xbf'; cat $file; } >bom."$file"
	done
	diff <(allocate -t bom.m.yaml bom.jobs.tsv | body) <(allocate -t m.yaml jobs.tsv | body)
	printf '\xef\xbb\xbf{"jobs":[]}' | traceconv --from slurm-json --to jobs | grep -q '^##end'
	printf '\xef\xbb\xbf' >only
	run -2 --separate-stderr allocate -t m.yaml only
	[[ $stderr == 'allocate: only: is empty'* ]]
	gzip -c bom.jobs.tsv >bom.gz
	allocate -t m.yaml bom.gz | body | diff - <(allocate -t m.yaml jobs.tsv | body)
}

@test "the ending of -o chooses the format" {
	topogen m.yaml -o m.svg
	[[ $(head -c 4 m.svg) == '<svg' ]]
	topogen m.yaml -o m.dot
	grep -q '^graph' m.dot
	topogen m.yaml -o m.conf
	grep -q '^topology:' m.conf
	topogen --to edges m.yaml -o e.svg
	run ! grep -q '<svg' e.svg
	traceconv --from jobs simple.tsv -o j.json.gz
	[ "$(gzip -dc j.json.gz | jq length)" -eq 3 ]
	run -2 --separate-stderr traceconv --from jobs simple.tsv -o j.xyz
	[[ $stderr == *'--to is missing'* ]]
	placereport -t m.yaml simple.tsv -o page.json
	jq -e .numbers page.json >/dev/null
	placereport -t m.yaml simple.tsv -o page.json.gz
	gzip -dc page.json.gz | jq -e .numbers >/dev/null
	mkdir d.json
	placereport -t m.yaml simple.tsv -o d.json/page
	run ! jq -e . d.json/page
	placereport -t m.yaml simple.tsv -o page.txt
	[ "$(head -n 1 page.txt)" = 'Placement report' ]
	placereport -t m.yaml simple.tsv -o page
	[[ $(head -c 9 page) == '<!doctype' || $(head -c 9 page) == '<!DOCTYPE' ]]
}

@test "a drawing of all times at once says so; jobs without a policy are in every panel" {
	jobgen -t m.yaml job:nodes=20,count=3,runtime=60 | allocate -t m.yaml -q fcfs -o sched.tsv
	run -0 --separate-stderr topogen --to svg --jobs sched.tsv m.yaml
	[ "$stderr" = 'topogen: --jobs: 2 jobs are on nodes that are drawn for a job of another time: --at draws one moment' ]
	run -0 --separate-stderr topogen --to svg --jobs sched.tsv --at 70 m.yaml
	[ -z "$stderr" ]
	# a job that runs, and two policies that place another one
	printf '%s\n' 'job nodes nodelist policy' 'r 30 n[0-29] .' 'a 2 n[30-31] one' 'b 3 n[32-34] two' | table jobs >three.tsv
	topogen --to svg --jobs three.tsv m.yaml >three.svg
	[ "$(grep -oE 'idle: [0-9]+ nodes' three.svg | sort -u | tr '\n' ' ')" = 'idle: 3 nodes idle: 4 nodes ' ]
	[ "$(grep -o '>job r: 30 nodes<' three.svg | wc -l)" -eq 2 ]
}

# mistakes: COMMAND | what its message must have
@test "a name in the wrong case, its beginning, a list of sizes with commas: the message has what was meant" {
	n=0
	jobgen comm:pattern=halo2d,ranks=16 -o halo.tsv
	while IFS='|' read -r command says; do
		run -2 --separate-stderr bash -c "$command"
		[[ $stderr == *"$says"* && $(wc -l <<<"$stderr") == 1 ]] || { echo "$command: $stderr"; return 1; }
		n=$((n + 1))
	done <<-'END'
		topogen @Cori|did you mean '@cori'?
		topogen @lassen-|did you mean '@lassen-
		topogen cori|did you mean '@cori'?
		topogen dragonf|did you mean 'dragonfly'?
		topogen Torus:dims=4x4|did you mean 'torus'?
		topogen tours:dims=4x4|did you mean 'torus'?
		topogen torus:dims=4,4,4|several sizes are joined by x, as in dims=4x4
		topogen torus:dims=4,5|several sizes are joined by x, as in dims=4x4
		topogen --to SVG m.yaml|did you mean 'svg'?
		topogen --to svg --jobs simple.tsv --at 2026-11-21 m.yaml|ISO 8601 as 2018-12-21T14:30:00Z
		allocate -t m.yaml -p LEVEL-SPREAD jobs.tsv|did you mean 'level-spread'?
		allocate -t m.yaml -p ran jobs.tsv|did you mean 'random'?
		allocate -t m.yaml -q EASY jobs.tsv|did you mean 'easy'?
		allocate -t m.yaml -q cons jobs.tsv|did you mean 'conservative'?
		allocate -t m.yaml -c Compact jobs.tsv|did you mean 'compact'?
		allocate --list=level-spred|did you mean 'level-spread'?
		allocate --list=polices|did you mean 'policies'?
		jobgen -t m.yaml job:node=8|did you mean 'nodes'?
		jobgen -t m.yaml lub|did you mean 'lublin'?
		netsim -t m.yaml -p halo simple.tsv|did you mean 'halo2d'?
		netsim -t m.yaml -s pac=1 simple.tsv|did you mean 'packet'?
		mapref -t m.yaml -g halo.tsv -p multi|did you mean 'multilevel'?
		mapref -t m.yaml -g halo.tsv -p Greedy|did you mean 'greedy'?
		evalmetrics -m comm-time simple.tsv|does not measure a jobs stream, but: ranks
		evalmetrics -m Spread simple.tsv|did you mean 'spread'?
		traceconv --from JOBS --to json simple.tsv|did you mean 'jobs'?
		traceconv --from jobs --to markdwn simple.tsv|expected one of:
		cosched -d @DISS-NODE -k kernels.tsv jobs.tsv|did you mean '@diss-node'?
	END
	[ "$n" -ge 25 ]
}

@test "--list and --help take the name of one entry, and a registry's noun" {
	run -0 allocate --list=level-spread
	[[ ${lines[0]} == 'policies (allocation policy):' && ${lines[1]} == '  level-spread' ]]
	run ! grep -q '^  [a-z]' <<<"${output#*level-spread}"
	diff <(allocate --help level-spread) <(allocate --list=level-spread)
	allocate --help=random | grep -qx '  rdn'
	diff <(allocate --list=policy) <(allocate --list=policies)
	diff <(allocate --help) <(allocate -t m.yaml --help jobs.tsv)
}

@test "the pages as a site: pictures of the tutorial, links that lead somewhere, a search without a server" {
	local page pages=() link
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	for page in placetools-tutorial.7 placetools-hostlist.5 pick.7; do pages+=("$(man_page $page)"); done
	"$ROOT/packaging/html.sh" site "${pages[@]}"
	[[ $(grep -c '<figure>' site/placetools-tutorial.7.html) == 6 ]]
	while read -r link; do [[ -s site/$link ]]; done < <(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' site/placetools-tutorial.7.html)
	grep -q '<h2 class="Ss" id="14._Words">\|id="14._Words"' site/placetools-tutorial.7.html
	[[ $(sed -n 's/.*<dt><a href="\([^"]*\)".*/\1/p' site/index.html | paste -sd' ') == "pick.7.html placetools-tutorial.7.html placetools-hostlist.5.html" ]]
	grep -q 'data-words="[^"]* backfilling [^"]*"><dt><a href="placetools-tutorial.7.html">' site/index.html
	# nothing is asked of another host
	run ! grep -E '(src|href)="(https?:)?//' site/index.html site/placetools-tutorial.7.html
}
