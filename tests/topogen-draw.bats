# topogen-draw.bats - drawings of machines and their jobs
load helper

# jobs NAME=HOSTLIST… as a table
jobs() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\n'
	for job; do
		printf '%s\t%d\t%s\n' "${job%%=*}" 1 "${job#*=}"
	done
}

# What XPath says of the drawing.
ask() {
	xmllint --xpath "$2" "$1"
}

@test "svg: every topology's example is well-formed and shows each node once, in each layout" {
	while read -r spec; do
		for layout in auto ring layers; do
			topogen --to svg:layout=$layout "$spec" >m.svg
			[ "$(ask m.svg 'count(//*[@y + @height > /*/@height or @x + @width > /*/@width])')" -eq 0 ]
			nnodes=$(topogen --to summary "$spec" | awk '$3 == "nodes" { print $4 }')
			[ "$nnodes" -ge 2400 ] && nnodes=0 # a filled box for each router
			[ "$(ask m.svg 'count(//*[local-name()="rect"][@class="n"][*])')" -eq "$nnodes" ]
		done
	done < <(examples_of topogen topologies)
}

@test "svg: what is too large for nodes has all of its boxes in the picture" {
	for spec in dragonfly:groups=65,routers=16,nodes=4 fattree:down=16x16x16,up=1x16x16 torus:dims=16x16x16; do
		topogen --to svg "$spec" >m.svg
		[ "$(ask m.svg 'count(//*[local-name()="rect"][@y])')" -ge 100 ]
		[ "$(ask m.svg 'count(//*[@y + @height > /*/@height or @x + @width > /*/@width])')" -eq 0 ]
	done
}

@test "svg: routers have their names, nodes are where their router is" {
	topogen --to svg @avakas >m.svg
	[ "$(ask m.svg 'count(//*[local-name()="text"][.="9 spines"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[local-name()="text"][.="L107"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[local-name()="text"][.="S201A"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[local-name()="path"][@class="c"])')" -eq 144 ]
	grep -qF '281 nodes, 25 routers; cables: 280 terminal, 1 terminal-4xDDR, 288 leaf-spine<' m.svg
	# the nodes lie below the spines, which are within the first 40 pixels
	awk -F'"' '/class="n"/ && /<title>/ { n++; bad += $4 < 0 || $4 > 900 || $6 < 100 }
		END { exit n != 281 || bad > 0 }' m.svg
}

@test "svg: jobs have colours, a legend and tooltips; idle nodes are grey" {
	jobs 'a=n[0-2]' 'b<&>=n[3,5]' >jobs.tsv
	topogen --to svg --jobs jobs.tsv dragonfly:groups=3,routers=2,nodes=2 >m.svg
	[ "$(ask m.svg 'count(//*[@class="j0"][*])')" -eq 3 ]
	[ "$(ask m.svg 'count(//*[@class="j1"][*])')" -eq 2 ]
	[ "$(ask m.svg 'count(//*[@class="i"][*])')" -eq 7 ]
	[ "$(ask m.svg 'string(//*[@class="j1"][1]/*)')" = 'n3: job b<&>' ]
	[ "$(ask m.svg 'count(//*[.="job a: 3 nodes"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[.="job b<&>: 2 nodes"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[.="idle: 7 nodes"])')" -eq 1 ]
	grep -q '^\.j0{fill:#0072b2}' m.svg
	grep -q '2 jobs on 5 nodes' m.svg
}

@test "svg: more jobs than colours have marks" {
	for i in {0..19}; do args+=("job$i=n$i"); done
	jobs "${args[@]}" >jobs.tsv
	topogen --to svg --jobs jobs.tsv torus:dims=5x5 >m.svg
	xmllint --noout m.svg
	[ "$(ask m.svg 'count(//*[local-name()="pattern"])')" -eq 12 ]
	grep -q '^\.j19{fill:url(#p19)}' m.svg
}

