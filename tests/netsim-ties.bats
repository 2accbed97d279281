# netsim-ties.bats - equal paths: by flow, at random, by queues, on machines with and without a closed form
load helper

# rails HOSTS GPUS UNITS SPINES [CABLES BY_RAIL]: GPUs as nodes, numbered host by host or rail by rail; each host has a
# switch of its own, each unit a leaf for each of the GPUs of a host, and each leaf cables to every spine
rails() {
	awk -v H="$1" -v G="$2" -v U="$3" -v S="$4" -v C="${5:-1}" -v BY_RAIL="${6:-0}" '
	function node(i) { return BY_RAIL ? "h" i % H "g" int(i / H) : "h" int(i / G) "g" i % G }
	BEGIN {
		print "placetools: topology/1\ntopology: explicit\nlinks:"
		print "  nvlink: {bandwidth: 450GB/s, latency: 500ns}"
		print "  terminal: {bandwidth: 50GB/s, latency: 500ns}\n  spine: {bandwidth: 50GB/s, latency: 500ns}"
		print "tables:\n  routers: |\n    router"
		for (h = 0; h < H; h++) print "    sw" h
		for (u = 0; u < U; u++) for (g = 0; g < G; g++) print "    leaf" u "x" g
		for (s = 0; s < S; s++) print "    spine" s
		print "  nodes: |\n    node"
		for (i = 0; i < H * G; i++) print "    " node(i)
		print "  links: |\n    from\tto\tlevel"
		for (h = 0; h < H; h++) for (g = 0; g < G; g++) {
			printf "    h%dg%d\tsw%d\tnvlink\n", h, g, h
			printf "    h%dg%d\tleaf%dx%d\tterminal\n", h, g, int(h * U / H), g
		}
		for (u = 0; u < U; u++) for (g = 0; g < G; g++) for (s = 0; s < S; s++) for (c = 0; c < C; c++)
			printf "    leaf%dx%d\tspine%d\tspine\n", u, g, s
	}'
}
# whole NODES PATTERN BYTES: a job on all of a machine's nodes
whole() {
	stream jobs 'job nodes nodelist pattern bytes iterations' "1 $1 $2 $3 $4 1"
}
# seconds ARGUMENTS…: how long the first job communicates
seconds() {
	netsim "$@" | awk -F'\t' '/^##/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "comm_time_s") at = i; next } { print $at }'
}
PLAIN=(-s packet=4096 -s header=64 -s input-buffer=400KiB -s eager=1GiB -s router-delay=0)

@test "every way to break ties: same bytes for any partitions, on machines of all kinds" {
	local spec ties n
	rails 8 4 2 4 >rails.yaml
	topogen fattree:down=4x4x2,up=1x2x4 --to explicit -o tree.yaml
	while read -r spec n nodelist; do
		whole "$n" "$nodelist" uniform+alltoall 20000 >job.tsv
		for ties in hash hash,entropy=3 random adaptive; do
			netsim --no-provenance -j 1 -t "$spec" -r minimal:ties=$ties job.tsv >one
			netsim --no-provenance --partitions 3 -j 2 -t "$spec" -r minimal:ties=$ties job.tsv >three
			cmp one three
			[ "$(tail -n 1 one)" = '##end' ]
		done
	done <<-'END'
		rails.yaml 32 h[0-7]g[0-3]
		tree.yaml 32 n[0-31]
		fattree:down=4x4x2,up=1x2x4 32 n[0-31]
		torus:dims=4x3x2 24 n[0-23]
		hyperx:dims=3x3,nodes=2 18 n[0-17]
		slimfly:q=3 18 n[0-17]
	END
}

@test "ties of a fat tree without its closed form: the closed form's times" {
	need_shared
	local case ties
	topogen fattree:down=4x4x8,up=1x4x4,bandwidth=400Gbit/s,latency=500ns -o tree.yaml
	topogen tree.yaml --to explicit -o tables.yaml
	whole 128 'n[0-127]' . . >job.tsv
	for case in perm128 shift16; do
		for ties in random adaptive hash; do
			local sum=()
			for machine in tree.yaml tables.yaml; do
				sum+=("$(for seed in 1 2 3 4 5 6 7 8; do
					seconds --seed $seed -t $machine -r minimal:ties=$ties "${PLAIN[@]}" \
						-p "comm:path=$SHARED/data/reference/llm/$case.comm.tsv" job.tsv
					[ $ties = hash ] || break
				done | awk '{ sum += $1 } END { print sum / NR }')")
			done
			awk -v a="${sum[0]}" -v b="${sum[1]}" 'BEGIN { exit !(a / b > .88 && a / b < 1.12) }'
		done
	done
}

@test "ties=hash: within 10 % of htsim's ECMP, mean of five seeds" {
	need_shared
	local case reference
	topogen fattree:down=4x4x8,up=1x4x4,bandwidth=400Gbit/s,latency=500ns -o tree.yaml
	whole 128 'n[0-127]' . . >job.tsv
	for case in perm128 shift16 shift32; do
		reference=$(awk -v c=$case '$1 == c && $2 == "roce-pfc" && $3 ~ /^ecmp/ { sum += $7; n++ } END { print sum / n }' \
			"$SHARED/data/reference/llm/htsim.tsv")
		for seed in 1 2 3 4 5; do
			seconds --seed $seed -t tree.yaml -r minimal:ties=hash "${PLAIN[@]}" \
				-p "comm:path=$SHARED/data/reference/llm/$case.comm.tsv" job.tsv
		done | awk -v r="$reference" '{ sum += $1 } END { print sum / NR / r; exit !(sum / NR / r > .9 && sum / NR / r < 1.1) }'
	done
}

