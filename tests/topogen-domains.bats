# Hierarchies of named domains beside the network: read, written, refused; Slurm's blocks both ways.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
}

# machine LEVELS ROW…: 16 nodes of a fat tree beside one hierarchy; a row's cells are separated by blanks
machine() {
	printf 'placetools: topology/1\ntopology: fattree\nparameters: {down: 4x4, up: 1x1}\n'
	printf 'hierarchies:\n  - {name: power, levels: [%s]}\ntables:\n  domains: |\n    level\tdomain\twithin\tnodes\n' "$1"
	shift
	printf '    %s\n' "$@" | tr ' ' '\t' | sed 's/^\t*/    /'
}

@test "hierarchies are written as they are read, beside a structured network and an explicit one" {
	machine 'row, {name: pair, every: 2}, {name: rack, size: 3, up: 3.6TB/s}' \
		'rack a left n[3-5]' 'row left . .' 'rack b left n[0-2,9]' 'rack spare left .' 'row right . .' 'rack c left .' 'rack d right n8' >m.yaml
	topogen --no-provenance m.yaml >again.yaml
	topogen --no-provenance again.yaml | diff again.yaml -
	grep -q 'levels: \[row, {name: pair, every: 2}, {name: rack, size: 3, up: 3600000000000}\]' again.yaml
	topogen --no-provenance --to explicit m.yaml >tables.yaml
	topogen --no-provenance tables.yaml | diff tables.yaml -
	# the hash is that of the network
	[ "$(allocate -t m.yaml <(stream jobs 'job nodes' 'a 1') | grep -o '##topology=.*' | cut -d ' ' -f 2)" = \
		"$(allocate -t fattree:down=4x4,up=1x1 <(stream jobs 'job nodes' 'a 1') | grep -o '##topology=.*' | cut -d ' ' -f 2)" ]
	machine '{name: row, every: 2}, {name: rack, every: 4}' | sed '/^tables/,$d' | topogen - >every.yaml
	grep -q 'levels: \[{name: row, every: 2}, {name: rack, every: 4}\]' every.yaml
}

@test "hierarchies that are none are refused in one line" {
	refused() {
		local want=$1
		shift
		machine "$@" >bad.yaml
		run -2 --separate-stderr topogen bad.yaml
		[[ $stderr == "topogen: bad.yaml:"*": $want"* && $stderr != *$'\n'* && -z $output ]] || {
			echo "$stderr"
			return 1
		}
	}
	refused "domains: no level of domains is named 'rak' (did you mean 'rack'?)" 'rack' 'rak a . n0'
	refused "domains: n1 is in two domains of the level rack: a and b" 'rack' 'rack a . n[0-1]' 'rack b . n[1-2]'
	refused "domains: the rack 'a' is there twice" 'rack' 'rack a . n[0-1]' 'rack a . n[2-3]'
	refused "domains: within: there is no row 'x'" 'row, rack' 'row r . .' 'rack a x n0'
	refused "domains: within: there is no row '.'" 'row, rack' 'row r . .' 'rack a . n0'
	refused "domains: 'pair-0' is made by every: expected a domain of row" 'row, {name: pair, every: 2}, rack' 'row r . .' 'rack a pair-0 n0'
	refused "domains: the level 'pair' is made by every" '{name: pair, every: 2}, rack' 'pair a . .'
	refused "domains: nodes belong to domains of the innermost level" 'row, rack' 'row r . n0' 'rack a r n1'
	refused "hierarchies: the level 'router' is there twice" 'router' 'router a . n0'
	refused "hierarchies: the level 'node' is there twice" 'node'
	refused "hierarchies: the level 'rack' is there twice" 'rack, rack'
	refused "hierarchies: 'l16' would be level 17 of a hierarchy" "$(echo l{0..16} | tr ' ' ,)"
	refused "hierarchies: the domain pair-0 of every 2 would be in two domains" 'row, {name: pair, every: 2}, rack' 'row r . .' 'row s . .' 'rack a r n0' 'rack b s n1'
	refused "domains: there is no node 'nid7'" 'rack' 'rack a . nid7'
	refused "domains: 'router' is a level of the network" 'rack' 'router a . n0'
	machine rack 'rack a . n0' | sed '/^hierarchies/,+1d' >bad.yaml
	run -2 --separate-stderr topogen bad.yaml
	[[ $stderr == 'topogen: bad.yaml:5: domains: there is no key hierarchies' ]]
	machine rack 'rack a . n0' | sed '/^tables/,$d' >bad.yaml
	run -2 --separate-stderr topogen bad.yaml
	[[ $stderr == 'topogen: bad.yaml:5: hierarchies: need the table domains' ]]
}

@test "blocks of Slurm: conf and yaml keep sizes and places, beside a tree as well" {
	printf 'BlockName=b0 Nodes=n[0-3]\nBlockName=b1\nBlockName=b2\nBlockName=b3 Nodes=n[4-7]\nBlockName=b4 Nodes=n[8-11]\nBlockSizes=4,8\n' >t.conf
	topogen --quiet --no-provenance --from slurm-conf t.conf >m.yaml
	topogen --to slurm-conf m.yaml | diff t.conf -
	topogen --to slurm-yaml m.yaml >t.yaml
	topogen --quiet --no-provenance --from slurm-yaml t.yaml | diff m.yaml -
	[ "$(topogen --to slurm-conf:as=tree m.yaml | grep -c BlockName)" = 0 ]
	# without sizes: those of the first block that has nodes, up to sixteen times as many
	printf 'BlockName=b0\nBlockName=b1 Nodes=n[0-4]\nBlockName=b2 Nodes=n[5-6]\n' >t.conf
	topogen --quiet --from slurm-conf t.conf | topogen --to slurm-conf - | grep -qx 'BlockSizes=5,10,20'
	# a tree and two kinds of blocks in one file
	cat >t.yaml <<-'END'
		- topology: net
		  cluster_default: true
		  tree: {switches: [{switch: s0, nodes: 'n[0-5]'}, {switch: s1, nodes: 'n[6-11]'}, {switch: top, children: 's[0-1]'}]}
		- topology: nvl
		  block: {block_sizes: [4], blocks: [{block: x, nodes: 'n[0-3]'}, {block: y, nodes: 'n[8-11]'}]}
		- topology: others
		  block: {block_sizes: [4], blocks: [{block: z, nodes: 'm[0-3]'}]}
		- topology: half
		  block: {block_sizes: [2, 4], blocks: [{block: v, nodes: 'n[10-11]'}, {block: w, nodes: 'n[0-1]'}]}
	END
	topogen --quiet --no-provenance --from slurm-yaml t.yaml >m.yaml
	grep -q 'name: nvl, levels: \[{name: block, size: 4}\]' m.yaml
	grep -q 'name: half, levels: \[{name: half4, every: 2}, {name: half, size: 2}\]' m.yaml
	[ "$(grep -c 'name: others' m.yaml)" = 0 ]
	topogen --to slurm-yaml m.yaml >again.yaml
	topogen --quiet --no-provenance --from slurm-yaml again.yaml | diff <(grep -v '^name:' m.yaml) <(grep -v '^name:' -)
	printf -- 'BlockName=b0 Nodes=n[0-3]\nBlockName=b1 Nodes=n[3-5]\n' >bad.conf
	run -2 --separate-stderr topogen --quiet --from slurm-conf bad.conf
	[[ $stderr == 'topogen: bad.conf:2: n3 is in two domains of the level block: b0 and b1' ]]
}
