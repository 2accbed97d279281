# topogen-rails.bats - machines of GPUs: domains, rails, units, spines; routes by levels
load helper

# shift NODES ABOVE [BYTES]: each GPU sends to the one so far above it
shift_by() {
	awk -v n="$1" -v above="$2" -v bytes="${3:-4000000}" 'BEGIN {
		print "##placetools=comm/1\nsrc\tdst\tbytes"
		for (i = 0; i < n; i++) printf "%d\t%d\t%d\n", i, (i + above) % n, bytes }'
}
# seconds ARGUMENTS…: how long the first job communicates
seconds() {
	netsim -s input-buffer=1MiB -s eager=1GiB -s packet=16KiB "$@" |
		awk -F'\t' '/^##/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") at = i; next } { print $at }'
}
# counts SPEC: leaves, spines and the cables between them
counts() {
	topogen "$1" --to explicit | awk '/^    u[0-9]+leaf[0-9]+\t[0-9]/ { leaves++ } /^    spine[0-9]+\t\./ { spines++ }
		/\tspine$/ { cables++ } END { print leaves, spines, cables }'
}

@test "DGX SuperPOD H100: leaves, spines and cables of 1, 2 and 4 scalable units" {
	[ "$(counts rails:domains=32,spines=4,cables=8)" = '8 4 256' ]
	[ "$(counts rails:domains=64,units=2,spines=8,cables=4)" = '16 8 512' ]
	[ "$(counts rails:domains=128,units=4,spines=16,cables=2)" = '32 16 1024' ]
	# where nothing says it, a leaf has a cable up for each GPU
	[ "$(counts rails:domains=128,units=4,cables=2)" = '32 16 1024' ]
	topogen rails:domains=128,units=4,cables=2 --to summary >summary.tsv
	grep -q $'^machine\trails-1024\tnodes\t1024\t' summary.tsv
	grep -q $'^level\tnvlink\tbandwidth\t450000000000\t' summary.tsv
	grep -q $'^machine\trails-1024\tlongest_route\t4\t' summary.tsv
}

@test "NVL72: racks of 18 hosts of 4 GPUs, which have 4 rails" {
	[ "$(counts rails:domains=16,gpus=72,hosts=18,spines=36)" = '4 36 144' ]
	topogen rails:domains=16,gpus=72,hosts=18,spines=36,nvlink-bandwidth=900GB/s --to explicit >nvl.yaml
	[ "$(grep -c '^    h[0-9]*g[0-3]$' nvl.yaml)" = 1152 ]
	grep -q $'^    h287g3\tnvswitch15\tnvlink$' nvl.yaml
	grep -q $'^    h287g3\tu0leaf3\trail$' nvl.yaml
	# all 72 talk over NVLink
	stream jobs 'job nodes nodelist' '1 72 h[0-17]g[0-3]' >job.tsv
	netsim -t rails:domains=16,gpus=72,hosts=18,spines=36 -p alltoall -s input-buffer=2MiB --links links.tsv job.tsv >out.tsv
	[ "$(rows links.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["bytes"] > 0 { print $at["level"] }' | sort -u)" = nvlink ]
}

@test "refused: numbers that do not divide are named" {
	run -2 --separate-stderr topogen rails:domains=7,units=2
	# shellcheck disable=SC2154
	[[ $stderr == *'domains: 7 cannot be divided by 2 units' ]]
	run -2 --separate-stderr topogen rails:domains=2,gpus=8,hosts=3
	[[ $stderr == *'gpus: 8 cannot be divided by 3 hosts' ]]
	run -2 --separate-stderr topogen rails:domains=2,gpus=2,rails=9
	[[ $stderr == *'rails: a unit has 9 leaves for 4 GPUs' ]]
	run -2 topogen rails:domains=1000000,gpus=4096
	run -2 topogen rails:domains=8,units=0
}

@test "every unit sends to the next one at full rate, whichever cables; by flow some share a cable" {
	local spec
	shift_by 1024 256 >next.tsv
	stream jobs 'job nodes nodelist' '1 1024 h[0-127]g[0-7]' >job.tsv
	for spec in spines=16,cables=2 spines=32,cables=1 spines=4,cables=8; do
		# 4 MB at 50 GB/s, four links of 500 ns, three routers of 50 ns
		[ "$(seconds -t rails:domains=128,units=4,$spec -p comm:path=next.tsv job.tsv)" = 8.215e-05 ]
		[ "$(seconds -t rails:domains=128,units=4,$spec -r minimal:ties=adaptive -p comm:path=next.tsv job.tsv)" = 8.215e-05 ]
	done
	seconds -t rails:domains=128,units=4,spines=16,cables=2 -r minimal:ties=hash -p comm:path=next.tsv job.tsv |
		awk '{ exit !($1 > 2 * 8.215e-05) }'
	# a quarter of the spines: a quarter of the rate
	[ "$(seconds -t rails:domains=128,units=4,spines=8,cables=1 -p comm:path=next.tsv job.tsv)" = 0.00032215 ]
}

@test "leaf=host: ties of links go to NVLink, on explicit machines with paths=levels" {
	shift_by 2 1 1000000 >pair.tsv
	stream jobs 'job nodes nodelist' '1 2 h0g[0-1]' >job.tsv
	spec=rails:domains=4,gpus=4,leaf=host,spines=2
	topogen "$spec" --to explicit -o tables.yaml
	for ties in spread hash random; do
		# 1 MB at 450 GB/s, or one direction at 50 GB/s: two links of 500 ns, a router
		[ "$(seconds -t $spec -r minimal:ties=$ties -p comm:path=pair.tsv job.tsv)" = 3.272229e-06 ]
		[ "$(seconds -t $spec -r minimal:ties=$ties,paths=links -p comm:path=pair.tsv job.tsv)" = 2.105e-05 ]
		[ "$(seconds -t tables.yaml -r minimal:ties=$ties -p comm:path=pair.tsv job.tsv)" = 2.105e-05 ]
		[ "$(seconds -t tables.yaml -r minimal:ties=$ties,paths=levels -p comm:path=pair.tsv job.tsv)" = 3.272229e-06 ]
	done
}

@test "the same machine from its tables; placed by hosts; same bytes for any partitions" {
	spec=rails:domains=8,gpus=4,units=2,spines=2
	topogen $spec -o rails.yaml
	topogen $spec --to explicit -o tables.yaml
	topogen tables.yaml --to summary | grep -v '^##' >explicit
	topogen rails.yaml --to summary | grep -v '^##' >own
	diff <(sed 's/rails-32/M/' own) <(sed 's/[a-z]*-32/M/' explicit)
	stream jobs 'job nodes' '1 8' '2 4' '3 12' >jobs.tsv
	allocate -t rails.yaml -p nested jobs.tsv >placed.tsv 2>/dev/null || allocate -t rails.yaml -p contiguous jobs.tsv >placed.tsv
	grep -q 'h0g\[0-3\],h1g\[0-3\]' placed.tsv
	placecheck -t rails.yaml placed.tsv
	evalmetrics -t rails.yaml -m hops placed.tsv | grep -q $'hops-max\t4'
	for routing in minimal minimal:ties=hash minimal:ties=adaptive updown; do
		netsim --no-provenance -j 1 -t rails.yaml -r $routing -p alltoall+uniform placed.tsv >one.tsv
		netsim --no-provenance --partitions 3 -j 2 -t rails.yaml -r $routing -p alltoall+uniform placed.tsv >three.tsv
		cmp one.tsv three.tsv
	done
}
