# topogen-sites.bats - machines from what sites have besides InfiniBand's own tools and Slurm
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	CORPUS=$BATS_TEST_DIRNAME/fuzz/corpus
}

# rows FILE TABLE: the rows of a table of a topology file
rows() {
	awk -v table="  $2: |" '$0 == table { on = 1; getline; next } on && !/^    / { exit } on' "$1"
}

refused() { # FORMAT MESSAGE, input from stdin
	cat >bad
	run -2 --separate-stderr topogen --from "$1" bad
	[[ $stderr == "topogen: bad:"$2* ]] || { echo "$stderr" && return 1; }
}

# ---- netloc ----

@test "netloc: hosts, parallel cables and the routes that the file has" {
	topogen --from netloc "$CORPUS/netloc/small.txt" -o m.yaml
	grep -qx 'routing: table' m.yaml
	[ "$(rows m.yaml nodes | paste -sd ' ' | tr -s ' ')" = ' n0 n1 n2_ n3' ]
	rows m.yaml routes | diff - <(printf '    %s\t%s\t%s\t%s\n' leaf0 leaf1 0 n2_ leaf0 leaf1 1 n3 leaf1 leaf0 0 n0 leaf1 leaf0 1 n1)
	grep -qx '  leaf-leaf: {bandwidth: 4000000000}' m.yaml
	topogen --from netloc:routes=no "$CORPUS/netloc/small.txt" | diff - <(sed '/^routing/d; /^  routes/,$d; s/netloc /netloc:routes=no /; s/ -o m.yaml//' m.yaml)
	topogen --from netloc "$CORPUS/netloc/no-routes.txt" | tail -n +4 | diff - <(sed '/^routing/d; /^  routes/,$d' m.yaml | tail -n +4)
}

@test "netloc: PlaFRIM2 is what its ibnetdiscover says, and has a route for each line of them" {
	need_shared
	xz -dc "$SHARED/data/netloc/plafrim2-IB-nodes.netloc.txt.xz" >nodes.txt
	topogen --quiet --from netloc:routes=no nodes.txt >netloc.yaml
	topogen --from ibnetdiscover "$BATS_TEST_DIRNAME/formats/ib/plafrim2-0.txt.gz" >ib.yaml
	diff <(tail -n +4 ib.yaml) <(tail -n +4 netloc.yaml)
	run -0 --separate-stderr topogen --from netloc nodes.txt -o m.yaml
	[[ $stderr == 'topogen: routes: 480 of 9120 pairs of nodes have no route: from '* ]]
	[ "$("$PLACETOOLS_BUILD/tests/tools/routestat" m.yaml | awk '/^routers/ { n += $3 } END { print n }')" -eq \
		"$(awk -F, '/^[0-9a-f:]*,[0-9a-f:]*,[0-9,]*$/' nodes.txt | wc -l)" ]
}

@test "netloc: what is wrong is refused at its line" {
	refused netloc '1: expected version 1' <<<'2'
	head -n 13 "$CORPUS/netloc/small.txt" | refused netloc '13: the file ends early'
	sed '5s/^0000/000x/' "$CORPUS/netloc/small.txt" | refused netloc '5: expected a device'
	sed '6s/:0002,/:0001,/' "$CORPUS/netloc/small.txt" | refused netloc '6: H-0000000000000001 was described at bad:5 before'
	sed '11s/:0011,/:0099,/' "$CORPUS/netloc/small.txt" | refused netloc "11: '0000:0000:0000:0099' is the GUID of no device"
	sed '12s/,1,5,1,2,/,1,4,1,2,/; 12s/,1,1,1,2,/,1,0,1,2,/' "$CORPUS/netloc/small.txt" | refused netloc '12: the link 0 is there twice'
	sed '$s/[0-9]*$/99/' "$CORPUS/netloc/small.txt" | refused netloc "29: '99' is the number of no link"
}

