# netsim-loadcurve.bats - netsim --open-loop: latency against load, beside BookSim 2's
load helper

# curve ARGUMENTS…: offered accepted latency_s hops_mean drained, tab-separated
curve() {
	netsim "$@" -o curve.tsv || return
	placecheck curve.tsv || return
	grep -v '^##' curve.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ print $c["offered"], $c["accepted"], $c["latency_s"], $c["hops_mean"], $c["drained"] }'
}

@test "every pattern runs from its example, the same twice, another by another seed" {
	local n=0 pattern
	while IFS= read -r pattern; do
		curve -t dragonfly:groups=5,routers=4,nodes=2 --open-loop "$pattern" >a
		curve -t dragonfly:groups=5,routers=4,nodes=2 --open-loop "$pattern" >b
		cmp a b
		curve -t dragonfly:groups=5,routers=4,nodes=2 --open-loop "$pattern" --seed 2 >b
		run ! cmp -s a b
		n=$((n + 1))
	done < <(examples_of netsim open-loop-patterns)
	[ "$n" -eq 4 ]
}

@test "what is wrong with --open-loop is said" {
	run -2 --separate-stderr netsim -t ring:nodes=4 --open-loop uniform:load=.5:.1:.1
	[[ $stderr == "netsim: load: '.5:.1:.1' is neither a load"* ]]
	run -2 --separate-stderr netsim -t ring:nodes=4 --open-loop uniform jobs.tsv
	[[ $stderr == *"--open-loop takes no jobs: 'jobs.tsv'"* ]]
	run -2 --separate-stderr netsim -t ring:nodes=4 --open-loop tornado
	[[ $stderr == *"'tornado' is not an open-loop pattern"* ]]
	run -2 --separate-stderr netsim -t complete:nodes=1 --open-loop uniform
	[[ $stderr == *"a single node has no node to send to"* ]]
	run -2 --separate-stderr netsim -t ring:nodes=4 --open-loop adversarial:tier=group
	[[ $stderr == *"adversarial: tier=group: the machine has no groups"* ]]
	run -2 --separate-stderr netsim --open-loop uniform
	[[ $stderr == *"no machine"* ]]
}

@test "a load beyond saturation is given up, and says so" {
	curve -t dragonfly:groups=5,routers=4,nodes=2 -r minimal --open-loop adversarial:load=1,warmup=300,measure=300,drain=1 >out
	read -r _ accepted _ _ drained <out
	[ "$drained" = no ]
	awk -v a="$accepted" 'BEGIN { exit !(a > .1 && a < .2) }' # one link for 8 nodes: 1/8
}

@test "latencies of the 1 056-node dragonfly are within 5 % of BookSim's at every stable point" {
	need_shared
	local reference=$SHARED/data/reference/booksim/dragonfly_latency_curves.csv routing traffic pattern load latency n=0
	# some of the points: all of them take a minute
	while IFS=, read -r _ _ routing traffic _ load _ _ _ latency _; do
		[[ $routing == routing ]] && continue
		awk -v l="$load" -v t="$traffic" 'BEGIN { exit !(t == "bad_dragon" ? l >= .028 : l == .2 || l == .05) }' || continue
		pattern=uniform
		[[ $traffic == bad_dragon ]] && pattern=adversarial
		[[ $routing == min ]] && routing=minimal
		curve -t dragonfly:links-per-router=4 --profile booksim -r "$routing" --open-loop "$pattern:load=$load" >out
		awk -v want="$latency" -v what="$routing $traffic $load" '{
			off = $3 * 1e9 / want - 1
			if (off > .05 || off < -.05 || $5 != "yes") { print what ": " $0 ", wanted " want; exit 1 }
		}' out
		n=$((n + 1))
	done <"$reference"
	[ "$n" -eq 7 ]
}

@test "minimal routing saturates at 1/(a p) under adversarial traffic, ugal above" {
	curve -t dragonfly:links-per-router=4 --profile booksim -r minimal --open-loop adversarial:load=0.06,drain=1 >out
	awk '{ exit !($2 > .03125 * .95 && $2 < .03125 * 1.05) }' out || { cat out; return 1; }
	curve -t dragonfly:links-per-router=4 --profile booksim -r ugal --open-loop adversarial:load=0.06,drain=1 >out
	awk '{ exit !($2 > .057) }' out || { cat out; return 1; }
}

