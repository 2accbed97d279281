#!/usr/bin/env bats
# shellcheck disable=SC1010,SC2016 # Miller has verbs and variables of its own
# evalmetrics-mapping.bats - metrics of mappings: by hand, against an independent program, beside a baseline

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# two groups of two routers of two nodes; a global link has half the capacity of the others
	export PLACETOOLS_TOPOLOGY=dragonfly:groups=2,routers=2,nodes=2,cores=2,terminal-bandwidth=8GB/s,local-bandwidth=8GB/s,global-bandwidth=4GB/s
}

# value METRIC: of the metrics table on standard input
value() {
	mlr --itsv --onidx --pass-comments filter "\$metric == \"$1\"" then cut -f value | grep -v '^#'
}

@test "a hand-computed mapping: hops, loads over capacity, messages, what stays inside a node" {
	stream comm 'src dst bytes messages' '0 1 1000 10' '0 2 100 3' '2 0 100 1' '0 3 400 2' '3 3 5 1' >comm.tsv
	# 0 and 1 on n0; 2 beside it on n1 of the same router; 3 in the other group
	stream mapping 'rank node core' '0 n0 0' '1 n0 1' '2 n1 0' '3 n4 0' >mapping.tsv
	evalmetrics -g comm.tsv mapping.tsv >metrics.tsv
	route=$(topogen "$PLACETOOLS_TOPOLOGY" --to edges | awk -F'\t' '$3 == "global"' | head -1)
	[[ -n $route ]]
	evalmetrics -g comm.tsv --links links.tsv mapping.tsv >again.tsv
	far=$(awk -F'\t' '/^[0-9]/ && $6 == 400 { n++ } END { print n }' links.tsv) # of the links that only 0 → 3 takes
	hops=$((far + 1))                                                      # n0's own carries 500
	[[ $(value hop-bytes <metrics.tsv) == $((400 * hops + 2 * 2 * 100)) ]]
	[[ $(value dilation <metrics.tsv) == $((2 * hops + 2 * 3 + 2 * 1)) ]]
	[[ $(value network-bytes <metrics.tsv) == 600 ]]
	# 200 bytes within a router, 400 between groups
	[[ $(evalmetrics -g comm.tsv -m hierarchy-cost mapping.tsv | value hierarchy-cost) == $((200 + 400 * 100)) ]]
	[[ $(evalmetrics -g comm.tsv -m hierarchy-cost:distances=3x7 mapping.tsv | value hierarchy-cost) == $((200 * 3 + 400 * 7)) ]]
	# 400 bytes on a global link of half the capacity weigh 800; n0's own link has 500
	[[ $(value max-congestion <metrics.tsv) == 800 ]]
	[[ $(value max-congestion-messages <metrics.tsv) == 5 ]]
	[[ $(value links-max <metrics.tsv) == 1 ]]
	mlr --itsv --onidx --pass-comments filter '$bytes > 0' then put '$c = $bytes * 8e9 / $capacity_Bps' then \
		stats1 -a mean,count,sum -f c links.tsv | grep -v '^#' | {
		read -r mean count sum
		[[ $(value links-used <metrics.tsv) == "$count" && $sum -gt 0 ]]
		awk -v a="$mean" -v b="$(value nzca <metrics.tsv)" 'BEGIN { exit (a - b) ^ 2 > 1e-18 * a * a }'
	}
	[[ $(evalmetrics -m hybrid:hb=2,mc=0,nzca=0,nzcv=0 -g comm.tsv mapping.tsv | value hybrid) == $((2 * $(value hop-bytes <metrics.tsv))) ]]
	[[ $(evalmetrics -m hybrid:hb=0,mc=3,nzca=0,nzcv=0 -g comm.tsv mapping.tsv | value hybrid) == 2400 ]]
}

@test "every link has a row for each direction, unused ones too, and what they carry adds up to the hop-bytes" {
	jobs_of='n0 n3 n5 n7'
	stream comm 'src dst bytes' '0 1 7' '1 2 11' '2 3 13' '3 0 17' '1 3 19' >comm.tsv
	{
		stream mapping 'mapper rank node'
		r=0
		for node in $jobs_of; do printf 'a\t%d\t%s\n' $r $node; r=$((r + 1)); done
		r=0
		for node in n7 n5 n0 n3; do printf 'b\t%d\t%s\n' $r $node; r=$((r + 1)); done
	} >mapping.tsv
	evalmetrics -g comm.tsv --links links.tsv -m dilation mapping.tsv >metrics.tsv
	nlinks=$(topogen "$PLACETOOLS_TOPOLOGY" --to edges | grep -vc '^#')
	for mapper in a b; do
		[[ $(awk -F'\t' -v m=$mapper '$1 == m' links.tsv | wc -l) -gt $nlinks ]]
		sum=$(awk -F'\t' -v m=$mapper '$1 == m { sum += $7 } END { print sum }' links.tsv)
		[[ $sum == "$(awk -F'\t' -v m=$mapper '$1 == m && $4 == "hop-bytes" { print $5 }' metrics.tsv)" ]]
	done
	placecheck links.tsv
}

