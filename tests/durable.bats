#!/usr/bin/env bats
# durable.bats - little input makes little work; what is written stays, through faults and a loss of power

load helper

preload() {
	${CC:-gcc} -shared -fPIC -O1 -o faults.so "$ROOT/tests/faults/faults.c" -ldl
}

@test "a list of nodes is counted before it is made: 40 letters with 10^12 names" {
	stream jobs "job nodes nodelist" "1 4 n[0-999999]x[0-999999]" >many.tsv
	ulimit -v 400000
	for writer in hostlist hostfile slurm-nodelist; do
		run -2 --separate-stderr traceconv -T $writer many.tsv
		[[ $stderr == *"more than 16777216 nodes"* ]]
	done
	traceconv -T pretty many.tsv | grep -F 'n[0-999999]x[0-999999]'
}

@test "pretty folds runs as it folds names, and makes none of them" {
	stream jobs "job nodes nodelist" "1 9 n[5000000-9999999],n[0-4999999],m7" "2 9 b2,a[08-12],a[1-7]" \
		"3 9 n[0-9999999],n[5-6]" >lists.tsv
	ulimit -v 400000
	run -0 traceconv -T pretty lists.tsv
	[[ ${lines[1]} == *"m7,n[0-9999999]" && ${lines[2]} == *"a[1-7,08-12],b2" && ${lines[3]} == *"n[0-9999999],n[5-6]" ]]
}

@test "Include: few files, regular ones, and nothing of what is in them is printed" {
	for ((i = 0; i < 6; i++)); do
		for ((k = 0; k < 30; k++)); do echo "Include f$((i + 1)).conf"; done >f$i.conf
	done
	echo '# nothing' >f6.conf
	echo 'NodeName=n[0-3]' >nodes.conf
	run -2 --separate-stderr traceconv -F slurm-conf -T nodes f0.conf
	[[ $stderr == *"more than 256 files" && $(wc -l <<<"$stderr") -eq 1 ]]
	mkfifo ff
	echo 'Include ff' >fifo.conf
	run -2 --separate-stderr timeout 20 traceconv -F slurm-conf -T nodes fifo.conf
	[[ $stderr == *"fifo.conf:1: Include: ff: is not a regular file" ]]
	echo 'root:secret:hash' >shadow
	echo 'Include shadow' >shadow.conf
	run -2 --separate-stderr traceconv -F slurm-conf -T nodes shadow.conf
	[[ $stderr == *"shadow:1: expected Key=value" && $stderr != *secret* ]]
	echo 'Include nodes.conf' >good.conf
	traceconv -F slurm-conf -T nodes good.conf | grep -q '^n3'
}

@test "/dev/stdout, /dev/fd/1 and /proc/self/fd/1 are standard output, from where it stands" {
	jobgen --no-provenance job:nodes=4 >jobs
	for path in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
		{ echo before; jobgen --no-provenance job:nodes=4 -o $path; echo after; } >all
		{ echo before; cat jobs; echo after; } | cmp - all
	done
}

@test "an output is synced, renamed, and then its folder is synced: a loss of power leaves the old one or the new one" {
	preload
	for name in jobs jobs.gz; do
		rm -f log
		echo old >$name
		SYNC_LOG=log LOSSY=1 LD_PRELOAD=./faults.so jobgen --no-provenance job:nodes=4 -o $name
		[[ $(cat log) == $'sync file\nrename\nsync folder' ]]
		zcat -f $name | tail -n 1 | grep -x '##end'
	done
}

@test "a fault of any call that writes is reported, and leaves the old file" {
	preload
	for call in write fsync rename gzdopen gzwrite gzclose malloc open close; do
		for k in 1 2 3 4 5 6 7; do
			echo old >jobs.gz
			rm -f hit
			run --separate-stderr env FAULT=$call FAULT_AT=$k FAULT_HIT=hit LD_PRELOAD=./faults.so jobgen job:nodes=4 -o jobs.gz
			[[ -e hit ]] || break
			[[ $status -eq 0 || $status -eq 2 && $(wc -l <<<"$stderr") -eq 1 ]] || { echo "$call $k: $status $stderr"; return 1; }
			if [[ $status -eq 0 || $call$k == fsync2 ]]; then
				zcat jobs.gz | tail -n 1 | grep -x '##end'
			else
				[[ $(cat jobs.gz) == old && $(compgen -G 'jobs.gz*') == jobs.gz ]]
			fi
		done
		[[ $k -gt 1 ]]
	done
}
