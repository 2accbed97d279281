# slurm.bats - a Slurm that lives: slurmctld and 16 slurmd on loopback, started here; what it says is
# read, and the jobs that examples/slurm-site/place.sh submits run where allocate put them
load ../helper

# Everything of this Slurm lies in $SITE: keys, sockets, logs; ids of processes in $SITE/pids.
start_slurm() {
	local base=$1 i node controller end=$((SECONDS + 60))
	mkdir -p "$SITE/state"
	(umask 077 && head -c 128 /dev/urandom >"$SITE/munge.key")
	munged --key-file="$SITE/munge.key" --socket="$SITE/munge.sock" --pid-file="$SITE/munged.pid" \
		--log-file="$SITE/munged.log" --seed-file="$SITE/munge.seed" --force || return
	cat "$SITE/munged.pid" >>"$SITE/pids"
	cat >"$SITE/slurm.conf" <<-END
		ClusterName=virtual
		SlurmctldHost=localhost(127.0.0.1)
		SlurmctldPort=$base
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		AuthInfo=socket=$SITE/munge.sock
		StateSaveLocation=$SITE/state
		SlurmdSpoolDir=$SITE/spool-%n
		SlurmctldPidFile=$SITE/slurmctld.pid
		SlurmdPidFile=$SITE/slurmd-%n.pid
		SlurmctldLogFile=$SITE/slurmctld.log
		SlurmdLogFile=$SITE/slurmd-%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SwitchType=switch/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU_Memory
		GresTypes=gpu
		SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
		SlurmdParameters=config_overrides
		TopologyPlugin=topology/tree
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		PrivateData=cloud
		NodeName=nid[00001-00012] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((base + 1))-$((base + 12))] CPUs=4 RealMemory=64
		NodeName=nid[00013-00016] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((base + 13))-$((base + 16))] CPUs=4 RealMemory=64 Gres=gpu:a100:1
		NodeName=nid00017 CPUs=4 RealMemory=64 State=CLOUD
		PartitionName=batch Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE
		PartitionName=debug Nodes=nid[00001-00004] MaxTime=60 OverSubscribe=EXCLUSIVE
		PartitionName=parts Nodes=nid[00005-00016] MaxNodes=3
	END
	echo 'NodeName=nid[00013-00016] Name=gpu Type=a100 File=/dev/null' >"$SITE/gres.conf"
	# found by itself it would have to be mounted, and nothing here uses it
	echo CgroupPlugin=cgroup/v1 >"$SITE/cgroup.conf"
	cat >"$SITE/topology.conf" <<-'END'
		SwitchName=leaf0 Nodes=nid[00001-00004]
		SwitchName=leaf1 Nodes=nid[00005-00008]
		SwitchName=leaf2 Nodes=nid[00009-00012]
		SwitchName=leaf3 Nodes=nid[00013-00017]
		SwitchName=spine0 Switches=leaf[0-3]
	END
	slurmctld -D >"$SITE/slurmctld.out" 2>&1 3>&- &
	controller=$!
	echo $controller >>"$SITE/pids"
	for i in {1..16}; do # number 17 is one that would have to be powered up: idle~
		node=$(printf 'nid%05d' "$i")
		mkdir -p "$SITE/spool-$node"
		slurmd -D -N "$node" >"$SITE/$node.out" 2>&1 3>&- &
		echo $! >>"$SITE/pids"
	done
	until [[ $(sinfo -h -p batch -t idle -o %N 2>&1) == 'nid[00001-00017]' ]]; do
		kill -0 $controller && ((SECONDS < end)) || return
		read -r -t .1 <> <(:) || :
	done
	# and a job comes to run
	sbatch --quiet -w nid00001 -o "$SITE/ran" --wrap 'echo yes' || return
	until [[ $(cat "$SITE/ran" 2>/dev/null) == yes && -z $(squeue -h) ]]; do
		((SECONDS < end)) || return
		read -r -t .1 <> <(:) || :
	done
}

# until_is SECONDS TEXT COMMAND…: the command comes to say that
until_is() {
	local seconds=$1 wanted=$2 end
	shift 2
	end=$((SECONDS + seconds))
	while [[ $("$@" 2>&1) != "$wanted" ]]; do
		((SECONDS < end)) || { echo "never was '$wanted': $*"; "$@"; return 1; }
		read -r -t .1 <> <(:) || :
	done
}