@test "mappings side by side: ratios over a baseline, summaries by a column, jobs with graphs of their own" {
	stream comm 'job src dst bytes' 'x 0 1 100' 'y 0 1 1' 'y 1 0 1' >comm.tsv
	stream mapping 'mapper job rank node' 'in-order x 0 n0' 'in-order x 1 n7' 'in-order y 0 n2' 'in-order y 1 n3' \
		'other x 0 n0' 'other x 1 n1' 'other y 0 n2' 'other y 1 n3' >mapping.tsv
	evalmetrics -g comm.tsv -m hop-bytes --baseline mapper=in-order mapping.tsv |
		mlr --itsv --onidx --pass-comments filter '$metric == "hop-bytes"' then cut -o -f mapper,scope,id,value,ratio |
		grep -v '^#' >got
	[[ $(sed -n 2p got) == "in-order mapping y 4 1" ]]
	[[ $(sed -n 3p got) == "other mapping x 200 "* ]]
	[[ $(awk 'NR == 3 { print ($5 < 1) }' got) == 1 ]]
	[[ $(evalmetrics -g comm.tsv -m hop-bytes --by mapper mapping.tsv | awk -F'\t' '$1 == "other" && $4 == "hop-bytes" { print $2, $5, $7 }') == "mappings 102 2" ]]
	# one graph for all, when it names no job
	stream comm 'src dst bytes' '0 1 10' >one.tsv
	[[ $(evalmetrics -g one.tsv -m hop-bytes mapping.tsv | awk -F'\t' '$1 == "other" && $4 == "hop-bytes" { print $5 }' | tr '\n' ' ') == "20 20 " ]]
}

@test "a mapping without a job beside a graph of several is refused, wherever it stands" {
	stream comm 'job src dst bytes' 'a 0 1 10' 'b 0 1 20' >graph.tsv
	printf '##placetools=mapping/1\njob\trank\tnode\n' | tee first.tsv >last.tsv
	printf '%s\t%s\t%s\n' . 0 n0 . 1 n1 a 0 n0 a 1 n1 b 0 n0 b 1 n1 >>first.tsv
	printf '%s\t%s\t%s\n' a 0 n0 a 1 n1 b 0 n0 b 1 n1 . 0 n0 . 1 n1 >>last.tsv
	for file in first last; do
		run -2 --separate-stderr evalmetrics -t line:nodes=2 -g graph.tsv -m congestion $file.tsv
		[ "$stderr" = "evalmetrics: -g: graph.tsv:4: a second job 'b' after 'a': say which one is meant" ]
	done
}

@test "what cannot be measured is refused" {
	stream comm 'src dst bytes' '0 1 10' '2 1 10' >comm.tsv
	stream mapping 'rank node' '0 n0' '1 n1' >mapping.tsv
	run -2 --separate-stderr evalmetrics -g comm.tsv mapping.tsv
	[[ $stderr == "evalmetrics: the graph has 3 ranks, the mapping 2" ]]
	run -2 --separate-stderr evalmetrics -m congestion mapping.tsv
	[[ $stderr == "evalmetrics: -m congestion: it needs -g, the graph of the job" ]]
	run -2 --separate-stderr evalmetrics --links l.tsv -m column:name=rank mapping.tsv
	[[ $stderr == "evalmetrics: --links: it needs -g"* && ! -e l.tsv ]]
	run -2 --separate-stderr evalmetrics mapping.tsv
	[[ $stderr == *"-g COMM says what the ranks send" ]]
	run -2 --separate-stderr evalmetrics -g comm.tsv "$ROOT/share/examples-data/placed.tsv"
	[[ $stderr == "evalmetrics: -g says what the ranks of a mapping send; this is a jobs stream" ]]
	stream mapping 'rank node' '0 n0' '2 n1' >gap.tsv
	run -2 --separate-stderr evalmetrics -g comm.tsv gap.tsv
	[[ $stderr == *"a rank is missing" ]]
	stream mapping 'rank node' '0 n0' '1 n99' >bad.tsv
	run -2 --separate-stderr evalmetrics -g comm.tsv bad.tsv
	[[ $stderr == "evalmetrics: bad.tsv:4: 'n99' is not a node of "* ]]
	stream comm 'job src dst bytes' 'a 0 1 10' 'b 1 0 10' >jobs.tsv
	run -2 --separate-stderr evalmetrics -g jobs.tsv mapping.tsv
	[[ $stderr == *"a second job 'b' after 'a'"* ]]
}

