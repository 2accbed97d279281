# topogen-import.bats - machines from the descriptions that sites have
load helper

FORMATS=$ROOT/tests/formats

# The rows of a table in an explicit machine: rows FILE nodes|routers|links
rows() {
	awk -v want="  $2: |" '$0 == want { on = 1; getline; next } /^  [a-z]/ { on = 0 } on' "$1"
}

count() {
	rows "$1" "$2" | wc -l
}

# Reading what was written gives the same bytes.
survives() {
	topogen --no-provenance --to explicit "$1" | cmp - <(grep -v '^#' "$1")
}

# ---- InfiniBand ----

# Compares a machine with what awk counts in the ports report that it was made from.
like_report() {
	local report=$1 machine=$2
	zcat -f "$report" | awk -v OFS='\t' '
		$1 == "CA" { adapters[$4] = 1 }
		$1 == "SW" { switches[$4] = 1 }
		($1 == "CA" || $1 == "SW") && $7 == "-" { ends++ }
		$1 == "CA" && $7 == "-" { terminal++ }
		END { print length(adapters), length(switches), ends / 2, terminal }' >wanted
	printf '%d\t%d\t%d\t%d\n' "$(count "$machine" nodes)" "$(count "$machine" routers)" \
		"$(count "$machine" links)" "$(rows "$machine" links | grep -c terminal)" >got
	diff wanted got
}

@test "ibnetdiscover -p: Avakas has the report's adapters, switches and cables" {
	topogen --from ibnetdiscover "$FORMATS/ib/avakas.txt.gz" >m.yaml
	like_report "$FORMATS/ib/avakas.txt.gz" m.yaml
	[ "$(cat got)" = $'281\t25\t569\t281' ]
	[ "$(rows m.yaml links | grep -c leaf-spine)" -eq 288 ]
	survives m.yaml
}

@test "ibnetdiscover -p: the slow cable of Avakas is a level of its own" {
	topogen --from ibnetdiscover "$FORMATS/ib/avakas.txt.gz" >m.yaml
	grep -qx '  terminal: {bandwidth: 4000000000}' m.yaml
	grep -qx '  terminal-4xDDR: {bandwidth: 2000000000}' m.yaml
	[ "$(rows m.yaml links | grep -- -4xDDR)" = $'    node008\tS-00066a00ec002e04\tterminal-4xDDR' ]
}

@test "ibnetdiscover: switches by a word of their description, leaves by their nodes' names" {
	topogen --from ibnetdiscover:switch-names=last "$FORMATS/ib/avakas.txt.gz" >m.yaml
	[ "$(rows m.yaml routers | tr -d ' \n')" = \
		L107L105L103L101L115L113L111L109L116L114L112L110L108L106L104L102S201AS201BS203AS203BS205AS205BS207AS207BS209A ]
	rows m.yaml nodes | head -n 18 | tr -d ' ' | cmp - <(printf 'node%03d\n' {1..18})
}

@test "ibnetdiscover: the report and the whole form of one fabric make one machine" {
	need_shared
	topogen --from ibnetdiscover:switch-names=last "$FORMATS/ib/avakas.txt.gz" >report.yaml
	topogen --from ibnetdiscover:switch-names=last "$SHARED/data/ib/avakas.ibnetdiscover" >whole.yaml
	topogen --from ibnetdiscover:switch-names=last "$SHARED/data/ib/avakas.net" >ibsim.yaml
	# the simulated ones know no DDR, and no port order of parallel cables
	for f in report whole ibsim; do
		sed -n '/^tables:/,$p' $f.yaml | sed 's/-4xDDR//' >$f.tables
	done
	cmp report.tables whole.tables
	cmp report.tables ibsim.tables
}

@test "ibnetdiscover: PlaFRIM2, each subnet and both together" {
	for subnet in 0 1; do
		topogen --from ibnetdiscover:nodes=adapters "$FORMATS/ib/plafrim2-$subnet.txt.gz" >m.yaml
		like_report "$FORMATS/ib/plafrim2-$subnet.txt.gz" m.yaml
		survives m.yaml
	done
	zcat "$FORMATS"/ib/plafrim2-?.txt.gz >both.txt
	topogen --from ibnetdiscover:nodes=adapters both.txt >m.yaml
	like_report both.txt m.yaml
	# bright has an adapter in each: qib0 and mlx4_0
	topogen --from ibnetdiscover "$FORMATS"/ib/plafrim2-{0,1}.txt.gz >hosts.yaml
	[ "$(count hosts.yaml nodes)" -eq 118 ]
	[ "$(count hosts.yaml links)" -eq 178 ]
	[ "$(rows hosts.yaml links | awk '$1 == "bright" { print $2 }' | paste -sd ' ')" = \
		'ibedge02 MF0;switchIB-MLX01:IS5030/U1' ]
}