setup_file() {
	export SITE=$BATS_FILE_TMPDIR/site SLURM_CONF=$BATS_FILE_TMPDIR/site/slurm.conf WHY=''
	mkdir "$SITE"
	for command in munged slurmctld slurmd sinfo squeue sbatch scontrol scancel mlr; do
		command -v $command >/dev/null || WHY="$command is not installed (munge, slurmctld, slurmd, slurm-client, miller)"
	done
	[[ -n $WHY ]] || start_slurm $((20000 + $$ % 500 * 20)) >"$SITE/start.log" 2>&1 ||
		WHY="Slurm does not start here: $(tail -qn 1 "$SITE"/{start.log,slurmctld.out,nid00001.out} 2>/dev/null | tail -n 1)"
}

teardown_file() {
	local pid
	[[ ! -e $SITE/slurm.conf ]] || scancel --quiet --user="$(id -un)" || :
	[[ -e $SITE/pids ]] || return 0
	while read -r pid; do kill "$pid" || :; done <"$SITE/pids"
	# they write their states when they end
	while read -r pid; do
		for _ in {1..100}; do
			kill -0 "$pid" 2>/dev/null || break
			read -r -t .1 <> <(:) || :
		done
	done <"$SITE/pids"
}

setup() {
	[[ -z $WHY ]] || skip "$WHY"
	cd "$BATS_TEST_TMPDIR" || return
	printf '#!/bin/sh\nexec sleep 600\n' >job.sh
}

teardown() {
	[[ -n $WHY ]] && return
	scancel --user="$(id -un)"
	for reservation in course maint; do scontrol delete ReservationName=$reservation 2>/dev/null || :; done
	for node in nid000{05,15}; do scontrol update NodeName=$node State=RESUME 2>/dev/null || :; done
	until_is 90 '' squeue -h -o %i
	until_is 90 'nid[00001-00017]' sinfo -h -p batch -t idle -o %N
}

# run_on NODELIST N: a job that holds those nodes
run_on() {
	local id
	id=$(sbatch --parsable -w "$1" -N "$2" -o /dev/null job.sh)
	until_is 90 RUNNING squeue -h -j "$id" -o %T
}

@test "Slurm's topology is read, and is the same as what topogen would write for it" {
	scontrol show topology | topogen --from slurm-show -o m.yaml
	topogen --to slurm-conf m.yaml | diff "$SITE/topology.conf" -
}

@test "sinfo: states with suffixes, a node in two partitions once, drained and draining ones away" {
	run_on nid00005 1
	scontrol update NodeName=nid00005,nid00015 State=DRAIN Reason=test
	sinfo -N -o '%N|%T' | grep -qx 'nid00017|idle~'
	sinfo -N -o '%N|%T' | traceconv --from sinfo --to nodes -o nodes.tsv
	[ "$(grep -c '^nid' nodes.tsv)" -eq 17 ]
	[ "$(traceconv --from nodes --to slurm-nodelist:state=idle nodes.tsv)" = 'nid[00001-00004,00006-00014,00016]' ]
	[ "$(awk '$1 == "nid00005" || $1 == "nid00015" { print $2 }' nodes.tsv | paste -sd ' ')" = 'draining drained' ]
	# the same by scontrol
	scontrol show node -o | traceconv --from scontrol-node --to nodes | grep -v '^##' | sort >other
	grep -v '^##' nodes.tsv | sort | cut -f 1,2 | diff - <(cut -f 1,2 other)
}

@test "squeue: what runs stays booked, with a limit and without" {
	run_on nid00003,nid00007 2
	sbatch --parsable -N 17 -o /dev/null job.sh
	sbatch --parsable -t 7 -w nid00009 -N 1 -o /dev/null job.sh >limited
	until_is 90 RUNNING squeue -h -j "$(cat limited)" -o %T
	scontrol show topology | topogen --from slurm-show -o m.yaml
	SLURM_TIME_FORMAT=%s squeue -r -o '%i|%u|%P|%T|%V|%S|%e|%l|%D|%N|%r|%j' |
		traceconv --from squeue --to jobs -o queue.tsv
	placecheck -t m.yaml queue.tsv
	mlr --itsv --onidx --ofs ' ' --pass-comments-with '##' cut -o -f nodes,state,nodelist,walltime_s queue.tsv |
		grep -v '^##' | sort >got
	grep -qx '2 running nid\[00003,00007\] \.' got
	grep -qx '1 running nid00009 420' got
	grep -qx '17 pending \. \.' got
	allocate -t m.yaml -p simple queue.tsv >placed.tsv
	[ "$(mlr --itsv --onidx --pass-comments-with '##' filter '$state == "running"' then cut -f nodelist placed.tsv |
		grep -v '^##' | sort | paste -sd ' ')" = 'nid00009 nid[00003,00007]' ]
}

