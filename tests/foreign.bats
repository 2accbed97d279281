#!/usr/bin/env bats
# foreign.bats - what a user of the cluster wrote into a name does nothing, wherever it is printed

load helper

# A job whose texts hold markup, escape sequences, a bell, CSI, a line end and what turns the direction of writing.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cat >hostile.json <<-'EOF'
		[{"job": "1", "app": "a\u001b[31m\u0007\u009b5m\u202ex\nx2\t`|*<img src=x onerror=alert(1)>&lt;'\"$(id)",
		"user": "mal\u001b]0;owned\u0007\u2028<script>alert(1)</script>", "partition": "p\u001b[2J", "account": "a\nrm -rf x",
		"workload": "w\n\u001bc", "nodes": 4, "ranks_per_node": 1, "nodelist": "n[0-3]", "submit_s": 0, "start_s": 90000,
		"end_s": 90100, "walltime_s": 200, "runtime_s": 100, "state": "completed", "policy": "pol\u001b[5m"}]
	EOF
	{
		echo '##placetools=jobs/1'
		jq -r '.[0] | keys_unsorted | join("\t")' hostile.json
		jq -r '.[0] | map(tostring | gsub("\n"; "\r") | gsub("\t"; "\u000b")) | join("\t")' hostile.json
	} >hostile.tsv
}

# acts FILE…: the lines that hold a control character (but a line end or a tab), or what turns the direction of writing
acts() {
	LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf' "$@"
}

harmless() {
	if acts "$@"; then
		return 1
	fi
}

@test "no writer of jobs prints a byte that acts" {
	for writer in jobs pretty md json json:lines csv swf batsim batsim:file=jobs sbatch sbatch:style=command hostfile hostlist; do
		traceconv -T "$writer" hostile.tsv >"out.${writer//[:=]/-}" 2>messages
		[[ -s out.${writer//[:=]/-} ]]
		harmless "out.${writer//[:=]/-}" messages || { echo "$writer"; return 1; }
	done
	[[ $(grep -c '^#SBATCH' out.sbatch) -ge 4 && $(grep -cv '^#' out.sbatch) -eq 0 ]]
	[[ $(wc -l <out.pretty) -eq 2 && $(wc -l <out.md) -eq 3 ]]
	[[ -z $(grep -F '<img' out.md | grep -vF '\<img') ]]
	grep -F '&lt;' out.md | grep -F '\&lt;'
	# nothing is lost in JSON
	jq -e '.[0].user | startswith("mal\u001b]0;owned\u0007\u2028<script>")' out.json
}

@test "no report prints a byte that acts, and a page has no markup of a name" {
	for to in html md text json; do
		placereport -t ring:nodes=8 --to $to hostile.tsv >report.$to
		harmless report.$to || { echo "$to"; return 1; }
	done
	[[ -z $(grep -F -e '<img' -e '<script' report.html) ]]
	grep -F '<bdi>mal' report.html
	[[ -z $(grep -F '<img' report.md | grep -vF '\<img') ]]
}

@test "pictures and machines with a job's name in it" {
	for to in svg dot; do
		topogen --to $to --jobs hostile.tsv ring:nodes=8 >out.$to
		harmless out.$to || { echo "$to"; return 1; }
	done
}

@test "a message shows what would act" {
	printf '##placetools=jobs/1\njob\tnodes\n1\ta\033[31m\302\233\342\200\256\n' >bad.tsv
	run -2 --separate-stderr allocate -t ring:nodes=8 bad.tsv
	harmless <<<"$stderr"
	[[ $stderr == *'␛[31m��'* ]]
}

@test "a node whose name holds a line end or a blank is in no host file" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\n1\t1\tn\0331\n' >node.tsv
	for writer in hostfile hostlist slurm-nodelist; do
		run -2 --separate-stderr traceconv -T $writer node.tsv
		[[ $stderr == *"can't name a node" && $(wc -l <<<"$stderr") -eq 1 ]]
	done
}
