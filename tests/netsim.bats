# netsim.bats - jobs on a simulated network
load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$DATA"/* .
}

@test "every pattern runs from its example" {
	local n=0 pattern nodes
	topogen machine.yaml --io nodes:list=n23,kind=coupled,storage=@ior-node >stored.yaml
	while IFS= read -r pattern; do
		nodes=12
		[[ $pattern == *trace:* ]] && nodes=4
		job $nodes "n[0-$((nodes - 1))]" "$pattern" >job.tsv
		netsim -t stored.yaml job.tsv -o out.tsv || { echo "^ $pattern"; return 1; }
		[[ $(column packets out.tsv) -gt 0 && $(column comm_time_s out.tsv) != . ]] || { echo "$pattern: $(<out.tsv)"; return 1; }
		netsim -t stored.yaml --profile sst job.tsv -o out.tsv || { echo "^ $pattern, sst"; return 1; }
		placecheck -t machine.yaml out.tsv
		n=$((n + 1))
	done < <(examples_of netsim patterns)
	[ "$n" -ge 20 ]
}

@test "nothing gets lost: what goes into the network comes out, on every level" {
	for routing in minimal valiant ugal; do
		job 12 'n[0-5,18-23]' halo3d26+alltoall+uniform 3000 3 2 >job.tsv
		netsim -t machine.yaml -r $routing --links links.tsv --ranks ranks.tsv job.tsv -o out.tsv
		for table in links ranks out; do placecheck -t machine.yaml $table.tsv; done
		grep -v '^##' links.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
			$c["level"] == "terminal" { if ($c["from"] ~ /^n/) { out += $c["bytes"]; p += $c["packets"] } else { in_ += $c["bytes"]; q += $c["packets"] } }
			$c["utilization"] > 1 || $c["capacity_Bps"] <= 0 { bad++ }
			END { print (out == in_ && out > 0 && p == q && !bad), p }' >sums
		[[ $(<sums) == "1 $(column packets out.tsv)" ]] || { cat sums out.tsv; return 1; }
		# unused links are there: 24 of nodes, 3 inside groups, 3 between, both ways
		[ "$(column link links.tsv | wc -l)" -eq 60 ]
		[ "$(column rank ranks.tsv | wc -l)" -eq 24 ]
	done
}

@test "a zero-load message takes what its links, its routers and its bytes take" {
	# 1000 B at 10 GB/s and 100 ns from the node, cut through r0 (50 ns) to the next one
	job 2 'n[0-1]' gpcnet-rma-broadcast 1000 1 >job.tsv
	netsim -t machine.yaml job.tsv -o out.tsv
	# request: 2 x 100 ns + 50 ns and no bytes; answer the same with 1000 B at 10 GB/s
	[ "$(column comm_time_s out.tsv)" = 6e-07 ]
	[ "$(column hops_mean out.tsv)" = 2 ]
}

@test "a message of nothing puts no bytes on a link, and a flit where there are flits" {
	job 2 'n[0-1]' halo2d 0 3 >job.tsv
	netsim -t machine.yaml --links links.tsv job.tsv -o out.tsv
	[ "$(column packets out.tsv)" -eq 6 ]
	[ "$(column bytes links.tsv | sort -u)" = 0 ]
	netsim -t machine.yaml -s flit=16 --links links.tsv job.tsv -o out.tsv
	[ "$(column bytes links.tsv | sort -nu | tail -1)" = 48 ]
}

@test "stalls: time in which the input queue that a link ends in holds a packet that waits" {
	# two nodes of a router exchange 64 KiB with two of another: 128 packets for one link
	printf '##placetools=mapping/1\nrank\tnode\tjob\n0\tn0\t1\n1\tn8\t1\n2\tn1\t1\n3\tn9\t1\n' >map.tsv
	job 4 'n[0,1,8,9]' 'halo2d' 65536 1 >job.tsv
	netsim -t machine.yaml --mapping map.tsv -s eager=1MiB --links links.tsv job.tsv -o out.tsv
	mlr --tsv --pass-comments filter '$stall_s > 0' links.tsv | grep -v '^##' >stalled.tsv
	# what waits, waits where nodes' links end in routers, and nothing stalls at nodes
	[ "$(column level stalled.tsv | sort -u)" = terminal ]
	[[ -z $(column to stalled.tsv | grep '^n') ]]
}

