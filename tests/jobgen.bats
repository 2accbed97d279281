# shellcheck disable=SC1010 # Miller's verbs are chained by the word then
bats_require_minimum_version 1.5.0
load helper

# Sums of the counters of an aries file, one line a router and second: time router flits stalls.
# Columns are found by name, headers may come again; counters of several producers count once.
sums() {
	awk -F, '
		/^#/ { for (i = 1; i <= NF; i++) name[i] = $i; n = NF; next }
		{
			for (i = 8; i <= n; i++) {
				key = $1 SUBSEP $7 SUBSEP name[i]
				if (key in seen && seen[key] != $i) { print "differs: " name[i]; exit 1 }
				if (key in seen) continue
				seen[key] = $i
				if (name[i] ~ /NIC_[0-9]+(_TO_PTILES)?_FLITS$/) flits[$1 " " $7] += $i
				if (name[i] ~ /^AR_RTR_[0-4]_[0-7]_INQ_PRF_ROWBUS_STALL_CNT$/) stalls[$1 " " $7] += $i
			}
			at[$1 " " $7]
		}
		END { for (k in at) printf "%s %d %d\n", k, flits[k], stalls[k] }' | LC_ALL=C sort -k1n -k2
}

@test "the example of every workload works" {
	examples_of jobgen workloads > list
	[ "$(wc -l < list)" -ge 5 ]
	while read -r example; do
		jobgen -t dragonfly:groups=17,routers=4,nodes=4 "$example" < "$DATA/placed.tsv" > out.txt
		[ -s out.txt ]
	done < list
}

@test "job: columns as given, in order, numbers and times exact" {
	jobgen job:nodes=3,count=2,first=7,name=a,submit=1970-01-01T00:01:00Z,every=0.1,runtime=1.5,bytes=4KiB,pattern=halo3d26:n=8,intensity=2.5e6,io_pinned='n[1,3]',compute=1us > jobs.tsv
	[ "$(rows < jobs.tsv)" = "$(printf 'job\tnodes\tsubmit_s\truntime_s\tpattern\tbytes\tcompute_s\tintensity\tio_pinned\na7\t3\t60\t1.5\thalo3d26:n=8\t4096\t0.000001\t2500000\tn[1,3]\na8\t3\t60.1\t1.5\thalo3d26:n=8\t4096\t0.000001\t2500000\tn[1,3]')" ]
	[ "$(head -1 jobs.tsv)" = "##placetools=jobs/1 end=yes" ]
	[ "$(tail -1 jobs.tsv)" = "##end" ]
	grep -qx '##seed=1' jobs.tsv
}

@test "job: runs repeat all jobs, and only then there is a column run" {
	[ "$(jobgen job:nodes=1,count=2,runs=3 | rows | cut -f1,2 | tr '\t\n' ': ')" = "run:job 1:1 1:2 2:1 2:2 3:1 3:2 " ]
	[ "$(jobgen job:nodes=1 | rows)" = "$(printf 'job\tnodes\n1\t1')" ]
}

@test "job: what is wrong is said" {
	run -2 --separate-stderr jobgen job
	[[ $stderr == "jobgen: job needs nodes="* ]]
	run -2 --separate-stderr jobgen job:nodes=0
	[[ $stderr == "jobgen: job: nodes: '0'"* ]]
	run -2 --separate-stderr jobgen job:nodes=1,every=5
	[[ $stderr == *"every= needs submit="* ]]
	run -2 --separate-stderr jobgen job:nodes=1,submit=tomorrow
	[[ $stderr == *"submit: 'tomorrow'"* ]]
	run -2 --separate-stderr jobgen job:nodes=1,runtime=1e15
	[[ $stderr == *"runtime: '1e15' is not a time of at most 9e9 s" ]]
	run -2 --separate-stderr jobgen job:nodes=1,submit=0,every=5e9,count=3
	[[ $stderr == *"every: the last submission is later than a time can be" ]]
	run -2 --separate-stderr jobgen job:nodes=1 "$DATA/jobs.tsv"
	[[ $stderr == *"job reads no jobs"* ]]
	run -2 --separate-stderr jobgen jib:nodes=1
	[[ $stderr == "jobgen: 'jib' is not a workload"* ]]
}

nedd() { jobgen -t dragonfly:groups=9,routers=8,nodes=4 "$@"; }