@test "ibnetdiscover: a name that is not unique gives way to the GUID" {
	topogen --from ibnetdiscover "$FORMATS/ib/plafrim2-1.txt.gz" >m.yaml
	[ "$(rows m.yaml nodes | grep -c ' H-f4521403')" -eq 21 ]
	run ! grep MT25408 m.yaml
}

@test "ibnetdiscover: the whole form, and ibsim's input" {
	for f in ft.ibnetdiscover ft.net; do
		topogen --from ibnetdiscover "$FORMATS/ib/$f" >m.yaml
		[ "$(count m.yaml nodes) $(count m.yaml routers) $(count m.yaml links)" = '16 6 32' ]
		survives m.yaml
	done
	topogen --to slurm-conf m.yaml >t.conf
	printf 'SwitchName=leaf%d Nodes=node[%02d-%02d]\n' 0 0 3 1 4 7 2 8 11 3 12 15 >wanted
	echo 'SwitchName=top Switches=leaf[0-3]' >>wanted
	diff wanted t.conf
}

@test "ibnetdiscover: every net file of ibsim" {
	need_shared
	for f in "$SHARED"/data/ib/ibsim-net-examples/net* "$SHARED"/data/ib/*.net; do
		topogen --from ibnetdiscover "$f" >m.yaml
		[ "$(count m.yaml nodes)" -eq "$(grep -c '^Hca' "$f")" ]
		[ "$(count m.yaml routers)" -eq "$(grep -c '^Switch' "$f")" ]
		[ "$(rows m.yaml links | grep -c terminal)" -eq \
			"$(awk '/^Hca/ { on = 1 } /^$/ { on = 0 } on && /^\[/' "$f" | wc -l)" ]
		survives m.yaml
	done
}

@test "ibnetdiscover -g: chassis, external ports, hosts with two adapters or two ports" {
	topogen --no-provenance --from ibnetdiscover "$FORMATS/ib/chassis.ibnetdiscover" >m.yaml
	golden topogen/chassis.yaml m.yaml
}

@test "ibnetdiscover: a core, pods, and a node at the core" {
	cat >core.net <<-'END'
		Switch 8 "s1"
		[1] "n1"[1]
		[2] "a1"[1]
		Switch 8 "s2"
		[1] "n2"[1]
		[2] "a2"[1]
		Switch 8 "a1"
		[1] "s1"[2]
		[2] "c"[1]
		Switch 8 "a2"
		[1] "s2"[2]
		[2] "c"[2]
		Switch 8 "c"
		[1] "a1"[2]
		[2] "a2"[2]
		Hca 1 "n1"
		[1] "s1"[1]
		Hca 1 "n2"
		[1] "s2"[1]
	END
	topogen --no-provenance --from ibnetdiscover core.net >m.yaml
	golden topogen/core.yaml m.yaml
}

@test "ibnetdiscover: a spine with a management node stays a spine" {
	{
		echo 'Switch 24 "l1"'
		for i in {1..12}; do echo "[$i] \"n$i\"[1]"; done
		printf '[20] "s"[1]\nSwitch 24 "l2"\n'
		for i in {13..24}; do echo "[$((i - 12))] \"n$i\"[1]"; done
		printf '[20] "s"[2]\nSwitch 24 "s"\n[1] "l1"[20]\n[2] "l2"[20]\n[3] "m"[1]\n'
		printf 'Hca 1 "m"\n[1] "s"[3]\n'
		for i in {1..24}; do printf 'Hca 1 "n%d"\n[1] "l%d"[%d]\n' $i $(((i + 11) / 12)) $(((i - 1) % 12 + 1)); done
	} >spine.net
	topogen --from ibnetdiscover spine.net >m.yaml
	[ "$(rows m.yaml links | grep -c leaf-spine)" -eq 2 ]
	run ! grep -q leaf-leaf m.yaml
}

@test "--node-name-map names devices by their GUID" {
	cat >names <<-'END'
		# GUID and name
		0x0000000000200004 "spine left"
		0x0000000000100000	"first"	# node00
		0x0000000000999999 "of nothing here"
	END
	topogen --from ibnetdiscover --node-name-map names "$FORMATS/ib/ft.ibnetdiscover" >m.yaml
	[ "$(rows m.yaml links | grep -c $'\tspine_left\t')" -eq 8 ]
	[ "$(rows m.yaml links | grep first)" = $'    first\tleaf0\tterminal' ]
	printf '# x\nspine "left"\n' >bad
	run -2 --separate-stderr topogen --from ibnetdiscover --node-name-map bad "$FORMATS/ib/ft.ibnetdiscover"
	[[ $stderr == "topogen: bad:2: expected a GUID (0x…)"* ]]
	printf '0x1 left\n' >bad
	run -2 --separate-stderr topogen --from ibnetdiscover --node-name-map bad "$FORMATS/ib/ft.ibnetdiscover"
	[[ $stderr == "topogen: bad:1: expected a name in quotes"* ]]
}

@test "ibnetdiscover: one-sided cables and missing devices are warned about" {
	zcat "$FORMATS/ib/plafrim2-0.txt.gz" | grep -v '^CA .*miriel001' >without.txt
	run -0 --separate-stderr topogen --from ibnetdiscover without.txt
	[[ ${stderr_lines[0]} == "topogen: without.txt:"*" has a cable that port 1 of "*" does not report (1 such)" ]]
	[[ ${stderr_lines[1]} == "topogen: without.txt:"*" is named here and described nowhere (1 such): is the file whole?" ]]
	topogen --quiet --from ibnetdiscover without.txt 2>messages >m.yaml
	[ ! -s messages ]
	like_report "$FORMATS/ib/plafrim2-0.txt.gz" m.yaml
}

@test "ibnetdiscover from standard input; cores" {
	topogen --from ibnetdiscover:cores=12 <"$FORMATS/ib/ft.net" >m.yaml
	grep -qx 'name: machine' m.yaml
	grep -qx 'nodes: {cores: 12}' m.yaml
}

# ---- Slurm ----

@test "slurm-conf: there and back" {
	topogen --from slurm-conf "$FORMATS/slurm/topology.conf" >m.yaml
	[ "$(count m.yaml nodes) $(count m.yaml routers) $(count m.yaml links)" = '16 5 20' ]
	survives m.yaml
	topogen --to slurm-conf m.yaml | diff "$FORMATS/slurm/topology.conf" -
}

@test "slurm-show and slurm-yaml tell the same machine" {
	topogen --from slurm-conf "$FORMATS/slurm/topology.conf" | sed -n '/^links:/,$p' >wanted
	topogen --from slurm-show "$FORMATS/slurm/scontrol_show_topology.txt" |
		sed -n '/^links:/,$p' | diff wanted -
	topogen --from slurm-conf "$FORMATS/slurm/topology.conf" | topogen --to slurm-yaml - >t.yaml
	golden topogen/slurm-topology.yaml t.yaml
	topogen --from slurm-yaml t.yaml | sed -n '/^links:/,$p' | diff wanted -
}

@test "slurm-conf: three levels nest, several roots" {
	cat >t.conf <<-'END'
		SwitchName=l0 Nodes=n[0-1] LinkSpeed=4
		SwitchName=l1 Nodes=n[2-3] LinkSpeed=4
		SwitchName=l2 Nodes=n[4-5] LinkSpeed=8
		SwitchName=s0 Switches=l[0-1] LinkSpeed=8
		SwitchName=s1 Switches=l2 LinkSpeed=8
		SwitchName=core Switches=s[0-1] LinkSpeed=8
		SwitchName=other Nodes=x[1-2] LinkSpeed=4
	END
	topogen --no-provenance --from slurm-conf:link-speed=10Gbit/s t.conf >m.yaml
	golden topogen/slurm-nested.yaml m.yaml
	survives m.yaml
	sed 's/ LinkSpeed=.*//' t.conf | sort >wanted
	topogen --to slurm-conf m.yaml | sort | diff wanted -
}

