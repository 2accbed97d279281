#!/usr/bin/env bats
# mapref-mpi.bats - processes of an MPI launcher, and threads, find what one alone finds

bats_require_minimum_version 1.5.0
load ../helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	command -v mpirun >/dev/null || skip "mpirun is not installed"
	[ -e "$PLACETOOLS_BIN/../lib/placetools/mpi.so" ] || skip "there is no MPI plug-in"
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	export PLACETOOLS_TOPOLOGY=dragonfly:groups=9,routers=4,nodes=2,cores=4
	ring 250 >ring.tsv
}

# ring N: a ring of N ranks with chords, both ways, of bytes that differ
ring() {
	printf '##placetools=comm/1\nsrc\tdst\tbytes\n'
	awk -v n="$1" 'BEGIN { OFS = "\t"
		for (i = 0; i < n; i++) { print i, (i + 1) % n, 1000 + i % 7; print i, (i * 17 + 5) % n, 300 } }' |
		awk '$1 != $2 && !seen[$1, $2]++'
}

@test "2 and 4 processes, with threads too, give the bytes of one process" {
	for mapper in ptram ptram:alpha=printed,ends=both multilevel multilevel:effort=2 greedy; do
		mapref --list=mappers | grep -q "^  ${mapper%%:*}\$" || continue
		mapref -g ring.tsv -p "$mapper" --no-provenance -o alone.tsv
		for n in 2 4; do
			mpirun -n "$n" mapref -g ring.tsv -p "$mapper" --no-provenance >"$n.tsv"
			cmp alone.tsv "$n.tsv"
			mpirun -n "$n" mapref -g ring.tsv -p "$mapper" -j 3 --no-provenance -o "$n-3.tsv"
			cmp alone.tsv "$n-3.tsv"
		done
	done
}

@test "where a rival that was rehearsed is taken, too, and its hierarchy cost is the same" {
	export PLACETOOLS_TOPOLOGY=dragonfly:groups=5,routers=4,nodes=4,cores=2
	jobgen comm:pattern=alltoall-sub,ranks=64 -o groups.tsv
	mapref -g groups.tsv --ranks-per-node 2 -m in-turn --no-provenance -o searched.tsv
	mapref -g groups.tsv --ranks-per-node 2 --no-provenance -o alone.tsv
	run ! cmp -s <(grep '^[0-9]' searched.tsv) <(grep '^[0-9]' alone.tsv)
	evalmetrics -g groups.tsv -m hierarchy-cost --no-provenance alone.tsv >cost
	grep -q hierarchy-cost cost
	for n in 2 3; do
		mpirun -n "$n" mapref -g groups.tsv --ranks-per-node 2 -j 2 --no-provenance -o "$n.tsv"
		cmp alone.tsv "$n.tsv"
		evalmetrics -g groups.tsv -m hierarchy-cost --no-provenance "$n.tsv" | cmp - cost
	done
	# with what the messages' size says about them
	mapref -g groups.tsv --ranks-per-node 2 --bytes 1KiB --no-provenance -o small.tsv
	mpirun -n 3 mapref -g groups.tsv --ranks-per-node 2 --bytes 1KiB --no-provenance -o small-3.tsv
	cmp small.tsv small-3.tsv
}

@test "with leaders, however many processes each has, the bytes are the same; each process reports its memory" {
	for mapper in ptram multilevel; do
		mapref -g ring.tsv -p "$mapper" --no-provenance -o alone.tsv
		for each in 1 2 3; do
			PLACETOOLS_LEADER_OF=$each mpirun -x PLACETOOLS_LEADER_OF -n 5 mapref -g ring.tsv -p "$mapper" -j 2 \
				--no-provenance -o led.tsv --stats stats.tsv
			cmp alone.tsv led.tsv
			[ "$(grep -c $'^process\t[0-4]\tpeak-memory\t[1-9]' stats.tsv)" -eq 5 ]
		done
	done
}

@test "what is wrong is said once, and standard input is refused" {
	run --separate-stderr mpirun -n 3 mapref -g absent.tsv
	[ "$status" -ne 0 ]
	[ "$(grep -c '^mapref: absent.tsv: ' <<<"$stderr")" -eq 1 ]
	run --separate-stderr mpirun -n 2 mapref -g - <ring.tsv
	[ "$status" -ne 0 ]
	[[ $stderr == *"mapref: -: only one of the processes has standard input"* ]]
}

@test "under the launcher of another MPI nothing is printed, and what is wrong is said once" {
	command -v mpirun.mpich >/dev/null && command -v mpirun.openmpi >/dev/null || skip "there is only one MPI"
	mpirun -n 1 true
	other=mpich
	[[ $(readlink -f "$(command -v mpirun)") != *hydra* ]] || other=openmpi
	run ! --separate-stderr "mpirun.$other" -n 3 mapref -g ring.tsv
	[ -z "$output" ]
	[ "$(grep -c "^mapref: the launcher started 3 processes that don't find each other" <<<"$stderr")" -eq 1 ]
}