# ---- hwloc ----

@test "hwloc: hosts with their cores, at one switch" {
	cp "$CORPUS"/hwloc/{two-packages,in-a-job}.xml .
	printf '<topologydiff refname="two-packages.xml"><diff obj_attr_name="HostName" obj_attr_newvalue="other"/></topologydiff>' >other.diff.xml
	topogen --from hwloc two-packages.xml in-a-job.xml other.diff.xml -o m.yaml
	rows m.yaml nodes | diff - <(printf '    %s\t%d\t%s\n' two-packages 4 package:2+core:2 in-a-job 8 . other 4 package:2+core:2)
	[ "$(rows m.yaml links | wc -l)" -eq 3 ]
	topogen --from hwloc <two-packages.xml | grep -qx $'    two\t4\tpackage:2+core:2'
	# the file's name is the host's, as its HostName has been seen to be another one's
	run -0 --separate-stderr topogen -v --from hwloc two-packages.xml
	[[ $stderr == *"two-packages.xml: its HostName is 'two'; the file's name counts"* ]]
}

# host NAME OBJECT…: XML of a machine that holds these objects, written package(core core) …
host() {
	printf '<topology><object type="Machine">'
	sed -E 's/([A-Za-z0-9]+)\(/<object type="\1">/g; s/\)/<\/object>/g; s/\bC\b/<object type="Core"><object type="PU"\/><object type="PU"\/><\/object>/g' <<<"$2"
	printf '</object></topology>'
}

@test "hwloc: how the cores of a host nest; parts that differ are cores side by side" {
	while IFS=' ' read -r want objects; do
		host x "$objects" >x.xml
		topogen --from hwloc x.xml -o x.yaml
		rows x.yaml nodes | cut -f 3 | diff - <(echo "${want#none}")
	done <<-'END'
		package:2+core:2 Package(L3Cache(C C)) Package(L3Cache(C C))
		package:2+core:2 Socket(C C) Socket(C C)
		package:2+l3cache:2+core:2 Package(L3Cache(C C) L3Cache(C C)) Package(L3Cache(C C) L3Cache(C C))
		numanode:2+package:2+core:2 NUMANode(Package(C C) Package(C C)) NUMANode(Package(C C) Package(C C))
		package:2+core:3 Package(L2Cache(C C) L2Cache(C)) Package(L2Cache(C C) L2Cache(C))
		l2cache:2+core:2 Package(L2Cache(C C) L2Cache(C C))
		none Package(C C C) Package(C C)
		none Package(L2Cache(C) L2Cache(C))
	END
	# threads where no cores are told
	host x 'Package(PU() PU()) Package(PU() PU())' >x.xml
	topogen --from hwloc x.xml | grep -qx $'    x\t4\tpackage:2+pu:2'
}

@test "hwloc: what nests in a host, and in several" {
	topogen --from hwloc:nodes=pus "$CORPUS/hwloc/two-packages.xml" -o pus.yaml
	[ "$(topogen --to summary pus.yaml | awk '$3 == "nodes" || $3 == "routers" || $3 == "diameter" { print $4 }' | paste -sd ' ')" = '8 7 4' ]
	cp "$CORPUS/hwloc/two-packages.xml" a.xml
	cp a.xml b.xml
	topogen --from hwloc:nodes=cores a.xml b.xml -o m.yaml
	[ "$(rows m.yaml links | awk '{ print $3 }' | sort | uniq -c | paste -sd ' ' | tr -s ' ')" = ' 4 machine 2 network 8 terminal' ]
	[ "$(topogen --to summary m.yaml | awk '$1 == "tier" { print $2, $4 }')" = 'host 2' ]
	# a host of packages is nodes of packages
	[ "$(topogen --from hwloc:nodes=packages a.xml | sed -n '/nodes: |/,/links: |/p' | grep -c package)" -eq 2 ]
	run -2 --separate-stderr topogen --from hwloc:nodes=cores "$CORPUS/hwloc/in-a-job.xml"
	[[ $stderr == *'in-a-job.xml: the listing was made inside a job'* ]]
}

