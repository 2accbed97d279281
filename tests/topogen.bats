bats_require_minimum_version 1.5.0
load helper

# what of a machine its graph is: explicit, without the line that tells the command
explicit() { topogen --no-provenance --to explicit "$@"; }

# value of a metric in a summary
metric() { awk -F'\t' -v metric="$1" '$1 == "machine" && $3 == metric {print $4}' "$2"; }

# ---- specs ----

@test "the YAML of a spec says what the spec said and nothing else" {
	run -0 topogen dragonfly:groups=17,routers=4,nodes=4,global-bandwidth=2Gbit/s,cores=2
	[ "$output" = "\
placetools: topology/1
# topogen dragonfly:groups=17,routers=4,nodes=4,global-bandwidth=2Gbit/s,cores=2
topology: dragonfly
parameters: {groups: 17, routers: 4, nodes: 4}
nodes: {cores: 2}
links:
  global: {bandwidth: 2Gbit/s}" ]
	run -0 topogen --no-provenance gpc
	[ "$output" = $'placetools: topology/1\ntopology: gpc' ]
}

# sizes SPEC NODES ROUTERS RADIX DIAMETER
sizes() {
	topogen --to summary "$1" >sizes.tsv
	run -0 echo "$(metric nodes sizes.tsv) $(metric routers sizes.tsv) $(metric radix sizes.tsv) $(metric diameter sizes.tsv)"
	[ "$output" = "$2 $3 $4 $5" ]
}

@test "machines of published sizes" {
	# Besta and Hoefler, SC 2014: the Hoffman-Singleton graph (Fig. 3), and the 10 830 nodes of section V
	sizes slimfly:q=5,nodes=4 200 50 11 2
	sizes slimfly:q=19 10830 722 44 2
	# Kim, Dally, Abts, ISCA 2007, Table 1: N = 4K as k-ary n-flats
	sizes hyperx:dims=64,nodes=64 4096 64 127 1
	sizes hyperx:dims=16x16,nodes=16 4096 256 46 2
	sizes hyperx:dims=8x8x8,nodes=8 4096 512 29 3
	# Shpiner et al., HiPINEB 2017: the largest Dragonfly+ of 16-port routers, one link per pair of groups
	sizes dragonfly-plus:groups=65,leaves=8,spines=8,nodes=8,links-per-spine=8 4160 1040 16 3
}

@test "bandwidth= is of every link that has none of its own, and of no copy inside a node" {
	run -0 topogen --no-provenance fattree:k=2,levels=2,bandwidth=1GB/s,level2-bandwidth=2GB/s,latency=1us
	[[ $output == *$'links:\n  terminal: {bandwidth: 1GB/s, latency: 1us}\n  level2: {bandwidth: 2GB/s, latency: 1us}' ]]
}

@test "every example of a topology works, and its YAML and its tables are the same machine" {
	n=0
	for spec in $(examples_of topogen topologies); do
		explicit "$spec" > tables.yaml
		topogen "$spec" > params.yaml
		explicit params.yaml | cmp - tables.yaml
		explicit tables.yaml | cmp - tables.yaml
		nhashes=$(for m in "$spec" params.yaml tables.yaml; do hash_of "$m"; done | sort -u | wc -l)
		[ "$nhashes" -eq 1 ]
		n=$((n + 1))
	done
	[ "$n" -eq "$(names_of topogen topologies | wc -l)" ]
}

# the hash that travels with a stream
hash_of() {
	topogen --to summary "$1" | sed -n 's/^##topology=.* //p'
}

@test "the hash is of nodes and links, not of bandwidths, latencies and cores" {
	h=$(hash_of torus:dims=4x3)
	[ ${#h} -eq 16 ]
	[ "$(hash_of torus:dims=4x3,bandwidth=1GB/s,latency=3us,cores=7)" = "$h" ]
	for other in torus:dims=3x4 torus:dims=4x3,names=x%d torus:dims=4x3,router-names=s%d mesh:dims=4x3 \
		torus:dims=4x3,cables=2x1 torus:dims=4x3,per-router=2; do
		[ "$(hash_of $other)" != "$h" ]
	done
	# a fixed number: streams made today are to be recognised tomorrow, on any machine
	[ "$h" = "$(cat "$ROOT/tests/golden/topology/hash-torus-4x3")" ]
}

@test "names are a pattern or a list" {
	run -0 explicit 'ring:nodes=3,names=nid%05d,router-names=a[7-8]\,b'
	[[ $output == *$'routers: |\n    router\n    a7\n    a8\n    b\n'* ]]
	[[ $output == *$'nodes: |\n    node\n    nid00000\n    nid00001\n    nid00002\n'* ]]
	run -0 topogen --no-provenance 'ring:nodes=3,names=a[1-2]\,b'
	[[ $output == *'nodes: {names: "a[1-2],b"}'* ]]
}

@test "specs that cannot be built are refused with the reason" {
	refuse() {
		run -2 --separate-stderr topogen "$1"
		[[ $stderr == "topogen: "*"$2"* ]] || { echo "$1: $stderr"; false; }
		[ -z "$output" ]
	}
	refuse dragonfly 'needs groups=, routers= and nodes=, or links-per-router='
	refuse dragonfly:groups=2 'needs groups='
	refuse dragonfly:groups=0,routers=4,nodes=4 "groups: '0' is not a whole number from 1"
	refuse dragonfly:groups=10,routers=4,nodes=4,links-per-router=2 'a group has 8 global links'
	refuse dragonfly:groups=4,routers=2x2x2,nodes=1 'more than two dimensions'
	refuse dragonfly:groups=67108864,routers=67108864,nodes=67108864 'routers are more than'
	refuse dragonfly:groups=60000000,routers=2,nodes=1 'more than'
	refuse dragonfly:groups=9,routers=4,nodes=4,arrangement=random "'random' is not absolute|relative|circulant"
	refuse fattree 'needs either k= and levels=, or down= and up='
	refuse fattree:k=4 'needs either k= and levels='
	refuse fattree:k=4,levels=2,down=2x2,up=1x2 'needs either'
	refuse fattree:down=2x2 'needs either'
	refuse fattree:down=2x2,up=1 "up: '1' needs 2 numbers"
	refuse fattree:down=2x2,up=1x1,cables=2 "cables: '2' needs 2 numbers"
	refuse fattree:k=4,levels=9 'from 1 to 8'
	refuse fattree:down=1x1x1x1x1x1x1x1x1,up=1x1x1x1x1x1x1x1x1 'more than 8 levels'
	refuse fattree:k=60000000,levels=8 'too many nodes or switches'
	refuse fattree:down=1x60000000,up=60000000x60000000 'too many'
	refuse torus 'needs dims='
	refuse torus:dims=4x "'4x' is not a list of sizes"
	refuse torus:dims=0x4 'not a list of sizes'
	refuse torus:dims=4x4,cables=2 "cables: '2' needs 2 numbers"
	refuse torus:dims=9000x9000 'more than 67108864'
	refuse torus:dims=67108864x67108864x67108864 'too many routers'
	refuse torus:dims=4x4,dims=4x4 'given twice'
	refuse torus:dims=4x4,size=3 "no parameter 'size'"
	refuse torus:dims=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1 'dimensions are more than 32'
	refuse hypercube:dims=25 'from 1 to 24'
	refuse hyperx 'needs dims='
	refuse hyperx:dims=4x4,cables=2 "cables: '2' needs 2 numbers"
	refuse hyperx:dims=2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2 'more than 16 dimensions'
	refuse hyperx:dims=9000x9000 'too many routers'
	refuse hyperx:dims=8,global-latency=1us 'global-latency: this network has no such links'
	refuse slimfly:q=6 'q: 6 is not a power of a prime'
	refuse slimfly:q=2 'from 3 to 2048'
	refuse slimfly:q=2048,nodes=9 'nodes are more than'
	refuse dragonfly-plus:groups=9,leaves=2,spines=2,nodes=2,links-per-spine=3 'too few for 1 to each of 8 other'
	refuse dragonfly-plus:groups=9,leaves=2,spines=2 'needs nodes='
	refuse dragonfly-plus:groups=1000000,leaves=60000,spines=2,nodes=2 'routers are more than'
	refuse ring:nodes=9,per-router=2 'nodes=9 is not a multiple of per-router=2'
	refuse complete:nodes=9,per-router=2 'not a multiple'
	refuse complete:nodes=60000 'links are more than'
	refuse tree:arity=2x2,bandwidth=0 "bandwidth: '0' is not a bandwidth"
	refuse tree:arity=2x2,level2-latency=x "level2-latency: 'x' is not a time"
	refuse tree:arity=2x2,level3-latency=1us 'level3-latency: this network has no such links'
	refuse tree:arity=2x2,names=n 'there are 1 names for 4'
	refuse tree:arity=2x2,names=%d%d 'exactly one %d'
	refuse tree:arity=2x2,names=%5d 'exactly one %d'
	refuse 'tree:arity=2x2,names=a%db c' 'cannot be the pattern'
	refuse tree:arity=2x2,names=r%d "the name 'r0' is that of a node and of a router"
	refuse no-such-thing 'is not a file, a topology'
	refuse toros:dims=4x4 "'toros' is not a topology"
	refuse ./toros:dims=4x4 'No such file'
	refuse @nowhere 'there is no share/machines/nowhere.yaml'
	refuse @ "'@' needs a name of share/machines"
	refuse @../machines/cori 'is not a name of share/machines'
	refuse '' 'is not a file'
}

@test "one operand is required" {
	run -2 --separate-stderr topogen
	[[ $stderr == *'expected one SPEC'* ]]
	run -2 --separate-stderr topogen gpc gpc
	[[ $stderr == *'expected one SPEC'* ]]
	run -2 --separate-stderr topogen --node-name-map map gpc
	[[ $stderr == *'goes with --from'* ]]
}

# ---- dragonflies ----

# global links as "group group" pairs of a dragonfly with a routers a group
global_pairs() {
	topogen --to edges "$1" | awk -v a="$2" '$3 == "global" {
		x = int(substr($1, 2) / a); y = int(substr($2, 2) / a); print (x < y ? x " " y : y " " x)}' | sort
}

@test "any number of groups up to a·h + 1 is wired with equally many links for each pair, at most h a router" {
	for arrangement in absolute relative circulant; do
		for groups in 2 3 4 5 6 7 8 9; do
			spec=dragonfly:links-per-router=2,groups=$groups,arrangement=$arrangement
			[ "$(global_pairs $spec 4 | uniq -c | awk '{print $1}' | sort -u)" = $((8 / (groups - 1))) ]
			[ "$(global_pairs $spec 4 | sort -u | wc -l)" = $((groups * (groups - 1) / 2)) ]
			topogen --to edges $spec | awk '$3 == "global" {n[$1]++; n[$2]++}
				END {for (r in n) if (n[r] > 2) exit 1}'
		done
	done
}

@test "arrangements are those of Hastings et al.: absolute, relative, circulant" {
	peers_of_r0() { topogen --to edges dragonfly:groups=9,routers=4,nodes=2,arrangement="$1" |
		awk '$3 == "global" && ($1 == "r0" || $2 == "r0") {r = $1 == "r0" ? $2 : $1; print int(substr(r, 2) / 4)}' |
		sort -n | xargs; }
	[ "$(peers_of_r0 absolute)" = "1 2" ]
	[ "$(peers_of_r0 relative)" = "1 2" ]
	[ "$(peers_of_r0 circulant)" = "1 8" ]
	# router 2 of group 5 has ports 4 and 5
	peers_of_r22() { topogen --to edges dragonfly:groups=9,routers=4,nodes=2,arrangement="$1" |
		awk '$3 == "global" && ($1 == "r22" || $2 == "r22") {r = $1 == "r22" ? $2 : $1; print int(substr(r, 2) / 4)}' |
		sort -n | xargs; }
	[ "$(peers_of_r22 absolute)" = "4 6" ]
	[ "$(peers_of_r22 relative)" = "1 2" ]
	[ "$(peers_of_r22 circulant)" = "2 8" ]
}

@test "a balanced dragonfly needs only h; links= beside it is checked" {
	topogen --to summary dragonfly:links-per-router=4 > s
	[ "$(metric nodes s)" = 1056 ]
	[ "$(metric routers s)" = 264 ]
	[ "$(metric radix s)" = 15 ]
	[ "$(metric diameter s)" = 3 ]
}

@test "a 2-D group is all-to-all along rows and columns, with parallel cables" {
	topogen --to edges dragonfly:groups=1,routers=16x6,nodes=4,column-links=3 > e
	[ "$(awk '$3 == "local"' e | wc -l)" = $((6 * 16 * 15 / 2 + 3 * 16 * 6 * 5 / 2)) ]
	[ "$(grep -cP '^r0\tr15\t' e)" = 1 ]
	[ "$(grep -cP '^r0\tr16\t' e)" = 3 ]
	[ "$(grep -cP '^r0\tr17\t' e)" = 0 ]
}

# ---- the GPC cluster of the PTRAM paper ----

@test "gpc has the vertices, names, links and forwarding tables of the sample" {
	need_shared
	dump=$PLACETOOLS_BUILD/tests/tools/lftdump
	[ -x "$dump" ]
	"$dump" links gpc | cmp - <(zcat "$SHARED/data/mapping/gpc.topo.gz")
	"$dump" tables gpc | sort | cmp - <(zcat "$SHARED/data/mapping/gpc.lft.gz" | sort)
	PLACETOOLS_SHARE=$ROOT/share "$dump" links @gpc | cmp - <(zcat "$SHARED/data/mapping/gpc.topo.gz")
}

@test "inside: how the cores of nodes nest is kept, in parameters and in tables" {
	topogen torus:dims=2x2,inside=package:2+l3cache:2+core:3 -o a.yaml
	grep -qx 'nodes: {inside: "package:2+l3cache:2+core:3"}' a.yaml
	[ "$(topogen a.yaml --to summary | awk -F'\t' '$3 == "cores" { print $4 }')" = 48 ]
	topogen --no-provenance a.yaml --to explicit -o b.yaml
	grep -qx 'nodes: {cores: 12, inside: "package:2+l3cache:2+core:3"}' b.yaml
	topogen --no-provenance b.yaml | diff - b.yaml
	# one node is another; what is said of all is about those with as many cores
	sed 's/^    node$/&\tcores\tinside/; s/^    n0$/&\t8\tpackage:2+core:4/; s/^    n1$/&\t7\t./; s/^    n[23]$/&\t.\t./' b.yaml >c.yaml
	topogen --no-provenance c.yaml | grep $'^    n[0-9]\t[0-9]' |
		diff - <(printf '    %s\t%d\t%s\n' n0 8 package:2+core:4 n1 7 . n2 12 package:2+l3cache:2+core:3 n3 12 package:2+l3cache:2+core:3)
	for bad in package package:0 package:x:2 Package:2 :2 package: package:2+ package:1000+core:1001 a:1+a:1+a:1+a:1+a:1+a:1+a:1+a:1+a:1; do
		run -2 --separate-stderr topogen "torus:dims=2x2,inside=$bad"
		[[ $stderr == 'topogen: torus: inside: '* ]]
	done
	run -2 --separate-stderr topogen torus:dims=2x2,cores=8,inside=package:2+core:2
	[[ $stderr == *"'package:2+core:2' is 4 cores, but cores: says 8" ]]
	sed 's/cores: 12/cores: 8/' b.yaml >bad.yaml
	run -2 --separate-stderr topogen bad.yaml
	[[ $stderr == *'nodes have 8 cores, but inside them nest 12' ]]
	sed 's/n0\t8/n0\t9/' c.yaml >bad.yaml
	run -2 --separate-stderr topogen bad.yaml
	[[ $stderr == *"the node 'n0' has 9 cores, but inside it nest 8" ]]
	sed 's/package:2+core:4/package/' c.yaml >bad.yaml
	run -2 --separate-stderr topogen bad.yaml
	[[ $stderr == *"'package' is not a NAME:COUNT, as in package:2+core:4" ]]
}

@test "gpc is 103 leaf switches of 30 nodes below two cores" {
	topogen --to summary gpc > s
	[ "$(metric nodes s)" = 3090 ]
	[ "$(metric cores s)" = 24720 ]
	[ "$(metric routers s)" = 157 ]
	[ "$(metric links s)" = 4356 ]
	[ "$(metric radix s)" = 36 ]
}

# ---- files ----

@test "malformed documents are refused at their line" {
	n=0
	for file in "$ROOT"/tests/bad/topology/*.yaml; do
		want=$(sed -n 's/^# wanted: //p' "$file")
		run -2 --separate-stderr topogen "$file"
		[[ -n $want && $stderr == "topogen: $file"*"$want"* && $stderr != *$'\n'* ]] || {
			echo "$file: wanted $want"
			echo "$stderr"
			false
		}
		[ -z "$output" ]
		n=$((n + 1))
	done
	[ "$n" -gt 80 ]
}

@test "every prefix of an explicit document is refused or is a machine, never a crash" {
	explicit dragonfly:groups=3,routers=2,nodes=1 > whole.yaml
	size=$(stat -c %s whole.yaml)
	for ((n = 0; n < size; n += 7)); do
		head -c "$n" whole.yaml > cut.yaml
		run topogen cut.yaml
		[ "$status" -eq 0 ] || [ "$status" -eq 2 ]
	done
}

@test "a document is read from standard input, gzip or not" {
	topogen torus:dims=3x3 > m.yaml
	[ "$(explicit - < m.yaml)" = "$(explicit m.yaml)" ]
	[ "$(gzip -c m.yaml | explicit -)" = "$(explicit m.yaml)" ]
}

@test "-o with .gz is read back" {
	topogen -o m.yaml.gz torus:dims=3x3
	gzip -t m.yaml.gz
	[ "$(explicit m.yaml.gz)" = "$(explicit torus:dims=3x3)" ]
}

@test "what a document says beside nodes and links is kept" {
	cat > m.yaml <<-END
		placetools: topology/1
		name: "a machine"
		topology: ring
		parameters: {nodes: 4}
		nodes: {cores: 3, names: "n%d", nics: {count: 2, select: round-robin, injection_queues: 4}, planes: 2}
		routers: {names: "s%d"}
		links:
		  node: {bandwidth: 10GB/s, latency: 200ns}
		  local: {bandwidth: 1GB/s}
		routing: minimal
		io:
		  - {name: io, nodes: "n[1,3]", kind: separate, access: exclusive}
		  - {name: bb, kind: coupled, access: shared, at: level=2}
		gpus: {per_node: 4}
	END
	topogen --no-provenance m.yaml | diff m.yaml -
	explicit m.yaml > x.yaml
	explicit x.yaml | diff x.yaml -
	grep -qx 'gpus: {per_node: 4}' x.yaml
	grep -qx '  - {name: io, nodes: "n\[1,3\]", kind: separate, access: exclusive}' x.yaml
	grep -qx 'nodes: {cores: 3, nics: {count: 2, select: round-robin, injection_queues: 4}, planes: 2}' x.yaml
	grep -qx '  node: {bandwidth: 1e+10, latency: 2e-07}' x.yaml || grep -q '  node: {bandwidth: 10000000000' x.yaml
}

@test "tables by hand: tiers, cores, comments, levels by what a cable joins" {
	cat > m.yaml <<-END
		placetools: topology/1
		topology: explicit
		nodes: {cores: 4}
		links: {fast: {bandwidth: 8GB/s}}
		tables:
		  links: |
		    from	to	level
		    a	s1	.
		    b	s1	.
		    # two of them
		    c	s2	.
		    s1	s2	fast
		    s2	s1	.
		  nodes: |
		    cores	node
		    .	a
		    8	b
		    .	c
		  routers: |
		    router	rack	row
		    s1	left	x

		    s2	right	x
	END
	run -0 explicit m.yaml
	[ "$output" = "\
placetools: topology/1
name: explicit
topology: explicit
nodes: {cores: 4}
links:
  terminal: {}
  fast: {bandwidth: 8000000000}
  local: {}
tables:
  routers: |
    router	rack	row
    s1	0	0
    s2	1	0
  nodes: |
    node	cores
    a	4
    b	8
    c	4
  links: |
    from	to	level
    a	s1	terminal
    b	s1	terminal
    c	s2	terminal
    s1	s2	fast
    s2	s1	local" ]
}

@test "@name is a machine of share/machines; all of them load" {
	for file in "$ROOT"/share/machines/*.yaml; do
		name=$(basename "$file" .yaml)
		[ "$(PLACETOOLS_SHARE=$ROOT/share topogen --no-provenance "@$name")" = "$(topogen --no-provenance "$file")" ]
	done
	for n in 272 528 544 1056; do
		topogen --to summary "$ROOT/share/machines/level-spread-$n.yaml" > s
		[ "$(metric nodes s)" = $n ]
	done
	explicit "$ROOT/share/machines/cori.yaml" > cori
	# nid 4612: row 2 of cabinets, its first column, cage 0, slot 1, as NERSC's numbering has it
	[ "$(awk '$1 == "nid04612" && $3 == "terminal" {print $2}' cori)" = c0-2c0s1a0 ]
}

# ---- the ways out and in ----

@test "every importer and exporter has an example; each exporter writes a small machine" {
	n=0
	for to in $(examples_of topogen exporters); do
		topogen --to "$to" dragonfly:groups=3,routers=2,nodes=2 > "out-$n"
		[ -s "out-$n" ]
		n=$((n + 1))
	done
	[ "$n" -eq "$(names_of topogen exporters | wc -l)" ]
	[ "$(examples_of topogen importers | wc -l)" -eq "$(names_of topogen importers | wc -l)" ]
}

@test "edges out and in again are the same cables" {
	for spec in dragonfly:groups=3,routers=2,nodes=2 gpc fattree:down=2x2,up=2x2,cables=2x3; do
		topogen --to edges "$spec" > a
		topogen --from edges a | topogen --to edges - > b
		cmp a b
		topogen --from edges --to summary a | grep -v '^##' | cut -f3,4 | grep -v -e cores -e domains > sa
		topogen --to summary "$spec" | grep -v '^##' | cut -f3,4 | grep -v -e cores -e domains > sb
		diff <(grep -e nodes -e routers -e links -e radix sa) <(grep -e nodes -e routers -e links -e radix sb)
	done
}

@test "edges without levels: names with one cable are nodes" {
	printf '# a star\nn1 s\ns n2\n\nn3\ts # the third\n' | topogen --no-provenance --from edges --to explicit > m.yaml
	run -0 cat m.yaml
	[[ $output == *'name: machine'* ]]
	[[ $output == *$'routers: |\n    router\n    s\n  nodes: |\n    node\n    n1\n    n2\n    n3\n  links: |\n    from\tto\tlevel\n    n1\ts\tterminal\n    s\tn2\tterminal\n    n3\ts\tterminal' ]]
}

@test "edges:nodes=all gives every name a router; both-directions merges pairs" {
	printf 'a b\nb c\nc a\n' > ring
	topogen --from edges:nodes=all --to summary ring > s
	[ "$(metric nodes s)" = 3 ]
	[ "$(metric routers s)" = 3 ]
	[ "$(metric diameter s)" = 1 ]
	printf 'a b\nb a\nc b\nb c\nb c\nc b\n' | topogen --from edges:nodes=all,both-directions --to edges > e
	[ "$(grep -c local e)" = 3 ]
}

@test "edge lists that are wrong are refused at their line" {
	refuse() { # OPTIONS LINE-AND-TEXT, list on standard input
		cat > list
		run -2 --separate-stderr topogen --from "$1" list
		[[ $stderr == "topogen: $2"* ]] || { echo "$stderr"; false; }
	}
	printf 'a b\nc\n' | refuse edges 'list:2: 1 words'
	printf 'a b local 3\n' | refuse edges 'list:1: 4 words'
	printf 'a b\nc c\n' | refuse edges "list:2: 'c' has a cable to itself"
	printf 'a b\nb c\nc a\n' | refuse edges "no line is of the level 'terminal'"
	printf 'a b\n' | refuse edges 'list:1: a cable joins two nodes'
	printf 'a s\na[1] s\n' | refuse edges "list:2: 'a[1]' cannot be a name"
	printf 'a s\nb s\ns t node\nc t\n' | refuse edges "list:3: a cable cannot be of the level 'node'"
	printf 'a b\nb a\nb c\n' | refuse edges:nodes=all,both-directions 'list:3: this cable is not there once in each direction'
	printf '' | refuse edges "no line is of the level"
}

@test "--jobs of another machine or with unknown nodes is refused; several runs are several panels" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\n1\t2\tn[0-1]\n2\t1\t.\n' > jobs.tsv
	topogen --jobs jobs.tsv --to edges ring:nodes=4 > e
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\n1\t2\tn[0,7]\n' > bad
	run -2 --separate-stderr topogen --jobs bad ring:nodes=4
	[[ $stderr == "topogen: --jobs: bad:3: nodelist: there is no node 'n7' on this machine" ]]
	printf '##placetools=jobs/1\n##topology=ring:nodes=5 0123456789abcdef\njob\tnodes\tnodelist\n' > other
	run -2 --separate-stderr topogen --jobs other ring:nodes=4
	[[ $stderr == *'is another machine'* ]]
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\n1\t1\t1\tn1\n2\t1\t1\tn1\n' > runs
	topogen --jobs runs --to svg ring:nodes=4 > runs.svg
	[ "$(grep -c 'run [12]' runs.svg)" -ge 2 ]
	printf '##placetools=jobs/1 end=yes\njob\tnodes\tnodelist\n1\t1\tn1\n' > cut.tsv
	run -2 --separate-stderr topogen --jobs cut.tsv ring:nodes=4
	[[ $stderr == *'input was truncated'* ]]
}

# ---- summary ----

@test "a summary is metrics: sizes, distances and bisection, with how it was found" {
	topogen --to summary torus:dims=4x4,bandwidth=1GB/s > s
	[ "$(head -1 s)" = '##placetools=metrics/1 end=yes' ]
	[ "$(tail -1 s)" = '##end' ]
	[ "$(metric nodes s)" = 16 ]
	[ "$(metric links s)" = 48 ]
	[ "$(metric radix s)" = 5 ]
	[ "$(metric diameter s)" = 4 ]
	# 4x4 torus: distances 0 1 1 2 in each dimension, mean 2·1 over 16, of 15 others: 32/15
	[ "$(metric mean_distance s)" = 2.1333333333333333 ]
	[ "$(metric mean_route s)" = 4.133333333333333 ]
	[ "$(metric bisection s)" = 8000000000 ]
	[ "$(metric injection s)" = 16000000000 ]
	[ "$(metric bisection_per_injection s)" = 1 ]
	grep -P '^machine\ttorus-16\tbisection\t' s | grep -q 'exact'
	awk -F'\t' '$1 == "level" && $2 == "local" && $3 == "links" && $4 == 32 {n++} END {exit n != 1}' s
	topogen --to summary dragonfly:groups=3,routers=2,nodes=2 | grep -P '\tbisection\t' | grep -q 'upper bound'
	topogen --to summary hyperx:dims=4,nodes=1 > s
	[ "$(metric bisection s)" = 4000000000 ]
	grep -P '\tbisection\t' s | grep -q 'exact'
}

@test "summaries of a machine from its parameters and from its tables agree" {
	for spec in gpc fattree:down=4x3x2,up=1x2x2 mesh:dims=4x3x2 hypercube:dims=4,per-router=2 ring:nodes=9 \
		complete:nodes=6 tree:arity=2x2x2; do
		explicit "$spec" > t.yaml
		topogen --to summary "$spec" | grep -v -e '^##' -e bisection | cut -f3- > a
		topogen --to summary t.yaml | grep -v -e '^##' -e bisection | cut -f3- > b
		diff a b
	done
}

@test "a machine that falls apart says how many pairs of nodes are not joined" {
	printf 'a s terminal\nb s terminal\nc t terminal\n' | topogen --from edges --to summary > s
	[ "$(metric unreachable_pairs s)" = 4 ]
	[ "$(metric diameter s)" = 0 ]
	[ "$(metric bisection s)" = 0 ]
	topogen --to summary ring:nodes=1 > s
	[ -z "$(metric diameter s)" ]
	[ -z "$(metric bisection s)" ]
}

@test "the same command writes the same bytes" {
	for to in $(examples_of topogen exporters); do
		topogen --to "$to" dragonfly:groups=7,routers=4,nodes=2 > a
		topogen --to "$to" dragonfly:groups=7,routers=4,nodes=2 > b
		cmp a b
	done
}

@test "a routing that there is not is refused with its line" {
	printf '%s\n' 'placetools: topology/1' 'topology: mesh' 'parameters: {dims: 2x2}' 'routing: nonsense' >m.yaml
	run -2 --separate-stderr topogen m.yaml
	[[ $stderr == "topogen: m.yaml:4: routing: 'nonsense' is not a routing"* ]]
	run -2 --separate-stderr placecheck --machine -t m.yaml
	[[ $stderr == "placecheck: m.yaml:4: routing: "* ]]
}

# ---- storage ----

@test "storage of io: is written back as it was given, whatever wrote it" {
	cat >bb.yaml <<-'END'
		placetools: storage/1
		device: {write: 1GB/s, read: 2GB/s, threads: 2, table: [{bytes: 4KiB, write: 1MiB/s, read: 1GB/s}, {bytes: 1MiB, write: 1GB/s, read: 2GB/s, overhead: 3us}]}
		stripe: {count: 2, width: 64KiB, home: hash}
		drain: {to: "the pfs", when: idle, bandwidth: 1GB/s}
	END
	topogen --no-provenance line:nodes=8,per-router=2 --io per:tier=router,name=bb,storage=bb.yaml \
		--io 'nodes:list=n0,name=the pfs,storage=@ior-node' >m.yaml
	grep -qF "$(printf 'access: shared, %s, %s, %s}' "$(sed -n 2p bb.yaml)" "$(sed -n 3p bb.yaml)" "$(sed -n 4p bb.yaml)")" m.yaml
	grep -qF 'device: {write: 2100MiB/s, read: 3200MiB/s}}' m.yaml
	topogen --no-provenance m.yaml | cmp - m.yaml
	topogen --no-provenance --to explicit m.yaml | grep -F 'drain:'
	for file in "$ROOT"/share/storage/*.yaml; do
		topogen line:nodes=2 --io nodes:list=n0,storage="$file" | grep 'device:'
	done
}

# bad_storage MESSAGE IO-KEYS
bad_storage() {
	printf 'placetools: topology/1\ntopology: line\nparameters: {nodes: 4}\nio:\n  - {name: bb, %s}\n' "$2" >bad.yaml
	run -2 --separate-stderr topogen bad.yaml
	[ -z "$output" ]
	[ "$stderr" = "topogen: bad.yaml:5: $1" ]
}

@test "storage that cannot be is refused" {
	ok='device: {write: 1GB/s, read: 1GB/s}'
	bad_storage "device: write: '0' is not a bandwidth such as 8Gbit/s or 1GB/s" 'nodes: n0, device: {write: 0, read: 1GB/s}'
	bad_storage 'device needs read= (rate at which a thread reads)' 'nodes: n0, device: {write: 1GB/s}'
	bad_storage 'device: is not a mapping' 'nodes: n0, device: 3'
	bad_storage "device: memory: '1.5': expected a whole number of bytes" 'nodes: n0, device: {write: 1GB/s, read: 1GB/s, memory: 1.5}'
	bad_storage 'table: expected rows in ascending order of bytes' \
		'nodes: n0, device: {write: 1, read: 1, table: [{bytes: 8, write: 1, read: 1}, {bytes: 8, write: 1, read: 1}]}'
	bad_storage 'table: is not a list of rows' 'nodes: n0, device: {write: 1, read: 1, table: []}'
	bad_storage 'stripe and drain need a device' 'nodes: n0, stripe: {count: 4, width: 1KiB}'
	bad_storage 'stripe: expected a width for more than one device' "nodes: n0, $ok, stripe: {count: 2}"
	bad_storage "drain: 'fs' is not an entry with a device" "nodes: n0, $ok, drain: {to: fs}"
	bad_storage "drain: 'bb' drains into itself in the end" "nodes: n0, $ok, drain: {to: bb}"
	bad_storage "io: the device of 'bb' needs nodes" "at: leaf, $ok"
	run -2 --separate-stderr topogen line:nodes=2 --io nodes:list=n0,storage=@none
	[ "$stderr" = "topogen: --io nodes:list=n0,storage=@none: '@none': there is no share/storage/none.yaml" ]
}