@test "rails numbered host by host: the destination's number uses every fourth cable, a hash all of them" {
	rails 16 4 2 8 >rails.yaml
	# each GPU sends to that of its number half the machine away: 4 apart on a rail, so 2 of 8 cables
	{
		echo '##placetools=comm/1'
		printf 'src\tdst\tbytes\n'
		for ((i = 0; i < 64; i++)); do printf '%d\t%d\t4000000\n' $i $(((i + 32) % 64)); done
	} >half.tsv
	whole 64 'h[0-15]g[0-3]' . . >job.tsv
	used() {
		netsim -t rails.yaml -p comm:path=half.tsv -r "$1" -s input-buffer=1MiB -s eager=1GiB --links links.tsv job.tsv >out.tsv
		rows links.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["from"] ~ /leaf/ && $at["to"] ~ /spine/ && $at["bytes"] > 0' | wc -l
	}
	[ "$(used minimal)" = 16 ]
	slow=$(seconds -t rails.yaml -s input-buffer=1MiB -s eager=1GiB -p comm:path=half.tsv job.tsv)
	[ "$(used minimal:ties=hash,entropy=64)" = 64 ]
	[ "$(used minimal:ties=random)" = 64 ]
	[ "$(used minimal:ties=adaptive)" = 64 ]
	fast=$(seconds -t rails.yaml -r minimal:ties=adaptive -s input-buffer=1MiB -s eager=1GiB -p comm:path=half.tsv job.tsv)
	awk -v a="$slow" -v b="$fast" 'BEGIN { print a / b; exit !(a / b > 3.5) }' # eight flows by two cables
}

@test "idle ports are reported: GPUs host by host, rail by rail below two cables; not where numbers spread" {
	# shift_by ABOVE: each of 64 GPUs sends to the one so far above or below it
	shift_by() {
		echo '##placetools=comm/1'
		printf 'src\tdst\tbytes\n'
		for ((i = 0; i < 64; i++)); do printf '%d\t%d\t20000\n' $i $((i ^ $1)); done
	}
	shift_by 32 >half.tsv
	shift_by 8 >eight.tsv
	whole 64 'h[0-15]g[0-3]' . . >job.tsv
	rails 16 4 2 8 >hosts.yaml
	run --separate-stderr netsim -t hosts.yaml -s input-buffer=1MiB -p comm:path=half.tsv job.tsv
	# shellcheck disable=SC2154
	[ "$stderr" = "netsim: 48 of 64 equal ports at 8 routers carry nothing, as the numbers of the destinations choose them (leaf0x0: 8 destinations, 2 of 8 ports): -r minimal:ties=hash or ties=adaptive uses all" ]
	run --separate-stderr netsim --partitions 3 -j 2 -t hosts.yaml -s input-buffer=1MiB -p comm:path=half.tsv job.tsv
	[[ $stderr == *'48 of 64 equal ports'* ]]
	run --separate-stderr netsim -t hosts.yaml -r minimal:ties=hash -s input-buffer=1MiB -p comm:path=half.tsv job.tsv
	[ "$stderr" = '' ]
	# rail by rail, 8 GPUs below a leaf: spread over its 8 cables, then one of the 2 down from each spine
	rails 16 4 2 4 2 1 >by-rail.yaml
	stream jobs 'job nodes nodelist' '1 64 h[0-15]g0,h[0-15]g1,h[0-15]g2,h[0-15]g3' >by-rail.tsv
	run --separate-stderr netsim -t by-rail.yaml -s input-buffer=1MiB -p comm:path=eight.tsv by-rail.tsv
	[[ $stderr == *'32 of 64 equal ports at 4 routers'*'(spine0: 16 destinations, 8 of 16 ports)'* ]]
	# 3 spines have no factor in common with 4 GPUs
	rails 16 4 2 3 >three.yaml
	run --separate-stderr netsim -t three.yaml -s input-buffer=1MiB -p comm:path=half.tsv job.tsv
	[ "$stderr" = '' ]
	# few destinations are no fault of the numbers
	stream jobs 'job nodes nodelist' '1 4 h[0,4,8,12]g0' >few.tsv
	run --separate-stderr netsim -t hosts.yaml -s input-buffer=1MiB -p alltoall few.tsv
	[ "$stderr" = '' ]
}

@test "drawn ties: dragonflies have none by queues, and entropy= is of hash alone" {
	whole 4 'n[0-3]' alltoall 1000 >job.tsv
	run -2 netsim -t dragonfly:groups=3,routers=2,nodes=2 -r minimal:ties=adaptive job.tsv
	run -2 netsim -t dragonfly:groups=3,routers=2,nodes=2 -r minimal:ties=hash,entropy=0 job.tsv
	netsim -t dragonfly:groups=3,routers=2,nodes=2 -r minimal:ties=hash job.tsv
}