@test "nedd: every run has the paper's numbers of nodes, each node once" {
	nedd nedd > n.tsv
	mlr --itsv --ojson --pass-comments cat n.tsv > /dev/null
	[ "$(rows < n.tsv | tail -n +2 | cut -f1 | uniq | wc -l)" -eq 90 ]
	rows < n.tsv | awk -F'\t' '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["nodelist"] == "." {
			if ($c["nodes"] != 32 || $c["submit_s"] != start[$c["run"]] + 120) bad = 1
			waiting[$c["run"]]++; next
		}
		{ start[$c["run"]] = $c["start_s"]; n[$c["run"], $c["job"]] += $c["nodes"]; all[$c["run"]] += $c["nodes"] }
		END {
			for (r in all) {
				if (all[r] != 288 - 201 + 1 + 64) bad = 2
				if (n[r, "congestor"] != 51 || n[r, "canary"] != 13 || n[r, "control"] != 1) bad = 3
				if (waiting[r] != (index(r, "+") ? 2 : 1)) bad = 4
			}
			exit bad
		}'
	# no node twice in a run
	mlr --itsv --onidx --ofs tab --pass-comments filter '$nodelist != "." && $run == "HACC.3"' then cut -f nodelist n.tsv |
		rows > lists
	while read -r list; do
		tr -d 'n[]' <<< "$list" | tr , '\n' | awk -F- '{ for (i = $1; i <= (NF > 1 ? $2 : $1); i++) print i }'
	done < lists > nodes
	[ "$(wc -l < nodes)" -eq 152 ]
	[ "$(sort -u nodes | wc -l)" -eq 152 ]
}

@test "nedd: the applications of Table I with their ranks, and the pairs of Fig. 5 in order" {
	nedd nedd:reps=1 | mlr --itsv --onidx --ofs ' ' --pass-comments filter '$nodelist == "."' then cut -o -f run,job,ranks_per_node | rows > got
	diff got - <<-'END'
		miniMD.1 miniMD 68
		LAMMPS.1 LAMMPS 68
		MILC.1 MILC 64
		HACC.1 HACC 64
		QMCPACK.1 QMCPACK 68
		HPCG.1 HPCG 68
		miniMD+MILC.1 miniMD 68
		miniMD+MILC.1 MILC 64
		miniMD+QMCPACK.1 miniMD 68
		miniMD+QMCPACK.1 QMCPACK 68
		QMCPACK+miniMD.1 QMCPACK 68
		QMCPACK+miniMD.1 miniMD 68
	END
	[ "$(nedd 'nedd:reps=1,jobs=[HPCG+HPCG]' | rows | tail -2 | cut -f4 | tr '\n' ' ')" = "HPCG HPCG.2 " ]
}

@test "nedd: more repetitions, other jobs, a quiet congestor move no draw" {
	nedd nedd:reps=2 | grep -v '^##' | cut -f1,4,16 | grep '^MILC\.2' > whole
	[ -s whole ]
	nedd nedd:reps=5,jobs=MILC | grep -v '^##' | cut -f1,4,16 | grep '^MILC\.2' | diff whole -
	nedd nedd:reps=2,congestor=no | grep -v '^##' | cut -f1,4,16 | grep '^MILC\.2' | diff whole -
	nedd --seed 2 nedd:reps=2 | grep -v '^##' | cut -f1,4,16 | grep '^MILC\.2' > other
	run ! cmp -s whole other
	[ "$(nedd nedd:reps=1,congestor=no | rows | awk -F'\t' '$4 == "congestor" { print $12, $15 }' | uniq)" = ". 0" ]
}

@test "nedd: the occupancy leaves idle nodes that nobody may take" {
	nedd nedd:reps=1,jobs=MILC,occupancy=.25 | rows | awk -F'\t' '
		$4 == "vacant" { vacant = $5 } $6 == "background" { busy += $5 }
		END { exit !(vacant == 288 - 72 - 201 && busy == 72) }'
	run -2 --separate-stderr jobgen -t "$MACHINE" nedd
	[[ $stderr == *"needs 201 idle nodes"*"24"* ]]
	run -2 --separate-stderr nedd nedd:occupancy=.9
	[[ $stderr == *"this occupancy"* ]]
	run -2 --separate-stderr nedd nedd:nodes=69,jobs=two
	[[ $stderr == *"too small"* ]]
	run -2 --separate-stderr nedd nedd:jobs=Quake
	[[ $stderr == *"'Quake' is not an application of Table I"* ]]
	run -2 --separate-stderr jobgen nedd
	[ "$status" -eq 2 ]
}

@test "nedd: a smaller background makes a more scattered pool" {
	for most in 1 8 64; do
		nedd nedd:reps=1,jobs=MILC,background=$most | rows | awk -F'\t' '$6 == "background"' | wc -l
	done > counts
	[ "$(sort -rn counts)" = "$(cat counts)" ]
	[ "$(sort -u counts | wc -l)" -eq 3 ]
}

# logged: what a scheduler left on a machine of 24 nodes at time 100, when the job "pool" got seven of them
logged() {
	tr ' ' '\t' <<-'END'
		##placetools=jobs/1
		job nodes start_s end_s nodelist
		before 4 0 100 n[0-3]
		long 8 0 500 n[4-7,12-15]
		pool 7 100 200 n[0-2,9,20-22]
		other 2 50 101 n[8,10]
		after 1 101 200 n11
		waits 3 . . .
	END
}