@test "examples/slurm-site: jobs run where they were put, around what runs; what does not fit waits" {
	run_on nid00003,nid00007 2
	run_on nid00009 1
	scontrol update NodeName=nid00015 State=DRAIN Reason=test
	printf '##placetools=jobs/1\njob\tnodes\twalltime_s\tscript\n' >requests.tsv
	printf 'put-%s\t%d\t600\tjob.sh\n' a 3 b 4 c 9 d 1 >>requests.tsv
	run -1 --separate-stderr "$ROOT/examples/slurm-site/place.sh" requests.tsv
	[ -z "$stderr" ]
	printf '%s\n' "$output" >submitted
	# 3 of 4 run, each on the nodes that were printed
	[ "$(awk '$2 == "waits" { print $1 }' submitted)" = put-c ]
	[ "$(grep -vc waits submitted)" -eq 3 ]
	while IFS=$'\t' read -r job id nodes; do
		[ "$id" != waits ] || continue
		until_is 90 RUNNING squeue -h -j "$id" -o %T
		[ "$(squeue -h -j "$id" -o '%j %N %L' | cut -d ' ' -f 1)" = "$job" ]
		[ "$(scontrol show hostnames "$(squeue -h -j "$id" -o %N)" | sort)" = "$(scontrol show hostnames "$nodes" | sort)" ]
	done <submitted
	[ "$(squeue -h -t R -o %i | wc -l)" -eq 5 ]
	# b has four nodes of one leaf or of several, but none of nid00003, 7, 9, 15 and 17
	run ! grep -E 'nid000(03|07|09|15|17)' <(scontrol show hostnames "$(cut -f 3 submitted | grep nid | paste -sd ,)")
}

@test "examples/slurm-site: of a partition only its nodes are given out" {
	printf '##placetools=jobs/1\njob\tnodes\tpartition\tscript\nput-a\t3\tdebug\tjob.sh\nput-b\t2\tdebug\tjob.sh\n' >requests.tsv
	PARTITION=debug POLICY=simple run -1 "$ROOT/examples/slurm-site/place.sh" requests.tsv
	[ "${lines[1]}" = $'put-b\twaits\t.' ]
	IFS=$'\t' read -r job id nodes <<<"${lines[0]}"
	[ "$job $nodes" = 'put-a nid[00001-00003]' ]
	until_is 90 'RUNNING debug nid[00001-00003]' squeue -h -j "$id" -o '%T %P %N'
}

@test "examples/slurm-site: limits of partitions, GPUs, reservations, parts of nodes, by a dry run first" {
	# a job has a part of nid00006, another the GPU of nid00013
	sbatch --quiet -p parts -n 1 --mem 16M -w nid00006 -t 100 -o /dev/null job.sh
	sbatch --quiet -p parts -n 1 --mem 16M --gres=gpu:a100:1 -w nid00013 -t 100 -o /dev/null job.sh
	until_is 90 $'RUNNING\nRUNNING' squeue -h -o %T
	scontrol create reservation ReservationName=course StartTime=now Duration=600 Users="$(id -un)" Nodes=nid00012
	scontrol create reservation ReservationName=maint StartTime=now+30minutes Duration=240 Users=root Flags=MAINT,IGNORE_JOBS Nodes=nid00016
	scontrol update NodeName=nid00015 State=DRAIN Reason=test
	{
		printf '##placetools=jobs/1\njob\tnodes\twalltime_s\tpartition\tcpus\tgpus\tgpu_type\tmemory_bytes\texclusive\treservation\tscript\n'
		printf '%s\tjob.sh\n' $'put-b\t1\t600\tparts\t2\t.\t.\t16777216\tno\t.' $'put-g\t1\t600\tparts\t1\t1\ta100\t16777216\tno\t.' \
			$'put-h\t1\t600\tparts\t1\t1\ta100\t16777216\tno\t.' $'put-l\t1\t7200\tparts\t1\t1\ta100\t16777216\tno\t.' \
			$'put-c\t1\t600\tbatch\t.\t.\t.\t.\t.\tcourse' $'put-m\t4\t600\tparts\t.\t.\t.\t.\t.\t.' $'put-d\t1\t7200\tdebug\t.\t.\t.\t.\t.\t.'
	} >requests.tsv
	POLICY=simple run -1 --separate-stderr "$ROOT/examples/slurm-site/place.sh" --dry-run requests.tsv
	# beside the other job; the GPUs that are left, of which one is only free for half an hour; two limits
	[ "$(tr '\t\n' ' ;' <<<"$output")" = 'put-b dry-run nid00006;put-g dry-run nid00014;put-h dry-run nid00016;put-l waits .;put-c dry-run nid00012;put-m waits .;put-d waits .;' ]
	grep -qx 'put-g: #SBATCH --gres=gpu:a100:1' <<<"$stderr"
	[ "$(squeue -h -o %i | wc -l)" -eq 2 ]
	POLICY=simple run -1 "$ROOT/examples/slurm-site/place.sh" requests.tsv
	while IFS=$'\t' read -r job id nodes; do
		[ "$id" != waits ] || continue
		until_is 90 "$job RUNNING $nodes" squeue -h -j "$id" -o '%j %T %N'
	done <<<"$output"
	# what Slurm says of it now is what was decided
	scontrol show topology | topogen --quiet --from slurm-show -o m.yaml
	SLURM_TIME_FORMAT=%s scontrol -d show job -o | traceconv --quiet --from scontrol-job --to jobs | mlr --tsv --pass-comments filter '$state == "running"' >now.tsv
	placecheck -t m.yaml now.tsv
	[ "$(awk -F'\t' 'NR > 2 && /nid00006/' now.tsv | wc -l)" -eq 2 ]
}