@test "svg: large machines have boxes that are filled as far as they are busy" {
	jobs 'big=n[0-2999]' >jobs.tsv
	topogen --to svg --jobs jobs.tsv dragonfly:groups=33,routers=8,nodes=16 >m.svg
	xmllint --noout m.svg
	[ "$(ask m.svg 'count(//*[starts-with(@class,"j")][*])')" -eq 188 ]
	[ "$(ask m.svg 'string((//*[@class="j0"])[188]/*)')" = 'r187: job big on 8 of 16 nodes' ]
	[ "$(wc -c <m.svg)" -lt 400000 ]
}

@test "svg: an imported fabric, with names that XML must not see" {
	printf 'Switch 4 "a&b<c>"\n[1] "h1"[1]\n[2] "h\xff2"[1]\nHca 1 "h1"\n[1] "a&b<c>"[1]\nHca 1 "h\xff2"\n[1] "a&b<c>"[2]\n' >f.net
	topogen --from ibnetdiscover --to svg f.net >m.svg
	[ "$(ask m.svg 'count(//*[local-name()="title"][.="h_2"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[local-name()="title"][.="a&b<c>: 2 nodes"])')" -eq 1 ]
}

@test "svg: the GPC's spines stand above its line switches, and these above the leaves, from left to right" {
	topogen gpc --to svg | sed -n 's|^<rect class="[a-z ]*" x="\([0-9.]*\)" y="\([0-9.]*\)".*<title>\([a-z0-9-]*\).*|\3 \1 \2|p' >places
	[ "$(awk '{ sub(/[0-9]*$/, "", $1); sub(/^core[0-9]-/, "", $1); if (!seen[$1 " " $3]++) print $1, $3 }' places | sort | paste -s -d' ')" = \
		'leaf 334 line 174 spine 14' ]
	grep '^leaf' places | sort -k1,1 >leaves
	[ "$(wc -l <leaves)" -eq 103 ]
	sort -k2,2n leaves | cmp - leaves
}

@test "svg: a machine of half a million routers is refused" {
	run -2 --separate-stderr topogen --to svg torus:dims=80x80x80
	[[ $stderr == "topogen: 512000 routers are too many for a drawing"* ]]
}

@test "svg: I/O nodes are marked" {
	cat >m.yaml <<-'END'
		placetools: topology/1
		topology: torus
		parameters: {dims: 4x4}
		io:
		  - {name: io, nodes: "n[3,7]", kind: separate, access: shared}
	END
	topogen --to svg m.yaml >m.svg
	[ "$(ask m.svg 'count(//*[@class="n io"][*])')" -eq 2 ]
	[ "$(ask m.svg 'count(//*[.="I/O node"])')" -eq 1 ]
}

@test "svg: the same bytes each time, and as before" {
	jobs 'a=n[0-2]' 'b=n[3,5]' >jobs.tsv
	topogen --to svg --jobs jobs.tsv dragonfly:groups=3,routers=2,nodes=2 >ring.svg
	golden topogen/ring.svg ring.svg
	topogen --to svg fattree:k=2,levels=3 >layers.svg
	golden topogen/layers.svg layers.svg
	topogen --to svg torus:dims=3x2x2 >grid.svg
	golden topogen/grid.svg grid.svg
	topogen --to svg hypercube:dims=4 >cube.svg
	golden topogen/cube.svg cube.svg
}