@test "nedd:log= takes pool and background from what a scheduler left at that moment" {
	logged > log.tsv
	experiment() { jobgen -t "$MACHINE" "nedd:log=log.tsv,jobs=MILC,reps=6,congestor-nodes=3,nodes=3$1"; }
	experiment "" > n.tsv
	rows < n.tsv | awk -F'\t' '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ print $c["run"], $c["job"], $c["nodes"], $c["nodelist"] }' > got
	# the same in each run: what ran at 100, and what nobody had
	for rep in 1 2 3 4 5 6; do
		printf 'MILC.%s %s\n' $rep 'blong 8 n[4-7,12-15]' $rep 'bother 2 n[8,10]' $rep 'vacant 7 n[3,11,16-19,23]'
	done > expected
	grep -E ' (b[a-z]+|vacant) ' got | diff expected -
	# control and congestor are of the pool, and differ between the runs
	awk '$2 ~ /^(control|congestor|canary)$/ { print $4 }' got | tr -d 'n[]' | tr , '\n' |
		awk -F- '{ for (i = $1; i <= (NF > 1 ? $2 : $1); i++) print i }' | sort -un > used
	run ! grep -vxE '0|1|2|9|20|21|22' used
	[ "$(awk '$2 == "congestor" { print $4 }' got | sort -u | wc -l)" -gt 1 ]
	# a background job is as loud in each run
	[ "$(rows < n.tsv | awk -F'\t' '$4 == "blong" { print $15 }' | sort -u | wc -l)" -eq 1 ]
}

@test "nedd:log= refuses what is no state of a machine" {
	experiment() { jobgen -t "$MACHINE" "nedd:log=log.tsv,jobs=MILC,congestor-nodes=3,nodes=3$1"; }
	logged > log.tsv
	run -2 --separate-stderr experiment ,pool-job=waits
	[[ $stderr == "jobgen: nedd: log.tsv: has no placed job 'waits', whose nodes form the pool" ]]
	run -2 --separate-stderr experiment ,pool=7
	[[ $stderr == "jobgen: nedd: pool: the log has its own" ]]
	run -2 --separate-stderr experiment ,pool-job=other
	[[ $stderr == "jobgen: nedd: a pool of 2 nodes is too small"* ]]
	run -2 --separate-stderr jobgen -t "$MACHINE" nedd:pool=7,pool-job=x
	[[ $stderr == *"pool-job: expected log="* ]]
	logged | sed 's/n\[8,10\]/n[8-9]/' > log.tsv
	run -2 --separate-stderr experiment ""
	[[ $stderr == *"n9 is in two jobs at the start of the pool's job"* ]]
	(logged; logged | tail -n +3) > log.tsv
	run -2 --separate-stderr experiment ""
	[[ $stderr == *"the job 'pool' is placed twice" ]]
	logged | cut -f1,2,5 > log.tsv
	run -2 --separate-stderr experiment ""
	[[ $stderr == "jobgen: log.tsv:3: a placed job has no start_s and end_s" ]]
	logged | sed 's/jobs.1/jobs\/1 end=yes/' > log.tsv
	run -2 --separate-stderr experiment ""
	[[ $stderr == *"log.tsv"* ]]
}

# level SIZE SPEC: the workloads of that study on a machine of so many nodes
level() { jobgen -t "@level-spread-$1" "level-spread:$2"; }

@test "level-spread: numbers of jobs at 90 and 70 % are those of the paper" {
	for sizes in 16 64 16+64; do
		for nodes in 272 528 544 1056; do
			for util in .9 .7; do
				n=$(level $nodes sizes=$sizes,util=$util,reps=1,patterns=halo2d | rows | tail -n +2 | wc -l)
				echo $((sizes == 80 ? n / 2 : n)) # 16+64 is 80: as many of each
			done
		done
	done | paste -d' ' - - - - - - - - > got
	diff got - <<-'END'
		15 11 29 23 30 23 59 46
		3 2 7 5 7 5 14 11
		3 2 5 4 6 4 11 9
	END
}

@test "level-spread: six patterns with their iterations, ten repetitions, two ranks a node" {
	level 272 sizes=64 > l.tsv
	[ "$(rows < l.tsv | tail -n +2 | wc -l)" -eq $((6 * 10 * 3)) ]
	rows < l.tsv | cut -f7-11 | sort -u > got
	diff got - <<-'END'
		2	alltoall	1024	2	random
		2	broadcast	1024	10	random
		2	fft3d	1024	2	random
		2	halo2d	1024	10	random
		2	halo3d	1024	10	random
		2	halo3d26:n=8	1024	10	random
		ranks_per_node	pattern	bytes	iterations	mapping
	END
	[ "$(level 272 'sizes=quarter,reps=1,patterns=[fft3d:rows=4,halo2d],iterations=7,bytes=100kB,mapping=in-order' | rows | tail -n +2 | cut -f5-11 | sort -u)" = "$(printf '68\tlarge\t2\tfft3d:rows=4\t100000\t7\tin-order\n68\tlarge\t2\thalo2d\t100000\t7\tin-order')" ]
}