@test "slurm-conf: spines that share their leaves are cables of a fat tree, and one top to Slurm" {
	cat >t.conf <<-'END'
		SwitchName=l0 Nodes=n[0-1]
		SwitchName=l1 Nodes=n[2-3]
		SwitchName=s0 Switches=l[0-1]
		SwitchName=s1 Switches=l[0-1]
	END
	topogen --from slurm-conf t.conf >m.yaml
	[ "$(rows m.yaml links | grep -c leaf-spine)" -eq 4 ]
	topogen --to slurm-conf m.yaml | diff - <(head -n 2 t.conf && echo 'SwitchName=top Switches=l[0-1]')
}

@test "slurm-conf: blocks nest by their sizes" {
	printf 'BlockName=b%d Nodes=n[%d-%d]\n' 0 0 3 1 4 7 2 8 11 3 12 15 >t.conf
	echo BlockSizes=4,8 >>t.conf
	topogen --from slurm-conf t.conf | topogen --to slurm-conf:as=tree - >tree.conf
	printf 'SwitchName=b%d Nodes=n[%d-%d]\n' 0 0 3 1 4 7 2 8 11 3 12 15 >wanted
	printf 'SwitchName=%s Switches=%s\n' blocks-8-0 'b[0-1]' blocks-8-1 'b[2-3]' \
		blocks 'blocks-8-[0-1]' >>wanted
	diff wanted tree.conf
}