@test "the same bytes for any number of threads, and for runs in any company" {
	jobgen -t machine.yaml 'level-spread:sizes=3,util=.9,reps=4,patterns=[alltoall,halo3d26:n=8,uniform]' -o jobs.tsv
	(allocate -t machine.yaml -p rdn jobs.tsv; allocate -t machine.yaml -p simple jobs.tsv) >placed-all.tsv
	netsim -t machine.yaml --no-provenance --links l1.tsv --ranks r1.tsv -j 1 placed-all.tsv -o j1.tsv
	netsim -t machine.yaml --no-provenance --links l7.tsv --ranks r7.tsv -j 7 placed-all.tsv -o j7.tsv
	cmp j1.tsv j7.tsv
	cmp l1.tsv l7.tsv
	cmp r1.tsv r7.tsv
	[ "$(column comm_time_s j1.tsv | grep -c -v '^\.$')" -eq 168 ]
	allocate -t machine.yaml -p simple jobs.tsv | mlr --tsv --pass-comments filter '$rep == 3' >some.tsv
	netsim -t machine.yaml --no-provenance some.tsv -o some-out.tsv
	mlr --tsv --pass-comments filter '$rep == 3 && $policy == "simple"' j1.tsv | grep -v '^##' >want
	grep -v '^##' some-out.tsv | diff want -
	netsim -t machine.yaml --no-provenance --seed 2 placed-all.tsv -o seed2.tsv
	run ! cmp -s j1.tsv seed2.tsv
}

@test "random mapping depends on seed, run and job, not on the policy" {
	for policy in simple rdg; do
		job 4 'n[0-3]' alltoall 1024 2 2 | mlr --tsv --pass-comments put '$mapping = "random"; $policy = "'$policy'"' |
			netsim -t machine.yaml --ranks $policy.tsv -o out-$policy.tsv
	done
	[ "$(column node simple.tsv | paste -sd' ')" = "$(column node rdg.tsv | paste -sd' ')" ]
	[ "$(column node simple.tsv | paste -sd' ')" != "n0 n0 n1 n1 n2 n2 n3 n3" ]
	[ "$(column node simple.tsv | sort | paste -sd' ')" = "n0 n0 n1 n1 n2 n2 n3 n3" ]
	[ "$(column comm_time_s out-simple.tsv)" = "$(column comm_time_s out-rdg.tsv)" ]
	job 4 'n[0-3]' alltoall 1024 2 2 | netsim -t machine.yaml --ranks ranks.tsv -o out.tsv
	[ "$(column node ranks.tsv | paste -sd' ')" = "n0 n0 n1 n1 n2 n2 n3 n3" ]
}

@test "--mapping says where ranks go, and is refused where it goes elsewhere" {
	job 2 'n[0-1]' alltoall >job.tsv
	printf '##placetools=mapping/1\nrank\tnode\tjob\n0\tn1\t1\n1\tn0\t1\n2\tn1\t1\n' >map.tsv
	netsim -t machine.yaml --mapping map.tsv --ranks ranks.tsv job.tsv -o out.tsv
	[ "$(column node ranks.tsv | paste -sd' ')" = "n1 n0 n1" ]
	sed -i 's/n1\t1$/n7\t1/' map.tsv
	run -2 --separate-stderr netsim -t machine.yaml --mapping map.tsv job.tsv
	[[ $stderr == "netsim: run .: job.tsv:3: job 1: the mapping has rank 0 on a node that is not the job's" ||
		$stderr == "netsim: job.tsv:3: job 1: the mapping has rank 0 on a node that is not the job's" ]]
	printf '##placetools=mapping/1\nrank\tnode\n1\tn0\n' >map.tsv
	run -2 --separate-stderr netsim -t machine.yaml --mapping map.tsv job.tsv
	[[ $stderr == "netsim: map.tsv: rank 0 of a job is missing" ]]
}

@test "what runs until the others end, --until, --scheduled" {
	job 4 'n[0-3]' uniform 1024 0 >endless.tsv
	run -2 --separate-stderr netsim -t machine.yaml endless.tsv
	[[ $stderr == *"every job runs until the others end"* ]]
	netsim -t machine.yaml --until 10us endless.tsv -o out.tsv
	[ "$(column comm_time_s out.tsv)" = . ]
	[ "$(column packets out.tsv)" -gt 100 ]
	{ cat endless.tsv; printf '2\t2\tn[4-5]\thalo2d\t1024\t10\t1\n'; } >both.tsv
	netsim -t machine.yaml both.tsv -o out.tsv
	[ "$(column comm_time_s out.tsv | head -1)" = . ]
	[ "$(column comm_time_s out.tsv | tail -1)" != . ]
	run -0 --separate-stderr netsim -t machine.yaml --until 1us both.tsv
	[ "$stderr" = "netsim: 1 jobs were not done by then" ]
	# two jobs that share a link, together or one after the other
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tstart_s\n1\t2\tn[0,8]\t100\n2\t2\tn[1,9]\t101\n' >two.tsv
	netsim -t machine.yaml -p permutation --bytes 64KiB --iterations 10 two.tsv -o together.tsv
	netsim -t machine.yaml -p permutation --bytes 64KiB --iterations 10 --scheduled two.tsv -o apart.tsv
	[[ $(column comm_time_s apart.tsv | sort -u | wc -l) -eq 1 ]]
	awk -v a="$(column comm_time_s apart.tsv | head -1)" -v b="$(column comm_time_s together.tsv | head -1)" 'BEGIN { exit !(b > 1.5 * a) }'
}

