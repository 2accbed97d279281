#!/usr/bin/env bats
# mapref-grid.bats - grids of ranks in grids of nodes, and in domains within domains

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# loads MACHINE GRAPH ARGUMENT…: maximum congestion and hop-bytes of the mapping
loads() {
	local machine=$1 graph=$2
	shift 2
	mapref -t "$machine" -g "$graph" "$@" -o mapping.tsv
	evalmetrics -t "$machine" -g "$graph" -m congestion -m dilation mapping.tsv | awk -F'\t' '
		$4 == "max-congestion" { mc = $5 } $4 == "hop-bytes" { hb = $5 } END { print mc, hb }'
}

@test "digits: halos on tori, meshes, hypercubes and trees, by the loads that exhaustive prototypes reached" {
	for pattern in halo2d halo3d15 alltoall-sub; do jobgen "comm:pattern=$pattern,ranks=1024" -o $pattern.tsv; done
	[[ $(loads torus:dims=8x8x4,cores=4 halo2d.tsv -p digits) == "8 6144" ]]
	[[ $(loads torus:dims=8x8x4,cores=4 halo3d15.tsv -p digits) == "48 45056" ]]
	[[ $(loads torus:dims=8x8x4,cores=4 alltoall-sub.tsv -p digits) == "112 106496" ]]
	[[ $(loads mesh:dims=16x16,cores=4 halo2d.tsv -p digits) == "8 7936" ]]
	[[ $(loads mesh:dims=16x16,cores=4 alltoall-sub.tsv -p digits) == "128 114688" ]]
	[[ $(loads hypercube:dims=8,cores=4 halo3d15.tsv -p digits) == "48 45056" ]]
	[[ $(loads fattree:down=8x8x4,up=1x4x4,cores=4 halo3d15.tsv -p digits) == "62 45568" ]]
}

@test "digits: a ring on a line is folded, and lies around two dimensions of a torus link by link" {
	jobgen comm:pattern=halo2d,dims=16x1 -o ring.tsv
	# each rank sends to two others: a folded ring puts one message of each direction on most links, two inside
	read -r mc _ < <(loads line:nodes=16 ring.tsv -p digits)
	[[ $mc == 2 ]]
	# sixteen messages each way, of three links
	[[ $(loads torus:dims=4x4 ring.tsv -p digits) == "2 96" ]]
	# three is no power of two
	jobgen comm:pattern=halo2d,dims=12x9 -o grid.tsv
	[[ $(loads torus:dims=12x9 grid.tsv -p digits) == "4 1296" ]]
	[[ $(loads torus:dims=9x12 grid.tsv -p digits) == "4 1296" ]]
}

@test "digits: the grid is found from the messages; or given; part of a torus is a mesh" {
	jobgen comm:pattern=halo3d15,dims=12x6x4 -o halo.tsv
	[[ $(loads torus:dims=6x6x4,cores=2 halo.tsv -p digits) == "$(loads torus:dims=6x6x4,cores=2 halo.tsv -p digits:dims=12x6x4)" ]]
	run -2 --separate-stderr mapref -t torus:dims=6x6x4,cores=2 -g halo.tsv -p digits:dims=12x6x5
	[[ $stderr == "mapref: digits: dims 12x6x5: 288 ranks in all are expected" ]]
	jobgen comm:pattern=halo2d,dims=4x4,periodic=no -o box.tsv
	# columns 2 to 5 of rows 1 to 4, in an order of their own: every message takes three links
	hosts=$(awk 'BEGIN { for (i = 0; i < 16; i++) { k = i * 7 % 16; printf "%sn%d", i ? "," : "", (1 + int(k / 4)) * 8 + 2 + k % 4 } }')
	[[ $(loads torus:dims=8x8 box.tsv -p digits --hosts "$hosts") == "4 144" ]]
}

@test "digits: nodes that are no grid keep ranks in order, and -v says so" {
	jobgen comm:pattern=halo2d,dims=5x3 -o grid.tsv
	mapref -t torus:dims=4x4 -g grid.tsv -p digits -v --no-provenance -o a.tsv 2>said
	grep -q 'digits: the job.s nodes are neither a grid nor equal domains' said
	mapref -t torus:dims=4x4 -g grid.tsv -p in-order --no-provenance -o b.tsv
	diff <(cut -f 1-2 a.tsv | grep '^[0-9]') <(cut -f 1-2 b.tsv | grep '^[0-9]')
}

@test "the default takes a grid in a grid where nothing is better, whatever the seed and the number of threads" {
	jobgen comm:pattern=halo2d,ranks=256 -o grid.tsv
	for seed in 1 2 3; do
		[[ $(loads mesh:dims=8x8,cores=4 grid.tsv --seed $seed) == "8 1920" ]]
	done
	mapref -t mesh:dims=8x8,cores=4 -g grid.tsv --no-provenance -o one.tsv
	for n in 2 3; do
		mapref -t mesh:dims=8x8,cores=4 -g grid.tsv --no-provenance -j $n -o many.tsv
		cmp one.tsv many.tsv
	done
}

@test "free slots are spread over the machine in proportion, unless a part of it does better alone" {
	jobgen comm:pattern=halo3d15,ranks=512 -o halo.tsv
	read -r mc _ < <(loads fattree:down=8x8x4,up=1x4x4,cores=4 halo.tsv)
	[[ $mc -le 43 ]]
	# groups of 32 that fit a router each stay there
	jobgen comm:pattern=alltoall-sub,dims=32x4 -o groups.tsv
	read -r mc _ < <(loads tree:arity=8x8,cores=4 groups.tsv)
	[[ $(awk '/^[0-9]/ { print int(substr($2, 2) / 8) }' mapping.tsv | sort -u | wc -l) == 4 ]]
}

@test "scotch: a torus, a mesh and a hypercube are mapped as such, in a box of an allocation in any order, too" {
	jobgen comm:pattern=alltoall-sub,ranks=1024 -o groups.tsv
	for machine in torus:dims=8x8x4,cores=4 mesh:dims=16x16,cores=4; do
		read -r own _ < <(loads $machine groups.tsv -p scotch)
		read -r tree _ < <(loads $machine groups.tsv -p scotch:arch=tree)
		[[ $own -lt $tree ]]
	done
	jobgen comm:pattern=halo2d,ranks=1024 -o halo.tsv
	read -r _ own < <(loads hypercube:dims=8,cores=4 halo.tsv -p scotch)
	read -r _ tree < <(loads hypercube:dims=8,cores=4 halo.tsv -p scotch:arch=tree)
	[[ $own -lt $tree ]]
	jobgen comm:pattern=halo2d,dims=4x4,periodic=no -o box.tsv
	hosts=$(awk 'BEGIN { for (i = 0; i < 16; i++) { k = i * 7 % 16; printf "%sn%d", i ? "," : "", (1 + int(k / 4)) * 8 + 2 + k % 4 } }')
	mapref -t torus:dims=8x8 -g box.tsv -p scotch --hosts "$hosts" -o mapping.tsv
	placecheck -t torus:dims=8x8 mapping.tsv
}