@test "slurm-conf and slurm-yaml: blocks without nodes keep their places; sizes as slurmctld takes them" {
	printf 'BlockName=b0 Nodes=n[0-3]\nBlockName=b1\nBlockName=b2 Nodes=\nBlockName=b3 Nodes=n[4-7]\nBlockName=b4 Nodes=n[8-11]\nBlockSizes=4,8\n' >t.conf
	topogen --from slurm-conf t.conf >m.yaml
	[ "$(rows m.yaml routers | head -n 5 | sed 's/^ *//' | cut -f 1-2 | tr '\t\n' ' ,')" = 'b0 0,b1 0,b2 1,b3 1,b4 2,' ]
	cat >t.yaml <<-'END'
		- topology: t
		  block:
		    block_sizes: [4, 8]
		    blocks: [{block: b0, nodes: 'n[0-3]'}, {block: b1}, {block: b2, nodes: ''}, {block: b3, nodes: 'n[4-7]'}, {block: b4, nodes: 'n[8-11]'}]
	END
	topogen --from slurm-yaml t.yaml | sed -n '/^links:/,$p' | diff <(sed -n '/^links:/,$p' m.yaml) -
	sed -i /block_sizes/d t.yaml
	topogen --from slurm-yaml t.yaml >m.yaml
	for sizes in 4,12 4,131072,262144 3,4 0,4 4,8,x; do
		{ grep -v BlockSizes t.conf; echo "BlockSizes=$sizes"; } >bad.conf
		run -2 --separate-stderr topogen --from slurm-conf bad.conf
		[[ $stderr == 'topogen: bad.conf:6: '* && $stderr != *$'\n'* ]]
	done
	[ -e "$SHARED/data/domains/slurm/block_bad_options.yaml" ] || return 0
	run -2 --separate-stderr topogen --from slurm-yaml "$SHARED/data/domains/slurm/block_bad_options.yaml"
	[[ $stderr == *'block_bad_options.yaml:'*': block size 12 is not 4 times a power of two'* ]]
}

@test "slurm-yaml: the nodes of a torus count up along x first" {
	printf -- '- topology: t\n  torus3d: {toruses: [{name: pod, dims: {x: 4, y: 4, z: 2}, nodes: "n[1-32]"}]}\n' >t.yaml
	topogen --from slurm-yaml t.yaml >m.yaml
	rows m.yaml links | sed 's/^ *//' | awk '$1 == "pod-0" { print $2 } $2 == "pod-0" && /pod.*pod/ { print $1 }' | sort -V | tr '\n' ' ' >peers
	[ "$(cat peers)" = 'pod-1 pod-3 pod-4 pod-12 pod-16 ' ]
}

@test "slurm-yaml: rings and tori are the machines of their specs; several of them are islands" {
	cat >t.yaml <<-'END'
		- topology: rings
		  ring:
		    rings:
		      - {ring: a, nodes: 'n[0-4]'}
		      - {ring: b, nodes: 'n[5-6]'}
		- topology: torus
		  torus3d:
		    toruses:
		      - name: pod
		        dims: {x: 2, y: 3, z: 4}
		        nodes: n[0-23]
		        placements: [{dims: {x: 2, y: 3, z: 1}}]
	END
	topogen --from slurm-yaml:topology=torus t.yaml >torus.yaml
	links() { # every link of routers, its ends in order
		rows "$1" links | grep -v terminal | sed 's/pod-/r/g' |
			awk '{ print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort
	}
	topogen --to explicit torus:dims=2x3x4 >spec.yaml
	links torus.yaml >imported
	[ "$(wc -l <imported)" -eq 60 ]
	links spec.yaml | diff imported -
	topogen --from slurm-yaml:topology=rings t.yaml >rings.yaml
	[ "$(rows rings.yaml links | grep -c -v terminal)" -eq 6 ] # 5 and 1
	printf 'RingName=%s Nodes=%s\n' a 'n[0-4]' b 'n[5-6]' >t.conf
	topogen --from slurm-conf t.conf | sed -n '/^links:/,$p' | diff <(sed -n '/^links:/,$p' rings.yaml) -
	printf '##placetools=jobs/1\njob\tnodes\nwide\t6\nfits\t5\n' >jobs.tsv
	run -0 --separate-stderr allocate -t rings.yaml -p simple jobs.tsv
	[ "$(grep -v '^##' <<<"$output" | cut -f 5 | tr '\n' ' ')" = 'nodelist . n[0-4] ' ]
	sed 's/z: 4/z: 5/' t.yaml >bad.yaml
	run -2 --separate-stderr topogen --from slurm-yaml:topology=torus bad.yaml
	[ "$stderr" = 'topogen: bad.yaml:9: pod has 24 nodes, expected 2 x 3 x 5' ]
	printf 'RingName=a Nodes=n[0-4]\nSwitchName=s Nodes=m\n' >bad.conf
	run -2 --separate-stderr topogen --from slurm-conf bad.conf
	[ "$stderr" = 'topogen: bad.conf:2: a switch in a topology of blocks or rings' ]
}