@test "jobs that ran before have no policy: one simulation, and the side tables have the column" {
	job 2 'n[0-1]' uniform 1024 0 | mlr --tsv --pass-comments put '$job = "before"; $policy = "."; $run = "a"' >both.tsv
	job 2 'n[2-3]' halo2d | mlr --tsv --pass-comments put '$policy = "simple"; $run = "a"' >>both.tsv
	netsim -t machine.yaml --ranks ranks.tsv --links links.tsv both.tsv -o out.tsv
	[ "$(column comm_time_s out.tsv | head -1)" = . ]
	[ "$(column packets out.tsv | head -1)" -gt 0 ]
	[ "$(column policy ranks.tsv | paste -sd' ')" = ". . simple simple" ]
	[ "$(column policy links.tsv | sort -u)" = simple ]
	# a run twice: another simulation
	cat both.tsv <(tail -1 both.tsv) | netsim -t machine.yaml -p uniform -v 2>said -o out.tsv
	[ "$(column packets out.tsv | tail -1)" -gt 0 ]
}

@test "compute_s and sums: the time is there once for each iteration" {
	job 2 'n[0-1]' halo2d 1000 5 | mlr --tsv --pass-comments put '$compute_s = 0.001' >job.tsv
	netsim -t machine.yaml --ranks ranks.tsv job.tsv -o out.tsv
	[ "$(column compute_s ranks.tsv | paste -sd' ')" = "0.005 0.005" ]
	# 5 ms of computation, and 350 ns for each of ten messages
	[ "$(column comm_time_s out.tsv)" = 0.0050035 ]
	[ "$(column runtime_s out.tsv)" = 0.0050035 ]
}

@test "what is wrong is told with its place" {
	bad() { # bad TEXT ARGUMENTS…
		run -2 --separate-stderr netsim -t machine.yaml "${@:2}"
		[[ $stderr == "netsim: "*"$1"* && $(wc -l <<<"$stderr") -eq 1 ]] || { echo "got: $stderr"; echo "wanted: $1"; return 1; }
	}
	job 2 'n[0-1]' nothing >job.tsv
	bad "job.tsv:3: pattern: " job.tsv
	job 2 'n[0-1]' halo2d+ >job.tsv
	bad "job.tsv:3: pattern: " job.tsv
	job 2 'n0' halo2d >job.tsv
	bad "nodelist: has 1 nodes, the job asks for 2" job.tsv
	job 2 'n[0-1]' fft3d:rows=3 >job.tsv
	bad "rows: 2 ranks are not a multiple of 3" job.tsv
	job 2 'n[0-1]' fft3d:n=1048577 >job.tsv
	bad "fft3d: n: '1048577' is not a whole number from 1 to 1048576" job.tsv
	job 2 'n[0-1]' adversarial >job.tsv
	bad "all ranks are in one" job.tsv
	job 2 'n[0-1]' comm:path=ring.tsv >job.tsv
	bad "ring.tsv has 12 ranks, the job 2" job.tsv
	job 2 'n[0-1]' comm:path=absent.tsv >job.tsv
	bad "absent.tsv" job.tsv
	job 2 'n[0-1]' mpitrace:path=trace.tsv >job.tsv
	bad "trace.tsv:6: rank 3 is not among the 2 of the job" job.tsv
	job 5 'n[0-4]' mpitrace:path=trace.tsv >job.tsv
	bad "the trace is of 4 ranks, the job has 5" job.tsv
	job 2 'n[0-1]' mpitrace:path=ring.tsv >job.tsv
	bad "ring.tsv:1: " job.tsv
	job 2 'n[0-1]' alltoall >job.tsv
	bad "--until" --until 5x job.tsv
	bad "--bytes" --bytes -1 job.tsv
	bad "--counters-every" --counters c --counters-every 1ns job.tsv
	bad "KEY=VALUE" -s packet job.tsv
	bad "nonsense" -s nonsense=1 job.tsv
	bad "" -r nonsense job.tsv
	printf '##placetools=jobs/1\njob\tnodes\n1\t2\n' >job.tsv
	bad "no column pattern" job.tsv
	run -0 --separate-stderr netsim -t machine.yaml -p alltoall job.tsv
	[ "$stderr" = "netsim: 1 jobs have no nodes and were not simulated" ]
	job 2 'n[0-1]' alltoall | mlr --tsv --pass-comments put '$mapping = "sideways"' >job.tsv
	bad "job.tsv:3: mapping: 'sideways'" job.tsv
	printf '##placetools=mpitrace/1\nrank\ttime_s\top\tpeer\trecv_bytes\n0\t0\trecv\t1\t8\n1\t0\trecv\t0\t8\n' >stuck.tsv
	job 2 'n[0-1]' mpitrace:path=stuck.tsv >job.tsv
	bad "job 1: ranks wait for each other: rank 0 waits in iteration 1 for messages" job.tsv
}

@test "input that was truncated: what there is, no ##end, status 2" {
	{ job 2 'n[0-1]' alltoall | sed '1s/$/ end=yes/'; } >job.tsv
	run -2 --separate-stderr netsim -t machine.yaml job.tsv
	[[ $stderr == *truncated* && $output == *"alltoall"* && $output != *"##end"* ]]
	run -0 --separate-stderr netsim -t machine.yaml --partial job.tsv
}