@test "level-spread: small or large jobs first, and with messages of their own" {
	[ "$(level 272 sizes=16+64,reps=1,patterns=halo2d | rows | tail -n +2 | cut -f4-6 | tr '\t\n' ': ')" = "1:16:small 2:16:small 3:16:small 4:64:large 5:64:large 6:64:large " ]
	[ "$(level 272 sizes=16+64,reps=1,patterns=halo2d,order=large,large-bytes=4KiB | rows | tail -n +2 | cut -f4-6,9 | tr '\t\n' ': ')" = "1:64:large:4096 2:64:large:4096 3:64:large:4096 4:16:small:1024 5:16:small:1024 6:16:small:1024 " ]
}

@test "level-spread: random workloads keep to their ranges, and none outgrows the machine" {
	for draw in small large; do
		level 272 sizes=random,draw=$draw | rows | awk -F'\t' '
			NR == 1 { next }
			{ n[$1, $6]++; size[$1, $6] = $5; nodes[$1] += $5; pattern[$1, $6] = $8; runs[$1] }
			END {
				for (r in runs) {
					nruns++
					s = size[r, "small"]; l = size[r, "large"]
					if (s < 2 || s > 16 || l < 17 || l > 136 || nodes[r] > 272) bad = 1
					small += n[r, "small"]; large += n[r, "large"]; mixed += pattern[r, "small"] != pattern[r, "large"]
				}
				# five of six pairs of patterns differ
				if (nruns != 1000 || mixed < 780 || mixed > 880) bad = 2
				printf "%.1f %.1f\n", large / nruns, small / nruns
				exit bad
			}' > "$draw"
	done
	# expected, by summing over all draws: 2.58 and 9.63 for large first, 1.69 and 15.8 for small first
	awk '!($1 > 2.4 && $1 < 2.8 && $2 > 9 && $2 < 10.3) { exit 1 }' large
	awk '!($1 > 1.6 && $1 < 1.8 && $2 > 14.8 && $2 < 16.8) { exit 1 }' small
}

@test "level-spread: one more workload, another order or pattern moves no draw" {
	sizes() { rows | cut -f1,5 | grep '^random2' | cut -f2 | sort | uniq -c; }
	level 272 sizes=random,workloads=2 | sizes > want
	level 272 sizes=random,workloads=9,order=large | sizes | diff want -
	level 272 sizes=random,workloads=2,patterns=halo2d | sizes | diff want -
}

@test "level-spread: what is wrong is said" {
	run -2 --separate-stderr level 272 sizes=64+16
	[[ $stderr == *"rising sizes"* ]]
	run -2 --separate-stderr level 272 sizes=300
	[[ $stderr == *"do not fit a machine of 272 nodes"* ]]
	run -2 --separate-stderr level 272 sizes=16,count=18
	[[ $stderr == *"do not fit"* ]]
	run -2 --separate-stderr level 272 'patterns=[]'
	[[ $stderr == *"names an empty one"* ]]
	run -2 --separate-stderr jobgen -t ring:nodes=3 level-spread:sizes=quarter
	[[ $stderr == *"a quarter of a machine of 3 nodes is not a job" ]]
	run -2 --separate-stderr jobgen -t complete:nodes=8 level-spread:sizes=random
	[[ $stderr == *"groups"* ]]
}

@test "lublin: sizes, running times and arrivals are distributed as the model says" {
	jobgen lublin:nodes=128,jobs=40000,types=no | rows | awk -F'\t' '
		NR == 1 { next }
		{
			n++; size = $2; if (size < 1 || size > 128 || $4 < 0 || $4 > 162754 || $3 < last) bad = "range"
			last = $3; serial += size == 1
			# of jobs of one node, p = -.0054 + .78
			if (size == 1) { ln += log($4 > 0 ? $4 : 1); }
			hour = $3 % 86400 / 3600; night += hour >= 2 && hour < 6
			for (power = 2; power < size; power *= 2); pow2 += power == size
		}
		function far(got, want, tolerance) { return got < want - tolerance || got > want + tolerance }
		END {
			p = .78 - .0054
			if (far(serial / n, .244, .008)) bad = bad " serial " serial / n
			# .576, and those of the others that round to a power
			if (pow2 / n < .57 || pow2 / n > .66) bad = bad " pow2 " pow2 / n
			# the model draws again where exp(12) is exceeded, which takes a little away
			if (far(ln / serial, p * 4.2 * .94 + (1 - p) * 312 * .03, .1)) bad = bad " runtime " ln / serial
			# buckets 4 to 11 of 48 have 3.9 % of the weight
			if (far(night / n, .0391, .008)) bad = bad " night " night / n
			# the mean of many seeds; times between arrivals have a long tail
			if (far($3 / n, 910, 90)) bad = bad " arrivals " $3 / n
			if (bad) { print bad; exit 1 }
		}'
}

@test "lublin: the load is what was asked for; without it the same jobs come as the model has them" {
	jobgen lublin:nodes=100,jobs=5000,load=.85 > l.tsv
	rows < l.tsv | awk -F'\t' 'NR > 1 { work += $2 * $4; last = $3 }
		END { load = work / 100 / last; exit !(load > .8499 && load < .8501) }'
	jobgen lublin:nodes=100,jobs=5000 | rows | cut -f1,2,4-6 | diff - <(rows < l.tsv | cut -f1,2,4-6)
}