@test "slurm-conf of generated machines: routers, groups, top" {
	topogen --to slurm-conf dragonfly:groups=3,routers=2,nodes=2 >t.conf
	cat >wanted <<-'END'
		SwitchName=r0 Nodes=n[0-1]
		SwitchName=r1 Nodes=n[2-3]
		SwitchName=r2 Nodes=n[4-5]
		SwitchName=r3 Nodes=n[6-7]
		SwitchName=r4 Nodes=n[8-9]
		SwitchName=r5 Nodes=n[10-11]
		SwitchName=group0 Switches=r[0-1]
		SwitchName=group1 Switches=r[2-3]
		SwitchName=group2 Switches=r[4-5]
		SwitchName=top Switches=group[0-2]
	END
	diff wanted t.conf
	topogen --from slurm-conf t.conf | topogen --to slurm-conf - | diff wanted -
}

@test "every topology's example can be told to Slurm and read back" {
	set -o pipefail
	for format in slurm-conf slurm-yaml; do
		while read -r spec; do
			topogen --to $format "$spec" >t
			topogen --from $format t | topogen --to $format - |
				sed 's/topology: machine/topology: t/' | diff <(sed 's/topology: .*/topology: t/' t) -
		done < <(examples_of topogen topologies)
	done
}

# ---- malformed input ----

@test "malformed input: exit 2, with the file and the line" {
	for path in "$ROOT"/tests/bad/{ibnetdiscover,slurm-conf,slurm-show,slurm-yaml}/*; do
		format=$(basename "$(dirname "$path")")
		file=${path##*/}
		cp "$path" "$file"
		run -2 --separate-stderr topogen --from "$format" "$file"
		[ "${#stderr_lines[@]}" -ge 1 ]
		[ -z "$output" ]
		if [[ $file == empty* && ! -s $file ]]; then
			[[ ${stderr_lines[-1]} == "topogen: $file:"* ]]
		else
			[[ ${stderr_lines[-1]} =~ ^"topogen: $file:"[0-9]+": " ]]
		fi
	done
}

@test "cut anywhere, real input is read or refused, never a crash" {
	zcat "$FORMATS/ib/plafrim2-0.txt.gz" | grep -v '^DR' >whole
	for n in 1 40 100 5000 20011 30000; do
		head -c $n whole >part
		run topogen --quiet --from ibnetdiscover part
		[ "$status" -eq 0 ] || [ "$status" -eq 2 ]
	done
	for n in 1 20 60 100 150; do
		head -c $n "$FORMATS/slurm/topology.conf" >part
		run topogen --quiet --from slurm-conf part
		[ "$status" -eq 0 ] || [ "$status" -eq 2 ]
	done
}

# ---- routes ----

routestat() {
	"$PLACETOOLS_BUILD/tests/tools/routestat" "$@"
}

@test "--routes ibroute: Avakas' own tables, against a walk through them by other means" {
	topogen --from ibnetdiscover --routes ibroute:"$FORMATS/ib/avakas-ibroutes.txt.gz" \
		"$FORMATS/ib/avakas.txt.gz" 2>messages >m.yaml
	[ ! -s messages ]
	grep -qx 'routing: table' m.yaml
	routestat m.yaml >got
	diff - got <<-'END'
		routers 1: 4660
		routers 3: 74020
		none 0
		channels 576
		max_load 332
		mean_load 257.0
	END
	survives m.yaml
}