@test "examples/slurm-site: counters of LDMS that grow decide where sensitive jobs go, and Slurm runs them there" {
	run_on nid00002,nid00003 2
	scontrol show topology | topogen --quiet --from slurm-show -o m.yaml
	SLURM_TIME_FORMAT=%s scontrol -d show job -o | traceconv --quiet --from scontrol-job --to jobs |
		mlr --tsv --pass-comments filter '$state == "running"' then put '$intensity = 5e7' >running.tsv
	jobgen counters:source=infiniband,seconds=240,interval=10,cut=yes -t m.yaml running.tsv -o counters.csv
	printf '##placetools=jobs/1\njob\tnodes\twalltime_s\tclass\tscript\nfft\t1\t600\tnetwork-sensitive\tjob.sh\nmc\t1\t600\tnetwork-insensitive\tjob.sh\n' >requests.tsv
	export NOW=$(($(date +%s) + 300))
	COUNTERS=counters.csv run -0 --separate-stderr "$ROOT/examples/slurm-site/place.sh" --dry-run requests.tsv
	dry=$(cut -f 1,3 <<<"$output")
	[ "$(squeue -h -o %i | wc -l)" -eq 1 ]
	COUNTERS=counters.csv run -0 "$ROOT/examples/slurm-site/place.sh" requests.tsv
	[ "$(cut -f 1,3 <<<"$output")" = "$dry" ]
	while IFS=$'\t' read -r job id nodes; do
		until_is 90 "RUNNING $nodes" squeue -h -j "$id" -o '%T %N'
		# the busy leaf is the first one
		if [ "$job" = mc ]; then [[ $nodes == nid0000[14] ]]; else [[ $nodes != nid0000[1-4] ]]; fi
	done <<<"$output"
}

@test "what jobs ask for: scontrol show job, squeue and its JSON say the same of leaf switches, sharing and limits of arrays" {
	local asks=job,nodes,exclusive,oversubscribe,leaf_switches,switch_wait_s,array_limit first
	asked() { SLURM_TIME_FORMAT=%s "$@" | traceconv --quiet --zone UTC --to jobs | mlr --itsv --onidx --skip-comments --ofs ' ' cut -of $asks then sort -f job; }
	first=$(sbatch --parsable -H -N 6 --switches=1@02:00 -p batch -o /dev/null job.sh)
	sbatch --quiet -H -N 2 --switches=1 -p parts --array=0-2%2 -o /dev/null job.sh
	sbatch --quiet -H -N 2 -s -p parts -o /dev/null job.sh
	asked scontrol -d show job --oneliner >all
	grep -E "^($first|$((first + 1))_.*|$((first + 2))) " all >expected
	diff expected - <<-END
		$first 6 yes . 1 120 .
		$((first + 1))_0 2 . . 1 300 2
		$((first + 1))_1 2 . . 1 300 2
		$((first + 1))_2 2 . . 1 300 2
		$((first + 2)) 2 . yes . . .
	END
	asked squeue -O 'JobArrayID:40,NumNodes:20,OverSubscribe:20,ReqSwitch:20,Wait4Switch:20' | diff expected -
	# before 23.02 the JSON has no switches
	asked squeue --json | grep -E "^($first|$((first + 1))_.*|$((first + 2))) " | cut -d ' ' -f 1-4,7 | diff <(cut -d ' ' -f 1-4,7 expected) -
}