@test "PAR, which may decide again at the second router, detours where UGAL waits, with several links between groups, too" {
	for links in 1 2; do
		for routing in ugal par; do
			curve -t dragonfly:groups=5,routers=4,nodes=2,links=$links -r $routing --open-loop adversarial:load=.3,measure=300 >$routing
		done
		run -1 cmp -s par ugal
	done
	for routing in ugal par; do
		netsim -t dragonfly:groups=5,routers=4,nodes=2,links=2 -r $routing --open-loop adversarial:load=.6,measure=300 >$routing
	done
	mlr --itsv --onidx --skip-comments cut -f latency_s ugal par | paste -s | awk '{ exit !($2 < $1 / 2) }'
}

@test "loads are simulated by several threads: the same rows for any number" {
	for j in 1 2 5; do
		netsim -t dragonfly:groups=5,routers=4,nodes=2 -r ugal --no-provenance --open-loop uniform:load=.1:.7:.1,measure=300 -j $j -o out$j
	done
	[ "$(grep -cv '^##' out1)" -eq 8 ]
	cmp out1 out2
	cmp out1 out5
	# whichever thread has it, the first load that is wrong is the one told
	bad() { netsim -t dragonfly:groups=5,routers=4,nodes=2 --open-loop "$1" -j 3; }
	run -2 --separate-stderr bad uniform:load=.5:.1:.1
	[[ $stderr == *"load: '.5:.1:.1'"* ]]
}

# saturated MACHINE ROUTING PATTERN LOW HIGH: at full load, as much is accepted as theory says
saturated() {
	curve -t "$1" -r "$2" --open-loop "$3$([[ $3 == *:* ]] && echo , || echo :)load=1,warmup=400,measure=400,drain=1" >out
	awk -v low="$4" -v high="$5" '{ exit !($2 >= low && $2 <= high) }' out || { echo "$*: $(<out)"; return 1; }
}

@test "HyperX saturates where theory says: by row 1/p, uniform near 1, by detours one half" {
	# a row is a complete graph of 8 routers with 8 nodes each: a link carries p/S of a node's uniform load
	saturated hyperx:dims=8,nodes=8 minimal uniform .93 1
	saturated hyperx:dims=8,nodes=8 valiant uniform .49 .57 # a fourth of the packets finds no third router
	saturated hyperx:dims=8,nodes=8 minimal adversarial .1245 .1255
	saturated hyperx:dims=8,nodes=8 valiant adversarial .48 .505
	saturated hyperx:dims=8,nodes=8 ugal adversarial .48 .51
	# two dimensions: the nodes of a row have one cable per router to the next row
	saturated hyperx:dims=4x4,nodes=4 minimal adversarial .249 .251
	saturated hyperx:dims=4x4,nodes=4 valiant adversarial:tier=router .46 .55
}

@test "hotspot: one node takes in what its link carries, and itself sends to all others" {
	curve -t hyperx:dims=8,nodes=1 --open-loop hotspot:load=.9,nodes=1,share=1,measure=300 >out
	# (1 + .9) of 8 nodes
	awk '{ exit !($2 > .22 && $2 < .2375) }' out || { cat out; return 1; }
}

@test "the Slim Fly of q = 5, a Moore graph, saturates where counting links says" {
	# 350 directed links and unique paths of 1.857 links between routers: all links are equal, so that 200 nodes, of
	# whose packets 196/199 leave the router, fill them at .957; two such legs, which all but 4 % have, at .481
	saturated slimfly:q=5,nodes=4 minimal uniform .9 .957
	saturated slimfly:q=5,nodes=4 ugal uniform .88 .96
	saturated slimfly:q=5,nodes=4 valiant uniform .46 .49
	# to the next router there is one path, so that 4 nodes share one link at best
	saturated slimfly:q=5,nodes=4 minimal adversarial:tier=router .15 .25
	saturated slimfly:q=5,nodes=4 valiant adversarial:tier=router .45 .49
	saturated slimfly:q=5,nodes=4 ugal adversarial:tier=router .45 .55
}
