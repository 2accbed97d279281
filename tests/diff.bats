load helper

# differences: how many cables are swapped, missing and extra
differences() { body | awk '{ n[$1]++ } END { print n["swapped"] + 0, n["missing"] + 0, n["extra"] + 0 }'; }
# clos NAME=VALUE…: plan.edges and seen.edges
clos() {
	local sizes=() size
	for size in "$@"; do sizes+=(-v "$size"); done
	awk "${sizes[@]}" -v plan=plan.edges -v seen=seen.edges -f "$ROOT/tests/clos.awk"
}

@test "what was changed in a Clos network is found exactly, though every switch has another name" {
	for seed in {1..12}; do
		swaps=$((seed % 5)) cuts=$((seed % 3)) extras=$((seed % 2))
		clos seed="$seed" pods=6 leaves=5 spines=4 hosts=6 cores=5 rails=1 "swaps=$swaps" "cuts=$cuts" "extras=$extras"
		topogen --from edges plan.edges -o plan.yaml
		status=0
		topogen --from edges --diff plan.yaml seen.edges >rows || status=$?
		[ "$(differences <rows)" = "$swaps $cuts $extras" ]
		[ "$status" -eq $((swaps + cuts + extras > 0)) ]
	done
}

@test "nodes on four rails: their leaves are known together" {
	for seed in {1..8}; do
		clos seed="$seed" pods=4 leaves=4 spines=4 hosts=6 cores=3 rails=4 swaps=$((seed % 3)) cuts=1 extras=$((seed % 2))
		run -1 --separate-stderr topogen --quiet --from edges --diff plan.edges seen.edges
		[ "$(differences <<<"$output")" = "$((seed % 3)) 1 $((seed % 2))" ]
	done
	# a cable in the rack beside
	sed 's/^n0-0-0\tleaf0-0-0/n0-0-0\tleaf0-1-0/' plan.edges >seen.edges
	run -1 --separate-stderr topogen --from edges --diff plan.edges seen.edges
	[ "$(words <<<"$output" | cut -d ' ' -f 1-3)" = $'missing leaf0-0-0 n0-0-0\nextra leaf0-1-0 n0-0-0' ]
	[[ $stderr == 'topogen: 1 nodes join leaves that no node of the plan joins: n0-0-0' ]]
}

@test "a machine is equal to itself, and to itself with other names of routers, whatever it is" {
	for spec in $(examples_of topogen topologies); do
		topogen --to explicit "$spec" -o plan.yaml
		sed 's/\br\([0-9]\)/switch-\1/g' plan.yaml >seen.yaml
		topogen --diff "$spec" plan.yaml | body | awk 'END { exit NR > 0 }'
		run -0 topogen --diff plan.yaml seen.yaml
	done
}

@test "a host that is gone, one that is new, a switch that lost all but one cable, parallel cables" {
	printf '%s\n' 'n1 s1' 'n2 s1' 'n3 s2' 'n4 s2' 's1 t' 's1 t' 's2 t' >plan
	printf '%s\n' 'n1 A' 'n9 A' 'n3 B' 'n4 B' 'A C' 'B C' >seen
	run -1 topogen --from edges --diff plan seen
	[ "$(words <<<"$output" | sort)" = "$(printf '%s\n' 'extra n9 s1 n9 A' 'missing n2 s1 . A' 'missing s1 t A C')" ]
	# the list takes C, which has a single cable, for a node
	printf '%s\n' 'n1 s1' 'n2 s1' 'n3 s2' 'n4 s2' 's1 t' 's2 t' >plan
	printf '%s\n' 'n1 A' 'n2 A' 'n3 B' 'n4 B' 'B C' >seen
	run -1 topogen --from edges --diff plan seen
	[ "$(words <<<"$output")" = 'missing s1 t A C' ]
}

@test "cases: two of leaves, spines and cores" {
	need_shared
	for case in "$SHARED"/data/cases/domains/diff-*; do
		run -1 topogen --from edges --diff "$case/expected.edges" "$case/observed.edges"
		[ "$(differences <<<"$output")" = "$(differences < <(printf '\n'; cat "$case/differences.tsv"))" ]
		for of in expected observed; do topogen --from edges "$case/$of.edges" -o "$of.yaml"; done
		run -1 topogen --diff expected.yaml observed.yaml
		[ "$(differences <<<"$output")" = "$(differences < <(printf '\n'; cat "$case/differences.tsv"))" ]
	done
}

@test "what cannot be compared is refused" {
	printf '%s\n' 'n1 s1' 'n2 s1' >plan
	printf '%s\n' 'm1 s1' 'm2 s1' >seen
	run -2 --separate-stderr topogen --from edges --diff plan seen
	[[ $stderr == *'no node of the same name'* && $output != *'##end' ]]
	run -2 --separate-stderr topogen --from edges --diff plan --to edges seen
	[[ $stderr == *'--diff writes no machine'* ]]
	run -2 --separate-stderr topogen --diff plan seen
	run -2 --separate-stderr topogen --from edges --diff absent seen
	run -2 --separate-stderr topogen --diff ring:nodes=4
}