@test "SIGTERM: it stops and says how far it came" {
	job 4 'n[0-3]' alltoall 1024 100000000 >long.tsv
	netsim -t machine.yaml long.tsv -o out.tsv 2>said &
	pid=$!
	# it has begun when its output is there
	until compgen -G 'out.tsv.*' >names; do kill -0 $pid; done
	until [[ -s said ]]; do kill -USR1 $pid; done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 2 ]
	grep -q '^netsim: at .* s of run \.$' said
	grep -q '^netsim: 0 runs simulated; interrupted at .* s of run \.$' said
	[ ! -e out.tsv ]
}

@test "who fetches from a busy node keeps others from the links to it" {
	# n0 is asked by 50 ranks of n3; n1 and n2 in between exchange messages
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\tranks_per_node\n' >two.tsv
	printf 'congestor\t2\tn[0,3]\tgpcnet-rma-broadcast\t4096\t0\t50\napp\t2\tn[1-2]\thalo2d\t1024\t200\t1\n' >>two.tsv
	time_of() {
		netsim -t line:nodes=4 "$@" two.tsv | mlr --itsv --onidx --pass-comments filter '$job == "app"' then cut -f comm_time_s | grep -v '^##'
	}
	any=$(time_of -s input-buffer=2KiB -s request=300)
	few=$(time_of -s input-buffer=2KiB -s request=300 -s nic-requests=2)
	many=$(time_of -s input-buffer=2KiB -s request=300 -s nic-requests=50)
	awk -v any="$any" -v few="$few" -v many="$many" 'BEGIN { exit !(few > 2 * any && many < 1.1 * any) }'
	[ "$(time_of --profile aries)" != . ]
	run -2 --separate-stderr netsim -t line:nodes=4 -s nic-requests=2 -s vcs=1 two.tsv
	[[ $stderr == *'half of them for answers'* ]]
	run -2 --separate-stderr netsim -t line:nodes=4 -s nic-requests=-1 two.tsv
}