@test "lublin: more jobs, walltimes and runs move no draw" {
	jobgen lublin:nodes=100,jobs=50 | rows > want
	jobgen lublin:nodes=100,jobs=90 | rows | head -51 | diff want -
	jobgen lublin:nodes=100,jobs=50,overestimate=5 | rows | cut -f1-4,6 | diff <(cut -f1-4,6 want) -
	jobgen lublin:nodes=100,jobs=2000,overestimate=5 | rows | awk -F'\t' 'NR > 1 && $4 > 100 { n++; if ($5 < $4 || $5 > 5 * $4 + 1) exit 1; s += $5 / $4 }
		END { exit !(s / n > 2.9 && s / n < 3.1) }'
	jobgen lublin:nodes=100,jobs=50,runs=2 | rows > runs
	[ "$(cut -f1 runs | uniq -c | tr -s ' \n' ' ')" = " 1 run 50 1 50 2 " ]
	grep '^1' runs | cut -f2- | diff <(tail -n +2 want) -
	run ! diff <(grep '^1' runs | cut -f2-) <(grep '^2' runs | cut -f2-)
	[ "$(jobgen -t @level-spread-272 lublin:jobs=2000 | rows | cut -f2 | sort -n | tail -1)" -le 272 ]
	run -2 --separate-stderr jobgen lublin
	[[ $stderr == *"-t or nodes= is needed"* ]]
}

@test "counters: what running jobs leave is what a hand computes" {
	# b1: 2 nodes of r0, 1e6 each; b2: one node of r1, one of r5 by way of r4; b3: a broadcast inside r2,
	# its root has 2 · 2e6; b4: alone at r4. 1.5 stalls for each of b2's 600 000 flits/s, on r1, r4, r5.
	jobgen -t "$MACHINE" counters:seconds=100,interval=50,fresh "$DATA/placed.tsv" | sums > got
	diff got - <<-'END'
		0.000000 r0 0 0
		0.000000 r1 0 0
		0.000000 r2 0 0
		0.000000 r3 0 0
		0.000000 r4 0 0
		0.000000 r5 0 0
		50.000000 r0 100000000 0
		50.000000 r1 30000000 45000000
		50.000000 r2 400000000 0
		50.000000 r3 0 0
		50.000000 r4 25000000 45000000
		50.000000 r5 30000000 45000000
		100.000000 r0 200000000 0
		100.000000 r1 60000000 90000000
		100.000000 r2 800000000 0
		100.000000 r3 0 0
		100.000000 r4 50000000 90000000
		100.000000 r5 60000000 90000000
	END
}

@test "counters: closed forms on a complete network, whatever is redundant, jittered or sliced" {
	# 16 routers, one node each; a job of n nodes with I flits/s has n·I/2 flits/s under way, each on
	# two routers
	jobgen -t complete:nodes=16 job:nodes=12,nodelist='n[0-11]',intensity=1.2e6 > j.tsv
	for options in redundancy=1 redundancy=4 columns=few partners=3 slice=0 jitter=0.2; do
		jobgen -t complete:nodes=16 counters:seconds=10,interval=10,fresh,$options j.tsv | sums |
			awk '$1 >= 10 { t = $1; if ($3 > 1.1) { e = $3 / 1.2e6 / t - 1; if (e * e > 1e-12) bad = 1; n++; s += $4 / t } }
				END { e = s / (1.5 * 2 * 12 * 1.2e6 / 2) - 1; if (e * e > 1e-12 || n != 12 || bad) print n, s, bad }' > bad
		[ ! -s bad ]
	done
}

@test "counters: routers of nodes other than four, and of different numbers" {
	for machine in dragonfly:groups=3,routers=2,nodes=1 dragonfly:groups=3,routers=2,nodes=3 dragonfly:groups=2,routers=2,nodes=6; do
		jobgen -t $machine job:nodes=4,nodelist='n[0-3]',intensity=6e5 > j.tsv
		jobgen -t $machine counters:seconds=10,interval=10,fresh,redundancy=1 j.tsv > c.csv
		[ "$(sums < c.csv | awk '{ s += $3 } END { printf "%d", s }')" = 24000000 ]
		# every tile is reported by somebody
		[ "$(grep '^#' c.csv | tr , '\n' | grep 'AR_RTR.*ROWBUS' | sort -u | wc -l)" -eq 40 ]
	done
}

