bats_require_minimum_version 1.5.0
load helper

# A stream of KIND from words on standard input: blanks become tabs.
stream() {
	printf '##placetools=%s/1 end=yes\n' "$1"
	tr ' ' '\t'
	echo '##end'
}

metrics() {
	stream metrics <<-'E'
		scope id metric value seed
		job a hops 2.5714285714285716 007
		job . spread 1234567.89 12
		job b,c tiny 0.0000001234 .
	E
}

@test "pretty: columns are aligned, numbers to the right and rounded, missing values a dash" {
	metrics >m.tsv
	run -0 --separate-stderr traceconv --to pretty m.tsv
	[ "${lines[0]}" = 'scope  id   metric      value  seed' ]
	[ "${lines[1]}" = 'job    a    hops        2.571  007' ]
	[ "${lines[2]}" = 'job    -    spread    1234568  12' ]
	[ "${lines[3]}" = 'job    b,c  tiny    1.234e-07  -' ]
	[ "${#lines[@]}" -eq 4 ]
	run -0 --separate-stderr traceconv --to pretty:digits=2,columns=[value,metric] m.tsv
	[ "${lines[0]}" = '  value  metric' ]
	[ "${lines[1]}" = '    2.6  hops' ]
	run -0 --separate-stderr traceconv --to pretty:digits=1,columns=[value,metric] m.tsv
	[ "${lines[1]}" = '      3  hops' ]
	run -2 --separate-stderr traceconv --to pretty:columns=[value,metrik] m.tsv
	[ "$stderr" = "traceconv: columns: the input has no column 'metrik' (did you mean 'metric'?)" ]
	# letters are counted, not bytes
	stream jobs <<<$'job nodes app\n1 1 größe\n2 1 ab' >j.tsv
	run -0 --separate-stderr traceconv --to pretty:columns=[app,job] j.tsv
	[ "${lines[1]}" = 'größe  1' ]
	[ "${lines[2]}" = 'ab     2' ]
}

@test "pretty and md: node lists are sorted and folded, long texts end in dots" {
	stream jobs <<<$'job nodes nodelist\n1 5 n12,n3,n[1-2],a7' >j.tsv
	run -0 --separate-stderr traceconv --to pretty j.tsv
	[ "${lines[1]}" = '1        5  a7,n[1-3,12]' ]
	run -0 --separate-stderr traceconv --to pretty:width=5 j.tsv
	[ "${lines[1]}" = '1        5  a7,n…' ]
	run -0 --separate-stderr traceconv --to md:width=0 j.tsv
	[ "$output" = $'| job | nodes | nodelist |\n|---|---:|---|\n| 1 | 5 | a7,n\\[1-3,12] |' ]
	# the other two keep the order in which an allocation picked them
	traceconv --to csv j.tsv | grep -Fx '1,5,"n12,n3,n[1-2],a7"'
}

@test "csv: quotes as RFC 4180 has them, any delimiter, numbers in full" {
	metrics >m.tsv
	run -0 --separate-stderr traceconv --to csv m.tsv
	[ "$output" = $'scope,id,metric,value,seed\njob,a,hops,2.5714285714285716,007\njob,,spread,1234567.89,12\njob,"b,c",tiny,0.0000001234,' ]
	run -0 --separate-stderr traceconv --to 'csv:delimiter=;' m.tsv
	[ "${lines[3]}" = 'job;b,c;tiny;0.0000001234;' ]
	run -0 --separate-stderr traceconv --to csv:delimiter=tab m.tsv
	[ "${lines[3]}" = $'job\tb,c\ttiny\t0.0000001234\t' ]
	stream jobs <<<$'job nodes app\n1 1 say"hi"' | traceconv --to csv | grep -Fx '1,1,"say""hi"""'
}

