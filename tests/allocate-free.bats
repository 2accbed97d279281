# allocate --free: the fewest moves that free racks, with a bound, compared with enumeration.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	cat >m.yaml <<-'END'
		placetools: topology/1
		topology: fattree
		parameters: {down: 4x8, up: 1x1}
		hierarchies:
		  - {name: power, levels: [rack]}
		tables:
		  domains: |
		    level	domain	within	nodes
		    rack	r0	.	n[0-3]
		    rack	r1	.	n[4-7]
		    rack	r2	.	n[8-11]
		    rack	r3	.	n[12-14]
		    rack	r4	.	n[15-19]
		    rack	r5	.	n[20-23]
		    rack	r6	.	n[24-27]
	END
}

moved() { sed -n 's/^##moved=//p' o.tsv; }
bound() { sed -n 's/^##bound=//p' o.tsv; }
freed() { sed -n 's/^##freed=//p' o.tsv; }

@test "--free moves the fewest nodes, jobs, or nodes of jobs; jobs that are kept stay" {
	stream jobs 'job nodes nodelist' 'a 3 n[0-1,4]' 'b 1 n8' 'c 1 n9' 'd 1 n10' 'e 4 n[15-18]' 'f 3 n[20-22]' 'wait 2 .' >jobs.tsv
	allocate -t m.yaml --free rack:1 jobs.tsv >o.tsv
	[ "$(freed)" = r1 ] && [ "$(moved)" = 1 ] && [ "$(bound)" = 1 ]
	[ "$(column job <o.tsv)" = a ] && [ "$(column old_nodelist <o.tsv)" = 'n[0-1,4]' ]
	[ "$(column nodelist <o.tsv)" = 'n[0-1,11]' ]
	allocate -t m.yaml --free rack:2 --cost jobs jobs.tsv >o.tsv
	[ "$(freed)" = r0,r1 ] && [ "$(moved)" = 1 ]
	allocate -t m.yaml --free rack:1 --cost job-nodes --keep a --keep f jobs.tsv >o.tsv
	[ "$(freed)" = r2 ] && [ "$(moved)" = 3 ] && [ "$(bound)" = 3 ]
	[ "$(column job <o.tsv | sort | tr '\n' ' ')" = 'b c d ' ]
	# what is empty, or outside of all racks, too: it takes them, but no empty rack
	allocate -t m.yaml --free rack:2 --cost jobs --keep a jobs.tsv >o.tsv
	column nodelist <o.tsv | tee new
	run ! grep -E 'n(12|13|14|24|25|26|27)' new
}

@test "--free places jobs again with their slices; where they find no room, other racks are freed" {
	# one rack is cheapest, but its job needs two nodes of one rack
	stream jobs 'job nodes slices nodelist' 'pair 2 rack:2 n[0-1]' 'b 3 . n[4-6]' 'c 3 . n[8-10]' 'd 4 . n[15-18]' \
		'f 3 . n[20-22]' 'g 3 . n[12-14]' 'h 3 . n[24-26]' 'out1 4 . n[28-31]' >jobs.tsv
	allocate -t m.yaml --free rack:1 jobs.tsv >o.tsv
	[ "$(bound)" = 2 ] && [ "$(moved)" = 3 ] && [ "$(freed)" != r0 ]
	placecheck -t m.yaml o.tsv
	# nothing is idle
	run -1 --separate-stderr allocate -t m.yaml --free rack:3 jobs.tsv
	[[ $stderr == *"no 3 of the level rack"* ]] && [ -z "$output" ]
}

@test "--free refuses what it does not understand" {
	stream jobs 'job nodes nodelist' 'a 2 n[0-1]' 'b 1 n1' >jobs.tsv
	for bad in rack rack:0 rack:x rak:1; do
		run -2 --separate-stderr allocate -t m.yaml --free "$bad" jobs.tsv
		[ "${#stderr_lines[@]}" -eq 1 ] && [ -z "$output" ]
	done
	run -2 --separate-stderr allocate -t m.yaml --free rack:1 jobs.tsv
	[[ $stderr == *"jobs.tsv:4: nodelist: job b has n1, which job a has"* ]]
	stream jobs 'job nodes nodelist' 'a 2 n[0-1]' >jobs.tsv
	run -2 --separate-stderr allocate -t m.yaml --free rack:1 --keep nobody jobs.tsv
	[[ $stderr == *"no job nobody runs"* ]]
	run -2 --separate-stderr allocate -t m.yaml --free rack:1 -q easy jobs.tsv
}

@test "--free has the costs of enumeration, and bounds that are not above them" {
	python3 - >want <<-'END'
		import itertools, random
		random.seed(3)
		racks = [range(0, 4), range(4, 8), range(8, 12), range(12, 15), range(15, 20), range(20, 24), range(24, 28)]
		case = 0
		while case < 25:
		    jobs, free = [], list(range(28))
		    while len(free) > 10:
		        start = random.randrange(len(free))
		        took = [free.pop(start % len(free)) for _ in range(min(len(free), random.choice([1, 1, 2, 3, 5])))
		                if (start := start if start < len(free) else 0) >= 0]
		        jobs.append(sorted(took))
		    k = random.choice([1, 2])
		    idle, busy = set(free) | set(range(28, 32)), [sum(1 for n in r if n not in free) for r in racks]
		    room = len([n for n in idle if n > 27]) + sum(len(r) - b for r, b in zip(racks, busy) if b)
		    best = {}
		    for pick in itertools.combinations([i for i in range(7) if busy[i]], k):
		        if sum(len(racks[i]) for i in pick) > room:
		            continue
		        inside = set(n for i in pick for n in racks[i])
		        touched = [j for j in jobs if inside & set(j)]
		        for cost, value in (('nodes', sum(busy[i] for i in pick)), ('jobs', len(touched)), ('job-nodes', sum(map(len, touched)))):
		            best[cost] = min(best.get(cost, 99), value)
		    with open(f'jobs{case}.tsv', 'w') as out:
		        out.write('##placetools=jobs/1\njob\tnodes\tnodelist\n')
		        for i, j in enumerate(jobs):
		            out.write(f'j{i}\t{len(j)}\tn[{",".join(map(str, j))}]\n')
		        out.write('##end\n')
		    for cost in ('nodes', 'jobs', 'job-nodes'):
		        print(case, k, cost, best.get(cost, 'no'))
		    case += 1
	END
	n=0
	while read -r case k cost best; do
		if [ "$best" = no ]; then
			run -1 allocate --quiet -t m.yaml --free "rack:$k" --cost "$cost" "jobs$case.tsv"
			continue
		fi
		allocate -t m.yaml --free "rack:$k" --cost "$cost" "jobs$case.tsv" >o.tsv
		[ "$(moved)" = "$best" ] && [ "$(bound)" -le "$best" ] || { echo "$case $k $cost: $(moved), $best is least, bound $(bound)"; false; }
		placecheck -t m.yaml o.tsv
		n=$((n + 1))
	done <want
	[ "$n" -ge 40 ]
}