@test "counters: the columns are those of LDMS's real sets, in their order" {
	need_shared
	jobgen -t "$MACHINE" counters:seconds=0,slice=0 "$DATA/placed.tsv" | head -1 | tr , '\n' |
		tail -n +8 | cmp - "$SHARED/data/ldms/metric_set_rtr_0_2_c"
	jobgen -t "$MACHINE" counters:seconds=0,slice=0,redundancy=4 "$DATA/placed.tsv" | head -1 | tr , '\n' |
		tail -n +8 | cmp - "$SHARED/data/ldms/metric_set_rtr_0_2_s"
	jobgen -t "$MACHINE" counters:seconds=0,slice=0,source=cray_aries_r "$DATA/placed.tsv" | head -1 |
		tr , '\n' | tail -n +7 > ours
	head -1 "$SHARED/data/ldms/cray_aries_r-nid00062-converted.csv" | tr , '\n' |
		grep -E '^(traffic|stalled|totaloutput|totalinput)' | diff ours -
}

@test "counters: gpcdr's sums follow from the raw counters" {
	jobgen -t "$MACHINE" counters:seconds=60,interval=60,fresh,source=cray_aries_r "$DATA/placed.tsv" > g.csv
	# r1: stall nanoseconds are counts × 5/4, of 900 000/s
	awk -F, '/^#/ { for (i = 1; i <= NF; i++) name[i] = $i; next } $1 == 60 && $3 == "n5" {
		for (i = 7; i <= NF; i++) if (name[i] ~ /^stalled/) s += $i; printf "%d\n", s }' g.csv > got
	[ "$(cat got)" -eq $((900000 * 60 * 5 / 4)) ]
	# bytes of n4: 16 × (flits − packets), where 250 000 flits/s go out in packets of 5, and come in
	[ "$(awk -F, '$1 == 60 && $3 == "n4" { print $(NF - 1), $NF }' g.csv)" = "192000000 192000000" ]
	# tile RC is number R × 10 + C: no such tile counts anything
	awk -F, '/^#/ { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 7; i <= NF; i++) if (name[i] ~ /_0[0-4][89] / && $i > 0) bad = 1 } END { exit bad }' g.csv

	# all four nodes of a router say the same of its tiles
	[ "$(awk -F, '$1 == 60 && $4 >= 4 && $4 < 8' g.csv | cut -d, -f7-102 | uniq | wc -l)" -eq 1 ]
}

@test "counters: what trafficagg makes of them is the traffic of the jobs" {
	for options in columns=few redundancy=1 redundancy=4 columns=few,interval=7.5,fresh; do
		jobgen -t "$MACHINE" counters:seconds=120,$options "$DATA/placed.tsv" |
			trafficagg -t "$MACHINE" | rows | cut -f1-5,7,8 > got
		rows < "$DATA/traffic.tsv" | cut -f1-5,7,8 | diff - got
	done
	for source in cray_aries_r infiniband; do
		jobgen -t "$MACHINE" counters:seconds=120,source=$source "$DATA/placed.tsv" |
			trafficagg -t "$MACHINE" | rows | cut -f3,5 > got
		rows < "$DATA/traffic.tsv" | cut -f3,5 | diff - got
	done
}

@test "counters: InfiniBand counts words of four bytes, 16 bytes a flit" {
	jobgen -t "$MACHINE" counters:seconds=60,interval=60,fresh,source=infiniband "$DATA/placed.tsv" > ib.csv
	# b2: 300 000 flits/s each way
	[ "$(awk -F, '$1 == 60 && $3 == "n4" { print $9, $10 }' ib.csv)" = "72000000 72000000" ]
	[ "$(awk -F, '$1 == 60 && $3 ~ /^r/ { s[$3] += $9 } END { print s["r0"], s["r1"], s["r4"], s["r5"] }' ib.csv)" = "0 54000000 54000000 54000000" ]
}

@test "counters: jobs begin and end, also between samples" {
	cat > j.tsv <<-'END'
		##placetools=jobs/1
		job	nodes	intensity	start_s	end_s	nodelist
		a	1	1200000	10	20.5	n0
		b	1	600000	15	30	n0
	END
	jobgen -t "$MACHINE" counters:interval=5,fresh,columns=few j.tsv | sums | awk '$2 == "r0" { print $1, $3 }' > got
	diff got - <<-'END'
		10.000000 0
		15.000000 6000000
		20.000000 15000000
		25.000000 18600000
		30.000000 21600000
	END
}

@test "counters: runs that follow each other share a file, those that overlap do not" {
	jobgen -t dragonfly:groups=9,routers=8,nodes=4 nedd:reps=2,jobs=MILC,hold=60 > n.tsv
	jobgen counters:interval=90,columns=few n.tsv > c.csv
	[ "$(grep -v '^#' c.csv | cut -d, -f1 | uniq | tr '\n' ' ')" = "0.000000 90.000000 180.000000 270.000000 360.000000 " ]
	sed 's/\t180\t360\t/\t100\t360\t/' n.tsv > o.tsv
	run -2 --separate-stderr jobgen counters:interval=90 o.tsv
	[[ $stderr == *"runs MILC.1 and MILC.2 overlap in time"* ]]
	jobgen counters:interval=90,columns=few,run=MILC.2 o.tsv > /dev/null
}