@test "json: numbers, texts and missing values by what the column is" {
	command -v jq >/dev/null || skip "jq is not here"
	metrics >m.tsv
	traceconv --to json m.tsv >m.json
	[ "$(jq -c '[.[].value]' m.json)" = '[2.5714285714285716,1234567.89,1.234e-07]' ]
	# 007 is not a number of JSON; the columns of a kind are what their page says
	[ "$(jq -c '[.[].seed]' m.json)" = '["007",12,null]' ]
	stream jobs <<<$'job nodes nodelist\n17 2 n[0-1]' | traceconv --to json:lines >j.json
	[ "$(cat j.json)" = '{"job": "17", "nodes": 2, "nodelist": "n[0-1]"}' ]
	stream traffic <<<$'time_s window_s router traffic_Bps incomplete\n1 1 r0 5e9 yes' |
		traceconv --to json | jq -e '.[0].incomplete == true and .[0].traffic_Bps == 5e9'
	stream jobs </dev/null | traceconv --to json | jq -e 'length == 0'
	printf '##placetools=jobs/1 end=yes\njob\tnodes\napp\\"\xff\t1\n##end\n' | traceconv --to json | jq -e '.[0].job == "app\\\"\ufffd"'
	# the array of a stream that was truncated is not closed
	metrics | sed '$d' >cut.tsv
	run -2 --separate-stderr traceconv --to json cut.tsv
	[ "${lines[-1]: -1}" = '}' ]
}

@test "each of our kinds and each reader goes to each of the four" {
	traceconv --list | sed -n '/^conversions/,$p' >pairs
	for to in csv json md pretty; do
		[ "$(awk -v to=$to '$2 == to { print $1 }' pairs)" = "$(names_of traceconv readers)" ]
	done
}

@test "set: columns with one value, new ones at the end" {
	stream jobs <<<$'job nodes\n1 2' >j.tsv
	run -0 --separate-stderr traceconv --no-provenance --to jobs -f 'set:seed=3,nodes=4,site=a\,b' j.tsv
	[ "$output" = $'##placetools=jobs/1 end=yes\njob\tnodes\tseed\tsite\n1\t4\t3\ta,b\n##end' ]
	run -2 --separate-stderr traceconv --to jobs -f set j.tsv
	[ "$stderr" = "traceconv: set: expected columns and their values, as in set:seed=3" ]
	run -2 --separate-stderr traceconv --to jobs -f set:seed=3,seed=4 j.tsv
	[ "$stderr" = "traceconv: --filter: set: seed is given twice" ]
	stream jobs </dev/null | traceconv --to jobs -f set:seed=3 | grep -c . >n
	[ "$(cat n)" -eq 3 ]
}

@test "where: rows with these values" {
	metrics >m.tsv
	[ "$(traceconv --to csv:columns=metric -f where:metric=[hops,tiny] m.tsv | paste -sd' ')" = 'metric hops tiny' ]
	[ "$(traceconv --to csv:columns=metric -f where:id=.,scope=job m.tsv | paste -sd' ')" = 'metric spread' ]
	[ "$(traceconv --to csv:columns=metric -f where:id=none m.tsv)" = metric ]
	run -2 --separate-stderr traceconv --to csv -f where:metrc=hops m.tsv
	[ "$stderr" = "traceconv: where: the input has no column 'metrc' (did you mean 'metric'?)" ]
}

@test "concatenated streams with different columns become one table" {
	{ echo '##topology=x.yaml 1a'; stream jobs <<<$'job nodes app\n1 2 a'; } >a.tsv
	{ echo '##topology=x.yaml 1a'; stream jobs <<<$'nodes seed job\n3 7 2'; } >b.tsv
	expected=$'##placetools=jobs/1 end=yes\n##topology=x.yaml 1a\njob\tnodes\tapp\tseed\n1\t2\ta\t.\n2\t3\t.\t7\n##end'
	[ "$(traceconv --no-provenance --to jobs a.tsv b.tsv)" = "$expected" ]
	cat a.tsv b.tsv >ab.tsv
	[ "$(traceconv --no-provenance --to jobs ab.tsv)" = "$expected" ]
	[ "$(traceconv --no-provenance --to jobs <ab.tsv)" = "$expected" ]
	[ "$(cat ab.tsv | traceconv --no-provenance --to jobs)" = "$expected" ]
	[ "$(gzip -c ab.tsv | traceconv --no-provenance --to jobs)" = "$expected" ]
	[ "$(traceconv --no-provenance --to jobs <(cat a.tsv) <(cat b.tsv))" = "$expected" ]
	[ "$(traceconv --no-provenance --to jobs a.tsv - <b.tsv)" = "$expected" ]
	# one that was truncated is one of the whole
	sed '$d' a.tsv | cat - b.tsv >cut.tsv
	run -2 --separate-stderr traceconv --to jobs cut.tsv
	[[ $output != *'##end'* ]]
}

