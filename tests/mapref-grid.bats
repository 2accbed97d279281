#!/usr/bin/env bats
# mapref-grid.bats - grids of ranks in grids of nodes, and in domains within domains

load helper

# loads MACHINE GRAPH ARGUMENT…: maximum congestion and hop-bytes of the mapping
loads() {
	local machine=$1 graph=$2
	shift 2
	mapref -t "$machine" -g "$graph" "$@" -o mapping.tsv
	evalmetrics -t "$machine" -g "$graph" -m congestion -m dilation mapping.tsv | awk -F'\t' '
		$4 == "max-congestion" { mc = $5 } $4 == "hop-bytes" { hb = $5 } END { print mc, hb }'
}

# ring CORES LEVEL BETWEEN: 64 nodes, eight to each of eight routers around a ring; expressions of node v, and of
# router r for the links between routers
ring() {
	awk 'BEGIN { OFS = "\t"; split("slow middle fast", level, " "); print "placetools: topology/1\nname: ring\ntopology: explicit"
		print "links:\n  slow: {bandwidth: 100MB/s}\n  middle: {bandwidth: 1GB/s}\n  fast: {bandwidth: 10GB/s}\ntables:"
		print "  routers: |\n    router"; for (r = 0; r < 8; r++) print "    r" r
		print "  nodes: |\n    node", "cores"; for (v = 0; v < 64; v++) print "    n" v, '"$1"'
		print "  links: |\n    from", "to", "level"
		for (v = 0; v < 64; v++) print "    n" v, "r" int(v / 8), level['"$2"']
		for (r = 0; r < 8; r++) print "    r" r, "r" (r + 1) % 8, level['"$3"'] }'
}
# beside_search MACHINE GRAPH RUNS PROFILE…: at seeds 1, 2, 3 the mean times of a job on all 64 nodes, of the search alone
# and of the default
beside_search() {
	local hosts seed refiner run
	hosts=$(seq -s, -f n%g 0 63)
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\tcompute_s\n' >jobs.tsv
	for run in $(seq "$3"); do
		printf '%s\tj\t64\tn[0-63]\timbalance:spread=1+comm:path=%s\t16384\t3\t64\t0.000001\n' "$run" "$2" >>jobs.tsv
	done
	for seed in 1 2 3; do
		for refiner in congestion:effort=1 ''; do
			mapref -t "$1" -g "$2" --hosts "$hosts" --bytes 16KiB "${@:4}" --seed $seed ${refiner:+--refine=$refiner} -o m.tsv
			netsim -t "$1" "${@:4}" --mapping m.tsv jobs.tsv | mlr --itsv --onidx --skip-comments stats1 -a mean -f comm_time_s
		done | paste -s
	done
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

@test "where a grid in a grid loads links more than ranks in order do, a search goes on from there until it finds more" {
	local hosts seed order mc hb

	# every other column of a mesh
	hosts=$(seq -s, -f n%g 0 2 255)
	jobgen comm:pattern=halo3d15,ranks=512 -o halo3d15.tsv
	[[ $(loads mesh:dims=16x16,cores=4 halo3d15.tsv --hosts "$hosts" -p digits) == "92 50432" ]]
	order=$(loads mesh:dims=16x16,cores=4 halo3d15.tsv --hosts "$hosts" -p in-order)
	[[ $order == "84 62208" ]]
	for seed in 1 3; do
		read -r mc hb < <(loads mesh:dims=16x16,cores=4 halo3d15.tsv --hosts "$hosts" --bytes 16KiB --seed $seed)
		((mc <= 84 && hb < 60000))
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

@test "ranks alike leave their nodes where links between routers carry most, and only there" {
	jobgen comm:pattern=alltoall-sub,ranks=512 -o groups.tsv
	hosts=$(seq 0 2 255 | sed 's/^/n/' | paste -s -d,)
	# whole nodes get no further than 192; from a grid in a grid, seed 2's start, ranks get nowhere: 256
	for seed in 1 2 6; do
		read -r mc _ < <(loads mesh:dims=16x16,cores=4 groups.tsv --hosts "$hosts" --seed $seed)
		[[ $mc -le 136 ]]
	done
	# a node's own link carries 112, whoever of a group is on it; ranks in order have 80896 hop-bytes
	read -r mc hop_bytes < <(loads torus:dims=8x8x4,cores=4 groups.tsv --hosts "$hosts")
	[[ $mc == 112 && $hop_bytes -le 69632 ]]
}

@test "what is fast only where all ranks begin at one moment is not taken" {
	machine=dragonfly:groups=9,routers=8,nodes=4,cores=4
	jobgen comm:pattern=alltoall-sub,ranks=1024 -o groups.tsv
	# whole groups of ranks on a router: 256 on a link, and faster to the nanosecond only
	read -r mc _ < <(loads $machine groups.tsv)
	[[ $mc == 112 ]]
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\tcompute_s\n' >jobs.tsv
	printf '%s\tj\t256\tn[0-255]\timbalance:spread=1+comm:path=groups.tsv\t16384\t1\t4\t0.00000001\n' 1 2 >>jobs.tsv
	mapref -t $machine -g groups.tsv -p scotch -o scotch.tsv
	for mapping in mapping scotch; do
		netsim -t $machine --mapping $mapping.tsv jobs.tsv | mlr --itsv --onidx --skip-comments stats1 -a max -f comm_time_s
	done | paste -s | awk '{ exit !($1 < .9 * $2) }'
}

@test "what rehearsals find faster by less than they err does not outweigh loads" {
	hosts=$(seq 0 2 255 | sed 's/^/n/' | paste -s -d,)
	jobgen comm:pattern=alltoall-sub,ranks=512 -o groups.tsv
	for seed in 1 2; do # 208, by one rehearsal
		read -r mc _ < <(loads gpc:cores=4 groups.tsv --hosts "$(seq -f n%04g 0 2 255 | paste -s -d,)" --ranks-per-node 4 \
			--bytes 16KiB --seed $seed)
		[[ $mc -le 180 ]]
	done
	awk 'BEGIN { srand(7); OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (r = 0; r < 512; r++) for (k = 0; k < 8; k++) { d = int(rand() * 512); if (d != r) print r, d, 1 } }' >random.tsv
	read -r least _ < <(loads fattree:down=8x8x4,up=1x4x4,cores=4 random.tsv --hosts "$hosts" --ranks-per-node 4 -m in-turn)
	for seed in 3 10; do # Scotch's tree: a quarter more
		read -r mc _ < <(loads fattree:down=8x8x4,up=1x4x4,cores=4 random.tsv --hosts "$hosts" --ranks-per-node 4 --bytes 16KiB --seed $seed)
		[[ $((10 * mc)) -le $((11 * least)) ]]
	done
}

@test "uneven nodes around a ring: whole nodes change places, and each start is tried long enough to tell which is best" {
	ring '2 ^ (v * 5 % 7)' '1 + v * 5 % 11 % 3' '2 + (r % 3 == 0)' >circle.yaml
	jobgen comm:pattern=halo2d,ranks=600 -o halo.tsv
	# 38 on average where only ranks change places
	for seed in 1 2 3 4 5 6; do loads circle.yaml halo.tsv --seed $seed; done | awk '{ sum += $1 } END { exit !(sum / NR <= 35) }'
	# links fill up behind slower ones: what other starts lead to is compared in time
	jobgen comm:pattern=halo3d15,ranks=600 -o box.tsv
	beside_search circle.yaml box.tsv 4 | awk '$2 > 1.08 * $1 { bad = 1 } { alone += $1; compared += $2 } END { exit !(NR == 3 && compared < alone && !bad) }'
	mapref -t circle.yaml -g box.tsv --no-provenance -o one.tsv
	mapref -t circle.yaml -g box.tsv --no-provenance -j 3 -o three.tsv
	cmp one.tsv three.tsv
	# groups of 30 ranks on nodes of 32 and 64 cores
	jobgen comm:pattern=alltoall-sub,ranks=600 -o groups.tsv
	read -r mc hop_bytes < <(loads circle.yaml groups.tsv)
	[[ $mc == 0 && $hop_bytes == 0 ]]
}

@test "where copies in a node take longest, groups of ranks share nodes only as far as that is fast" {
	# sixteen groups fit on nodes of their own; four more on those of others, or between nodes with fast links
	ring 'v % 4 ? 2 : v % 8 ? 61 : 35' 'v % 8 == 4 ? 3 : 1' 3 >rooms.yaml
	jobgen comm:pattern=alltoall-sub,ranks=600 -o groups.tsv
	beside_search rooms.yaml groups.tsv 2 --profile "file:path=$BATS_TEST_DIRNAME/../examples/ptram/qdr.yaml" |
		awk '$2 > .8 * $1 { bad = 1 } END { exit !(NR == 3 && !bad) }'
}

@test "where copies in a node take longest, fewer of them outweigh less load on links, on full nodes, too" {
	local mapping

	awk 'BEGIN { OFS = "\t"; n = 512; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (r = 0; r < n; r++) { print r, (r + 1) % n, 4; print r, (r + n - 1) % n, 4; print r, (r + n / 2) % n, 1 } }' >rings.tsv
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\n' >jobs.tsv
	printf 'j\t32\tn[0-31]\tcomm:path=rings.tsv\t16384\t3\t16\n' >>jobs.tsv
	mapref -t ring:nodes=32,cores=16 -g rings.tsv --refine congestion:effort=1 -o search.tsv
	mapref -t ring:nodes=32,cores=16 -g rings.tsv --bytes 16KiB -o default.tsv
	for mapping in search default; do
		netsim -t ring:nodes=32,cores=16 --mapping $mapping.tsv jobs.tsv | mlr --itsv --onidx --skip-comments cut -f comm_time_s
	done >times
	awk '{ time[NR] = $1 } END { exit !(NR == 2 && time[2] < .95 * time[1]) }' times
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

@test "scotch: nodes here and there in a torus, a mesh or a hypercube are mapped as such" {
	jobgen comm:pattern=halo2d,ranks=512 -o halo.tsv
	hosts=$(seq -s, -f n%g 0 2 255)
	for machine in torus:dims=8x8x4,cores=4 mesh:dims=16x16,cores=4 hypercube:dims=8,cores=4; do
		read -r _ own < <(loads $machine halo.tsv --hosts "$hosts" --ranks-per-node 4 -p scotch)
		placecheck -t $machine mapping.tsv
		read -r _ tree < <(loads $machine halo.tsv --hosts "$hosts" --ranks-per-node 4 -p scotch:arch=tree)
		[[ $own -lt $tree ]]
	done
}

@test "an irregular graph on a grid of nodes has about the hop-bytes of scotch, and much less on the most loaded link" {
	jobgen comm:pattern=nbody,ranks=1024 -o nbody.tsv
	for machine in mesh:dims=16x16,cores=4 torus:dims=8x8x4,cores=4; do
		read -r scotch_mc scotch_hb < <(loads $machine nbody.tsv -p scotch)
		read -r mc hb < <(loads $machine nbody.tsv --seed 2)
		awk -v a="$mc" -v b="$hb" -v c="$scotch_mc" -v d="$scotch_hb" 'BEGIN { exit !(a < .7 * c && b < 1.12 * d) }'
	done
}

@test "grids are found whatever the numbers of their ranks are" {
	for pattern in halo2d halo3d15; do
		jobgen comm:pattern=$pattern,ranks=1024 -o plain.tsv
		awk -F'\t' -v OFS='\t' '/^#/ || /^src/ { print; next } { print $1 * 677 % 1024, $2 * 677 % 1024, $3, $4 }' plain.tsv >odd.tsv
		awk -F'\t' -v OFS='\t' 'BEGIN { srand(1); for (i = 0; i < 1024; i++) at[i] = i
				for (i = 1023; i > 0; i--) { k = int(rand() * (i + 1)); t = at[i]; at[i] = at[k]; at[k] = t } }
			/^#/ || /^src/ { print; next } { print at[$1], at[$2], $3, $4 }' plain.tsv >random.tsv
		for machine in torus:dims=8x8x4,cores=4 mesh:dims=16x16,cores=4; do
			plain=$(loads $machine plain.tsv -p digits)
			[[ $(loads $machine odd.tsv -p digits) == "$plain" ]]
			[[ $(loads $machine random.tsv -p digits) == "$plain" ]]
			[[ $(loads $machine random.tsv) == "$plain" ]]
		done
	done
}

@test "--finalists: mappings that differ, best first, each in a run of its own; for netsim, and the same for any -j" {
	export PLACETOOLS_TOPOLOGY=torus:dims=4x4,cores=2
	jobgen comm:pattern=halo2d,ranks=32 -o graph.tsv
	mapref -g graph.tsv --finalists 7 --no-provenance -o f.tsv
	mapref -g graph.tsv --finalists 7 --no-provenance -j 3 -o f3.tsv
	cmp f.tsv f3.tsv
	[[ $(grep '^[0-9]' f.tsv | cut -f 4 | uniq -c | awk '{ printf "%s:%s ", $2, $1 }') == "1:32 2:32 3:32 4:32 5:32 6:32 7:32 " ]]
	for run in 1 2 3 4 5 6 7; do # each fills all 32 slots
		[[ $(awk -F'\t' -v run=$run '$4 == run { print $2, $3 }' f.tsv | sort -u | wc -l) -eq 32 ]]
		awk -F'\t' -v run=$run '$4 == run { print $1, $2 }' f.tsv | sort | md5sum >>sums
	done
	[ -z "$(sort sums | uniq -d)" ]
	# the first is the default; behind it by the product of maximum congestion and hop-bytes, never falling
	mapref -g graph.tsv -o default.tsv
	diff <(awk -F'\t' '/^[0-9]/ { print $1, $2, $3 }' default.tsv) <(awk -F'\t' '/^[0-9]/ && $4 == 1 { print $1, $2, $3 }' f.tsv)
	evalmetrics -g graph.tsv -m congestion -m dilation f.tsv >metrics.tsv
	evalmetrics -g graph.tsv -m congestion -m dilation default.tsv >single.tsv
	awk -F'\t' '
		/^##/ { next }
		$1 == "run" || $1 == "mapper" || $1 == "scope" { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ run = "run" in at ? $at["run"] : 0; value[run, $at["metric"]] = $at["value"] }
		END { for (r = 0; r <= 7; r++) p[r] = value[r, "max-congestion"] ^ .81 * value[r, "hop-bytes"] ^ .38
			for (r = 3; r <= 7; r++) bad += p[r] < p[r - 1] * (1 - 1e-9)
			exit bad > 0 || p[1] != p[0] || p[0] == 0 }' single.tsv metrics.tsv
	# the only one that is asked for is the first
	mapref -g graph.tsv --finalists 1 -o one.tsv
	diff <(grep '^[0-9]' one.tsv) <(awk -F'\t' '/^[0-9]/ && $4 == 1' f.tsv)
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tranks_per_node\n' >jobs.tsv
	printf '%s\tj\t16\tn[0-15]\tcomm:path=graph.tsv\t2\n' 1 2 3 4 5 6 7 >>jobs.tsv
	netsim --mapping f.tsv jobs.tsv -o timed.tsv
	[[ $(grep -c '^[1-7]' timed.tsv) -eq 7 ]]
	run -2 --separate-stderr mapref -g graph.tsv --finalists 2 --stats s.tsv
	[[ $stderr == "mapref: --finalists has no --stats: there are several mappings" ]]
}

@test "--explain: stages, and what is proven: grids in grids, all-to-alls, and beside all mappings" {
	jobgen comm:pattern=halo2d,ranks=64 -o halo.tsv
	mapref -t torus:dims=8x8 -g halo.tsv --explain why.txt -o m.tsv
	diff why.txt - <<-END
		ranks in order: at most 4 bytes on a link, 768 hop-bytes
		mapper: at most 4 bytes on a link (no change), 768 hop-bytes (no change)
		refiner: at most 4 bytes on a link (no change), 768 hop-bytes (no change)
		rivals: at most 4 bytes on a link (no change), 768 hop-bytes (no change)
		at least 256 bytes leave their nodes, however ranks are grouped
		maximum congestion: the least, proven
		hop-bytes: the least, proven
	END
	jobgen comm:pattern=halo2d,ranks=256 -o halo.tsv
	mapref -t torus:dims=8x4x2,cores=4 -g halo.tsv --explain why.txt -o m.tsv
	[[ $(grep -c 'the least, proven' why.txt) -eq 2 ]]
	grep -q '^mapper: at most 8 bytes on a link (-[0-9.]* %), 1536 hop-bytes (-[0-9.]* %)' why.txt
	awk 'BEGIN { OFS = "\t"; print "##placetools=comm/1"; print "src", "dst", "bytes"
		for (a = 0; a < 16; a++) for (b = 0; b < 16; b++) if (a != b) print a, b, 7 }' >all.tsv
	mapref -t torus:dims=4x2,cores=2 -g all.tsv --explain why.txt -o m.tsv
	grep -qx 'all ranks send the same to all others, and fill all slots: every mapping is the best, proven' why.txt
	run -2 --separate-stderr mapref -t torus:dims=4x2,cores=2 -g all.tsv --finalists 2 --explain why.txt
	[[ $stderr == "mapref: --finalists has no --explain: there are several mappings" ]]
	command -v python3 >/dev/null || skip "no python3"
	run -0 "$ROOT/tests/mapref/bounds_brute.py" 1 40 .
	[[ $output =~ ^40\ cases,\ ([0-9]+)\ of\ 80\ proven$ ]]
	((BASH_REMATCH[1] > 30))
}
