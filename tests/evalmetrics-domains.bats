# The metric domains: what jobs use of a level against the fewest that they could, compared with enumeration.
bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	set -o pipefail
	cat >m.yaml <<-'END'
		placetools: topology/1
		topology: fattree
		parameters: {down: 4x4, up: 1x1}
		gpus: {per_node: 2}
		hierarchies:
		  - {name: power, levels: [row, rack, {name: shelf, size: 2}]}
		tables:
		  domains: |
		    level	domain	within	nodes
		    row	east	.	.
		    row	west	.	.
		    rack	r0	east	.
		    rack	r1	east	.
		    rack	r2	west	.
		    rack	r3	west	.
		    shelf	s0	r0	n[0-1]
		    shelf	s1	r0	n[2-3]
		    shelf	s2	r1	n[4-6]
		    shelf	s3	r2	n[7-9]
		    shelf	s4	r3	n[10-11]
		    shelf	s5	r3	n[12-14]
	END
}

# measured LEVEL: a line for each job, with its six values
measured() {
	evalmetrics -t m.yaml -m "domains:level=$1" "${2:-jobs.tsv}" | awk -F'\t' '
		/^##/ { next }
		!at["value"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ job = $at["id"]; if (!(job in got)) order[++n] = job; got[job] = got[job] " " $at["value"] }
		END { for (i = 1; i <= n; i++) print order[i] got[order[i]] }'
}

@test "domains: used, least, idle left, best, smallest and largest share; nodes of jobs before are held until they end" {
	stream jobs 'job nodes start_s end_s slices nodelist' \
		'late 4 10 20 . n[0-1,7-8]' 'first 3 0 10 . n[0-2]' 'twice 1 11 12 . n7' 'few 3 30 40 . n[4-5]' \
		'slice 4 50 60 rack:2 n[0-1,10-11]' 'outside 1 70 80 . n15' 'odd 3 90 95 rack:2 n[0-2]' >jobs.tsv
	measured rack >got
	diff - got <<-'END'
		first 1 1 1 0 3 3
		late 2 1 3 0 2 2
		twice . . . . . .
		few . . . . . .
		slice 2 1 5 0 2 2
		outside . . . . . .
		odd 1 . 1 . 3 3
	END
	run -2 --separate-stderr evalmetrics -t m.yaml -m domains:level=rak jobs.tsv
	[[ $stderr == *"rak"*"rack"* ]]
}

@test "domains: Slurm's segments are slices of the level with a size; GPUs are counted where jobs share nodes" {
	stream jobs 'job nodes segment gpus gpus_per_node exclusive nodelist' \
		'seg 4 2 . . . n[4-5,7-8]' 'share 2 . 3 2,1 no n[0-1]' 'over 1 . 2 2 no n1' >jobs.tsv
	measured shelf >got
	diff - got <<-'END'
		seg 2 2 2 0 2 2
		share 1 1 1 1 3 3
		over . . . . . .
	END
}

@test "domains: random requests have the costs of enumeration" {
	python3 - <<-'END'
		import itertools, random
		random.seed(7)
		shelves = [[0, 1], [2, 3], [4, 5, 6], [7, 8, 9], [10, 11], [12, 13, 14]]
		racks = [[0, 1], [2], [3], [4, 5]]
		rows = [[0, 1], [2, 3]]
		shelf = {n: i for i, s in enumerate(shelves) for n in s}
		rack = {s: i for i, r in enumerate(racks) for s in r}
		row = {r: i for i, w in enumerate(rows) for r in w}
		of = {'shelf': shelf, 'rack': {n: rack[shelf[n]] for n in shelf}, 'row': {n: row[rack[shelf[n]]] for n in shelf}}
		order = ['row', 'rack', 'shelf']
		jobs, want = open('jobs.tsv', 'w'), {l: open('want.' + l, 'w') for l in order}
		jobs.write('##placetools=jobs/1\njob\trun\tnodes\tslices\tspread\tnodelist\n')
		for j in range(60):
		    idle = sorted(random.sample(range(15), random.randint(1, 11)))
		    n = random.randint(1, min(6, len(idle)))
		    size, slices = n, {}
		    for l in order:
		        size = random.choice([d for d in range(1, size + 1) if size % d == 0])
		        if random.random() < 0.4:
		            slices[l] = size
		    spread = {random.choice(order): random.randint(1, 4)} if random.random() < 0.4 else {}
		    took = sorted(random.sample(idle, n))
		    held = [x for x in range(15) if x not in idle]
		    if held:
		        jobs.write(f'held{j}\t{j}\t{len(held)}\t.\t.\tn[{",".join(map(str, held))}]\n')
		    text = lambda d: ','.join(f'{l}:{d[l]}' for l in order if l in d) or '.'
		    jobs.write(f'j{j}\t{j}\t{n}\t{text(slices)}\t{text(spread)}\tn[{",".join(map(str, took))}]\n')
		    def shares(nodes, l):
		        c = {}
		        for x in nodes:
		            c[of[l][x]] = c.get(of[l][x], 0) + 1
		        return c
		    for l in order:
		        def cost(nodes):
		            used = shares(nodes, l)
		            return len(used), sum(1 for x in idle if of[l][x] in used) - n
		        legal = [cost(c) for c in itertools.combinations(idle, n)
		                 if all(v % s == 0 for k, s in slices.items() for v in shares(c, k).values())
		                 and all(v <= m for k, m in spread.items() for v in shares(c, k).values())]
		        best = min(legal) if legal else ('.', '.')
		        used, left = cost(took)
		        own = shares(took, l).values()
		        want[l].write(f'j{j} {used} {best[0]} {left} {best[1]} {min(own)} {max(own)}\n')
		jobs.write('##end\n')
	END
	for level in row rack shelf; do
		measured "$level" | grep ^j | diff "want.$level" -
	done
}

@test "domains: the reports of other schedulers have the figures that their cases name" {
	cases=$SHARED/data/cases/domains
	[ -d "$cases" ] || skip "no cases"
	n=0
	for facts in "$cases"/*/facts.tsv; do
		dir=$(dirname "$facts")
		for level in $(sed 1d "$facts" | cut -f2 | sort -u); do
			cp "$dir/topology.yaml" m.yaml
			measured "$level" "$dir/jobs.tsv" | grep -v ' \. \. \. \. \. \.$' >got
			awk -F'\t' -v l="$level" '$2 == l { print $1, $3, $4, $5, $6, $7, $8 }' "$facts" | diff - got
			n=$((n + 1))
		done
	done
	[ "$n" -ge 10 ]
}
