# topogen-draw.bats - drawings of machines and their jobs
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

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
			nnodes=$(topogen --to summary "$spec" | awk '$3 == "nodes" { print $4 }')
			[ "$nnodes" -ge 2400 ] && nnodes=0 # a filled box for each router
			[ "$(ask m.svg 'count(//*[local-name()="rect"][@class="n"][*])')" -eq "$nnodes" ]
		done
	done < <(examples_of topogen topologies)
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
