# netsim-tables.bats - forwarding tables with holes: a pair without a way is named, never waited for
load helper

# machine SEED: six routers in a ring of cables and chords, ten nodes; a table that knows the
# shortest ways but for some rows that are left out, or lead elsewhere
machine() {
	awk -v seed="$1" -v HOLES="$2" -v TURNS="$3" '
	function draw(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
	function link(a, b) { adjacent[a, b] = adjacent[b, a] = 1; links = links sprintf("    r%d\tr%d\tlevel\n", a, b) }
	BEGIN {
		state = seed * 7919 + 17; for (i = 0; i < 9; i++) draw(2)
		R = 6; N = 10
		print "placetools: topology/1\ntopology: explicit\nlinks:\n  terminal: {}\n  level: {}\nrouting: table\ntables:\n  routers: |\n    router"
		for (r = 0; r < R; r++) print "    r" r
		print "  nodes: |\n    node"
		for (n = 0; n < N; n++) print "    n" n
		for (n = 0; n < N; n++) links = links sprintf("    n%d\tr%d\tterminal\n", n, at[n] = n % R)
		for (r = 0; r < R; r++) link(r, (r + 1) % R)
		link(draw(2), 3 + draw(2))
		printf "  links: |\n    from\tto\tlevel\n%s", links
		for (d = 0; d < N; d++) { # by breadth from the router of the node
			split("", hops); hops[at[d]] = 0; queue[0] = at[d]; q = 1
			for (i = 0; i < q; i++) for (r = 0; r < R; r++) if (adjacent[r, queue[i]] && !(r in hops)) {
				hops[r] = hops[queue[i]] + 1; to[r, d] = queue[i]; queue[q++] = r }
		}
		printf "  routes: |\n    router\tnodes\tto\tcable\n"
		for (r = 0; r < R; r++) for (d = 0; d < N; d++) {
			if (r == at[d]) continue
			kind = draw(100)
			if (kind < HOLES) { delete to[r, d]; continue }
			if (kind < HOLES + TURNS) { do to[r, d] = draw(R); while (!adjacent[r, to[r, d]]) }
			printf "    r%d\tn%d\tr%d\t0\n", r, d, to[r, d]
		}
		for (s = 0; s < N; s++) for (d = 0; d < N; d++) { # who has no way: a hole, or a circle
			if (s == d) continue
			r = at[s]
			for (i = 0; r != at[d] && i <= R && ((r, d) in to); i++) r = to[r, d]
			if (r != at[d]) print "n" s, "n" d >"lost"
		}
	}'
}

# job PATTERN A B: of the two nodes, or all
job() {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\n1\t%s\t%s\t%s\t1000\t1\n' "$2" "$3" "$1"
}

@test "a table with holes and detours: what has a way comes, what has none is told by name" {
	local nwrong=0 nright=0
	for seed in {1..30}; do
		rm -f lost; touch lost
		machine "$seed" $((seed % 3 * 2)) $((seed % 5)) >m.yaml
		job alltoall 10 'n[0-9]' >job.tsv
		if [ -s lost ]; then
			run -2 --separate-stderr timeout 20 netsim -t m.yaml job.tsv -o out.tsv
			pair=$(sed -n 's/.*there is no route from \(n[0-9]*\) to \(n[0-9]*\).*/\1 \2/p' <<<"$stderr")
			grep -qx "$pair" lost || { echo "seed $seed: $stderr"; return 1; }
			[ "$(wc -l <<<"$stderr")" -eq 1 ]
			[ ! -e out.tsv ]
			nwrong=$((nwrong + 1))
		else
			timeout 20 netsim -t m.yaml job.tsv -o out.tsv
			grep -v '^##' out.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { exit !($c["packets"] == 90) }'
			rm out.tsv
			nright=$((nright + 1))
		fi
	done
	[ "$nwrong" -ge 10 ]
	[ "$nright" -ge 2 ]
}

@test "the number of a cable is one of at most seven digits" {
	for number in x -1 1000001 00000000000 000000000000 123456789012345; do
		machine 1 0 0 | sed "s/\t0\$/\t$number/" >m.yaml
		if [ "$number" = 00000000000 ]; then
			topogen --quiet --to summary m.yaml >out
		else
			run -2 --separate-stderr topogen --quiet --to summary m.yaml
			[[ $stderr == *"routes: '$number' is not a number of a cable"* ]]
		fi
	done
}
