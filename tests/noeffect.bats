# noeffect.bats - an option that changed nothing is reported once, by every tool in the same words
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$DATA"/* .
	(echo '##placetools=jobs/1'
		printf '%s\t' job nodes pattern bytes iterations ranks_per_node && echo nodelist
		printf '%s\t' a 2 alltoall 64 1 1 && echo 'n[0-1]'
		printf '%s\t' b 2 halo2d 64 1 1 && echo 'n[4,20]') >all.tsv
	printf '##placetools=profile/1\napp\tranks\tmpi_fraction\tslowdown\na\t4\t0.6\t2\nb\t4\t0.1\t1\n' >slow.tsv
	head -1 counters.csv >header.csv
	classify --train slow.tsv -o model.tsv
	printf '##placetools=mapping/1\njob\trank\tnode\tcore\nother\t0\tn0\t0\n' >other.tsv
}

# rows: the table without comments
rows() {
	grep -v '^#' "$ROOT/tests/noeffect.tsv"
}

@test "what changed nothing is said once on standard error, and changes nothing" {
	local tool arguments option why acts plain name
	while IFS=$'\t' read -r tool arguments option why acts; do
		plain=--no-provenance
		[ "$tool" != placecheck ] || plain=--limit=5
		# shellcheck disable=SC2086 # arguments are words
		{
			"$tool" $arguments $plain 2>err.without >out.without
			"$tool" $arguments $option $plain 2>err >out
		}
		[ "$(grep -c 'changed nothing' err)" -eq 1 ] || { echo "$tool $arguments $option:"; cat err; return 1; }
		name=${option%% *}
		[ "$name" != -s ] || name=${option%%=*}
		[ "$name" != --filter ] || name=${option%%:*}
		grep -qxF "$tool: $name changed nothing: $why" err || { cat err; return 1; }
		run grep 'changed nothing' err.without
		[ "$output" = "" ]
		cmp out.without out || { echo "$tool $option"; return 1; }
		# shellcheck disable=SC2086
		"$tool" --quiet $arguments $option >out.quiet 2>err
		[ ! -s err ] || { cat err; return 1; }
	done < <(rows)
}

@test "what acts is not reported" {
	local tool arguments option why acts
	while IFS=$'\t' read -r tool arguments option why acts; do
		[ "$acts" != - ] || continue
		# shellcheck disable=SC2086
		"$tool" $arguments $option $acts 2>err >out || [ "$tool" = placecheck ] # connected: jobs are not
		run grep 'changed nothing' err
		[ "$output" = "" ] || { echo "$tool $option $acts"; return 1; }
	done < <(rows)
	# a file without a header, beside one that has its own
	sed 1d counters.csv >bare.csv
	run -0 --separate-stderr trafficagg -t machine.yaml --header header.csv bare.csv counters.csv
	[ "$stderr" = "" ]
	# defaults of jobs that do not have the column
	run -0 --separate-stderr netsim -t machine.yaml -p alltoall --bytes 4KiB --iterations 2 --ranks-per-node 2 \
		<(printf '##placetools=jobs/1\njob\tnodes\tnodelist\na\t2\tn[0-1]\n')
	[ "$stderr" = "" ]
}

@test "each filter that keeps the kind of its rows is in the table" {
	local file
	while read -r file; do
		run -0 grep -c "^traceconv.*--filter $(basename "$file" .c | tr _ -):" "$ROOT/tests/noeffect.tsv"
	done < <(cd "$ROOT" && grep -lF '.no_effect' src/streams/convert/filter/*.c)
	# nor is an empty night
	run -0 --separate-stderr traceconv -T jobs -f where:app=a <(printf '##placetools=jobs/1\njob\tnodes\tapp\n##end\n')
	[ "$stderr" = "" ]
}

@test "each option that acts only with another one is in the table" {
	local with
	with=$(cd "$ROOT" && cat src/tools/*.c | tr -d '\n\t' | grep -o '\.with = "' | wc -l)
	[ "$with" -gt 0 ]
	[ "$(rows | grep -v '	-s ' | grep -c 'it acts only with')" -eq "$with" ]
}

@test "each parameter that acts only with another one is in the table" {
	local with
	with=$(grep -c '\.with = "\|STORAGE_ROW(K' "$ROOT/src/run/sim/params/parameters.c")
	[ "$with" -gt 0 ]
	[ "$(rows | grep -c '	-s ')" -eq "$with" ]
}

@test "a column that asks for what is known of no node is reported once" {
	(echo '##placetools=jobs/1'
		printf '%s\t' job nodes partition features && echo gpus
		printf '%s\t' a 2 gpu . && echo 1
		printf '%s\t' b 2 gpu big && echo .) >asks.tsv
	run -0 --separate-stderr allocate -t machine.yaml asks.tsv
	[ "$stderr" = 'allocate: partition, features, gpus changed nothing: they are not known of any node (--nodes)' ]
	printf '##placetools=nodes/1\nnode\tstate\tpartitions\tgpus\nn0\tidle\tgpu\t4\nn1\tidle\tgpu\t4\n' >some.tsv
	run -0 --separate-stderr allocate -t machine.yaml --nodes some.tsv asks.tsv
	[ "${stderr_lines[0]}" = 'allocate: features changed nothing: it is not known of any node (--nodes)' ]
	printf '##placetools=jobs/1\njob\tnodes\twithin\tspread\ttogether\na\t2\tgroup\t.\t.\nb\t2\t.\trouter:1\tg:group\n' >domains.tsv
	run -0 --separate-stderr allocate -t machine.yaml domains.tsv
	[ "$stderr" = 'allocate: within, spread, together changed nothing: the policy simple does not look at domains (-p nested does)' ]
	run -0 --separate-stderr allocate -t machine.yaml -p nested domains.tsv
	[ "$stderr" = 'allocate: together changed nothing: the policy nested does not look at groups of jobs' ]
	run -0 --separate-stderr allocate -t machine.yaml --nodes some.tsv --quiet asks.tsv
	[ "$stderr" = "" ]
	cut -f1,2 asks.tsv | allocate -t machine.yaml >out 2>err
	[ ! -s err ]
}
