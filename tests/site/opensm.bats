# opensm.bats - machines as fabrics under the real subnet manager: ibsim simulates what topogen writes,
# opensm routes it, and its tables come back as the machine's routes
load ../helper

# A fabric that nobody here has written is tried first: where that can't be routed, nothing can.
setup_file() {
	export WHY='' IBSIM_SOCKNAME=placetools-$$
	for command in ibsim ibsim-run opensm ibnetdiscover dump_lfts ibtracert; do
		command -v $command >/dev/null || WHY="$command is not installed (ibsim-utils, opensm, infiniband-diags)"
	done
	[[ -z $WHY ]] || return 0
	cd "$BATS_FILE_TMPDIR" || return
	export OSM_TMP_DIR=$PWD OSM_CACHE_DIR=$PWD
	if ! simulate "$ROOT/tests/formats/ib/ft.net"; then
		WHY="ibsim does not start here: $(tail -n 1 ibsim.log)"
	elif ! manage minhop; then
		WHY="opensm does not work under ibsim here: $(tail -n 1 osm.out)"
	fi
	teardown
}

setup() {
	[[ -z $WHY ]] || skip "$WHY"
	cd "$BATS_TEST_TMPDIR" || return
	export OSM_TMP_DIR=$PWD OSM_CACHE_DIR=$PWD
}

# simulate NET: starts ibsim
simulate() {
	local line
	mkfifo said
	ibsim -s -n "$1" </dev/null >said 2>&1 3>&- &
	ibsim=$!
	exec 4<said
	while read -r -t 60 line <&4; do
		echo "$line" >>ibsim.log
		[[ $line != *'simulator ready'* ]] || break
	done
	cat <&4 >>ibsim.log 3>&- &
	exec 4<&-
	kill -0 $ibsim && grep -q 'simulator ready' ibsim.log
}

# manage ENGINE: one sweep of the subnet manager
manage() {
	timeout 120 ibsim-run opensm -o -R "$1" -D 0x43 -f osm.log >osm.out 2>&1
}

teardown() {
	[[ -z ${ibsim-} ]] || kill "$ibsim" || :
}

# route SPEC ENGINE: fabric.txt and lfts.txt of a machine that opensm has routed
route() {
	topogen --to ibnetdiscover "$1" >net
	simulate net
	manage "$2" || { tail -n 20 osm.log && tail -n 20 osm.out && return 1; }
	ibsim-run ibnetdiscover >fabric.txt 2>said.txt
	ibsim-run dump_lfts >lfts.txt 2>>said.txt
}

# Names of both ends of each cable, whatever their order.
cables() {
	topogen --to edges "$1" | awk -F'\t' '{ print $1 < $2 ? $1 " " $2 : $2 " " $1 }' | sort
}

stat_routes() {
	"$PLACETOOLS_BUILD/tests/tools/routestat" "$1" | sed -n '/^channels/q; p'
}

# comes_back SPEC ENGINE: the machine is the same, every pair has a way, and none is longer than need be
comes_back() {
	route "$1" "$2"
	topogen --from ibnetdiscover --routes dump_lfts:lfts.txt fabric.txt -o back.yaml 2>messages
	[ ! -s messages ]
	diff <(cables "$1") <(cables back.yaml)
	placecheck --machine -t back.yaml
	sed '/^  routes:/,$d; /^routing:/d' back.yaml >searched.yaml
	stat_routes back.yaml >got
	grep -qx 'none 0' got
	diff <(stat_routes searched.yaml) got
}

@test "opensm: a fat tree with parallel cables, by ftree" {
	comes_back fattree:down=4x4,up=1x2,cables=1x2,bandwidth=100Gbit/s ftree
	[ "$(grep -c '{bandwidth: 12500000000}' back.yaml)" -eq 2 ]
}

@test "opensm: a fat tree of three levels, by updn" {
	comes_back fattree:k=4,levels=3 updn
}

@test "opensm: a dragonfly, by dfsssp" {
	comes_back dragonfly:groups=5,routers=4,nodes=2,global-bandwidth=16Gbit/s dfsssp
	[ "$(grep -c 'bandwidth: 1000000000}' back.yaml) $(grep -c 'DDR: {bandwidth: 2000000000}' back.yaml)" = '2 1' ]
}

@test "opensm: a mesh, by dor" {
	comes_back mesh:dims=4x3 dor
}

@test "opensm: a real cluster, by minhop" {
	comes_back @avakas minhop
	diff got - <<-'END'
		routers 1: 4660
		routers 3: 74020
		none 0
	END
}

@test "opensm: its dumps and what ibroute's tools read back are the same tables" {
	route fattree:down=4x4,up=1x2,cables=1x2 ftree
	for routes in dump_lfts:lfts.txt opensm-lfts:opensm-lfts.dump opensm-fdbs:opensm.fdbs; do
		topogen --no-provenance --from ibnetdiscover --routes "$routes" fabric.txt >"${routes%%:*}.yaml"
	done
	cmp dump_lfts.yaml opensm-lfts.yaml
	cmp dump_lfts.yaml opensm-fdbs.yaml
	# what ibtracert finds between two nodes is the way that the tables have
	awk '/^Ca/ { name = $NF } /^\[1\]\(/ && name != "" { for (i = 1; i < NF; i++) if ($i == "lid") { print $(i + 1); break }; name = "" }' \
		fabric.txt >lids
	[ "$(wc -l <lids)" -eq 16 ]
	while read -r from; do
		while read -r to; do
			[ "$from" = "$to" ] || ibsim-run ibtracert "$from" "$to" 2>>said.txt
		done <lids
	done <lids >traced.txt
	topogen --no-provenance --from ibnetdiscover --routes ibtracert:traced.txt fabric.txt >traced.yaml
	diff <(stat_routes dump_lfts.yaml) <(stat_routes traced.yaml)
	diff <(sed -n '/^  routes:/,$p' dump_lfts.yaml | grep '^    r[0-3]') \
		<(sed -n '/^  routes:/,$p' traced.yaml | grep '^    r[0-3]')
}

@test "opensm: a table that the manager could not set is a hole that is named" {
	route fattree:down=4x4,up=1x2,cables=1x2 ftree
	awk '/^Unicast/ { n++ } n != 5' lfts.txt >hole.txt
	run -0 --separate-stderr topogen --from ibnetdiscover --routes dump_lfts:hole.txt fabric.txt
	[[ ${stderr_lines[0]} == 'topogen: routes: no table of the switch r'*' (1 such)' ]]
	[[ ${stderr_lines[1]} == 'topogen: routes: '*' of 240 pairs of nodes have no route: from '* ]]
}