@test "counters: holes, duplicates, disorder, resets and a cut are what they say" {
	count() { jobgen -t "$MACHINE" counters:seconds=99,columns=few,redundancy=4,"$1" "$DATA/placed.tsv" > "$2"; grep -vc '^#' "$2"; }
	n=$(count holes=0 whole.csv)
	[ "$n" -eq 2400 ]
	holes=$(count holes=.1 holes.csv)
	[ "$holes" -gt 2050 ] && [ "$holes" -lt 2270 ]
	[ "$(grep -Fxc -f whole.csv holes.csv)" -eq $((holes + 1)) ]
	[ "$(grep -c '^#' whole.csv)" -eq 1 ]
	twice=$(count duplicates=.1 twice.csv)
	[ "$twice" -gt 2530 ] && [ "$twice" -lt 2750 ]
	[ "$(sort -u twice.csv | wc -l)" -eq 2401 ]
	[ "$(count disorder=.1 disorder.csv)" -eq 2400 ]
	run ! cmp -s whole.csv disorder.csv
	cmp <(sort whole.csv) <(sort disorder.csv)
	[ "$(count resets=3 resets.csv)" -eq 2400 ]
	# a counter that goes back: its row is smaller than the one before it
	awk -F, '!/^#/ { if ($3 in last && $8 < last[$3]) print $7; last[$3] = $8 }' resets.csv | sort -u | wc -l > nback
	[ "$(cat nback)" -ge 1 ] && [ "$(cat nback)" -le 3 ]
	count cut whole-cut.csv
	[ "$(tail -c1 whole-cut.csv | od -An -c | tr -d ' ')" != '\n' ]
	cmp -n "$(wc -c < whole-cut.csv)" whole.csv whole-cut.csv
}

@test "counters: same seed, same bytes; jobs from a pipe; input that was cut is said to be" {
	jobgen -t "$MACHINE" counters:seconds=3,holes=.3 "$DATA/placed.tsv" > a.csv
	jobgen -t "$MACHINE" counters:seconds=3,holes=.3 < "$DATA/placed.tsv" | cmp - a.csv
	jobgen --seed 2 -t "$MACHINE" counters:seconds=3,holes=.3 "$DATA/placed.tsv" > b.csv
	run ! cmp -s a.csv b.csv
	sed '1s/$/ end=yes/' "$DATA/placed.tsv" > cut.tsv
	run -2 --separate-stderr jobgen -t "$MACHINE" counters:seconds=1 cut.tsv
	[[ $stderr == *truncated* ]]
}

@test "counters: what is wrong is said, with the line" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\na\t1\tn99\n' > bad.tsv
	run -2 --separate-stderr jobgen -t "$MACHINE" counters:seconds=1 bad.tsv
	[[ $stderr == "jobgen: bad.tsv:3: nodelist: "*n99* ]]
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tstart_s\tend_s\na\t1\tn9\t5\t4\n' > bad.tsv
	run -2 --separate-stderr jobgen -t "$MACHINE" counters:seconds=1 bad.tsv
	[[ $stderr == "jobgen: bad.tsv:3: end_s is before start_s"* ]]
	run -2 --separate-stderr jobgen -t "$MACHINE" counters < <(printf '##placetools=jobs/1\njob\tnodes\tnodelist\na\t1\tn9\n')
	[[ $stderr == *"seconds= is needed"* ]]
	run -2 --separate-stderr jobgen -t "$MACHINE" counters:seconds=1,header=no "$DATA/placed.tsv"
	[[ $stderr == *"header=no"* ]]
	run -2 --separate-stderr jobgen -t "$MACHINE" counters:seconds=1,slice=0,source=infiniband "$DATA/placed.tsv"
	[ "$status" -eq 2 ]
}

@test "job: what no scheduler would have done is refused" {
	run -2 --separate-stderr jobgen job:nodes=4,nodelist=n[0-2]
	[ "$stderr" = "jobgen: job: nodelist: has 3 nodes, nodes= says 4" ]
	run -2 --separate-stderr jobgen job:nodes=3,nodelist=n[0-2],count=2
	[[ $stderr == *"2 jobs can't all have the same nodes"* ]]
	run -2 --separate-stderr jobgen job:nodes=3,start=5,end=3
	[[ $stderr == *"end is before start"* ]]
}

@test "counters: a run or a slice that is not there is refused" {
	run -2 --separate-stderr jobgen -t "$MACHINE" counters:seconds=9,run=9 "$DATA/placed.tsv"
	[ "$stderr" = "jobgen: counters: run: no job has the run '9'" ]
	run -2 --separate-stderr jobgen -t "$MACHINE" counters:seconds=9,slice=9 "$DATA/placed.tsv"
	[[ $stderr == *"no router has a node 9"* ]]
}

@test "counters: rows that come late stand below their own header" {
	jobgen -t fattree:k=4,levels=2 job:nodes=4,nodelist=n[0-3],start=0,end=9 |
		jobgen -t fattree:k=4,levels=2 counters:source=infiniband,disorder=.5,holes=.5 - > c.csv
	awk -F, '/^#/ { n = NF; next } NF != n { bad++ } END { exit bad > 0 }' c.csv
}