@test "hwloc: every host of two real clusters; the cores of a fabric's nodes" {
	need_shared
	tar xJf "$SHARED/data/ib/avakas-hwloc-xml.tar.xz"
	tar xJf "$SHARED/data/ib/plafrim2-hwloc-xml.tar.xz"
	topogen --from hwloc avakas/hwloc/*.xml >m.yaml
	[ "$(rows m.yaml nodes | awk '{ n[$2]++ } END { print n[12], n[16], n[32], n[40], n[24] }')" = '265 4 2 4 1' ]
	# most of these were made inside a Slurm job of one core
	topogen --from ibnetdiscover:hwloc=plafrim2/hwloc "$BATS_TEST_DIRNAME/formats/ib/plafrim2-0.txt.gz" >m.yaml
	[ "$(rows m.yaml nodes | awk '$2 == 24' | wc -l)" -eq 95 ]
	[ "$(rows m.yaml nodes | awk '$2 != 24' | cut -f 1,2)" = $'    bright\t1' ]
	run -2 --separate-stderr topogen --from ibnetdiscover:hwloc=. "$BATS_TEST_DIRNAME/formats/ib/plafrim2-0.txt.gz"
	[[ $stderr == 'topogen: hwloc=.: it has the XML of no node' ]]
}

@test "hwloc: what is wrong is refused" {
	refused hwloc ' is empty' </dev/null
	refused hwloc '1: <html> is not hwloc XML' <<<'<html></html>'
	refused hwloc '1: an object without a type' <<<'<topology><object/></topology>'
	refused hwloc ' no Core and no PU' <<<'<topology><object type="Machine"/></topology>'
	refused hwloc '1: a difference without refname' <<<'<topologydiff/>'
	refused hwloc "1: refname='../x'" <<<'<topologydiff refname="../x"/>'
	refused hwloc ' refname: absent.xml: No such file' <<<'<topologydiff refname="absent.xml"/>'
	refused hwloc ' differences to differences' <<<'<topologydiff refname="bad"/>'
}

# ---- Cray and Slingshot: made by hand in the layout that parsers of sites read ----

@test "cray-rtr: routers, three dimensions, nodes, chassis and groups" {
	topogen --from cray-rtr "$CORPUS/cray_rtr/small.txt" -o m.yaml
	[ "$(rows m.yaml links | awk '{ print $3 }' | sort | uniq -c | paste -sd ' ' | tr -s ' ')" = ' 3 black 2 blue 2 green 20 terminal' ]
	[ "$(topogen --to summary m.yaml | awk '$1 == "tier" { print $2, $4 }' | paste -sd ' ')" = 'chassis 3 group 2' ]
	[ "$(rows m.yaml nodes | head -n 5 | paste -sd ' ' | tr -s ' ')" = ' c0-0c0s0n0 c0-0c0s0n1 c0-0c0s0n2 c0-0c0s0n3 c0-0c0s1n0' ]
	placecheck --machine -t m.yaml
	# what xtprocadmin prints names the nodes, and says which are there
	printf '  NID    (HEX)    NODENAME     TYPE    STATUS        MODE\n    4      0x4  c0-0c0s1n0  compute        up       batch\n    5      0x5  c0-0c0s1n1  compute        up       batch\n' >xtprocadmin
	topogen --from cray-rtr --node-name-map xtprocadmin "$CORPUS/cray_rtr/small.txt" >m.yaml
	[ "$(rows m.yaml nodes | paste -sd ' ' | tr -s ' ')" = ' nid00004 nid00005' ]
	[ "$(rows m.yaml links | head -n 1)" = $'    nid00004\tc0-0c0s1a0\tterminal' ]
}

@test "cray-rtr: one-sided links are warned about, contradictions refused" {
	grep -v '^c1-0.* blue ->' "$CORPUS/cray_rtr/small.txt" >part
	run -0 --separate-stderr topogen --from cray-rtr part
	[[ ${stderr_lines[0]} == 'topogen: part:'*': c0-0c0s1a0l45 leads to c1-0c0s0a0l45, which does not report it' ]]
	[ "${stderr_lines[1]}" = 'topogen: 2 links were reported by one end only' ]
	refused cray-rtr '1: c0-0c0s0a0l00 leads to c0-0c0s1a0l10, which leads to c0-0c0s2a0l10 at bad:2' <"$CORPUS/cray_rtr/contradiction.txt"
	refused cray-rtr '1: expected a link' <<<'hello'
	refused cray-rtr "1: expected '->'" <<<'c0-0c0s0a0l00(0:0:0) green'
	refused cray-rtr '1: expected the other end' <<<'c0-0c0s0a0l00(0:0:0) green -> x'
	refused cray-rtr '2: the tile c0-0c0s0a0l00 is there twice' <<<$'c0-0c0s0a0l00 green -> c0-0c0s1a0l00\nc0-0c0s0a0l00 green -> c0-0c0s2a0l00'
	refused cray-rtr ' no tile' </dev/null
	echo x >map
	run -2 --separate-stderr topogen --from cray-rtr --node-name-map map "$CORPUS/cray_rtr/small.txt"
	[[ $stderr == 'topogen: map:1: expected a line of xtprocadmin'* ]]
	run -2 --separate-stderr topogen --from shasta-addr --node-name-map map "$CORPUS/shasta_addr/small.txt"
	[[ $stderr == 'topogen: --node-name-map: shasta-addr has no names'* ]]
}

@test "shasta-addr: switches of a group all to all, groups joined evenly, a second NIC by its MAC address" {
	topogen --from shasta-addr "$CORPUS/shasta_addr/small.txt" -o m.yaml
	[ "$(rows m.yaml links | awk '{ print $3 }' | sort | uniq -c | paste -sd ' ' | tr -s ' ')" = ' 3 global 2 local 9 terminal' ]
	[ "$(rows m.yaml links | awk '$1 == "x00001" { print $2 }' | paste -sd ' ')" = 'g0s0 g0s1' ]
	placecheck --machine -t m.yaml
	[ "$(topogen --from shasta-addr:global-links=4 "$CORPUS/shasta_addr/small.txt" | grep -c global$)" -eq 12 ]
	# the whole of a group: 4 switches of 2 nodes in 5 groups is the dragonfly of that size
	for g in 0 1 2 3 4; do for s in 0 1 2 3; do for p in 0 1; do
		printf 'n%d NIC 0 macaddr 02:00:00:00:00:00 logaddr 0 location %d.%d.%d\n' $((g * 8 + s * 2 + p)) $g $s $p
	done; done; done >all
	topogen --from shasta-addr all >all.yaml
	diff <(topogen --to edges all.yaml | awk '{ for (i = 1; i <= 2; i++) if (match($i, /^g.s./)) $i = "r" substr($i, 2, 1) * 4 + substr($i, 4, 1); print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort) \
		<(topogen --to edges dragonfly:groups=5,routers=4,nodes=2 | awk '{ print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort)
}

@test "shasta-addr: what is wrong is refused at its line" {
	refused shasta-addr '1: expected a NIC' <<<'x1 1 2'
	refused shasta-addr "1: '1.99.3' is not a location" <"$CORPUS/shasta_addr/high.txt"
	refused shasta-addr '2: the port 1.2.3 has another NIC at bad:1' <"$CORPUS/shasta_addr/twice.txt"
	refused shasta-addr '1: neither a location nor a MAC address' <<<'x1 NIC 0 macaddr 02:zz'
	refused shasta-addr ' no NIC' </dev/null
}

# ---- Scotch ----

need_scotch() {
	[[ $("$PLACETOOLS_BUILD/tests/tools/archdist" 2>&1) != 'no libscotch' ]] || skip 'libscotch is not here'
}

# architecture SPEC OPTIONS: what libscotch says of it, and which distance stands for how many links
architecture() {
	topogen --to "scotch$2" "$1" >target
	"$PLACETOOLS_BUILD/tests/tools/archdist" target "$1" >known
	paste -sd , known
}

@test "--to scotch: trees and fat trees are tleaf, a level half of the way" {
	need_scotch
	[ "$(architecture tree:arity=2x2x4)" = 'tleaf 16,0: 0,1: 2,2: 4,3: 6' ]
	[ "$(architecture fattree:down=4x4x2,up=1x2x2)" = 'tleaf 32,0: 0,1: 2,2: 4,3: 6' ]
	topogen --to scotch:cores fattree:k=2,levels=3,cores=4 >target
	[ "$(cat target)" = $'tleaf\n4 2 1 2 1 2 1 4 1' ]
}

@test "--to scotch: meshes, tori, hypercubes and complete graphs are Scotch's own" {
	need_scotch
	[ "$(architecture torus:dims=4x3)" = 'torusXD 12,0: 0,1: 3,2: 4,3: 5' ]
	[ "$(architecture mesh:dims=2x3x2)" = 'mesh3D 12,0: 0,1: 3,2: 4,3: 5,4: 6' ]
	[ "$(architecture mesh:dims=5x2)" = 'mesh2D 10,0: 0,1: 3,2: 4,3: 5,4: 6,5: 7' ]
	[ "$(architecture line:nodes=4)" = 'mesh2D 4,0: 0,1: 3,2: 4,3: 5' ]
	[ "$(architecture torus:dims=4x3x2)" = 'torusXD 24,0: 0,1: 3,2: 4,3: 5,4: 6' ]
	[ "$(architecture ring:nodes=5)" = 'torusXD 5,0: 0,1: 3,2: 4' ]
	[ "$(architecture hypercube:dims=3)" = 'hcub 8,0: 0,1: 3,2: 4,3: 5' ]
	[ "$(architecture complete:nodes=4)" = 'cmplt 4,0: 0,1: 3' ]
}

@test "--to scotch: everything else is told by its distances" {
	need_scotch
	[ "$(architecture dragonfly:groups=5,routers=4,nodes=2)" = 'deco 40,0: 0,2: 2,3: 3,4: 4,5: 5' ]
	[ "$(architecture mesh:dims=2x2x2x2)" = 'deco 16,0: 0,3: 3,4: 4,5: 5,6: 6' ]
	[ "$(architecture torus:dims=3x3,per-router=2)" = 'deco 18,0: 0,2: 2,3: 3,4: 4' ]
	[ "$(architecture "$ROOT/share/machines/avakas.yaml")" = 'deco 281,0: 0,2: 2,4: 4' ]
	[ "$(topogen --to scotch:cores torus:dims=2x2,cores=2 | head -n 3 | paste -sd ' ')" = 'deco 0 8 15' ]
	run -2 --separate-stderr topogen --to scotch dragonfly:groups=33,routers=16,nodes=16
	[[ $stderr == *'at most 8192 processors; it has 8448' ]]
	topogen --from hwloc "$CORPUS"/hwloc/{two-packages,in-a-job}.xml -o m.yaml
	run -2 --separate-stderr topogen --to scotch:cores m.yaml
	[[ $stderr == *'different numbers of cores'* ]]
}

@test "--bandwidth, --latency: speeds of a machine that has none, or others" {
	set -o pipefail
	printf 'SwitchName=l%d Nodes=n[%d-%d]\n' 0 0 1 1 2 3 >t.conf
	echo 'SwitchName=top Switches=l[0-1]' >>t.conf
	topogen --from slurm-conf t.conf >m.yaml
	grep -q '^  leaf-spine: {bandwidth: guessed}' m.yaml
	topogen --no-provenance --to explicit m.yaml | diff <(grep -v "^#" m.yaml) -
	printf '##placetools=jobs/1\njob\tnodes\tpattern\tbytes\nj\t4\talltoall\t1MiB\n' |
		allocate -t m.yaml -p simple - >placed
	run -2 --separate-stderr netsim -t m.yaml placed
	[ "$stderr" = 'netsim: m.yaml: the bandwidth of the terminal links is a guess: expected topogen --bandwidth terminal=SPEED, -s terminal-bandwidth=SPEED or -s guesses=accept' ]
	[ -z "$output" ]
	run -2 --separate-stderr netsim -s terminal-bandwidth=1GB/s -t m.yaml placed
	[[ $stderr == *'of the leaf-spine links is a guess'* ]]
	netsim -s guesses=accept -t m.yaml placed | grep -v '^##' >guessed
	netsim -s bandwidth=1GB/s -t m.yaml placed | grep -v '^##' | diff guessed -
	topogen --bandwidth terminal=1GB/s --bandwidth leaf-spine=8Gbit/s --latency leaf-spine=2us m.yaml >told.yaml
	grep -q '^  leaf-spine: {bandwidth: 1000000000, latency: 2e-06}' told.yaml
	netsim -s leaf-spine-latency=100ns -t told.yaml placed | grep -v '^##' | diff guessed -
	topogen --bandwidth local=5GB/s dragonfly:groups=3,routers=2,nodes=2,local-bandwidth=1GB/s | grep -q '^  local: {bandwidth: 5GB/s}'
	run -2 --separate-stderr topogen --bandwidth lcal=5GB/s dragonfly:groups=3,routers=2,nodes=2
	[[ $stderr == "topogen: --bandwidth: 'lcal' is not a level of links: expected one of node, terminal, local, global" ]]
	run -2 --separate-stderr topogen --latency local=fast dragonfly:groups=3,routers=2,nodes=2
	[[ $stderr == "topogen: --latency: 'fast' is not a time such as 100ns" ]]
}

@test "uplinks: cables between switches that Slurm does not know of; that one is a guess is told" {
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' 'SwitchName=s Switches=l[0-1]' 'SwitchName=l0 Nodes=n[0-3]' 'SwitchName=l1 Nodes=n[4-7]' > t.conf
	run -0 --separate-stderr topogen --from slurm-conf t.conf -o one.yaml
	[[ $stderr == *'is a guess (uplinks=, link-speed=, --bandwidth)' ]]
	run -0 --separate-stderr topogen --from slurm-conf:uplinks=4 t.conf -o four.yaml
	[ -z "$stderr" ]
	# 4 of 8 nodes' worth of bandwidth crosses the middle, where one cable had a quarter of it
	bisection() { topogen --to summary "$1" | grep -i bisection; }
	[ "$(bisection one.yaml)" != "$(bisection four.yaml)" ]
	placecheck --machine -t four.yaml
	# where no switch has a LinkSpeed, link-speed= is that of all cables, and nothing is a guess
	topogen --from slurm-conf:uplinks=4,link-speed=100Gbit/s t.conf -o told.yaml
	[ "$(topogen --to summary told.yaml | mlr --itsv --onidx --skip-comments filter '$metric == "bandwidth"' then cut -f value | paste -sd ' ')" = '12500000000 12500000000' ]
	stream jobs 'job nodes' 'a 8' | allocate -t told.yaml | netsim -p alltoall >sim.tsv
	# where some have one, the others stay unknown
	sed 's/l0 Nodes/l0 LinkSpeed=2 Nodes/' t.conf >some.conf
	topogen --from slurm-conf:uplinks=4,link-speed=100Gbit/s some.conf -o some.yaml
	grep -q 'bandwidth: guessed' some.yaml
}