@test "the counters of simulated routers go through trafficagg, and name the busy router" {
	# n[8-11] hang on r2, which gets all of it; one sender on each of the others
	job 9 'n[8-11,0,4,12,16,20]' hotspot:targets=4 4096 50 >job.tsv
	netsim -t machine.yaml --counters c.csv --counters-every 2us job.tsv -o out.tsv
	trafficagg -t machine.yaml --window 0.00002 c.csv -o traffic.tsv
	placecheck -t machine.yaml traffic.tsv
	grep -v '^##' traffic.tsv | mlr --tsv top -n 1 -f traffic_flits_per_s -g time_s -a then cut -f router then count-distinct -f router >top
	[[ $(awk 'NR > 1 && $1 == "r2"' top) != "" && $(wc -l <top) -eq 2 ]] || { cat top; return 1; }
	# flits at the NIC: 16 bytes each and one a packet; each message leaves one node and enters another
	want=$(awk -v packets="$(column packets out.tsv)" 'BEGIN { print packets * (1024 / 16 + 1) * 2 }')
	mlr --icsv --ojson --allow-ragged-csv-input tail -n 24 c.csv >/dev/null
	awk -F, '/^#Time/ { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 7; i <= NF; i++) if (name[i] ~ /^AR_NL_PRF_.*FLITS/) last[$3, i] = $i }
		END { for (k in last) sum += last[k]; print sum }' c.csv >got
	[ "$(<got)" = "$want" ]
	# answers that have virtual channels of their own are counted as responses, 16 bytes a flit and one a packet
	job 9 'n[0-8]' gpcnet-rma-broadcast 4096 3 >get.tsv
	netsim -t machine.yaml -s nic-requests=4 --counters g.csv --links links.tsv get.tsv -o out.tsv
	awk -F, '/^#Time/ { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 7; i <= NF; i++) if (name[i] ~ /^AR_NL_PRF_.*FLITS/) last[$3, name[i]] = $i }
		END { for (k in last) if (k ~ /RSP/) answers += last[k]; else requests += last[k]
			print (answers > 0 && requests > 0 && answers > 10 * requests), answers + requests }' g.csv >got
	want=$(grep -v '^##' links.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["level"] == "terminal" { n += $c["bytes"] / 16 + $c["packets"] } END { print int(n) }')
	awk -v want="$want" '{ exit !($1 == 1 && $2 <= want && $2 > want - 100) }' got || { cat got; echo "$want"; return 1; }
}

@test "counters of several runs: a column run, for each what a file of its own would have" {
	local run
	runs() {
		printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\titerations\n'
		for run in "$@"; do
			printf '%s\t1\t9\tn[%s]\thotspot:targets=4\t4096\t%s\n' "$run" \
				"$([[ $run == a ]] && echo 8-11,0,4,12,16,20 || echo 0-3,8-12)" $((20 * ${#run}))
		done
	}
	runs a 'b,"c"' >both.tsv
	netsim -t machine.yaml --counters both.csv --counters-every 2us -j 3 both.tsv -o out.tsv
	head -1 both.csv | grep -q '^#Time,Time_usec,ProducerName,component_id,job_id,app_id,run,aries_rtr_id,AR_'
	trafficagg -t machine.yaml --window 0.00002 both.csv -o both.traffic
	placecheck -t machine.yaml both.traffic
	for run in a 'b,"c"'; do
		runs "$run" >one.tsv
		netsim -t machine.yaml --counters one.csv --counters-every 2us one.tsv -o out.tsv
		head -1 one.csv | grep -q ',app_id,aries_rtr_id,'
		trafficagg -t machine.yaml --window 0.00002 one.csv -o one.traffic
		RUN=$run mlr --tsv --pass-comments filter '$run == ENV["RUN"]' then cut -x -f run both.traffic | grep -v '^##' >picked
		cmp picked <(grep -v '^##' one.traffic)
		[ "$(wc -l <picked)" -gt 12 ]
	done
	# two runs of one name can't be told apart
	runs a b a >again.tsv
	run -2 --separate-stderr netsim -t machine.yaml --counters c.csv again.tsv
	[[ $stderr == *"again.tsv:5: --counters: a second run 'a': expected another name in column run"* ]]
}

@test "counters of two planes: rows of each, whose traffic trafficagg adds up" {
	printf 'placetools: topology/1\ntopology: dragonfly\nparameters: {groups: 3, routers: 2, nodes: 4}\nnodes: {%s}\n' 'nics: 2, planes: 2' >planes.yaml
	job 9 'n[8-11,0,4,12,16,20]' hotspot:targets=4 4096 50 >job.tsv
	netsim -t planes.yaml --counters c.csv --links links.tsv job.tsv -o out.tsv
	head -1 c.csv | grep -q ',app_id,plane,aries_rtr_id,'
	# flits at NICs, of each plane: 16 bytes each and one a packet
	for plane in 0 1; do
		awk -F, -v plane=$plane '/^#Time/ { for (i = 1; i <= NF; i++) name[i] = $i; next }
			$7 == plane { for (i = 8; i <= NF; i++) if (name[i] ~ /^AR_NL_PRF_.*FLITS/) last[$3, name[i]] = $i }
			END { for (k in last) sum += last[k]; print sum }' c.csv
	done >flits
	grep -v '^##' links.tsv | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["level"] == "terminal" { n[$c["plane"]] += $c["bytes"] / 16 + $c["packets"] } END { print n[0]; print n[1] }' >want
	cmp flits want
	[ "$(head -1 flits)" -gt 0 ]
	# the sum of all routers over the time of the run
	trafficagg -t planes.yaml --window 10 c.csv -o traffic.tsv
	awk -v time="$(tail -1 c.csv | cut -d, -f1)" -v rate="$(column traffic_flits_per_s traffic.tsv | awk '{ s += $1 } END { print s }')" \
		'{ s += $1 } END { exit !(s - rate * time < 1 && rate * time - s < 1) }' want
}

@test "crossbar-inputs=port: one packet at a time crosses from a port" {
	# a crosses to another group from 2.15 us on, behind c; d comes to the same port on another virtual
	# channel at 2.30 us, behind a on the link before: it crosses at once, or when a has crossed, at 4.15 us
	local machine=(-t "dragonfly:groups=3,routers=2,nodes=2" -r minimal -s output-buffer=16KiB -s crossbar=0.5)
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\n' >jobs.tsv
	printf '%s\t2\tn[%s]\tbroadcast\t1000\n' a 8,5 c 10,7 d 0,11 >>jobs.tsv
	netsim "${machine[@]}" jobs.tsv -o vc.tsv
	netsim "${machine[@]}" -s crossbar-inputs=port jobs.tsv -o port.tsv
	[ "$(column comm_time_s vc.tsv | tr '\n' ' ')" = '3.55e-06 1.4e-06 3.4e-06 ' ]
	[ "$(column comm_time_s port.tsv | tr '\n' ' ')" = '3.55e-06 1.4e-06 5.25e-06 ' ]
	# without c, a has crossed when d comes
	sed -i '/^c/d' jobs.tsv
	netsim "${machine[@]}" jobs.tsv | grep -v '^##' >vc.tsv
	netsim "${machine[@]}" -s crossbar-inputs=port jobs.tsv | grep -v '^##' >port.tsv
	cmp vc.tsv port.tsv
}

@test "SST's half round trips: all within 2 %, those of eager messages exact" {
	need_shared
	topogen dragonfly:groups=17,routers=4,nodes=4,bandwidth=1GB/s -o m.yaml
	# SST's times for DST and BYTES, as jobs of two ranks that play ping-pong
	awk -F, 'BEGIN { OFS = "\t"; print "##placetools=jobs/1"; print "run", "job", "nodes", "nodelist", "pattern", "bytes", "iterations", "half_us" }
		NR > 1 { gsub(/\r/, ""); print NR, 1, 2, "n[0," $1 "]", "halo2d", $3, 10, $4 }' \
		"$SHARED/data/reference/sst/micro.csv" >jobs.tsv
	netsim -t m.yaml --profile sst jobs.tsv -o out.tsv
	paste <(column half_us out.tsv) <(column comm_time_s out.tsv) <(column bytes out.tsv) >times
	[ "$(wc -l <times)" -eq 35 ]
	awk '{ off = $2 * 1e6 / 20 / $1 - 1; if (off < 0) off = -off
		if (off > .02 || ($3 <= 12000 && off > 1e-6)) { print; bad = 1 } } END { exit bad }' times
}

@test "SST's runs: policies within 6.5 % of its times relative to simple, and in its order" {
	need_shared
	run -0 --separate-stderr "$ROOT/tests/bench/sst.sh" --sample "$SHARED/data/reference/sst"
	[ -z "$stderr" ]
	grep -q '^sst: pairs=[1-9][0-9]* wrong=0 ' <<<"$output"
	grep -q '^default: pairs=[1-9][0-9]* wrong=0 ' <<<"$output"
}

@test "every network with every routing carries every pattern: all packets come, as many on each way" {
	local machine routing pattern n=0 k=0 want
	local patterns=(halo3d15+alltoall halo4d+allreduce:size=64KiB fft3d adversarial+hotspot:targets=3 gpcnet-canary+halo3d26 broadcast+uniform)
	for machine in dragonfly:groups=5,routers=2,nodes=2 torus:dims=4x4 mesh:dims=3x3x2 fattree:k=2,levels=4 hypercube:dims=4 \
		ring:nodes=16 tree:arity=2x2x4 complete:nodes=16; do
		pattern=${patterns[$((k++ % 6))]}
		[[ $pattern == adversarial* ]] && topogen --to summary "$machine" | grep -q 'torus\|mesh\|hypercube\|ring\|complete' && pattern=uniform+hotspot
		job 16 'n[0-15]' "$pattern" 3000 2 2 >job.tsv
		want=
		for routing in minimal valiant ugal ugal-g par adaptive-local dor updown; do
			run --separate-stderr netsim -t "$machine" -r $routing -o out.tsv job.tsv
			[[ $status -eq 2 && $stderr == *"by groups of routers"* ]] || [[ $status -eq 2 && $stderr == *"for dragonflies"* ]] ||
				[[ $status -eq 2 && $stderr == *"has no dimensions"* ]] || {
				[[ $status -eq 0 ]] || { echo "$machine $routing $pattern: $stderr"; return 1; }
				[[ $(column comm_time_s out.tsv) != . ]]
				[[ -z $want || $(column packets out.tsv) == "$want" ]] || { echo "$machine $routing $pattern"; cat out.tsv; return 1; }
				want=$(column packets out.tsv)
				n=$((n + 1))
			}
		done
	done
	[ "$n" -ge 40 ]
}

@test "the loop is closed: jobs go where the simulated counters are quiet, and are faster there" {
	printf '%s\n' '##placetools=jobs/1' 'run	job	nodes	nodelist	pattern	bytes	iterations	class' \
		'a	load	8	n[0-1,4-5,8-9,12-13]	uniform	4096	0	.' >before.tsv
	netsim -t machine.yaml --until 120us --counters c.csv --counters-every 1us before.tsv -o loaded.tsv
	# a window of 120 samples
	trafficagg -t machine.yaml --window 0.00012 c.csv -o traffic.tsv
	{ cat before.tsv; printf 'a\tapp\t6\t.\talltoall\t65536\t5\tnetwork-sensitive\n'; } >jobs.tsv
	for policy in nedd low-traffic high-traffic; do
		allocate -t machine.yaml -p $policy --traffic traffic.tsv jobs.tsv | netsim -t machine.yaml -o $policy.tsv
		column comm_time_s $policy.tsv | tail -1 >$policy.time
	done
	[ "$(column nodelist nedd.tsv | tail -1)" = "n[16-21]" ]
	cmp nedd.time low-traffic.time
	awk -v quiet="$(<nedd.time)" -v busy="$(<high-traffic.time)" 'BEGIN { exit !(busy > 2 * quiet) }'
}

@test "par and adaptive-local by rows, groups of leaves and spines, groups of a Slim Fly" {
	local machine load
	accepted() { # accepted MACHINE ROUTING LOAD: of the adversarial pattern, in hundredths
		netsim -t "$1" -r "$2" --open-loop adversarial:load="$3" -o open.tsv
		column accepted open.tsv | awk '{ printf "%d\n", 100 * $1 + .5 }'
	}
	# a row sends to the next: minimal paths share a fourth, a queue that the first router does not see
	machine=hyperx:dims=4x4,nodes=4
	[ "$(accepted $machine minimal .4)" -eq 25 ]
	[ "$(accepted $machine ugal .4)" -lt 35 ]
	[ "$(accepted $machine par .4)" -eq 40 ]
	[ "$(accepted $machine adaptive-local .4)" -eq 40 ]
	# a group sends to the next: 4 cables for 16 nodes; the queue is at the spines
	machine=dragonfly-plus:groups=5,leaves=4,spines=4,nodes=4,links=4
	[ "$(accepted $machine minimal .5)" -eq 25 ]
	[ "$(accepted $machine ugal .5)" -lt 30 ]
	[ "$(accepted $machine par .5)" -eq 50 ]
	for machine in hyperx:dims=4x4,nodes=4 slimfly:q=5 $machine; do
		topogen $machine --to explicit -o explicit.yaml
		for load in $machine explicit.yaml; do
			job 16 'n[0-15]' uniform 1000 1 >job.tsv
			for routing in minimal par adaptive-local; do
				netsim -t $load -r $routing -s eager=1MiB job.tsv -o out-$routing.tsv
			done
			# without queues, and in one group, nobody goes astray
			[ "$(column hops_mean out-par.tsv)" = "$(column hops_mean out-minimal.tsv)" ]
			[ "$(column hops_mean out-adaptive-local.tsv)" = "$(column hops_mean out-minimal.tsv)" ]
		done
	done
}

@test "valiant's messages between nodes of a router stay there" {
	local machine
	job 4 'n[0-3]' alltoall 4000 >job.tsv
	for machine in machine.yaml hyperx:dims=3x3,nodes=4 slimfly:q=5,nodes=4 fattree:down=4x4,up=1x4 torus:dims=4x4,per-router=4; do
		netsim -t $machine -r valiant job.tsv -o out.tsv
		[ "$(column hops_mean out.tsv)" = 2 ]
		topogen $machine --to explicit -o explicit.yaml
		netsim -t explicit.yaml -r valiant job.tsv -o out.tsv
		[ "$(column hops_mean out.tsv)" = 2 ]
	done
}

@test "routings by groups say so where there are none" {
	job 4 'n[0-3]' alltoall >job.tsv
	for routing in par adaptive-local; do
		for machine in torus:dims=4x4 fattree:k=2,levels=3 complete:nodes=4; do
			run -2 --separate-stderr netsim -t $machine -r $routing job.tsv
			[[ $stderr == *"routing $routing is defined by groups of routers, which ${machine%%:*} has not; there are ugal"* ]]
		done
	done
}

@test "several NICs and planes: a row for each copy of a link, and all bytes on them" {
	one() { printf 'placetools: topology/1\ntopology: complete\nparameters: {nodes: 4, per-router: 4, cores: 4}\nnodes: {%s}\n' "$1"; }
	one 'nics: 2' >two.yaml
	one 'nics: {count: 2, select: rank}, planes: 2' >four.yaml
	for ranks in 2 4; do
		job 2 'n[0-1]' permutation 1000 100 $ranks >job$ranks.tsv
	done
	netsim -t two.yaml --links links.tsv job2.tsv -o out2.tsv
	netsim -t four.yaml --links links4.tsv job4.tsv -o out4.tsv
	placecheck -t two.yaml links.tsv
	placecheck -t four.yaml links4.tsv
	[ "$(column link links.tsv | wc -l)" -eq 16 ]
	[ "$(column link links4.tsv | wc -l)" -eq 32 ]
	[ "$(column nic links4.tsv | sort | uniq -c | tr -s ' \n' ' ')" = ' 8 0 8 1 8 2 8 3 ' ]
	[ "$(column plane links4.tsv | sort | uniq -c | tr -s ' \n' ' ')" = ' 16 0 16 1 ' ]
	# two links for each packet
	sum=$(column bytes links4.tsv | awk '{ s += $1 } END { print s }')
	[ "$sum" -eq $((2 * 1000 * $(column packets out4.tsv))) ]
}

@test "jobs name regular files below their folder, or below one of --allow-paths" {
	graph() { printf '##placetools=comm/1\nsrc\tdst\tbytes\n0\t1\t500\n'; }
	mkdir -p jobs/sub elsewhere
	graph >jobs/sub/graph.tsv
	graph | tee jobs/given.tsv >elsewhere/graph.tsv
	mkfifo jobs/pipe
	ln -s ../elsewhere/graph.tsv jobs/link.tsv
	ln -s sub/graph.tsv jobs/inner.tsv
	try() { # PATH OPTION…: a job whose pattern names it
		printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\na\t2\tn[0-1]\tcomm:path=%s\n' "$1" >jobs/jobs.tsv
		netsim -t ring:nodes=4 jobs/jobs.tsv "${@:2}"
	}
	for path in sub/graph.tsv inner.tsv "$PWD/jobs/sub/graph.tsv" sub/../given.tsv; do
		try "$path" | grep -x '##end'
	done
	for path in ../elsewhere/graph.tsv link.tsv "$PWD/elsewhere/graph.tsv"; do
		run -2 --separate-stderr try "$path"
		[[ $stderr == "netsim: jobs/jobs.tsv:3: job a: "*": is neither below the folder of the jobs nor in one of --allow-paths" ]]
		try "$path" --allow-paths jobs/sub --allow-paths elsewhere | grep -x '##end'
	done
	for path in pipe /dev/zero . /proc/self/status; do
		run -2 --separate-stderr try "$path" --allow-paths /
		[[ $stderr == "netsim: jobs/jobs.tsv:3: job a: "*"$path: is "* ]]
	done
	# what the user names is the user's business
	printf '##placetools=jobs/1\njob\tnodes\tnodelist\na\t2\tn[0-1]\n' >jobs/jobs.tsv
	netsim -t ring:nodes=4 -p comm:path=../elsewhere/graph.tsv jobs/jobs.tsv | grep -x '##end'
	graph >jobs/pipe &
	netsim -t ring:nodes=4 -p comm:path=pipe jobs/jobs.tsv | grep -x '##end'
}

@test "patterns of the OSU micro-benchmarks: to and fro, windows, a collective operation" {
	local net="-t complete:nodes=2,per-router=2 -s router-delay=0 -s terminal-latency=50ns -s terminal-bandwidth=1GB/s -s header=0 -s packet=1024"

	time_of() { # time_of PATTERN BYTES
		printf '##placetools=jobs/1\njob\tnodes\tnodelist\tpattern\tbytes\titerations\n1\t2\tn[0-1]\t%s\t%s\t1\n' "$1" "$2" |
			netsim $net -s eager=1GiB | mlr --itsv --onidx --skip-comments cut -f comm_time_s
	}
	# one packet: two cables of 50 ns and 1 us, cut through: 1.1 us a way
	[[ $(time_of osu-latency 1000) == 2.2e-06 && $(time_of pingpong 1000) == 2.2e-06 ]]
	# 64 messages one after the other, and the answer of four bytes
	[[ $(time_of osu-bw 1000) == 6.4204e-05 && $(time_of window:size=10 1000) == 1.0204e-05 ]]
	# both ways at once, no answer
	[[ $(time_of window:both=yes 1000) == 6.41e-05 ]]
	# three ranks: the third has no partner; blocks or a vector
	printf '##placetools=jobs/1\nrun\tjob\tnodes\tnodelist\tpattern\tbytes\n' >jobs.tsv
	for op in allgather allreduce gather bcast; do printf '%s\t1\t2\tn[0-1]\tcollective:op=%s\t1000\n' $op $op; done >>jobs.tsv
	printf 'odd\t1\t3\tn[0-2]\tosu-bw\t1000\n' >>jobs.tsv
	netsim -t complete:nodes=3,per-router=3 -s packet=1024 --ranks ranks.tsv jobs.tsv >/dev/null
	[[ $(mlr --itsv --onidx --skip-comments stats1 -a sum -f sent_bytes -g run ranks.tsv | sort | paste -sd' ') == \
		"allgather 2000 allreduce 2000 bcast 1000 gather 1000 odd 64004" ]]
}

@test "--show-parameters: where each value comes from, as a profile that gives the same simulation" {
	printf 'placetools: topology/1\ntopology: dragonfly\nparameters: {groups: 5, routers: 4, nodes: 2}\nrouting: valiant\nlinks: {terminal: {bandwidth: 2GB/s}}\n' >m.yaml
	runs() { netsim --no-provenance -t m.yaml -p halo2d --bytes 64KiB "$@" < <(stream jobs 'job nodes nodelist' '1 16 n[3-18]') | grep -v '^##profile'; }
	for how in "" "--profile aries" "--profile sst -s terminal-bandwidth=3GB/s -s packet=512" "-s latency=30ns -r ugal:bias=1KiB"; do
		netsim -t m.yaml $how --show-parameters >own.yaml
		runs $how >once.tsv
		runs --profile file:path=own.yaml >again.tsv
		cmp once.tsv again.tsv
		netsim -t m.yaml --profile file:path=own.yaml --show-parameters | sed 's/ #.*//' | diff <(sed 's/ #.*//' own.yaml) -
	done
	netsim -t m.yaml --profile sst -s local-latency=30ns -s packet=512 -r minimal --show-parameters >own.yaml
	grep -qx '  packet: 512 # -s' own.yaml
	grep -qx '  guesses: refuse # default' own.yaml
	grep -q '^  terminal: {bandwidth: 2000000000, .*} # topology, profile$' own.yaml
	grep -q '^  local: {.*latency: 30000ps} # [a-z]*, -s$' own.yaml
	grep -q '^routing: minimal.* # -r$' own.yaml
	netsim -t m.yaml --show-parameters | grep -qx 'routing: valiant # topology'
	runs -v -s packet=2KiB 2>/dev/null >head.tsv
	grep -qx '##netsim.packet=2KiB -s' head.tsv
	grep -qx '##netsim.terminal-bandwidth=2000000000 topology' head.tsv
	run -2 netsim -t m.yaml --show-parameters jobs.tsv
	[[ $output == "netsim: --show-parameters takes no jobs: 'jobs.tsv'" ]]
	sed 's/^overrides:.*/overrides: me/' own.yaml >bad.yaml
	run -2 netsim -t m.yaml --profile file:path=bad.yaml --show-parameters
	[[ $output == "netsim: bad.yaml:2: overrides: expected topology" ]]
}