# One table of PlaFRIM2 is damaged: it tells the same LID 22 times, and none above. The first of
# these entries is the right one, by the GUID beside it.
@test "--routes ibroute: a damaged table is noticed, and what has no way is counted" {
	run -0 --separate-stderr topogen --from ibnetdiscover \
		--routes ibroute:"$FORMATS/ib/plafrim2-0-ibroutes.txt.gz" "$FORMATS/ib/plafrim2-0.txt.gz"
	[[ ${stderr_lines[0]} == "topogen: $FORMATS/ib/plafrim2-0-ibroutes.txt.gz:601: LID 63 occurred before with another port, which counts (20 such)" ]]
	[[ ${stderr_lines[1]} == "topogen: routes: 2095 of 9120 pairs of nodes have no route: from "*" to miriel008 router TS-i12k00066a00e30076ab has no entry" ]]
	[ ${#stderr_lines[@]} -eq 2 ]
	printf '%s\n' "$output" >m.yaml
	routestat m.yaml | head -n 3 | diff - <(printf 'routers 1: 1575\nrouters 3: 5450\nnone 2095\n')
	survives m.yaml

	# a walk that takes the last of those entries, as an independent one did
	zcat "$FORMATS/ib/plafrim2-0-ibroutes.txt.gz" | sed '599,619d' >last
	[ "$(grep -c '^0x003f' last)" -eq 7 ]
	topogen --quiet --from ibnetdiscover --routes ibroute:last "$FORMATS/ib/plafrim2-0.txt.gz" >m.yaml 2>messages
	routestat m.yaml | head -n 3 | diff - <(printf 'routers 1: 1575\nrouters 3: 5430\nnone 2115\n')
}

@test "--routes: opensm's two dumps say the same" {
	for dump in opensm-lfts:ft-ftree.opensm-lfts opensm-fdbs:ft-ftree.opensm.fdbs; do
		topogen --no-provenance --from ibnetdiscover --routes "${dump%%:*}:$FORMATS/ib/${dump#*:}" \
			"$FORMATS/ib/ft.ibnetdiscover" >"${dump%%:*}.yaml"
	done
	cmp opensm-lfts.yaml opensm-fdbs.yaml
	routestat opensm-lfts.yaml | diff - <(printf '%s\n' 'routers 1: 48' 'routers 3: 192' 'none 0' \
		'channels 32' 'max_load 12' 'mean_load 12.0')
}

@test "--routes ibtracert: the routes that it printed are those of the tables" {
	topogen --from ibnetdiscover --routes opensm-lfts:"$FORMATS/ib/ft-minhop.opensm-lfts" \
		"$FORMATS/ib/ft.ibnetdiscover" >lfts.yaml
	topogen --from ibnetdiscover --routes ibtracert:"$FORMATS/ib/ft-minhop.ibtracert.gz" \
		"$FORMATS/ib/ft.ibnetdiscover" >traced.yaml
	routestat traced.yaml | diff - <(routestat lfts.yaml)
	# leaves are passed by routes to every node; spines only by those that climb to them
	diff <(rows lfts.yaml routes | grep '^    leaf') <(rows traced.yaml routes | grep '^    leaf')
}

@test "--routes dump_lfts: tables under directed routes, 306 devices" {
	need_shared
	xz -dc "$SHARED/data/ib/avakas.opensm-minhop.dump_lfts.xz" |
		topogen --from ibnetdiscover --routes dump_lfts:- "$SHARED/data/ib/avakas.ibnetdiscover" >m.yaml
	routestat m.yaml | head -n 4 | diff - <(printf '%s\n' 'routers 1: 4660' 'routers 3: 74020' 'none 0' 'channels 576')
}

@test "--routes: a missing table, a circle, a table of elsewhere, ports that lead astray" {
	sed '/Lid 7 guid/,/dumped/d' "$FORMATS/ib/ft-ftree.opensm-lfts" >missing
	run -0 --separate-stderr topogen --from ibnetdiscover --routes opensm-lfts:missing "$FORMATS/ib/ft.ibnetdiscover"
	[[ ${stderr_lines[0]} == "topogen: routes: no table of the switch spine0 (1 such)" ]]
	[[ ${stderr_lines[1]} == "topogen: routes: 96 of 240 pairs of nodes have no route: from node04 to node0"?" router spine0 has no entry" ]]

	# both spines send what is for node00 (LID 1) to leaf1, which sends it up again
	sed '/Lid [79] guid/,/dumped/s/^0x0001 .../0x0001 003/' "$FORMATS/ib/ft-ftree.opensm-lfts" >circle
	run -0 --separate-stderr topogen --from ibnetdiscover --routes opensm-lfts:circle "$FORMATS/ib/ft.ibnetdiscover"
	[[ ${stderr_lines[0]} == "topogen: routes: 12 of 240 pairs of nodes have no route (12 of them in a cycle): from node04 to node00 router "*" is on a cycle" ]]
	printf '%s\n' "$output" >m.yaml
	routestat m.yaml | grep -qx 'none 12'
	survives m.yaml

	sed '1s/0x0000000000200000/0x0000000000999999/; 1s/Lid 2/Lid 99/' "$FORMATS/ib/ft-ftree.opensm-lfts" >other
	run -0 --separate-stderr topogen --from ibnetdiscover --routes opensm-lfts:other "$FORMATS/ib/ft.ibnetdiscover"
	[[ ${stderr_lines[0]} == "topogen: other:1: the switch of this table (GUID 0x0000000000999999) is not in the fabric" ]]

	sed '2s/ 001 / 003 /' "$FORMATS/ib/ft-ftree.opensm-lfts" >astray # LID 1 by the port of node02
	run -0 --separate-stderr topogen --from ibnetdiscover --routes opensm-lfts:astray "$FORMATS/ib/ft.ibnetdiscover"
	[[ ${stderr_lines[0]} == "topogen: routes: entries that lead to no cable between switches: 1" ]]
	[[ ${stderr_lines[1]} == "topogen: routes: 15 of 240 pairs of nodes have no route: from node01 to node00 router leaf0 has no entry" ]]
	printf '%s\n' "$output" >m.yaml
	rows m.yaml routes | grep -qx $'    leaf0\t.\t0\tnode00'
	survives m.yaml
}

@test "--routes that are wrong are refused at their line" {
	refused() { # FORMAT MESSAGE, input from stdin
		cat >bad
		run -2 --separate-stderr topogen --from ibnetdiscover --routes "$1:bad" "$FORMATS/ib/ft.ibnetdiscover"
		[[ $stderr == "topogen: bad:"$2* ]] || { echo "$stderr" && return 1; }
	}
	refused ibroute '1: an entry before the head' <<<'0x0001 001 : (x)'
	refused ibroute "1: expected '… of switch Lid N guid" <<<'Unicast lids [0x0-0x1] of switch Lid x guid 0x2 (y):'
	refused ibroute '2: expected a LID ' <<<$'Unicast lids [0x0-0x1] of switch Lid 2 guid 0x200000 (y):\nwhat'
	refused ibroute '2: expected an output port' <<<$'Unicast lids [0x0-0x1] of switch Lid 2 guid 0x200000 (y):\n0x0001 999'
	refused ibroute ' no table' <<<''
	refused opensm-fdbs '1: an entry before' <<<'0x0001 : 001  : 01   : yes'
	refused opensm-fdbs '2: expected LID : Port' <<<$'dump_ucast_routes: Switch 0x200000\n0x0001 001'
	refused opensm-fdbs ' no table' <<<''
	refused ibtracert "1: a step before 'From'" <<<'[1] -> switch port {0x200000}[1] lid 2-2 "leaf0"'
	refused ibtracert '1: the last route does not end' <<<'From ca {0x100000} portnum 1 lid 1-1 "node00"'
	refused ibtracert ' no route' <<<''
	run -2 --separate-stderr topogen --from ibnetdiscover --routes ibroute "$FORMATS/ib/ft.ibnetdiscover"
	[[ $stderr == *"'ibroute': expected FORMAT:FILE" ]]
	run -2 --separate-stderr topogen --from ibnetdiscover --routes else:x "$FORMATS/ib/ft.ibnetdiscover"
	[[ $stderr == *else* ]]
	run -2 --separate-stderr topogen --from ibnetdiscover --routes ibroute:"$FORMATS/ib/avakas-ibroutes.txt.gz" "$FORMATS/ib/ft.net"
	[[ $stderr == *"has no LIDs"* ]]
	run -2 --separate-stderr topogen --from slurm-conf --routes ibroute:x "$FORMATS/slurm/topology.conf"
	[[ $stderr == *"slurm-conf contains no ports"* ]]
}

@test "the table routes of a document is checked" {
	topogen --no-provenance --from ibnetdiscover --routes opensm-lfts:"$FORMATS/ib/ft-ftree.opensm-lfts" \
		"$FORMATS/ib/ft.ibnetdiscover" >good.yaml
	refused() { # MESSAGE SED-SCRIPT
		sed "/^  routes:/,\$ { $2
		}" good.yaml >bad.yaml
		run -2 --separate-stderr topogen --to summary bad.yaml
		[[ $stderr == "topogen: bad.yaml:"*": "$1* ]] || { echo "$stderr" && return 1; }
	}
	refused "routes: there is no router 'spineX'" $'s/^    leaf0\tspine0/    leaf0\tspineX/'
	refused "routes: these routers have no cable 7" $'s/^    leaf0\tspine0\t0/    leaf0\tspine0\t7/'
	refused "routes: 'x' is not a number" $'s/^    leaf0\tspine0\t0/    leaf0\tspine0\tx/'
	refused "routes: there is no node 'nope'" $'s/^\\(    leaf0\tspine0\t0\t\\).*/\\1nope/'
	refused "routes: the way to node 'node05' is there twice" $'s/^\\(    leaf0\tspine.\t.\t\\).*/\\1node05/'
	refused "routes: needs a column 'nodes'" $'s/^\\(    router\tto\tcable\t\\)nodes/\\1node/'
	# a routing that needs tables where there are none
	printf 'placetools: topology/1\ntopology: ring\nparameters: {nodes: 4}\nrouting: table\n' >m.yaml
	run -2 --separate-stderr routestat m.yaml
	[[ $stderr == *"table: the machine has no routes of its own"* ]]
}

@test "@avakas is what its report and its tables say" {
	topogen --no-provenance --from ibnetdiscover:switch-names=last,cores=12 \
		--routes ibroute:"$FORMATS/ib/avakas-ibroutes.txt.gz" \
		"$FORMATS/ib/avakas.txt.gz" | cmp - "$ROOT/share/machines/avakas.yaml"
	topogen --no-provenance --to explicit @avakas | cmp - "$ROOT/share/machines/avakas.yaml"
}

# A ring of four switches, whose tables send everything upwards: three links from n1 to n0.
@test "the machine's own routes are what tools count on, unless told otherwise" {
	{
		printf 'placetools: topology/1\ntopology: explicit\nrouting: table\ntables:\n'
		printf '  routers: |\n    router\n'
		printf '    s%d\n' {0..3}
		printf '  nodes: |\n    node\n'
		printf '    n%d\n' {0..3}
		printf '  links: |\n    from\tto\n'
		for i in {0..3}; do printf '    n%d\ts%d\n' "$i" "$i"; done
		for i in {0..3}; do printf '    s%d\ts%d\n' "$i" $(((i + 1) % 4)); done
		printf '  routes: |\n    router\tto\tnodes\n'
		for i in {0..3}; do
			printf '    s%d\ts%d\tn%d,n%d,n%d\n' "$i" $(((i + 1) % 4)) $(((i + 1) % 4)) \
				$(((i + 2) % 4)) $(((i + 3) % 4))
		done
	} >up.yaml
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\n1\t2\tn[0-1]\n' >jobs.tsv
	hops() { evalmetrics -t up.yaml -m hops "$@" jobs.tsv | awk '$3 == "hops-mean" { print $4 }'; }
	[ "$(hops)" = 4 ] # 3 there, 5 back
	[ "$(hops -r minimal)" = 3 ]

	printf '##placetools=comm/1\nsrc\tdst\tbytes\n1\t0\t1000\n' >g.tsv
	hop_bytes() {
		mapref -t up.yaml -g g.tsv --hosts 'n[0-1]' -p in-order --refine none --stats s.tsv "$@" >m.tsv
		awk '$2 == "refiner" && $3 == "hop-bytes" { print $4 }' s.tsv
	}
	[ "$(hop_bytes)" = 5000 ]
	[ "$(hop_bytes -r minimal)" = 3000 ]
	placecheck --machine -t up.yaml
}

@test "evalmetrics on Avakas: all pairs, by its tables" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\n1\t281\t%s\n' \
		"$(topogen --to slurm-conf @avakas | sed -n 's/.*Nodes=//p' | paste -sd ,)" >jobs.tsv
	evalmetrics -t @avakas -m hops jobs.tsv >m.tsv
	# routers + 1 links: (4660·2 + 74020·4) / 78680
	[ "$(awk '$3 == "hops-mean" { printf "%.9f", $4 }' m.tsv)" = "$(awk 'BEGIN { printf "%.9f", (4660 * 2 + 74020 * 4) / 78680 }')" ]
	[ "$(awk '$3 == "hops-max" { print $4 }' m.tsv)" = 4 ]
}