@test "dot: groups, routers, nodes and jobs, as Graphviz reads them" {
	jobs 'a=n[0-2]' 'b"\=n[3,5]' >jobs.tsv
	topogen --to dot --jobs jobs.tsv dragonfly:groups=3,routers=2,nodes=2 >m.dot
	golden topogen/dragonfly.dot m.dot
	[ "$(grep -c 'subgraph cluster_' m.dot)" -eq 3 ]
	[ "$(grep -c '^.*class="router"' m.dot)" -eq 6 ]
	[ "$(grep -o '<TD [^>]*TITLE="n[^>]*>' m.dot | wc -l)" -eq 12 ]
	topogen --to dot:nodes=vertices @avakas >v.dot
	[ "$(grep -c 'class="node"' v.dot)" -eq 281 ]
	[ "$(grep -c -- ' -- .*class="terminal' v.dot)" -eq 281 ]
	[ "$(grep -c -- ' -- .*class="leaf-spine' v.dot)" -eq 144 ]
	topogen --to dot:nodes=count @avakas >c.dot
	grep -qF '"L107" [class="router", label="\N (18)"];' c.dot
}

@test "dot: Graphviz takes every topology's example" {
	type -P dot >/dev/null || skip "Graphviz is not here"
	while read -r spec; do
		for nodes in cells vertices count; do
			topogen --to dot:nodes=$nodes "$spec" | dot -Kpatchwork -Tcanon >/dev/null
		done
	done < <(examples_of topogen topologies)
}

traffic() { # traffic TIME=ROUTER:VALUE… as a table
	printf '##placetools=traffic/1\ntime_s\twindow_s\trouter\ttraffic_flits_per_s\n'
	local row value
	for row; do
		value=${row#*=}
		printf '%s\t1\t%s\t%s\n' "${row%%=*}" "${value%%:*}" "${value#*:}"
	done
}

@test "svg: routers show their traffic, the mean or that of a time, with a legend" {
	traffic 1=r0:0 1=r1:100 1=r2:50 2=r0:100 2=r1:100 2=r2:50 >t.tsv
	topogen --to svg --traffic t.tsv dragonfly:groups=3,routers=2,nodes=2 >m.svg
	xmllint --noout m.svg
	[ "$(ask m.svg 'string(//*[@class="r t2"][1]/*)')" = 'r0: 2 nodes, 50 flits/s' ]
	[ "$(ask m.svg 'count(//*[@class="r t4"][*])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[@class="r tu"][*])')" -eq 3 ]
	[ "$(ask m.svg 'count(//*[.="traffic of routers, flits/s:"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[.="80 to 100"])')" -eq 1 ]
	topogen --to svg --traffic t.tsv --at 1.5 dragonfly:groups=3,routers=2,nodes=2 >m.svg
	[ "$(ask m.svg 'string(//*[@class="r t0"][1]/*)')" = 'r0: 2 nodes, 0 flits/s' ]
	run -2 --separate-stderr topogen --to svg --traffic t.tsv --at 0.5 dragonfly:groups=3,routers=2,nodes=2
	[ "$stderr" = "topogen: --traffic: t.tsv: no window ended by the time of --at" ]
	run -2 --separate-stderr topogen --to dot --traffic t.tsv dragonfly:groups=3,routers=2,nodes=2
	[ "$stderr" = "topogen: --traffic goes with a format that draws it: --to svg" ]
}

@test "svg: cables show their utilization in both directions, of the panel's policy" {
	topogen --no-provenance dragonfly:groups=3,routers=2,nodes=2 -o m.yaml
	jobs 'a=n[0,8]' | sed '2s/$/\tpolicy/; 3s/$/\tone/; 3s/\t1\t/\t2\t/' >one.tsv
	netsim -t m.yaml -p alltoall --bytes 64KiB --links l.tsv -o out.tsv one.tsv
	topogen --to svg --links l.tsv --jobs one.tsv m.yaml >m.svg
	xmllint --noout m.svg
	# every cable between routers has a shade, and the greatest the darkest
	ncables=$(ask m.svg 'count(//*[local-name()="path"][starts-with(@class,"c q")][not(following-sibling::*[local-name()="text"])])')
	[ "$(ask m.svg 'count(//*[local-name()="path"][@class="c"])')" -eq 0 ]
	[ "$ncables" -ge 3 ]
	[ "$(ask m.svg 'count(//*[@class="c q4"])')" -ge 2 ] # one of them is the legend's
	[ "$(ask m.svg 'count(//*[.="utilization of cables (lower is better):"])')" -eq 1 ]
	# of another policy nothing is known
	sed 's/\tone$/\ttwo/' one.tsv >two.tsv
	topogen --to svg --links l.tsv --jobs two.tsv m.yaml >m.svg
	[ "$(ask m.svg 'count(//*[@class="c qu"])')" -ge 3 ]
}

@test "svg: a panel for each run and policy, and the jobs of a time" {
	printf '##placetools=jobs/1\njob\tnodes\tpolicy\tstart_s\tend_s\tnodelist\na\t1\tp\t0\t5\tn0\nb\t2\tp\t5\t9\tn[0-1]\na\t1\tq\t0\t.\tn3\n' >jobs.tsv
	topogen --to svg --jobs jobs.tsv ring:nodes=4 >m.svg
	xmllint --noout m.svg
	[ "$(ask m.svg 'count(//*[@class="t"])')" -eq 2 ]
	[ "$(ask m.svg 'string(//*[@class="t"][1])')" = 'ring-4: p' ]
	[ "$(ask m.svg 'count(//*[local-name()="title"][.="n3: job a"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[local-name()="title"][.="n1: job b"])')" -eq 1 ]
	topogen --to svg --jobs jobs.tsv --at 4 ring:nodes=4 >m.svg
	[ "$(ask m.svg 'count(//*[local-name()="title"][.="n1: idle"])')" -eq 2 ]
	topogen --to svg --jobs jobs.tsv --at 5 ring:nodes=4 >m.svg
	[ "$(ask m.svg 'count(//*[local-name()="title"][.="n0: job b"])')" -eq 1 ]
	[ "$(ask m.svg 'count(//*[local-name()="title"][.="n3: job a"])')" -eq 1 ]
	run -2 --separate-stderr topogen --to dot --jobs jobs.tsv ring:nodes=4
	[[ $stderr == *"topogen: --jobs: jobs of 2 runs and policies: expected one;"* ]]
	for i in {1..17}; do printf 'a\t1\tp%d\t0\t1\tn0\n' $i; done | cat <(head -2 jobs.tsv) - >many.tsv
	run -2 --separate-stderr topogen --to svg --jobs many.tsv ring:nodes=4
	[[ $stderr == "topogen: --jobs: many.tsv:19: more than 16 runs and policies: select some"* ]]
}

@test "svg: 5 000 and 100 000 nodes are drawn by domain, in their groups" {
	jobs 'big=n[0-2999]' >jobs.tsv
	topogen --to svg --jobs jobs.tsv dragonfly:groups=25,routers=25,nodes=8 >m.svg
	xmllint --noout m.svg
	[ "$(ask m.svg 'count(//*[local-name()="rect"][*])')" -eq 625 ]
	[ "$(ask m.svg 'count(//*[@class="j0"][*])')" -eq 375 ]
	[ "$(ask m.svg 'string((//*[@class="j0"])[1]/*)')" = 'r0: 8 nodes, 8 busy, most with job big' ]
	[ "$(ask m.svg 'count(//*[starts-with(.,"group ")])')" -eq 25 ]
	topogen --to svg dragonfly:groups=50,routers=100,nodes=20 >m.svg
	[ "$(ask m.svg 'count(//*[local-name()="rect"][*])')" -eq 5000 ]
	run ! grep -q 'too many' m.svg
	[ "$(wc -c <m.svg)" -lt 600000 ]
	# a fat tree with more cables than can be drawn: its leaves in their pods, no spines
	topogen --to svg fattree:k=16,levels=3 >f.svg
	run ! grep -q 'too many' f.svg
}

@test "svg: an upper router stands above the middle of its own leaves" {
	topogen --to svg tree:arity=2x2x2 >m.svg
	at() { ask m.svg "string(//*[local-name()='text'][.='$1']/@x)"; }
	for upper in 'r4 r0 r1' 'r5 r2 r3' 'r6 r0 r3'; do
		read -r above left right <<<"$upper"
		[ "$(at $above)" = "$(awk "BEGIN { print ($(at $left) + $(at $right)) / 2 }")" ]
	done
}