@test "every tool takes later streams whose columns stand in another order, and names one that is new" {
	topogen dragonfly:groups=3,routers=2,nodes=2 -o m.yaml
	stream jobs <<<$'job nodes nodelist\n1 2 n[0-1]' >a.tsv
	stream jobs <<<$'nodelist job nodes\nn[2-3] 2 2' >b.tsv
	stream jobs <<<$'job nodes nodelist app\n3 2 n[4-5] x' >c.tsv
	[ "$(evalmetrics -t m.yaml -m spread a.tsv b.tsv | cut -f2 | sed 1,/^id/d | sort -u | grep -v '^##' | paste -sd' ')" = '1 2' ]
	run -2 --separate-stderr evalmetrics -t m.yaml -m spread a.tsv c.tsv
	[[ $stderr == "evalmetrics: c.tsv:2: the column 'app' was not there before; 'traceconv --to jobs' unites such streams" ]]
	traceconv --to jobs a.tsv c.tsv | evalmetrics -t m.yaml -m spread >both.tsv
	grep -q '^job	3	' both.tsv
	stream jobs <<<$'job nodes job\n1 2 3' >twice.tsv
	run -2 --separate-stderr evalmetrics -t m.yaml a.tsv twice.tsv
	[ "$stderr" = "evalmetrics: twice.tsv:2: the column 'job' is there twice" ]
}

@test "a table with commas, semicolons or blanks is named as such" {
	printf 'job,nodes\n1,2\n' >a.csv
	run -2 --separate-stderr traceconv --from jobs --to jobs a.csv
	[ "$stderr" = "traceconv: a.csv:1: is not a placetools stream but separated by commas (CSV): expected a first line such as ##placetools=jobs/1" ]
	printf 'job nodes\n1 2\n' >a.txt
	run -2 --separate-stderr traceconv --from jobs --to jobs a.txt
	[[ $stderr == *'separated by blanks: expected'* ]]
	printf '##placetools=jobs/1\njob;nodes\n1;2\n' >a.tsv
	run -2 --separate-stderr traceconv --to jobs a.tsv
	[ "$stderr" = "traceconv: a.tsv:2: the columns are separated by semicolons, expected tabs" ]
}

@test "sizes and durations have units in cells" {
	stream comm <<<$'src dst bytes\n0 1 64KiB\n1 0 2MiB' >c.tsv
	[ "$(traceconv --to csv:columns=bytes c.tsv | paste -sd' ')" = 'bytes 65536 2097152' ]
	stream jobs <<<$'job nodes runtime_s\n1 2 2min' | traceconv --to csv | grep -Fx 1,2,120
}

@test "--list=machines: the machines that come with the tools" {
	for tool in topogen allocate; do
		run -0 --separate-stderr "$tool" --list=machines
		[[ $output == 'machines (for -t):'* && $output == *$'\n  @cori\n      Cori at NERSC'* ]]
		[ "$(grep -c '^  @' <<<"$output")" -eq "$(ls "$ROOT"/share/machines/*.yaml | wc -l)" ]
	done
	PLACETOOLS_SHARE=/nowhere run -2 --separate-stderr topogen --list=machines
	[ "$stderr" = "topogen: --list: the machines that come with placetools are not here" ]
}

@test "## lines amid rows, as Miller passes them through from several files, are not heads of other columns" {
	stream jobs <<<$'job nodes\n1 2' >a.tsv
	stream jobs <<<$'job nodes\n3 4' >b.tsv
	mlr --tsv --pass-comments cat a.tsv b.tsv >ab.tsv
	[ "$(traceconv --to csv ab.tsv | paste -sd' ')" = 'job,nodes 1,2 3,4' ]
	printf '##placetools=jobs/1\njob\tnodes\n1\t2\n##placetools=jobs/1\n3\t4\n' >amid.tsv
	[ "$(traceconv --to csv amid.tsv | paste -sd' ')" = 'job,nodes 1,2 3,4' ]
	placecheck amid.tsv
	printf '##placetools=jobs/1\nnodes\tjob\n5\t4\n' | cat amid.tsv - >all.tsv
	[ "$(traceconv --to csv all.tsv | paste -sd' ')" = 'job,nodes 1,2 3,4 4,5' ]
}