# ---- --to ibnetdiscover ----

cables() {
	topogen --to edges "$1" | awk -F'\t' '{ print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort
}

@test "--to ibnetdiscover is read back: names, cables, rates" {
	for spec in fattree:down=4x4,up=1x2,cables=1x2 dragonfly:groups=5,routers=4,nodes=2 torus:dims=3x3x2 \
		hypercube:dims=3,per-router=2 @avakas; do
		topogen --to ibnetdiscover "$spec" >net
		topogen --from ibnetdiscover net >m.yaml 2>messages
		[ ! -s messages ]
		diff <(cables "$spec") <(cables m.yaml)
	done
	[ "$(rows m.yaml links | awk '{ print $3 }' | sed 's,-4xDDR,,' | sort | uniq -c | tr -s ' \n' ' ')" = ' 288 leaf-spine 281 terminal ' ]
	grep -qx '  terminal: {bandwidth: 4000000000}' m.yaml # 4xQDR
}

@test "--to ibnetdiscover: what InfiniBand has not" {
	run -0 --separate-stderr topogen --to ibnetdiscover ring:nodes=3,bandwidth=9Gbit/s
	[[ ${stderr_lines[0]} == 'topogen: ibnetdiscover: the bandwidth of the level terminal, 1.125e+09 bytes/s, is not a rate of InfiniBand'* ]]
	run ! grep -q 'x[SDQ]DR' <<<"$output"
	topogen --to ibnetdiscover ring:nodes=3,bandwidth=54.545454545Gbit/s | grep -q ' 4xFDR$'
	topogen --to ibnetdiscover ring:nodes=3,bandwidth=25Gbit/s | grep -q ' 1xEDR$'
	run -2 --separate-stderr topogen --to ibnetdiscover complete:nodes=300
	[[ $stderr == "topogen: ibnetdiscover: 'r0' has 300 cables; a device of InfiniBand has at most 254 ports" ]]
}

@test "--routes: two subnets, whose LIDs and host names are there twice" {
	need_shared
	raw=$SHARED/data/ib/plafrim2/ib-raw
	cat "$raw"/ibroutes-*/*.txt >both
	topogen --quiet --from ibnetdiscover --routes ibroute:both "$raw"/ib-subnet-*.txt -o m.yaml
	# 2095 pairs of the damaged table, and 95 · 22 · 2 that no cable joins
	routestat m.yaml | head -n 3 | diff - <(printf 'routers 1: %d\nrouters 3: 5450\nnone %d\n' $((1575 + 23 * 22)) $((2095 + 95 * 22 * 2)))
}