@test "comm: the micro-benchmarks of PTRAM, small and by hand" {
	graph() { jobgen "comm:$1" | rows | tail -n +2 | tr '\t' ' '; }
	[ "$(graph pattern=halo2d,dims=2x3,periodic=no | tr '\n' ';')" = "0 1 1 1;0 3 1 1;1 0 1 1;1 2 1 1;1 4 1 1;2 1 1 1;2 5 1 1;3 0 1 1;3 4 1 1;4 1 1 1;4 3 1 1;4 5 1 1;5 2 1 1;5 4 1 1;" ]
	# a ring of two: both neighbours are the same rank
	[ "$(graph pattern=halo2d,dims=2x1,bytes=1KiB | tr '\n' ';')" = "0 1 2048 2;1 0 2048 2;" ]
	[ "$(graph pattern=alltoall-sub,dims=2x3 | tr '\n' ';')" = "0 3 1 1;1 4 1 1;2 5 1 1;3 0 1 1;4 1 1 1;5 2 1 1;" ]
	[ "$(graph pattern=halo3d,ranks=27 | cut -d' ' -f1 | uniq -c | awk '{ print $1 }' | sort -u)" = 6 ]
	[ "$(graph pattern=halo3d15,ranks=27 | cut -d' ' -f1 | uniq -c | awk '{ print $1 }' | sort -u)" = 14 ]
	# corners reach diagonally: 13 is the middle of a cube of three
	[ "$(graph pattern=halo3d15,ranks=27,periodic=no | awk '$1 == 13 { print $2 }' | tr '\n' ' ')" = "0 2 4 6 8 10 12 14 16 18 20 22 24 26 " ]
	# balanced and descending, as MPI_Dims_create has it: 12 is 4 x 3, so the last dimension has 3
	[ "$(graph pattern=alltoall-sub,ranks=12 | awk '$1 == 0 { print $2 }' | tr '\n' ' ')" = "3 6 9 " ]
	jobgen comm:pattern=nbody,ranks=5 | placecheck
}

@test "comm: what is not a grid is refused" {
	run -2 --separate-stderr jobgen comm:pattern=halo2d
	[ "$stderr" = "jobgen: comm: one of ranks= and dims= is needed" ]
	run -2 --separate-stderr jobgen comm:pattern=halo3d,dims=2x2
	[ "$stderr" = "jobgen: comm: dims: this pattern has 3 dimensions, not 2" ]
	run -2 --separate-stderr jobgen comm:pattern=halo2d,dims=2x2,ranks=5
	[ "$stderr" = "jobgen: comm: dims 2x2 are 4 ranks, not 5" ]
	run -2 --separate-stderr jobgen comm:pattern=halo2d,dims=65536x65536
	[ "$status" -eq 2 ]
	run -2 --separate-stderr jobgen comm:pattern=nbody,dims=2x2
	[ "$stderr" = "jobgen: comm: the pattern nbody needs ranks=" ]
}

@test "comm: an N-body code's graph is irregular, symmetric in who talks, and depends on the seed" {
	jobgen comm:pattern=nbody,ranks=200 --no-provenance > a.tsv
	jobgen comm:pattern=nbody,ranks=200 --no-provenance > again.tsv
	cmp a.tsv again.tsv
	jobgen comm:pattern=nbody,ranks=200 --seed 2 > other.tsv
	run ! cmp -s a.tsv other.tsv
	diff <(rows < a.tsv | tail -n +2 | cut -f1,2 | LC_ALL=C sort) <(rows < a.tsv | tail -n +2 | awk '{ print $2 "\t" $1 }' | LC_ALL=C sort)
	# partners: from few to many; nobody is alone
	rows < a.tsv | tail -n +2 | cut -f1 | uniq -c | awk '{ print $1 }' | sort -n > degrees
	[ "$(wc -l < degrees)" -eq 200 ]
	[ "$(tail -1 degrees)" -ge $((2 * $(head -1 degrees))) ]
	# without clusters all cells weigh the same, so the largest domain is at most twice the smallest
	jobgen comm:pattern=nbody,ranks=64,clusters=0,reach=1 | placecheck
}

@test "comm: the graphs of the mapping study" {
	need_shared
	for ranks in 1024 4096; do
		for pattern in halo2d:halo2d halo3d15:halo3d alltoall-sub:a2a; do
			jobgen "comm:pattern=${pattern%:*},ranks=$ranks" | rows | tail -n +2 | cut -f1-3 |
				cmp - <(gzip -dc "$SHARED/data/mapping/${pattern#*:}-$ranks.comm.gz" | sed '/^#/d' | tr ' ' '\t')
		done
	done
}

@test "counters of no jobs are the samples of an idle machine" {
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tstart_s\tend_s\n##end\n' > none.tsv
	jobgen -t dragonfly:groups=2,routers=2,nodes=2 counters:seconds=3,start=0 none.tsv > out.csv
	[ "$(grep -c . out.csv)" -gt 3 ]
}