@test "a graph that was truncated spoils the result" {
	stream comm 'src dst bytes' '0 1 10' | sed '1s/$/ end=yes/' >cut.tsv
	stream mapping 'rank node' '0 n0' '1 n1' >mapping.tsv
	run -2 --separate-stderr evalmetrics -g cut.tsv --links links.tsv -o out.tsv mapping.tsv
	[[ $stderr == *truncated* && ! -e out.tsv && ! -e links.tsv ]]
	evalmetrics --partial -g cut.tsv -o out.tsv mapping.tsv
	grep -q '^##end' out.tsv
}

@test "on the GPC network every mapper's metrics are those that an independent program counts" {
	need_shared
	command -v python3 >/dev/null || skip "no python3"
	export PLACETOOLS_TOPOLOGY=gpc
	gzip -dc "$SHARED/data/mapping/gpc.topo.gz" >gpc.topo
	gzip -dc "$SHARED/data/mapping/gpc.lft.gz" >gpc.lft
	cat >compare.py <<-'END'
		import json, sys
		names = {'hop-bytes': 'HB', 'dilation': 'dilation', 'dilation-mean': 'avg_dilation', 'max-congestion': 'MC', 'nzca': 'NZCA',
		         'nzcv': 'NZCV', 'hybrid': 'hybrid', 'network-bytes': 'internode_bytes', 'links-used': 'used_links', 'links-max': 'n_max_links'}
		theirs, n = json.load(open(sys.argv[1])), 0
		for line in open(sys.argv[2]):
		    cells = line.split('\t')
		    if line[0] == '#' or cells[3] not in names:
		        continue
		    a, b, n = float(cells[4]), float(theirs[names[cells[3]]]), n + 1
		    # whole numbers are equal; what is divided and summed differs by its rounding
		    if a != b and (a == int(a) and b == int(b) or abs(a - b) > 1e-13 * abs(b)):
		        sys.exit('%s: %r, not %r' % (cells[3], a, b))
		sys.exit(0 if n == len(names) else 'only %d metrics' % n)
	END
	for pattern in halo2d halo3d a2a; do
		{
			stream comm 'src dst bytes'
			gzip -dc "$SHARED/data/mapping/$pattern-1024.comm.gz" | sed '/^#/d' | tr ' ' '\t'
		} >comm.tsv
		for alloc in first shuf; do
			hosts=$(paste -sd, "$SHARED/data/mapping/$alloc-128.alloc")
			# every mapper on one graph and allocation, the default and random elsewhere
			mappers='ptram random'
			[[ $pattern-$alloc != halo3d-first ]] || mappers=$(names_of mapref mappers | sed 's/ .*//' | grep -vx file)
			for mapper in $mappers; do
				mapref -g comm.tsv --ranks-per-node 8 --hosts "$hosts" -p "$mapper" -o mapping.tsv
				evalmetrics -g comm.tsv mapping.tsv >metrics.tsv
				python3 "$SHARED/tools/evaluate.py" eval gpc.topo comm.tsv mapping.tsv --lft gpc.lft --cores 8 >oracle.json
				python3 compare.py oracle.json metrics.tsv
				placecheck mapping.tsv
			done
		done
	done
}

@test "the columns of a graph may come in any order" {
	stream mapping 'rank node core' '0 n0 0' '1 n1 0' '2 n4 0' >mapping.tsv
	stream comm 'src dst bytes messages' '0 1 1000 10' '1 2 100 3' >comm.tsv
	evalmetrics --no-provenance -g comm.tsv --links links.tsv mapping.tsv >metrics.tsv
	stream comm 'messages bytes dst src' '10 1000 1 0' '3 100 2 1' >other.tsv
	evalmetrics --no-provenance -g other.tsv --links other-links.tsv mapping.tsv | diff metrics.tsv -
	diff links.tsv other-links.tsv
	[ "$(awk -F'\t' '$2 == "n0" { print $7 }' links.tsv)" = 10 ]
}
